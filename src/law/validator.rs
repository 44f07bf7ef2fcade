//! Holds events against a regulation: one event in, answers out.
//!
//! No clock, no randomness, no I/O: the same events give the same answers everywhere.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::procedure::apply::{Change, Effect};
use crate::procedure::context::{Context, EventMeaning};
use crate::procedure::duty::{Duty, Part};
use crate::procedure::state::State;
use crate::procedure::watch::Fate;
use crate::regulation::house::RulesError;
use crate::regulation::{Findings, Index, Known, Raised, Regulation};
use crate::table::answer::{Finding, Lang};
use crate::table::bounds::OutOfBounds;
use crate::table::event::{Permit, may_permit};
use crate::table::{Answer, BetSpot, Cents, Event, Felt, HandId, Header, LineNo, Name, Phase, Settings};

/// A table under a regulation.
#[derive(Debug, Clone)]
pub struct Validator {
    header: Header,
    regulation: Regulation,
    lang: Lang,
    articles: Index,
    state: State,
    duties: Vec<Duty>,
    /// What was found in this pass.
    memory: Vec<Known>,
    /// Findings so far.
    found: u64,
    counts: BTreeMap<&'static str, u64>,
    /// What is found at an event, and what that makes of the facts: empty between events, but for their memory.
    raised: Vec<Raised>,
    effects: Vec<Effect>,
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
        Ok(Self {
            state: State::new(&header, settings),
            header,
            lang: Lang::default(),
            articles: Index::of(&regulation.articles),
            regulation,
            duties: Vec::new(),
            memory: Vec::new(),
            found: 0,
            counts: BTreeMap::new(),
            raised: Vec::new(),
            effects: Vec::new(),
        })
    }

    /// Answers in that language.
    #[must_use]
    pub fn in_language(mut self, lang: Lang) -> Self {
        self.lang = lang;
        self
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The regulation.
    #[must_use]
    pub fn regulation(&self) -> &Regulation {
        &self.regulation
    }

    /// The facts.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What is still to be done about findings, oldest first.
    #[must_use]
    pub fn duties(&self) -> &[Duty] {
        &self.duties
    }

    /// The figures in force.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        self.state.settings()
    }

    /// Takes one event, the one on `line`, and adds what is answered.
    pub fn step(&mut self, line: LineNo, event: &Event, answers: &mut Vec<Answer>) {
        self.state.infer_choices(event);
        let ends = self.state.pass.is_open() && matches!(event, Event::End {});
        let meaning = EventMeaning::read(&self.state, &self.duties, event);
        self.judge(event, &meaning);
        self.state.apply(&Change { event, meaning: &meaning, effects: &self.effects });
        self.effects.clear();
        let old = self.duties.len();
        if !self.raised.is_empty() {
            let mut raised = core::mem::take(&mut self.raised);
            raised.drain(..).for_each(|raised| self.record(line, event, &raised, answers));
            self.raised = raised;
        }
        self.room_rules(event, &meaning);
        if !self.duties.is_empty() {
            self.use_permit(event);
            self.watch(line, event, &meaning, old, answers);
        }
        if ends {
            self.end(line, answers);
        }
    }

    /// The log has ended: adds the summary.
    pub fn finish(&mut self, answers: &mut Vec<Answer>) {
        answers.push(Answer::Summary {
            passes: self.state.pass_no,
            draws: self.state.supply.draws(),
            findings: self.counts.clone(),
        });
    }

    /// The felt as anyone may see it, and what is due.
    #[must_use]
    pub fn felt(&self) -> Felt {
        crate::felt::felt(&self.state, &self.duties)
    }

    /// What now lies on a spot, as the events so far say.
    #[must_use]
    pub fn on_spot(&self, hand: HandId, spot: BetSpot) -> Cents {
        self.state.pass.lies_on(hand, spot)
    }

    /// Whether chips taken from a hand or laid to it settle its stake now. They do from the moment the bank's cards are
    /// seen: a dealer who settles too early, or passes a hand over, settles all the same, and that is for the articles
    /// to find. A hand that is decided before the bank plays is settled before.
    #[must_use]
    pub fn is_settling(&self, hand: HandId) -> bool {
        let state = &self.state;
        let bank = &state.pass.bank;
        let is_decided = || state.pass.hand(hand).is_some_and(|hand| state.is_decided_early(hand));
        state.phase() == Phase::Settlement || (bank.served >= 2 && !bank.is_covered()) || is_decided()
    }

    /// Whether a hand plays in this pass with a bet that counts.
    #[must_use]
    pub fn is_in_play(&self, hand: HandId) -> bool {
        self.state.pass.hand(hand).is_some_and(|hand| !hand.void)
    }

    /// What the articles say of the event, and what that makes of the facts.
    fn judge(&mut self, event: &Event, meaning: &EventMeaning) {
        let context =
            Context { state: &self.state, settings: self.state.settings(), duties: &self.duties, event, meaning };
        let mut findings = Findings::new(&self.memory, self.found, &mut self.raised, self.regulation.not_provided_for);
        self.articles.judge(&context, &mut findings);
        if let Event::Report { provision: Some(id), place, .. } = event {
            match self.regulation.article(id) {
                Some(article) => findings.report(article, *place, false),
                None => findings.report(self.regulation.not_provided_for, *place, true),
            }
        }
        if let Some(what) = event.distrusts() {
            findings.distrust(self.regulation.not_provided_for, what);
        }
        if findings.ignores_event {
            self.effects.push(Effect::NoEffect);
        }
        for raised in &self.raised {
            self.effects.extend_from_slice(&raised.effects);
        }
    }

    /// Writes a finding down: the answer, the memory, the duty.
    fn record(&mut self, line: LineNo, event: &Event, raised: &Raised, answers: &mut Vec<Answer>) {
        self.found += 1;
        *self.counts.entry(raised.article.id).or_default() += 1;
        let is_left = raised.parts.contains(&Part::Rule) && raised.effects.contains(&Effect::NotDue);
        let leaves_card = match event {
            Event::Draw { card, .. } if is_left => Some(*card),
            _ => None,
        };
        self.memory.push(Known {
            finding: self.found,
            article: raised.article,
            case: raised.case,
            place: raised.place,
            leaves_card,
        });
        answers.push(Answer::Finding(Finding {
            n: self.found,
            line,
            of: None,
            pass: self.state.pass_no,
            provision: raised.article.id,
            place: raised.place,
            severity: raised.severity,
            cards: raised.cards.clone(),
            remedy: raised.parts.iter().map(|part| part.remedy()).collect(),
            details: raised.details.clone(),
            text: raised.text(self.lang, self.state.settings()),
        }));
        if !raised.parts.is_empty() {
            let duty = Duty::new(self.found, raised.place, &raised.parts, &self.state);
            if duty.sequence {
                self.state.permits.set(Permit::NextCardsForBank, false);
            }
            self.duties.push(duty);
        }
    }

    /// An authorisation that a duty waited for is used by it.
    fn use_permit(&mut self, event: &Event) {
        if let Event::Authorize { what, role, .. } = event
            && may_permit(*role, *what)
            && self.duties.iter().any(|duty| duty.parts.contains(&Part::Authorize(*what)))
        {
            self.state.permits.set(*what, false);
        }
    }

    /// Sees how every duty fared; those beyond the first `old` were opened by this very event.
    fn watch(&mut self, line: LineNo, event: &Event, meaning: &EventMeaning, old: usize, answers: &mut Vec<Answer>) {
        let mut burned = meaning.removal.count();
        let mut n = 0;
        let state = &self.state;
        let ends = state.pass.is_open() && matches!(event, Event::End {});
        self.duties.retain_mut(|duty| {
            n += 1;
            let fate = if n <= old || ends {
                duty.watch(event, meaning, state, &mut burned)
            } else if duty.parts.is_empty() {
                Fate::Cleared
            } else {
                Fate::Open
            };
            match fate {
                Fate::Open => return true,
                Fate::Cleared => answers.push(Answer::Cleared { finding: duty.finding, line, unseen: Vec::new() }),
                Fate::Breach => {
                    let missing = duty.parts.iter().map(|part| part.remedy()).collect();
                    answers.push(Answer::Breach { finding: duty.finding, line, missing });
                }
            }
            false
        });
    }

    /// What the room decided about a finding.
    fn room_rules(&mut self, event: &Event, meaning: &EventMeaning) {
        let Event::Rule { decision, .. } = event else { return };
        let Some(known) = self.memory.iter().find(|known| Some(known.finding) == meaning.ruled) else { return };
        self.state.rule(*decision, known.place, known.leaves_card);
    }

    /// Says what every bet was owed, and clears the felt.
    fn end(&mut self, line: LineNo, answers: &mut Vec<Answer>) {
        self.state.settlements(line, |settle| answers.push(Answer::Settle(settle)));
        self.state.end_pass();
        self.memory.clear();
        self.duties.clear();
    }
}
