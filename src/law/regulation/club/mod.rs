//! `club`: two decks, a bank that rotates and is owned in equal shares; a misdealt card goes back to its place in the shoe. One file an article.

mod payment;

pub mod a01_participants;
pub mod a02_two_decks;
pub mod a03_place_of_the_cut_card;
pub mod a04_turns_of_the_bank;
pub mod a05_stakes;
pub mod a06_everybody_plays;
pub mod a07_shares_in_the_bank;
pub mod g00_the_room_decides;
pub mod g01_decks;
pub mod g02_values;
pub mod g03_over_21;
pub mod g04_payments;
pub mod g05_from_the_right;
pub mod g06_delivery;
pub mod g07_blackjack_at_once;
pub mod g08_turns;
pub mod g09_drawing;
pub mod g10_banks_play;
pub mod g11_bank_over;
pub mod g12_doubling;
pub mod g13_splitting;
pub mod g14_split_aces;
pub mod g15_no_split_blackjack;
pub mod g16_insurance;
pub mod g17_shuffle_and_cut;
pub mod g18_bets_before_the_play;
pub mod g19_a_play;
pub mod g20_used_cards;
pub mod g21_completing_a_play;
pub mod g22_cut_card_first;
pub mod g23_bank_without_bets;
pub mod g24_cards_by_mistake;
pub mod g25_earlier_plays;

use alloc::borrow::Cow;

use super::shared::open_table::OPEN_TABLE;
use super::{Article, Regulation, Title};
use crate::table::settings::{self, Banker, DoubleOn, Insured, Misdealt, Rate, RunOut, Settings, Side, Span};

/// The articles, in the order of the text.
pub static ARTICLES: &[&Article] = &[
    &g01_decks::ARTICLE,
    &g02_values::ARTICLE,
    &g03_over_21::ARTICLE,
    &g04_payments::ARTICLE,
    &g05_from_the_right::ARTICLE,
    &g06_delivery::ARTICLE,
    &g07_blackjack_at_once::ARTICLE,
    &g08_turns::ARTICLE,
    &g09_drawing::ARTICLE,
    &g10_banks_play::ARTICLE,
    &g11_bank_over::ARTICLE,
    &g12_doubling::ARTICLE,
    &g13_splitting::ARTICLE,
    &g14_split_aces::ARTICLE,
    &g15_no_split_blackjack::ARTICLE,
    &g16_insurance::ARTICLE,
    &g17_shuffle_and_cut::ARTICLE,
    &g18_bets_before_the_play::ARTICLE,
    &g19_a_play::ARTICLE,
    &g20_used_cards::ARTICLE,
    &g21_completing_a_play::ARTICLE,
    &g22_cut_card_first::ARTICLE,
    &g23_bank_without_bets::ARTICLE,
    &g24_cards_by_mistake::ARTICLE,
    &g25_earlier_plays::ARTICLE,
    &a01_participants::ARTICLE,
    &a02_two_decks::ARTICLE,
    &a03_place_of_the_cut_card::ARTICLE,
    &a04_turns_of_the_bank::ARTICLE,
    &a05_stakes::ARTICLE,
    &a06_everybody_plays::ARTICLE,
    &a07_shares_in_the_bank::ARTICLE,
    &g00_the_room_decides::ARTICLE,
];

/// The regulation.
pub static CLUB: Regulation = Regulation {
    id: Cow::Borrowed("club"),
    title: Title::of("Club: banca rotativa y en común", "Club: a rotating bank owned in common"),
    settings: Settings {
        decks: settings::Decks { min: 2, max: 2 },
        shoe: settings::Shoe { behind_cut_card_each: 3, cards_run_out: RunOut::Reshuffle, ..OPEN_TABLE.shoe },
        delivery: settings::Delivery {
            banker: Banker::ByTurn,
            first_box: Side::Right,
            misdealt: Misdealt::Back,
            ..OPEN_TABLE.delivery
        },
        pays: settings::Pays {
            blackjack_at_once: true,
            split_blackjack: false,
            split_ten_blackjack: Rate { pays: 1, per: 1 },
            ..OPEN_TABLE.pays
        },
        double: settings::Double {
            on: DoubleOn::NineToEleven,
            after_split: true,
            is_offered: true,
            ..OPEN_TABLE.double
        },
        split: settings::Split { max_hands: 4, aces_one_card: true, ..OPEN_TABLE.split },
        insurance: settings::Insurance { when: Insured::BeforePlay, may_be_less: true, ..OPEN_TABLE.insurance },
        stakes: settings::Stakes {
            bet_multiple: 10,
            insurance_multiple: 5,
            max_to_min: Span(4, 50),
            ..OPEN_TABLE.stakes
        },
        ..OPEN_TABLE
    },
    articles: Cow::Borrowed(ARTICLES),
    not_provided_for: &g00_the_room_decides::ARTICLE,
};
