//! A record read as what happened: its lines with the time on the wall, and what was answered to each.

pub mod findings;
mod index;
mod index_key;
#[cfg(test)]
mod index_tests;
pub mod log;
pub(crate) mod moment;
pub mod pass;
pub mod playback;
pub mod service;
pub mod shift;
pub mod shoe;
mod shoes;
pub mod step;
mod waypoints;

use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sabot_journal::clock::Anchor;
use sabot_journal::note::KeyFileError;
use sabot_journal::{Origin, Unsealed, packed};
use sabot_law::regulation::Regulation;
use sabot_law::replay::{Replay, ReplayError};
use sabot_law::table::act_words::described;
use sabot_law::table::answer::Lang;
use sabot_law::table::event::Face;
use sabot_law::table::felt::Felt;
use sabot_law::table::{Answer, Card, Event, Header, LineNo, Place, Settings, line, words};
use sabot_law::validator::Validator;
use serde::Deserialize;
use serde_json::Value;

use super::about::begun;
use super::findings::silenced;
use super::house_time::HouseTime;
use super::silent::Silent;
use super::verdict;
use waypoints::{From, Reached, Waypoint, Waypoints};

/// Why a record cannot be read as what happened.
#[derive(Debug, thiserror::Error)]
pub enum NotRead {
    /// The system gives it not.
    #[error("{}: {why}", file.display())]
    File {
        /// The record.
        file: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// A line of it does not read.
    #[error("{}: {why}", file.display())]
    Log {
        /// The record.
        file: PathBuf,
        /// The line, and why.
        why: ReplayError,
    },
    /// A key beside it does not read.
    #[error(transparent)]
    Key(#[from] KeyFileError),
    /// What is read cannot be told.
    #[error("{0}")]
    Out(#[from] io::Error),
}

/// A record, as far as it is read.
#[derive(Debug, Clone)]
pub struct Record {
    file: PathBuf,
    bytes: u64,
    house: HouseTime,
    silent: Silent,
    /// No index is gone by.
    anew: bool,
}

impl Record {
    /// To its end.
    #[must_use]
    pub fn whole(file: &Path) -> Self {
        Self::as_far(file, u64::MAX)
    }

    /// What is on the disk of one that is being written.
    pub(crate) fn as_far(file: &Path, bytes: u64) -> Self {
        Self { file: file.to_path_buf(), bytes, house: HouseTime::default(), silent: Silent::default(), anew: false }
    }

    /// Its times are shown as the clocks of that house show them.
    #[must_use]
    pub fn in_house(self, house: HouseTime) -> Self {
        Self { house, ..self }
    }

    /// All of it is judged again, whatever an index beside it says.
    #[must_use]
    pub fn judged_anew(self, anew: bool) -> Self {
        Self { anew, ..self }
    }

    /// Findings for surveillance alone are not told.
    pub(crate) fn without(self, silent: Silent) -> Self {
        Self { silent, ..self }
    }

    pub(crate) const fn house(&self) -> &HouseTime {
        &self.house
    }

    fn open(&self) -> Result<impl BufRead + use<>, NotRead> {
        Ok(packed::whole_lines(&self.file).map_err(|why| self.failed(why))?.take(self.bytes))
    }

    fn open_from(&self, bytes: u64) -> Result<impl BufRead + use<>, NotRead> {
        let text = packed::whole_lines_from(&self.file, bytes).map_err(|why| self.failed(why))?;
        Ok(text.take(self.bytes.saturating_sub(bytes)))
    }

    /// Its first line; none where it has none yet.
    fn header(&self) -> Result<Option<Header>, NotRead> {
        let mut first = Vec::new();
        self.open()?.read_until(b'\n', &mut first).map_err(|why| self.failed(why))?;
        Ok(line::header(first.strip_suffix(b"\n").unwrap_or(&first)).ok())
    }

    fn failed(&self, why: io::Error) -> NotRead {
        NotRead::File { file: self.file.clone(), why }
    }

    fn line_failed(&self, why: ReplayError) -> NotRead {
        NotRead::Log { file: self.file.clone(), why }
    }
}

/// A line of a record.
#[derive(Debug)]
pub struct Told {
    /// Its number.
    pub line: LineNo,
    /// Milliseconds since 1970.
    pub at: u64,
    /// The house whose clocks show it.
    house: HouseTime,
    /// The pass that it belongs to: the one it leads to or ends.
    pub pass: u64,
    /// A card that the line seals is unread here.
    pub event: Event,
    /// Which event of which device it was.
    pub origin: Option<Origin>,
    /// Who entered it on a screen.
    pub entered: Option<String>,
    /// What is answered to it today.
    pub answers: Vec<Answer>,
    /// The answers that the record tells.
    pub recorded: Vec<Value>,
    /// Findings that are open and not told.
    untold: Vec<u64>,
}

impl Told {
    /// When it was, as the clocks of the house show it.
    #[must_use]
    pub fn second(&self) -> String {
        self.house.second(self.at)
    }

    /// The felt after it, as it is told.
    #[must_use]
    pub fn felt(&self, validator: &Validator) -> Felt {
        validator.felt_without(&self.untold)
    }
}

/// What the record adds to a line that is read here.
#[derive(Debug, Default, Deserialize)]
struct Added {
    /// On the first line.
    began: Option<u64>,
    origin: Option<Origin>,
    entered: Option<String>,
    table: Option<String>,
    #[serde(default)]
    answers: Vec<Value>,
}

/// Reads a record to its end, and gives each line to `each`, with the table after it; the table's name. Cards are taken
/// from where the record opens them for what is answered, and are shown nowhere.
///
/// # Errors
/// When the record or one of its lines does not read, or `each` fails.
pub fn read(
    record: &Record,
    replay: Replay,
    mut each: impl FnMut(Told, &Validator) -> Result<(), NotRead>,
) -> Result<String, NotRead> {
    read_from(record, replay, None, None, |told, validator| {
        each(told, validator)?;
        Ok(ControlFlow::Continue(()))
    })
}

/// Who is told of waypoints.
type Found<'a> = &'a mut dyn FnMut(Waypoint) -> Result<(), NotRead>;

/// The same from a waypoint on, until `each` breaks off.
///
/// # Errors
/// When the record or one of its lines does not read, or `each` fails.
fn read_from(
    record: &Record,
    replay: Replay,
    from: Option<&Waypoint>,
    mut found: Option<Found<'_>>,
    mut each: impl FnMut(Told, &Validator) -> Result<ControlFlow<()>, NotRead>,
) -> Result<String, NotRead> {
    let failed = |why| record.failed(why);
    let header = record.header()?;
    let mut table = header.as_ref().map(|header| header.table.to_string()).unwrap_or_default();
    let (mut bytes, mut anchor, mut replay) = match (from, header.clone()) {
        (Some(waypoint), Some(header)) => {
            let Waypoint { moment, bytes, t, anchor, .. } = waypoint.clone();
            let replay = replay.going_on(header, moment, t);
            (bytes, anchor, replay.map_err(|why| record.failed(io::Error::other(why)))?)
        }
        _ => (0, Anchor::default(), replay),
    };
    let mut waypoints = header.filter(|_| found.is_some()).map(|header| Waypoints::after(header, from));
    let mut clear = Unsealed::new(record.open_from(bytes)?).after(replay.line());
    let (mut judged, mut hidden, mut hidden_then) = (Vec::new(), Vec::new(), Vec::new());
    for as_it_stands in record.open_from(bytes)?.split(b'\n') {
        let as_it_stands = as_it_stands.map_err(failed)?;
        bytes += as_it_stands.len() as u64 + 1;
        judged.clear();
        clear.read_until(b'\n', &mut judged).map_err(failed)?;
        let mut answers = Vec::new();
        let text = judged.strip_suffix(b"\n").unwrap_or(&judged);
        replay.feed(text, &mut answers).map_err(|why| record.line_failed(why))?;
        let added: Added = serde_json::from_slice(&as_it_stands).unwrap_or_default();
        // the header, and blank lines
        let Ok((mut event, t)) = line::timed(&as_it_stands) else {
            table = added.table.unwrap_or(table);
            anchor = added.began.map_or(anchor, |unix_ms| Anchor { t: 0, unix_ms });
            continue;
        };
        let t = t.unwrap_or(anchor.t);
        anchor = Anchor::told(&event, t).unwrap_or(anchor);
        // before the header nothing is read as an event
        let Some(validator) = replay.validator() else { continue };
        let (line, at, pass) = (replay.line(), anchor.wall_at(t), validator.state().pass_no);
        let Added { origin, entered, answers: mut recorded, .. } = added;
        record.silent.of_answers(&mut answers, &mut hidden);
        record.silent.of_recorded(&mut recorded, &mut hidden_then);
        silenced(&record.silent, &mut event, |n| hidden.contains(&n));
        let reached = Reached { bytes, t, anchor, line: From { line, pass, at } };
        let is_told = !clear.has_ended();
        let waypoint = waypoints.as_mut().and_then(|known| known.take((text, &event), reached, validator, is_told));
        let house = record.house.clone();
        let untold = validator.duties().iter().map(|duty| duty.finding).filter(|n| hidden.contains(n)).collect();
        let told = Told { line, at, house, pass, event, origin, entered, answers, recorded, untold };
        if each(told, validator)?.is_break() {
            break;
        }
        if let (Some(waypoint), Some(found)) = (waypoint, &mut found) {
            found(waypoint)?;
        }
    }
    Ok(table)
}

/// The house whose clocks a record was kept by, as its first start tells; none where that tells of none, or nothing of
/// it reads.
#[must_use]
pub fn house_of(file: &Path) -> Option<HouseTime> {
    begun(file)?.zone.parse().ok()
}

/// The regulation of a record's table, with its figures; none where it has no line yet.
///
/// # Errors
/// When its first line does not read.
pub fn regulation(record: &Record) -> Result<Option<(Regulation, Settings)>, NotRead> {
    let (mut replay, mut first) = (Replay::new(Lang::default(), None), Vec::new());
    record.open()?.read_until(b'\n', &mut first).map_err(|why| record.failed(why))?;
    let text = first.strip_suffix(b"\n").unwrap_or(&first);
    replay.feed(text, &mut Vec::new()).map_err(|why| record.line_failed(why))?;
    Ok(replay.validator().map(|table| (table.regulation().clone(), table.settings().clone())))
}

/// What happened, with the card that everybody at the table saw.
#[must_use]
pub fn happened(told: &Told, lang: Lang) -> String {
    in_words(&told.event, &told.house, lang)
}

/// What happened by an event of a record, as the clocks of that house show times.
#[must_use]
pub fn in_words(event: &Event, house: &HouseTime, lang: Lang) -> String {
    let card = match event {
        Event::Draw { card, to, face } if shows(*card, *to, *face) => format!(", {card}"),
        _ => String::new(),
    };
    if let Some(shown) = verdict::told(event) {
        return shown.get(lang).to_owned();
    }
    let words = described(event);
    // what the station says of itself tells times as the record has them
    match event {
        Event::Device { .. } => house.words(words.get(lang)),
        _ => format!("{}{card}", words.get(lang)),
    }
}

/// Whether everybody at the table saw a card that was drawn so.
fn shows(card: Card, to: Option<Place>, face: Option<Face>) -> bool {
    card != Card::UNREAD && to != Some(Place::Burn) && face != Some(Face::Down)
}

/// An answer in words; none where it only counts.
#[must_use]
pub fn answered(answer: &Answer, lang: Lang) -> Option<String> {
    let number = if lang == Lang::Es { "n.º" } else { "no." };
    let became =
        |n: &u64, es: &str, en: &str| Some(format!("{number} {n}: {}", if lang == Lang::Es { es } else { en }));
    match answer {
        Answer::Finding(finding) => {
            Some(format!("! {}: {} ({number} {})", finding.provision, finding.text.get(lang), finding.n))
        }
        Answer::Cleared { finding, .. } => became(finding, "remediado", "remedied"),
        Answer::Breach { finding, .. } => became(finding, "sin remediar", "not remedied"),
        Answer::Withdrawn { finding, .. } => became(finding, "retirado", "withdrawn"),
        Answer::Settle(settle) => Some(words::account(settle).get(lang).to_owned()),
        Answer::Summary { .. } => None,
    }
}
