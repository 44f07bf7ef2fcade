//! What `sabot replay --due` writes after each event.

use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;

use crate::scenarios::steps;

/// What is due after the last line, as it is written.
fn due(regulation: &str, lines: &str) -> String {
    let mut replay = Replay::new(Lang::En, None);
    for step in steps(regulation, lines) {
        replay.feed(step.json.as_bytes(), &mut Vec::new()).unwrap();
    }
    let due = replay.validator().unwrap().due(replay.line());
    assert_eq!(due.line, replay.line());
    let written = serde_json::to_value(&due).unwrap();
    assert_eq!(written["out"], "due");
    let steps = written["due"].as_array().unwrap().iter().map(|step| serde_json::to_string(step).unwrap());
    steps.collect::<Vec<_>>().join(" ").replace('"', "")
}

#[test]
fn the_next_step_of_a_pass_is_told_in_the_words_of_the_log() {
    let mut lines = String::new();
    for (line, written) in [
        ("shuffle 8", "{do:cut,who:dealer}"),
        ("cut 150", "{do:load,who:dealer}"),
        ("load 416 52", "{do:bet,who:dealer}"),
        ("bet 1 50 P1", "{do:close_bets,who:dealer}"),
        ("close", "{do:serve,to:1,who:dealer}"),
        ("draw 8H 1", "{do:serve,to:bank,who:dealer}"),
        ("draw 9S bank", "{do:serve,to:1,who:dealer}"),
        ("draw 7C 1", "{do:serve,to:bank,who:dealer}"),
        ("draw 7D bank", "{about:card,box:1,do:ask,who:dealer}"),
        ("hit 1", "{do:serve,to:1,who:dealer}"),
        ("draw 4C 1", "{about:card,box:1,do:ask,who:dealer}"),
        ("stand 1", "{at:bank,do:reveal,who:dealer}"),
        ("reveal bank", "{do:serve,to:bank,who:dealer}"),
        ("draw 2C bank", "{amount:50,box:1,do:pay,who:dealer}"),
        ("pay 1 50", "{do:move,from:1,to:discard,who:dealer}"),
        ("discard 1", "{do:move,from:bank,to:discard,who:dealer}"),
        ("discard bank", "{do:end,who:dealer}"),
        ("end", "{do:bet,who:dealer}"),
    ] {
        lines += line;
        lines.push('\n');
        assert_eq!(due("sala-8", &lines), written, "after {line}");
    }
}

#[test]
fn remedies_come_first_the_gravest_and_then_the_oldest_with_who_must_act() {
    let dealt = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC\n";
    let late = format!("{dealt}draw QH 3\ndraw 8D bank\n");
    assert_eq!(due("sala-8", &late), "{box:2,do:ask_consent,who:dealer} {about:card,box:1,do:ask,who:dealer}");
    let tampered = format!("{late}device shoe forged\n");
    assert_eq!(
        due("sala-8", &tampered),
        "{do:rule,who:room} {box:2,do:ask_consent,who:dealer} {about:card,box:1,do:ask,who:dealer}"
    );
    let lost = format!("{dealt}draw 9D 2\ndraw QH 3\ndraw 8D bank\ndiscard bank\n");
    assert_eq!(
        due("sala-8", &lost),
        "{do:authorize,what:next_cards_for_bank,who:inspector} {do:announce,what:next_cards_for_bank,who:dealer} \
         {do:serve,to:bank,who:dealer} {do:serve,to:bank,who:dealer}"
    );
}

#[test]
fn a_shuffle_is_authorised_before_it_is_due() {
    assert_eq!(due("sala-8", "seat 1 P1"), "{do:authorize,what:shuffle,who:inspector}");
    assert_eq!(due("sala-8", "authorize shuffle"), "{do:shuffle,who:dealer}");
}

#[test]
fn a_pair_is_asked_first_whether_it_splits_and_an_ace_among_two_cards_what_it_counts() {
    let asked = |cards: &str, more: &str| {
        let lines = format!("open\nbets 1 2 3\nclose\n{cards}stand 1\n{more}");
        due("sala-8", &lines).split_once(',').map(|(about, _)| about.to_owned())
    };
    let dealt = |first: &str, second: &str| {
        let asks = if first.starts_with('A') { "ask 2 insurance\ndecline 2\n" } else { "" };
        format!("deal 8H {first} TD 9S\n{asks}draw TC 1, {second} 2, QH 3, 8D bank\n")
    };
    for (first, second, more, about) in [
        ("8C", "8S", "", "split"),
        ("8C", "8S", "ask 2 split\ndecline 2\n", "card"),
        ("AC", "AS", "", "split"),
        ("AC", "AS", "ask 2 split\ndecline 2\n", "ace"),
        ("AC", "5S", "", "ace"),
        ("5C", "AS", "", "ace"),
        ("AC", "5S", "ask 2 ace\nace 2 11\n", "card"),
        ("5C", "6S", "", "double"),
    ] {
        assert_eq!(asked(&dealt(first, second), more), Some(format!("{{about:{about}")), "{first} {second} {more}");
    }
}

#[test]
fn nothing_is_ordered_paid_or_collected_while_its_facts_are_in_doubt() {
    let unread = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S ?? TS QH 8D\nstand 1, 2, 3\nreveal bank\ncollect 2 50\n";
    assert_eq!(due("sala-8", unread), "{do:identify,place:1,who:inspector} {amount:50,box:3,do:pay,who:dealer}");
    let reported = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC TS QH 8D\nstand 1, 2, 3\nreveal bank\nreport - 2\n";
    assert_eq!(due("sala-8", reported), "{do:rule,who:room} {amount:50,box:1,do:pay,who:dealer}");
    // where it is about no box the room may void every bet
    for about_all in ["report -", "device shoe tamper"] {
        assert_eq!(due("sala-8", &reported.replace("report - 2", about_all)), "{do:rule,who:room}", "{about_all}");
    }
}

#[test]
fn a_pass_is_over_when_nothing_is_left_of_it_but_its_end() {
    let lines = "open\nbets 1 2 3\nclose\ndraw 8H 1, 9H 2, TH 3, 9S bank, TC 1, TD 2, TS 3, 8D bank\n\
        stand 1\nstand 2\nstand 3\nreveal bank\npay 1 50, 2 50, 3 50\ndiscard 1, 2, 3, bank\nend";
    let mut replay = Replay::new(Lang::En, None);
    let mut over = Vec::new();
    for step in steps("sala-8", lines) {
        replay.feed(step.json.as_bytes(), &mut Vec::new()).unwrap();
        over.push(replay.validator().unwrap().is_over());
    }
    let (end, cleared) = (over.len() - 1, over.len() - 2);
    let is_over = |at: &usize| over[*at];
    assert_eq!((0..over.len()).filter(is_over).collect::<Vec<_>>(), [cleared], "{end} is the end");
}
