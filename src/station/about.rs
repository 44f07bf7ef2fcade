//! What the station says of itself in its record: which program it is, which regulation and settings it goes by, and
//! what the clock on the wall shows. The law answers nothing to these lines.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use super::config::Config;
use super::digest;
use sabot_journal::RecordFault;
use sabot_journal::clock::{self, STATION};
use sabot_law::table::{Event, LineNo, Name};
use sabot_law::validator::Validator;

/// There as long as the system's clock follows others.
const SYNCHRONISED: &str = "/run/systemd/timesync/synchronized";

/// What a start is told with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct About(String);

impl About {
    /// Of the program that runs, and a table.
    pub(super) fn of(config: &Config, validator: &Validator) -> Self {
        let mut words = format!("sabot {}", env!("CARGO_PKG_VERSION"));
        for (what, hash) in [
            ("program", program()),
            ("regulation", Some(regulation(validator))),
            ("settings", Some(config.digest.clone())),
        ] {
            // a text takes every word
            let _ = write!(words, " {what} {}", hash.as_deref().unwrap_or("unknown"));
        }
        if config.test_mode {
            words.push_str(" test-mode");
        }
        Self(words)
    }

    /// The line of a start.
    pub(super) fn start(&self) -> Event {
        line(clock::START, &self.0)
    }
}

/// The line of a minute, or of the end.
pub(super) fn status(status: &'static str) -> Event {
    line(status, "")
}

/// The line that follows when the record grows again.
pub(super) fn was_hindered(fault: &RecordFault, since: &str) -> Event {
    line(clock::RECORD_FAULT, &format!("{fault}, since {since}"))
}

/// The line that follows a start which could not open the covered cards of these lines.
pub(super) fn seals_lost(lines: &[LineNo]) -> Event {
    let lines: Vec<String> = lines.iter().map(LineNo::to_string).collect();
    line(clock::SEALS_LOST, &format!("of line {}", lines.join(", ")))
}

/// The line that follows when what was read so far is kept for the next start, by its hash.
pub(super) fn state_kept(hash: &str, lines: LineNo) -> Event {
    line(clock::STATE_KEPT, &format!("{hash} of lines 1 to {lines}"))
}

/// What the clock on the wall shows, universal time.
pub(super) fn now() -> String {
    clock::utc(now_ms())
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn line(status: &'static str, words: &str) -> Event {
    let now = clock::at(now_ms());
    let synchronised = if Path::new(SYNCHRONISED).exists() { "synchronised" } else { "synchronisation-unknown" };
    let detail = format!("{words} {now} {synchronised}");
    Event::Device {
        device: Name::new_static(STATION),
        status: Name::new_static(status),
        detail: Some(Name::new(detail.trim_start())),
        complete: false,
    }
}

/// SHA-256 of the program's file.
pub(super) fn program() -> Option<String> {
    static HASH: OnceLock<Option<String>> = OnceLock::new();
    HASH.get_or_init(|| digest::of_file(Path::new("/proc/self/exe")).ok()).clone()
}

/// SHA-256 of a regulation's identifier, its articles and its settings as they are in force, a line each.
fn regulation(validator: &Validator) -> String {
    let (regulation, settings) = (validator.regulation(), validator.settings());
    let mut text = format!("{}\n", regulation.id);
    for article in regulation.articles.iter() {
        let _ = writeln!(text, "{}", article.id);
    }
    for (name, _, value) in settings.list() {
        let _ = writeln!(text, "{name} = {value}");
    }
    digest::of_text(&text)
}
