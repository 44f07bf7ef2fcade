//! Findings and acts of a record, by what is asked for.

use sabot_journal::clock::STATION;
use sabot_law::replay::Replay;
use sabot_law::table::act_words::described;
use sabot_law::table::answer::{Finding, Lang};
use sabot_law::table::{Answer, Event, LineNo, Place};
use serde::Serialize;
use serde_json::Value;

use super::{NotRead, Record, Told, read, second};
use crate::snapshot::FindingState;

/// What is asked for: all of it must hold.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Findings under this article.
    pub article: Option<String>,
    /// At this box.
    pub box_no: Option<u8>,
    /// This person, as the record calls him.
    pub person: Option<String>,
}

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
    pub article: Option<&'static str>,
    /// Where.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// In words.
    pub text: String,
    /// Where it stands at the end of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<FindingState>,
}

/// What a record tells of it, in the order of the record, and the table's name.
///
/// # Errors
/// When it does not read.
pub fn found(
    record: &Record,
    wanted: &Wanted,
    is_in_time: impl Fn(u64) -> bool,
    lang: Lang,
) -> Result<Vec<Item>, NotRead> {
    let mut search = Search { wanted, is_in_time, lang, items: Vec::new() };
    let table = read(record, Replay::new(lang, None), |told, _| {
        search.take(&told);
        Ok(())
    })?;
    let named = |item| Item { table: table.clone(), ..item };
    Ok(search.items.into_iter().map(named).collect())
}

struct Search<'a, T> {
    wanted: &'a Wanted,
    is_in_time: T,
    lang: Lang,
    items: Vec<Item>,
}

impl<T: Fn(u64) -> bool> Search<'_, T> {
    fn take(&mut self, told: &Told) {
        for answer in &told.answers {
            match answer {
                Answer::Finding(finding) if self.wants(told, finding) => self.items.push(self.finding(told, finding)),
                Answer::Cleared { finding, .. } => self.became(*finding, FindingState::Cleared),
                Answer::Breach { finding, .. } => self.became(*finding, FindingState::Breach),
                Answer::Withdrawn { finding, .. } => self.became(*finding, FindingState::Withdrawn),
                _ => {}
            }
        }
        let acts = self.wanted.person.as_ref().filter(|person| self.wanted.article.is_none() && is_by(told, person));
        if let Some(person) = acts.filter(|_| (self.is_in_time)(told.at) && self.is_at_box(&told.event)) {
            self.items.push(Item {
                by: Some(person.clone()),
                finding: None,
                article: None,
                place: None,
                text: described(&told.event).get(self.lang).to_owned(),
                state: None,
                ..self.item(told)
            });
        }
    }

    fn wants(&self, told: &Told, finding: &Finding) -> bool {
        let Wanted { article, box_no, person } = self.wanted;
        let is_box = |number: &u8| matches!(finding.place, Some(Place::Hand(hand)) if hand.box_no == *number);
        article.as_ref().is_none_or(|article| article.eq_ignore_ascii_case(finding.provision))
            && box_no.as_ref().is_none_or(is_box)
            && person
                .as_ref()
                .is_none_or(|name| finding.details.player.as_deref() == Some(name.as_str()) || is_by(told, name))
            && (self.is_in_time)(told.at)
    }

    fn is_at_box(&self, event: &Event) -> bool {
        self.wanted.box_no.is_none_or(|box_no| event.boxes().any(|(_, at)| at == box_no))
    }

    fn item(&self, told: &Told) -> Item {
        Item {
            at: second(told.at),
            table: String::new(),
            pass: told.pass,
            line: told.line,
            by: None,
            finding: None,
            article: None,
            place: None,
            text: String::new(),
            state: None,
        }
    }

    fn finding(&self, told: &Told, finding: &Finding) -> Item {
        Item {
            pass: finding.pass,
            line: finding.of.unwrap_or(finding.line),
            finding: Some(finding.n),
            article: Some(finding.provision),
            place: finding.place.map(|place| place.to_string()),
            text: finding.text.get(self.lang).to_owned(),
            state: Some(if finding.remedy.is_empty() { FindingState::Noted } else { FindingState::Open }),
            ..self.item(told)
        }
    }

    fn became(&mut self, finding: u64, state: FindingState) {
        for item in self.items.iter_mut().filter(|item| item.finding == Some(finding)) {
            item.state = Some(state);
        }
    }
}

/// Whether somebody acted, or played, in a line.
fn is_by(told: &Told, person: &str) -> bool {
    if let Event::Device { device, detail: Some(detail), .. } = &told.event
        && device == STATION
    {
        return detail.split([' ', ':']).any(|word| word == person);
    }
    let names = |written: &Value| ["by", "player"].iter().any(|field| written[*field] == person);
    let written = serde_json::to_value(&told.event).unwrap_or_default();
    told.entered.as_deref() == Some(person) || names(&written) || names(&written["event"])
}
