//! What a house on `sala-8`'s base goes by: the figures of the text, and those it changes.

use super::kinds;
use crate::dealer::naive::{self, open, sala8 as law};
use crate::dealer::{Hand, Kind};
use sabot_law::table::settings::{BankAce, Changes, DoubleOn, Rate, Span, Surrender};
use sabot_law::table::{Card, Cents};

/// The settings of which another figure is dealt by.
pub(in crate::dealer) const HEEDED: &[&str] = &[
    "min_decks",
    "max_decks",
    "cut_deeper_than",
    "behind_cut_card",
    "ace_is_declared",
    "surrender",
    "blackjack",
    "split_ten_blackjack",
    "split_ace_blackjack",
    "bank_ace",
    "bank_hits_soft_17",
    "double_on",
    "chip",
];

/// The figures in force.
#[derive(Debug, Clone, Copy)]
pub(super) struct Book {
    /// Decks of a shoe, fewest and most.
    pub(super) decks: (u8, u8),
    /// The cut is deeper than this.
    pub(super) cut_deeper_than: u32,
    /// Cards behind the cut card, fewest and most.
    pub(super) behind: (usize, usize),
    /// Whether an ace among a bettor's first two cards is declared.
    pub(super) ace_is_declared: bool,
    /// Whether half a stake may be given up.
    pub(super) surrender: Surrender,
    /// What a Black Jack pays: any, one on an opened ten, one on an opened ace.
    blackjack: [Rate; 3],
    bank_ace: BankAce,
    bank_hits_soft_17: bool,
    double_on: DoubleOn,
    chip: Cents,
}

impl Book {
    /// The book with a house's changes.
    pub(super) fn of(changes: &Changes) -> Self {
        let fewest = changes.min_decks.map_or(8, |decks| decks.min(200) as u8);
        let most = changes.max_decks.map_or(fewest + 2, |decks| decks.min(202) as u8).max(fewest);
        let Span(least, greatest) = changes.behind_cut_card.unwrap_or(Span(40, 64));
        Self {
            decks: (fewest, most.min(fewest + 2)),
            cut_deeper_than: changes.cut_deeper_than.unwrap_or(50),
            behind: (least as usize, greatest as usize),
            blackjack: [
                changes.blackjack.unwrap_or(Rate { pays: 3, per: 2 }),
                changes.split_ten_blackjack.unwrap_or(Rate { pays: 3, per: 2 }),
                changes.split_ace_blackjack.unwrap_or(Rate { pays: 1, per: 1 }),
            ],
            ace_is_declared: changes.ace_is_declared.unwrap_or(true),
            surrender: changes.surrender.unwrap_or(Surrender::Never),
            bank_ace: changes.bank_ace.unwrap_or(BankAce::Kept),
            bank_hits_soft_17: changes.bank_hits_soft_17.unwrap_or(false),
            double_on: changes.double_on.unwrap_or(DoubleOn::Eleven),
            chip: changes.chip.unwrap_or(1),
        }
    }

    /// Whether a break can be one in such a house.
    pub(super) fn allows(&self, kind: Kind) -> bool {
        match kind {
            kinds::D4_ACE | kinds::D10_STAND | kinds::D10_HIT | kinds::D10_SECOND => self.ace_is_declared,
            // where any two cards may be doubled, a card nobody asked for is one to a hand not asked about doubling
            kinds::O1_CHIPS | kinds::O1_DECIDE | kinds::C6_AFTER | kinds::D9_DRAW => self.double_on != DoubleOn::Any,
            kinds::C8_DOUBLE => self.double_on != DoubleOn::Never,
            _ => true,
        }
    }

    /// Whether two cards may be doubled.
    pub(super) fn may_double(&self, cards: &[Card]) -> bool {
        let plain = cards.len() == 2 && !naive::is_black_jack(cards);
        match self.double_on {
            DoubleOn::Never => false,
            DoubleOn::Eleven => naive::is_eleven(cards),
            DoubleOn::NineToEleven => plain && open::may_count(cards, 9..=11),
            DoubleOn::Any => plain,
        }
    }

    /// What a Black Jack of this hand pays.
    pub(super) fn blackjack_of(&self, hand: &Hand) -> Rate {
        let [any, on_ten, on_ace] = self.blackjack;
        match hand {
            Hand { split_ace: true, .. } => on_ace,
            Hand { split: true, .. } => on_ten,
            _ => any,
        }
    }

    /// The bank's total.
    pub(super) fn bank_total(&self, bank: &[Card]) -> u8 {
        match self.bank_ace {
            BankAce::Kept => law::bank_total(bank),
            BankAce::Best => open::total(bank),
        }
    }

    /// Whether the bank stands or is over.
    pub(super) fn bank_is_done(&self, bank: &[Card]) -> bool {
        let total = self.bank_total(bank);
        let hard: u8 = bank.iter().map(|&card| naive::points(card)).sum();
        total > 17 || (total == 17 && !(self.bank_hits_soft_17 && hard == 7))
    }

    /// Whether the bank stands and is not over.
    pub(super) fn bank_stands(&self, bank: &[Card]) -> bool {
        self.bank_is_done(bank) && self.bank_total(bank) <= 21
    }

    /// Half a stake as it is given up.
    pub(super) fn half(&self, stake: Cents) -> Cents {
        open::half_up(stake, self.chip)
    }
}
