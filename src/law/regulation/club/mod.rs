//! `club`: two decks, a bank that rotates and is owned in equal shares. A misdealt card goes back to its place in the
//! shoe.

mod payment;

mod a01_participants;
mod a02_two_decks;
mod a03_place_of_the_cut_card;
mod a04_turns_of_the_bank;
mod a05_stakes;
mod a06_everybody_plays;
mod a07_shares_in_the_bank;
mod g00_the_room_decides;
mod g01_decks;
mod g02_values;
mod g03_over_21;
mod g04_payments;
mod g05_from_the_right;
mod g06_delivery;
mod g07_blackjack_at_once;
mod g08_turns;
mod g09_drawing;
mod g10_banks_play;
mod g11_bank_over;
mod g12_doubling;
mod g13_splitting;
mod g14_split_aces;
mod g15_no_split_blackjack;
mod g16_insurance;
mod g17_shuffle_and_cut;
mod g18_bets_before_the_play;
mod g19_a_play;
mod g20_used_cards;
mod g21_completing_a_play;
mod g22_cut_card_first;
mod g23_bank_without_bets;
mod g24_cards_by_mistake;
mod g25_earlier_plays;

use alloc::borrow::Cow;

use super::shared::usual::USUAL;
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
        shoe: settings::Shoe { behind_cut_card_each: 3, cards_run_out: RunOut::Reshuffle, ..USUAL.shoe },
        delivery: settings::Delivery {
            banker: Banker::ByTurn,
            first_box: Side::Right,
            misdealt: Misdealt::Back,
            ..USUAL.delivery
        },
        pays: settings::Pays {
            blackjack_at_once: true,
            split_blackjack: false,
            split_ten_blackjack: Rate { pays: 1, per: 1 },
            ..USUAL.pays
        },
        double: settings::Double { on: DoubleOn::NineToEleven, after_split: true, is_offered: true, ..USUAL.double },
        split: settings::Split { max_hands: 8, aces_one_card: true, aces_again: false, ..USUAL.split },
        insurance: settings::Insurance { when: Insured::BeforePlay, may_be_less: true, ..USUAL.insurance },
        stakes: settings::Stakes { bet_multiple: 10, insurance_multiple: 5, max_to_min: Span(4, 50), ..USUAL.stakes },
        ..USUAL
    },
    articles: Cow::Borrowed(ARTICLES),
    not_provided_for: &g00_the_room_decides::ARTICLE,
};
