//! `croupier-6`: six decks, seven seated players, no covered card for the bank. The room decides on a misdealt card.

mod k00_the_room_decides;
mod k01_six_decks;
mod k02_against_the_bank;
mod k03_seated_players;
mod k04_free_places;
mod k05_from_left_to_right;
mod k06_bets_before_cards;
mod k07_no_more_bets;
mod k08_values;
mod k09_face_up;
mod k10_stand_or_draw;
mod k11_over_21;
mod k12_ties;
mod k13_blackjack_pays;
mod k14_blackjacks_tie;
mod k15_banks_play;
mod k16_own_hand;
mod k17_cards_not_touched;
mod payment;

use alloc::borrow::Cow;

use super::shared::usual::USUAL;
use super::{Article, Regulation, Title};
use crate::table::settings::{self, Settings};

/// The articles, in the order of the text.
pub static ARTICLES: &[&Article] = &[
    &k01_six_decks::ARTICLE,
    &k02_against_the_bank::ARTICLE,
    &k03_seated_players::ARTICLE,
    &k04_free_places::ARTICLE,
    &k05_from_left_to_right::ARTICLE,
    &k06_bets_before_cards::ARTICLE,
    &k07_no_more_bets::ARTICLE,
    &k08_values::ARTICLE,
    &k09_face_up::ARTICLE,
    &k10_stand_or_draw::ARTICLE,
    &k11_over_21::ARTICLE,
    &k12_ties::ARTICLE,
    &k13_blackjack_pays::ARTICLE,
    &k14_blackjacks_tie::ARTICLE,
    &k15_banks_play::ARTICLE,
    &k16_own_hand::ARTICLE,
    &k17_cards_not_touched::ARTICLE,
    &k00_the_room_decides::ARTICLE,
];

/// The regulation.
pub static CROUPIER_6: Regulation = Regulation {
    id: Cow::Borrowed("croupier-6"),
    title: Title::of("Reglas de sala, seis barajas y siete lugares", "House rules, six decks and seven places"),
    settings: Settings {
        decks: settings::Decks { min: 6, max: 6 },
        delivery: settings::Delivery { strict_rounds: false, ..USUAL.delivery },
        pays: settings::Pays { blackjack_early: true, ..USUAL.pays },
        stakes: settings::Stakes { late_bet_is_void: true, ..USUAL.stakes },
        ..USUAL
    },
    articles: Cow::Borrowed(ARTICLES),
    not_provided_for: &k00_the_room_decides::ARTICLE,
};
