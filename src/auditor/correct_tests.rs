//! Corrections and late entries: what they change, and what they may not.

use crate::tests::{CLEAR, HEADER, OPEN, check, check_with, dealt, stood};

const BETS: &str = "
    bet 1 5000 P1
    bet 2 5000 P2
    bet 3 5000 P3
    close_bets
";

/// A second pass, with the same cards from another suit, that nothing is found in.
const NEXT: &str = "
    draw TS 1
    draw 9D 2
    draw TC 3
    draw TH bank
    draw 9C 1
    draw 8D 2
    draw 8S 3
    draw 9S bank
    decide 1 stand
    decide 2 stand
    decide 3 stand
    reveal bank
    collect 2 5000
    collect 3 5000
    move 1 discard
    move 2 discard
    move 3 discard
    move bank discard
    end => 1 push 5000, 2 lose 5000, 3 lose 5000
";

/// Box 1 ties with the bank at 19, boxes 2 and 3 lose; the lines that are corrected have names.
fn ended() -> String {
    let log = stood("TH 9C TD TS 9H 8C 8H 9D").replace("draw 8C 2", "#eight draw 8C 2");
    log + "#lost collect 2 5000\ncollect 3 5000\n" + CLEAR + "#end end => 1 push 5000, 2 lose 5000, 3 lose 5000\n"
}

#[test]
fn the_facts_are_those_of_the_corrected_events() {
    let undue = OPEN.to_owned() + "draw 5H 1\n#undue draw 6H 1 => C5/1 burn\n";
    let struck = undue.clone() + "correct inspector #undue => ~C5\n";
    check("struck", &(struck.clone() + "draw 7H 2\n"));
    check("what was struck is not there", &(struck + "correct inspector #undue => C20\n"));
    check("replaced", &(undue.clone() + "correct inspector #undue draw 6H 2 => ~C5\ndraw 7H 3\n"));
    check(
        "replaced, and wrong in another way at the line that it concerns",
        &(undue + "correct inspector #undue draw 6H 4 => ~C5, C5/4 burn of #undue\n"),
    );
    check(
        "put in, several after one line in the order told",
        &(OPEN.to_owned()
            + "
        #first draw 5H 1
        draw TS bank => C10/2 return_bet, C10/3 return_bet
        correct inspector after #first draw 7H 2 => ~C10
        correct inspector after #first draw 8H 3 => ~C10
        draw 9D 1
        "),
    );
}

#[test]
fn a_correction_can_be_corrected() {
    let put_in =
        OPEN.to_owned() + "#first draw 5H 1\n#told correct inspector after #first draw 6H 1 => C5/1 burn of #told\n";
    check("replaced", &(put_in.clone() + "correct inspector #told draw 6H 2 => ~C5\ndraw 7H 3\n"));
    check("struck", &(put_in.clone() + "#struck correct inspector #told => ~C5\ndraw 7H 2\n"));
    check(
        "one that only struck put in nothing",
        &(put_in + "#struck correct inspector #told => ~C5\ncorrect inspector #struck draw 7H 2 => C20\n"),
    );
    check(
        "one that replaced stands for the line that it replaced",
        &(OPEN.to_owned()
            + "
        draw 5H 1
        #undue draw 6H 1 => C5/1 burn
        #again correct inspector #undue draw 6H 2 => ~C5
        correct inspector #again draw 6H 4 => C5/4 burn of #undue
        "),
    );
}

#[test]
fn who_may_correct_and_what() {
    let log = OPEN.to_owned() + "#first draw 5H 1\n#jam device shoe jam => C20\n";
    for (correct, why) in [
        ("dealer #first", "by the dealer"),
        ("room 999", "a line that is not there"),
        ("room #jam", "what equipment told"),
        ("room #first authorize shuffle inspector", "into an authorisation"),
        ("room after #first rule stands", "with a ruling"),
    ] {
        check(why, &format!("{log}correct {correct} => C20\ndraw 7H 2\n"));
    }
}

#[test]
fn what_may_be_corrected_ends_with_the_next_pass() {
    let corrected = "correct inspector #eight draw TC 2 => D14/2 pay 5000 of #lost, !D14 pay, 2 push 5000\n";
    let too_late = "correct inspector #eight draw TC 2 => C20\n";
    check("at once, the accounts come again", &(ended() + corrected));
    check("bets of the next pass lie", &(ended() + BETS + corrected));
    check("the next pass has its first card", &(ended() + BETS + "draw TS 1\n" + too_late));
    check("the next pass has ended", &(ended() + BETS + NEXT + too_late));
    let idle = "bet 1 5000 P1\nbet 1 0\nend\n";
    check("the next pass has ended without a card", &(ended() + idle + too_late));
    let again = "correct inspector #end\nend => 1 push 5000, 2 lose 5000, 3 lose 5000\n";
    check("an end that was none takes its accounts back", &(ended() + again));
}

#[test]
fn a_choice_told_late_provides_for_the_card_that_came_before_it() {
    let undue = dealt("5H 9C TD TS 2H 8C 8H 9D") + "ask 1 card\ndraw 6H 1 => C5/1 burn\n";
    check("late", &(undue.clone() + "decide 1 hit => ~C5\ndecide 1 stand\n"));
    check("it provides for one card", &(undue.clone() + "decide 1 hit => ~C5\ndraw 2C 1 => C5/1 burn\n"));
    check("of another hand", &(undue.clone() + "decide 2 hit => D9/1\n"));
    check("standing provides for no card", &(undue.clone() + "decide 1 stand\n"));
    check("another card was drawn since", &(undue.clone() + "draw 7H 4 => C5/4 burn\ndecide 1 hit\n"));
    let another = undue.replace("draw 6H 1", "draw 7H 4 => C5/4 burn\ndraw 6H 1");
    check("another was burned since", &(another + "move 4 burn => -C5\ndecide 1 hit\n"));
    let header = HEADER.replace("\"limits\"", "\"settings\":{\"late_entries\":false},\"limits\"");
    check_with(&header, "a house that takes none", &(undue.clone() + "decide 1 hit\n"));
    check("it was burned since", &(undue + "move 1 burn 1 => -C5\ndecide 1 hit\n"));
}
