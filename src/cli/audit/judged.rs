//! A record, judged again.

use std::io::{self, BufRead, Read};

use sabot_journal::Unsealed;
use sabot_journal::clock::Anchor;
use sabot_law::replay::{Replay, ReplayError};
use sabot_law::table::answer::{Details, Finding};
use sabot_law::table::{Answer, line};
use serde::{Deserialize, Serialize};

use super::Question;
use super::source::SourceError;
use crate::journal::reader_keys;

/// When it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// Then and today.
    Same,
    /// Today alone.
    New,
    /// Then alone.
    Gone,
}

impl State {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::New => "new",
            Self::Gone => "gone",
        }
    }
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) state: State,
    pub(super) pass: u64,
    pub(super) line: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<u64>,
    /// Milliseconds since 1970.
    pub(super) at: u64,
    pub(super) article: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) place: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) severity: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) player: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) owed: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) done: Option<i64>,
    pub(super) text: String,
}

/// What became of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Judged {
    pub(super) record: String,
    pub(super) table: String,
    /// By which it was judged.
    pub(super) regulation: String,
    /// Lines in the time that was asked for.
    pub(super) lines: u64,
    pub(super) rows: Vec<Row>,
}

/// What a line of a record adds to its event.
#[derive(Deserialize)]
struct Added {
    began: Option<u64>,
    #[serde(default)]
    answers: Vec<Then>,
}

/// An answer as the record tells it.
#[derive(Deserialize)]
struct Then {
    out: String,
    #[serde(default)]
    provision: String,
    #[serde(default, rename = "box")]
    place: Option<serde_json::Value>,
    #[serde(default)]
    severity: Option<String>,
    #[serde(default)]
    pass: u64,
    #[serde(default)]
    of: Option<u64>,
    #[serde(flatten)]
    details: Details,
    #[serde(default)]
    text: String,
}

/// A place as the log's answers write it: a box by its number or name.
fn place(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn today(finding: &Finding, at: u64, lang: sabot_law::table::answer::Lang) -> Row {
    let Details { player, owed, done, .. } = &finding.details;
    Row {
        state: State::New,
        pass: finding.pass,
        line: finding.line,
        of: finding.of,
        at,
        article: finding.provision.to_owned(),
        place: finding.place.and_then(|of| serde_json::to_value(of).ok()).as_ref().map(place),
        severity: serde_json::to_value(finding.severity).ok().as_ref().map(place),
        player: player.as_ref().map(ToString::to_string),
        owed: *owed,
        done: *done,
        text: finding.text.get(lang).to_owned(),
    }
}

fn then(answer: Then, line: u64, at: u64) -> Row {
    let Then { provision, place: of_box, severity, pass, of, details, text, .. } = answer;
    let Details { player, owed, done, .. } = details;
    let player = player.map(|player| player.to_string());
    let place = of_box.as_ref().map(place);
    Row { state: State::Gone, pass, line, of, at, article: provision, place, severity, player, owed, done, text }
}

/// Sets what is found at a line today beside what was found there then.
fn compared(mut today: Vec<Row>, then: Vec<Row>, rows: &mut Vec<Row>) {
    for was in then {
        let is_it = |row: &&mut Row| {
            row.state == State::New && (&row.article, &row.place, row.of) == (&was.article, &was.place, was.of)
        };
        match today.iter_mut().find(is_it) {
            Some(row) => row.state = State::Same,
            None => rows.push(was),
        }
    }
    rows.append(&mut today);
}

/// Judges a record that is read line by line; a last line that has no end is still being written.
pub(super) fn judge(question: &Question, record: &str, lines: impl Read) -> Result<Judged, SourceError> {
    let input = io::BufReader::with_capacity(1 << 16, lines);
    let mut input = Unsealed::with(input, reader_keys(&question.readers)?);
    let mut replay = Replay::new(question.lang, question.over.clone()).with_settings(question.settings.clone());
    let (mut anchor, mut text, mut answers) = (Anchor::default(), Vec::new(), Vec::new());
    let (mut lines, mut rows) = (0, Vec::new());
    loop {
        text.clear();
        input.read_until(b'\n', &mut text)?;
        if text.pop_if(|end| *end == b'\n').is_none() {
            break;
        }
        answers.clear();
        let has_header = replay.validator().is_some();
        replay.feed(&text, &mut answers).map_err(SourceError::Log)?;
        let has_answers = memchr::memmem::find(&text, b"\"answers\":").is_some();
        let added: Option<Added> = if has_header && !has_answers { None } else { serde_json::from_slice(&text).ok() };
        if let Some(unix_ms) = added.as_ref().and_then(|added| added.began).filter(|_| !has_header) {
            anchor = Anchor { t: 0, unix_ms };
        }
        let Ok((event, t)) = line::timed(&text) else { continue };
        let t = t.unwrap_or(anchor.t);
        anchor = Anchor::told(&event, t).unwrap_or(anchor);
        let at = anchor.wall_at(t);
        if at < question.from || at >= question.to {
            continue;
        }
        lines += 1;
        let found = answers.iter().filter_map(|answer| match answer {
            Answer::Finding(finding) => Some(today(finding, at, question.lang)),
            _ => None,
        });
        let was = added.into_iter().flat_map(|added| added.answers).filter(|answer| answer.out == "finding");
        let line = replay.line();
        compared(found.collect(), was.map(|answer| then(answer, line, at)).collect(), &mut rows);
    }
    let Some(validator) = replay.validator() else {
        let why = sabot_law::replay::Fault::NoHeader;
        return Err(SourceError::Log(ReplayError { line: replay.line().max(1), why }));
    };
    let header = validator.header();
    let (table, regulation) = (header.table.to_string(), header.regulation.to_string());
    Ok(Judged { record: record.to_owned(), table, regulation, lines, rows })
}
