//! Findings and acts of a record, by what is asked for.

use std::io;

use sabot_journal::clock::STATION;
use sabot_journal::packed;
use sabot_law::replay::Replay;
use sabot_law::table::act_words::described;
use sabot_law::table::answer::{Finding, Lang};
use sabot_law::table::{Answer, Event, LineNo, Place};
use serde::Serialize;
use serde_json::Value;

pub use super::index::Wanted;
use super::index::{Entry, Index, NoIndex};
use super::{NotRead, Record, Told, read};
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
    /// In words.
    pub text: String,
    /// Where it stands at the end of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<FindingState>,
}

/// What a record tells of it, in the order of the record. Of a closed day an index is kept beside it.
///
/// # Errors
/// When the record does not read.
pub fn found(record: &Record, wanted: &Wanted, lang: Lang) -> Result<Vec<Item>, NotRead> {
    let failed = |why: NoIndex| record.failed(io::Error::other(why));
    let index = indexed(record)?;
    let table = index.table().map_err(failed)?;
    let item = |entry: Entry| Item {
        at: record.house.second(entry.at),
        table: table.clone(),
        pass: entry.pass,
        line: entry.line,
        by: wanted.person.clone().filter(|_| entry.finding.is_none()),
        finding: entry.finding,
        article: entry.article,
        place: entry.place,
        text: if lang == Lang::Es { entry.es } else { entry.en },
        state: entry.state,
    };
    Ok(index.find(wanted).map_err(failed)?.into_iter().map(item).collect())
}

/// The index of a record: the one beside a closed day, which grows no more; else one that is gone with this search.
fn indexed(record: &Record) -> Result<Index, NotRead> {
    let failed = |why: NoIndex| record.failed(io::Error::other(why));
    let is_closed = packed::is_packed(&record.file).map_err(|why| record.failed(why))?;
    let day = is_closed.then_some(record.file.as_path());
    if let Some(known) = day.map(Index::open).transpose().map_err(failed)?.flatten() {
        return Ok(known);
    }
    let untold = |why: &NoIndex| eprintln!("{}: its index cannot be kept: {why}", record.file.display());
    let begun = day.and_then(|day| Index::begin(day).inspect_err(untold).ok());
    let day = day.filter(|_| begun.is_some());
    let index = begun.map_or_else(Index::passing, Ok).map_err(failed)?;
    let table = read(record, Replay::new(Lang::Es, None), |told, _| taken(&index, told).map_err(failed))?;
    index.end(day, &table).map_err(failed)
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
    index.push(&Entry { at, pass, line, es, en, names, boxes, ..Entry::default() })
}

fn of_finding(told: &Told, finding: &Finding, names: &[String]) -> Entry {
    let boxes = match finding.place {
        Some(Place::Hand(hand)) => vec![hand.box_no],
        _ => Vec::new(),
    };
    let player = finding.details.player.as_ref().map(ToString::to_string);
    Entry {
        at: told.at,
        pass: finding.pass,
        line: finding.of.unwrap_or(finding.line),
        finding: Some(finding.n),
        article: Some(finding.provision.to_owned()),
        place: finding.place.map(|place| place.to_string()),
        es: finding.text.get(Lang::Es).to_owned(),
        en: finding.text.get(Lang::En).to_owned(),
        state: Some(if finding.remedy.is_empty() { FindingState::Noted } else { FindingState::Open }),
        names: names.iter().cloned().chain(player).collect(),
        boxes,
    }
}

/// Who acted, or played, in a line: of a line of the station every word may be a name.
fn names(told: &Told) -> Vec<String> {
    if let Event::Device { device, detail: Some(detail), .. } = &told.event
        && device == STATION
    {
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
