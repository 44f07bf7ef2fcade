//! Who banks where players do, by turn or on a Black Jack, and what their common bank holds.

use alloc::vec::Vec;

use super::hand::Owed;
use super::state::State;
use crate::table::event::{BankChange, Share};
use crate::table::settings::Side;
use crate::table::{Card, Cents, HandId, Name, Rank};

/// A bettor's Black Jack in the pass that ended last.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
pub struct Claim {
    /// Whose, where known.
    pub player: Option<Name>,
    /// In which box.
    pub box_no: u8,
    /// In a split hand.
    pub split: bool,
    /// The bank had one too.
    pub tied: bool,
    /// In the first pass since the bank was drawn for.
    pub first_pass: bool,
    /// He left the bank where it was.
    pub waived: bool,
}

/// Who banks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Bankers {
    /// The player who banks; `None` where nobody was told to.
    pub banker: Option<Name>,
    /// Who has banked in this round, in order.
    pub banked: Vec<Name>,
    /// Cards drawn for the bank since it last changed hands.
    pub cards: Vec<(Name, Card)>,
    /// Black Jacks of the pass that ended last, in the order of play.
    pub claims: Vec<Claim>,
    /// The bank has changed hands on one of them.
    pub moved: bool,
    /// Who played in the pass that ended last, and in which box, in the order of play.
    pub played: Vec<(Name, u8)>,
    /// No pass has ended since the bank was drawn for.
    pub first_pass: bool,
    /// The shoe is over, or was before it was shuffled: the bank is to pass on.
    pub turn_due: bool,
    /// The bank has passed on since bets closed last.
    pub relieved: bool,
}

impl Bankers {
    /// Nobody banks yet.
    #[must_use]
    pub fn new() -> Self {
        Self { first_pass: true, ..Self::default() }
    }

    /// The bank changes hands, or is left where it is.
    pub(super) fn change(&mut self, how: BankChange, player: Option<&Name>, by: Option<&Name>) {
        match how {
            BankChange::Left => {
                let who = by.or(player);
                let waived = self.claims.iter_mut().filter(|claim| claim.player.as_ref() == who);
                return waived.for_each(|claim| claim.waived = true);
            }
            BankChange::Drawn => {
                self.first_pass = true;
                self.claims.clear();
            }
            BankChange::Turn => self.banked.extend(player.cloned()),
            _ => self.moved = true,
        }
        self.banker = player.filter(|_| how != BankChange::Returned).cloned();
        self.turn_due = false;
        self.relieved = true;
        self.cards.clear();
    }

    /// Whether a player drew a card as high as any for the bank: ace high, then hearts, diamonds, clubs, spades (T-T1).
    /// A card of his that could not be read may have been.
    #[must_use]
    pub fn drew_highest(&self, player: &Name) -> bool {
        let of_all = self.cards.iter().filter_map(|(_, card)| high(*card)).max();
        let mut own = self.cards.iter().filter(|(name, _)| name == player).map(|(_, card)| high(*card));
        of_all.is_none() || own.any(|card| card.is_none() || card == of_all)
    }
}

/// Its rank, ace high, then its suit, hearts high; a card that could not be read is below all.
fn high(card: Card) -> Option<(u8, u8)> {
    let (rank, suit) = (card.rank()?, card.suit()?);
    let rank = if rank == Rank::ACE { u8::MAX } else { rank.index() };
    // spades, hearts, diamonds, clubs stand in the order 0 to 3
    Some((rank, (4 - suit.index()) % 4))
}

/// What the bank owned in common holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Account {
    /// What each participant advances; `None` before the first has.
    pub advance: Option<Cents>,
    /// In the bank, in cents; below 0 where it paid what it did not have.
    pub holds: i128,
    /// Who has advanced, and how often.
    pub advanced: Vec<(Name, u32)>,
    /// How often each participant has to have advanced: once, and once more for every time the bank was out of funds.
    pub rounds: u32,
    /// What is divided at the end, between whom, and who has had his part.
    pub division: Option<Division>,
}

/// The bank is being divided.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Division {
    /// What it held.
    pub pot: Cents,
    /// The participants, the first in the order of play first.
    pub among: Vec<Name>,
    /// Who has had his part.
    pub had: Vec<Name>,
}

impl Division {
    /// A participant's part: equal, and what is left over one unit each to the first in order; 0 for anybody else.
    #[must_use]
    pub fn part_of(&self, player: &Name) -> Cents {
        let parts = self.among.len() as Cents;
        match self.among.iter().position(|name| name == player) {
            Some(place) => self.pot / parts + Cents::from((place as Cents) < self.pot % parts),
            None => 0,
        }
    }

    /// What a participant may still be given.
    #[must_use]
    pub fn due_to(&self, player: &Name) -> Cents {
        if self.had.contains(player) { 0 } else { self.part_of(player) }
    }
}

impl Account {
    /// How often a participant has advanced.
    #[must_use]
    pub fn times(&self, player: &Name) -> u32 {
        self.advanced.iter().find(|(name, _)| name == player).map_or(0, |(_, times)| *times)
    }

    /// Chips go into the bank or out of it.
    pub(super) fn settle(&mut self, collected: Cents, paid: Cents) {
        if self.advance.is_some() {
            self.holds += i128::from(collected) - i128::from(paid);
        }
    }

    /// An advance after the bank was divided is the first of another session; what was not divided stays in the bank,
    /// and what was paid without one is nobody's to make good.
    fn advance(&mut self, player: &Name, amount: Cents, in_turn: bool) {
        if self.division.is_some() {
            *self = Self { holds: self.holds.max(0), ..Self::default() };
        }
        // one out of turn begins no round: the others need not follow
        self.rounds += u32::from(in_turn && self.times(player) == self.rounds);
        self.advance.get_or_insert(amount);
        self.holds += i128::from(amount);
        match self.advanced.iter_mut().find(|(name, _)| name == player) {
            Some((_, times)) => *times += 1,
            None => self.advanced.push((player.clone(), 1)),
        }
    }
}

impl State {
    /// A share is advanced or paid out; with the first part paid out the session and its round of bankers are over.
    pub(super) fn share(&mut self, player: &Name, what: Share, amount: Cents) {
        match what {
            Share::Advance => {
                let in_turn = self.may_advance(player);
                self.account.advance(player, amount, in_turn);
            }
            Share::Dividend => {
                let division = self.division();
                self.account.division.get_or_insert(division).had.push(player.clone());
                self.account.holds -= i128::from(amount);
                self.bankers.banked.clear();
                self.bankers.banker = None;
            }
        }
    }

    /// How the bank is divided, or would be now.
    #[must_use]
    pub fn division(&self) -> Division {
        self.account.division.clone().unwrap_or_else(|| Division {
            pot: Cents::try_from(self.account.holds).unwrap_or(0),
            among: self.participants(),
            had: Vec::new(),
        })
    }

    /// A participant has an advance to make: the first of the session, one that others have made before him, or the
    /// first of another round because the bank is out of funds (A7).
    #[must_use]
    pub fn may_advance(&self, player: &Name) -> bool {
        let account = &self.account;
        let complete = || self.participants().iter().all(|other| account.times(other) >= account.rounds);
        account.rounds == 0
            || account.division.is_some()
            || account.times(player) < account.rounds
            || (complete() && self.bank_is_short())
    }

    /// The bank holds nothing, or less than a bet on the felt is still to be paid: it is out of funds (A7).
    #[must_use]
    pub fn bank_is_short(&self) -> bool {
        let holds = self.account.holds;
        let unpaid = |owed: Option<Owed>, paid: Cents| owed.map_or(0, |owed| owed.pay.saturating_sub(paid));
        let exceeds = |due: Cents| i128::from(due) > holds;
        holds <= 0
            || self.hands().any(|(_, hand)| {
                exceeds(unpaid(self.owed(hand), hand.paid))
                    || exceeds(unpaid(self.insurance_owed(hand), hand.insurance_paid))
            })
    }

    /// The seated players, the first in the order of play first; where no seats are told, who has advanced to the bank.
    #[must_use]
    pub fn participants(&self) -> Vec<Name> {
        if !self.seats_told {
            return self.account.advanced.iter().map(|(name, _)| name.clone()).collect();
        }
        let mut seats: Vec<&(u8, Name)> = self.seats.iter().collect();
        seats.sort_by_key(|(seat, _)| *seat);
        if self.settings.delivery.first_box == Side::Right {
            seats.reverse();
        }
        let mut names: Vec<Name> = Vec::new();
        for (_, name) in seats {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Who banks after a player, counter-clockwise: the next lower seat, or the highest after the lowest (A4).
    #[must_use]
    pub fn next_banker(&self, player: &Name) -> Option<&Name> {
        let seat = self.seat_of(player)?;
        let lower = self.seats.iter().filter(|(other, _)| *other < seat).max_by_key(|(other, _)| *other);
        lower.or_else(|| self.seats.iter().max_by_key(|(other, _)| *other)).map(|(_, name)| name)
    }

    /// Who sits at the banker's left: the lowest seat that is not his own (G17).
    #[must_use]
    pub fn at_bankers_left(&self) -> Option<&Name> {
        let banker = self.bankers.banker.as_ref()?;
        let others = self.seats.iter().filter(|(_, name)| name != banker);
        others.min_by_key(|(seat, _)| *seat).map(|(_, name)| name)
    }

    /// To whom the cut is offered first: who was to get the cut card when it came out, else who sits at the banker's
    /// left (G17).
    #[must_use]
    pub fn cut_falls_to(&self) -> Option<&Name> {
        let is_there = |name: &Name| !self.seats_told || self.seat_of(name).is_some();
        let banks = |name: &Name| self.bankers.banker.as_ref() == Some(name);
        let got = self.cut_card_to.as_ref().filter(|name| is_there(name) && !banks(name));
        got.or_else(|| self.at_bankers_left())
    }

    /// Keeps the Black Jacks of a pass that ends: they move the bank.
    pub(super) fn claim(&mut self) {
        let bettor = |id: HandId| self.betting_box(id.box_no).and_then(|betting_box| betting_box.bettor.clone());
        let blackjacks = self.hands().filter(|(_, hand)| hand.had_blackjack && !hand.void);
        let claims = blackjacks.map(|(id, hand)| Claim {
            player: bettor(id),
            box_no: id.box_no,
            split: hand.split,
            tied: self.pass.bank.had_blackjack,
            first_pass: self.bankers.first_pass,
            waived: false,
        });
        let claims = claims.collect();
        let boxes = self.hands().filter(|(id, _)| id.hand == 0);
        let played = boxes.filter_map(|(id, _)| Some((bettor(id)?, id.box_no))).collect();
        self.bankers =
            Bankers { claims, played, moved: false, first_pass: false, ..core::mem::take(&mut self.bankers) };
    }

    /// A player's box: in the pass on the felt, else in the one that ended last; the first in the order of play.
    #[must_use]
    pub fn box_of(&self, player: &Name) -> Option<u8> {
        let bettor = |id: HandId| self.betting_box(id.box_no).and_then(|betting_box| betting_box.bettor.as_ref());
        let now = self.hands().find(|(id, _)| bettor(*id) == Some(player)).map(|(id, _)| id.box_no);
        now.or_else(|| self.bankers.played.iter().find(|(name, _)| name == player).map(|(_, box_no)| *box_no))
    }
}
