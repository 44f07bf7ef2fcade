//! Who banks, where players do: by turn, or whoever had a Black Jack.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::shoe::Supply;
use crate::table::event::BankChange;
use crate::table::settings::FirstHand;
use crate::table::{Card, Name, Rank};

/// A bettor's Black Jack in the pass that ended last.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// A card of the hand or of the bank could not be read: it may have been none, or tied.
    pub unsure: bool,
}

/// Who banks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bankers {
    banker: Option<Name>,
    /// Who has banked in this round, in order.
    banked: Vec<Name>,
    /// Cards drawn for the bank since it last changed hands.
    cards: Vec<(Name, Card)>,
    claims: Vec<Claim>,
    /// The bank has changed hands on a claim.
    moved: bool,
    /// Who played in the pass that ended last, and in which box, in the order of play.
    played: Vec<(Name, u8)>,
    /// A pass has ended since the first hand began that moves no bank.
    pass_ended: bool,
    /// Nobody knows who had which cards in the pass that ended last, and so a Black Jack.
    #[serde(default)]
    is_guess: bool,
    /// The pass on the felt has been paid out, and its Black Jacks are known.
    is_claimed: bool,
    /// The bank went back to the deck, and nobody has it until it is drawn for.
    returned: bool,
    turn_due: bool,
    /// The bank has passed on since bets closed last.
    relieved: bool,
    /// A card of the session has been drawn.
    session_began: bool,
}

impl Bankers {
    /// The player who banks; `None` where nobody was told to.
    #[must_use]
    pub const fn banker(&self) -> Option<&Name> {
        self.banker.as_ref()
    }

    /// Whether a player has banked in this round.
    #[must_use]
    pub fn has_banked(&self, player: &Name) -> bool {
        self.banked.contains(player)
    }

    /// A card of the session has been drawn, and the bank has not been divided since.
    #[must_use]
    pub const fn session_has_begun(&self) -> bool {
        self.session_began
    }

    /// A card is drawn in a pass.
    pub(super) const fn begin_session(&mut self) {
        self.session_began = true;
    }

    /// Everybody among them has banked, and the turn of the last is over.
    #[must_use]
    pub fn round_is_over(&self, participants: &[Name]) -> bool {
        self.turn_due && participants.iter().all(|player| self.has_banked(player))
    }

    /// Black Jacks of the pass that ended last, in the order of play.
    #[must_use]
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// The bank has changed hands on one of them.
    #[must_use]
    pub const fn has_moved(&self) -> bool {
        self.moved
    }

    /// The shoe is over, or was before it was shuffled: the bank is to pass on.
    #[must_use]
    pub const fn turn_is_due(&self) -> bool {
        self.turn_due
    }

    /// The box a player had in the pass that ended last; the first in the order of play.
    #[must_use]
    pub fn played_in(&self, player: &Name) -> Option<u8> {
        self.played.iter().find(|(name, _)| name == player).map(|(_, box_no)| *box_no)
    }

    /// The bank was returned to the deck and has not been drawn for.
    #[must_use]
    pub const fn is_returned(&self) -> bool {
        self.returned
    }

    /// The Black Jacks of the pass on the felt have been noted.
    #[must_use]
    pub const fn is_claimed(&self) -> bool {
        self.is_claimed
    }

    /// This is the first hand, whose Black Jack moves no bank (T-B6).
    #[must_use]
    pub const fn is_first_pass(&self) -> bool {
        !self.pass_ended
    }

    /// The bank changes hands, or is left where it is.
    pub(super) fn change(&mut self, how: BankChange, player: Option<&Name>, by: Option<&Name>, first_hand: FirstHand) {
        match how {
            BankChange::Left => {
                let who = by.or(player);
                let waived = self.claims.iter_mut().filter(|claim| claim.player.as_ref() == who);
                return waived.for_each(|claim| claim.waived = true);
            }
            BankChange::Drawn => self.claims.clear(),
            BankChange::Turn => self.banked.extend(player.cloned()),
            _ => self.moved = true,
        }
        self.pass_ended &= first_hand == FirstHand::Session;
        self.returned = how == BankChange::Returned;
        self.banker = player.filter(|_| how != BankChange::Returned).cloned();
        self.turn_due = false;
        self.relieved = true;
        self.cards.clear();
    }

    /// A card is drawn for the bank.
    pub(super) fn draw(&mut self, player: &Name, card: Card) {
        self.cards.push((player.clone(), card));
    }

    /// The shoe is over, and the banker's turn with it.
    pub(super) const fn end_turn(&mut self) {
        self.turn_due = true;
    }

    /// A shuffle between passes: before the cut card has come out it ends the banker's turn as well (A4).
    pub(super) fn shuffle(&mut self, supply: &Supply) {
        let early = supply.shoe().is_some_and(|shoe| !shoe.fresh && !shoe.is_over());
        self.turn_due |= !self.relieved && early;
    }

    /// The bets of a pass close: whoever banks in the first of a shoe does so for all of it.
    pub(super) fn close(&mut self, supply: &Supply) {
        self.relieved = false;
        self.turn_due &= !supply.shoe_is_fresh() || supply.shoe_is_over();
    }

    /// A pass ends with these Black Jacks, and with these players in their boxes.
    pub(super) fn end_pass(&mut self, claims: Vec<Claim>, played: Vec<(Name, u8)>) {
        self.claims = claims;
        self.played = played;
        self.moved = false;
        self.pass_ended = true;
        self.is_claimed = true;
    }

    /// The felt is cleared, and it may be a guess who had which cards.
    pub(super) const fn clear_pass(&mut self, is_guess: bool) {
        self.is_claimed = false;
        self.is_guess = is_guess;
    }

    /// Who had a Black Jack in the pass that ended last is a guess.
    #[must_use]
    pub const fn is_guess(&self) -> bool {
        self.is_guess
    }

    /// The common bank is divided: its round of bankers is over.
    pub(super) fn end_round(&mut self) {
        self.banked.clear();
        self.banker = None;
        self.session_began = false;
    }

    /// Who drew a card for the bank since it last changed hands.
    pub fn drew(&self) -> impl Iterator<Item = &Name> {
        self.cards.iter().map(|(name, _)| name)
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
