//! Answers of the validator in one short line each, for expected results that people write and read.
//!
//! `18 D8 2 notice` a finding at line 18: provision, place, severity unless an irregularity, then what must be done
//! (`burn*3`, `serve`, `return_bet`, `offer:play/withdraw` …, with `:place` where it is not the finding's own place)
//! `21 cleared C4 2` · `30 breach C4 2 ask_consent` · `30 settle 1 win 5000 5000 0` (outcome, stake, pay, lost).
//! `@2` at the end: of pass 2 (nothing: the first pass, or before it). The summary is not written: it is compared with the answers before it.

use std::collections::BTreeMap;

use sabot_law::table::answer::{Answer, Remedy};
use sabot_law::table::event::Permit;
use sabot_law::table::{BetSpot, HandId, LineNo, Place, Severity};

/// Writes answers, and remembers which finding is which.
#[derive(Default)]
pub(crate) struct Scribe {
    findings: BTreeMap<u64, (String, Option<Place>)>,
}

/// What was answered at a line, in short; `None` for the summary.
impl Scribe {
    pub(crate) fn write(&mut self, answer: &Answer) -> Option<(LineNo, String)> {
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
                Some((finding.line, text + &pass(finding.pass)))
            }
            Answer::Cleared { finding, line } => Some((*line, format!("cleared {}", self.findings[finding].0))),
            Answer::Breach { finding, line, missing } => {
                let (name, place) = &self.findings[finding];
                Some((*line, format!("breach {name}{}", remedies(missing, *place))))
            }
            Answer::Settle(settle) => {
                let spot = if settle.spot == BetSpot::Main { "" } else { ".insurance" };
                let outcome = format!("{:?}", settle.outcome).to_lowercase();
                let text =
                    format!("settle {}{spot} {outcome} {} {} {}", settle.hand, settle.stake, settle.pay, settle.lost);
                Some((settle.line, text + &pass(settle.pass)))
            }
            Answer::Summary { .. } => None,
        }
    }
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
            Remedy::ReturnBet { hand: of } => format!("return_bet{}", hand(of)),
            Remedy::Serve { to } => format!("serve{}", at(to)),
            Remedy::Authorize { what: permit } => format!("authorize{}", what(permit)),
            Remedy::Announce { what: permit } => format!("announce{}", what(permit)),
            Remedy::AskConsent { hand: of } => format!("ask_consent{}", hand(of)),
            Remedy::Offer { hand: of, options: [one, other] } => {
                format!("offer:{}/{}{}", one.word(), other.word(), hand(of))
            }
            Remedy::Collect { hand: of } => format!("collect{}", hand(of)),
            Remedy::Rule => "rule".into(),
        };
    }
    text
}
