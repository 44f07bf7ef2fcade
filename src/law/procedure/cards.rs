//! Cards lying at a place, with what they add up to kept beside them.

use alloc::vec::Vec;
use core::ops::Deref;

use crate::table::settings::LaterAce;
use crate::table::{Card, Place, Rank};

/// A card lying at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Held {
    /// Which card; known to the shoe also where it lies covered.
    pub card: Card,
    /// It lies covered.
    pub down: bool,
    /// It must be burned: it counts for nothing.
    pub misdealt: bool,
    /// What tells what it counts for was not all seen: of one that must be burned nobody knows whether it does, of one
    /// that lies covered what it is.
    pub doubted: bool,
}

/// Cards that count as moved for a finding though nobody saw it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GoneUnseen {
    pub(super) finding: u64,
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) cards: Vec<Held>,
}

/// What the cards that count come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tally {
    /// How many count.
    pub count: usize,
    /// Their points, every ace taken as 1; at most 255.
    pub hard: u8,
    /// Aces among the first two.
    pub early_aces: u8,
    /// Aces after them.
    pub late_aces: u8,
    /// Their points as the bank counts them (D13), by each reading of its later ace.
    pub bank: [u8; 2],
    /// How many of them could not be read, or lie covered where they may have been turned up unseen.
    pub unread: u8,
    /// Nobody knows whether another that lies there counts too.
    pub doubted: bool,
    /// One of them lies covered.
    pub covered: bool,
    /// The first of them does.
    pub first_covered: bool,
    /// Ranks of the first two.
    pub first: [Option<Rank>; 2],
}

impl Tally {
    /// An ace with a ten-value card in two cards (M2): eleven with the ace taken as 1.
    #[must_use]
    #[inline]
    pub const fn is_blackjack(&self) -> bool {
        self.count == 2 && self.early_aces == 1 && self.hard == 11
    }

    /// One of them could not be read, or another may count.
    #[must_use]
    pub const fn is_unread(&self) -> bool {
        self.unread > 0 || self.doubted
    }

    /// The first is an ace, for all to see.
    #[must_use]
    pub fn begins_with_ace(&self) -> bool {
        self.first[0] == Some(Rank::ACE) && !self.first_covered
    }

    /// What they come to where the one that could not be read is of this rank.
    pub(super) fn read_as(&self, rank: Rank) -> Option<Self> {
        if self.unread != 1 || self.covered || self.doubted {
            return None;
        }
        let (mut read, ace) = (*self, u8::from(rank == Rank::ACE));
        match read.first.iter_mut().take(self.count).find(|first| first.is_none()) {
            Some(first) => {
                *first = Some(rank);
                read.early_aces += ace;
            }
            None => read.late_aces = read.late_aces.saturating_add(ace),
        }
        read.hard = read.hard.saturating_add(rank.points());
        read.unread = 0;
        Some(read)
    }

    /// Counts one more card.
    pub(super) fn add(&mut self, held: Held) {
        if held.misdealt {
            self.doubted |= held.doubted;
            return;
        }
        let rank = held.card.rank().filter(|_| !held.doubted);
        let points = rank.map_or(0, Rank::points);
        let ace = points == Rank::ACE.points();
        self.bank = [LaterAce::Within21, LaterAce::From17].map(|later| sum_with(self, later, points, ace));
        match self.first.get_mut(self.count) {
            Some(first) => {
                *first = rank;
                self.early_aces += u8::from(ace);
            }
            None => self.late_aces = self.late_aces.saturating_add(u8::from(ace)),
        }
        self.first_covered |= self.count == 0 && held.down;
        self.count += 1;
        self.hard = self.hard.saturating_add(points);
        self.unread = self.unread.saturating_add(u8::from(rank.is_none()));
        self.covered |= held.down;
    }
}

/// Cards at a place, in the order they came; read like a slice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Cards {
    held: Vec<Held>,
    tally: Tally,
}

impl Deref for Cards {
    type Target = [Held];

    fn deref(&self) -> &[Held] {
        &self.held
    }
}

impl Cards {
    /// What the cards that count come to.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// A card comes to lie here.
    pub fn push(&mut self, held: Held) {
        self.held.push(held);
        self.tally.add(held);
    }

    /// Changes the cards in any way.
    pub fn change<T>(&mut self, change: impl FnOnce(&mut Vec<Held>) -> T) -> T {
        let changed = change(&mut self.held);
        self.tally = Tally::default();
        self.held.iter().for_each(|held| self.tally.add(*held));
        changed
    }

    /// Covered cards are turned up. What is seen is the last word on them, unless one of them is known to be that card.
    pub(super) fn uncover(&mut self, seen: Option<Card>) {
        self.change(|cards| {
            let seen = last_word(cards, seen);
            for held in cards.iter_mut().filter(|held| held.down) {
                held.down = false;
                held.doubted &= held.misdealt;
                held.card = seen.unwrap_or(held.card);
            }
        });
    }

    /// The first uncovered card that could not be read turns out to be this one.
    pub(super) fn identify(&mut self, card: Card) {
        self.change(|cards| {
            if let Some(held) = cards.iter_mut().find(|held| !held.down && held.card == Card::UNREAD) {
                held.card = card;
            }
        });
    }

    /// As many as that must be burned: the last ones, those that must be already among them.
    pub(super) fn must_burn(&mut self, count: usize) {
        self.change(|cards| {
            let due = cards.iter().filter(|held| held.misdealt).count();
            let good = cards.iter_mut().rev().filter(|held| !held.misdealt);
            good.take(count.saturating_sub(due)).for_each(|held| held.misdealt = true);
        });
    }

    /// Nobody knows any more whether those that must be burned were dealt by mistake.
    pub(super) fn doubt(&mut self) {
        self.change(|cards| cards.iter_mut().for_each(|held| held.doubted |= held.misdealt));
    }

    /// Those that count and lie covered may have been turned up unseen, but for the one that belongs so, by its number.
    pub(super) fn doubt_covered(&mut self, but: Option<usize>) {
        self.change(|cards| {
            let good = cards.iter_mut().filter(|held| !held.misdealt).enumerate();
            let covered = good.filter(|(n, held)| held.down && Some(*n) != but);
            covered.for_each(|(_, held)| held.doubted = true);
        });
    }

    /// A card dealt by mistake counts after all.
    pub(super) fn let_stand(&mut self, card: Card) {
        self.change(|cards| {
            if let Some(held) = cards.iter_mut().find(|held| held.misdealt && held.card == card) {
                (held.misdealt, held.doubted) = (false, false);
            }
        });
    }
}

impl FromIterator<Held> for Cards {
    fn from_iter<I: IntoIterator<Item = Held>>(cards: I) -> Self {
        let mut all = Self::default();
        cards.into_iter().for_each(|held| all.push(held));
        all
    }
}

/// What is seen of covered cards that are turned up, unless one of them is known to be that card.
fn last_word(cards: &[Held], seen: Option<Card>) -> Option<Card> {
    seen.filter(|seen| !cards.iter().any(|held| held.down && held.card == *seen))
}

/// The cards that are seen when those lying covered are turned up.
pub fn uncovered_by(cards: &[Held], seen: Option<Card>) -> impl Iterator<Item = Card> + '_ {
    let seen = last_word(cards, seen);
    cards.iter().filter(|held| held.down).map(move |held| seen.unwrap_or(held.card))
}

/// D13. In the first two cards an ace counts 11 beside a six or more, else 1; a later one counts 11 only where the sum
/// then lies in 17 to 21. Once counted it keeps its value: the text knows no soft totals.
#[inline]
fn sum_with(tally: &Tally, later: LaterAce, points: u8, ace: bool) -> u8 {
    let sum = tally.bank[later as usize].saturating_add(points);
    let eleven = sum >= 7
        && match tally.count {
            1 => (tally.early_aces > 0) != ace,
            _ => ace && (later == LaterAce::From17 || sum <= 11),
        };
    if eleven { sum.saturating_add(10) } else { sum }
}
