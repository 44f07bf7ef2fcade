//! `croupier-6`: six decks, seven seated players, no card covered; stand or draw and nothing else.

mod breaks;
pub mod kinds;

use super::open::{DoubleOn, Insured, Pairs, Pays, Rules, Side, SplitBlackJack, Surrender};
use super::*;

/// `croupier-6`.
pub static HOUSE: House = House {
    id: "croupier-6",
    kinds: kinds::ALL,
    unit: STEP,
    limits: house::LIMITS,
    game: Game::Open(&RULES),
    heeded: &[],
    can_break: house::any,
};

static RULES: Rules = Rules {
    decks: 6,
    refills: false,
    close_binds: true,
    behind: (40, 64),
    first_box: Side::Left,
    blackjack: Pays { pays: 3, per: 2, split: SplitBlackJack::TwentyOne },
    blackjack_at_once: false,
    double_on: DoubleOn::Never,
    double_after_split: false,
    pairs: Pairs::Value,
    max_hands: 1,
    aces_again: true,
    insurance: Insured::Never,
    insurance_may_be_less: false,
    insurance_at_once: true,
    insurance_unit: STEP,
    surrender: Surrender::Never,
    even_money: false,
    possible: |_, _| true,
    at: breaks::at,
};
