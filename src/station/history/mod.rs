//! A record read as what happened: its lines with the time on the wall, and what was answered to each.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;
use sabot_journal::Unsealed;
use sabot_journal::clock::{Anchor, parse_utc, utc};
use sabot_journal::note::KeyFileError;
use sabot_law::replay::{Replay, ReplayError};
use sabot_law::table::{Answer, Event, LineNo, line};
use sabot_law::validator::Validator;
use serde::Deserialize;
use serde_json::Value;

/// Bytes that are read at once.
const READ: usize = 1 << 16;

/// Why a record cannot be read as what happened.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotRead {
    #[error("{}: {why}", file.display())]
    File { file: PathBuf, why: io::Error },
    #[error("{}: {why}", file.display())]
    Log { file: PathBuf, why: ReplayError },
    #[error(transparent)]
    Key(#[from] KeyFileError),
    #[error("{0}")]
    Out(#[from] io::Error),
}

/// Times on the wall, as an option names them.
#[derive(Debug, Args)]
pub(super) struct Period {
    /// Not before this time: 2026-11-24, 2026-11-24T22:41 or 2026-11-24T22:41:07, UTC.
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<u64>,
    /// Before this time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Option<u64>,
}

impl Period {
    /// Whether a time, milliseconds since 1970, is in it.
    pub(super) fn holds(&self, at: u64) -> bool {
        self.from.is_none_or(|from| at >= from) && self.to.is_none_or(|to| at < to)
    }
}

/// A time, milliseconds since 1970.
fn time(text: &str) -> Result<u64, String> {
    const FORM: &str = "0000-00-00T00:00:00.000Z";
    let bare = text.strip_suffix('Z').unwrap_or(text);
    let whole = FORM.get(bare.len()..).map(|rest| format!("{bare}{rest}"));
    whole
        .filter(|_| matches!(bare.len(), 10 | 16 | 19))
        .and_then(|whole| parse_utc(&whole))
        .ok_or_else(|| "a time reads 2026-11-24, 2026-11-24T22:41 or 2026-11-24T22:41:07, in UTC".to_owned())
}

/// A line of a record.
pub(super) struct Told {
    pub(super) line: LineNo,
    /// Milliseconds since 1970.
    pub(super) at: u64,
    /// The pass that it belongs to: the one it leads to or ends.
    pub(super) pass: u64,
    /// A card that the line seals is unread here.
    pub(super) event: Event,
    /// Who entered it on a screen.
    pub(super) entered: Option<String>,
    pub(super) answers: Vec<Answer>,
    /// The answers that the record tells.
    pub(super) recorded: Vec<Value>,
}

/// What the record adds to a line that is read here.
#[derive(Debug, Default, Deserialize)]
struct Added {
    /// On the first line.
    began: Option<u64>,
    entered: Option<String>,
    table: Option<String>,
    #[serde(default)]
    answers: Vec<Value>,
}

/// Reads a record to its end, and gives each line to `each`, with the table after it; the table's name. Cards are taken
/// from where the record opens them for what is answered, and are shown nowhere.
pub(super) fn read(
    file: &Path,
    mut replay: Replay,
    mut each: impl FnMut(Told, &Validator) -> Result<(), NotRead>,
) -> Result<String, NotRead> {
    let failed = |why| NotRead::File { file: file.to_path_buf(), why };
    let opened = || File::open(file).map(|file| BufReader::with_capacity(READ, file)).map_err(failed);
    let mut clear = Unsealed::new(opened()?);
    let (mut anchor, mut table) = (Anchor::default(), String::new());
    let mut judged = Vec::new();
    for as_it_stands in opened()?.split(b'\n') {
        let as_it_stands = as_it_stands.map_err(failed)?;
        judged.clear();
        clear.read_until(b'\n', &mut judged).map_err(failed)?;
        let mut answers = Vec::new();
        let text = judged.strip_suffix(b"\n").unwrap_or(&judged);
        replay.feed(text, &mut answers).map_err(|why| NotRead::Log { file: file.to_path_buf(), why })?;
        let added: Added = serde_json::from_slice(&as_it_stands).unwrap_or_default();
        // the header, and blank lines
        let Ok((event, t)) = line::timed(&as_it_stands) else {
            table = added.table.unwrap_or(table);
            anchor = added.began.map_or(anchor, |unix_ms| Anchor { t: 0, unix_ms });
            continue;
        };
        let t = t.unwrap_or(anchor.t);
        anchor = Anchor::told(&event, t).unwrap_or(anchor);
        // before the header nothing is read as an event
        let Some(validator) = replay.validator() else { continue };
        let (line, at, pass) = (replay.line(), anchor.wall_at(t), validator.state().pass_no);
        let Added { entered, answers: recorded, .. } = added;
        each(Told { line, at, pass, event, entered, answers, recorded }, validator)?;
    }
    Ok(table)
}

/// A time on the wall to the second, as ISO 8601 writes it.
pub(super) fn second(at: u64) -> String {
    let text = utc(at);
    text.get(..19).map_or_else(|| text.clone(), |whole| format!("{whole}Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_day_a_minute_or_a_second() {
        assert_eq!(time("1970-01-02"), Ok(86_400_000));
        assert_eq!(time("1970-01-01T00:01Z"), Ok(60_000));
        assert_eq!(time("1970-01-01T00:01:02"), Ok(62_000));
        for wrong in ["", "22:41", "2026-13-01", "2026-11-24T22", "2026-11-24 22:41", "mañana"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
