//! The table under its regulation while its events come.

use std::collections::BTreeSet;

use super::composition::{self, Composition};
use super::covered::CoveredCards;
use super::findings::{Findings, attended};
use super::observe::Table;
use super::refused::Refused;
use super::snapshot::FindingView;
use super::sourced_event::{SourcedEvent, device_event};
use sabot_journal::Covering;
use sabot_law::procedure::cards::Held;
use sabot_law::procedure::context::shows_card;
use sabot_law::procedure::hand::Hand;
use sabot_law::table::answer::Text;
use sabot_law::table::due::OpenRemedy;
use sabot_law::table::felt::{Felt, Words};
use sabot_law::table::{Answer, BetSpot, Card, Cents, Event, HandId, LineNo, Name, Place, Severity};
use sabot_law::validator::Validator;
use sabot_wire::message::Role;

/// What would be found is tried while no more events than this are kept. A pass has some 150; a copy of so many, with
/// one of them judged again, takes half a millisecond.
pub(super) const MOST_TRIED: usize = 2_000;

/// What came of an event.
pub(super) struct Judged {
    /// The gravest finding that it raised.
    pub(super) raised: Option<Severity>,
    /// What it covers and uncovers.
    pub(super) covering: Covering,
    /// What was answered to it.
    pub(super) answers: Vec<Answer>,
    /// The pass it is of.
    pub(super) pass: u64,
    /// Everybody sees the card that it draws.
    pub(super) shown: bool,
}

/// The table under its regulation, and the events that the record has not been given yet.
pub(super) struct LiveTable {
    pub(super) validator: Validator,
    pub(super) findings: Findings,
    /// The last line.
    pub(super) lines: LineNo,
    pub(super) covered: CoveredCards,
    /// Lines that tell a card which nobody may know, and the corrections that put it there.
    secrets: BTreeSet<LineNo>,
    /// What many shoes have shown.
    composition: Composition,
    /// Events that the validator has judged and the record has not been given.
    pub(super) unrecorded: Vec<(SourcedEvent, Judged)>,
    /// The gravest finding that these raised.
    pub(super) news: Option<Severity>,
}

impl LiveTable {
    /// A table whose log has its header only.
    pub(super) fn new(validator: Validator, findings: Findings) -> Self {
        let (unrecorded, covered) = (Vec::new(), CoveredCards::default());
        let (secrets, composition) = (BTreeSet::new(), Composition::default());
        Self { validator, findings, lines: 1, covered, secrets, composition, unrecorded, news: None }
    }

    /// With what shoes have shown before its log began.
    pub(super) fn knowing(self, composition: Composition) -> Self {
        Self { composition, ..self }
    }

    /// What many shoes have shown.
    pub(super) const fn composition(&self) -> &Composition {
        &self.composition
    }

    /// What all shoes have shown, up to this one, of which the log of the next day knows nothing.
    pub(super) fn composition_of_days(&self) -> Composition {
        let mut composition = self.composition.clone();
        composition.ends(self.validator.state().supply.shoe());
        composition
    }

    /// A table whose log was read up to a line.
    pub(super) fn after(self, lines: LineNo) -> Self {
        Self { lines, ..self }
    }

    /// Steps the validator.
    pub(super) fn step(&mut self, line: LineNo, event: &Event) -> Judged {
        self.lines = line;
        self.composition.hear(event, self.validator.state().supply.shoe());
        let shown = shows_card(self.validator.state(), self.validator.duties(), event);
        let mut answers = Vec::new();
        self.validator.step(line, event, &mut answers);
        let covering = self.covered.take(line, event, shown, self.validator.state());
        self.keep_secrets(line, &covering);
        let findings = &mut self.findings;
        if let Some((finding, attention)) = attended(event) {
            findings.attend(finding, attention);
        }
        let raised = answers.iter().filter_map(|answer| {
            let finding = findings.take(answer.clone())?;
            tracing::info!(n = finding.n, line, provision = finding.provision, "finding");
            Some(finding.severity)
        });
        let raised = raised.max();
        findings.left(self.validator.duties().iter().map(|duty| duty.finding));
        let pass = self.validator.state().pass_no;
        Judged { raised, covering, answers, pass, shown }
    }
}

impl LiveTable {
    /// Open findings of which nothing is shown at the table.
    pub(super) fn untold(&self) -> Vec<u64> {
        if self.findings.silent().is_empty() {
            return Vec::new();
        }
        let open = self.validator.duties().iter().map(|duty| duty.finding);
        open.filter(|finding| self.findings.is_hidden(*finding)).collect()
    }

    /// The felt as it is shown at the table.
    pub(super) fn felt(&self) -> Felt {
        self.validator.felt_without(&self.untold())
    }

    /// What is left to be done about findings that are not shown at the table.
    pub(super) fn untold_remedies(&self) -> Vec<OpenRemedy> {
        if self.findings.silent().is_empty() {
            return Vec::new();
        }
        let remedies = self.validator.remedies().into_iter();
        remedies.filter(|remedy| self.findings.is_hidden(remedy.finding)).collect()
    }

    /// Findings as they are shown while their table goes on.
    pub(super) fn seen(&self, findings: Vec<FindingView>) -> Vec<FindingView> {
        let seen = |view: FindingView| FindingView { rulings: self.validator.rulings(view.finding.n), ..view };
        findings.into_iter().map(seen).collect()
    }

    /// What would be answered to the last of these events, if they happened now; nothing in a pass so long that it is
    /// not tried.
    fn answers_to_last(&self, events: &[&Event]) -> Option<Vec<Answer>> {
        if self.validator.kept_events() > MOST_TRIED {
            return None;
        }
        let (mut validator, mut answers) = (self.validator.clone(), Vec::new());
        for (line, event) in (self.lines + 1..).zip(events) {
            answers.clear();
            validator.step(line, event, &mut answers);
        }
        Some(answers)
    }

    /// How many findings the last would raise.
    fn findings_of_last(&self, events: &[&Event]) -> Option<usize> {
        let answers = self.answers_to_last(events)?;
        Some(answers.iter().filter(|answer| matches!(answer, Answer::Finding(_))).count())
    }

    /// The hands of a box, or the place itself.
    fn hands_at(&self, at: Place) -> impl Iterator<Item = Place> {
        let (box_no, hands) = match at {
            Place::Hand(HandId { box_no, .. }) => {
                let betting_box = self.validator.state().pass.betting_box(box_no);
                (box_no, betting_box.map_or(0, |betting_box| betting_box.hands.len()))
            }
            _ => (0, 0),
        };
        let hands = (0..).take(hands).map(move |hand| Place::Hand(HandId { box_no, hand }));
        hands.chain((box_no == 0).then_some(at))
    }

    fn keep_secrets(&mut self, line: LineNo, covering: &Covering) {
        if covering.covers.is_some() {
            self.secrets.extend([line, self.validator.meant(line)]);
        }
        for (line, _) in &covering.uncovers {
            self.secrets.remove(line);
        }
        let first = self.validator.settled().unwrap_or_default();
        self.secrets = self.secrets.split_off(&first);
    }

    /// Whether a line tells a card that nobody may know.
    pub(super) fn tells_secret(&self, line: LineNo) -> bool {
        self.secrets.contains(&line)
    }

    /// Whether a ruling decides anything. In the record one that does not is a finding: on a screen it is refused with
    /// the same words, so that a double touch rules once.
    pub(super) fn has_effect(&self, ruling: &Event) -> Result<(), Refused> {
        let (mut validator, mut answers) = (self.validator.clone(), Vec::new());
        validator.step(self.lines + 1, ruling, &mut answers);
        let none = validator.regulation().not_provided_for.id;
        let told = answers.into_iter().find_map(|answer| match answer {
            Answer::Finding(finding) if finding.provision == none => Some(finding.text),
            _ => None,
        });
        told.map_or(Ok(()), |Text { es, en, .. }| Err(Refused::Said(Words { es, en })))
    }

    /// The record is told that covered cards on these lines are not known any more.
    pub(super) fn forget(&mut self, told: SourcedEvent, lost: Vec<LineNo>) {
        self.apply(told);
        if let Some((_, judged)) = self.unrecorded.last_mut() {
            judged.covering.lost = lost;
        }
    }
}

impl Table for LiveTable {
    fn is_settling(&self, hand: HandId) -> bool {
        self.validator.is_settling(hand)
    }

    fn bank_must_have_turned(&self) -> bool {
        let state = self.validator.state();
        let pass = &state.pass;
        let has_two = pass.bank.served >= 2 && state.delivered();
        has_two && !state.observes.turns && (pass.turn().is_none() || pass.lying_at(Place::Bank).len() > 2)
    }

    fn is_paid_blackjack(&self, hand: HandId, amount: Cents) -> bool {
        let rate = self.validator.settings().pays.blackjack;
        let hand = self.validator.state().pass.hand(hand);
        hand.is_some_and(|hand| !hand.split && hand.is_blackjack() && rate.of(hand.at_stake()) == amount)
    }

    fn split_off(&self, hand: HandId) -> Option<Cents> {
        self.validator.state().pass.hand(hand).filter(|_| hand.hand > 0).map(|hand| hand.stake)
    }

    fn is_in_play(&self, hand: HandId) -> bool {
        self.validator.is_in_play(hand)
    }

    fn bettor(&self, box_no: u8) -> Option<Name> {
        self.validator.state().pass.named_bettor(box_no).cloned()
    }

    fn doubled(&self, hand: HandId) -> Cents {
        self.validator.state().pass.hand(hand).map_or(0, |hand| hand.doubled_by)
    }

    fn insured(&self, hand: HandId) -> bool {
        self.validator.state().pass.hand(hand).is_some_and(|hand| hand.insurance > 0)
    }

    fn article(&self, number: u16) -> Option<&'static str> {
        self.validator.regulation().on_keypad(number).map(|article| article.id)
    }

    fn is_covered(&self, at: Option<Place>) -> bool {
        let pass = &self.validator.state().pass;
        at.map_or_else(|| pass.lying().any(|held| held.down), |at| pass.lying_at(at).iter().any(|held| held.down))
    }

    fn is_unread(&self, at: Place) -> bool {
        let lying = self.validator.state().pass.lying_at(at);
        lying.iter().any(|held| !held.down && held.card == Card::UNREAD)
    }

    fn on_spot(&self, hand: HandId, spot: BetSpot) -> Cents {
        self.validator.on_spot(hand, spot)
    }

    fn hands(&self, box_no: u8) -> Vec<HandId> {
        let pass = &self.validator.state().pass;
        let all = (0..).map(|hand| HandId { box_no, hand });
        let mut hands: Vec<HandId> = all.take_while(|hand| pass.hand(*hand).is_some()).collect();
        hands.sort_by(|one, other| pass.plays_before(*other, *one).cmp(&pass.plays_before(*one, *other)));
        let waits_for_chips = |hand: &Hand| hand.doubled && hand.doubled_by == 0;
        hands.sort_by_key(|hand| (!pass.hand(*hand).is_some_and(waits_for_chips), pass.turn() != Some(*hand)));
        hands
    }

    fn may_have_stood(&self, hand: HandId) -> bool {
        let pass = &self.validator.state().pass;
        let has_two = pass.hand(hand).is_some_and(|hand| hand.count() >= 2);
        has_two && self.hands(hand.box_no).into_iter().any(|other| pass.plays_before(hand, other))
    }

    fn would_find(&self, event: &Event) -> bool {
        self.findings_of_last(&[event]).is_none_or(|found| found > 0)
    }

    fn would_explain(&self, event: &Event) -> bool {
        let answers = self.answers_to_last(&[event]).unwrap_or_default();
        let withdraws = answers.iter().any(|answer| matches!(answer, Answer::Withdrawn { .. }));
        withdraws && !answers.iter().any(|answer| matches!(answer, Answer::Finding(_)))
    }

    fn finds_unsettled(&self, box_no: u8, event: &Event) -> bool {
        let state = self.validator.state();
        let ids = (1..).map(|hand| HandId { box_no, hand });
        let hands = ids.map_while(|id| Some((id, state.pass.hand(id)?)));
        let open = hands.filter(|(_, hand)| !hand.void && !hand.is_touched(BetSpot::Main));
        let (mut collected, mut paid) = (Vec::new(), Vec::new());
        let (mut lost, mut won) = (0, 0);
        for (hand, owed, of) in open.filter_map(|(id, hand)| Some((id, state.owed(hand).known()?, hand))) {
            // a double lies on a pad of its own, and is taken from there
            lost += owed.lost.min(of.stake);
            won += owed.pay;
            let spot = BetSpot::Main;
            match (owed.lost, owed.pay) {
                (0, 0) => {}
                (0, amount) => paid.push(Event::Pay { hand, amount, spot }),
                (amount, _) => collected.push(Event::Collect { hand, amount, spot }),
            }
        }
        let settled: Vec<&Event> = collected.iter().chain(&paid).chain([event]).collect();
        let finds_more = || {
            let found = self.findings_of_last(&[event]).zip(self.findings_of_last(&settled));
            found.is_none_or(|(unsettled, settled)| unsettled > settled)
        };
        won > 0 && won == lost && finds_more()
    }

    fn may_lie_split(&self, box_no: u8) -> Cents {
        let pass = &self.validator.state().pass;
        let hands = (1..).map_while(|hand| pass.hand(HandId { box_no, hand }));
        hands.map(|hand| hand.stake.saturating_sub(hand.collected) + hand.paid).sum()
    }

    fn card_due(&self) -> Option<Place> {
        self.validator.state().card_due()
    }

    fn lying(&self, at: Place, card: Card) -> usize {
        let pass = &self.validator.state().pass;
        let alike = |held: &&Held| held.card == card;
        self.hands_at(at).map(|hand| pass.lying_at(hand).iter().filter(alike).count()).sum()
    }

    fn held(&self, at: Place, card: Card) -> Option<(Place, bool)> {
        self.hands_at(at).find_map(|hand| self.held_at(hand, card))
    }

    fn held_at(&self, hand: Place, card: Card) -> Option<(Place, bool)> {
        let alike = self.validator.state().pass.lying_at(hand).iter().filter(|held| held.card == card);
        alike.map(|held| (hand, held.down)).max_by_key(|(_, is_covered)| *is_covered)
    }

    fn to_clear(&self) -> Option<Place> {
        self.validator.state().to_clear()
    }

    fn burns(&self, from: Place) -> bool {
        self.validator.duties().to_move(from, Place::Burn) > 0
    }

    fn is_over(&self) -> bool {
        self.validator.is_over()
    }

    fn line(&self) -> LineNo {
        self.lines
    }

    fn may_correct(&self, office: &str) -> bool {
        self.validator.settings().remedy.may_correct.has(office)
    }

    fn apply(&mut self, told: SourcedEvent) {
        let judged = self.step(self.lines + 1, &told.event);
        self.news = judged.raised.max(self.news);
        self.unrecorded.push((told, judged));
        if let Some(what) = self.composition.take_alarm() {
            let event = device_event(Role::Shoe, composition::STATUS, Some(what));
            self.apply(SourcedEvent { event, source: None, paired: None, entered: None });
        }
    }
}
