//! `talla`.

use crate::tests::check_with;

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
    let places = ["2", "1", "bank", "2", "1"];
    cards
        .split_whitespace()
        .zip(places)
        .fold(OPEN.to_owned(), |all, (card, place)| all + &format!("draw {card} {place}\n"))
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
