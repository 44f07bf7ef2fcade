//! A course of events as it has been judged so far: the facts, what was found in them, what is still to be done.
//!
//! It can be copied: what is judged again begins with a copy of an earlier moment.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use rpds::RedBlackTreeSetSync;

use super::told::Taken;
use super::unheard::{Unheard, where_it_lay};
use crate::procedure::apply::{Change, Effect};
use crate::procedure::cards::Held;
use crate::procedure::context::{Context, Drawn, EventMeaning, Role};
use crate::procedure::duties::{Claims, Duties};
use crate::procedure::duty::{Deadline, Duty, Part};
use crate::procedure::known::Fact;
use crate::procedure::pass::Milestone;
use crate::procedure::state::State;
use crate::procedure::watch::{Fate, begins_banks_turn};
use crate::regulation::{Case, Findings, Index, Memory, Raised, Regulation, everywhere};
use crate::table::answer::{Details, Finding, Lang, Severity};
use crate::table::event::{Face, Permit, Ruling};
use crate::table::{Answer, Card, Event, HandId, Header, LineNo, Moved, Name, Place};

/// What a table is held against, the same for a whole log.
#[derive(Debug, Clone)]
pub(super) struct House {
    pub(super) header: Header,
    pub(super) regulation: Regulation,
    pub(super) lang: Lang,
    pub(super) articles: Index,
}

/// What makes a finding the same one when its pass is judged again: line, provision, place, and whom it names.
pub(super) type Identity = (LineNo, &'static str, Option<Place>, u8);

/// Numbers of findings by what makes each the same, and by how grave it is: of two at one place each keeps its own.
/// Copies share what they have in common.
pub(super) type Numbers = RedBlackTreeSetSync<(Identity, Severity, u64)>;

/// The seat or device that a finding names, as far as it tells two at one line apart.
pub(super) fn whom(details: &Details) -> u8 {
    let device = details.device.as_ref().map_or("", Name::as_str);
    details.seat.unwrap_or_else(|| device.bytes().fold(0, |sum, byte| sum.rotate_left(3) ^ byte))
}

/// The last card drawn, where it is one of play and nothing asked for it.
#[derive(Debug, Clone)]
pub(super) struct Unasked {
    /// The hand it went to.
    pub(super) hand: HandId,
    /// The finding about it.
    finding: u64,
    /// What makes that the same.
    pub(super) identity: Identity,
    /// The facts in which it would have come, had what was chosen since been chosen before.
    pub(super) before: Option<Arc<Before>>,
}

/// The facts before a card that nothing asked for, with what was chosen for its hand since.
#[derive(Debug, Clone)]
pub(super) struct Before {
    pub(super) course: Course,
    /// The place of the card among what was told.
    pub(super) at: usize,
    /// The place up to which choices were looked for.
    pub(super) heard: usize,
}

/// What there was before an event.
#[derive(Debug, Clone, Copy)]
struct Stood {
    /// How many duties were raised.
    duties: u64,
    /// The pass was void.
    is_void: bool,
    /// How many cards the bank lacked.
    bank_lacked: usize,
}

/// What an event came to.
#[derive(Debug, Default)]
pub(super) struct Step {
    /// A pass ended with it.
    pub(super) ended: bool,
    /// The cards it took, where it did not name them.
    pub(super) taken: Option<Taken>,
}

/// A course of events as judged so far.
#[derive(Debug, Clone)]
pub(super) struct Course {
    pub(super) state: State,
    pub(super) duties: Duties,
    /// What was found in this pass.
    memory: Memory,
    /// The number of the newest finding.
    pub(super) found: u64,
    /// Numbers that findings had when this course was judged before, and keep.
    pub(super) numbers: Numbers,
    pub(super) unasked: Option<Unasked>,
    pub(super) unheard: Option<Unheard>,
    /// What is found at an event, and what that makes of the facts: empty between events, but for their memory.
    raised: Vec<Raised>,
    effects: Vec<Effect>,
}

impl Course {
    pub(super) fn new(state: State) -> Self {
        Self {
            state,
            duties: Duties::default(),
            memory: Memory::default(),
            found: 0,
            numbers: Numbers::default(),
            unasked: None,
            unheard: None,
            raised: Vec::new(),
            effects: Vec::new(),
        }
    }

    /// The same, to judge on from: findings are numbered from there, but for those that have a number.
    pub(super) fn to_go_on(&self, found: u64, numbers: Numbers) -> Self {
        Self { found, numbers, ..self.clone() }
    }

    /// Takes one event, the one on `line`, and adds what is answered.
    pub(super) fn step(&mut self, house: &House, line: LineNo, event: &Event, answers: &mut Vec<Answer>) -> Step {
        let event = &*where_it_lay(&self.state, &self.duties, event);
        // a ruling that reaches nothing tells nothing
        let kept = self.unheard.take_if(|_| matches!(event, Event::Rule { .. }));
        if let Some(state) = self.unheard.take().and_then(|unheard| unheard.taken_back(event, &self.state)) {
            self.state = state;
            self.put_right(line, event, answers);
        }
        if self.state.leaves_pass_behind(event) {
            self.leave_behind(line, answers);
        }
        self.take_as_done(line, event, answers);
        if self.state.tells_of_gone(event) {
            return Step::default();
        }
        let before_it = Unheard::before(&self.state, event);
        self.state.infer(event);
        let ends = self.state.pass.is_open() && matches!(event, Event::End {});
        let before = Stood {
            duties: self.duties.raised(),
            is_void: self.state.pass.has(Milestone::Void),
            bank_lacked: self.state.bank_lacks(),
        };
        let mut meaning = EventMeaning::read(&self.state, &self.duties, event);
        let ruled = everywhere::ruled(event, &self.memory, &self.duties, &self.state);
        meaning.ruled = ruled.and_then(Result::ok);
        let unheard = Unheard::after(before_it, &self.state, meaning.drawn);
        let claims = self.claims(event, &meaning);
        let taken = self.taken(event, &meaning);
        self.judge(house, event, &meaning, ruled.and_then(Result::err));
        self.state.apply(&Change { event, meaning: &meaning, effects: &self.effects });
        self.effects.clear();
        self.room_rules(event, &meaning);
        self.judge_money(house, event, &meaning, before.is_void);
        let mut undue = None;
        let raised = core::mem::take(&mut self.raised);
        // what is being done about a finding goes on from the facts as they are
        if self.duties.is_empty() {
            self.unheard = unheard;
        }
        self.unheard = self.unheard.take().or(kept.filter(|_| meaning.ruled.is_none()));
        let named = self.named(event, &meaning, &raised);
        for mut raised in raised {
            raised.cards.extend(named);
            let n = self.record(house, line, meaning.drawn, &raised, answers);
            let identity = (line, raised.article.id, raised.place, whom(&raised.details));
            undue = undue.or(raised.effects.contains(&Effect::NotDue).then_some((n, identity)));
        }
        self.note_unasked(event, &meaning, undue);
        if !self.duties.is_empty() {
            self.use_permit(event);
            self.watch((line, event), &meaning, (before, &claims), answers);
        }
        if ends {
            self.end(line, answers);
        }
        Step { ended: ends, taken }
    }

    /// A card that came by mistake is taken back: what it was found to break is put right with that, unless that asks
    /// for the card itself.
    fn put_right(&mut self, line: LineNo, event: &Event, answers: &mut Vec<Answer>) {
        let Event::Move { from, to, .. } = event else { return };
        if self.duties.to_move(*from, *to) > 0 {
            return;
        }
        for finding in self.duties.all() {
            answers.extend(self.duties.of(finding).map(|duty| duty.cleared(line)));
            self.duties.close(finding);
        }
    }

    /// The card that everything found at an event names: the one drawn, where all see it and nothing that is found has
    /// it go where nobody may learn it. Where it is not known who has which cards, an untold face may be a covered one.
    fn named(&self, event: &Event, meaning: &EventMeaning, raised: &[Raised]) -> Option<Card> {
        let Event::Draw { card, face, .. } = event else { return None };
        let is_told_up = *face == Some(Face::Up) && self.state.observes.faces;
        let is_guess = self.state.pass.is_open() && self.state.unknown().has(Fact::Hands);
        let is_up = meaning.drawn.is_some_and(|drawn| drawn.is_seen()) && (is_told_up || !is_guess);
        (is_up && *card != Card::UNREAD && !raised.iter().any(Raised::hides_cards)).then_some(*card)
    }

    /// Parts of remedies that nobody sees count as done before the next event of dealing, play or settlement.
    fn take_as_done(&mut self, line: LineNo, event: &Event, answers: &mut Vec<Answer>) {
        if self.duties.is_empty() {
            return;
        }
        let Some(mut unseen) = self.state.unseen(event) else { return };
        let mut put_right = Vec::new();
        for finding in self.duties.unseen(unseen.moves()) {
            let cleared = self.duties.change(finding, |duty| {
                duty.take_as_done(&mut unseen);
                duty.parts.is_empty().then(|| (duty.bet, duty.cleared(line)))
            });
            if let Some((bet, cleared)) = cleared.flatten() {
                put_right.extend(bet);
                answers.push(cleared);
                self.duties.close(finding);
                // a card that is burned cannot be explained any more
                self.unasked.take_if(|card| card.finding == finding);
            }
        }
        self.state.take_as_done(&unseen);
        put_right.into_iter().for_each(|(id, spot)| self.state.note_wrong(id, spot, false));
    }

    /// How a finding may still be decided.
    pub(super) fn rulings(&self, finding: u64) -> impl Iterator<Item = Ruling> {
        let known = self.memory.finding(finding).filter(|known| !known.is_decided);
        let may_be = move |decision| {
            known.is_some_and(|known| self.state.may_be_ruled(decision, known.place, known.is_for_room))
        };
        Ruling::ALL.iter().copied().filter(move |decision| may_be(*decision))
    }

    /// The device whose blindness a ruling lets pass.
    pub(super) fn resumed(&self, event: &Event) -> Option<Name> {
        let Event::Rule { decision: Ruling::Resume, .. } = event else { return None };
        let ruled = everywhere::ruled(event, &self.memory, &self.duties, &self.state)?.ok()?;
        everywhere::blind_device(self.memory.finding(ruled)?)
    }

    /// What a `move` to the burn tray, or back to the shoe, takes of the cards that lie at a place, where it does not
    /// say so: which they are follows from what is due, and stays so when that is judged otherwise.
    fn taken(&self, event: &Event, meaning: &EventMeaning) -> Option<Taken> {
        let Event::Move { from, to: Place::Burn | Place::Shoe, cards: None } = event else { return None };
        let lying = self.state.pass.lying_at(*from);
        let is_taken = |(n, held): (usize, &Held)| meaning.removal.takes(n).then_some(held.card);
        let taken: Vec<Card> = lying.iter().enumerate().filter_map(is_taken).collect();
        match taken.len() {
            0 => None,
            all if all == lying.len() => Some(Taken::All),
            _ => Some(Taken::Some(taken)),
        }
    }

    /// Keeps in mind a card of play that nothing asked for, until another is drawn, cards are burned or put back, or
    /// the room decides about it.
    fn note_unasked(&mut self, event: &Event, meaning: &EventMeaning, undue: Option<(u64, Identity)>) {
        match (event, meaning.drawn) {
            (_, Some(drawn)) => {
                let is_play = drawn.role == Role::NotDue && self.state.delivered();
                // one that nobody saw go anywhere is taken to be of whose turn it is
                let turn = self.state.pass.turn().filter(|_| drawn.place.is_none());
                let found = undue.filter(|_| is_play).zip(drawn.hand().or(turn));
                self.unasked =
                    found.map(|((finding, identity), hand)| Unasked { hand, finding, identity, before: None });
            }
            (Event::Move { to: Place::Burn | Place::Shoe, .. } | Event::End {}, _) => self.unasked = None,
            (Event::Rule { .. }, _) => {
                self.unasked = self.unasked.take().filter(|card| meaning.ruled != Some(card.finding))
            }
            _ => {}
        }
    }

    /// What the articles say of the event, and what that makes of the facts; `unreached` says why a ruling decides
    /// nothing.
    fn judge(&mut self, house: &House, event: &Event, meaning: &EventMeaning, unreached: Option<&'static Case>) {
        let context =
            Context { state: &self.state, settings: self.state.settings(), duties: &self.duties, event, meaning };
        let mut findings = Findings::new(&self.memory, self.found, &mut self.raised, house.regulation.not_provided_for);
        if (self.state.observes_event(event) || event.is_choice()) && !self.state.tells_no_change(event) {
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

    /// What the articles say of what bets were given, in the facts after the event. What voids the pass makes no
    /// mistake of what was given before: it leaves nothing due.
    fn judge_money(&mut self, house: &House, event: &Event, meaning: &EventMeaning, was_void: bool) {
        let mistakes = self.state.mistakes(event);
        if mistakes.is_empty() {
            return;
        }
        let context =
            Context { state: &self.state, settings: self.state.settings(), duties: &self.duties, event, meaning };
        let mut findings = Findings::new(&self.memory, self.found, &mut self.raised, house.regulation.not_provided_for);
        let is_voided = !was_void && self.state.pass.has(Milestone::Void);
        if !is_voided {
            mistakes.iter().for_each(|mistake| house.articles.judge_money(&context, mistake, &mut findings));
        }
        let wrong: Vec<_> = mistakes.iter().map(|mistake| (mistake.id, mistake.spot)).collect();
        wrong.into_iter().for_each(|(id, spot)| self.state.note_wrong(id, spot, true));
    }

    /// A card that could not be read is told by a correction of its line: the finding about it stands, and is cleared.
    pub(super) fn tell_unread(&mut self, house: &House, line: LineNo, answers: &mut Vec<Answer>) {
        let room = house.regulation.not_provided_for;
        // the notice of that line that has not come again
        let left = self.numbers.range(((line, room.id, None, 0), Severity::Notice, 0)..);
        let mut of_line = left.take_while(|((at, id, ..), ..)| (*at, *id) == (line, room.id));
        let notice = of_line.find(|(_, severity, _)| *severity == Severity::Notice);
        let Some(place) = notice.map(|((_, _, place, _), ..)| *place) else { return };
        Findings::new(&self.memory, self.found, &mut self.raised, room).raise_unread(place);
        for raised in core::mem::take(&mut self.raised) {
            let finding = self.record(house, line, None, &raised, answers);
            self.duties.close(finding);
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
        let n = self.number((line, raised.article.id, raised.place, whom(&raised.details)), raised.severity);
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
            self.duties.add(duty);
        }
        n
    }

    /// The number of a finding: the one it had when it was found before, else the next.
    fn number(&mut self, identity: Identity, severity: Severity) -> u64 {
        let first = |from, to| self.numbers.range((identity, from, 0)..=(identity, to, u64::MAX)).next().copied();
        let had = first(severity, severity).or_else(|| first(Severity::Notice, Severity::Integrity));
        if let Some(had) = had {
            self.numbers.remove_mut(&had);
            return had.2;
        }
        self.found += 1;
        self.found
    }

    /// An authorisation that a duty waited for is used by it.
    fn use_permit(&mut self, event: &Event) {
        if let Event::Authorize { what, .. } = event
            && self.duties.asks_for(Part::Authorize(*what))
        {
            self.state.permits.set(*what, false);
        }
    }

    /// Which findings there are get the cards that an event moves or names.
    fn claims(&self, event: &Event, meaning: &EventMeaning) -> Claims {
        let moved = match event {
            Event::Move { to: Place::Burn, .. } => meaning.removal.answers(),
            Event::Move { to: Place::Shoe, .. } => meaning.removal.count(),
            // taken elsewhere, cards are to be burned from there; what is cleared with the felt lacks where it lay
            Event::Move { from: Place::Hand(_) | Place::Bank, .. } if !meaning.clearing => meaning.removal.answers(),
            _ => 0,
        };
        let count = moved + usize::from(meaning.identifies);
        let own = match event {
            Event::Move { from, cards: Some(Moved::Cards(cards)), .. } => self.memory.of_cards(*from, cards),
            // of several cards that could not be read, the one that is turned up
            Event::Reveal { at, .. } if meaning.identifies => {
                let mut unread = self.state.pass.lying_at(*at).iter().filter(|held| held.card == Card::UNREAD);
                let nth = unread.position(|held| held.down == meaning.turns_up);
                nth.and_then(|nth| self.duties.to_name(*at).get(nth).copied()).into_iter().collect()
            }
            _ => Vec::new(),
        };
        self.duties.claims(event, count, self.state.settings().delivery.burned_first, &own)
    }

    /// Sees how every duty fared; those there were before it, and those opened by this very event.
    fn watch(
        &mut self,
        (line, event): (LineNo, &Event),
        meaning: &EventMeaning,
        (before, claims): (Stood, &Claims),
        answers: &mut Vec<Answer>,
    ) {
        let state = &self.state;
        let ends = state.pass.is_open() && matches!(event, Event::End {});
        let is_voided = !before.is_void && state.pass.has(Milestone::Void);
        let takes_bet = matches!(event, Event::Rule { decision: Ruling::Void | Ruling::Lose, .. });
        let watched = if ends || is_voided {
            self.duties.all()
        } else {
            self.duties.concerned(meaning.ruled, claims, begins_banks_turn(event, meaning, state))
        };
        let (mut put_right, mut let_lie, mut to_burn) = (Vec::new(), Vec::new(), Vec::new());
        // of findings that each have the bank served, a card serves one
        let serves_bank = meaning.serves_bank();
        let (mut is_served, mut lacking) = (!serves_bank, state.bank_lacks());
        let is_ruling = matches!(event, Event::Rule { .. });
        let mut let_count = if is_ruling { before.bank_lacked.saturating_sub(lacking) } else { 0 };
        for finding in watched {
            let fared = self.duties.change(finding, |duty| {
                if is_voided || (takes_bet && meaning.ruled == Some(finding)) {
                    to_burn.extend(duty.parts.iter().filter_map(Part::cards_to_burn));
                }
                let fate = if is_voided {
                    Fate::Cleared
                } else if serves_bank && is_served && duty.bank_cards() > 0 && lacking > 0 {
                    lacking = lacking.saturating_sub(duty.bank_cards());
                    Fate::Open
                } else if duty.number < before.duties || ends {
                    is_served |= duty.bank_cards() > 0;
                    duty.count_served(&mut let_count);
                    duty.watch(event, meaning, state, claims.get(&finding).copied().unwrap_or(0))
                } else if duty.parts.is_empty() {
                    Fate::Cleared
                } else {
                    Fate::Open
                };
                match fate {
                    Fate::Cleared => answers.push(duty.cleared(line)),
                    Fate::Breach => answers.push(duty.breach(line)),
                    Fate::Open | Fate::Over => {}
                }
                (fate, duty.bet)
            });
            let Some((fate, bet)) = fared.filter(|(fate, _)| *fate != Fate::Open) else { continue };
            if fate == Fate::Cleared {
                match event {
                    // what was given lies, or the pass goes on with it
                    Event::Rule { decision, .. } => {
                        let_lie.extend(bet.filter(|_| matches!(decision, Ruling::Stands | Ruling::Resume)))
                    }
                    _ => put_right.extend(bet),
                }
            }
            self.duties.close(finding);
        }
        // what was to be burned is burned all the same
        to_burn.into_iter().for_each(|(place, cards)| self.state.must_burn(place, cards));
        put_right.into_iter().for_each(|(id, spot)| self.state.note_wrong(id, spot, false));
        let_lie.into_iter().for_each(|(id, spot)| self.state.let_money_lie(id, spot));
    }

    /// What was decided about a finding.
    fn room_rules(&mut self, event: &Event, meaning: &EventMeaning) {
        let Event::Rule { decision, .. } = event else { return };
        let Some(known) = meaning.ruled.and_then(|ruled| self.memory.finding_mut(ruled)) else { return };
        known.is_decided = true;
        if let (Ruling::Stands, Some(ruled)) = (decision, meaning.ruled) {
            self.state.lies_after_all(ruled);
        }
        self.state.rule(*decision, known.place, &known.stands, known.resumes);
        // what a bet is owed now is judged anew
        let is_owed_anew = matches!(decision, Ruling::Void | Ruling::Lose);
        let bet = meaning.ruled.filter(|_| is_owed_anew).and_then(|ruled| self.duties.of(ruled)?.bet);
        bet.into_iter().for_each(|(id, spot)| self.state.note_wrong(id, spot, false));
    }

    /// Another pass begins though this one had no `end`: no account was asked for, and what was not done about its
    /// findings is no more.
    fn leave_behind(&mut self, line: LineNo, answers: &mut Vec<Answer>) {
        for finding in self.duties.all() {
            let missed = self.duties.of(finding).filter(|duty| !duty.is_notice());
            answers.extend(missed.map(|duty| duty.breach(line)));
            self.duties.close(finding);
        }
        self.unasked = None;
        self.state.end_pass();
        self.memory.clear();
    }

    /// Says what every bet was owed, and clears the felt.
    fn end(&mut self, line: LineNo, answers: &mut Vec<Answer>) {
        self.state.settlements(line, |settle| answers.push(Answer::Settle(settle)));
        self.state.end_pass();
        self.memory.clear();
    }
}
