//! `croupier-6`: six decks, seven seated players, no covered card for the bank; what goes astray is for the room to decide. One file an article.

pub mod k00_the_room_decides;

use alloc::borrow::Cow;

use super::{Article, Regulation, Title};
use crate::table::event::Face;
use crate::table::settings::{
    Astray, BankAce, BankSecond, Banker, DoubleOn, Insured, LaterAce, Misdealt, Pairs, Rate, Settings, Side, Span,
    Surrender,
};

/// The articles, in the order of the text.
pub static ARTICLES: &[&Article] = &[&k00_the_room_decides::ARTICLE];

/// The regulation.
pub static CROUPIER_6: Regulation = Regulation {
    id: Cow::Borrowed("croupier-6"),
    title: Title::of("Reglas de sala, seis barajas y siete lugares", "House rules, six decks and seven places"),
    settings: Settings {
        min_decks: 6,
        max_decks: 6,
        min_bets: 0,
        min_seated: 0,
        max_seated: 7,
        cut_deeper_than: 0,
        behind_cut_card: Span(0, u32::MAX),
        behind_cut_card_each: 0,
        banker: Banker::House,
        first_box: Side::Left,
        bank_second_card: BankSecond::AfterPlay,
        misdealt: Misdealt::Room,
        bank_stands: 17,
        bank_hits_soft_17: false,
        bank_ace: BankAce::Best,
        bank_later_ace: LaterAce::Within21,
        bank_draws_against_blackjacks: true,
        ace_is_declared: false,
        hit_at_21: true,
        losers_first: false,
        blackjack: Rate { pays: 3, per: 2 },
        blackjack_at_once: false,
        even_money: false,
        split_blackjack: true,
        split_ten_blackjack: Rate { pays: 3, per: 2 },
        split_ace_blackjack: Rate { pays: 1, per: 1 },
        double_on: DoubleOn::Never,
        double_after_split: false,
        double_is_offered: false,
        double_card: Face::Up,
        pairs: Pairs::Value,
        max_hands: 1,
        split_aces_one_card: false,
        insurance_when: Insured::Never,
        insurance: Rate { pays: 2, per: 1 },
        insurance_part: Rate { pays: 1, per: 2 },
        insurance_may_be_less: false,
        surrender: Surrender::Never,
        chip: 1,
        forgotten_bet: false,
        bet_multiple: 1,
        insurance_multiple: 1,
        max_to_min: Span(1, u32::MAX),
        stake_of_lost_cards: Astray::Lose,
    },
    articles: Cow::Borrowed(ARTICLES),
    not_provided_for: &k00_the_room_decides::ARTICLE,
};
