//! Tables that see less than everything, and devices that miss something.

use crate::tests::{CLEAR, OPEN, check, check_with, dealt, stood};

/// A header that names these sights, or a table without bets, whose seats are not told either.
fn without(sight: &str) -> String {
    let all = ["places", "faces", "turns", "moves", "bets", "asks", "decisions", "announcements"];
    let seen: Vec<&str> = all.into_iter().filter(|seen| !sight.contains(seen)).collect();
    let observes = serde_json::to_string(&seen).unwrap();
    format!(
        r#"{{"ev":"table","v":2,"table":"T","regulation":"sala-8","boxes":7,"limits":{{"min":1,"max":9999}},"observes":{observes}}}"#
    )
}

/// The lines but those that begin with one of these words.
fn thinned(log: &str, words: &[&str]) -> String {
    let is_told = |line: &&str| !words.iter().any(|word| line.trim().starts_with(word));
    log.lines().filter(is_told).map(|line| line.to_owned() + "\n").collect()
}

const PLAYED: &str = "
    decide 1 stand
    decide 2 hit
    draw 2C 2
    decide 2 stand
    decide 3 stand
    reveal bank
    draw 8H bank
    collect 2 5000
    pay 1 5000
    pay 3 5000
";

fn played() -> String {
    dealt("TH 2H TD 7S TC 3C QH 3D") + PLAYED + CLEAR
}

#[test]
fn what_nobody_sees_is_inferred() {
    let accounts = "end => 1 win 5000, 2 lose 5000, 3 win 5000";
    check("all seen", &(played() + accounts));
    check_with(&without("turns"), "turns", &(thinned(&played(), &["reveal"]) + accounts));
    check_with(&without("moves"), "moves", &(thinned(&played(), &["move"]) + accounts));
    check_with(&without("decisions"), "decisions", &(thinned(&played(), &["decide"]) + accounts));
    let bets = thinned(&played(), &["bet", "pay", "collect"]);
    check_with(&without("bets"), "bets", &(bets.clone() + "end => 1 win null, 2 lose null, 3 win null"));
}

#[test]
fn a_burn_that_nobody_sees_is_done_when_the_pass_goes_on() {
    let log =
        dealt("TH 2H TD 7S TC 3C QH 3D") + "decide 1 stand\ndraw 5H 1 => C5/1 burn\nseat 4 P4\ndecide 2 stand => -C5\n";
    check_with(&without("moves"), "burn", &log);
}

#[test]
fn a_device_that_misses_something_leaves_the_pass_unknown_and_the_next_is_judged_in_full() {
    let pass = stood("TH 9C TD TS 9H 8C 8H 9D");
    let settled = "collect 2 5000\ncollect 3 5000\n".to_owned() + CLEAR;
    let unknown = "end => 1 unknown 5000, 2 unknown 5000, 3 unknown 5000\n";
    let next = "bet 1 50 P1\nbet 2 5000 P2\nbet 3 5000 P3\nclose_bets => D2/1 return_bet\n";
    let lost = "device shoe offline => C20\ndraw 2C 5\ndevice shoe online\n";
    check("lost", &(pass.clone() + lost + &settled + unknown + next));
    let away = "device shoe offline => C20\n";
    check("away", &(pass.clone() + away + &settled + unknown + next + "draw 2C 1 => C20\n"));
    let missed = "device shoe events_missed => C20\n";
    check(
        "missed",
        &(OPEN.to_owned()
            + missed
            + "draw 5H 1\ndraw 6H 1\nend => 1 unknown 5000, 2 unknown 5000, 3 unknown 5000\n"
            + next),
    );
}

#[test]
fn what_is_told_late_is_judged_when_all_of_it_has_been_told() {
    let open = OPEN.to_owned() + "device shoe offline => C20\ndraw 5H 1\n#late draw 6H 1\n";
    check("told late", &(open + "device_complete shoe => ~C20, C5/1 burn of #late\n"));
}
