//! The pass on the felt: how far it has come, its boxes and its bank.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::bank::Bank;
use super::betting_box::{BettingBox, Refusal, Standing};
use super::cards::{Cards, GoneUnseen, Held, uncovered_by};
use super::hand::Hand;
use super::hand_index::{HandIndex, Hands, PlayOrder, Status};
use super::known::{Fact, Facts};
use crate::table::place::MAX_BOXES;
use crate::table::{BetSpot, Card, Cents, HandId, Name, Place, Settings};

/// How far dealing has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// No bet has been made since the last `end`.
    #[default]
    Idle,
    /// A first bet has been made.
    Bets,
    /// Bets are closed, in words or by the first card.
    Closed,
    /// A card has been drawn.
    FirstDelivery,
    /// A box has been served its second card.
    SecondDelivery,
}

/// What has happened in a pass beside dealing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Milestone {
    /// It began with a shoe that had to be shuffled before: its cut card was out, or it was made up to finish a pass.
    BegunAfterCutCard,
    /// Play has begun: an ask or a decision other than on insurance, a declared ace.
    Play,
    /// A card of play has come, where that closes insurance against the bank.
    CardOfPlay,
    /// A main bet has been collected or paid.
    Settlement,
    /// Cards are being cleared.
    Clearing,
    /// It was declared void, by the shoe that ran out or by the room.
    Void,
    /// A shoe was loaded when nothing was left of it but its cards and its `end`: the next bet begins another.
    LeftBehind,
}

impl Milestone {
    /// How many there are.
    pub(super) const COUNT: usize = Self::LeftBehind as usize + 1;
}

/// The pass on the felt.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pass {
    stage: Stage,
    /// By [`Milestone`]: whether it has been reached.
    milestones: [bool; Milestone::COUNT],
    /// Betting boxes, by number less one. Copies share those that are alike in both.
    boxes: Vec<Arc<BettingBox>>,
    hand_index: HandIndex,
    /// The bank.
    pub bank: Bank,
    /// Cards burned.
    pub burned: usize,
    /// Cards that a finding had burned or put back, which nobody saw: whether they still lie there the room may say.
    pub(super) gone_unseen: Vec<GoneUnseen>,
    /// Cards drawn with nowhere to go.
    pub unplaced: usize,
    /// Whom play came to last: a hand, or the bank once insurance is offered against it.
    pub came_to: Option<Place>,
    /// Where the card drawn last went.
    pub last_card: Option<Place>,
    /// What went by unseen.
    pub(super) unknown: Facts,
}

impl Pass {
    /// An empty felt.
    pub(super) fn new(boxes: u8, settings: &Settings) -> Self {
        Self {
            stage: Stage::default(),
            milestones: Default::default(),
            boxes: alloc::vec![Arc::default(); usize::from(boxes).min(MAX_BOXES)],
            hand_index: HandIndex::new(settings.delivery.first_box),
            bank: Bank::new(settings.bank),
            burned: 0,
            gone_unseen: Vec::new(),
            unplaced: 0,
            came_to: None,
            last_card: None,
            unknown: Facts::NONE,
        }
    }

    /// How far it has come.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// It has come at least so far.
    pub(super) fn advance(&mut self, stage: Stage) {
        self.stage = self.stage.max(stage);
    }

    /// Whether a milestone has been reached.
    #[must_use]
    pub const fn has(&self, milestone: Milestone) -> bool {
        self.milestones[milestone as usize]
    }

    /// A milestone is reached, where `reached` says so; it stays reached until the pass ends.
    pub(super) const fn note(&mut self, milestone: Milestone, reached: bool) {
        self.milestones[milestone as usize] |= reached;
    }

    /// A first bet has been made and no `end` has come.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.stage >= Stage::Bets
    }

    /// Bets are closed, in words or by the first card.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.stage >= Stage::Closed
    }

    /// A card has been drawn.
    #[must_use]
    pub fn is_dealt(&self) -> bool {
        self.stage >= Stage::FirstDelivery
    }

    /// The second delivery has begun.
    #[must_use]
    pub fn is_in_second_delivery(&self) -> bool {
        self.stage >= Stage::SecondDelivery
    }

    /// A box by its number; `None` where the table has none.
    #[must_use]
    #[inline]
    pub fn betting_box(&self, box_no: u8) -> Option<&BettingBox> {
        self.boxes.get(usize::from(box_no).wrapping_sub(1)).map(AsRef::as_ref)
    }

    /// A box by its number, to change it; [`Pass::reindex`] is told afterwards.
    #[inline]
    pub(super) fn betting_box_mut(&mut self, box_no: u8) -> Option<&mut BettingBox> {
        self.boxes.get_mut(usize::from(box_no).wrapping_sub(1)).map(Arc::make_mut)
    }

    /// Play has gone on elsewhere since it was with that hand.
    #[must_use]
    pub fn has_moved_on_from(&self, id: HandId) -> bool {
        self.came_to.is_some_and(|place| place != Place::from(id))
    }

    /// A hand in play.
    #[must_use]
    #[inline]
    pub fn hand(&self, id: HandId) -> Option<&Hand> {
        self.betting_box(id.box_no)?.in_play().get(usize::from(id.hand))
    }

    /// A hand in play, to change it; [`Pass::reindex`] is told afterwards.
    #[inline]
    pub(super) fn hand_mut(&mut self, id: HandId) -> Option<&mut Hand> {
        let betting_box = self.betting_box_mut(id.box_no)?;
        betting_box.hands[..betting_box.hands_in_play].get_mut(usize::from(id.hand))
    }

    /// Keeps in mind what a change of a box made of its hands.
    pub(super) fn reindex(&mut self, box_no: u8) {
        if let Some(betting_box) = self.boxes.get(usize::from(box_no).wrapping_sub(1)) {
            self.hand_index.reindex(box_no, betting_box);
        }
    }

    /// Whether every change of a box was noted.
    pub(super) fn is_indexed(&self) -> bool {
        let mut anew = self.hand_index;
        anew.clear();
        self.boxes().for_each(|(box_no, betting_box)| anew.reindex(box_no, betting_box));
        anew == self.hand_index
    }

    /// Chips lie there that came too late, and are void whatever is dealt to them.
    #[must_use]
    pub fn is_late_bet(&self, id: HandId) -> bool {
        let is_late = |b: &BettingBox| b.refused == Some(Refusal::Late);
        self.betting_box(id.box_no).is_some_and(is_late) && self.lies_on(id, BetSpot::Main) > 0
    }

    /// The hands of which something holds.
    #[must_use]
    #[inline]
    pub fn hands_with(&self, status: Status) -> Hands {
        self.hand_index.of(status)
    }

    /// A box waits for a card of its deliveries.
    #[must_use]
    pub fn boxes_wait(&self) -> bool {
        [Status::First, Status::Second].iter().any(|status| !self.hands_with(*status).is_empty())
    }

    fn hands_and_ids(&self, status: Status) -> impl Iterator<Item = (HandId, &Hand)> {
        let hand = |id: HandId| &self.boxes[usize::from(id.box_no) - 1].hands[usize::from(id.hand)];
        self.hands_with(status).map(move |id| (id, hand(id)))
    }

    /// Boxes with their numbers, in order.
    pub fn boxes(&self) -> impl Iterator<Item = (u8, &BettingBox)> {
        (1..).zip(self.boxes.iter().map(AsRef::as_ref))
    }

    /// Hands with a bet that was paid to or collected of, in the order of play ([`Status::Given`]).
    pub(super) fn given(&self) -> impl Iterator<Item = (HandId, &Hand)> {
        self.hands_and_ids(Status::Given)
    }

    /// The numbers of the boxes, in order.
    pub fn box_numbers(&self) -> core::ops::RangeInclusive<u8> {
        1..=self.boxes.len() as u8
    }

    /// Boxes whose bets count, in order.
    pub fn boxes_in(&self) -> impl Iterator<Item = (u8, &BettingBox)> {
        self.boxes().filter(|(_, betting_box)| betting_box.standing == Standing::In)
    }

    /// Hands of boxes whose bets count, in the order of play; void ones included.
    pub fn hands(&self) -> impl Iterator<Item = (HandId, &Hand)> {
        self.hands_and_ids(Status::InPlay)
    }

    /// Hands with cards still to be decided against the bank: neither void, lost, nor over 21 ([`Status::Live`]).
    ///
    /// A doubled hand counts until its covered card is uncovered (Reading 12).
    pub fn live_hands(&self) -> impl Iterator<Item = (HandId, &Hand)> {
        self.hands_and_ids(Status::Live)
    }

    /// Nobody is left against whom the bank could play.
    #[must_use]
    pub fn nobody_is_left(&self) -> bool {
        self.hands_with(Status::Live).is_empty()
    }

    /// Hands in play that are not finished, in the order of play; those still in delivery left out.
    pub fn unfinished(&self) -> impl Iterator<Item = (HandId, &Hand)> {
        self.hands_and_ids(Status::Unfinished)
    }

    /// The hand whose turn it is, once the delivery is over.
    #[must_use]
    pub fn turn(&self) -> Option<HandId> {
        self.hands_with(Status::Unfinished).first()
    }

    /// Whether one hand plays before another.
    #[must_use]
    pub const fn plays_before(&self, one: HandId, other: HandId) -> bool {
        self.hand_index.order().plays_before(one, other)
    }

    /// The order of play.
    #[must_use]
    pub const fn order(&self) -> PlayOrder {
        self.hand_index.order()
    }

    /// Which of two hands comes first in the order of play.
    pub(super) fn in_order(&self, one: HandId, other: HandId) -> core::cmp::Ordering {
        self.plays_before(other, one).cmp(&self.plays_before(one, other))
    }

    /// Who bets in a box, where known.
    #[must_use]
    pub fn bettor(&self, box_no: u8) -> Option<&Name> {
        self.betting_box(box_no)?.bettor.as_ref()
    }

    /// The same where the chips were told with his name.
    #[must_use]
    pub fn named_bettor(&self, box_no: u8) -> Option<&Name> {
        self.betting_box(box_no).filter(|betting_box| betting_box.is_named)?.bettor.as_ref()
    }

    /// Whether somebody decides for a box: its bettor does, and whoever is not named is taken to be him (D4).
    #[must_use]
    pub fn may_speak(&self, id: HandId, by: Option<&Name>) -> bool {
        let bettor = self.bettor(id.box_no);
        by.is_none() || bettor.is_none() || by == bettor
    }

    /// A card went where it could not be seen, nor told from a choice or a bet: which hand got it is a guess, and
    /// nothing that depends on it is judged.
    #[must_use]
    pub const fn guesses(&self) -> bool {
        self.unknown.has(Fact::Hands)
    }

    /// From now on something is not known of this pass.
    pub(super) const fn forget(&mut self, facts: Facts) {
        self.unknown = self.unknown.and(facts);
    }

    /// The log began in the middle of it.
    #[must_use]
    pub fn is_mid_pass(&self) -> bool {
        self.unknown == Facts::ALL
    }

    /// What lies on a spot.
    #[must_use]
    pub fn lies_on(&self, id: HandId, spot: BetSpot) -> Cents {
        let hand = self.betting_box(id.box_no).and_then(|betting_box| betting_box.hands.get(usize::from(id.hand)));
        hand.map_or(0, |hand| hand.on(spot))
    }

    /// What counts of what lies on a spot.
    #[must_use]
    pub fn counted(&self, id: HandId, spot: BetSpot) -> Cents {
        let (Some(betting_box), Some(hand)) = (self.betting_box(id.box_no), self.hand(id)) else { return 0 };
        match spot {
            BetSpot::Main if betting_box.standing == Standing::In => hand.stake,
            BetSpot::Split => hand.split_by,
            BetSpot::Double => hand.doubled_by,
            BetSpot::Insurance => hand.insurance,
            BetSpot::Main => 0,
        }
    }

    /// Whether an amount on a spot is what counts there.
    #[must_use]
    pub fn counts(&self, id: HandId, spot: BetSpot, amount: Cents) -> bool {
        amount > 0 && self.counted(id, spot) == amount
    }

    /// Whether an amount may lie on a spot: it counts there, or was brought down to what is allowed. What is refused
    /// may not, though it was dealt to.
    #[must_use]
    pub fn may_lie(&self, id: HandId, spot: BetSpot, amount: Cents) -> bool {
        let Some(betting_box) = self.betting_box(id.box_no).filter(|_| amount > 0) else { return false };
        let is_refused = spot == BetSpot::Main && betting_box.refused.is_some();
        !is_refused && (self.counts(id, spot, amount) || (spot == BetSpot::Main && betting_box.is_left_out()))
    }

    /// The cards lying at a place where each is known.
    #[must_use]
    pub fn lying_at(&self, place: Place) -> &[Held] {
        match place {
            Place::Bank => &self.bank.cards,
            Place::Hand(id) => {
                let betting_box = self.betting_box(id.box_no);
                betting_box.and_then(|b| b.hands.get(usize::from(id.hand))).map_or(&[], |hand| &hand.cards)
            }
            Place::Burn | Place::Discard | Place::Shoe => &[],
        }
    }

    /// The cards that are seen first when those lying covered at a place are turned up. Where it is a guess which card
    /// lies there, the one that is named may have been counted elsewhere.
    pub fn uncovered_by(&self, at: Place, named: Option<Card>) -> impl Iterator<Item = Card> + '_ {
        uncovered_by(self.lying_at(at), named.filter(|_| !self.guesses()))
    }

    /// All cards lying in the boxes and at the bank.
    pub fn lying(&self) -> impl Iterator<Item = &Held> {
        let hands = self.boxes.iter().flat_map(|betting_box| &betting_box.hands);
        hands.flat_map(|hand| hand.cards.iter()).chain(self.bank.cards.iter())
    }

    /// The first place with cards on the felt, the bank after the boxes.
    #[must_use]
    pub fn first_place_with_cards(&self) -> Option<Place> {
        let bank = (!self.bank.cards.is_empty()).then_some(Place::Bank);
        self.hands_with(Status::Cards).first().map(Place::from).or(bank)
    }

    /// Changes the cards lying at a place; false where the place keeps no cards that are known one by one.
    pub(super) fn change_cards(&mut self, place: Place, change: impl FnOnce(&mut Cards)) -> bool {
        match place {
            Place::Bank => change(&mut self.bank.cards),
            Place::Hand(id) => {
                let Some(betting_box) = self.betting_box_mut(id.box_no) else { return false };
                change(&mut betting_box.hand_mut(usize::from(id.hand)).cards);
                self.reindex(id.box_no);
            }
            Place::Burn | Place::Discard | Place::Shoe => return false,
        }
        true
    }

    /// Nobody knows any more which of the cards that lie undue were asked for, the bank's among them or not.
    pub(super) fn doubt_misdealt(&mut self, with_banks: bool) {
        if with_banks {
            self.bank.cards.doubt();
        }
        for id in self.hands_with(Status::Cards) {
            self.change_cards(id.into(), Cards::doubt);
        }
    }

    /// Nobody sees whether those that lie covered and belong face up were turned since: what they are nobody knows. The
    /// bank's second belongs down where the house covers it, a double's card where it comes so.
    pub(super) fn doubt_covered(&mut self, bank_is_covered: bool, double_is_covered: bool) {
        self.bank.cards.doubt_covered(bank_is_covered.then_some(1));
        let covered = self.hands().filter(|(_, hand)| hand.is_covered()).map(|(id, hand)| (id, hand.doubled));
        let covered: Vec<_> = covered.collect();
        for (id, is_double) in covered {
            self.change_cards(id.into(), |cards| cards.doubt_covered((is_double && double_is_covered).then_some(2)));
        }
    }

    /// Changes a hand in play, where there is one.
    pub(super) fn change_hand(&mut self, id: HandId, change: impl FnOnce(&mut Hand)) {
        if let Some(hand) = self.hand_mut(id) {
            change(hand);
            self.reindex(id.box_no);
        }
    }

    /// The hand that a bet is on: one in play, or the first of a box whose chips do not count.
    #[must_use]
    pub fn bet(&self, id: HandId) -> Option<&Hand> {
        self.betting_box(id.box_no)?.with_bets().get(usize::from(id.hand))
    }

    /// Every hand that a bet is on, box by box.
    pub fn bets(&self) -> impl Iterator<Item = (HandId, &Hand)> {
        self.boxes().flat_map(|(box_no, betting_box)| {
            (0..).zip(betting_box.with_bets()).map(move |(hand, bet)| (HandId { box_no, hand }, bet))
        })
    }

    /// The hands in play of every box, those without effect too; they may be changed on the way.
    pub(super) fn ids_in_play(&self) -> impl Iterator<Item = HandId> + use<> {
        let mut boxes = [0_u8; MAX_BOXES];
        for (hands, betting_box) in boxes.iter_mut().zip(&self.boxes) {
            *hands = betting_box.hands_in_play as u8;
        }
        (1..).zip(boxes).flat_map(|(box_no, hands)| (0..hands).map(move |hand| HandId { box_no, hand }))
    }

    /// Changes the hand that a bet is on, where there is one.
    pub(super) fn change_bet(&mut self, id: HandId, change: impl FnOnce(&mut Hand)) {
        if self.bet(id).is_some()
            && let Some(betting_box) = self.betting_box_mut(id.box_no)
        {
            change(&mut betting_box.hands[usize::from(id.hand)]);
            self.reindex(id.box_no);
        }
    }

    /// Takes a box out of the pass: its bets are without effect.
    pub(super) fn take_out(&mut self, box_no: u8) {
        self.void_hands(box_no, |_| None);
    }

    /// The same by a card of its own: that bet alone is void (C6), and an insurance that was settled stays so.
    pub(super) fn void_bet(&mut self, box_no: u8) {
        self.void_hands(box_no, Hand::insurance_settled);
    }

    fn void_hands(&mut self, box_no: u8, insurance_won: impl Fn(&Hand) -> Option<bool>) {
        if let Some(betting_box) = self.betting_box_mut(box_no).filter(|b| b.standing == Standing::In) {
            betting_box.standing = Standing::Out;
            for hand in &mut betting_box.hands {
                hand.void = true;
                hand.insurance_won = insurance_won(hand);
            }
            self.reindex(box_no);
        }
    }

    /// Lets a box that was taken out of the pass take part in it.
    pub(super) fn let_in(&mut self, box_no: u8) {
        if let Some(betting_box) = self.betting_box_mut(box_no).filter(|b| b.standing == Standing::Out) {
            betting_box.standing = Standing::In;
            betting_box.hands.iter_mut().for_each(|hand| hand.void = false);
            self.reindex(box_no);
        }
    }

    /// The bank's first two cards decide the insurances against it.
    pub(super) fn decide_insurances(&mut self, is_won: bool) {
        let is_insured = |hand: &Hand| hand.insurance > 0 && !hand.void;
        for betting_box in self.boxes.iter_mut().filter(|betting_box| betting_box.hands.iter().any(is_insured)) {
            let hands = Arc::make_mut(betting_box).hands.iter_mut().filter(|hand| is_insured(hand));
            hands.for_each(|hand| hand.insurance_won = Some(is_won));
        }
    }

    /// Refuses a box's chips: it takes no part.
    pub(super) fn refuse(&mut self, box_no: u8) {
        if let Some(betting_box) = self.betting_box_mut(box_no) {
            (betting_box.standing, betting_box.refused) = (Standing::Refused, Some(Refusal::Amount));
            betting_box.hands_in_play = 0;
            self.reindex(box_no);
        }
    }
}
