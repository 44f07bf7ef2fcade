//! A record read as what happened: its lines with the time on the wall, and what was answered to each.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use sabot_journal::Unsealed;
use sabot_journal::clock::{Anchor, utc};
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
