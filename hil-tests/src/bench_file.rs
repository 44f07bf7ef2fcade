//! The bench file: for each role, what stands on the bench.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use sabot_wire::message::Role;
use serde::Deserialize;
use toml::Spanned;

use crate::board::Board;

/// The variable that chooses the bench: a name of a file in `hil-tests/benches.d`, or a path.
pub const CHOOSES: &str = "SABOT_BENCH";
/// The bench where none is chosen.
pub const USUAL: &str = "twins";
const BENCHES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches.d");

/// What a device on the bench is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceKind {
    /// The firmware's library in this process, in whose memory the station reaches it.
    Memory,
    /// The firmware's library in this process, over a pseudo-terminal.
    Pty,
    /// The image of a board of ours, in QEMU.
    Qemu,
    /// A device at a real port; people move its sensors.
    Port,
    /// The twin of a part that is bought, at a real port: of the shoe a scanner, of the chips FEIG readers, of the
    /// keypad a numeric pad, of the display a signal tower and a pole display.
    Bought,
    /// Nothing.
    None,
}

impl DeviceKind {
    /// Whether it is the firmware's library in this process, whose sensors see at once.
    #[must_use]
    pub const fn is_twin(self) -> bool {
        matches!(self, Self::Memory | Self::Pty)
    }
}

/// A device of the bench.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchDevice {
    /// What it is.
    pub kind: DeviceKind,
    /// Of a real port: where it is, and the device's serial number.
    pub real: Option<(PathBuf, String)>,
}

/// What stands on the bench, for every role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchFile {
    /// As [`CHOOSES`] names it.
    pub name: String,
    /// Keys of the devices at real ports, as `sabot device pair` writes them.
    pub keys: Option<PathBuf>,
    /// The devices.
    pub devices: BTreeMap<Role, BenchDevice>,
}

/// Why there is no bench.
#[derive(Debug, thiserror::Error)]
pub enum BenchFileError {
    /// The file cannot be read.
    #[error("{}: {why}; {CHOOSES} names a file of hil-tests/benches.d, or a path", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// The file says something that cannot be.
    #[error("{}:{line}: {what}", path.display())]
    Mistake {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong, and what to write.
        what: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    keys: Option<Spanned<PathBuf>>,
    shoe: Spanned<RawDevice>,
    shuffler: Spanned<RawDevice>,
    chips: Spanned<RawDevice>,
    keypad: Spanned<RawDevice>,
    display: Spanned<RawDevice>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDevice {
    is: Spanned<DeviceKind>,
    port: Option<Spanned<PathBuf>>,
    serial: Option<Spanned<String>>,
}

/// What is wrong, and where.
type Fault = (Option<Range<usize>>, String);

impl BenchFile {
    /// The bench that [`CHOOSES`] names, or the usual one.
    ///
    /// # Errors
    /// When its file cannot be read or says what cannot be.
    pub fn chosen() -> Result<Self, BenchFileError> {
        Self::named(&std::env::var(CHOOSES).unwrap_or_else(|_| USUAL.to_owned()))
    }

    /// The bench of that name, or of that path.
    ///
    /// # Errors
    /// When its file cannot be read or says what cannot be.
    pub fn named(name: &str) -> Result<Self, BenchFileError> {
        let is_path = name.contains('/') || Path::new(name).extension().is_some_and(|end| end == "toml");
        let path = if is_path { PathBuf::from(name) } else { Path::new(BENCHES).join(format!("{name}.toml")) };
        let text = std::fs::read_to_string(&path).map_err(|why| BenchFileError::Read { path: path.clone(), why })?;
        Self::parse(name, &path, &text)
    }

    /// The bench that `text` describes, which stands in the file at `path`.
    ///
    /// # Errors
    /// When it says what cannot be.
    pub fn parse(name: &str, path: &Path, text: &str) -> Result<Self, BenchFileError> {
        let bench_file = toml::from_str::<Raw>(text).map_err(|error| (error.span(), error.message().to_owned()));
        bench_file.and_then(|raw| planned(name, path, raw)).map_err(|(span, what)| {
            let before = text.get(..span.map_or(0, |span| span.start)).unwrap_or_default();
            BenchFileError::Mistake { path: path.to_owned(), line: 1 + before.matches('\n').count(), what }
        })
    }

    /// What is missing here to set this bench up; nothing: `None`.
    #[must_use]
    pub fn missing(&self) -> Option<String> {
        self.devices.iter().find_map(|(role, device)| match device.kind {
            DeviceKind::Memory | DeviceKind::Pty | DeviceKind::Bought | DeviceKind::None => None,
            DeviceKind::Qemu => Board::missing(*role),
            DeviceKind::Port => {
                let (port, _) = device.real.as_ref()?;
                (!port.exists()).then(|| format!("there is no {} for the {role}", port.display()))
            }
        })
    }

    /// The device of a role.
    ///
    /// # Panics
    /// Never for a file that was read: every role is in it.
    #[must_use]
    pub fn kind(&self, role: Role) -> DeviceKind {
        self.devices.get(&role).map_or(DeviceKind::Pty, |device| device.kind)
    }

    /// Whether it is a table of bought parts.
    #[must_use]
    pub fn is_bought(&self) -> bool {
        self.kind(Role::Chips) == DeviceKind::Bought
    }

    /// Whether every device is a twin.
    #[must_use]
    pub fn is_of_twins(&self) -> bool {
        self.devices.values().all(|device| device.kind.is_twin())
    }
}

fn planned(name: &str, path: &Path, raw: Raw) -> Result<BenchFile, Fault> {
    let beside = path.parent().unwrap_or(Path::new("."));
    let keys_at = raw.keys.as_ref().map(Spanned::span);
    let keys = raw.keys.map(|keys| beside.join(keys.into_inner()));
    let roles = [
        (Role::Shoe, raw.shoe),
        (Role::Shuffler, raw.shuffler),
        (Role::Chips, raw.chips),
        (Role::Keypad, raw.keypad),
        (Role::Display, raw.display),
    ];
    let mut devices = BTreeMap::new();
    for (role, device) in roles {
        devices.insert(role, one(role, device.into_inner(), beside, keys.is_some())?);
    }
    if let Some(at) = keys_at
        && devices.values().all(|device| device.kind != DeviceKind::Port)
    {
        return Err((
            Some(at),
            "no device is `port`: twins and boards are given keys of their own; leave out `keys`".into(),
        ));
    }
    let is_bought = devices.values().any(|device| matches!(device.kind, DeviceKind::Bought | DeviceKind::None));
    let parts = |role| if role == Role::Shuffler { DeviceKind::None } else { DeviceKind::Bought };
    if is_bought && devices.iter().any(|(role, device)| device.kind != parts(*role)) {
        let what = "a table of bought parts has no other: the shuffler is \"none\", and every other is \"bought\"";
        return Err((None, what.into()));
    }
    Ok(BenchFile { name: name.to_owned(), keys, devices })
}

fn one(role: Role, raw: RawDevice, beside: &Path, has_keys: bool) -> Result<BenchDevice, Fault> {
    let at = raw.is.span();
    let kind = raw.is.into_inner();
    if kind != DeviceKind::Port {
        let extra = raw.port.map(|port| port.span()).or(raw.serial.map(|serial| serial.span()));
        return match extra {
            Some(span) => {
                Err((Some(span), format!("`port` and `serial` are for is = \"port\"; the {role} is another")))
            }
            None => Ok(BenchDevice { kind, real: None }),
        };
    }
    let (Some(port), Some(serial)) = (raw.port, raw.serial) else {
        let what = format!("the {role} wants `port`, where it is, and `serial`, its serial number");
        return Err((Some(at), what));
    };
    if !has_keys {
        return Err((Some(at), "add `keys`, above the devices: the file that `sabot device pair` has written".into()));
    }
    Ok(BenchDevice { kind, real: Some((beside.join(port.into_inner()), serial.into_inner())) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "shoe.is = \"qemu\"\nshuffler.is = \"qemu\"\nchips.is = \"pty\"\nkeypad.is = \"pty\"\n\
                        display.is = \"pty\"\n";

    fn parse(text: &str) -> Result<BenchFile, String> {
        BenchFile::parse("a", Path::new("benches/a.toml"), text).map_err(|error| error.to_string())
    }

    fn is(text: &str, line: usize, what: &str) {
        let error = parse(text).unwrap_err();
        assert!(error.starts_with(&format!("benches/a.toml:{line}: ")) && error.contains(what), "{error}");
    }

    #[test]
    fn every_bench_of_the_folder_can_be_read() {
        for entry in std::fs::read_dir(BENCHES).unwrap() {
            let path = entry.unwrap().path();
            let bench_file = BenchFile::named(path.to_str().unwrap()).unwrap();
            assert_eq!(bench_file.devices.len(), Role::ALL.len(), "{}", path.display());
        }
        assert!(BenchFile::named(USUAL).unwrap().is_of_twins());
    }

    #[test]
    fn a_mistake_is_told_with_file_and_line() {
        let bench_file = parse(GOOD).unwrap();
        assert_eq!((bench_file.kind(Role::Shoe), bench_file.kind(Role::Chips)), (DeviceKind::Qemu, DeviceKind::Pty));
        is(
            &GOOD.replace("chips.is = \"pty\"", "chips.is = \"ptty\""),
            3,
            "`memory`, `pty`, `qemu`, `port`, `bought`, `none`",
        );
        is(&GOOD.replace("keypad.is = \"pty\"\n", ""), 1, "missing field `keypad`");
        is(&format!("{GOOD}lamp.is = \"pty\"\n"), 6, "unknown field `lamp`");
        is(&format!("{GOOD}keypad.port = \"/dev/ttyS0\"\n"), 6, "is = \"port\"");
        is(&GOOD.replace("keypad.is = \"pty\"", "keypad.is = \"port\""), 4, "wants `port`");
        let real = "keypad = { is = \"port\", port = \"/dev/ttyS0\", serial = \"KP-1\" }";
        is(&GOOD.replace("keypad.is = \"pty\"", real), 4, "add `keys`");
        is(&format!("keys = \"keys.toml\"\n{GOOD}"), 1, "leave out `keys`");
        is(&GOOD.replace("chips.is = \"pty\"", "chips.is = \"bought\""), 1, "the shuffler is \"none\"");
        is("shoe.is = \"qemu\"\nshoe.is", 2, "");
        let good = parse(&format!("keys = \"k.toml\"\n{}", GOOD.replace("keypad.is = \"pty\"", real))).unwrap();
        assert_eq!(good.keys, Some(PathBuf::from("benches/k.toml")));
        assert_eq!(good.devices[&Role::Keypad].real, Some(("/dev/ttyS0".into(), "KP-1".into())));
        assert!(BenchFile::named("no-such-bench").unwrap_err().to_string().contains("no-such-bench.toml"));
    }
}
