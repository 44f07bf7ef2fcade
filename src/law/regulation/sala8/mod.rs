//! `sala-8`: the casino floor's regulation. Eight decks or more, a covered card for the bank, an inspector, and the

mod c01_seated_players_bet;
mod c02_empty_box;
mod c03_late_bets;
mod c04_one_card_only;
mod c05_undue_card;
mod c06_three_cards;
mod c07_bank_card_uncovered;
mod c08_not_asked;
mod c09_double_not_served;
mod c10_no_card;
mod c11_not_dealt_on;
mod c12_bank_seen_early;
mod c13_bank_not_dealt;
mod c14_bank_card_discarded;
mod c15_bettors_card_discarded;
mod c16_no_change_of_bets;
mod c17_no_side_bets;
mod c18_bank_draws_for_nobody;
mod c19_change_of_decks;
mod c20_the_room_decides;
mod d01_opening_a_shoe;
mod d02_limits;
mod d03_strangers_bets;
mod d04_own_decisions;
mod d05_shuffle_and_cut;
mod d06_depth_of_the_cut;
mod d07_end_of_the_shoe;
mod d08_delivery;
mod d09_play;
mod d10_declared_ace;
mod d11_boxes_before_bank;
mod d12_banks_play;
mod d13_banks_ace;
mod d14_comparison;
mod f01_blackjack_pays;
mod f02_win_pays;
mod m01_decks;
mod m02_values;
mod o01_double;
mod o02_split;
mod o03_split_aces;
mod o04_challenge;

use alloc::borrow::Cow;

use super::shared::usual::USUAL;
use super::{Article, Regulation, Title};
use crate::table::event::Face;
use crate::table::settings::{self, BankAce, BankSecond, DoubleOn, Insured, Misdealt, RunOut, Settings, Span};

/// The articles, in the order of the text.
pub static ARTICLES: &[&Article] = &[
    &m01_decks::ARTICLE,
    &m02_values::ARTICLE,
    &d01_opening_a_shoe::ARTICLE,
    &d02_limits::ARTICLE,
    &d03_strangers_bets::ARTICLE,
    &d04_own_decisions::ARTICLE,
    &d05_shuffle_and_cut::ARTICLE,
    &d06_depth_of_the_cut::ARTICLE,
    &d07_end_of_the_shoe::ARTICLE,
    &d08_delivery::ARTICLE,
    &d09_play::ARTICLE,
    &d10_declared_ace::ARTICLE,
    &d11_boxes_before_bank::ARTICLE,
    &d12_banks_play::ARTICLE,
    &d13_banks_ace::ARTICLE,
    &d14_comparison::ARTICLE,
    &f01_blackjack_pays::ARTICLE,
    &f02_win_pays::ARTICLE,
    &o01_double::ARTICLE,
    &o02_split::ARTICLE,
    &o03_split_aces::ARTICLE,
    &o04_challenge::ARTICLE,
    &c01_seated_players_bet::ARTICLE,
    &c02_empty_box::ARTICLE,
    &c03_late_bets::ARTICLE,
    &c04_one_card_only::ARTICLE,
    &c05_undue_card::ARTICLE,
    &c06_three_cards::ARTICLE,
    &c07_bank_card_uncovered::ARTICLE,
    &c08_not_asked::ARTICLE,
    &c09_double_not_served::ARTICLE,
    &c10_no_card::ARTICLE,
    &c11_not_dealt_on::ARTICLE,
    &c12_bank_seen_early::ARTICLE,
    &c13_bank_not_dealt::ARTICLE,
    &c14_bank_card_discarded::ARTICLE,
    &c15_bettors_card_discarded::ARTICLE,
    &c16_no_change_of_bets::ARTICLE,
    &c17_no_side_bets::ARTICLE,
    &c18_bank_draws_for_nobody::ARTICLE,
    &c19_change_of_decks::ARTICLE,
    &c20_the_room_decides::ARTICLE,
];

/// The regulation.
pub static SALA_8: Regulation = Regulation {
    id: Cow::Borrowed("sala-8"),
    title: Title::of("Reglamento de sala, ocho mazos", "Casino floor regulation, eight decks"),
    settings: Settings {
        decks: settings::Decks { min: 8, max: u32::MAX },
        seating: settings::Seating { min_bets: 3, min_seated: 3, max_seated: 7 },
        shoe: settings::Shoe {
            cut_deeper_than: 50,
            behind_cut_card: Span(40, 64),
            cards_run_out: RunOut::Void,
            ..USUAL.shoe
        },
        delivery: settings::Delivery {
            bank_second_card: BankSecond::Covered,
            misdealt: Misdealt::Burn,
            ..USUAL.delivery
        },
        bank: settings::Bank { ace: BankAce::Kept, ..USUAL.bank },
        play: settings::Play { ace_is_declared: true, hit_at_21: false },
        pays: settings::Pays { losers_first: true, ..USUAL.pays },
        double: settings::Double { on: DoubleOn::Eleven, is_offered: true, card: Face::Down, ..USUAL.double },
        split: settings::Split { max_hands: 2, ..USUAL.split },
        insurance: settings::Insurance { when: Insured::OwnAce, ..USUAL.insurance },
        ..USUAL
    },
    articles: Cow::Borrowed(ARTICLES),
    not_provided_for: &c20_the_room_decides::ARTICLE,
};
