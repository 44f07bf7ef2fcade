//! `talla`: a bank that moves among the players on a Black Jack, no covered card, surrender, insurance when all have played. One file an article.

pub mod t00_the_room_decides;

use super::{Article, Bi, Regulation};
use crate::table::event::Face;
use crate::table::settings::{
    Astray, BankAce, BankSecond, Banker, DoubleOn, Insured, LaterAce, Misdealt, Pairs, Rate, RunOut, Settings, Side,
    Span, Surrender,
};

/// The articles, in the order of the text.
pub static ARTICLES: &[&Article] = &[&t00_the_room_decides::ARTICLE];

/// The regulation.
pub static TALLA: Regulation = Regulation {
    id: "talla",
    title: Bi { es: "Talla: la banca entre los jugadores", en: "Talla: the bank among the players" },
    settings: Settings {
        min_decks: 1,
        max_decks: u32::MAX,
        min_bets: 0,
        min_seated: 0,
        max_seated: 7,
        cut_deeper_than: 0,
        behind_cut_card: Span(0, u32::MAX),
        behind_cut_card_each: 0,
        cards_run_out: RunOut::Room,
        banker: Banker::OnBlackJack,
        first_box: Side::Right,
        bank_second_card: BankSecond::AfterPlay,
        misdealt: Misdealt::Burn,
        bank_stands: 17,
        bank_hits_soft_17: false,
        bank_ace: BankAce::Best,
        bank_later_ace: LaterAce::Within21,
        bank_draws_against_blackjacks: true,
        ace_is_declared: false,
        hit_at_21: true,
        blackjack: Rate { pays: 2, per: 1 },
        blackjack_at_once: false,
        even_money: true,
        split_blackjack: true,
        split_ten_blackjack: Rate { pays: 1, per: 1 },
        split_ace_blackjack: Rate { pays: 1, per: 1 },
        double_on: DoubleOn::Any,
        double_after_split: false,
        double_card: Face::Up,
        pairs: Pairs::Figures,
        max_hands: 4,
        split_aces_one_card: true,
        insurance_when: Insured::AfterPlay,
        insurance: Rate { pays: 2, per: 1 },
        insurance_part: Rate { pays: 1, per: 2 },
        insurance_may_be_less: false,
        surrender: Surrender::Early,
        chip: 100,
        forgotten_bet: true,
        bet_multiple: 1,
        insurance_multiple: 1,
        max_to_min: Span(1, u32::MAX),
        stake_of_lost_cards: Astray::Lose,
    },
    articles: ARTICLES,
    not_provided_for: &t00_the_room_decides::ARTICLE,
};
