//! Answers of the validator in one short line each, as scenarios write them beside their events.
//!
//! `D8 2 notice`: a finding, with provision, place, severity unless an irregularity, then what must be done (`burn*3`,
//! `serve`, `return_bet`, `offer:play/withdraw` …, with `:place` where it is not the finding's own place) `cleared C4
//! 2` · `breach C4 2 ask_consent` · `settle 1 win 5000 5000 0` (outcome, stake, pay, lost). `@2` at the end: of pass 2
//! (nothing: the first pass, or before it). The summary is not written: it is compared with the answers before it.

use std::collections::BTreeMap;

use sabot_law::replay::{Replay, ReplayError};
use sabot_law::table::answer::{Answer, Details, Finding, Lang, Remedy};
use sabot_law::table::event::Permit;
use sabot_law::table::{BetSpot, HandId, Place, Severity};

use crate::scenario::Scenario;

/// Writes answers in short, and remembers which finding is which.
#[derive(Debug, Default)]
pub struct Verdicts {
    findings: BTreeMap<u64, (String, Option<Place>)>,
}

impl Verdicts {
    /// An answer in short; `None` for the summary.
    pub fn write(&mut self, answer: &Answer) -> Option<String> {
        match answer {
            Answer::Finding(finding) => {
                let mut name = finding.provision.to_string();
                if let Some(place) = finding.place {
                    name += &format!(" {}", written(place));
                }
                self.findings.insert(finding.n, (name.clone(), finding.place));
                let mut text = name;
                match finding.severity {
                    Severity::Notice => text += " notice",
                    Severity::Integrity => text += " integrity",
                    Severity::Irregularity => {}
                }
                text += &remedies(&finding.remedy, finding.place);
                text += &details(finding);
                Some(text + &pass(finding.pass))
            }
            Answer::Cleared { finding, unseen, .. } => {
                let mut text = format!("cleared {}", self.named(*finding).0);
                if !unseen.is_empty() {
                    text += &format!(" unseen:{}", unseen.join(","));
                }
                Some(text)
            }
            Answer::Withdrawn { finding, .. } => Some(format!("withdrawn {}", self.named(*finding).0)),
            Answer::Breach { finding, missing, .. } => {
                let (name, place) = self.named(*finding);
                Some(format!("breach {name}{}", remedies(missing, place)))
            }
            Answer::Settle(settle) => {
                let spot = if settle.spot == BetSpot::Main { "" } else { ".insurance" };
                let outcome = format!("{:?}", settle.outcome).to_lowercase();
                let mut text = format!("settle {}{spot} {outcome}", settle.hand);
                [settle.stake, settle.pay, settle.lost]
                    .iter()
                    .flatten()
                    .for_each(|amount| text += &format!(" {amount}"));
                Some(text + &pass(settle.pass))
            }
            Answer::Summary { .. } => None,
        }
    }

    /// Takes the next line of a log and gives what it is answered, in short.
    ///
    /// # Errors
    /// When the line cannot be read.
    pub fn feed(&mut self, replay: &mut Replay, line: &str) -> Result<Vec<String>, ReplayError> {
        let mut answers = Vec::new();
        replay.feed(line.as_bytes(), &mut answers)?;
        Ok(answers.iter().filter_map(|answer| self.write(answer)).collect())
    }

    /// An earlier finding's provision and place.
    fn named(&self, finding: u64) -> (&str, Option<Place>) {
        self.findings.get(&finding).map_or(("", None), |(name, place)| (name, *place))
    }
}

/// What each step of a scenario is answered, in short.
///
/// # Errors
/// When a line of its log cannot be read.
pub fn answered(scenario: &Scenario) -> Result<Vec<Vec<String>>, ReplayError> {
    let (mut replay, mut verdicts) = (Replay::new(Lang::En, None), Verdicts::default());
    scenario.steps.iter().map(|step| verdicts.feed(&mut replay, &step.json)).collect()
}

/// What a finding names beside its place: the line it concerns, a device, a seat, a player, what was owed and done.
fn details(finding: &Finding) -> String {
    let Details { device, seat, player, owed, done, note } = &finding.details;
    let mut text = String::new();
    let mut add = |name: &str, value: Option<String>| {
        text.extend(value.map(|value| format!(" {name}:{value}")));
    };
    add("of", finding.of.map(|line| line.to_string()));
    add("device", device.as_ref().map(ToString::to_string));
    add("seat", seat.map(|seat| seat.to_string()));
    add("player", player.as_ref().map(ToString::to_string));
    add("owed", owed.map(|owed| owed.to_string()));
    add("done", done.map(|done| done.to_string()));
    add("note", note.as_ref().map(|note| note.replace(' ', "_")));
    text
}

fn pass(number: u64) -> String {
    if number <= 1 { String::new() } else { format!(" @{number}") }
}

/// The burn tray as a place, told from burning as a remedy.
fn written(place: Place) -> String {
    if place == Place::Burn { "tray".into() } else { place.to_string() }
}

fn remedies(parts: &[Remedy], own: Option<Place>) -> String {
    let at = |place: Place| if Some(place) == own { String::new() } else { format!(":{}", written(place)) };
    let hand = |hand: HandId| at(Place::Hand(hand));
    let what = |what: Permit| if what == Permit::NextCardsForBank { "" } else { what.word() };
    let mut text = String::new();
    for part in parts {
        text += " ";
        text += &match *part {
            Remedy::Burn { place, cards: 1 } => format!("burn{}", at(place)),
            Remedy::Burn { place, cards } => format!("burn*{cards}{}", at(place)),
            Remedy::PutBack { place, cards: 1 } => format!("put_back{}", at(place)),
            Remedy::PutBack { place, cards } => format!("put_back*{cards}{}", at(place)),
            Remedy::VoidBet { hand: of } => format!("void_bet{}", hand(of)),
            Remedy::ReturnBet { hand: of, .. } => format!("return_bet{}", hand(of)),
            Remedy::Serve { to } => format!("serve{}", at(to)),
            Remedy::Authorize { what: permit } => format!("authorize{}", what(permit)),
            Remedy::Announce { what: permit } => format!("announce{}", what(permit)),
            Remedy::AskConsent { hand: of } => format!("ask_consent{}", hand(of)),
            Remedy::Offer { hand: of, options: [one, other] } => {
                format!("offer:{}/{}{}", one.word(), other.word(), hand(of))
            }
            Remedy::Collect { hand: of, amount: None, .. } => format!("collect{}", hand(of)),
            Remedy::Collect { hand: of, amount: Some(amount), .. } => format!("collect:{amount}{}", hand(of)),
            Remedy::Pay { hand: of, amount, .. } => format!("pay:{amount}{}", hand(of)),
            Remedy::Identify { place } => format!("identify{}", at(place)),
            Remedy::Rule => "rule".into(),
        };
    }
    text
}
