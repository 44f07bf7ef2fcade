//! What is due next: what the dealer has to do, and where a card goes whose place is not seen.

use alloc::vec::Vec;

use super::duties::Duties;
use super::duty::Part;
use super::hand::Hand;
use super::hand_index::Status;
use super::known::Fact;
use super::pass::Milestone;
use super::settlement::Account;
use super::state::State;
use crate::table::due::{Chips, DueStep, Next, OpenRemedy, Progress};
use crate::table::event::{BankChange, Choice, Event, Face, Permit, Question};
use crate::table::felt::Phase;
use crate::table::place::MAX_BOXES;
use crate::table::settings::{Banker, Insured};
use crate::table::{BetSpot, Cents, HandId, Place, Remedy};

/// The next thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Part of a finding's remedy.
    Duty(Part),
    /// The decks must be shuffled.
    Shuffle,
    /// The retired cards must be shuffled to finish the pass, or the whole pack where nobody authorises it.
    Reshuffle {
        /// Only the retired ones.
        retired: bool,
    },
    /// The cut must be offered.
    OfferCut,
    /// A bettor must cut.
    Cut,
    /// The shoe must be loaded.
    Load,
    /// The bank must pass on to the next player.
    Turn,
    /// The bank must be drawn for.
    DrawBank,
    /// Bets are open.
    Bets,
    /// Chips of a double or a split, before its card.
    Chips(HandId, BetSpot, Cents),
    /// A question to a bettor.
    Ask(HandId, Question),
    /// A card for a place, and whether it is to lie covered.
    Card(Place, bool),
    /// A covered card must be turned up.
    Reveal(Place),
    /// A losing stake must be collected.
    Collect(HandId, BetSpot, Cents),
    /// A winning bet must be paid.
    Pay(HandId, BetSpot, Cents),
    /// Cards must be cleared to the discard tray.
    Clear(Place),
    /// The pass may end.
    End,
}

impl Due {
    /// A card is due there.
    fn serves(&self, to: Place) -> bool {
        matches!(self, Self::Card(place, _) if *place == to)
    }
}

impl State {
    /// Where a card is due now; `None` where none is.
    #[must_use]
    pub fn card_due(&self) -> Option<Place> {
        let pass = &self.pass;
        if !pass.is_open() {
            return None;
        }
        if pass.has(Milestone::Clearing) {
            return None;
        }
        let again = || self.pass.hands().find(|(_, hand)| hand.served_again).map(|(id, _)| id);
        if let Some(id) = self.dealt_next().or_else(again) {
            return Some(id.into());
        }
        if pass.bank.owed > 0 {
            return Some(Place::Bank);
        }
        if !self.delivered() {
            if self.pass.hands_with(Status::Live).is_empty() {
                return None;
            }
            // the second round has begun without the bank: it is served before anybody else (C13)
            let passed_over = pass.is_in_second_delivery() && pass.bank.served == 0;
            if passed_over && self.settings.bank_is_covered() && self.settings.delivery.strict_rounds {
                return Some(Place::Bank);
            }
            let waits = !self.settings.delivery.strict_rounds && !pass.hands_with(Status::First).is_empty();
            let delivery = if waits || self.is_in_first_delivery() { Status::First } else { Status::Second };
            return Some(self.pass.hands_with(delivery).first().map_or(Place::Bank, Place::from));
        }
        if let Some(id) = self.pass.hands_with(Status::Doubling).first()
            && self.pass.turn().is_none_or(|turn| self.pass.plays_before(id, turn))
        {
            return Some(id.into());
        }
        if self.settings.bank_is_covered() && pass.bank.served < 2 && !self.pass.hands_with(Status::Live).is_empty() {
            return Some(Place::Bank);
        }
        if let Some((id, _)) = self.pass.hands().find(|(_, hand)| hand.wants_card && self.may_draw_at_21(hand)) {
            return Some(id.into());
        }
        if let Some((id, hand)) = self.pass.unfinished().next() {
            let wanted = hand.wants_card
                || hand.waits_for_second()
                || !self.observes.decisions
                || hand.is_to_be_offered_double(&self.settings);
            return wanted.then(|| id.into());
        }
        if let Some(id) = self.pass.hands_with(Status::Second).first() {
            return Some(id.into());
        }
        if !self.settings.bank_is_covered() && pass.bank.served < 2 {
            let needed = self.bank_has_to_draw() || self.is_insured_against_bank();
            return needed.then_some(Place::Bank);
        }
        if pass.bank.is_covered() {
            // due is that it be uncovered; a card drawn instead is the bank's, whatever lies there
            return (self.bank_has_to_draw()).then_some(Place::Bank);
        }
        self.bank_draws_on().then_some(Place::Bank)
    }

    /// Where a card is due that must come: who may have stood unheard, or is still to be asked, waits for none.
    #[must_use]
    pub fn card_surely_due(&self) -> Option<Place> {
        let hand = |id| self.pass.hand(id);
        let may_wait =
            |id| self.delivered() && self.pass.turn() == Some(id) && hand(id).is_none_or(Hand::asks_for_none);
        self.card_due().filter(|place| !matches!(*place, Place::Hand(id) if may_wait(id)))
    }

    /// The same once a bettor has chosen.
    #[must_use]
    pub fn card_surely_due_once(&self, id: HandId, choice: Choice) -> Option<Place> {
        let mut chosen = self.clone();
        chosen.decide(id, choice);
        chosen.card_surely_due()
    }

    /// Where a card goes that nobody saw go anywhere: where one is due. Whether a bank draws on of which a card could
    /// not be read nobody knows, and with nobody left it may draw all the same; once all have played, no card goes
    /// elsewhere.
    #[must_use]
    pub fn card_goes(&self) -> Option<Place> {
        let bank = &self.pass.bank;
        let draws = || self.pass.is_dealt() && bank.served >= 2 && bank.must_draw().is_none() && !bank.is_covered();
        let is_last = || !self.pass.has(Milestone::Clearing) && self.pass.turn().is_none();
        let plays_last = bank.served > 0 && !self.settings.bank_is_covered();
        let is_idle = || plays_last && self.delivered() && self.bank_has_no_opponent();
        let may_draw = || (draws() && self.bank_has_to_draw()) || is_idle();
        self.card_due().or_else(|| (is_last() && may_draw()).then_some(Place::Bank))
    }

    /// Everything due now, the next thing first.
    #[must_use]
    pub fn due(&self, duties: &Duties) -> Vec<Due> {
        let next = self.next_due(duties);
        let is_next = |part: &Part| matches!(part, Part::Serve(to) if next.iter().any(|due| due.serves(*to)));
        let now = duties.in_order().filter(|duty| !duty.waits_for_play(self));
        let parts = now.flat_map(|duty| &duty.parts).filter(|part| !is_next(part));
        let asked_first = |part: &Part| match part {
            Part::Serve(to) => self.insurance_before(*to),
            _ => None,
        };
        let in_turn = |part: &Part| asked_first(part).into_iter().chain([Due::Duty(*part)]);
        let mut due = Vec::new();
        for step in parts.flat_map(in_turn).chain(next.iter().copied()) {
            if !due.contains(&step) {
                due.push(step);
            }
        }
        due
    }

    /// The next steps of the pass, whatever findings ask for. Who is to be paid or collected is left out while what an
    /// open finding leaves to be chosen or ruled may change it, and cards to clear while nobody knows what is owed to a
    /// bet that was given nothing.
    pub(super) fn next_due(&self, duties: &Duties) -> Vec<Due> {
        let mut due = Vec::new();
        match self.phase() {
            Phase::Idle | Phase::Bets if self.bankers.is_returned() => due.push(Due::DrawBank),
            Phase::Idle => due.push(self.shoe_due()),
            Phase::Bets if self.settings.reshuffles() && self.supply.shoe_is_over() => {
                due.push(self.shoe_due());
            }
            Phase::Bets if !self.pass.is_closed() => due.push(Due::Bets),
            // with every bet void before the first card nothing is left but the end
            Phase::Bets => due.push(self.delivery_due().unwrap_or(Due::End)),
            Phase::Delivery => due.extend(self.delivery_due()),
            Phase::Play => due.extend(self.to_turn_up().or_else(|| self.play_due())),
            Phase::Bank => due.extend(self.to_turn_up().or_else(|| self.bank_due())),
            Phase::Settlement => self.settlement_due(&mut due),
        }
        if let Some(refill) = self.refill_due() {
            due.iter_mut().filter(|due| matches!(due, Due::Card(..))).for_each(|due| *due = refill);
        }
        for due in &mut due {
            let Due::Card(Place::Hand(id), _) = *due else { continue };
            *due = self.chips_due(id).unwrap_or(*due);
        }
        let is_in_doubt = in_doubt(duties);
        // whether a hand gets a card is for its bettor to choose where that is open
        let chooses = |id: HandId| {
            let mut parts = duties.parts_awake();
            let is_asked = |part: &Part| matches!(part, Part::Offer(hand, _) | Part::AskConsent(hand) if *hand == id);
            self.observes.decisions && parts.any(is_asked)
        };
        due.retain(|due| match due {
            Due::Pay(id, ..) | Due::Collect(id, ..) => !is_in_doubt(*id),
            Due::Card(Place::Hand(id), _) | Due::Ask(id, _) => !chooses(*id),
            Due::Clear(_) => !self.lies_unknown(),
            _ => true,
        });
        // of a pass that began before the log only what lies there is known, and who has which card of one that the
        // shoe has not seen whole
        let (is_mid_pass, is_unseen) = (self.pass.is_mid_pass(), self.blindness.unknown().has(Fact::Cards));
        due.retain(|due| match due {
            Due::Card(..) => !is_mid_pass && !is_unseen,
            due => !is_mid_pass || *due == Due::End,
        });
        due
    }

    /// What is due in the words of the log: the open parts of remedies, then the next step of the pass.
    #[must_use]
    pub fn steps_due(&self, duties: &Duties) -> Vec<DueStep> {
        let mut steps: Vec<DueStep> = duties
            .in_order()
            .filter(|duty| !duty.waits_for_play(self))
            .flat_map(|duty| duty.steps().into_iter().map(|step| (duty.finding, step)))
            .filter(|(_, step)| step.progress == Progress::Open)
            .flat_map(|(finding, step)| {
                let asked_first = match step.remedy {
                    Remedy::Serve { to } => self.insurance_before(to).map(|ask| self.step(ask)),
                    _ => None,
                };
                asked_first.into_iter().chain([DueStep::of_finding(step.remedy, finding)])
            })
            .collect();
        if let Some(next) = self.next_due(duties).into_iter().next().map(|next| self.step(next))
            && !steps.contains(&next)
        {
            steps.push(next);
        }
        steps
    }

    fn step(&self, due: Due) -> DueStep {
        match due {
            Due::Duty(part) => part.remedy().into(),
            Due::Shuffle if !self.permits.has(Permit::Shuffle) => Permit::Shuffle.into(),
            Due::Shuffle | Due::Reshuffle { .. } => Next::Shuffle {}.into(),
            Due::OfferCut => Next::OfferCut {}.into(),
            Due::Cut => Next::Cut {}.into(),
            Due::Load => Next::Load {}.into(),
            Due::Turn => Next::Bank { how: BankChange::Turn }.into(),
            Due::DrawBank => Next::Bank { how: BankChange::Drawn }.into(),
            Due::Bets if self.pass.is_open() => Next::CloseBets {}.into(),
            Due::Bets => Next::Bet { chips: None }.into(),
            Due::Chips(hand, spot, amount) => Next::Bet { chips: Some(Chips { hand, spot, amount }) }.into(),
            Due::Ask(hand, about) => Next::Ask { hand, about }.into(),
            Due::Card(to, _) => Remedy::Serve { to }.into(),
            Due::Reveal(at) => Next::Reveal { at }.into(),
            Due::Collect(hand, spot, amount) => Next::Collect { hand, amount, spot }.into(),
            Due::Pay(hand, spot, amount) => Next::Pay { hand, amount, spot }.into(),
            Due::Clear(from) => Next::Move { from, to: Place::Discard }.into(),
            Due::End => Next::End {}.into(),
        }
    }

    fn shoe_due(&self) -> Due {
        let by_turn = self.settings.delivery.banker == Banker::ByTurn;
        match (self.supply.shuffled(), self.supply.shoe()) {
            (Some(_), _) if !self.supply.is_cut() && by_turn && self.supply.cut_offered().is_empty() => Due::OfferCut,
            (Some(_), _) if !self.supply.is_cut() => Due::Cut,
            (Some(_), _) => Due::Load,
            // one in play when the log began was loaded before it
            (None, shoe) if (shoe.is_some() || self.supply.shoe_is_in_use()) && !self.supply.shoe_is_over() => {
                let passes_on = by_turn && self.bankers.turn_is_due() && self.bankers.banker().is_some();
                if passes_on { Due::Turn } else { Due::Bets }
            }
            _ if self.settings.delivery.banker == Banker::House => Due::Shuffle,
            _ => Due::Reshuffle { retired: false },
        }
    }

    /// What has to be done before the next card, where the shoe has run empty in a pass that is finished all the same.
    fn refill_due(&self) -> Option<Due> {
        let refills = self.settings.reshuffles() && self.pass.is_dealt();
        match self.supply.shuffled() {
            Some(_) if refills => Some(self.shoe_due()),
            None if refills && self.supply.has_run_out() => Some(Due::Reshuffle { retired: true }),
            _ => None,
        }
    }

    /// The chips that must lie there before a hand gets its card (Reading 24).
    fn chips_due(&self, id: HandId) -> Option<Due> {
        let betting_box = self.pass.betting_box(id.box_no).filter(|_| self.observes.bets)?;
        let hand = self.pass.hand(id)?;
        if hand.waits_for_double() && hand.is_unpaid_double() {
            return Some(Due::Chips(id, BetSpot::Double, hand.stake));
        }
        let is_opened = hand.split && hand.count() == 1 && betting_box.in_play().iter().any(Hand::is_unpaid_half);
        let opened = HandId { hand: u8::try_from(betting_box.split_last).ok()?, ..id };
        // what lies there in all: of a hand opened again, the chips that opened it before lie there too
        let in_all = self.pass.counted(opened, BetSpot::Split).saturating_add(hand.stake);
        is_opened.then_some(Due::Chips(opened, BetSpot::Split, in_all))
    }

    /// The question that comes before the second card of whose first is an ace (O4), or before the bank's.
    fn insurance_before(&self, place: Place) -> Option<Due> {
        let Place::Hand(id) = place else { return self.to_insure() };
        let asks = self.observes.asks && self.settings.insurance.when == Insured::OwnAce;
        let waits = |hand: &&Hand| hand.count() == 1 && hand.begins_with_ace() && !hand.was_asked(Question::Insurance);
        self.pass.hand(id).filter(|hand| asks && !hand.split && waits(hand)).map(|_| Due::Ask(id, Question::Insurance))
    }

    fn delivery_due(&self) -> Option<Due> {
        let place = self.card_due()?;
        if let Some(ask) = self.insurance_before(place) {
            return Some(ask);
        }
        let covered = self.settings.bank_is_covered() && self.pass.bank.served == 1 && self.pass.bank.owed == 0;
        Some(Due::Card(place, place == Place::Bank && covered))
    }

    /// The first hand to be asked about insurance against the bank, where that is due now.
    fn to_insure(&self) -> Option<Due> {
        let asks = self.may_insure() && self.observes.asks && self.pass.bank.shows_ace();
        let waits = Hand::is_to_be_offered_insurance;
        self.pass.live_hands().find(|(_, hand)| asks && waits(hand)).map(|(id, _)| Due::Ask(id, Question::Insurance))
    }

    /// Half a stake given up, or a Black Jack to be paid single, before the bank plays.
    fn ended_due(&self) -> Option<Due> {
        self.first_due(BetSpot::Main, Hand::is_closed)
    }

    /// An insurance that the bank's second card decided, before it draws on (T-S7).
    fn insurance_due(&self) -> Option<Due> {
        self.first_due(BetSpot::Insurance, |_| self.settings.insures_against_bank())
    }

    /// The first Black Jack to be paid before the bank plays, or plays on (G7).
    fn to_pay_at_once(&self) -> Option<Due> {
        self.first_due(BetSpot::Main, |hand| {
            self.settings.pays.blackjack_at_once && !hand.void && !hand.lost && self.is_paid_at_once(hand)
        })
    }

    /// What is due to the first of some hands that was given nothing yet.
    fn first_due(&self, spot: BetSpot, holds: impl Fn(&Hand) -> bool) -> Option<Due> {
        let mut hands = self.pass.hands().filter(|(_, hand)| !hand.is_touched(spot) && holds(hand));
        hands.find_map(|(id, hand)| self.money_due(id, hand, spot))
    }

    /// What the bank has to give a bet, or to take from it, for all to see; one that a finding is open of has that for
    /// its remedy.
    pub(super) fn money_due(&self, id: HandId, hand: &Hand, spot: BetSpot) -> Option<Due> {
        let to_give = self.to_give(id, spot, false).filter(|to_give| *to_give != 0 && !hand.is_wrong(spot))?;
        let amount = to_give.unsigned_abs();
        Some(if to_give < 0 { Due::Collect(id, spot, amount) } else { Due::Pay(id, spot, amount) })
    }

    /// Nobody sees cards being turned up, and a hand whose turn it would be lies covered where it must not.
    fn to_turn_up(&self) -> Option<Due> {
        let turn = self.pass.turn();
        let is_next = |id| !self.observes.turns && turn.is_none_or(|turn| self.pass.plays_before(id, turn));
        let lies_covered = |hand: &Hand| hand.is_covered() && hand.is_unread() && !hand.is_finished();
        let waits = |(id, hand): &(HandId, &Hand)| is_next(*id) && lies_covered(hand);
        self.pass.live_hands().find(waits).map(|(id, _)| Due::Reveal(id.into()))
    }

    fn play_due(&self) -> Option<Due> {
        let first = self.to_pay_at_once().or_else(|| self.ended_due()).or_else(|| self.to_insure());
        if first.is_some() {
            return first;
        }
        let hidden =
            self.pass.turn().and_then(|id| self.pass.hand(id)).is_some_and(|hand| hand.is_covered() && !hand.doubled);
        if let Some(place) = self.card_due().filter(|place| !hidden && !self.asks_first(*place)) {
            let doubled = matches!(place, Place::Hand(id) if self.pass.hand(id).is_some_and(Hand::waits_for_double));
            return Some(Due::Card(place, doubled && self.settings.double.card == Face::Down));
        }
        let (id, hand) = self.pass.unfinished().next()?;
        if hand.is_covered() {
            return Some(Due::Reveal(id.into()));
        }
        let declares = self.settings.play.ace_is_declared && hand.has_early_ace() && hand.ace.is_none();
        let asks_pairs = self.asks_pairs() && !hand.was_asked(Question::Split);
        let about = if asks_pairs && self.may_open(id, hand) {
            Question::Split
        } else if declares {
            Question::Ace
        } else if hand.is_to_be_offered_double(&self.settings) {
            Question::Double
        } else {
            Question::Card
        };
        Some(Due::Ask(id, about))
    }

    /// The card that is due there waits for the question about doubling.
    fn asks_first(&self, place: Place) -> bool {
        let Place::Hand(id) = place else { return false };
        let waits = |hand: &Hand| !hand.wants_card && !hand.doubled && hand.is_to_be_offered_double(&self.settings);
        self.pass.hand(id).is_some_and(waits)
    }

    /// A pair that may still be opened.
    pub(super) fn may_open(&self, id: HandId, hand: &Hand) -> bool {
        let hands = self.pass.betting_box(id.box_no).map_or(0, |betting_box| betting_box.hands_in_play);
        let rules = self.settings.split;
        let is_done = hand.is_split_ace() && !rules.aces_again;
        hand.is_pair(rules.pairs) && !is_done && hands < usize::from(rules.max_hands)
    }

    /// The dealer has to ask about pairs: before aces where they are declared (Reading 21), and where choices are told
    /// (G12).
    pub(super) const fn asks_pairs(&self) -> bool {
        self.settings.play.ace_is_declared || self.settings.double.is_offered
    }

    fn bank_due(&self) -> Option<Due> {
        let double = || {
            let id = self.pass.hands_with(Status::Doubling).first()?;
            Some(Due::Card(id.into(), self.settings.double.card == Face::Down))
        };
        self.to_pay_at_once()
            .or_else(double)
            .or_else(|| self.ended_due())
            .or_else(|| self.to_insure())
            .or_else(|| self.pass.bank.is_covered().then_some(Due::Reveal(Place::Bank)))
            .or_else(|| self.insurance_due())
            .or_else(|| self.card_due().map(|place| Due::Card(place, false)))
    }

    /// Nothing is left of a pass that was dealt but its cards to clear, and its `end`.
    pub(super) fn is_settled_up(&self) -> bool {
        let mut due = Vec::new();
        if self.pass.is_dealt() && !self.pass.is_mid_pass() && self.phase() == Phase::Settlement {
            self.settlement_due(&mut due);
        }
        !due.is_empty() && due.iter().all(|due| matches!(due, Due::Clear(_) | Due::End))
    }

    /// Whether an event begins another pass though this one had no `end`: the first bet after a load.
    #[must_use]
    pub const fn leaves_pass_behind(&self, event: &Event) -> bool {
        let is_bet = matches!(event, Event::Bet { hand, spot: BetSpot::Main, amount: 1.., .. } if hand.hand == 0);
        is_bet && self.pass.has(Milestone::LeftBehind)
    }

    fn settlement_due(&self, due: &mut Vec<Due>) {
        if let Some((id, _)) = self.pass.hands().find(|(_, hand)| !hand.void && hand.is_covered()) {
            due.push(Due::Reveal(id.into()));
        }
        due.extend(self.left_doubled().map(|id| Due::Card(id.into(), self.settings.double.card == Face::Down)));
        let owing = due.len();
        let bets = self.pass.hands().flat_map(|(id, hand)| BetSpot::SETTLED.map(|spot| (id, hand, spot)));
        due.extend(bets.filter_map(|(id, hand, spot)| self.money_due(id, hand, spot)));
        if self.settings.pays.losers_first {
            due[owing..].sort_by_key(|due| matches!(due, Due::Pay(..)));
        }
        if due.len() == owing {
            // what was given too early is judged by the bank all the same
            let waits = |(_, hand): (HandId, &Hand)| self.owed(hand) == Account::Open;
            let is_untouched = |(_, hand): &(HandId, &Hand)| !hand.is_touched(BetSpot::Main);
            let bank = &self.pass.bank;
            let hangs_on_bank = self.pass.hands().any(waits);
            let lacks_card = bank.owed > 0 && self.pass.live_hands().filter(is_untouched).any(waits);
            let is_below = || bank.served >= 2 && !bank.cards.is_empty() && bank.must_draw() == Some(true);
            due.push(if lacks_card {
                Due::Card(Place::Bank, false)
            } else if hangs_on_bank && bank.is_covered() {
                Due::Reveal(Place::Bank)
            } else if hangs_on_bank && is_below() {
                Due::Card(Place::Bank, false)
            } else {
                self.pass.first_place_with_cards().map_or(Due::End, Due::Clear)
            });
        }
    }
}

/// What is open, in the order of attention, step by step.
pub fn remedies(duties: &Duties) -> impl Iterator<Item = OpenRemedy> {
    duties.in_order().map(|duty| OpenRemedy { finding: duty.finding, steps: duty.steps() })
}

/// The hands whose account hangs on something that an open finding leaves to be chosen or ruled. Where it is about no
/// box, a ruling may void every bet.
fn in_doubt(duties: &Duties) -> impl Fn(HandId) -> bool {
    let mut boxes = [false; MAX_BOXES + 1];
    let mut all = false;
    let chosen = duties.parts_awake().filter_map(|part| match part {
        Part::Offer(hand, _) | Part::AskConsent(hand) => Some(Some(Place::Hand(*hand))),
        _ => None,
    });
    for place in duties.to_rule_on().chain(chosen) {
        match place {
            Some(Place::Hand(hand)) => boxes[usize::from(hand.box_no).min(MAX_BOXES)] = true,
            _ => all = true,
        }
    }
    move |id| all || boxes[usize::from(id.box_no).min(MAX_BOXES)]
}
