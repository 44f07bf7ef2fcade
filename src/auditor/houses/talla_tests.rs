//! `talla`.

use crate::tests::{check_with, dealt_to};

const HEADER: &str =
    r#"{"ev":"table","v":1,"table":"BJ-07","regulation":"talla","boxes":7,"limits":{"min":100,"max":50000}}"#;

const OPEN: &str = "
    seat 1 P1
    seat 2 P2
    bet 2 400 P2
    bet 1 400 P1
    close_bets
";

const CLEAR: &str = "
    move 2 discard
    move 1 discard
    move bank discard
";

fn check(name: &str, log: &str) {
    check_with(HEADER, name, log);
}

/// Two rounds, the bank in the first alone.
fn dealt(cards: &str) -> String {
    dealt_to(&["2", "1", "bank", "2", "1"], OPEN, cards)
}

#[test]
fn passes_by_the_book_have_no_finding() {
    check(
        "a Black Jack is paid double, and the bank draws on 16",
        &(dealt("AH TD 6S KH 9H")
            + "
        decide 1 stand
        draw TC bank
        draw 2C bank
        pay 2 800
        pay 1 400
    " + CLEAR
            + "end => 1 win 400, 2 blackjack 400"),
    );
    check(
        "a hand given up, insurance won, soft 17 stands",
        &(dealt("TH TD AS 6H 9H")
            + "
        decide 2 surrender
        collect 2 200
        decide 1 stand
        ask 1 insurance
        decide 1 insure
        chips 1 insurance 200
        draw KC bank
        pay 1 400 insurance
        collect 1 400
    " + CLEAR
            + "end => 1 lose 400, 1 win 200, 2 surrender 400"),
    );
    check(
        "a pair opened twice: the third hand stands beside the one opened again",
        &(dealt("8C TD 6S 8D QH")
            + "
        decide 2 split
        chips 2 split 400
        draw 8H 2
        decide 2 split
        chips 2 split 800
        draw TC 2
        decide 2 stand
        draw 9S 2c
        decide 2c stand
        draw JC 2b
        decide 2b stand
        decide 1 stand
        draw KS bank
        draw 2D bank
        collect 2c 400
        pay 1 400
        move 2c discard
        move 2b discard
    " + CLEAR
            + "end => 1 win 400, 2 push 400, 2b push 400, 2c lose 400"),
    );
}

fn stood(cards: &str) -> String {
    dealt(cards) + "decide 2 stand\ndecide 1 stand\n"
}

#[test]
fn the_two_rounds() {
    check(
        "passed over",
        &(OPEN.to_owned()
            + "
        draw 8D 1 => T-Q2/2
        draw TC 2
        draw 6S bank
        draw QH 1 down => T-Q2/2, T-Q2/1
        draw 4C bank => T-Q10/bank burn
        move bank burn 1 => -T-Q10
        draw 9D 2
        draw 2C 2 => T0/2 rule
    "),
    );
    check(
        "left out",
        &(OPEN.to_owned()
            + "
        draw TC 2
        draw 6S bank => T0/1 rule
        rule void => -T0
        draw QH 2
        decide 2 stand
        draw TS bank
        draw 2C bank
        pay 2 400
        move 2 discard
        move bank discard
        end => 1 void 400, 2 win 400
    "),
    );
    check("no bet", "draw 4C 2 => T0");
    check(
        "no bet on the table",
        "
        load 104 0
        draw 4C 2 => T-Q1/2 rule
    ",
    );
    check(
        "a forgotten bet is one chip, and only until the bank's card",
        &(OPEN.to_owned()
            + "
        bet 3 300 P1 => T-Q4/3 return_bet
        bet 3 100 P1 => -T-Q4
        draw TC 3
        draw 9C 2
        draw 8C 1
        draw 6S bank
        bet 4 100 P1 => T-Q1/4 return_bet
        bet 2 800 => T-N5/2
    "),
    );
}

#[test]
fn play_and_the_bank() {
    check(
        "turns",
        &(dealt("5C 8D 6S 6D QH")
            + "
        decide 1 stand => T-Q3/2
        decide 2 hit
        draw 9H 2
        decide 2 stand
        ask 1 card
        ask 2 card
        decide 2 hit => T-Q3/2
        draw 2H 2 => T-Q3/2 rule
    "),
    );
    check(
        "over 21, Black Jack, surrender, single pay",
        &(dealt("AC TD 9S KD 6H")
            + "
        decide 2 hit => T-B10/2
        decide 2 double => T-B10/2 return_bet
        decide 2 surrender => T-R1/2
        decide 2 even_money => T-S9/2
        decide 1 hit
        draw 9C 1
        decide 1 hit => T-Q6/1
        announce total 1 24 => T-Q6/1
    "),
    );
    check(
        "the bank draws to 17 and no further",
        &(stood("TC 8D 6S 9D QH")
            + "
        draw TC bank
        pay 2 400 => T-Q8/bank serve
        draw AD bank => -T-Q8
        announce total bank 27 => T-Q9/bank
        draw 3D bank => T-Q8/bank burn
        move bank burn 1 => -T-Q8
        pay 1 400
    " + CLEAR
            + "end => 1 win 400, 2 win 400"),
    );
}

#[test]
fn doubles_splits_and_insurance() {
    check(
        "doubles",
        &(dealt("5C 8D 6S 6D QH")
            + "
        chips 2 double 300 => T-X2/2 return_bet
        chips 2 double 400 => -T-X2
        draw 2H 2
        decide 2 hit => T-X4/2
        draw 8H 2 => T-X4/2 rule
        rule stands => -T-X4
        decide 1 stand
        chips 1 double 400 => T-X1/1 return_bet
    "),
    );
    check(
        "splits",
        &(dealt("AC TD 6S AD KH")
            + "
        decide 2 split
        chips 2 split 400
        decide 2 double => T-X5/2 return_bet
        draw 5H 2
        decide 2 hit => T-P4/2
        draw 4H 2 => T-P4/2 rule
        draw 9H 2b
        decide 1 split => T-P5/1 return_bet
    "),
    );
    check("no pair", &(dealt("5C TD 6S 6D KH") + "decide 2 split => T-P1/2 return_bet"));
    check("no ace", &(stood("TC TD 6S 6D KH") + "chips 2 insurance 200 => T-S5/2 return_bet"));
    check(
        "insurance",
        &(dealt("TC TD AS 6D KH")
            + "
        ask 2 insurance => T-S4/2
        decide 2 stand
        decide 1 stand
        chips 2 insurance 100 => T-S2/2 return_bet
        chips 2 insurance 200 => -T-S2
        draw 4C bank => T-S4/1
        draw 5C bank => T-S7/2
    "),
    );
}

#[test]
fn settlement() {
    check(
        "wrong money",
        &(stood("TC 8D 6S 9D QH")
            + "
        draw TH bank
        draw 2D bank
        pay 1 400 => T-Q7/1 collect 400
        collect 1 400 => -T-Q7
        pay 2 100 => T0/2 pay 300
    " + CLEAR
            + "end => !T0 pay, 1 push 400, 2 win 400"),
    );
    check(
        "before a Black Jack",
        &(stood("TC 8D AS 9D QH")
            + "
        ask 2 insurance
        ask 1 insurance
        draw TH bank
        pay 2 400 => T-B3/2 collect 800
        collect 2 800 => -T-B3
        collect 1 800 => T-B2/1 pay 400
        pay 1 400 => -T-B2
    " + CLEAR
            + "end => 1 lose 400, 2 lose 400"),
    );
    check(
        "lost cards: nobody knows what the hand is owed, and the clearing changes nothing",
        &(dealt("TC 8D 6S 9D QH")
            + "
        decide 2 stand
        move 2 discard => T0/2 rule
        decide 1 stand
        draw TH bank
        draw 2D bank
        collect 2 400
        move 1 discard
        move bank discard
        end => !T0 rule, 1 push 400, 2 unknown 400
    "),
    );
    check(
        "ended in the delivery",
        &(OPEN.to_owned() + "draw TC 2\nend => T0 rule, !T0 rule, 1 unknown 400, 2 unknown 400"),
    );
}

#[test]
fn who_has_the_bank() {
    check(
        "drawn for, taken on a Black Jack",
        &("bank_card P1 AC\nbank_card P2 AH\nbank drawn P1 => T-T1\nbank drawn P2\n".to_owned()
            + &dealt("AC TD 9S KD 9H")
            + "
        bank taken P2 => T-B5/2
        decide 1 stand
        draw 9C bank
        pay 2 800
        pay 1 400
    " + CLEAR
            + "
        end => 1 win 400, 2 blackjack 400
        bank turn P1 => T-B5/1
        bank taken P1 => T-B5/1
        bank taken P2 => T-B6/2
        bank left P2
    "),
    );
}
