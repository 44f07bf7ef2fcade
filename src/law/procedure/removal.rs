//! Which of the cards at a place a `move` takes.

use alloc::vec::Vec;

use super::cards::{Cards, Held};
use super::duties::Duties;
use super::duty::{Part, belonging};
use super::state::State;
use crate::table::settings::Misdealt;
use crate::table::{Card, Moved, Place};

/// The cards a `move` takes: a bit a card, in the order they lie there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removal {
    mask: u128,
    /// Cards taken that count.
    pub due: usize,
    /// Cards taken that had to be burned.
    pub misdealt: usize,
    /// How many of those that count are asked for.
    pub asked: usize,
}

impl Removal {
    /// No card.
    pub const NONE: Self = Self { mask: 0, due: 0, misdealt: 0, asked: usize::MAX };

    /// Cards taken in all.
    #[must_use]
    pub const fn count(self) -> usize {
        self.due + self.misdealt
    }

    /// Cards taken for which somebody has asked: those that count stand for none that had to be burned.
    #[must_use]
    pub fn answers(self) -> usize {
        self.misdealt + self.due.min(self.asked)
    }

    /// Takes the n-th card.
    #[must_use]
    pub const fn takes(self, n: usize) -> bool {
        n < 128 && self.mask & (1 << n) != 0
    }

    /// Reads a `move` in the facts before it. Cards left out means all of them; to the burn tray or back to the shoe,
    /// all that must go there where a duty says how many, or misdealt cards lie there that go back.
    #[must_use]
    pub fn read(state: &State, duties: &Duties, from: Place, to: Place, cards: Option<&Moved>) -> Self {
        let held: &[Held] = match from {
            Place::Hand(_) | Place::Bank => state.pass.lying_at(from),
            Place::Shoe => return Self::uncounted(state.pass.unplaced, duties.to_move(from, to), cards),
            Place::Discard => {
                let lying = usize::try_from(state.supply.discarded()).unwrap_or(usize::MAX);
                return Self::uncounted(lying, duties.to_move(from, to), cards);
            }
            // a card drawn straight to the burn tray goes back where such cards do
            Place::Burn if to == Place::Shoe && state.settings.delivery.misdealt == Misdealt::Back => {
                return Self::uncounted(state.pass.burned, duties.to_move(from, to), cards);
            }
            Place::Burn => &[],
        };
        let held = &held[..held.len().min(128)];
        let undue_first = matches!(to, Place::Burn | Place::Shoe);
        let misdealt = held.iter().filter(|held| held.misdealt).count();
        let asked = duties.may_move(from, belonging(to)).saturating_sub(misdealt);
        let mut removal = Self { asked, ..Self::NONE };
        match cards {
            Some(Moved::Cards(cards)) => {
                let others = removal.take_named(held, cards, undue_first, |lies, named| lies == named);
                // one of the rest may be named that could not be read when it came, or now
                removal.take_named(held, &others, undue_first, Card::may_be);
            }
            Some(Moved::Count(count)) => removal.take_last(held, *count, undue_first),
            None => {
                let goes_there = match state.settings.delivery.misdealt {
                    Misdealt::Burn => to == Place::Burn,
                    Misdealt::Back => to == Place::Shoe,
                    _ => false,
                };
                let to_move = duties.to_move(from, to).max(if goes_there { misdealt } else { 0 });
                let count = if to_move > 0 { to_move } else { held.len() };
                removal.take_last(held, count, undue_first);
            }
        }
        removal
    }

    /// Cards that lie where none of them counts: drawn misdealt, or in the discard tray.
    fn uncounted(lying: usize, to_burn: usize, cards: Option<&Moved>) -> Self {
        let asked = match cards {
            None if to_burn > 0 => to_burn,
            None => lying,
            Some(Moved::Count(n)) => *n,
            Some(Moved::Cards(cards)) => cards.len(),
        };
        Self { misdealt: asked.min(lying), ..Self::NONE }
    }

    /// The cards that are named, those that must be burned before others where they go to be burned; what is left are
    /// the named ones that do not lie there.
    fn take_named(
        &mut self,
        held: &[Held],
        cards: &[Card],
        undue_first: bool,
        is_it: impl Fn(Card, Card) -> bool,
    ) -> Vec<Card> {
        let mut others = Vec::new();
        for &card in cards {
            // one that lies covered goes last: whether it is that card nobody may tell
            let fits = |misdealt: bool, down: bool| {
                let fits = |held: &Held| is_it(held.card, card) && (held.misdealt, held.down) == (misdealt, down);
                (0..held.len()).rev().find(|&n| fits(&held[n]) && !self.takes(n))
            };
            let any = |misdealt| fits(misdealt, false).or_else(|| fits(misdealt, true));
            match any(undue_first).or_else(|| any(!undue_first)) {
                Some(n) => self.take(held, n),
                None => others.push(card),
            }
        }
        others
    }

    /// The last ones dealt, those that must be burned before others where they go to be burned.
    fn take_last(&mut self, held: &[Held], count: usize, undue_first: bool) {
        let is_first = |n: usize| undue_first && held[n].misdealt;
        let those = |first| (0..held.len()).rev().filter(move |n| is_first(*n) == first);
        those(true).chain(those(false)).take(count).for_each(|n| self.take(held, n));
    }

    /// Takes its cards from where they lie, and names them where that is asked.
    pub(super) fn take_from(self, cards: &mut Cards, mut named: Option<&mut Vec<Held>>) {
        let mut n = 0;
        let is_left = |held: &Held| {
            n += 1;
            let is_taken = self.takes(n - 1);
            if is_taken && let Some(named) = &mut named {
                named.push(*held);
            }
            !is_taken
        };
        cards.change(|cards| cards.retain(is_left));
    }

    fn take(&mut self, held: &[Held], n: usize) {
        self.mask |= 1 << n;
        if held[n].misdealt {
            self.misdealt += 1;
        } else {
            self.due += 1;
        }
    }
}

impl State {
    /// Cards were taken from a hand: with none left, and its first delivery over, it gets no others.
    pub(super) fn put_away(&mut self, from: Place) {
        let comes = self.is_in_first_delivery() || !self.settings.delivery.strict_rounds;
        if let (Place::Hand(id), false) = (from, comes) {
            self.pass.change_hand(id, |hand| hand.put_away = hand.count() == 0);
        }
    }
}

impl Part {
    /// How many cards it wants moved from one place to another.
    pub(super) fn left_to_move(&mut self, from: Place, to: Place) -> Option<&mut usize> {
        match (self, to) {
            (Self::Burn { place, left }, Place::Burn) | (Self::PutBack { place, left }, Place::Shoe) => {
                (*place == from).then_some(left)
            }
            _ => None,
        }
    }
}
