//! Logs in a short notation, an event a line, with what must be answered behind `=>`.
//!
//! A finding is `C4/2 ask_consent`, its clearing `-C4`, its breach `!C4`, its withdrawal `~C4`; accounts are
//! `1 win 5000`. A line that begins with `#name` can be named by a correction: `correct inspector #name`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::audit;

pub(crate) const HEADER: &str =
    r#"{"ev":"table","v":1,"table":"BJ-07","regulation":"sala-8","boxes":7,"limits":{"min":1000,"max":100000}}"#;

pub(crate) const OPEN: &str = "
    seat 1 P1
    seat 2 P2
    seat 3 P3
    authorize shuffle inspector
    shuffle 8 416
    cut 150
    load 416 52
    bet 1 5000 P1
    bet 2 5000 P2
    bet 3 5000 P3
    close_bets
";

pub(crate) const CLEAR: &str = "
    move 1 discard
    move 2 discard
    move 3 discard
    move bank discard
";

fn event(text: &str) -> Value {
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = |n: usize| words.get(n).copied();
    let number = |n: usize| at(n).and_then(|word| word.parse::<u64>().ok());
    let event = match words[0] {
        "seat" | "leave" => json!({"seat": number(1), "player": at(2)}),
        "request" => json!({"box": at(1), "player": at(2)}),
        "authorize" => json!({"what": at(1), "role": at(2), "by": "I-1"}),
        "shuffle" => json!({"decks": number(1), "cards": number(2)}),
        "cut" => json!({"depth": number(1), "by": at(2).unwrap_or("P1")}),
        "load" => json!({"cards": number(1), "cut_card": number(2)}),
        "bet" => json!({"box": at(1), "amount": number(2), "player": at(3)}),
        "chips" => json!({"ev": "bet", "box": at(1), "spot": at(2), "amount": number(3)}),
        "draw" => json!({"card": at(1), "to": at(2), "face": at(3)}),
        "ask" => json!({"box": at(1), "about": at(2)}),
        "decide" => json!({"box": at(1), "choice": at(2), "by": at(3)}),
        "ace" => json!({"box": at(1), "value": number(2)}),
        "announce" => json!({"what": at(1), "box": at(2), "value": number(3)}),
        "reveal" => json!({"at": at(1)}),
        "move" => json!({"from": at(1), "to": at(2), "cards": number(3)}),
        "consent" => json!({"box": at(1), "yes": at(2) == Some("yes")}),
        "choose" => json!({"box": at(1), "option": at(2)}),
        "pay" | "collect" => json!({"box": at(1), "amount": number(2), "spot": at(3)}),
        "rule" => json!({"decision": at(1), "finding": number(2), "role": at(3).unwrap_or("room"), "by": "R"}),
        "report" => json!({"note": "n", "provision": at(1), "by": "R", "role": "room"}),
        "device" => json!({"device": at(1), "status": at(2)}),
        "device_complete" => json!({"ev": "device", "device": at(1), "status": "online", "complete": true}),
        "bank_card" => json!({"player": at(1), "card": at(2)}),
        "bank" => json!({"how": at(1), "player": at(2), "by": at(3)}),
        "offer_cut" => json!({"player": at(1)}),
        "share" => json!({"player": at(1), "what": at(2), "amount": number(3)}),
        "correct" => {
            let (field, line, rest) = if at(2) == Some("after") { ("after", 3, 4) } else { ("line", 2, 3) };
            let mut correct = json!({"by": "I-1", "role": at(1), field: number(line)});
            if words.len() > rest {
                correct["event"] = event(&words[rest..].join(" "));
            }
            correct
        }
        _ => json!({}),
    };
    let mut event = event;
    if event.get("ev").is_none() {
        event["ev"] = json!(words[0]);
    }
    event
}

fn short(answer: &Value, provisions: &mut Vec<String>) -> Option<String> {
    let text = |field: &str| answer[field].as_str().unwrap_or_default();
    let parts = |field: &str| -> String {
        answer[field]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|part| part["do"].as_str())
            .fold(String::new(), |all, part| all + " " + part)
    };
    let named =
        |provisions: &[String]| provisions[usize::try_from(answer["finding"].as_u64().unwrap()).unwrap() - 1].clone();
    Some(match text("out") {
        "finding" => {
            provisions.push(text("provision").to_owned());
            let place = answer.get("box").map(|_| format!("/{}", text("box"))).unwrap_or_default();
            let amount = answer["remedy"][0].get("amount").map(|amount| format!(" {amount}")).unwrap_or_default();
            let of = answer.get("of").map(|line| format!(" of {line}")).unwrap_or_default();
            format!("{}{place}{}{amount}{of}", text("provision"), parts("remedy"))
        }
        "cleared" => format!("-{}", named(provisions)),
        "breach" => format!("!{}{}", named(provisions), parts("missing")),
        "withdrawn" => format!("~{}", named(provisions)),
        "settle" => format!("{} {} {}", text("box"), text("outcome"), answer["stake"]),
        _ => return None,
    })
}

/// Reads a log and holds the answers to each line against what stands behind it.
pub(crate) fn check(name: &str, log: &str) {
    check_with(HEADER, name, log);
}

/// The same under another header.
pub(crate) fn check_with(header: &str, name: &str, log: &str) {
    let lines: Vec<&str> = log.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let label = |line: &str| line.split_whitespace().next().filter(|word| word.starts_with('#')).map(str::to_owned);
    let labels: BTreeMap<String, usize> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((label(line)?, at + 2))).collect();
    let named = |text: &str| {
        let words = text.split_whitespace().map(|word| labels.get(word).map_or(word.to_owned(), usize::to_string));
        words.collect::<Vec<_>>().join(" ")
    };
    let mut text = header.to_owned();
    for line in &lines {
        let told = line.split("=>").next().unwrap().trim_start_matches(&label(line).unwrap_or_default());
        text += &format!("\n{}", event(&named(told)));
    }
    let answers = audit(&text).unwrap();
    let mut provisions = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let here = answers.iter().filter(|answer| answer["line"].as_u64() == Some(at as u64 + 2));
        let mut given: Vec<String> = here.filter_map(|answer| short(answer, &mut provisions)).collect();
        let wanted = line.split_once("=>").map_or("", |(_, wanted)| wanted);
        let mut wanted: Vec<String> = wanted.split(',').map(&named).filter(|words| !words.is_empty()).collect();
        given.sort();
        wanted.sort();
        assert_eq!(given, wanted, "{name}: line {}: {line}", at + 2);
    }
}

/// A log that goes on with these cards, each to its place.
pub(crate) fn dealt_to(places: &[&str], open: &str, cards: &str) -> String {
    let dealt = cards.split_whitespace().zip(places);
    dealt.fold(open.to_owned(), |all, (card, place)| all + &format!("draw {card} {place}\n"))
}

pub(crate) fn dealt(cards: &str) -> String {
    dealt_to(&["1", "2", "3", "bank", "1", "2", "3", "bank"], OPEN, cards)
}

pub(crate) fn stood(cards: &str) -> String {
    dealt(cards) + "decide 1 stand\ndecide 2 stand\ndecide 3 stand\nreveal bank\n"
}

#[test]
fn the_worked_example_of_the_contract() {
    check(
        "example",
        &(OPEN.to_owned()
            + "
        draw 8H 1
        draw 5C 2
        draw TD 3
        draw 9S bank
        draw TC 1
        draw QH 3 => D8/2
        draw 8D bank => C4/2 ask_consent
        consent 2 no
        move 2 burn => -C4
        decide 1 stand
        decide 3 stand
        reveal bank
        pay 1 5000
        pay 3 5000
        move 1 discard
        move 3 discard
        move bank discard
        end => 1 win 5000, 2 void 5000, 3 win 5000
    "),
    );
}

#[test]
fn passes_by_the_book_have_no_finding() {
    check(
        "plain",
        &(stood("TH 9C TD TS 9H 8C 8H 9D")
            + "
        collect 2 5000
        collect 3 5000
    " + CLEAR
            + "end => 1 push 5000, 2 lose 5000, 3 lose 5000"),
    );
    check(
        "drawn, over, doubled and opened",
        &(dealt("TH 6C 8D 6S 2H 5C 8H TD")
            + "
        ask 1 card
        decide 1 hit
        draw TC 1
        announce total 1 22
        ask 2 double
        decide 2 double
        chips 2 double 5000
        draw 9C 2
        ask 3 split
        decide 3 split
        chips 3 split 5000
        draw TS 3
        decide 3 stand
        draw 9H 3b
        decide 3b stand
        reveal bank
        draw 4C bank
        reveal 2
        collect 1 5000
        collect 3 5000
        collect 3b 5000
        move 1 discard
        move 2 discard
        move 3 discard
        move 3b discard
        move bank discard
        end => 1 lose 5000, 2 push 10000, 3 lose 5000, 3b lose 5000
    "),
    );
}

#[test]
fn the_shoe_and_the_bets() {
    check(
        "shoe",
        "
        shuffle 8 416 => D5
        load 416 52 => D5
        authorize shuffle inspector
        shuffle 7 364 => M1 rule, C19
        cut 50 => D6
        load 363 30 => M1 rule, D7
    ",
    );
    check(
        "bets",
        "
        seat 1 P1
        seat 2 P2
        seat 3 P3
        load 416 52
        request 4 P3
        bet 1 500 P1
        bet 2 5000 P2
        bet 2 6000 P1 => D3/2 return_bet
        bet 2 5000 P2 => -D3
        bet 4 5000 P1 => C2/4 return_bet
        bet 4 0 => -C2
        bet 5 5000 P9 => D3/5 return_bet
        close_bets => D2/1 return_bet, C1
        bet 5 0 => -D3
        bet 1 1000 P1 => -D2
        draw 5H 1
        bet 3 5000 P3 => C3/3 return_bet
        bet 2 9000 P2 => C16/2
        bet 2 5000 P2
        bet 3 0 => -C3
    ",
    );
    check(
        "few",
        "
        seat 1 P1
        load 416 52
        bet 1 5000 P1
        close_bets => D1
    ",
    );
}

#[test]
fn the_delivery() {
    let first = OPEN.to_owned() + "draw 5H 1\n";
    check(
        "undue",
        &(first.clone()
            + "
        draw 6H 1 => C5/1 burn
        move 1 burn 1 => -C5
        draw 7H 2
        draw 8H 4 => C5/4 burn
    "),
    );
    check("bank first", &(OPEN.to_owned() + "draw 6H bank => C5/bank burn"));
    check(
        "no card",
        &(first.clone()
            + "
        draw 7H 2
        draw TH bank => C10/3 return_bet
        draw 2H 3 => C5/3 burn
    "),
    );
    check(
        "no bank",
        &(first.clone()
            + "
        draw 7H 2
        draw 8H 3
        draw 2H 1 => C13/bank authorize announce serve
        authorize next_cards_for_bank inspector
        announce next_cards_for_bank
        draw 9H bank => -C13
    "),
    );
    check(
        "no bank, unannounced",
        &(first.clone()
            + "
        draw 7H 2
        draw 8H 3
        draw 2H 1 => C13/bank authorize announce serve
        draw 9H bank => !C13 authorize announce
    "),
    );
    check("third", &(dealt("5H 6H 7H 8H 9H") + "draw 2C 1 => C6/1 void_bet burn\nmove 1 burn => -C6"));
    check(
        "bank up",
        &(dealt("TH 9H TD 8H 9C 9D 9S")
            + "
        draw 5C bank up => C7/bank burn serve
        move bank burn 1
        draw 6C bank => -C7
        decide 1 stand
    "),
    );
    check("ace", &(dealt("AH 9H TD 8H") + "draw 6C 1 => C8/1"));
    check("eleven", &(dealt("5H 9H TD 8H 6C TC TS 5D") + "draw 4H 1 => C8/1\ndraw 4C 1 => C5/1 burn"));
}

#[test]
fn play() {
    let log = dealt("TH 9C TD TS 9H 8C 8H 7D");
    check(
        "turn",
        &(log.clone()
            + "
        decide 2 stand => D9/1
        decide 1 hit P2 => D4/1
        draw 2C 1 => C5/1 burn
        reveal bank => C12/1
    "),
    );
    check(
        "21",
        &(dealt("TH 9C TD TS 5H 8C 8H 7D")
            + "
        decide 1 hit
        draw 6C 1
        announce total 1 22 => D9/1
        decide 1 hit => D9/1
        draw 2C 1 => C5/1 burn
    "),
    );
    check(
        "aces",
        &(dealt("AC 9C TD TS").replace("draw 9C 2", "ask 1 insurance\ndraw 9C 2")
            + "
        draw 5C 1
        draw 9D 2
        draw 9H 3
        draw 9S bank
        decide 1 stand => D10/1
        ace 1 1
        ace 1 11 => D10/1
    "),
    );
    check(
        "double",
        &(dealt("5H 9C TD TS 6H 8C 8H 7D")
            + "
        ask 1 double
        decide 1 double
        chips 1 double 4000 => O1/1 return_bet
        chips 1 double 5000 => -O1
        decide 2 double => O1/2 return_bet
        decide 2 stand
        draw 3C 3 => C5/3 burn, C9/1 offer
    "),
    );
}

#[test]
fn splits_and_insurances() {
    check(
        "split",
        &(dealt("5H 8C TD TS 6H 8D 9H 7D")
            + "
        decide 1 stand
        decide 2 split
        chips 2 split 5000
        draw 8H 2
        decide 2 split => O2/2 return_bet
    "),
    );
    check(
        "insurance",
        &(dealt("AH 9C TD TS")
            + "
        ask 1 insurance
        chips 1 insurance 2000 => O4/1 return_bet
        chips 1 insurance 2500 => -O4
        chips 2 insurance 2500 => O4/2 return_bet
        chips 2 insurance 0 => -O4
        draw KC 1
    "),
    );
}

#[test]
fn the_bank() {
    check(
        "draws at 17",
        &(stood("TH 9C TD TS 9H 8C 8H 7D") + "draw 2C bank => D12/bank burn\nmove bank burn 1 => -D12"),
    );
    check("not defined", &(stood("TH 9C TD TS 9H 8C 8H 6D") + "pay 1 5000 => D12/bank serve"));
    check(
        "covered",
        &(dealt("TH 9C TD TS 9H 8C 8H 6D")
            + "
        decide 1 stand
        decide 2 stand
        decide 3 stand
        pay 1 5000 => D12/bank
    "),
    );
    check(
        "nobody left",
        &(dealt("TH TC TD TS 6H 6C 6D 6S")
            + "
        decide 1 hit
        draw KH 1
        decide 2 hit
        draw KC 2
        decide 3 hit
        draw KD 3
        draw 2S bank => C18/bank burn
    "),
    );
    check(
        "left out",
        &(dealt("TH 9C TD TS 9H 8C 8H 6D")
            + "
        decide 1 stand
        decide 2 stand
        reveal bank => C12/3
        draw 5C bank => C11/3 offer
        choose 3 play => -C11
    "),
    );
    check(
        "put away",
        &(dealt("TH 9C TD TS 9H 8C 8H 7D")
            + "
        decide 1 stand
        move bank discard => C14/bank authorize announce serve serve
        move 2 discard => C15/2
    "),
    );
}

#[test]
fn settlement() {
    let log = stood("AH 9C TD TS TC 8C 9H 8D").replace("draw 9C 2", "ask 1 insurance\ndraw 9C 2");
    let log = log.replace("decide 1 stand\n", "");
    check(
        "money",
        &(log.clone()
            + "
        pay 1 5000 => F1/1 pay 2500, D9/1
        pay 1 2500 => -F1
        pay 2 5000 => D14/2 collect 10000
        collect 3 5000 => D14/3 pay 10000
        pay 3 5000
        end => D9, !D14 collect, !D14 pay, 1 blackjack 5000, 2 lose 5000, 3 win 5000
    "),
    );
    check(
        "nothing moved",
        &(log.clone()
            + "
        move 1 discard => C15/1
        end => D9, D14/1, D14/2, D14/3, 1 lose 5000, 2 lose 5000, 3 win 5000
    "),
    );
    check(
        "left lying",
        &(log
            + "
        collect 2 5000
        pay 1 7500
        pay 3 5000
        move 3 discard => D9/3
        end => D9, 1 blackjack 5000, 2 lose 5000, 3 win 5000
    "),
    );
}

#[test]
fn rulings_and_equipment() {
    let undue = OPEN.to_owned() + "draw 5H 1\ndraw 6H 1 => C5/1 burn\n";
    check("stands", &(undue.clone() + "rule stands 1 => -C5\ndraw 7H 2"));
    check("void", &(undue.clone() + "rule void 1 => -C5\ndraw 7H 1 => C5/1 burn"));
    check("not his to rule", &(undue.clone() + "rule stands 1 inspector => C20"));
    check("resume reaches nothing", &(undue + "rule resume 1 => C20"));
    check(
        "equipment",
        &(OPEN.to_owned()
            + "
        device shoe jam => C20
        device shoe door_open => C20 rule
        device shoe door_open
        device chips tamper => C20 rule
        rule resume => C20
        rule resume 2 => -C20
        report D3 => D3
        report => C20 rule
        device shoe empty => D7 void_bet void_bet void_bet, -D7, -C20, -C20
        end => 1 void 5000, 2 void 5000, 3 void 5000
    "),
    );
}

#[test]
fn how_cards_lie() {
    check("delivered down", &(OPEN.to_owned() + "draw 5H 1 down => D8/1"));
    let copies = "draw 2C 4 => C5/4 burn\n".repeat(8);
    check("a ninth copy", &(OPEN.to_owned() + &copies + "draw 2C 5 => M1/5 rule, C5/5 burn"));
    let doubled = dealt("5H 9C TD TS 6H 8C 8H 7D") + "ask 1 double\ndecide 1 double\nchips 1 double 5000\n";
    check("double up", &(doubled.clone() + "draw 9D 1 up => O1/1"));
    check("double turned early", &(doubled + "draw 9D 1\nreveal 1 => O1/1"));
}

#[test]
fn chips_after_their_card() {
    check(
        "double",
        &(dealt("5H 9C TD TS 6H 8C 8H 7D")
            + "
        ask 1 double
        decide 1 double
        draw 9D 1 => O1/1 return_bet
    "),
    );
    check(
        "split",
        &(dealt("5H 8C TD TS 6H 8D 9H 7D")
            + "
        decide 1 stand
        decide 2 split
        draw 9D 2 => O2/2 return_bet
        chips 2 split 5000
        decide 2 stand
    "),
    );
    let insured = dealt("AH 9C TD TS").replace("draw 9C 2", "ask 1 insurance\nchips 1 insurance 2500\ndraw 9C 2");
    check("insurance", &(insured + "draw TC 1\npay 1 4000 insurance => O4/1 pay 1000\npay 1 1000 insurance => -O4"));
}

#[test]
fn settled_while_others_play() {
    check(
        "a bust",
        &(dealt("TH 9C TD TS 6H 8C 8H 7D")
            + "
        decide 1 hit
        draw KH 1
        collect 1 5000 => D9/1
        move 1 discard
    "),
    );
    check(
        "cards too early",
        &(stood("TH 9C TD TS 9H 8C 9D 8S")
            + "
        collect 2 5000
        move 2 discard => D9/2
    "),
    );
}
