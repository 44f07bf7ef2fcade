//! Logs under `croupier-6`.

use crate::tests::{check_with, dealt_to};

const HEADER: &str =
    r#"{"ev":"table","v":1,"table":"BJ-07","regulation":"croupier-6","boxes":7,"limits":{"min":1000,"max":50000}}"#;

const OPEN: &str = "
    seat 1 P1
    seat 2 P2
    shuffle 6 312
    cut 150
    load 312 52
    bet 1 2000 P1
    bet 2 2000 P2
    close_bets
";

const CLEAR: &str = "
    move 1 discard
    move 2 discard
    move bank discard
";

fn check(name: &str, log: &str) {
    check_with(HEADER, name, log);
}

/// Two cards to each and one to the bank, after the first round.
fn dealt(cards: &str) -> String {
    dealt_to(&["1", "2", "bank", "1", "2"], OPEN, cards)
}

#[test]
fn passes_by_the_book_have_no_finding() {
    check(
        "a Black Jack is paid before the bank plays, one over 21 is collected at once",
        &(dealt("AH TD 9S KH 6H")
            + "
        pay 1 3000
        decide 2 hit
        draw TC 2
        collect 2 2000
    " + CLEAR
            + "end => 1 blackjack 2000, 2 lose 2000"),
    );
    check(
        "the bank draws on 16 and stands on a soft 17, a tie moves nothing, 21 may be drawn to",
        &(dealt("TH 7D AS 7H 4H")
            + "
        decide 1 stand
        decide 2 hit
        draw TC 2
        decide 2 hit
        draw 5C 2
        draw 6C bank
        collect 2 2000
    " + CLEAR
            + "end => 1 push 2000, 2 lose 2000"),
    );
}

#[test]
fn the_bank_gets_its_card_after_either_round_and_out_of_one_it_is_told() {
    for (cards, at) in [(["1", "2", "1", "2", "bank"], 9), (["1", "bank", "2", "1", "2"], 1)] {
        let faces = ["TH", "9D", "8S", "9H", "TC"];
        let mut log = OPEN.to_owned();
        for (draw, (place, card)) in cards.iter().zip(faces).enumerate() {
            log += &format!("draw {card} {place}{}\n", if draw == at { " => K9/bank" } else { "" });
        }
        check("the bank's card", &log);
    }
}

#[test]
fn a_box_passed_over_is_told_and_one_left_short_is_the_rooms() {
    check(
        "passed over",
        &(OPEN.to_owned()
            + "
        draw TH 2 => K5/1
        draw 9D 1
        draw 8S bank
        draw 9H 1
        decide 1 stand => K0/2 rule
    "),
    );
}

#[test]
fn late_bets_are_void_whatever_is_dealt_to_them() {
    check(
        "late",
        &(OPEN.to_owned()
            + "
        bet 3 2000 P1 => K7/3 return_bet
        draw TH 1
        draw 9D 2
        draw 8S 3
        bet 1 4000 P1 => K7/1
        draw 9H bank
        draw 8S 1
        draw 8C 2
        pay 3 2000 => K7/3 collect 2000
        decide 1 stand
        decide 2 stand
        draw 8D bank
        pay 1 2000
        collect 3 2000 => -K7
        move 3 discard
    " + CLEAR
            + "end => 1 win 2000, 2 push 2000, 3 void 2000, !K7 return_bet"),
    );
}

#[test]
fn nobody_doubles_and_nobody_plays_for_another() {
    check(
        "choices",
        &(dealt("5H TD 9S 6H 6H")
            + "
        decide 1 double => K10/1
        chips 1 double 2000 => K10/1 return_bet
        chips 1 double 0 => -K10
        decide 1 hit P2 => K16/1
        decide 2 stand => K5/1
        decide 1 stand
        pay 1 2000 => K15/bank serve
        draw 9C bank => -K15, K2/1 collect 4000
    "),
    );
}

#[test]
fn the_bank_draws_when_all_have_played_and_no_further() {
    check(
        "too early, then too far",
        &(dealt("TH 9D 8S 9H TC")
            + "
        decide 1 stand
        draw 2D bank => K0/bank rule
        rule resume 1 => -K0
        decide 2 stand
        draw 9C bank
        draw 2C bank => K15/bank rule
    "),
    );
}

#[test]
fn a_hand_left_short_is_void_and_one_put_away_is_the_rooms() {
    check(
        "one card",
        &(OPEN.to_owned()
            + "
        draw TH 1
        draw 9D 2
        draw 8S bank
        draw 9H 1
        decide 1 stand => K0/2 rule
        draw 9C bank
        collect 2 2000 => K2/2 pay 2000
        pay 2 2000 => -K2
        pay 1 2000
    " + CLEAR
            + "end => 1 win 2000, 2 void 2000, !K0 rule"),
    );
    check(
        "put away",
        &(dealt("TH 9D 8S 9H TC")
            + "
        move 1 discard => K0/1 rule
        decide 2 stand
        draw 9C bank
    "),
    );
}

#[test]
fn money_that_came_too_early_is_told() {
    check(
        "a Black Jack against a ten, and chips before any card",
        &(OPEN.replace("close_bets", "pay 2 2000 => K0/2 rule\nclose_bets")
            + "
        draw AH 1
        draw 9D 2
        draw KS bank
        draw TH 1
        draw 9H 2
        pay 1 3000 => K14/1
    "),
    );
}

#[test]
fn who_stands_or_is_one_too_many_is_told_and_so_are_other_decks() {
    check(
        "before the cards",
        "
        seat 1 P1
        seat 2 P2
        seat 8 P8 => K3
        shuffle 5 260 => K1 rule
        rule stands 2 => -K1
        cut 150
        load 312 52
        bet 1 2000 P1
        bet 1 3000 P2 => K4/1 return_bet
        bet 1 2000 => -K4
        bet 3 2000 P9 => K3/3 return_bet
        bet 3 0 => -K3
        draw TH 1
        draw AS 4 => K0/4 rule
        consent 1 yes => K0/1 rule
    ",
    );
}

#[test]
fn a_choice_told_late_provides_for_its_card() {
    check(
        "late",
        &(dealt("TH 9D 8S 2H TC")
            + "
        draw 2D 1 => K0/1 rule
        decide 1 hit => ~K0
        decide 1 stand
        decide 2 stand
        draw 9C bank
        collect 1 2000
        pay 2 2000
    " + CLEAR
            + "end => 1 lose 2000, 2 win 2000"),
    );
}
