//! What the station says of itself in its record: which program it is, which regulation and settings it goes by, and
//! what the clock on the wall shows. The law answers nothing to these lines.

use std::fmt::{self, Write as _};
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use super::clocks;
use super::config::Config;
use super::digest;
use super::synchronisation::Synchronisation;
use sabot_journal::RecordFault;
use sabot_journal::clock::{self, STATION};
use sabot_journal::packed;
use sabot_law::regulation::Regulation;
use sabot_law::table::settings::Settings;
use sabot_law::table::{Event, LineNo, Name, line};
use sabot_law::validator::Validator;

/// A hash that is not known.
const UNKNOWN: &str = "unknown";
const TEST_MODE: &str = "test-mode";
const ANSWERS: &str = "answers";
const CLAIMED: &str = "offices-claimed";

/// What a start is told with. Hashes are SHA-256; an empty one is not known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// The version of sabot.
    pub version: String,
    /// Of the program's file.
    pub program: String,
    /// Of the regulation and its settings.
    pub regulation: String,
    /// Of the configuration file.
    pub settings: String,
    /// The time zone of the house, by its name.
    pub zone: String,
    /// The table is only tried out.
    pub test_mode: bool,
    /// The record has what was answered, from here on.
    pub answers: bool,
    /// Whoever stands at the keypad is believed in any office.
    pub claimed: bool,
}

impl About {
    /// Of the program that runs, and a table.
    pub(super) fn of(config: &Config, validator: &Validator) -> Self {
        let settings = config.digest.clone();
        let zone = config.house.name().to_owned();
        let (test_mode, claimed) = (config.test_mode, config.believes_badges());
        Self { settings, zone, test_mode, answers: true, claimed, ..Self::now(validator) }
    }

    /// Of the program that runs, and a regulation.
    #[must_use]
    pub fn now(validator: &Validator) -> Self {
        let (version, program) = (env!("CARGO_PKG_VERSION").to_owned(), program().unwrap_or_default());
        let regulation = regulation_hash(validator.regulation(), validator.settings());
        Self { version, program, regulation, ..Self::default() }
    }

    /// The line of a start.
    pub(super) fn start(&self) -> Event {
        told(clock::START, &self.to_string())
    }

    /// What the line of a start told; none where it is no such line.
    #[must_use]
    pub fn told(event: &Event) -> Option<Self> {
        let (clock::START, Some(detail)) = clock::station_line(event)? else { return None };
        let (mut told, mut words) = (Self::default(), detail.split(' '));
        while let Some(word) = words.next() {
            let field = match word {
                "sabot" => &mut told.version,
                "program" => &mut told.program,
                "regulation" => &mut told.regulation,
                "settings" => &mut told.settings,
                "zone" => &mut told.zone,
                _ => {
                    told.test_mode |= word == TEST_MODE;
                    told.answers |= word == ANSWERS;
                    told.claimed |= word == CLAIMED;
                    continue;
                }
            };
            words.next().filter(|word| *word != UNKNOWN).unwrap_or_default().clone_into(field);
        }
        Some(told)
    }
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sabot {}", self.version)?;
        for (what, hash) in [("program", &self.program), ("regulation", &self.regulation), ("settings", &self.settings)]
        {
            write!(f, " {what} {}", if hash.is_empty() { UNKNOWN } else { hash })?;
        }
        if !self.zone.is_empty() {
            write!(f, " zone {}", self.zone)?;
        }
        let words = [(TEST_MODE, self.test_mode), (CLAIMED, self.claimed), (ANSWERS, self.answers)];
        for (word, _) in words.iter().filter(|(_, is)| *is) {
            write!(f, " {word}")?;
        }
        Ok(())
    }
}

/// The line of a minute, or of the end.
pub(super) fn status(status: &'static str) -> Event {
    told(status, "")
}

/// The line of what people are shown from here on.
pub(super) fn verdict(shown: &str) -> Event {
    told(clock::VERDICT, shown)
}

/// The line that follows when the record grows again.
pub(super) fn was_hindered(fault: &RecordFault, since: &str) -> Event {
    told(clock::RECORD_FAULT, &format!("{fault}, since {since}"))
}

/// The line that follows a start which could not open the covered cards of these lines.
pub(super) fn seals_lost(lines: &[LineNo]) -> Event {
    let lines: Vec<String> = lines.iter().map(LineNo::to_string).collect();
    told(clock::SEALS_LOST, &format!("of line {}", lines.join(", ")))
}

/// The line that follows a start which has found that nothing had signed the lines from one to another.
pub(super) fn signed_late((from, to): (LineNo, LineNo)) -> Event {
    told(clock::SIGNED_LATE, &format!("lines {from} to {to}"))
}

/// The line that follows when what was read so far is kept for the next start, by its hash.
pub(super) fn state_kept(hash: &str, lines: LineNo) -> Event {
    told(clock::STATE_KEPT, &format!("{hash} of lines 1 to {lines}"))
}

/// The line of files that were taken over without a restart, or were not.
pub(super) fn reloaded(taken: Result<&str, &str>) -> Event {
    match taken {
        Ok(what) => told(clock::RELOADED, what),
        Err(what) => told(clock::NOT_RELOADED, what),
    }
}

/// What the clock on the wall shows, universal time.
pub(super) fn now() -> String {
    clock::utc(now_ms())
}

/// The same, milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn told(status: &'static str, words: &str) -> Event {
    let now = clock::at(now_ms());
    let others: String = clocks::last().iter().map(|of| clock::ahead(&of.name, of.ahead_ms) + " ").collect();
    let detail = format!("{words} {others}{now} {}", Synchronisation::last().word());
    Event::Device {
        device: Name::new_static(STATION),
        status: Name::new_static(status),
        detail: Some(Name::new(detail.trim_start())),
        complete: false,
    }
}

/// SHA-256 of the program's file.
#[must_use]
pub fn program() -> Option<String> {
    static HASH: OnceLock<Option<String>> = OnceLock::new();
    HASH.get_or_init(|| digest::of_file(Path::new("/proc/self/exe")).ok()).clone()
}

/// Another program runs than the configuration names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the program's file has the SHA-256 {}, and the configuration names {wanted}\n  = whoever answers for the table finds \
     out why; where the program is the right one, he writes its hash as `program`", has.as_deref().unwrap_or("that cannot be read")
)]
pub struct OtherProgram {
    wanted: String,
    has: Option<String>,
}

/// Whether the program that runs is the one that the configuration names, where it names one.
///
/// # Errors
/// When it is another, or cannot be read.
pub(crate) fn is_the_one(wanted: Option<&str>) -> Result<(), OtherProgram> {
    let Some(wanted) = wanted else { return Ok(()) };
    let has = program();
    if has.as_deref() == Some(wanted) { Ok(()) } else { Err(OtherProgram { wanted: wanted.to_owned(), has }) }
}

/// What is tried out and what is played for stand in records of their own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} was begun {}, and the configuration says {}\n  = name another record as `journal`; this one stays as it is",
    record.display(),
    if *is_test { "with `test_mode`" } else { "without `test_mode`" },
    if *is_test { "that money is played for" } else { "`test_mode`" }
)]
pub struct OtherMode {
    record: PathBuf,
    is_test: bool,
}

/// The beginning of a record: its header, and its first start.
const BEGINNING: u64 = 65_536;

/// What a record's first start told; none where it is not begun, or nothing of it reads.
pub(crate) fn begun(record: &Path) -> Option<About> {
    let lines = packed::read(record).ok()?.take(BEGINNING).split(b'\n').map_while(Result::ok);
    lines.filter_map(|line| line::event(&line).ok()).find_map(|event| About::told(&event))
}

/// Whether a record was begun as it would go on; of one that is not begun, or does not read, nothing is said.
///
/// # Errors
/// When it would go on in test mode and was begun without, or the other way round.
pub(crate) fn is_of_mode(record: &Path, test_mode: bool) -> Result<(), OtherMode> {
    match begun(record) {
        Some(About { test_mode: is_test, .. }) if is_test != test_mode => {
            Err(OtherMode { record: record.to_path_buf(), is_test })
        }
        _ => Ok(()),
    }
}

/// SHA-256 of a program's file, as the record names it.
///
/// # Errors
/// When it cannot be read.
pub fn hash_of(program: &Path) -> std::io::Result<String> {
    digest::of_file(program)
}

/// SHA-256 of a regulation's identifier, its articles and its settings as they are in force, a line each.
#[must_use]
pub fn regulation_hash(regulation: &Regulation, settings: &Settings) -> String {
    let mut text = format!("{}\n", regulation.id);
    for article in regulation.articles.iter() {
        let _ = writeln!(text, "{}", article.id);
    }
    for (name, _, value) in settings.list() {
        let _ = writeln!(text, "{name} = {value}");
    }
    digest::of_text(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_read_back_as_it_was_told_and_so_is_one_of_an_older_station() {
        let about = About {
            version: "0.1.0".to_owned(),
            program: "aa".to_owned(),
            regulation: "bb".to_owned(),
            settings: String::new(),
            zone: "Europe/Madrid".to_owned(),
            test_mode: true,
            answers: true,
            claimed: true,
        };
        assert_eq!(About::told(&about.start()), Some(about.clone()));
        let older = told(clock::START, "sabot 0.0.9 program aa regulation bb settings cc");
        let told = About::told(&older).unwrap();
        assert!(!told.answers && !told.test_mode && told.settings == "cc" && told.zone.is_empty(), "{told:?}");
        assert_eq!(About::told(&status(clock::STOP)), None);
    }
}
