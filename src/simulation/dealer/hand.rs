//! A hand on the felt.

use crate::dealer::naive;
use sabot_law::table::{Card, Cents, HandId, Name};

/// A hand and what lies on it.
#[derive(Debug, Clone)]
pub(super) struct Hand {
    pub(super) id: HandId,
    pub(super) bettor: Name,
    pub(super) cards: Vec<Card>,
    pub(super) stake: Cents,
    pub(super) double: Cents,
    /// What lies on its split spot: each split adds its stake.
    pub(super) split_by: Cents,
    pub(super) insurance: Cents,
    pub(super) declared: Option<u8>,
    /// It was paid or collected.
    pub(super) insurance_settled: bool,
    /// The second card to the ace the insurance lies on.
    pub(super) insured_card: Option<Card>,
    /// Came of a split.
    pub(super) split: bool,
    pub(super) split_ace: bool,
    /// Stood, doubled, at 21 or over.
    pub(super) done: bool,
    /// A card of it lies covered.
    pub(super) covered: bool,
    pub(super) void: bool,
    /// Its cards went into the discard tray: no claim.
    pub(super) forfeit: bool,
    /// Its main bet was settled out of the ordinary.
    pub(super) settled: bool,
    /// Half of it was given up.
    pub(super) surrendered: bool,
    /// Its Black Jack took single pay.
    pub(super) even_money: bool,
    /// Cards that lie there without counting.
    pub(super) stray: usize,
}

impl Hand {
    pub(super) fn new(box_no: u8, bettor: Name, stake: Cents) -> Self {
        Self {
            id: HandId::first(box_no),
            bettor,
            cards: Vec::with_capacity(6),
            stake,
            double: 0,
            split_by: 0,
            insurance: 0,
            insurance_settled: false,
            declared: None,
            insured_card: None,
            split: false,
            split_ace: false,
            done: false,
            covered: false,
            void: false,
            forfeit: false,
            settled: false,
            surrendered: false,
            even_money: false,
            stray: 0,
        }
    }

    pub(super) fn total(&self) -> u8 {
        naive::bettor_total(&self.cards, self.declared)
    }

    pub(super) fn first_is_ace(&self) -> bool {
        self.cards.first().is_some_and(|&card| naive::is_ace(card))
    }

    pub(super) fn has_ace_in_two(&self) -> bool {
        self.cards.iter().take(2).any(|&card| naive::is_ace(card))
    }

    pub(super) fn is_over(&self) -> bool {
        self.total() > 21
    }

    /// Still to be played.
    pub(super) fn waits(&self) -> bool {
        !self.void && !self.done && self.total() < 21
    }

    pub(super) fn at_stake(&self) -> Cents {
        self.stake + self.double
    }

    pub(super) fn lies_empty(&self) -> bool {
        self.cards.is_empty() && self.stray == 0
    }
}
