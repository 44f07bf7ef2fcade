//! Corrections on a screen: which lines of the pass may be corrected, and what a correction would change before
//! somebody signs it. A covered card is named by neither.

use sabot_law::table::act_words::described;
use sabot_law::table::event::Face;
use sabot_law::table::felt::Words;
use sabot_law::table::place::MAX_HANDS;
use sabot_law::table::{Answer, Card, Event, HandId, LineNo, Name, Place, words};
use sabot_law::validator::Validator;

use super::entries;
use super::findings::silenced;
use super::live_table::LiveTable;
use super::observe::Table;
use super::refused::Refused;

/// What the record should have said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amendment {
    /// That line did not happen.
    Strike(LineNo),
    /// That line should have read so. An unread card in the place of a covered one is that card.
    Instead(LineNo, Event),
    /// This happened after that line, and nothing told it.
    After(LineNo, Event),
}

/// A line of the pass, as people read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassLine {
    /// Its number.
    pub line: LineNo,
    /// What it says, a card that is nobody's to know as one that was not read.
    pub event: Event,
    /// In words, the card left out.
    pub words: Words,
    /// Nobody may know the card that it tells.
    pub is_secret: bool,
}

/// What a correction would change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Of what was answered, in words; none: nothing.
    pub changes: Vec<Words>,
    /// What is due then.
    pub due: Option<Words>,
}

impl LiveTable {
    /// The lines that may still be corrected, as they read by now.
    pub(super) fn pass_lines(&self) -> Vec<PassLine> {
        let told = self.validator.correctable().map(|(line, event)| {
            let is_secret = self.tells_secret(line);
            let event = match event {
                Event::Draw { to, face, .. } if is_secret => Event::Draw { card: Card::UNREAD, to: *to, face: *face },
                event => event.clone(),
            };
            let mut event = event;
            silenced(self.findings.silent(), &mut event, |n| self.findings.is_hidden(n));
            let words = described(&event);
            PassLine { line, event, words, is_secret }
        });
        told.collect()
    }

    /// The correction that the record is told.
    pub(super) fn correction(&self, by: Name, role: Name, amendment: Amendment) -> Result<Event, Refused> {
        let stands = |line: LineNo| self.told_on(line).ok_or(Refused::TooLate);
        let (line, after, event) = match amendment {
            Amendment::Strike(line) => (Some(line), None, stands(line).map(|_| None)?),
            Amendment::Instead(line, event) => {
                let before = stands(line)?;
                (Some(line), None, Some(self.same_card(line, before, event)?))
            }
            Amendment::After(line, event) => {
                stands(line)?;
                self.is_seen(&event)?;
                (None, Some(line), Some(event))
            }
        };
        Ok(Event::Correct { by, role, line, after, event: event.map(Box::new) })
    }

    /// What a line says by now, where that may still be corrected.
    fn told_on(&self, line: LineNo) -> Option<&Event> {
        self.validator.correctable().find(|(at, _)| *at == line).map(|(_, event)| event)
    }

    /// The event with the card of the line that it replaces, where that is nobody's to know.
    fn same_card(&self, line: LineNo, before: &Event, event: Event) -> Result<Event, Refused> {
        match (before, event) {
            (Event::Draw { card, .. }, Event::Draw { card: Card::UNREAD, to, face }) if self.tells_secret(line) => {
                Ok(Event::Draw { card: *card, to, face })
            }
            (_, event) => self.is_seen(&event).map(|()| event),
        }
    }

    /// Nobody names a card where one lies covered.
    fn is_seen(&self, event: &Event) -> Result<(), Refused> {
        let at = match event {
            Event::Draw { card: Card::UNREAD, .. } => return Ok(()),
            Event::Draw { to, face, .. } if *face != Some(Face::Up) => *to,
            Event::Reveal { at, card: Some(_) } => Some(*at),
            _ => return Ok(()),
        };
        if self.is_covered(at) { Err(Refused::Said(entries::still_covered(at).0)) } else { Ok(()) }
    }

    /// What a correction would change. Where that hangs on a covered card, nobody is told: whether it does is judged
    /// by how cards lie, and by no card.
    pub(super) fn preview(&self, correction: &Event) -> Result<Preview, Refused> {
        let (mut validator, mut answers) = (self.validator.clone(), Vec::new());
        validator.step(self.lines + 1, correction, &mut answers);
        if self.may_open(correction) || lie_otherwise(&self.validator, &validator) {
            return Err(Refused::Uncovers);
        }
        let changes = answers.iter().filter_map(|answer| self.change(answer)).collect();
        let hidden = answers.iter().filter_map(|answer| match answer {
            Answer::Finding(finding) if self.findings.silent().hides(finding) => Some(finding.n),
            _ => None,
        });
        let untold: Vec<u64> = self.untold().into_iter().chain(hidden).collect();
        Ok(Preview { changes, due: validator.felt_without(&untold).due.first().cloned() })
    }

    /// Whether a correction may lay open what is covered, at any time since it was dealt, or tell of a card that is
    /// gone. Only another card where one lay so changes nothing of how those lie that came after it.
    fn may_open(&self, correction: &Event) -> bool {
        let Event::Correct { line, after, event, .. } = correction else { return false };
        let same_place = |before: &Event| match (before, event.as_deref()) {
            (Event::Draw { to, face, .. }, Some(Event::Draw { to: at, face: so, .. })) => (to, face) == (at, so),
            _ => false,
        };
        let lay_so = line.and_then(|line| self.told_on(line)).is_some_and(same_place);
        let since = line.or(*after);
        let mut later = self.validator.correctable().skip_while(|(line, _)| Some(*line) != since).skip(1);
        if !lay_so && later.any(|(line, _)| self.tells_secret(line)) {
            return true;
        }
        match (line.filter(|line| self.tells_secret(*line)), event.as_deref()) {
            (Some(_), Some(Event::Draw { to, face, .. })) => *face != Some(Face::Down) && *to != Some(Place::Burn),
            (Some(_), _) => true,
            (None, Some(Event::Draw { face, .. })) => *face != Some(Face::Up) && !lay_so && self.is_covered(None),
            (None, _) => false,
        }
    }

    fn change(&self, answer: &Answer) -> Option<Words> {
        let of = |n: u64, es: &str, en: &str| {
            let view = self.findings.list().find(|view| view.finding.n == n)?;
            let provision = view.finding.provision;
            Some(Words {
                es: format!("{es}: n.º {n}, {provision}, {}", view.es),
                en: format!("{en}: no. {n}, {provision}, {}", view.en),
            })
        };
        match answer {
            Answer::Finding(finding) if self.findings.silent().hides(finding) => None,
            Answer::Finding(finding) => Some(Words {
                es: format!("se encuentra: {}, {}", finding.provision, finding.text.es),
                en: format!("found: {}, {}", finding.provision, finding.text.en),
            }),
            Answer::Withdrawn { finding, .. } => of(*finding, "se retira", "withdrawn"),
            Answer::Cleared { finding, .. } => of(*finding, "queda remediado", "remedied"),
            Answer::Breach { finding, .. } => of(*finding, "queda sin remediar", "not remedied"),
            Answer::Settle(settle) => Some(words::account(settle)),
            Answer::Summary { .. } => None,
        }
    }
}

/// Whether cards of a place at which one lies covered come to lie otherwise, or the pass is another.
fn lie_otherwise(now: &Validator, then: &Validator) -> bool {
    let boxes =
        (1..=now.header().boxes).flat_map(|box_no| (0..MAX_HANDS as u8).map(move |hand| HandId { box_no, hand }));
    let lying = |validator: &Validator, place: Place| -> Vec<(bool, bool)> {
        validator.state().pass.lying_at(place).iter().map(|held| (held.down, held.misdealt)).collect()
    };
    let covered = |validator: &Validator| validator.state().pass.lying().filter(|held| held.down).count();
    let differs = |place: Place| {
        let (now, then) = (lying(now, place), lying(then, place));
        now != then && now.iter().chain(&then).any(|(down, _)| *down)
    };
    covered(now) != covered(then)
        || now.state().pass_no != then.state().pass_no
        || boxes.map(Place::Hand).chain([Place::Bank]).any(differs)
}

#[cfg(test)]
#[path = "amend_tests.rs"]
mod tests;
