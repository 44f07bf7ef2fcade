//! `sala-8`: the casino floor's regulation. Eight decks or more, a covered card for the bank, an inspector, and the
//! complementary dispositions on misdeals and burned cards. One file an article.

pub mod c01_seated_players_bet;
pub mod c02_empty_box;
pub mod c03_late_bets;
pub mod c04_one_card_only;
pub mod c05_undue_card;
pub mod c06_three_cards;
pub mod c07_bank_card_uncovered;
pub mod c08_not_asked;
pub mod c09_double_not_served;
pub mod c10_no_card;
pub mod c11_not_dealt_on;
pub mod c12_bank_seen_early;
pub mod c13_bank_not_dealt;
pub mod c14_bank_card_discarded;
pub mod c15_bettors_card_discarded;
pub mod c16_no_change_of_bets;
pub mod c17_no_side_bets;
pub mod c18_bank_draws_for_nobody;
pub mod c19_change_of_decks;
pub mod c20_the_room_decides;
pub mod d01_opening_a_shoe;
pub mod d02_limits;
pub mod d03_strangers_bets;
pub mod d04_own_decisions;
pub mod d05_shuffle_and_cut;
pub mod d06_depth_of_the_cut;
pub mod d07_end_of_the_shoe;
pub mod d08_delivery;
pub mod d09_play;
pub mod d10_declared_ace;
pub mod d11_boxes_before_bank;
pub mod d12_banks_play;
pub mod d13_banks_ace;
pub mod d14_comparison;
pub mod f01_blackjack_pays;
pub mod f02_win_pays;
pub mod m01_decks;
pub mod m02_values;
pub mod o01_double;
pub mod o02_split;
pub mod o03_split_aces;
pub mod o04_challenge;

use alloc::borrow::Cow;

use super::{Article, Regulation, Title};
use crate::table::event::Face;
use crate::table::settings::{
    self, BankAce, BankSecond, Banker, DoubleOn, Insured, LaterAce, LostCards, Misdealt, Pairs, Rate, RunOut, Settings,
    Side, Span, Surrender,
};

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
            behind_cut_card_each: 0,
            cards_run_out: RunOut::Void,
        },
        delivery: settings::Delivery {
            banker: Banker::House,
            first_box: Side::Left,
            bank_second_card: BankSecond::Covered,
            misdealt: Misdealt::Burn,
        },
        bank: settings::Bank {
            stands: 17,
            hits_soft_17: false,
            ace: BankAce::Kept,
            later_ace: LaterAce::Within21,
            draws_against_blackjacks: true,
        },
        play: settings::Play { ace_is_declared: true, hit_at_21: false },
        pays: settings::Pays {
            losers_first: true,
            blackjack: Rate { pays: 3, per: 2 },
            blackjack_at_once: false,
            even_money: false,
            split_blackjack: true,
            split_ten_blackjack: Rate { pays: 3, per: 2 },
            split_ace_blackjack: Rate { pays: 1, per: 1 },
        },
        double: settings::Double { on: DoubleOn::Eleven, after_split: false, is_offered: true, card: Face::Down },
        split: settings::Split { pairs: Pairs::Value, max_hands: 2, aces_one_card: false },
        insurance: settings::Insurance {
            when: Insured::OwnAce,
            pays: Rate { pays: 2, per: 1 },
            part: Rate { pays: 1, per: 2 },
            may_be_less: false,
        },
        stakes: settings::Stakes {
            surrender: Surrender::Never,
            chip: 1,
            forgotten_bet: false,
            bet_multiple: 1,
            insurance_multiple: 1,
            max_to_min: Span(1, u32::MAX),
            of_lost_cards: LostCards::Lose,
        },
    },
    articles: Cow::Borrowed(ARTICLES),
    not_provided_for: &c20_the_room_decides::ARTICLE,
};
