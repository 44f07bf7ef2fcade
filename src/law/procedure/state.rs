//! The facts of a table: seats, shoe, and the pass on the felt.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use super::bank::Bank;
use super::bankers::{Account, Bankers};
use super::betting_box::{BettingBox, Standing};
use super::cards::Held;
use super::hand::Hand;
use super::hand_index::{HandIndex, Hands, Status, plays_before};
use super::shoe::{MisdealtCard, Shoe, Shuffled};
use crate::table::event::Permit;
use crate::table::place::MAX_BOXES;
use crate::table::settings::Banker;
use crate::table::{BetSpot, Cents, HandId, Header, Limits, Name, Observes, Place, Settings};

/// Someone asked for an empty box.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Request {
    /// Which box.
    pub box_no: u8,
    /// Who.
    pub player: Name,
    /// When, where known.
    pub t: Option<u64>,
}

/// Authorisations given and not used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Permits([bool; 3]);

impl Permits {
    /// Given and unused.
    #[must_use]
    pub const fn has(self, what: Permit) -> bool {
        self.0[what as usize]
    }

    /// Given or used.
    pub const fn set(&mut self, what: Permit, given: bool) {
        self.0[what as usize] = given;
    }
}

/// What is so of a pass as a whole; nothing of it outlives the pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
pub struct Facts {
    /// A first bet has been made and no `end` has come.
    pub open: bool,
    /// Bets are closed, in words or by the first card.
    pub closed: bool,
    /// A card has been drawn.
    pub dealing: bool,
    /// The second delivery has begun.
    pub second: bool,
    /// Play has begun: an ask or a decision other than on insurance, a declared ace.
    pub playing: bool,
    /// A card of play has come, where that closes insurance against the bank.
    pub drawn_on: bool,
    /// A main bet has been collected or paid.
    pub settling: bool,
    /// Cards are being cleared.
    pub clearing: bool,
    /// A card of play went where it could not be seen, nor told from a choice.
    pub guessed: bool,
    /// It began with a shoe that had to be shuffled before: its cut card was out, or it was made up to finish a pass.
    pub begun_after_cut_card: bool,
    /// Cards burned.
    pub burned: usize,
    /// Cards drawn with nowhere to go.
    pub unplaced: usize,
    /// What is asked of hands again and again.
    pub hand_index: HandIndex,
}

/// The pass on the felt.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pass {
    /// What is so of it as a whole; read as if its own.
    pub facts: Facts,
    /// Betting boxes, by number less one.
    pub boxes: [BettingBox; MAX_BOXES],
    /// The bank.
    pub bank: Bank,
}

impl Deref for Pass {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.facts
    }
}

impl DerefMut for Pass {
    fn deref_mut(&mut self) -> &mut Facts {
        &mut self.facts
    }
}

/// Everything known of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub(super) settings: Settings,
    /// Betting boxes.
    pub boxes: u8,
    /// Stakes.
    pub limits: Limits,
    /// What the equipment sees.
    pub observes: Observes,
    /// Who sits where.
    pub seats: Vec<(u8, Name)>,
    /// A `seat` has been told: from then on who is not in `seats` stands.
    pub seats_told: bool,
    /// Who asked for which box, in the order asked.
    pub requests: Vec<Request>,
    /// Unused authorisations.
    pub permits: Permits,
    /// Cards shuffled and not loaded.
    pub shuffled: Option<Shuffled>,
    /// A bettor has cut since the last shuffle, or load.
    pub cut: bool,
    /// To whom the cut was offered since the last shuffle, in order.
    pub cut_offered: Vec<Name>,
    /// Who was to get the cut card when it came out instead of a card.
    pub cut_card_to: Option<Name>,
    /// The shoe in play.
    pub shoe: Option<Shoe>,
    /// It reported that nothing is left in it, and no card has come out since.
    pub shoe_empty: bool,
    /// Cards drawn since the log began.
    pub draws: u64,
    /// Cards that went to the discard tray since the shoe was loaded.
    pub discarded: u64,
    /// Cards dealt by mistake, in the order they came out, where such cards go back.
    pub misdealt: Vec<MisdealtCard>,
    /// Who banks, where players do.
    pub bankers: Bankers,
    /// What a bank owned in common holds.
    pub account: Account,
    /// Number of the pass begun last.
    pub pass_no: u64,
    /// The pass on the felt.
    pub pass: Pass,
}

impl State {
    /// A table as its log begins.
    #[must_use]
    pub fn new(header: &Header, settings: Settings) -> Self {
        Self {
            boxes: header.boxes,
            limits: header.limits,
            observes: header.observes,
            seats: Vec::new(),
            seats_told: false,
            requests: Vec::new(),
            permits: Permits::default(),
            shuffled: None,
            cut: false,
            cut_offered: Vec::new(),
            cut_card_to: None,
            shoe: None,
            shoe_empty: false,
            draws: 0,
            discarded: 0,
            misdealt: Vec::new(),
            bankers: Bankers::new(),
            account: Account::default(),
            pass_no: 0,
            pass: Pass {
                facts: Facts { hand_index: HandIndex::new(settings.delivery.first_box), ..Facts::default() },
                boxes: Default::default(),
                bank: Bank::new(settings.bank),
            },
            settings,
        }
    }

    /// The figures in force.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Clears the felt.
    pub fn end_pass(&mut self) {
        if !self.pass.dealing {
            self.requests.clear();
        }
        if self.pass.dealing && self.settings.delivery.banker == Banker::OnBlackJack {
            self.claim();
        }
        let mut hand_index = self.pass.hand_index;
        hand_index.clear();
        self.pass.facts = Facts { hand_index, ..Facts::default() };
        self.pass.boxes.iter_mut().for_each(BettingBox::clear);
        self.pass.bank.clear();
        // a misdealt card that never went back was cleared with the others
        self.misdealt.retain(|misdealt| misdealt.back);
    }

    /// A box by its number; `None` where the table has none.
    #[must_use]
    #[inline]
    pub fn betting_box(&self, box_no: u8) -> Option<&BettingBox> {
        let n = usize::from(box_no).wrapping_sub(1);
        if box_no <= self.boxes { self.pass.boxes.get(n) } else { None }
    }

    /// A box by its number, to change it; [`State::reindex`] is told afterwards.
    #[inline]
    pub(super) fn betting_box_mut(&mut self, box_no: u8) -> Option<&mut BettingBox> {
        let n = usize::from(box_no).wrapping_sub(1);
        if box_no <= self.boxes { self.pass.boxes.get_mut(n) } else { None }
    }

    /// A hand in play.
    #[must_use]
    #[inline]
    pub fn hand(&self, id: HandId) -> Option<&Hand> {
        let betting_box = self.betting_box(id.box_no)?;
        let n = usize::from(id.hand);
        if n < betting_box.hands_in_play { betting_box.hands.get(n) } else { None }
    }

    /// A hand in play, to change it; [`State::reindex`] is told afterwards.
    #[inline]
    pub(super) fn hand_mut(&mut self, id: HandId) -> Option<&mut Hand> {
        let betting_box = self.betting_box_mut(id.box_no)?;
        let n = usize::from(id.hand);
        if n < betting_box.hands_in_play { betting_box.hands.get_mut(n) } else { None }
    }

    /// Keeps in mind what a change of a box made of its hands.
    pub(super) fn reindex(&mut self, box_no: u8) {
        let Pass { facts, boxes, .. } = &mut self.pass;
        if let Some(betting_box) = boxes.get(usize::from(box_no).wrapping_sub(1)) {
            facts.hand_index.reindex(box_no, betting_box);
        }
    }

    /// Whether every change of a box was noted.
    pub(super) fn is_indexed(&self) -> bool {
        let mut anew = HandIndex::new(self.settings.delivery.first_box);
        self.boxes().for_each(|(box_no, betting_box)| anew.reindex(box_no, betting_box));
        anew == self.pass.hand_index
    }

    /// The hands that have a mark.
    #[must_use]
    #[inline]
    pub fn hands_with(&self, mark: Status) -> Hands {
        self.pass.facts.hand_index.of(mark)
    }

    fn hands_and_ids(&self, mark: Status) -> impl Iterator<Item = (HandId, &Hand)> {
        let hand = |id: HandId| &self.pass.boxes[usize::from(id.box_no) - 1].hands[usize::from(id.hand)];
        self.hands_with(mark).map(move |id| (id, hand(id)))
    }

    /// Boxes with their numbers, in order.
    pub fn boxes(&self) -> impl Iterator<Item = (u8, &BettingBox)> {
        (1..=self.boxes).zip(&self.pass.boxes)
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

    /// Somebody is left for whom the bank draws (Readings 11 and 12).
    #[must_use]
    pub fn bank_has_to_draw(&self) -> bool {
        self.live_hands().any(|(_, hand)| self.settings.bank.draws_against_blackjacks || !hand.is_blackjack())
    }

    /// Every hand is finished and the bank, its cards seen, is below its standing total and has somebody to draw for.
    #[must_use]
    pub fn bank_draws_on(&self) -> bool {
        self.pass.bank.must_draw() == Some(true) && self.turn().is_none() && self.bank_has_to_draw()
    }

    /// Neither where cards go nor what bettors choose is seen, and a card has been drawn in play: which hand got it is
    /// a guess, and nothing that depends on it is judged.
    #[must_use]
    pub fn guesses(&self) -> bool {
        self.pass.guessed
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

    /// Both deliveries are over: the bank has its cards of them and, where its second comes later, every hand too; or
    /// play has begun.
    #[must_use]
    pub fn delivered(&self) -> bool {
        let served = self.pass.bank.served;
        let waits = || !self.hands_with(Status::First).is_empty() || !self.hands_with(Status::Second).is_empty();
        self.pass.playing || served >= 2 || (served == 1 && !self.settings.bank_is_covered() && !waits())
    }

    /// Who forgot to bet may still do so: the first delivery is under way, and the bank has no card yet (T-Q4).
    #[must_use]
    pub fn takes_forgotten_bet(&self) -> bool {
        self.settings.stakes.forgotten_bet && self.pass.dealing && self.pass.bank.served == 0 && !self.pass.second
    }

    /// Whether one hand plays before another.
    #[must_use]
    pub const fn plays_before(&self, one: HandId, other: HandId) -> bool {
        plays_before(one, other, self.settings.delivery.first_box)
    }

    /// A hand that only its 21 has finished may ask for a card, until the bank draws for itself.
    #[must_use]
    pub fn may_draw_at_21(&self, hand: &Hand) -> bool {
        let bank_waits = self.settings.bank_is_covered() || self.pass.bank.served < 2;
        self.settings.play.hit_at_21 && bank_waits && hand.is_finished_by_21(&self.settings)
    }

    /// Nobody's turn stands in the way of the bank's cards beyond its first, where those come after play.
    #[must_use]
    pub fn all_have_played(&self) -> bool {
        self.settings.bank_is_covered() || (self.delivered() && self.turn().is_none())
    }

    /// The bank's second card is due after play, and play is over.
    #[must_use]
    pub fn bank_is_next(&self) -> bool {
        !self.settings.bank_is_covered() && self.pass.bank.served == 1 && self.all_have_played()
    }

    /// Insurance against the bank is still open: its second card decides it.
    #[must_use]
    pub fn is_insured_against_bank(&self) -> bool {
        self.settings.insures_against_bank()
            && self.pass.bank.served < 2
            && self.hands().any(|(_, hand)| hand.insurance > 0 && !hand.void)
    }

    /// Whether somebody decides for a box: its bettor does, and whoever is not named is taken to be him (D4).
    #[must_use]
    pub fn may_speak(&self, id: HandId, by: Option<&Name>) -> bool {
        let bettor = self.betting_box(id.box_no).and_then(|betting_box| betting_box.bettor.as_ref());
        by.is_none() || bettor.is_none() || by == bettor
    }

    /// The seat a player has.
    #[must_use]
    pub fn seat_of(&self, player: &str) -> Option<u8> {
        self.seats.iter().find(|(_, name)| name == player).map(|(seat, _)| *seat)
    }

    /// The player at a seat.
    #[must_use]
    pub fn seated(&self, seat: u8) -> Option<&Name> {
        self.seats.iter().find(|(taken, _)| *taken == seat).map(|(_, name)| name)
    }

    /// What lies on a spot.
    #[must_use]
    pub fn lies_on(&self, id: HandId, spot: BetSpot) -> Cents {
        self.betting_box(id.box_no).map_or(0, |betting_box| betting_box.hands[usize::from(id.hand)].on(spot))
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

    /// The cards lying at a place where each is known.
    #[must_use]
    pub fn lying_at(&self, place: Place) -> &[Held] {
        match place {
            Place::Bank => &self.pass.bank.cards,
            Place::Hand(id) => {
                self.betting_box(id.box_no).map_or(&[], |betting_box| &betting_box.hands[usize::from(id.hand)].cards)
            }
            Place::Burn | Place::Discard | Place::Shoe => &[],
        }
    }
}
