//! Holds events against a regulation: one event in, answers out.
//!
//! No clock, no randomness, no I/O: the same events give the same answers everywhere.
//!
//! | module | what it is |
//! |---|---|
//! | `course` | a course of events as judged so far; takes the next one |
//! | `moment` | a table at the end of a pass, to be kept and read on from |
//! | `late` | where what a device told late belongs among the rest |
//! | `told` | an event as it was told, or as it was corrected |
//! | `window` | the events that may still be corrected, in the order in which they happened |
//! | `revision` | judging them again, and what that changes of what was answered |

mod course;
mod late;
mod moment;
mod revision;
mod told;
mod unheard;
mod window;

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use self::moment::Moment;

use self::course::{Course, House};
use self::told::Told;
use self::window::Window;
use crate::procedure::due::{Due, remedies};
use crate::procedure::duties::Duties;
use crate::procedure::known::Fact;
use crate::procedure::state::State;
use crate::regulation::house::RulesError;
use crate::regulation::{Index, Regulation};
use crate::table::answer::Lang;
use crate::table::bounds::OutOfBounds;
use crate::table::due::{DueLine, OpenRemedy};
use crate::table::event::Ruling;
use crate::table::offer::Offer;
use crate::table::{Answer, BetSpot, Cents, Event, Felt, HandId, Header, LineNo, Name, Phase, Settings};

/// A table under a regulation.
#[derive(Debug, Clone)]
pub struct Validator {
    house: Arc<House>,
    course: Course,
    window: Window,
    /// Findings by provision, those that were withdrawn not counted.
    counts: BTreeMap<&'static str, u64>,
}

/// Why a header names no regulation to hold a table against.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoRegulation {
    /// This crate does not know it.
    #[error("field `regulation`: no regulation `{0}`; known are {known}", known = known())]
    Unknown(Name),
    /// Its own rules make none.
    #[error("field `rules`: {0}")]
    Rules(#[from] RulesError),
    /// A setting cannot be.
    #[error("field `settings`: {0}")]
    Settings(#[from] OutOfBounds),
}

fn known() -> alloc::string::String {
    let ids: Vec<&str> = crate::regulation::ALL.iter().map(|regulation| &*regulation.id).collect();
    ids.join(", ")
}

impl Validator {
    /// A table as its log begins, answering in Spanish.
    ///
    /// # Errors
    /// When the header names a regulation this crate does not know, or has rules or settings that cannot be.
    pub fn new(header: Header) -> Result<Self, NoRegulation> {
        let regulation = match &header.rules {
            Some(rules) => Regulation::of_house(&header.regulation, rules)?,
            None => crate::regulation::find(&header.regulation)
                .ok_or_else(|| NoRegulation::Unknown(header.regulation.clone()))?
                .clone(),
        };
        let settings = regulation.settings.clone().changed(&header.settings);
        settings.check()?;
        let course = Course::new(State::new(&header, settings));
        let articles = Index::of(&regulation.articles);
        let house = Arc::new(House { header, regulation, lang: Lang::default(), articles });
        Ok(Self { house, window: Window::new(Arc::new(course.clone())), course, counts: BTreeMap::new() })
    }

    /// Answers in that language.
    #[must_use]
    pub fn in_language(mut self, lang: Lang) -> Self {
        Arc::make_mut(&mut self.house).lang = lang;
        self
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.house.header
    }

    /// The regulation.
    #[must_use]
    pub fn regulation(&self) -> &Regulation {
        &self.house.regulation
    }

    /// The facts.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.course.state
    }

    /// What is still to be done about findings.
    #[must_use]
    pub fn duties(&self) -> &Duties {
        &self.course.duties
    }

    /// The figures in force.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        self.state().settings()
    }

    /// Takes one event, the one on `line`, and adds what is answered.
    pub fn step(&mut self, line: LineNo, event: &Event, answers: &mut Vec<Answer>) {
        let answered = answers.len();
        if !self.revise(line, event, answers) {
            self.take(line, event, answers);
        }
        for answer in &answers[answered..] {
            if let Answer::Finding(finding) = answer {
                *self.counts.entry(finding.provision).or_default() += 1;
            }
        }
    }

    /// Takes an event that changes nothing of what was told before.
    fn take(&mut self, line: LineNo, event: &Event, answers: &mut Vec<Answer>) {
        let answered = answers.len();
        if let Some(device) = self.course.resumed(event) {
            self.course.state = self.seen_again(&device);
        }
        let step = self.course.step(&self.house, line, event, answers);
        self.window.answered(&answers[answered..]);
        let mut told = Told::new(line, event.clone());
        told.took(step.taken);
        self.window.add(told, &self.course, step.ended);
        self.trim();
    }

    /// Forgets what can no longer change.
    fn trim(&mut self) {
        let state = &self.course.state;
        let (is_dealt, is_away) = (state.pass.is_dealt(), state.blindness.is_any_away());
        self.window.trim(is_dealt, is_away);
    }

    /// How many events are kept that may still be corrected, or put in order: a copy costs in proportion to them.
    #[must_use]
    pub const fn kept_events(&self) -> usize {
        self.window.told.len()
    }

    /// The log has ended: adds the summary.
    pub fn finish(&mut self, answers: &mut Vec<Answer>) {
        answers.push(Answer::Summary {
            passes: self.state().pass_no,
            draws: self.state().supply.draws(),
            findings: self.counts.clone(),
        });
    }

    /// The felt as anyone may see it, and what is due.
    #[must_use]
    pub fn felt(&self) -> Felt {
        self.felt_without(&[])
    }

    /// The same, and nothing of what is left to be done about these findings.
    #[must_use]
    pub fn felt_without(&self, findings: &[u64]) -> Felt {
        crate::felt::felt(self.state(), &self.duties().without(findings))
    }

    /// What a person at the table may enter next, the likeliest first.
    #[must_use]
    pub fn offers(&self) -> Vec<Offer> {
        self.offers_without(&[])
    }

    /// The same, and nothing of what is left to be done about these findings.
    #[must_use]
    pub fn offers_without(&self, findings: &[u64]) -> Vec<Offer> {
        let late = self.course.unasked.as_ref().filter(|_| self.settings().remedy.late_entries);
        crate::offers::offers(self.state(), &self.duties().without(findings), late.map(|card| card.hand))
    }

    /// How a finding may still be decided; not at all where that was done, or where its pass is over.
    #[must_use]
    pub fn rulings(&self, finding: u64) -> Vec<Ruling> {
        self.course.rulings(finding).collect()
    }

    /// What is left to be done about each open finding, in the order of attention.
    #[must_use]
    pub fn remedies(&self) -> Vec<OpenRemedy> {
        remedies(self.duties()).collect()
    }

    /// What is due after a line.
    #[must_use]
    pub fn due(&self, line: LineNo) -> DueLine {
        DueLine { line, due: self.state().steps_due(self.duties()) }
    }

    /// Nothing is left of the pass but its end: no remedy is open, every bet was given what it was owed, no card lies.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state().due(self.duties()) == [Due::End]
    }

    /// What now lies on a spot, as the events so far say.
    #[must_use]
    pub fn on_spot(&self, hand: HandId, spot: BetSpot) -> Cents {
        self.state().pass.lies_on(hand, spot)
    }

    /// Whether chips taken from a hand or laid to it settle its stake now. They do from the moment the bank's cards are
    /// seen: a dealer who settles too early, or passes a hand over, settles all the same, and that is for the articles
    /// to find. A hand that is decided before the bank plays is settled before.
    #[must_use]
    pub fn is_settling(&self, hand: HandId) -> bool {
        let state = self.state();
        let bank = &state.pass.bank;
        let is_decided = || state.pass.hand(hand).is_some_and(|hand| state.is_decided_early(hand));
        state.phase() == Phase::Settlement
            || (bank.served >= 2 && (!bank.is_covered() || state.may_have_turned()))
            // a card that nobody saw is still due
            || (bank.uncovered && state.unknown().has(Fact::Hands))
            || is_decided()
    }

    /// Whether a hand plays in this pass with a bet that counts.
    #[must_use]
    pub fn is_in_play(&self, hand: HandId) -> bool {
        self.state().pass.hand(hand).is_some_and(|hand| !hand.void)
    }
}
