//! `talla`: a bank that moves among the players on a Black Jack, no covered card, surrender, insurance when all have
//! played.

mod insurance;
mod moving;
mod pairs;
mod payment;

mod b01_blackjack;
mod b02_what_a_blackjack_pays;
mod b03_the_banks_blackjack;
mod b04_what_ties_with_a_blackjack;
mod b05_moving_the_bank;
mod b06_first_hand;
mod b07_the_bank_keeps_it;
mod b08_blackjack_on_a_split;
mod b09_a_split_blackjack_ties;
mod b10_a_blackjack_stands;
mod n03_on_the_table;
mod n04_new_cards_under;
mod n05_bets_not_touched;
mod p01_pairs;
mod p02_equal_bets;
mod p03_further_splits;
mod p04_split_aces;
mod p05_ten_with_figure;
mod p06_not_for_the_bank;
mod q01_bets_first;
mod q02_delivery;
mod q03_turns;
mod q04_forgotten_bet;
mod q05_maximum;
mod q06_over_21;
mod q07_ties;
mod q08_banks_play;
mod q09_banks_ace;
mod q10_early_second_card;
mod r01_when_one_may_surrender;
mod r02_half_is_given_up;
mod r03_odd_halves;
mod r04_not_for_the_bank;
mod s01_insurance;
mod s02_half_the_stake;
mod s03_odd_stakes;
mod s04_when_it_is_offered;
mod s05_aces_only;
mod s06_where_it_lies;
mod s07_when_it_is_settled;
mod s08_what_it_pays;
mod s09_single_pay;
mod s10_both_blackjack;
mod t00_the_room_decides;
mod t01_drawing_for_the_bank;
mod x01_two_cards_only;
mod x02_same_amount;
mod x03_any_hand;
mod x04_one_card;
mod x05_not_on_splits;
mod x06_crosswise;

use alloc::borrow::Cow;

use super::shared::usual::USUAL;
use super::{Article, Regulation, Title};
use crate::table::settings::{
    self, Banker, BurnedFirst, DoubleOn, Insured, Misdealt, Pairs, Rate, Settings, Side, Surrender,
};

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
            burned_first: BurnedFirst::Last,
            ..USUAL.delivery
        },
        pays: settings::Pays {
            blackjack: Rate { pays: 2, per: 1 },
            even_money: true,
            split_ten_blackjack: Rate { pays: 1, per: 1 },
            ..USUAL.pays
        },
        double: settings::Double { on: DoubleOn::Any, ..USUAL.double },
        split: settings::Split { pairs: Pairs::Figures, max_hands: 4, aces_one_card: true, ..USUAL.split },
        insurance: settings::Insurance { when: Insured::AfterPlay, ..USUAL.insurance },
        stakes: settings::Stakes { surrender: Surrender::Early, chip: 100, forgotten_bet: true, ..USUAL.stakes },
        ..USUAL
    },
    articles: Cow::Borrowed(ARTICLES),
    not_provided_for: &t00_the_room_decides::ARTICLE,
};
