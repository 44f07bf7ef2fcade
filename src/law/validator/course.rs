//! A course of events as it has been judged so far: the facts, what was found in them, what is still to be done.
//!
//! It can be copied: what is judged again begins with a copy of an earlier moment.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use crate::procedure::apply::{Change, Effect};
use crate::procedure::context::{Context, Drawn, EventMeaning, Role};
use crate::procedure::duty::{Deadline, Duty, Part};
use crate::procedure::known::Facts;
use crate::procedure::pass::Milestone;
use crate::procedure::state::State;
use crate::procedure::watch::{Fate, begins_banks_turn};
use crate::regulation::{Case, Findings, Index, Memory, Raised, Regulation, everywhere};
use crate::table::answer::{Finding, Lang};
use crate::table::event::{Permit, Ruling, may_permit};
use crate::table::{Answer, Card, Event, HandId, Header, LineNo, Moved, Name, Place};

/// What a table is held against, the same for a whole log.
#[derive(Debug, Clone)]
pub(super) struct House {
    pub(super) header: Header,
    pub(super) regulation: Regulation,
    pub(super) lang: Lang,
    pub(super) articles: Index,
}

/// What makes a finding the same one when its pass is judged again.
pub(super) type Identity = (&'static str, Option<Place>, LineNo);

/// The last card drawn, where it is one of play and nothing asked for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unasked {
    /// The line of its draw.
    pub(super) line: LineNo,
    /// The hand it went to.
    pub(super) hand: HandId,
    /// The finding about it.
    pub(super) finding: u64,
}

/// What there was before an event.
#[derive(Debug, Clone, Copy)]
struct Before {
    /// How many duties.
    duties: usize,
    /// The pass was void.
    is_void: bool,
}

/// What an event came to.
#[derive(Debug, Default)]
pub(super) struct Step {
    /// A pass ended with it.
    pub(super) ended: bool,
    /// The cards it took, where it did not name them.
    taken: Option<Vec<Card>>,
}

impl Step {
    /// The event with what it did not say.
    pub(super) fn complete(&self, mut event: Event) -> Event {
        if let (Some(taken), Event::Move { cards, .. }) = (&self.taken, &mut event) {
            *cards = Some(Moved::Cards(taken.clone()));
        }
        event
    }
}

/// A course of events as judged so far.
#[derive(Debug, Clone)]
pub(super) struct Course {
    pub(super) state: State,
    pub(super) duties: Vec<Duty>,
    /// Which of them any event may concern.
    awake: Vec<usize>,
    /// How many of the others wait for the bank's turn.
    until_bank: usize,
    /// How many of them, from the first, have no part that nobody sees while so much is not known.
    seen: (usize, Facts),
    /// What was found in this pass.
    memory: Memory,
    /// The number of the newest finding.
    pub(super) found: u64,
    /// Numbers that findings had when this course was judged before, and keep.
    pub(super) numbers: BTreeMap<Identity, VecDeque<u64>>,
    pub(super) unasked: Option<Unasked>,
    /// What is found at an event, and what that makes of the facts: empty between events, but for their memory.
    raised: Vec<Raised>,
    effects: Vec<Effect>,
}

impl Course {
    pub(super) fn new(state: State) -> Self {
        Self {
            state,
            duties: Vec::new(),
            awake: Vec::new(),
            until_bank: 0,
            seen: (0, Facts::NONE),
            memory: Memory::default(),
            found: 0,
            numbers: BTreeMap::new(),
            unasked: None,
            raised: Vec::new(),
            effects: Vec::new(),
        }
    }

    /// As it is, to be kept: numbers are for what is judged now.
    pub(super) fn copy(&mut self) -> Self {
        let numbers = core::mem::take(&mut self.numbers);
        let copy = self.clone();
        self.numbers = numbers;
        copy
    }

    /// The same, to judge on from: findings are numbered from there, but for those that have a number.
    pub(super) fn to_go_on(&self, found: u64, numbers: BTreeMap<Identity, VecDeque<u64>>) -> Self {
        Self { found, numbers, ..self.clone() }
    }

    /// How many findings it holds, and what is to be done about them.
    pub(super) fn findings(&self) -> usize {
        self.memory.count() + self.duties.len()
    }

    /// Takes one event, the one on `line`, and adds what is answered.
    pub(super) fn step(&mut self, house: &House, line: LineNo, event: &Event, answers: &mut Vec<Answer>) -> Step {
        self.take_as_done(line, event, answers);
        self.state.infer(event);
        let ends = self.state.pass.is_open() && matches!(event, Event::End {});
        let before = Before { duties: self.duties.len(), is_void: self.state.pass.has(Milestone::Void) };
        let mut meaning = EventMeaning::read(&self.state, &self.duties, event);
        let ruled = everywhere::ruled(event, &self.memory, &self.duties, self.state.settings());
        meaning.ruled = ruled.and_then(Result::ok);
        let taken = self.taken(event, &meaning);
        self.judge(house, event, &meaning, ruled.and_then(Result::err));
        self.state.apply(&Change { event, meaning: &meaning, effects: &self.effects });
        self.effects.clear();
        self.room_rules(event, &meaning);
        self.judge_money(house, event, &meaning, before.is_void);
        let mut undue = None;
        if !self.raised.is_empty() {
            let mut raised = core::mem::take(&mut self.raised);
            for raised in raised.drain(..) {
                let n = self.record(house, line, meaning.drawn, &raised, answers);
                undue = undue.or(raised.effects.contains(&Effect::NotDue).then_some(n));
            }
            self.raised = raised;
        }
        self.note_unasked(line, event, &meaning, undue);
        if !self.duties.is_empty() {
            self.use_permit(event);
            self.watch(line, event, &meaning, before, answers);
        }
        if ends {
            self.end(line, answers);
        }
        Step { ended: ends, taken }
    }

    /// Parts of remedies that nobody sees count as done before the next event of dealing, play or settlement.
    fn take_as_done(&mut self, line: LineNo, event: &Event, answers: &mut Vec<Answer>) {
        if self.duties.is_empty() {
            return;
        }
        let Some(mut unseen) = self.state.unseen(event) else { return };
        let (seen, facts) = self.seen;
        let from = if facts == unseen.unknown() { seen } else { 0 };
        let awake = self.awake.iter().copied().filter(|n| *n < from);
        let watched: Vec<usize> = awake.chain(from..self.duties.len()).collect();
        let (mut put_right, mut gone) = (Vec::new(), Vec::new());
        for &n in &watched {
            let duty = &mut self.duties[n];
            duty.take_as_done(&mut unseen);
            if duty.parts.is_empty() {
                put_right.extend(duty.bet);
                answers.push(duty.cleared(line));
                gone.push(n);
            }
        }
        self.put_to_sleep(&watched, &gone, from == 0);
        self.seen = (self.duties.len(), unseen.unknown());
        self.state.take_as_done(&unseen);
        put_right.into_iter().for_each(|(id, spot)| self.state.note_wrong(id, spot, false));
    }

    /// The device whose blindness a ruling lets pass.
    pub(super) fn resumed(&self, event: &Event) -> Option<Name> {
        let Event::Rule { decision: Ruling::Resume, .. } = event else { return None };
        let ruled = everywhere::ruled(event, &self.memory, &self.duties, self.state.settings())?.ok()?;
        everywhere::blind_device(self.memory.finding(ruled)?)
    }

    /// The cards that a `move` to the burn tray, or back to the shoe, takes of those that lie at a place, where it does
    /// not name them: which they are follows from what is due, and stays so when that is judged otherwise.
    fn taken(&self, event: &Event, meaning: &EventMeaning) -> Option<Vec<Card>> {
        let Event::Move { from, to: Place::Burn | Place::Shoe, cards: None } = event else { return None };
        let lying = self.state.pass.lying_at(*from);
        let taken = lying.iter().enumerate().filter(|(n, _)| meaning.removal.takes(*n)).map(|(_, held)| held.card);
        Some(taken.collect()).filter(|taken: &Vec<Card>| !taken.is_empty())
    }

    /// Keeps in mind a card of play that nothing asked for, until another is drawn, cards are burned or put back, or
    /// the room decides about it.
    fn note_unasked(&mut self, line: LineNo, event: &Event, meaning: &EventMeaning, undue: Option<u64>) {
        match (event, meaning.drawn) {
            (_, Some(drawn)) => {
                let is_play = drawn.role == Role::NotDue && self.state.delivered();
                let found = undue.filter(|_| is_play).zip(drawn.hand());
                self.unasked = found.map(|(finding, hand)| Unasked { line, hand, finding });
            }
            (Event::Move { to: Place::Burn | Place::Shoe, .. } | Event::End {}, _) => self.unasked = None,
            (Event::Rule { .. }, _) => self.unasked = self.unasked.filter(|card| meaning.ruled != Some(card.finding)),
            _ => {}
        }
    }

    /// What the articles say of the event, and what that makes of the facts; `unreached` says why a ruling decides
    /// nothing.
    fn judge(&mut self, house: &House, event: &Event, meaning: &EventMeaning, unreached: Option<&'static Case>) {
        let context =
            Context { state: &self.state, settings: self.state.settings(), duties: &self.duties, event, meaning };
        let mut findings = Findings::new(&self.memory, self.found, &mut self.raised, house.regulation.not_provided_for);
        if self.state.observes_event(event) {
            house.articles.judge(&context, &mut findings);
        }
        let for_room = house.regulation.not_provided_for;
        let named = match event {
            Event::Report { provision: Some(id), .. } => house.regulation.article(id),
            _ => None,
        };
        findings.check_everywhere(for_room, &context, named);
        if let Some(why) = unreached {
            findings.rules_nothing(for_room, why);
        }
        if findings.ignores_event {
            self.effects.push(Effect::NoEffect);
        }
        for raised in &self.raised {
            self.effects.extend_from_slice(&raised.effects);
        }
    }

    /// What the articles say of what bets were given, in the facts after the event. What is decided afterwards, or
    /// voids the pass, makes no mistake of what was given before.
    fn judge_money(&mut self, house: &House, event: &Event, meaning: &EventMeaning, was_void: bool) {
        let mistakes = self.state.mistakes(event);
        if mistakes.is_empty() {
            return;
        }
        let context =
            Context { state: &self.state, settings: self.state.settings(), duties: &self.duties, event, meaning };
        let mut findings = Findings::new(&self.memory, self.found, &mut self.raised, house.regulation.not_provided_for);
        let is_decided = matches!(event, Event::Rule { .. }) || (!was_void && self.state.pass.has(Milestone::Void));
        if !is_decided {
            mistakes.iter().for_each(|mistake| house.articles.judge_money(&context, mistake, &mut findings));
        }
        let wrong: Vec<_> = mistakes.iter().map(|mistake| (mistake.id, mistake.spot)).collect();
        wrong.into_iter().for_each(|(id, spot)| self.state.note_wrong(id, spot, true));
    }

    /// A card that could not be read is told by a correction of its line: the finding about it stands, and is cleared.
    pub(super) fn tell_unread(&mut self, house: &House, line: LineNo, answers: &mut Vec<Answer>) {
        let room = house.regulation.not_provided_for;
        // the one of that line that has not come again
        let mut left = self.numbers.iter().filter(|(_, numbers)| !numbers.is_empty()).map(|(identity, _)| *identity);
        let is_its = |(provision, _, at): &Identity| *provision == room.id && *at == line;
        let Some((_, place, _)) = left.find(is_its) else { return };
        Findings::new(&self.memory, self.found, &mut self.raised, room).raise_unread(place);
        for raised in core::mem::take(&mut self.raised) {
            let finding = self.record(house, line, None, &raised, answers);
            self.duties.retain(|duty| duty.finding != finding);
            answers.push(Answer::Cleared { finding, line, unseen: Vec::new() });
        }
    }

    /// Writes a finding down: the answer, the memory, the duty.
    fn record(
        &mut self,
        house: &House,
        line: LineNo,
        drawn: Option<Drawn>,
        raised: &Raised,
        answers: &mut Vec<Answer>,
    ) -> u64 {
        let n = self.number((raised.article.id, raised.place, line));
        let left = drawn.filter(|_| raised.effects.contains(&Effect::NotDue));
        let left = left.and_then(|drawn| Some((drawn.place?, drawn.card)));
        self.memory.add(raised.known(n, left));
        answers.push(Answer::Finding(Box::new(Finding {
            n,
            line,
            of: None,
            pass: self.state.pass_no,
            provision: raised.article.id,
            place: raised.place,
            severity: raised.severity,
            cards: raised.cards.clone(),
            remedy: raised.parts.iter().map(|part| part.remedy()).collect(),
            details: raised.details.clone(),
            text: raised.text(house.lang, self.state.settings()),
        })));
        if !raised.parts.is_empty() {
            let mut duty = Duty::new(n, raised.place, raised.severity, &raised.parts, &self.state);
            duty.bet = raised.bet;
            if duty.deadline == Deadline::NextCard {
                self.state.permits.set(Permit::NextCardsForBank, false);
            }
            self.duties.push(duty);
        }
        n
    }

    /// The number of a finding: the one it had when it was found before, else the next.
    fn number(&mut self, identity: Identity) -> u64 {
        self.numbers.get_mut(&identity).and_then(VecDeque::pop_front).unwrap_or_else(|| {
            self.found += 1;
            self.found
        })
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

    /// Sees how every duty fared; those there were before it, and those opened by this very event.
    fn watch(
        &mut self,
        line: LineNo,
        event: &Event,
        meaning: &EventMeaning,
        before: Before,
        answers: &mut Vec<Answer>,
    ) {
        let Before { duties: old, is_void: was_void } = before;
        let mut unclaimed = meaning.removal.count() + usize::from(meaning.identifies);
        let state = &self.state;
        let ends = state.pass.is_open() && matches!(event, Event::End {});
        let is_voided = !was_void && state.pass.has(Milestone::Void);
        let wakes = ends || is_voided || (self.until_bank > 0 && begins_banks_turn(event, meaning, state));
        let all = wakes || !Duty::may_sleep_through(event);
        if !all && self.awake.is_empty() && self.duties.len() == old {
            return;
        }
        let watched: Vec<usize> = if all {
            (0..self.duties.len()).collect()
        } else {
            self.awake.iter().copied().chain(old..self.duties.len()).collect()
        };
        let (mut put_right, mut let_lie, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        for &n in &watched {
            let duty = &mut self.duties[n];
            let fate = if is_voided {
                Fate::Cleared
            } else if n < old || ends {
                duty.watch(event, meaning, state, &mut unclaimed)
            } else if duty.parts.is_empty() {
                Fate::Cleared
            } else {
                Fate::Open
            };
            match fate {
                Fate::Open => continue,
                Fate::Over => {}
                Fate::Cleared => {
                    match event {
                        Event::Rule { decision, .. } => {
                            let_lie.extend(duty.bet.filter(|_| *decision == Ruling::Stands));
                        }
                        _ => put_right.extend(duty.bet),
                    }
                    answers.push(duty.cleared(line));
                }
                Fate::Breach => {
                    let missing = duty.parts.iter().map(|part| part.remedy()).collect();
                    answers.push(Answer::Breach { finding: duty.finding, line, missing });
                }
            }
            gone.push(n);
        }
        self.put_to_sleep(&watched, &gone, all);
        put_right.into_iter().for_each(|(id, spot)| self.state.note_wrong(id, spot, false));
        let_lie.into_iter().for_each(|(id, spot)| self.state.let_money_lie(id, spot));
    }

    /// Takes duties out that are over, and sees which of those looked at no event need look at for now.
    fn put_to_sleep(&mut self, watched: &[usize], gone: &[usize], all: bool) {
        if all {
            let mut n = 0;
            self.duties.retain(|_| {
                n += 1;
                gone.binary_search(&(n - 1)).is_err()
            });
            self.until_bank = 0;
        } else {
            gone.iter().rev().for_each(|&n| drop(self.duties.remove(n)));
        }
        self.seen.0 = self.seen.0.min(gone.first().copied().unwrap_or(self.duties.len()));
        self.awake.clear();
        let mut before = 0;
        for &n in watched {
            if gone.get(before) == Some(&n) {
                before += 1;
                continue;
            }
            let duty = &self.duties[n - before];
            if !duty.may_sleep() {
                self.awake.push(n - before);
            } else if duty.deadline == Deadline::BanksTurn {
                self.until_bank += 1;
            }
        }
    }

    /// What was decided about a finding.
    fn room_rules(&mut self, event: &Event, meaning: &EventMeaning) {
        let Event::Rule { decision, .. } = event else { return };
        let Some(known) = meaning.ruled.and_then(|ruled| self.memory.finding_mut(ruled)) else { return };
        known.is_decided = true;
        self.state.rule(*decision, known.place, &known.stands, known.resumes);
    }

    /// Says what every bet was owed, and clears the felt.
    fn end(&mut self, line: LineNo, answers: &mut Vec<Answer>) {
        self.state.settlements(line, |settle| answers.push(Answer::Settle(settle)));
        self.state.end_pass();
        self.memory.clear();
        self.duties.clear();
        self.awake.clear();
        self.until_bank = 0;
        self.seen.0 = 0;
    }
}
