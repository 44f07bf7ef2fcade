//! A mistake in a TOML file, said so that its author can mend it: file, line, the line itself and what to write
//! instead.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::key_examples::{CARDS, HOUSE, PIT, TABLE, example};
use sabot_law::table::bounds::OutOfBounds;

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {why}\n  = name the table's own file; docs/station.toml is an example to copy", path.display())]
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
    /// The file of a house's own regulation cannot be read.
    #[error("{}: {why}\n  = docs/own-regulation.md tells how one is written; a regulation there is goes by its identifier", path.display())]
    ReadHouse {
        /// Which file.
        path: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// The table of the cards' symbols cannot be read.
    #[error("{}: {why}\n  = docs/cards.toml is an example to copy", path.display())]
    ReadCards {
        /// Which file.
        path: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// The file of a pit cannot be read.
    #[error("{}: {why}\n  = name the pit's file; docs/pit.toml is an example to copy", path.display())]
    ReadPit {
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
        writeln!(f, "{}:{}:{}: {}", self.path.display(), self.line, self.column, self.what)?;
        writeln!(f, "{number} | {}", self.shown)?;
        writeln!(f, "{:gutter$} | {:indent$}{}", "", "", "^".repeat(self.width), indent = self.column - 1)?;
        write!(f, "{:gutter$} = {}", "", self.instead)
    }
}

/// What is wrong, where in the text, and the way out.
pub(super) struct Fault {
    pub(super) span: Range<usize>,
    pub(super) what: String,
    pub(super) instead: String,
}

impl Fault {
    pub(super) fn at(span: Range<usize>, what: impl Into<String>, instead: impl Into<String>) -> Self {
        Self { span, what: what.into(), instead: instead.into() }
    }
}

/// Why a table's file gives no configuration.
pub(super) enum NotConfigured {
    /// It has a mistake.
    Fault(Fault),
    /// Another file that it names has one.
    OtherFile(ConfigError),
}

impl NotConfigured {
    /// What is wrong with another file; one that cannot be read is told where it is named.
    pub(super) fn unread(error: ConfigError, named: Range<usize>) -> Self {
        match error {
            ConfigError::ReadHouse { .. } | ConfigError::ReadCards { .. } => {
                let text = error.to_string();
                let (what, instead) = text.split_once("\n  = ").unwrap_or((&text, ""));
                Self::Fault(Fault::at(named, what, instead))
            }
            error => Self::OtherFile(error),
        }
    }
}

impl From<Fault> for NotConfigured {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Where the value on a line begins, or the text that a message quotes: behind the name of how one speaks there, if
/// any.
fn value_of(line: &str) -> usize {
    let opens = |c: char| matches!(c, '=' | '"' | '\'' | '`');
    let from = line.find(opens).unwrap_or(0);
    let from = line[from..].find(|c: char| !opens(c) && c != ' ').map_or(line.len(), |at| from + at);
    let scheme = line[from..].split_once("://").filter(|(name, _)| name.chars().all(char::is_alphanumeric));
    from + scheme.map_or(0, |(name, _)| name.len() + 3)
}

/// A line as it may be shown: without who logs in somewhere and with what, what is asked for at an address, and the
/// password of a database.
fn without_secrets(line: &str) -> String {
    let small = line.to_ascii_lowercase();
    let key = small.trim_start();
    let value = value_of(line);
    // an escape may stand for any of the signs below
    let escaped = line.find('\\').map(|_| value..line.len());
    // a password may have anything in it, also what ends an address or begins the next
    let login = line.rfind('@').map(|at| value..at);
    let query = line.find("://").and_then(|at| Some(at + line[at..].find('?')? + 1..line.len()));
    let word = small.find("password").and_then(|at| Some(at + small[at..].find('=')? + 1..line.len()));
    // who names a database may have left out what begins its password
    let database = (key.starts_with("history") || key.starts_with("database")).then_some(value..line.len());
    let hidden: Vec<Range<usize>> = [escaped, login, query, word, database].into_iter().flatten().collect();
    let hides = |at: usize| hidden.iter().any(|range| range.contains(&at));
    line.char_indices().map(|(at, c)| if hides(at) && c != '"' { '*' } else { c }).collect()
}

/// The text of a file, or the line where it is none.
pub(super) fn utf8<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str, ConfigError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let sound = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or("");
        let end = sound.len();
        let file = SourceFile { path, text: sound, kind: FileKind::Table };
        file.mistake(Fault::at(end..end, "this is no UTF-8 text", "save the file as plain text in UTF-8"))
    })
}

/// What a file is to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    /// A table's configuration.
    Table,
    /// Settings alone.
    Settings,
    /// A house's own regulation.
    House,
    /// What the symbols on cards mean.
    Cards,
    /// The tables of a pit.
    Pit,
}

pub(super) struct SourceFile<'a> {
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
    pub(super) kind: FileKind,
}

impl SourceFile<'_> {
    /// Why there is no configuration: a mistake here, or in another file that it names.
    pub(super) fn not_configured(&self, wrong: NotConfigured) -> ConfigError {
        match wrong {
            NotConfigured::Fault(fault) => self.mistake(fault),
            NotConfigured::OtherFile(error) => error,
        }
    }

    pub(super) fn mistake(&self, fault: Fault) -> ConfigError {
        let start = fault.span.start.min(self.text.len());
        let before = self.text.get(..start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let shown = self.text[line_start..].lines().next().map(without_secrets).unwrap_or_default();
        let column = before[line_start..].chars().count();
        let span = self.text.get(fault.span).unwrap_or("").lines().next().unwrap_or("");
        let room = shown.chars().count().saturating_sub(column);
        ConfigError::Mistake(Box::new(Mistake {
            path: self.path.to_path_buf(),
            line: before.matches('\n').count() + 1,
            column: column + 1,
            width: span.chars().count().min(room).max(1),
            shown,
            what: without_secrets(&fault.what),
            instead: fault.instead,
        }))
    }

    /// The reader's error, said so that the file's author can mend it. Names in backticks are how serde writes them.
    #[allow(clippy::wrong_self_convention)]
    pub(super) fn from_toml(&self, error: &toml::de::Error) -> Fault {
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
            [missing] if message.starts_with("missing field") => (
                format!("`{missing}` is missing"),
                format!("{} here", self.example(missing).replacen("write", "add", 1)),
            ),
            [twice, ..] if message.starts_with("duplicate field") => {
                (format!("`{twice}` stands here twice"), "remove one of them".to_owned())
            }
            _ if message.starts_with("duplicate key") => {
                let key = self.text.get(span.clone()).unwrap_or("");
                let head = head(self.line_at(span.start));
                let instead = head.unwrap_or("remove one of them").to_owned();
                (format!("`{key}` stands here twice"), instead)
            }
            [wrong, ..]
                if !message.starts_with("invalid ") && message.contains("` is not ") && message.contains(": ") =>
            {
                let (what, known) = message.split_once(": ").unwrap_or((message, ""));
                (self.of_key(what, &span), nearest(wrong, &known.split_whitespace().collect::<Vec<_>>()))
            }
            _ => (self.of_key(&plain(message, self.kind == FileKind::Pit), &span), self.example_for(span.start)),
        };
        Fault { span, what, instead }
    }

    /// What is wrong, with the key it is wrong of.
    fn of_key(&self, what: &str, span: &Range<usize>) -> String {
        let key = self.line_at(span.start).split_once('=').map_or("", |(key, _)| key.trim());
        let is_name = !key.is_empty() && key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if is_name && self.kind != FileKind::Table { format!("`{key}`: {what}") } else { what.to_owned() }
    }

    fn example(&self, key: &str) -> String {
        let of = match self.kind {
            FileKind::House => HOUSE,
            FileKind::Cards => CARDS,
            FileKind::Pit => PIT,
            FileKind::Table | FileKind::Settings => TABLE,
        };
        example(of, key)
    }

    /// A setting that cannot be, where the file has it.
    pub(super) fn setting_fault(&self, wrong: &OutOfBounds) -> Fault {
        let root = toml::de::DeTable::parse(self.text).ok();
        let span = |name: &str| {
            let root = root.as_ref()?.get_ref();
            let table =
                if self.kind == FileKind::Settings { root } else { root.get("settings")?.get_ref().as_table()? };
            Some(table.get(name)?.span())
        };
        let other = wrong.other.and_then(|other| Some((other, span(other)?)));
        let found = span(wrong.name).map(|span| (wrong.name, span)).or(other);
        let (name, span) = found.unwrap_or((wrong.name, 0..0));
        Fault::at(span, format!("`{name}`: {}", wrong.what), wrong.instead.clone())
    }

    /// Why no record can be kept in that file, where that is plain to see.
    pub(super) fn journal_fault(&self, journal: &Path) -> Option<Fault> {
        let start = self.text.lines().find(|line| line.split('=').next().is_some_and(|key| key.trim() == "journal"));
        let start = start.map_or(0, |line| line.as_ptr() as usize - self.text.as_ptr() as usize);
        let span = start..start + self.line_at(start).len();
        if journal.is_dir() {
            return Some(Fault::at(span, "the journal is a folder", example(TABLE, "journal")));
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
        if let Some(head) = head(line) {
            head.to_owned()
        } else if self.kind == FileKind::Settings || section.is_some_and(|section| section.starts_with("[settings]")) {
            "`sabot regulation settings` prints every setting with its value".to_owned()
        } else {
            self.example(line.split(['=', ':', ' ']).next().unwrap_or("").trim())
        }
    }
}

/// How the head on a line is written that has one bracket too few.
fn head(line: &str) -> Option<&'static str> {
    if line.starts_with("[device]") {
        Some("a device begins with `[[device]]`, in two brackets")
    } else if line.starts_with("[signal]") {
        Some("a signal begins with `[[signal]]`, in two brackets")
    } else if line.starts_with("[table]") {
        Some("a table begins with `[[table]]`, in two brackets")
    } else {
        None
    }
}

/// The reader's words without the names of this program's types; without the text that was found, where it may be a
/// password.
fn plain(message: &str, hides: bool) -> String {
    let message = message.lines().next().unwrap_or("");
    let said = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    // what was found may have these words in it too
    let Some((found, expected)) = said.and_then(|said| said.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let expected = match expected {
        "u8" | "u16" | "u32" | "u64" => "a whole number, not negative and not too great,",
        "a sequence" => "a list",
        "a boolean" => "true or false",
        "a string" | "path string" => "a text in quotation marks",
        "struct RawLimits" => "a pair of min and max",
        "struct RawLoad" => "a pair of cards and cut_card",
        "struct RawColors" => "a table of levels and their lights",
        other if other.starts_with("struct ") => "a table of keys",
        other => other,
    };
    let found = if hides { found.split('"').next().unwrap_or_default().trim_end() } else { found };
    let found = if found == "string" { "a text" } else { found };
    format!("{found} where {expected} belongs")
}

/// Names that are all told.
const MANY: usize = 50;

/// "write `port`" for what is spelt nearly so; else everything that may stand there.
pub(super) fn nearest(wrong: &str, known: &[&str]) -> String {
    let steps = |name: &str| strsim::damerau_levenshtein(wrong, name);
    let best = known.iter().map(|name| (steps(name), *name)).min();
    // of a long list the likeliest will do
    let mut near = known.to_vec();
    if known.len() > MANY {
        near.sort_by_key(|name| steps(name));
        near.truncate(6);
    }
    let all = near.join(", ") + if known.len() > MANY { ", …" } else { "" };
    match best {
        Some((steps, name)) if steps <= name.len().div_ceil(2) => format!("write `{name}` (there are: {all})"),
        _ => format!("write one of: {all}"),
    }
}
