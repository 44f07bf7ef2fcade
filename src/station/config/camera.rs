//! The keys of a camera in a table's configuration, `driver = "camera"`, and the deck that it names.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sabot_camera::{Deck, Out, Reader, View};
use sabot_drivers::LinkConfig;
use sabot_drivers::camera::{CameraConfig, Eyes, Wanted};
use serde::Deserialize;
use toml::Spanned;

use super::key_examples::{TABLE, example};
use super::mistake::Fault;

/// What only a camera has.
pub(super) struct RawCamera {
    pub(super) deck: Option<Spanned<PathBuf>>,
    pub(super) out: Option<Spanned<RawOut>>,
    pub(super) exposure_us: Option<Spanned<u32>>,
    pub(super) gain: Option<Spanned<i32>>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawOut {
    Up,
    Down,
    Left,
    Right,
}

impl RawCamera {
    /// The first key that stands here, for a device that has none of them.
    pub(super) fn stray(&self) -> Option<Fault> {
        let keys = [
            ("deck", self.deck.as_ref().map(Spanned::span)),
            ("out", self.out.as_ref().map(Spanned::span)),
            ("exposure_us", self.exposure_us.as_ref().map(Spanned::span)),
            ("gain", self.gain.as_ref().map(Spanned::span)),
        ];
        let (key, span) = keys.into_iter().find_map(|(key, span)| Some((key, span?)))?;
        let what = format!("`{key}` is for a device with driver = \"camera\"");
        Some(Fault::at(span, what, "remove it, or name the driver"))
    }
}

/// The camera of a device that is otherwise described; `device` is where it stands in the file.
pub(super) fn camera(
    raw: &RawCamera,
    link: &LinkConfig,
    folder: &Path,
    device: Range<usize>,
) -> Result<CameraConfig, Fault> {
    let Some(deck) = &raw.deck else {
        let instead = example(TABLE, "deck").replacen("write", "add", 1) + "; `sabot deck learn` makes one";
        return Err(Fault::at(device, "nothing says what the cards look like", instead));
    };
    let path = folder.join(deck.get_ref());
    let bad = |why: sabot_camera::DeckError| Fault::at(deck.span(), why.to_string(), example(TABLE, "deck"));
    let learnt = Deck::load(&path).map_err(bad)?;
    let reader = Reader::new(&learnt).map_err(bad)?;
    let out = match raw.out.as_ref().map(|out| *out.get_ref()) {
        Some(RawOut::Up) => Out::Up,
        Some(RawOut::Left) => Out::Left,
        Some(RawOut::Right) => Out::Right,
        Some(RawOut::Down) | None => Out::Down,
    };
    let exposed = |us: &Spanned<u32>| (100..=1_000_000).contains(us.get_ref());
    if let Some(us) = raw.exposure_us.as_ref().filter(|us| !exposed(us)) {
        let what = "a picture is exposed 100 to 1000000 microseconds";
        return Err(Fault::at(us.span(), what, example(TABLE, "exposure_us")));
    }
    let wanted = Wanted {
        size: Some(learnt.geometry().picture),
        exposure_us: raw.exposure_us.as_ref().map(|us| *us.get_ref()),
        gain: raw.gain.as_ref().map(|gain| *gain.get_ref()),
    };
    let eyes = Eyes { reader: Arc::new(reader), view: View::new(&learnt) };
    Ok(CameraConfig { port: link.port.clone(), out, deck: path, wanted, eyes })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sabot_camera::Out;
    use sabot_camera::drawn::deck;

    use crate::config::{Config, Driver};

    /// The camera that a file with these keys describes, or what is said of its first mistake.
    fn camera(deck: &Path, keys: &str) -> Result<Out, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(deck, folder.path().join("deck.png")).unwrap();
        std::fs::write(folder.path().join("no-deck.png"), "none").unwrap();
        let text = format!(
            "table = \"T\"\nregulation = \"sala-8\"\nlimits = {{ min = 1, max = 2 }}\nlisten = \"127.0.0.1:0\"\n\
             journal = \"record\"\n[[device]]\nrole = \"shoe\"\nport = \"tcp:127.0.0.1:9\"\n{keys}\n"
        );
        let config =
            Config::parse(Path::new(&folder.path().join("station.toml")), &text).map_err(|why| why.to_string())?;
        match &config.devices[0].driver {
            Driver::Camera(camera) => Ok(camera.out),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn a_camera_is_described_and_each_mistake_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let learnt = folder.path().join("learnt.png");
        deck().save(&learnt).unwrap();
        let camera = |keys| camera(&learnt, keys);
        assert_eq!(camera("driver = \"camera\"\ndeck = \"deck.png\""), Ok(Out::Down));
        assert_eq!(camera("driver = \"camera\"\ndeck = \"deck.png\"\nout = \"up\""), Ok(Out::Up));
        for (keys, says) in [
            ("driver = \"camera\"", "sabot deck learn"),
            ("driver = \"camera\"\ndeck = \"nowhere.png\"", "nowhere.png"),
            ("driver = \"camera\"\ndeck = \"no-deck.png\"", "is no deck"),
            ("driver = \"camera\"\ndeck = \"deck.png\"\nbaud = 9600", "a camera has neither a speed"),
            ("driver = \"camera\"\ndeck = \"deck.png\"\nexposure_us = 10", "100 to 1000000 microseconds"),
            ("gain = 3", "`gain` is for a device with driver = \"camera\""),
            ("deck = \"deck.png\"", "`deck` is for a device with driver = \"camera\""),
            ("out = \"up\"", "`out` is for a device with driver = \"camera\""),
            ("driver = \"camera\"\ndeck = \"deck.png\"\nout = \"away\"", "away"),
        ] {
            let why = camera(keys).unwrap_err();
            assert!(why.contains(says), "{keys}: {why}");
        }
    }
}
