//! `talla`: a bank that moves among the players on a Black Jack, no covered card, surrender, insurance when all have played. One file an article.

mod insurance;
mod moving;
mod pairs;
mod payment;

pub mod b01_blackjack;
pub mod b02_what_a_blackjack_pays;
pub mod b03_the_banks_blackjack;
pub mod b04_what_ties_with_a_blackjack;
pub mod b05_moving_the_bank;
pub mod b06_first_hand;
pub mod b07_the_bank_keeps_it;
pub mod b08_blackjack_on_a_split;
pub mod b09_a_split_blackjack_ties;
pub mod b10_a_blackjack_stands;
pub mod n03_on_the_table;
pub mod n04_new_cards_under;
pub mod n05_bets_not_touched;
pub mod p01_pairs;
pub mod p02_equal_bets;
pub mod p03_further_splits;
pub mod p04_split_aces;
pub mod p05_ten_with_figure;
pub mod p06_not_for_the_bank;
pub mod q01_bets_first;
pub mod q02_delivery;
pub mod q03_turns;
pub mod q04_forgotten_bet;
pub mod q05_maximum;
pub mod q06_over_21;
pub mod q07_ties;
pub mod q08_banks_play;
pub mod q09_banks_ace;
pub mod q10_early_second_card;
pub mod r01_when_one_may_surrender;
pub mod r02_half_is_given_up;
pub mod r03_odd_halves;
pub mod r04_not_for_the_bank;
pub mod s01_insurance;
pub mod s02_half_the_stake;
pub mod s03_odd_stakes;
pub mod s04_when_it_is_offered;
pub mod s05_aces_only;
pub mod s06_where_it_lies;
pub mod s07_when_it_is_settled;
pub mod s08_what_it_pays;
pub mod s09_single_pay;
pub mod s10_both_blackjack;
pub mod t00_the_room_decides;
pub mod t01_drawing_for_the_bank;
pub mod x01_two_cards_only;
pub mod x02_same_amount;
pub mod x03_any_hand;
pub mod x04_one_card;
pub mod x05_not_on_splits;
pub mod x06_crosswise;

use alloc::borrow::Cow;

use super::shared::open_table::OPEN_TABLE;
use super::{Article, Regulation, Title};
use crate::table::settings::{self, Banker, DoubleOn, Insured, Misdealt, Pairs, Rate, Settings, Side, Surrender};

/// The articles, in the order of the text.
pub static ARTICLES: &[&Article] = &[
    &b01_blackjack::ARTICLE,
    &b02_what_a_blackjack_pays::ARTICLE,
    &b03_the_banks_blackjack::ARTICLE,
    &b04_what_ties_with_a_blackjack::ARTICLE,
    &b05_moving_the_bank::ARTICLE,
    &b06_first_hand::ARTICLE,
    &b07_the_bank_keeps_it::ARTICLE,
    &b08_blackjack_on_a_split::ARTICLE,
    &b09_a_split_blackjack_ties::ARTICLE,
    &b10_a_blackjack_stands::ARTICLE,
    &s01_insurance::ARTICLE,
    &s02_half_the_stake::ARTICLE,
    &s03_odd_stakes::ARTICLE,
    &s04_when_it_is_offered::ARTICLE,
    &s05_aces_only::ARTICLE,
    &s06_where_it_lies::ARTICLE,
    &s07_when_it_is_settled::ARTICLE,
    &s08_what_it_pays::ARTICLE,
    &s09_single_pay::ARTICLE,
    &s10_both_blackjack::ARTICLE,
    &x01_two_cards_only::ARTICLE,
    &x02_same_amount::ARTICLE,
    &x03_any_hand::ARTICLE,
    &x04_one_card::ARTICLE,
    &x05_not_on_splits::ARTICLE,
    &x06_crosswise::ARTICLE,
    &p01_pairs::ARTICLE,
    &p02_equal_bets::ARTICLE,
    &p03_further_splits::ARTICLE,
    &p04_split_aces::ARTICLE,
    &p05_ten_with_figure::ARTICLE,
    &p06_not_for_the_bank::ARTICLE,
    &r01_when_one_may_surrender::ARTICLE,
    &r02_half_is_given_up::ARTICLE,
    &r03_odd_halves::ARTICLE,
    &r04_not_for_the_bank::ARTICLE,
    &t01_drawing_for_the_bank::ARTICLE,
    &q01_bets_first::ARTICLE,
    &q02_delivery::ARTICLE,
    &q03_turns::ARTICLE,
    &q04_forgotten_bet::ARTICLE,
    &q05_maximum::ARTICLE,
    &q06_over_21::ARTICLE,
    &q07_ties::ARTICLE,
    &q08_banks_play::ARTICLE,
    &q09_banks_ace::ARTICLE,
    &q10_early_second_card::ARTICLE,
    &n03_on_the_table::ARTICLE,
    &n04_new_cards_under::ARTICLE,
    &n05_bets_not_touched::ARTICLE,
    &t00_the_room_decides::ARTICLE,
];

/// The regulation.
pub static TALLA: Regulation = Regulation {
    id: Cow::Borrowed("talla"),
    title: Title::of("Talla: la banca entre los jugadores", "Talla: the bank among the players"),
    settings: Settings {
        delivery: settings::Delivery {
            banker: Banker::OnBlackJack,
            first_box: Side::Right,
            misdealt: Misdealt::Burn,
            ..OPEN_TABLE.delivery
        },
        pays: settings::Pays {
            blackjack: Rate { pays: 2, per: 1 },
            even_money: true,
            split_ten_blackjack: Rate { pays: 1, per: 1 },
            ..OPEN_TABLE.pays
        },
        double: settings::Double { on: DoubleOn::Any, ..OPEN_TABLE.double },
        split: settings::Split { pairs: Pairs::Figures, max_hands: 4, aces_one_card: true },
        insurance: settings::Insurance { when: Insured::AfterPlay, ..OPEN_TABLE.insurance },
        stakes: settings::Stakes { surrender: Surrender::Early, chip: 100, forgotten_bet: true, ..OPEN_TABLE.stakes },
        ..OPEN_TABLE
    },
    articles: Cow::Borrowed(ARTICLES),
    not_provided_for: &t00_the_room_decides::ARTICLE,
};
