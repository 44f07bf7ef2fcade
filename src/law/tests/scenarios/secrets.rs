//! What lies covered cannot be told from answers, nor from what is due, until it is turned up.

use std::fmt::Write as _;

use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;

use super::steps;

const RANKS: &str = "A23456789TJQK";

/// What every line of a scenario is answered, and what is due after it.
fn told(lines: &str) -> Vec<String> {
    let mut replay = Replay::new(Lang::En, None);
    let mut told = Vec::new();
    for step in steps("sala-8", lines) {
        let mut answers = Vec::new();
        replay.feed(step.json.as_bytes(), &mut answers).unwrap();
        let mut text = String::new();
        answers.iter().for_each(|answer| text += &serde_json::to_string(answer).unwrap());
        if let Some(validator) = replay.validator() {
            let felt = validator.felt();
            write!(text, "{:?} {:?}", felt.due, felt.phase).unwrap();
        }
        told.push(text);
    }
    told
}

/// The same is told of a log whatever the covered card `?H` in it is.
fn hides(lines: &str) {
    let mut logs = RANKS.chars().map(|rank| told(&lines.replace('?', &rank.to_string())));
    let first = logs.next().unwrap();
    for (other, rank) in logs.zip(RANKS.chars().skip(1)) {
        for (n, (one, other)) in first.iter().zip(&other).enumerate() {
            assert_eq!(one, other, "line {n} tells {rank} from an ace in\n{lines}");
        }
    }
}

const MONEY: [&str; 9] = [
    "collect 1 50",
    "pay 1 50",
    "pay 1 75",
    "collect 2 50",
    "pay 2 100",
    "collect 3 50",
    "pay 3 75",
    "collect 2 100",
    "pay 3 20",
];

#[test]
fn a_payment_or_collection_tells_nothing_of_the_banks_covered_card() {
    for phase in ["", "stand 1", "stand 1\nhit 3\ndraw 9C 3", "stand 1\nstand 3"] {
        for one in MONEY {
            for other in MONEY {
                hides(&format!("open\nbets 1 2 3\nclose\ndeal 8H AD 7C 9S KH TH 6D ?C\n{phase}\n{one}\n{other}"));
            }
            hides(&format!(
                "open\nbets 1 2 3\nclose\ndeal 8H AD 7C 9S KH TH 6D ?C\n{phase}\n{one}\ndiscard 1\ndiscard 2"
            ));
        }
    }
}

#[test]
fn nor_of_a_doubled_hands_card() {
    let double = "open\nbets 1 2 3\nclose\ndeal 8H 5D 7C 9S KH 6H TD 8C\nstand 1\nask 2 double\ndouble 2\nbet 2 double 50\ndraw ?C 2\nstand 3";
    for seen in ["", "reveal bank"] {
        for one in MONEY {
            for other in MONEY {
                hides(&format!("{double}\n{seen}\n{one}\n{other}"));
            }
        }
    }
}
