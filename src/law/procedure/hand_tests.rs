//! Totals of hands, and what may be done with them.

use super::{Hand, hand};
use crate::table::settings::{Changes, DoubleOn, Pairs};

fn points(cards: &str, ace: Option<u8>) -> u8 {
    Hand { ace, ..hand(cards) }.total().unwrap().points
}

#[test]
fn a_declared_ace_keeps_its_value_and_a_later_one_counts_the_better_way() {
    assert_eq!(points("AS 6H", Some(11)), 17);
    assert_eq!(points("AS 6H", Some(1)), 7);
    assert_eq!(points("AS 6H TD", Some(11)), 27, "declared 11 stays 11, over 21");
    assert_eq!(points("AS 6H TD", None), 17);
    assert_eq!(points("5S 6H AD", None), 12);
    assert_eq!(points("5S 4H AD", None), 20);
    assert_eq!(points("5S 4H AD 9C", None), 19, "seen anew with each card");
    assert_eq!(points("AS AH", Some(11)), 12, "one ace is declared, the other counts one");
    assert_eq!(points("AS 2H AD", Some(1)), 14);
    assert_eq!(points("5S 6H AD", Some(11)), 12, "what is declared is no later ace");
}

#[test]
fn figures_and_tens_are_one_value() {
    let is_pair = |cards: &str, pairs| hand(cards).is_pair(pairs);
    assert!(is_pair("JS TH", Pairs::Value) && is_pair("KS KH", Pairs::Value) && !is_pair("9S TH", Pairs::Value));
    assert!(is_pair("JS KH", Pairs::Figures) && is_pair("TS TH", Pairs::Figures));
    assert!(!is_pair("TS KH", Pairs::Figures) && !is_pair("9S 8H", Pairs::Figures));
    assert!(hand("AS KH").is_blackjack() && hand("TS AH").is_blackjack() && !hand("5S 6H TD").is_blackjack());
}

#[test]
fn which_two_cards_may_be_doubled_is_the_houses_to_say() {
    use DoubleOn::{Any, Eleven, Never, NineToEleven};
    for (cards, on) in [
        ("5S 6H", &[Eleven, NineToEleven, Any][..]),
        ("AS TH", &[]),
        ("4S 5H", &[NineToEleven, Any]),
        ("AS 8H", &[NineToEleven, Any]),
        ("TS 9H", &[Any]),
        ("2S 3H 6D", &[]),
    ] {
        for double_on in [Never, Eleven, NineToEleven, Any] {
            let changes = Changes { double_on: Some(double_on), ..Changes::default() };
            let settings = crate::regulation::sala8::SALA_8.settings.clone().changed(&changes);
            assert_eq!(hand(cards).may_be_doubled(&settings), on.contains(&double_on), "{cards} {double_on}");
            let split = Hand { split: true, ..hand(cards) };
            assert!(!split.may_be_doubled(&settings), "{cards}");
        }
    }
}
