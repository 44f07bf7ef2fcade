//! Findings and acts of a record, by what is asked for.

use std::io;
use std::ops::ControlFlow;

use sabot_journal::clock::{
    CLOCK, DAY_CLOSED, NOT_RELOADED, RECORD_FAULT, RELOADED, SEALS_LOST, SIGNED_LATE, START, STATE_KEPT, STATION, STOP,
    VERDICT,
};
use sabot_law::replay::Replay;
use sabot_law::table::act_words::described;
use sabot_law::table::answer::{Finding, Lang};
use sabot_law::table::{Answer, Event, LineNo, Place};
use serde::Serialize;
use serde_json::Value;

pub use super::index::Wanted;
use super::index::{Before, Entry, Index, NoIndex, end_of, index_of};
use super::waypoints::Waypoint;
use super::{NotRead, Record, Told, read, read_from};
use crate::snapshot::FindingState;

/// What was found.
#[derive(Debug, Serialize)]
pub struct Item {
    /// When.
    pub at: String,
    /// Name of the table.
    pub table: String,
    /// The pass.
    pub pass: u64,
    /// The line that it is about.
    pub line: LineNo,
    /// Who acted; none of a finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Number of the finding; none of an act.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<u64>,
    /// Its article.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub article: Option<String>,
    /// Where.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The device that it names, or by whose word it was found; none where people told it.
    #[serde(skip)]
    pub device: Option<String>,
    /// In words.
    pub text: String,
    /// Where it stands at the end of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<FindingState>,
}

/// What a record tells of it, in the order of the record, by the index that is kept beside it.
///
/// # Errors
/// When the record does not read.
pub fn found(record: &Record, wanted: &Wanted, lang: Lang) -> Result<Vec<Item>, NotRead> {
    let failed = |why: NoIndex| record.failed(io::Error::other(why));
    let asked = |index: &Index| Ok((index.table()?, index.find(wanted)?));
    let (table, entries) = match kept(record).and_then(|index| index.map(|index| asked(&index)).transpose()) {
        Ok(Some(told)) => told,
        Ok(None) => asked(&passing(record)?).map_err(failed)?,
        Err(why) => {
            untold(record, &why);
            asked(&passing(record)?).map_err(failed)?
        }
    };
    let item = |entry: Entry| Item {
        at: record.house.second(entry.at),
        table: table.clone(),
        pass: entry.pass,
        line: entry.line,
        by: wanted.person.clone().filter(|_| entry.finding.is_none()),
        finding: entry.finding,
        article: entry.article,
        place: entry.place,
        device: entry.device,
        text: record.house.words(if lang == Lang::Es { &entry.es } else { &entry.en }),
        state: entry.state,
    };
    Ok(entries.into_iter().map(item).collect())
}

/// From where on a record is read for what is asked, by its index; none from its beginning.
pub(super) fn waypoint(record: &Record, what: Before) -> Option<Waypoint> {
    let index = kept(record).inspect_err(|why| untold(record, why)).ok()??;
    index.before(what).inspect_err(|why| untold(record, why)).ok()?
}

fn untold(record: &Record, why: &NoIndex) {
    tracing::warn!("{}: its index cannot be used: {why}", index_of(&record.file).display());
}

/// One of this search alone.
fn passing(record: &Record) -> Result<Index, NotRead> {
    let failed = |why: NoIndex| record.failed(io::Error::other(why));
    let index = Index::passing().map_err(failed)?;
    let table = read(record, Replay::new(Lang::Es, None), |told, _| taken(&index, told).map_err(failed))?;
    index.end(&record.file, &table, (0, Vec::new())).map_err(failed)
}

/// The index beside a record, brought as far as that has come; none where the record is shown in part, or has no chain
/// to be known by. What cannot be gone by is made anew.
pub(super) fn kept(record: &Record) -> Result<Option<Index>, NoIndex> {
    if !record.silent.is_empty() {
        return Ok(None);
    }
    let end = match end_of(&record.file, record.bytes) {
        Err(NoIndex::NoChain) => return Ok(None),
        end => end?,
    };
    let open = || if record.anew { Ok(None) } else { Index::open(&record.file) };
    let known = open().and_then(|known| match known {
        Some((index, bytes)) if bytes >= end.0 => Ok(Some(index)),
        Some((index, _)) => index.go_on().and_then(|from| grown(index, record, from, end.clone())).map(Some),
        None => Ok(None),
    });
    match known {
        Ok(Some(index)) => Ok(Some(index)),
        Ok(None) => grown(Index::begin(&record.file)?, record, None, end).map(Some),
        Err(why) => {
            untold(record, &why);
            grown(Index::begin(&record.file)?, record, None, end).map(Some)
        }
    }
}

/// An index with what a record tells from a waypoint on.
fn grown(index: Index, record: &Record, from: Option<Waypoint>, end: (u64, Vec<u8>)) -> Result<Index, NoIndex> {
    let record = Record { bytes: end.0, ..record.clone() };
    let failed = |why: NoIndex| record.failed(io::Error::other(why));
    let mut passes = |waypoint: Waypoint| index.passes(&waypoint).map_err(failed);
    let table = read_from(&record, Replay::new(Lang::Es, None), from.as_ref(), Some(&mut passes), |told, _| {
        taken(&index, told).map_err(failed)?;
        Ok(ControlFlow::Continue(()))
    });
    index.end(&record.file, &table.map_err(io::Error::other)?, end)
}

fn taken(index: &Index, told: Told) -> Result<(), NoIndex> {
    let names = names(&told);
    for answer in &told.answers {
        match answer {
            Answer::Finding(finding) => index.push(&of_finding(&told, finding, &names))?,
            Answer::Cleared { finding, .. } => index.became(*finding, FindingState::Cleared)?,
            Answer::Breach { finding, .. } => index.became(*finding, FindingState::Breach)?,
            Answer::Withdrawn { finding, .. } => index.became(*finding, FindingState::Withdrawn)?,
            _ => {}
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    let words = described(&told.event);
    let (es, en) = (words.get(Lang::Es).to_owned(), words.get(Lang::En).to_owned());
    let boxes = told.event.boxes().map(|(_, at)| at).collect();
    let (at, pass, line) = (told.at, told.pass, told.line);
    index.push(&Entry { told: line, at, pass, line, es, en, names, boxes, ..Entry::default() })
}

fn of_finding(told: &Told, finding: &Finding, names: &[String]) -> Entry {
    let boxes = match finding.place {
        Some(Place::Hand(hand)) => vec![hand.box_no],
        _ => Vec::new(),
    };
    let player = finding.details.player.as_ref().map(ToString::to_string);
    let device = finding.details.device.as_ref().or_else(|| told.origin.as_ref().map(|origin| &origin.0));
    Entry {
        told: told.line,
        at: told.at,
        pass: finding.pass,
        line: finding.of.unwrap_or(finding.line),
        finding: Some(finding.n),
        article: Some(finding.provision.to_owned()),
        place: finding.place.map(|place| place.to_string()),
        device: device.map(ToString::to_string),
        es: finding.text.get(Lang::Es).to_owned(),
        en: finding.text.get(Lang::En).to_owned(),
        state: Some(if finding.remedy.is_empty() { FindingState::Noted } else { FindingState::Open }),
        names: names.iter().cloned().chain(player).collect(),
        boxes,
    }
}

/// What the station says of itself: nobody's name is in it.
const OF_ITSELF: [&str; 11] = [
    START,
    CLOCK,
    STOP,
    RECORD_FAULT,
    SEALS_LOST,
    DAY_CLOSED,
    STATE_KEPT,
    SIGNED_LATE,
    RELOADED,
    NOT_RELOADED,
    VERDICT,
];

/// Who acted, or played, in a line: of a line of the station every word may be a name.
fn names(told: &Told) -> Vec<String> {
    if let Event::Device { device, status, detail: Some(detail), .. } = &told.event
        && device == STATION
    {
        if OF_ITSELF.contains(&status.as_str()) {
            return Vec::new();
        }
        return detail.split([' ', ':']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    }
    let written = serde_json::to_value(&told.event).unwrap_or_default();
    let named = [&written, &written["event"]].into_iter().flat_map(|of| [&of["by"], &of["player"]]);
    let named = named.filter_map(Value::as_str).map(str::to_owned);
    let mut names: Vec<String> = named.chain(told.entered.clone()).collect();
    names.sort();
    names.dedup();
    names
}
