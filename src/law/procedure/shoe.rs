//! The cards outside the felt: shuffled, cut, in the shoe, and those that go back to their place in it.

use alloc::vec::Vec;

use super::cards::Held;
use super::state::State;
use crate::table::card::DECK;
use crate::table::event::Permit;
use crate::table::settings::{Banker, Misdealt};
use crate::table::{Card, Place};

/// A shoe in play.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shoe {
    /// Decks it was made of.
    pub decks: u32,
    /// How often each card has come out.
    pub seen: [u16; DECK],
    /// Its cut card has come out.
    pub cut_card_out: bool,
    /// No pass of it has closed its bets yet.
    pub fresh: bool,
    /// It was made up of retired cards in the middle of a pass, to finish that.
    pub makeshift: bool,
}

impl Shoe {
    /// The cards must be shuffled before the next pass.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.cut_card_out | self.makeshift
    }
}

/// A card dealt by mistake where such cards go back to the shoe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MisdealtCard {
    /// Which.
    pub card: Card,
    /// Where it went.
    pub place: Place,
    /// It is back in the shoe.
    pub back: bool,
}

/// Cards shuffled and not yet loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shuffled {
    /// Decks.
    pub decks: u32,
}

impl State {
    /// A shuffle has finished.
    pub(super) fn shuffle(&mut self, decks: u32) {
        self.permits.set(Permit::Shuffle, false);
        // who shuffles before the cut card has come out ends the banker's turn as well (A4)
        let early = |shoe: &Shoe| !shoe.fresh && !shoe.is_over();
        let stays = !self.bankers.relieved && !self.pass.dealing;
        self.bankers.turn_due |= stays && self.shoe.as_ref().is_some_and(early);
        self.shuffled = Some(Shuffled { decks });
        self.cut = false;
        self.cut_offered.clear();
    }

    /// The shoe is loaded: in the middle of a pass with what was retired, where the house finishes it so.
    pub(super) fn load(&mut self, cards: u32) {
        self.permits.set(Permit::DeckChange, false);
        let makeshift = self.pass.dealing && self.settings.reshuffles();
        let shuffled = self.shuffled.take().map_or(0, |shuffled| shuffled.decks);
        let before = self.shoe.as_ref().filter(|_| makeshift).map_or(0, |shoe| shoe.decks);
        let decks = shuffled.max(cards.div_ceil(DECK as u32)).max(before);
        self.discarded = 0;
        self.shoe_empty = false;
        self.cut = false;
        self.misdealt.clear();
        if makeshift {
            self.bankers.turn_due = true;
        } else {
            self.cut_card_to = None;
        }
        let seen = if makeshift { self.on_the_felt() } else { [0; DECK] };
        self.shoe = Some(Shoe { decks, seen, cut_card_out: false, fresh: !makeshift, makeshift });
    }

    /// How often each card lies on the felt: it cannot be among those shuffled in the middle of a pass.
    fn on_the_felt(&self) -> [u16; DECK] {
        let mut seen = [0; DECK];
        let hands = self.pass.boxes.iter().flat_map(|betting_box| &betting_box.hands);
        let lying = hands.flat_map(|hand| hand.cards.iter()).chain(self.pass.bank.cards.iter());
        lying.filter_map(|held| held.card.index()).for_each(|index| seen[index] += 1);
        seen
    }

    /// The cut card comes out in the place of a card: the shoe, and where players bank by turn the banker's turn, is
    /// over.
    pub(super) fn cut_card_comes(&mut self) {
        self.cut_card_to = match self.card_due() {
            Some(Place::Hand(id)) if self.settings.delivery.banker == Banker::ByTurn => {
                self.betting_box(id.box_no).and_then(|betting_box| betting_box.bettor.clone())
            }
            _ => None,
        };
        if let Some(shoe) = &mut self.shoe {
            shoe.cut_card_out = true;
        }
        self.bankers.turn_due = true;
    }

    /// The cut card has come out with bets on the felt, in the place of the first card of their pass (G22).
    #[must_use]
    pub fn cut_card_came_first(&self) -> bool {
        let pass = &self.pass;
        let out = self.shoe.as_ref().is_some_and(|shoe| shoe.cut_card_out);
        out && pass.open && !pass.dealing && !pass.begun_after_cut_card
    }

    /// The bets of a pass close: whoever banks in the first of a shoe does so for all of it.
    pub(super) fn begin_shoe(&mut self) {
        self.bankers.relieved = false;
        if let Some(shoe) = &mut self.shoe {
            self.bankers.turn_due &= !shoe.fresh || shoe.is_over();
            shoe.fresh = false;
        }
    }

    /// A card comes out, at a place where it does not belong or else `None`. What was put back is then where it was, or
    /// has been looked for in vain: nothing more is expected.
    pub(super) fn leave_shoe(&mut self, card: Card, astray_at: Option<Place>) {
        self.shoe_empty = false;
        if let (Some(shoe), Some(index)) = (&mut self.shoe, card.index()) {
            shoe.seen[index] = shoe.seen[index].saturating_add(1);
        }
        let found = self.misdealt.iter().position(|misdealt| misdealt.back && may_be(misdealt.card, card));
        if found.is_none() {
            self.misdealt.retain(|misdealt| !misdealt.back);
        }
        match (astray_at.filter(|_| self.settings.delivery.misdealt == Misdealt::Back), found) {
            // it keeps its place before those that first came out after it
            (Some(place), Some(n)) => self.misdealt[n] = MisdealtCard { card, place, back: false },
            (Some(place), None) => self.misdealt.push(MisdealtCard { card, place, back: false }),
            (None, Some(n)) => {
                self.misdealt.remove(n);
            }
            (None, None) => {}
        }
    }

    /// Cards go back into the shoe from a place, where they are known one by one or else are so many; they may come out
    /// again.
    pub(super) fn back_in_shoe(&mut self, from: Place, known: &[Held], count: usize) {
        let mut cards: Vec<Card> = known.iter().map(|held| held.card).collect();
        if !matches!(from, Place::Hand(_) | Place::Bank) {
            let there = self.misdealt.iter().filter(|misdealt| !misdealt.back && misdealt.place == from);
            cards.extend(there.take(count).map(|misdealt| misdealt.card));
        }
        for card in &cards {
            if let Some(misdealt) = self.misdealt.iter_mut().find(|misdealt| misdealt.card == *card && !misdealt.back) {
                misdealt.back = true;
            }
            if let (Some(shoe), Some(index)) = (&mut self.shoe, card.index()) {
                shoe.seen[index] = shoe.seen[index].saturating_sub(1);
            }
        }
        self.shoe_empty &= cards.is_empty();
    }

    /// The card that was put back and has to come out next: of several, the one that first came out first.
    #[must_use]
    pub fn put_back_next(&self) -> Option<Card> {
        self.misdealt.iter().find(|misdealt| misdealt.back).map(|misdealt| misdealt.card)
    }

    /// Whether another card comes out than the one that was put back to be next.
    #[must_use]
    pub fn displaces(&self, card: Card) -> bool {
        self.put_back_next().is_some_and(|next| !may_be(next, card))
    }

    /// Whether a card has come out as often as there are decks.
    #[must_use]
    pub fn exceeds_decks(&self, card: Card) -> bool {
        match (&self.shoe, card.index()) {
            (Some(shoe), Some(index)) => u32::from(shoe.seen[index]) >= shoe.decks,
            _ => false,
        }
    }
}

/// Whether one card may be the other: one that could not be read may be any.
fn may_be(one: Card, other: Card) -> bool {
    one == other || one == Card::UNREAD || other == Card::UNREAD
}
