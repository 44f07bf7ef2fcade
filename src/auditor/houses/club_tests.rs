//! Logs under `club`. Play goes from the right: box 2 before box 1.

use crate::tests::{check_with, dealt_to};

const HEADER: &str =
    r#"{"ev":"table","v":2,"table":"BJ-07","regulation":"club","boxes":7,"limits":{"min":1000,"max":20000}}"#;

/// P3 banks, P1 and P2 play.
const SEATED: &str = "
    seat 1 P1
    seat 2 P2
    seat 3 P3
    bank turn P3
";

const LOADED: &str = "
    shuffle 2 104
    offer_cut P1
    cut 50 P1
    load 104 9
";

const BETS: &str = "
    bet 2 5000 P2
    bet 1 4000 P1
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

fn open() -> String {
    [SEATED, LOADED, BETS].concat()
}

/// Two cards to each, and one to the bank after the first round.
fn dealt(cards: &str) -> String {
    dealt_to(&["2", "1", "bank", "2", "1"], &open(), cards)
}

fn stood(cards: &str) -> String {
    dealt(cards) + "decide 2 stand\ndecide 1 stand\n"
}

/// A whole play: box 2 wins with 19, box 1 ties with the bank at 17.
fn played(end: &str) -> String {
    stood("TD 8H 9S 9D 9C") + "draw 8D bank\npay 2 5000\n" + CLEAR + end + " => 1 push 4000, 2 win 5000\n"
}

#[test]
fn plays_by_the_book_have_no_finding() {
    check("a tie and a win", &played("end"));
    check(
        "a Black Jack is paid at once, and nobody is left for whom the bank draws",
        &(dealt("AH TD 9S KH 6H")
            + "
        pay 2 7500
        decide 1 hit
        draw KC 1
        collect 1 4000
    " + CLEAR
            + "end => 1 lose 4000, 2 blackjack 5000"),
    );
    check(
        "doubled, a pair opened twice, insurance lost, soft 17 stands",
        &(dealt("8C 5D AS 8D 6H")
            + "
        ask 2 split
        ask 2 insurance
        ask 1 insurance
        chips 2 insurance 2500
        decide 2 split
        chips 2 split 5000
        draw 8H 2
        ask 2 split
        decide 2 split
        chips 2 split 10000
        draw TC 2
        decide 2 stand
        draw 9S 2c
        decide 2c stand
        draw TH 2b
        decide 2b stand
        ask 1 double
        decide 1 double
        chips 1 double 4000
        draw 7C 1
        draw 6C bank
        collect 2 2500 insurance
        pay 2 5000
        pay 2b 5000
        pay 1 8000
        move 2 discard
        move 2c discard
        move 2b discard
        move 1 discard
        move bank discard
        end => 1 win 8000, 2 win 5000, 2b win 5000, 2c push 5000, 2 lose 2500
    "),
    );
}

#[test]
fn a_card_dealt_by_mistake_goes_back_under_the_article_that_names_it() {
    check(
        "to who stood, and put back in its place",
        &(dealt("TD 8H 9S 9D 9C")
            + "
        decide 2 stand
        draw 4C 2 => G24/2 put_back
        move 2 shoe => -G24
        decide 1 hit
        draw 4C 1
        draw 8D bank
    "),
    );
    check(
        "not put back before the next card",
        &(dealt("TD 8H 9S 9D 9C")
            + "
        draw 4C 3 => G24/3 put_back
        draw 5C 3 => !G24 put_back, G24/3 put_back
    "),
    );
    check(
        "another comes out than was put back",
        &(dealt("TD 8H 9S 9D 9C")
            + "
        decide 2 stand
        draw 4C 2 => G24/2 put_back
        move 2 shoe => -G24
        decide 1 hit
        draw 3C 1 => G24/1 rule
    "),
    );
    check(
        "the bank that stands, and after a double",
        &(dealt("4D 8H 9S 6D 9C")
            + "
        ask 2 double
        chips 2 double 5000
        draw 2H 2
        ask 2 double
        draw 3H 2 => G12/2 put_back
        move 2 shoe => -G12
        decide 1 stand
        draw 3H bank
        draw 7C bank
        draw 2C bank => G10/bank put_back
    "),
    );
}

#[test]
fn a_card_that_cannot_be_had_goes_back() {
    check(
        "a split ace that has its card",
        &(dealt("AD TH 9S AC 6C")
            + "
        ask 2 split
        chips 2 split 5000
        draw 5H 2
        draw 3H 2 => G14/2 put_back
        move 2 shoe => -G14
        draw 3H 2b
    "),
    );
    check(
        "nobody left to draw for",
        &(dealt("AH TD 9S KH 6H")
            + "
        pay 2 7500
        decide 1 hit
        draw KC 1
        collect 1 4000
        draw 2C bank => G23/bank put_back
        move bank shoe 1 => -G23
    "),
    );
    check(
        "the cut card came first",
        &(open()
            + "
        cut_card
        draw TD 2 => G22/2 put_back
        move 2 shoe => -G22
        end => 1 void 4000, 2 void 5000
    "),
    );
}

#[test]
fn the_two_rounds() {
    check(
        "a later box first, and a card face down: notices",
        &(open()
            + "
        draw 8D 1 => G6/2
        draw TC 2
        draw 6S bank
        draw QH 2 down => G6/2
        draw 4C 1
    "),
    );
    check(
        "left without a card when play begins",
        &(open()
            + "
        draw TC 2
        draw 8D 1
        draw 6S bank
        draw 9D 2
        decide 2 stand => G0/1 rule
    "),
    );
    check(
        "a Black Jack not paid before play begins",
        &(dealt("AH TD 9S KH 6H") + "decide 1 hit => G7/2\ndraw 3C 1\npay 2 7500\n"),
    );
}

#[test]
fn turns_and_choices() {
    check(
        "before his turn, and for somebody else",
        &(dealt("TD 8H 9S 5D 9C")
            + "
        decide 1 stand => G8/2
        decide 2 hit P1 => G0/2 rule
        decide 2 hit P2
        draw 2C 2
        announce total 2 18 => G2/2
    "),
    );
    check(
        "a choice that was not announced, at the first choice; to decline is none",
        &(dealt("5D 8H 9S 5C 8C")
            + "
        decide 2 decline
        decide 2 hit => G12/2
        draw 8D 2
        decide 2 hit
        draw 8S 2
        decide 2 hit => G0/2 rule
        ask 1 split
        decide 1 hit
    "),
    );
    check(
        "a card after a double, and to a split ace",
        &(dealt("AD 5H 9S AC 6C")
            + "
        ask 2 split
        chips 2 split 5000
        draw 5H 2
        decide 2 hit => G14/2
        draw 6H 2b
        ask 1 double
        chips 1 double 4000
        draw 2H 1
        decide 1 hit => G12/1
    "),
    );
}

#[test]
fn doubles_splits_and_insurances() {
    check(
        "doubles",
        &(dealt("5D 8H 9S 5C 9C")
            + "
        ask 2 double
        ask 2 split
        chips 2 double 4000 => G12/2 return_bet
        chips 2 double 5000 => -G12
        draw 8C 2
        decide 1 double => G12/1 return_bet
    "),
    );
    check(
        "a double said without chips",
        &(dealt("5D 8H 9S 6C 9C")
            + "
        ask 2 double
        decide 2 double
        draw 8C 2 => G12/2 return_bet
    "),
    );
    check(
        "splits",
        &(dealt("8D 8H 9S 8C 9C")
            + "
        ask 2 split
        chips 2 split 4000 => G13/2 return_bet
        chips 2 split 5000 => -G13
        draw 9C 2
        decide 2 stand
        draw TC 2b
        decide 2b stand
        decide 1 split => G13/1 return_bet
    "),
    );
    check(
        "a split said without chips",
        &(dealt("8D 8H 9S 8C 9C")
            + "
        ask 2 split
        decide 2 split
        draw 9D 2 => G13/2 return_bet
    "),
    );
    check(
        "insurances",
        &(dealt("TD 8H AS 8C 9C")
            + "
        ask 2 insurance
        chips 2 insurance 2600 => G16/2 return_bet
        chips 2 insurance 2500 => -G16
        ask 1 insurance
        chips 1 insurance 1001 => A5/1 return_bet
    "),
    );
}

#[test]
fn bets() {
    check(
        "limits, units, and who comes late",
        &([SEATED, LOADED].concat()
            + "
        bet 2 500 P2
        bet 1 4005 P1
        close_bets => A5/2 return_bet, A5/1 return_bet
        bet 2 1000 P2 => -A5
        bet 1 4000 P1 => -A5
        draw TD 2
        bet 3 2000 P1 => G18/3 return_bet
        bet 1 5000 P1 => G18/1
    "),
    );
    let limits = HEADER.replace("20000", "60000");
    check_with(&limits, "sixty to one", &open().replace("close_bets", "close_bets => A5"));
    check(
        "the banker bets, and somebody seated does not",
        &([SEATED, LOADED].concat()
            + "
        bet 3 2000 P3 => A1/3 return_bet
        bet 3 0 => -A1
        bet 2 2000 P2
        close_bets => A6
        draw TD 2
        leave 1 P1 => A6
    "),
    );
}

#[test]
fn the_cards_and_the_cut() {
    check(
        "decks, the cut, and the cut card's place",
        &(SEATED.to_owned()
            + "
        shuffle 1 52 => G1 rule
        rule stands => -G1
        offer_cut P2 => G17
        cut 50 P1 => G17
        load 104 12 => A3
        shuffle 3 156 => A2 rule
        load 104 9 => G17
    "),
    );
    check(
        "cards shuffled in the middle of a play",
        &(dealt("TD 8H 9S 9D 9C") + "shuffle 2 99 => G21\nload 99 9 => G17\n"),
    );
    check(
        "a card that comes for the third time",
        &(dealt("TD TD 9S 5D 2C")
            + "
        decide 2 hit
        draw TD 2 => G1/2 rule
    "),
    );
    check(
        "the bank passes when the cards are shuffled, to the next, and not before",
        &(played("end")
            + "
        bank turn P2 => A4
    "),
    );
    let next = played("end").replace("pay 2", "cut_card\npay 2") + BETS;
    let after = |log: &str, found: &str| {
        let (before, after) = log.rsplit_once("close_bets").unwrap();
        format!("{before}close_bets => {found}{after}")
    };
    check("a play after the cut card", &after(&next, "G17"));
    let shuffled = played("end") + "shuffle 2 104\noffer_cut P1\ncut 50 P1\nload 104 9\n" + BETS;
    check("shuffled, and the bank where it was", &after(&shuffled, "A4"));
}

#[test]
fn what_belongs_to_all() {
    let advances = "share P3 advance 20000\nshare P2 advance 20000\nshare P1 advance 20000\n";
    let advanced = open().replace("bank turn", &format!("{advances}bank turn"));
    let other = advanced.replacen("P2 advance 20000", "P2 advance 15000 => A7", 1);
    check("another amount", &other);
    check(
        "again, though the bank has funds",
        &advanced.replace("bank turn", "share P3 advance 20000 => A7\nbank turn"),
    );
    let lacks = advanced.replace("share P1 advance 20000\n", "").replace("close_bets", "close_bets => A7");
    check("somebody has not advanced", &lacks);
    let ended = advances.to_owned() + &played("end");
    check(
        "divided: equal but for the units that are left over, once each",
        &(ended.clone()
            + "
        share P3 dividend 18334
        share P2 dividend 18334 => A7
        share P1 dividend 18333
        share P1 dividend 18333 => A7
        " + &BETS.replace("close_bets", "close_bets => A7")),
    );
    let little = advances.replace("20000", "1500");
    check(
        "the bank at nothing or below is topped up before the next play, at the latest",
        &(little.clone() + &played("end") + &BETS.replace("close_bets", "close_bets => A7")),
    );
    let before_paying = played("end").replace("pay 2", &format!("{little}pay 2"));
    check("topped up already when less is left than is still to be paid", &(little + &before_paying));
}

#[test]
fn settlement() {
    check(
        "paid before the right hand, and wrong money put right",
        &(stood("TD 8H 9S 9D 9C")
            + "
        draw 8D bank
        pay 1 4000 => G4/1 collect 4000
        collect 1 4000 => -G4
        pay 2 4000 => G4/2 pay 1000
        pay 2 1000 => -G4
    "),
    );
    check(
        "a loser of whom another amount is collected",
        &(stood("TD 8H 9S 9D 6C") + "draw 8D bank\ncollect 1 3000 => G0/1 collect 1000\ncollect 1 1000 => -G0\n"),
    );
    check(
        "a winner collected of when the bank is over 21",
        &(stood("TD 8H 6S 9D 9C")
            + "
        draw TS bank
        draw TC bank
        pay 2 6000 => G4/2 collect 1000
        collect 1 4000 => G11/1 pay 8000
    "),
    );
    check(
        "an ace with a ten after a split is paid as 21",
        &(dealt("TD 8H 9S TH 9C")
            + "
        ask 2 split
        chips 2 split 5000
        draw AD 2
        draw 9D 2b
        decide 2b stand
        decide 1 stand
        draw 8D bank
        pay 2 7500 => G15/2 collect 2500
        pay 2b 5000
    "),
    );
}

#[test]
fn money_before_its_time() {
    check(
        "a Black Jack paid when the bank may have one too, and money without a bet",
        &(dealt("AD 8H TS KD 9C") + "pay 2 7500 => G7/2\npay 3 1000 => G0/3 rule\n"),
    );
    check(
        "paid before the bank has finished: what it was worth is found when it has",
        &(dealt("TD 8H 9S 9D 9C")
            + "
        decide 2 stand
        pay 2 5000 => G10/bank serve
        decide 1 stand
        draw KD bank => -G10, G4/2 collect 5000
    "),
    );
    check(
        "insurance before the bank's second card",
        &(dealt("TD 8H AS 9D 9C")
            + "
        ask 2 insurance
        chips 2 insurance 2500
        collect 2 2500 insurance => G16/2
    "),
    );
}

#[test]
fn a_play_that_ends_unsettled() {
    check(
        "the bank stops at 16, at the first bet settled",
        &(stood("TD 8H 9S 9D 9C") + "draw 7D bank\npay 2 5000 => G10/bank serve\ndraw 2D bank => -G10\n"),
    );
    check(
        "the bank stops at 16, at the end; a bet that nothing was paid to",
        &(stood("TD 8H 9S 9D 9C") + "draw 7D bank\nend => G10/bank serve, !G10 serve, 1 unknown 4000, 2 unknown 5000"),
    );
    check(
        "nothing was moved",
        &(stood("TD 8H 9S 9D 6C")
            + "
        draw 8D bank
        end => G4/2, G4/1, 1 lose 4000, 2 win 5000
    "),
    );
    check(
        "over 21 and left lying",
        &(stood("TD 8H 9S 9D 6C").replace("decide 1 stand", "decide 1 hit\ndraw TS 1")
            + "
        draw 8D bank
        pay 2 5000
        end => G4/1, 1 lose 4000, 2 win 5000
    "),
    );
    check("a play given up", &(dealt("TD 8H 9S 9D 6C") + "end => G19, 1 unknown 4000, 2 unknown 5000"));
}

#[test]
fn cards_put_away() {
    check(
        "before the hand is settled, and by the burn tray",
        &(dealt("TD 8H 9S 9D 6C")
            + "
        move 2 discard => G0/2 rule
        decide 1 stand
        draw 8D bank
        collect 1 4000
        move 1 burn => G0/1 rule
    "),
    );
    check(
        "into the shoe, and out of order",
        &(stood("TD 8H 9S 9D 6C")
            + "
        draw 8D bank
        pay 2 5000
        collect 1 4000
        move 1 discard => G20/2
        move 2 shoe => G20/2
    "),
    );
}

#[test]
fn what_the_room_decides() {
    let undue = dealt("TD 8H 9S 9D 9C") + "draw 4C 3 => G24/3 put_back\n";
    check("stands", &(undue.clone() + "rule stands => -G24\n"));
    check("nothing to rule on", &(dealt("TD 8H 9S 9D 9C") + "rule void => G0\n"));
    check("not his to rule", &(undue + "rule stands 1 inspector => G0\n"));
    check(
        "reports, equipment, unread cards, and what nothing provides for",
        &(open()
            + "
        report G17 => G17
        device shoe jam => G0
        draw ?? 2 => G0/2 identify
        consent 2 yes => G0/2 rule
        reveal 3 => G0/3 rule
        correct inspector 2 device shoe jam => G0
    "),
    );
}
