//! The named settings of a regulation: each changes what it says it changes, in a log's header or in a file of its own.

use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::{Answer, Header, Observes, Outcome, line};
use sabot_law::validator::Validator;

/// A pass of three boxes; `cards` as they come, `then` what follows the delivery.
fn answers(settings: &str, cards: &[(&str, &str)], then: &[&str]) -> Vec<Answer> {
    let header = format!(
        r#"{{"ev":"table","v":1,"table":"T","regulation":"sala-8","boxes":3,"limits":{{"min":100,"max":100000}},"settings":{settings}}}"#
    );
    let mut lines = vec![header, r#"{"ev":"load","cards":416,"cut_card":52}"#.to_string()];
    lines.extend((1..=3).map(|n| format!(r#"{{"ev":"seat","seat":{n},"player":"P{n}"}}"#)));
    lines.extend((1..=3).map(|n| format!(r#"{{"ev":"bet","box":"{n}","amount":1000,"player":"P{n}"}}"#)));
    lines.extend(cards.iter().map(|(to, card)| format!(r#"{{"ev":"draw","card":"{card}","to":"{to}"}}"#)));
    lines.extend(then.iter().map(|line| (*line).to_string()));
    let (mut replay, mut all) = (Replay::new(Lang::En, None), Vec::new());
    lines.iter().for_each(|line| replay.feed(line.as_bytes(), &mut all).unwrap());
    all
}

fn found(answers: &[Answer]) -> Vec<&'static str> {
    let provision =
        |answer: &Answer| if let Answer::Finding(finding) = answer { Some(finding.provision) } else { None };
    answers.iter().filter_map(provision).collect()
}

fn paid(answers: &[Answer], box_no: u8, hand: u8) -> Option<(Outcome, u64)> {
    answers.iter().find_map(|answer| match answer {
        Answer::Settle(settle) if (settle.hand.box_no, settle.hand.hand) == (box_no, hand) => {
            Some((settle.outcome, settle.pay.unwrap_or(0)))
        }
        _ => None,
    })
}

const DEALT: &[(&str, &str)] =
    &[("1", "TS"), ("2", "9S"), ("3", "9H"), ("bank", "5D"), ("1", "KS"), ("2", "9C"), ("3", "9D"), ("bank", "8C")];

#[test]
fn a_black_jack_after_a_split_of_tens_is_paid_as_the_house_says() {
    let then = [
        r#"{"ev":"decide","box":"1","choice":"split"}"#,
        r#"{"ev":"draw","card":"AS","to":"1"}"#,
        r#"{"ev":"draw","card":"9S","to":"1b"}"#,
        r#"{"ev":"reveal","at":"bank"}"#,
        r#"{"ev":"draw","card":"5H","to":"bank"}"#,
        r#"{"ev":"end"}"#,
    ];
    assert_eq!(paid(&answers("{}", DEALT, &then), 1, 0), Some((Outcome::Blackjack, 1500)));
    let even = answers(r#"{"split_ten_blackjack":"1:1"}"#, DEALT, &then);
    assert_eq!(paid(&even, 1, 0), Some((Outcome::Blackjack, 1000)));
}

#[test]
fn the_banks_later_ace_may_take_it_over_21_where_the_house_reads_so() {
    let then = [
        r#"{"ev":"decide","box":"1","choice":"stand"}"#,
        r#"{"ev":"decide","box":"2","choice":"stand"}"#,
        r#"{"ev":"decide","box":"3","choice":"stand"}"#,
        r#"{"ev":"reveal","at":"bank"}"#,
        r#"{"ev":"draw","card":"AC","to":"bank"}"#,
        r#"{"ev":"end"}"#,
    ];
    // 5 and 8 and an ace: 14 and the bank goes on, or 24 and everybody wins
    let over = answers(r#"{"bank_later_ace":"from_17"}"#, DEALT, &then);
    assert!(!found(&over).contains(&"D12"), "{:?}", found(&over));
    assert!(found(&answers("{}", DEALT, &then)).contains(&"D12"));
    assert_eq!(paid(&over, 2, 0), Some((Outcome::Win, 1000)));
}

#[test]
fn the_stake_of_lost_cards_is_lost_or_returned_as_the_house_says() {
    let then = [r#"{"ev":"move","from":"2","to":"discard"}"#, r#"{"ev":"end"}"#];
    assert_eq!(paid(&answers("{}", DEALT, &then), 2, 0), Some((Outcome::Lose, 0)));
    let void = answers(r#"{"stake_of_lost_cards":"void"}"#, DEALT, &then);
    assert_eq!(paid(&void, 2, 0), Some((Outcome::Void, 0)));
}

#[test]
fn a_bank_that_does_not_draw_against_black_jacks_alone_has_drawn_one_too_many() {
    let dealt =
        [("1", "TS"), ("2", "9S"), ("3", "9H"), ("bank", "5D"), ("1", "AS"), ("2", "9C"), ("3", "9D"), ("bank", "8C")];
    let over = |n: u8| {
        [
            format!(r#"{{"ev":"decide","box":"{n}","choice":"hit"}}"#),
            format!(r#"{{"ev":"draw","card":"KC","to":"{n}"}}"#),
        ]
    };
    let lines: Vec<String> = [over(2), over(3)]
        .concat()
        .into_iter()
        .chain([r#"{"ev":"reveal","at":"bank"}"#, r#"{"ev":"draw","card":"2C","to":"bank"}"#].map(String::from))
        .collect();
    let then: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert!(!found(&answers("{}", &dealt, &then)).contains(&"D12"));
    let spared = answers(r#"{"bank_draws_against_blackjacks":false}"#, &dealt, &then);
    assert!(found(&spared).contains(&"D12"), "{:?}", found(&spared));
}

#[test]
fn a_split_hand_of_eleven_may_be_doubled_where_the_house_allows_it() {
    let then = [
        r#"{"ev":"decide","box":"2","choice":"split"}"#,
        r#"{"ev":"draw","card":"2S","to":"2"}"#,
        r#"{"ev":"decide","box":"2","choice":"double"}"#,
    ];
    assert!(found(&answers("{}", DEALT, &then)).contains(&"O1"));
    assert!(!found(&answers(r#"{"double_after_split":true}"#, DEALT, &then)).contains(&"O1"));
}

#[test]
fn cards_that_run_out_void_the_pass_unless_the_house_finishes_it() {
    let dealt = &DEALT[..7];
    let then = [r#"{"ev":"device","device":"shoe","status":"empty"}"#, r#"{"ev":"end"}"#];
    let outcome = |settings| paid(&answers(settings, dealt, &then), 1, 0).map(|(outcome, _)| outcome);
    assert_eq!(outcome("{}"), Some(Outcome::Void));
    assert!(found(&answers("{}", dealt, &then)).contains(&"D7"));
    for other in [r#"{"cards_run_out":"reshuffle"}"#, r#"{"cards_run_out":"room"}"#] {
        assert!(!found(&answers(other, dealt, &then)).contains(&"D7"), "{other}");
    }
}

#[test]
fn a_card_for_an_eleven_nobody_was_asked_about_is_valid_only_where_the_dealer_has_to_ask() {
    let dealt =
        [("1", "5S"), ("2", "9S"), ("3", "9H"), ("bank", "5D"), ("1", "6S"), ("2", "9C"), ("3", "9D"), ("bank", "8C")];
    let then = [r#"{"ev":"ask","box":"1","about":"card"}"#, r#"{"ev":"draw","card":"2S","to":"1"}"#];
    assert!(found(&answers("{}", &dealt, &then)).ends_with(&["C8"]));
    assert!(found(&answers(r#"{"double_is_offered":false}"#, &dealt, &then)).ends_with(&["C5"]));
}

#[test]
fn a_winner_may_be_paid_before_losers_are_collected_where_each_hand_is_settled_in_its_turn() {
    let then = [
        r#"{"ev":"decide","box":"1","choice":"stand"}"#,
        r#"{"ev":"decide","box":"2","choice":"hit"}"#,
        r#"{"ev":"draw","card":"8S","to":"2"}"#,
        r#"{"ev":"decide","box":"3","choice":"stand"}"#,
        r#"{"ev":"reveal","at":"bank"}"#,
        r#"{"ev":"draw","card":"5C","to":"bank"}"#,
        r#"{"ev":"pay","box":"1","amount":1000}"#,
    ];
    assert!(found(&answers("{}", DEALT, &then)).contains(&"D9"));
    assert!(!found(&answers(r#"{"losers_first":false}"#, DEALT, &then)).contains(&"D9"));
}

#[test]
fn the_first_version_sees_what_it_has_no_word_for_and_the_second_says_the_same_by_naming_it() {
    let header = |v: u32, observes: &str| {
        let head = format!(r#"{{"v":{v},"table":"T","regulation":"sala-8","boxes":7"#);
        serde_json::from_str::<Header>(&format!(r#"{head},"limits":{{"min":1,"max":9}}{observes}}}"#)).unwrap()
    };
    let first = header(1, r#","observes":["places","faces"]"#);
    let Observes { turns, moves, bets, asks, .. } = first.observes;
    assert_eq!((turns, moves, bets, asks), (true, true, true, false));
    let second = header(2, r#","observes":["places","faces","turns","moves","bets"]"#);
    assert_eq!(first.clone().in_version_2(), second);
    assert!(first.is_same_table(&second) && first != second);
    assert!(!first.is_same_table(&header(2, r#","observes":["places","faces"]"#)), "it sees less");
    assert!(header(1, "").is_same_table(&header(2, "")) && header(1, "").observes == Observes::ALL);
}

/// What a bet of one chip was at the end, collected before the bank's second card where nobody sees whose card is
/// whose; between the delivery and that, these cards come.
fn outcome_of_one_chip(cards: &[&str]) -> String {
    let header = r#"{"ev":"table","v":2,"table":"T","regulation":"talla","boxes":7,"limits":{"min":1000,"max":9000}"#;
    let header = format!(r#"{header},"observes":["bets","asks"],"settings":{{"chip":1000}}}}"#);
    let bet = r#"{"ev":"bet","box":"1","amount":1000,"player":"P1"}"#;
    let drawn = ["8D", "9S", "6D"].iter().chain(cards).map(|card| format!(r#"{{"ev":"draw","card":"{card}"}}"#));
    let lines = [header, bet.to_owned()].into_iter().chain(drawn);
    let lines = lines.chain([r#"{"ev":"collect","box":"1","amount":1000}"#.to_owned(), r#"{"ev":"end"}"#.to_owned()]);
    let (mut replay, mut answers) = (Replay::new(Lang::En, None), Vec::new());
    lines.for_each(|line| replay.feed(line.as_bytes(), &mut answers).unwrap());
    serde_json::to_value(&answers).unwrap()[0]["outcome"].to_string()
}

#[test]
fn one_chip_tells_that_a_hand_was_given_up_only_while_it_cannot_have_gone_over() {
    assert_eq!(outcome_of_one_chip(&[]), r#""surrender""#);
    assert_eq!(outcome_of_one_chip(&["TH"]), r#""unknown""#);
}

#[test]
fn a_header_that_names_no_regulation_is_refused_with_what_there_is() {
    let why = |changed: &str| {
        let text =
            r#"{"ev":"table","v":1,"table":"T","regulation":"sala-8","boxes":3,"limits":{"min":100,"max":100000}}"#;
        let (from, to) = changed.split_once(" -> ").unwrap();
        let header = line::header(text.replace(from, to).as_bytes()).unwrap();
        Validator::new(header).unwrap_err().to_string()
    };
    let known = "field `regulation`: no regulation `sala-9`; known are sala-8, talla, club, croupier-6";
    assert_eq!(why("sala-8 -> sala-9"), known);
    let span = "field `settings`: `bank_stands`: 30 is out of range; write a whole number from 12 to 21";
    assert_eq!(why(r#""boxes" -> "settings":{"bank_stands":30},"boxes""#), span);
    let none = "field `settings`: `max_to_min`: [0, 0] is out of range; write two whole numbers such as [4, 50]";
    assert_eq!(why(r#""boxes" -> "settings":{"max_to_min":[0,0]},"boxes""#), none);
}
