//! The configuration of a table: a TOML file, described key by key in `docs/station.toml`.
//!
//! A mistake in it is answered with the file, the line, the line itself and what to write instead.

use std::collections::HashMap;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sabot_drivers::LinkConfig;
use sabot_wire::message::{Role, SERIAL_BYTES};
use serde::Deserialize;
use toml::Spanned;

use crate::regulation;
use crate::table::answer::Lang;
use crate::table::place::MAX_BOXES;
use crate::table::settings::Changes;
use crate::table::{Header, Limits, Name, Observes};

/// Bits a second where a device names none.
pub const DEFAULT_BAUD: u32 = 115_200;
/// How long a drawn card waits for an antenna where the file does not say.
pub const DEFAULT_PLACE_WAIT: Duration = Duration::from_millis(1500);
const MAX_PLACE_WAIT_MS: u64 = 10_000;

/// A table, as its file describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Name, regulation, boxes, limits and what is observed: the first line of the table's log.
    pub header: Header,
    /// Language of the pit display.
    pub lang: Lang,
    /// Where the page is served.
    pub listen: SocketAddr,
    /// The record.
    pub journal: PathBuf,
    /// How long a drawn card waits to be seen somewhere on the felt.
    pub place_wait: Duration,
    /// At most one of each role.
    pub devices: Vec<LinkConfig>,
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {why}\n  = name the table's file with --config; docs/station.toml is an example to copy", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// The file of settings cannot be read.
    #[error("{}: {why}\n  = `sabot regulation settings > FILE` writes one to change", path.display())]
    ReadSettings {
        /// Which file.
        path: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// The file says something that cannot be.
    #[error(transparent)]
    Mistake(Box<Mistake>),
}

/// A mistake in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Which file.
    pub path: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Column, in characters from 1.
    pub column: usize,
    /// That line as it stands.
    pub shown: String,
    /// Characters of it concerned, at least 1.
    pub width: usize,
    /// What is wrong.
    pub what: String,
    /// What to write instead.
    pub instead: String,
}

impl std::error::Error for Mistake {}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.line.to_string();
        let gutter = number.len();
        writeln!(f, "{}:{}: {}", self.path.display(), self.line, self.what)?;
        writeln!(f, "{number} | {}", self.shown)?;
        writeln!(f, "{:gutter$} | {:indent$}{}", "", "", "^".repeat(self.width), indent = self.column - 1)?;
        write!(f, "{:gutter$} = {}", "", self.instead)
    }
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or with its first mistake.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let bytes = std::fs::read(path).map_err(|why| ConfigError::Read { path: path.to_path_buf(), why })?;
        let text = utf8(path, &bytes)?;
        let config = Self::parse(path, text)?;
        let file = Source { path, text, settings: false };
        file.journal_fault(&config.journal).map_or(Ok(config), |fault| Err(file.mistake(fault)))
    }

    /// Reads a text as if it stood in `path`.
    ///
    /// # Errors
    /// With the first mistake.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let file = Source { path, text, settings: false };
        match toml::from_str::<Raw>(text) {
            Ok(raw) => check(raw, path.parent().unwrap_or(Path::new(""))).map_err(|fault| file.mistake(fault)),
            Err(error) => Err(file.mistake(file.from_toml(&error))),
        }
    }
}

/// Reads a file of settings alone, as `sabot replay --settings` takes it: the names of a `[settings]` table.
///
/// # Errors
/// When it cannot be read, or with its first mistake.
pub fn settings(path: &Path) -> Result<Changes, ConfigError> {
    let bytes = std::fs::read(path).map_err(|why| ConfigError::ReadSettings { path: path.to_path_buf(), why })?;
    let text = utf8(path, &bytes)?;
    let file = Source { path, text, settings: true };
    toml::from_str(text).map_err(|error| file.mistake(file.from_toml(&error)))
}

/// The text of a file, or the line where it is none.
fn utf8<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str, ConfigError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let sound = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or("");
        let end = sound.len();
        let file = Source { path, text: sound, settings: false };
        file.mistake(Fault::at(end..end, "this is no UTF-8 text", "save the file as plain text in UTF-8"))
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    table: Spanned<String>,
    regulation: Spanned<String>,
    boxes: Option<Spanned<u8>>,
    limits: Spanned<RawLimits>,
    observes: Option<Observes>,
    lang: Option<RawLang>,
    listen: Option<Spanned<String>>,
    journal: Spanned<PathBuf>,
    place_wait_ms: Option<Spanned<u64>>,
    #[serde(default)]
    settings: Changes,
    #[serde(default)]
    device: Vec<RawDevice>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLimits {
    min: u64,
    max: u64,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum RawLang {
    Es,
    En,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDevice {
    role: Spanned<RawRole>,
    port: Spanned<PathBuf>,
    baud: Option<Spanned<u32>>,
    serial: Option<Spanned<String>>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum RawRole {
    Shoe,
    Shuffler,
    Chips,
    Keypad,
    Display,
}

/// What is wrong, where in the text, and the way out.
struct Fault {
    span: Range<usize>,
    what: String,
    instead: String,
}

impl Fault {
    fn at(span: Range<usize>, what: impl Into<String>, instead: impl Into<String>) -> Self {
        Self { span, what: what.into(), instead: instead.into() }
    }
}

fn check(raw: Raw, folder: &Path) -> Result<Config, Fault> {
    let boxes = match raw.boxes {
        None => u8::try_from(MAX_BOXES).unwrap_or(7),
        Some(boxes) if (1..=MAX_BOXES).contains(&usize::from(*boxes.get_ref())) => *boxes.get_ref(),
        Some(boxes) => {
            return Err(Fault::at(boxes.span(), "a table has 1 to 7 boxes", "write for example `boxes = 7`"));
        }
    };
    if raw.table.get_ref().trim().is_empty() {
        return Err(Fault::at(raw.table.span(), "the table has no name", example("table")));
    }
    let limits = raw.limits.get_ref();
    if limits.max == 0 || limits.min > limits.max {
        let what = format!("no bet lies between a min of {} and a max of {}", limits.min, limits.max);
        let instead = if limits.max == 0 {
            example("limits")
        } else {
            format!("the wrong way round? write `limits = {{ min = {}, max = {} }}`", limits.max, limits.min)
        };
        return Err(Fault::at(raw.limits.span(), what, instead));
    }
    let header = Header {
        v: 1,
        table: Name::from(raw.table.get_ref().trim()),
        regulation: Name::from(raw.regulation.get_ref().as_str()),
        boxes,
        limits: Limits { min: limits.min, max: limits.max },
        observes: raw.observes.unwrap_or_default(),
        settings: raw.settings,
    };
    if regulation::find(&header.regulation).is_none() {
        let known: Vec<&str> = regulation::ALL.iter().map(|regulation| regulation.id).collect();
        let what = format!("no regulation `{}`", header.regulation);
        return Err(Fault::at(raw.regulation.span(), what, nearest(&header.regulation, &known)));
    }
    if raw.journal.get_ref().as_os_str().is_empty() {
        return Err(Fault::at(raw.journal.span(), "the journal has no name", example("journal")));
    }
    Ok(Config {
        header,
        lang: match raw.lang {
            Some(RawLang::En) => Lang::En,
            Some(RawLang::Es) | None => Lang::Es,
        },
        listen: listen(raw.listen.as_ref())?,
        journal: folder.join(raw.journal.get_ref()),
        place_wait: place_wait(raw.place_wait_ms.as_ref())?,
        devices: devices(raw.device, folder)?,
    })
}

fn listen(raw: Option<&Spanned<String>>) -> Result<SocketAddr, Fault> {
    let Some(raw) = raw else { return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, 8080))) };
    raw.get_ref()
        .parse()
        .map_err(|_| Fault::at(raw.span(), format!("`{}` is no address with a port", raw.get_ref()), example("listen")))
}

fn place_wait(raw: Option<&Spanned<u64>>) -> Result<Duration, Fault> {
    match raw {
        None => Ok(DEFAULT_PLACE_WAIT),
        Some(ms) if *ms.get_ref() <= MAX_PLACE_WAIT_MS => Ok(Duration::from_millis(*ms.get_ref())),
        Some(ms) => Err(Fault::at(
            ms.span(),
            format!("a card may wait at most {MAX_PLACE_WAIT_MS} milliseconds"),
            example("place_wait_ms"),
        )),
    }
}

fn devices(raw: Vec<RawDevice>, folder: &Path) -> Result<Vec<LinkConfig>, Fault> {
    if raw.is_empty() {
        let instead = "add for example\n    [[device]]\n    role = \"shoe\"\n    port = \"/dev/sabot-shoe\"";
        return Err(Fault::at(0..0, "the table has no device", instead));
    }
    let mut roles: Vec<Role> = Vec::new();
    let mut ports: HashMap<PathBuf, Role> = HashMap::new();
    raw.into_iter().map(|device| one_device(device, folder, &mut roles, &mut ports)).collect()
}

fn one_device(
    device: RawDevice,
    folder: &Path,
    roles: &mut Vec<Role>,
    ports: &mut HashMap<PathBuf, Role>,
) -> Result<LinkConfig, Fault> {
    let role = match device.role.get_ref() {
        RawRole::Shoe => Role::Shoe,
        RawRole::Shuffler => Role::Shuffler,
        RawRole::Chips => Role::Chips,
        RawRole::Keypad => Role::Keypad,
        RawRole::Display => Role::Display,
    };
    if roles.contains(&role) {
        let what = format!("a second device with the role `{}`", role.name());
        let free: Vec<&str> = Role::ALL.into_iter().filter(|role| !roles.contains(role)).map(Role::name).collect();
        let instead =
            format!("a table has one of each: remove one, or give this one another role ({})", free.join(", "));
        return Err(Fault::at(device.role.span(), what, instead));
    }
    roles.push(role);
    if device.port.get_ref().as_os_str().is_empty() {
        return Err(Fault::at(device.port.span(), "the port has no name", example("port")));
    }
    let port = folder.join(device.port.get_ref());
    if let Some(other) = ports.insert(port.clone(), role) {
        let what = format!("the port of the device with the role `{}`", other.name());
        return Err(Fault::at(device.port.span(), what, "each device has a port of its own: name this one's"));
    }
    if let Some(baud) = device.baud.as_ref().filter(|baud| !(300..=4_000_000).contains(baud.get_ref())) {
        return Err(Fault::at(baud.span(), "no speed a serial port runs at", example("baud")));
    }
    if let Some(serial) = device.serial.as_ref().filter(|serial| !(1..=SERIAL_BYTES).contains(&serial.get_ref().len()))
    {
        let what = format!("a serial number has 1 to {SERIAL_BYTES} characters");
        return Err(Fault::at(serial.span(), what, "write it as printed on the housing, or leave the key out"));
    }
    Ok(LinkConfig {
        role,
        port,
        baud: device.baud.map_or(DEFAULT_BAUD, Spanned::into_inner),
        serial: device.serial.map(Spanned::into_inner),
    })
}

/// What each key looks like when it is right.
const EXAMPLES: &[(&str, &str)] = &[
    ("table", "table = \"BJ-07\""),
    ("regulation", "regulation = \"sala-8\""),
    ("boxes", "boxes = 7"),
    ("limits", "limits = { min = 50000, max = 5000000 }"),
    ("min", "min = 50000"),
    ("max", "max = 5000000"),
    ("observes", "observes = [\"places\", \"faces\", \"asks\", \"decisions\", \"announcements\"]"),
    ("lang", "lang = \"es\""),
    ("listen", "listen = \"127.0.0.1:8080\""),
    ("journal", "journal = \"BJ-07.jsonl\""),
    ("place_wait_ms", "place_wait_ms = 1500"),
    ("role", "role = \"shoe\""),
    ("port", "port = \"/dev/sabot-shoe\""),
    ("baud", "baud = 115200"),
    ("serial", "serial = \"SH-0001\""),
];

fn example(key: &str) -> String {
    EXAMPLES.iter().find(|(name, _)| *name == key).map_or_else(
        || "docs/station.toml shows every key".to_owned(),
        |(_, text)| format!("write for example `{text}`"),
    )
}

struct Source<'a> {
    path: &'a Path,
    text: &'a str,
    /// It holds settings alone.
    settings: bool,
}

impl Source<'_> {
    fn mistake(&self, fault: Fault) -> ConfigError {
        let start = fault.span.start.min(self.text.len());
        let before = self.text.get(..start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let shown = self.text[line_start..].lines().next().unwrap_or("").to_owned();
        let column = before[line_start..].chars().count();
        let span = self.text.get(fault.span).unwrap_or("").lines().next().unwrap_or("");
        let room = shown.chars().count().saturating_sub(column);
        ConfigError::Mistake(Box::new(Mistake {
            path: self.path.to_path_buf(),
            line: before.matches('\n').count() + 1,
            column: column + 1,
            width: span.chars().count().min(room).max(1),
            shown,
            what: fault.what,
            instead: fault.instead,
        }))
    }

    /// The reader's error, said so that the file's author can mend it. Names in backticks are how serde writes them.
    #[allow(clippy::wrong_self_convention)]
    fn from_toml(&self, error: &toml::de::Error) -> Fault {
        let span = error.span().unwrap_or(0..0);
        let message = error.message();
        let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        let (what, instead) = match *names.as_slice() {
            [wrong, ref known @ ..] if message.starts_with("unknown field") => {
                (format!("unknown key `{wrong}`"), nearest(wrong, known))
            }
            [wrong, ref known @ ..] if message.starts_with("unknown variant") => {
                (format!("`{wrong}` is nothing that can stand here"), nearest(wrong, known))
            }
            [missing] if message.starts_with("missing field") => {
                (format!("`{missing}` is missing"), format!("{} here", example(missing).replacen("write", "add", 1)))
            }
            [twice, ..] if message.starts_with("duplicate field") => {
                (format!("`{twice}` stands here twice"), "remove one of them".to_owned())
            }
            _ if message.starts_with("duplicate key") => {
                let key = self.text.get(span.clone()).unwrap_or("");
                let instead = if self.line_at(span.start).starts_with("[device]") {
                    DEVICE_HEAD.to_owned()
                } else {
                    "remove one of them".to_owned()
                };
                (format!("`{key}` stands here twice"), instead)
            }
            _ => (plain(message), self.example_for(span.start)),
        };
        Fault { span, what, instead }
    }

    /// Why no record can be kept in that file, where that is plain to see.
    fn journal_fault(&self, journal: &Path) -> Option<Fault> {
        let start = self.text.lines().find(|line| line.split('=').next().is_some_and(|key| key.trim() == "journal"));
        let start = start.map_or(0, |line| line.as_ptr() as usize - self.text.as_ptr() as usize);
        let span = start..start + self.line_at(start).len();
        if journal.is_dir() {
            return Some(Fault::at(span, "the journal is a folder", example("journal")));
        }
        let folder = journal.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())?;
        let what = format!("there is no folder {}", folder.display());
        let instead = format!("make it (mkdir -p {}), or name a file in a folder that is there", folder.display());
        Some(Fault::at(span, what, instead))
    }

    fn line_at(&self, at: usize) -> &str {
        let start = self.text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("")
    }

    /// An example of the key on the line at `at`.
    fn example_for(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or("");
        let section = before.lines().rev().find(|line| line.starts_with('['));
        let line = self.line_at(at);
        if line.starts_with("[device]") {
            DEVICE_HEAD.to_owned()
        } else if self.settings || section.is_some_and(|section| section.starts_with("[settings]")) {
            "`sabot regulation settings` prints every setting with its value".to_owned()
        } else {
            example(line.split(['=', ':', ' ']).next().unwrap_or("").trim())
        }
    }
}

const DEVICE_HEAD: &str = "a device begins with `[[device]]`, in two brackets";

/// The reader's words without the names of this program's types.
fn plain(message: &str) -> String {
    let message = message.lines().next().unwrap_or("");
    let said = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    let Some((found, expected)) = said.and_then(|said| said.split_once(", expected ")) else {
        return message.to_owned();
    };
    let expected = match expected {
        "u8" | "u16" | "u32" | "u64" => "a whole number, not negative and not too great,",
        "a sequence" => "a list",
        "a boolean" => "true or false",
        "a string" | "path string" => "a text in quotation marks",
        "struct RawLimits" => "a pair of min and max",
        other => other,
    };
    format!("{found} where {expected} belongs")
}

/// "write `port`" for what is spelt nearly so; else everything that may stand there.
fn nearest(wrong: &str, known: &[&str]) -> String {
    let best = known.iter().map(|name| (strsim::damerau_levenshtein(wrong, name), *name)).min();
    let all = known.join(", ");
    match best {
        Some((steps, name)) if steps <= name.len().div_ceil(2) => format!("write `{name}` (there are: {all})"),
        _ => format!("write one of: {all}"),
    }
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
