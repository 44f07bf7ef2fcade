//! What corrections leave in the summary, and in a long pass.

use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::{Answer, line};
use sabot_law::validator::Validator;

use crate::scenarios::steps;

/// The summary of a log of sala-8, as it is written.
fn summary(lines: &str) -> String {
    let (mut replay, mut answers) = (Replay::new(Lang::En, None), Vec::new());
    for step in steps("sala-8", lines) {
        replay.feed(step.json.as_bytes(), &mut answers).unwrap();
    }
    replay.finish(&mut answers).unwrap();
    let summary = answers.into_iter().find(|answer| matches!(answer, Answer::Summary { .. }));
    serde_json::to_string(&summary.unwrap()).unwrap().replace('"', "")
}

#[test]
fn the_summary_is_that_of_the_facts_as_corrected() {
    let dealt = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC 9D QH 7D\nstand 1";
    let told = "{out:summary,passes:1,draws:";
    assert_eq!(summary(dealt), format!("{told}8,findings:{{}}}}"));
    assert_eq!(summary(&format!("{dealt}\ndraw 4S 2")), format!("{told}9,findings:{{C5:1}}}}"));
    // what is withdrawn is not counted, and what is newly found is
    assert_eq!(summary(&format!("{dealt}\ndraw 4S 2\nhit 2")), format!("{told}9,findings:{{}}}}"));
    assert_eq!(summary(&format!("{dealt}\ndraw 4S 2\nstrike 1")), format!("{told}8,findings:{{}}}}"));
    let struck = summary(&format!("{dealt}\nhit 2\ndraw 4S 2\nstrike 2"));
    assert_eq!(struck, format!("{told}9,findings:{{C5:1}}}}"));
    // a correction without effect is a finding
    assert_eq!(summary(&format!("{dealt}\nstrike 1 as dealer")), format!("{told}8,findings:{{C20:1}}}}"));
}

#[test]
fn passes_of_which_an_absent_device_may_yet_tell_are_kept_while_they_are_not_too_many() {
    let blind = |asked: usize| {
        let pass = "bets 1 2 3\nclose\ndraw 8H 1";
        let asks = "ask 1 card\n".repeat(asked);
        let away = format!("open\ndevice shoe offline\n{pass}\nend\n{pass}\n{asks}end");
        summary(&format!("{away}\n{pass}\ndevice_complete shoe online")).contains("C20")
    };
    assert!(!blind(10), "back and told");
    assert!(blind(1100), "what is too long ago is not told any more");
}

/// Some event of a pass of sala-8 that does not end, by chance.
fn some_event(chance: &mut impl FnMut(usize) -> usize) -> String {
    const RANKS: &[u8] = b"23456789TJQK";
    let box_no = chance(3) + 1;
    let card = format!("{}{}", char::from(RANKS[chance(12)]), ["S", "H", "D", "C"][chance(4)]);
    match chance(200) {
        0..40 => format!(r#"{{"ev":"ask","box":"{box_no}","about":"card"}}"#),
        40..90 => format!(r#"{{"ev":"draw","card":"{card}","to":"{box_no}"}}"#),
        90..130 => format!(r#"{{"ev":"decide","box":"{box_no}","choice":"hit"}}"#),
        130..135 => format!(r#"{{"ev":"decide","box":"{box_no}","choice":"stand"}}"#),
        135..140 => r#"{"ev":"draw","card":"??","to":"7"}"#.to_owned(),
        140 => r#"{"ev":"device","device":"keypad","status":"offline"}"#.to_owned(),
        141 => r#"{"ev":"device","device":"keypad","status":"online","complete":true}"#.to_owned(),
        _ => format!(r#"{{"ev":"announce","what":"total","box":"{box_no}","value":{}}}"#, 12 + chance(9)),
    }
}

/// A table that hears these lines, and what its whole log comes to.
fn table_after(lines: &[String]) -> (Validator, String) {
    let header = r#"{"ev":"table","v":2,"table":"T","regulation":"sala-8","boxes":7,"limits":{"min":1,"max":9000}}"#;
    let mut table = Validator::new(line::header(header.as_bytes()).unwrap()).unwrap();
    let mut answers = Vec::new();
    for (number, text) in (2..).zip(lines) {
        table.step(number, &line::event(text.as_bytes()).unwrap(), &mut answers);
    }
    answers.clear();
    table.clone().finish(&mut answers);
    let felt = serde_json::to_value(table.felt()).unwrap();
    let mut due: Vec<String> = table.duties().iter().map(|duty| format!("{:?} {:?}", duty.place, duty.parts)).collect();
    // what is found anew has a later number, and stands behind
    due.sort();
    let comes_to = format!("{}\n{} {}\n{due:?}", serde_json::to_string(&answers).unwrap(), felt["boxes"], felt["bank"]);
    (table, comes_to)
}

#[test]
fn a_correction_anywhere_in_a_long_pass_comes_to_the_log_that_was_never_wrong() {
    const SEED: u64 = 14;
    const LONG: usize = 400;
    let mut seed = SEED;
    let mut chance = |of: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % of
    };
    let bets = (1..=3).map(|n| format!(r#"{{"ev":"bet","box":"{n}","amount":5000,"player":"P{n}"}}"#));
    let dealt = ["8H 1", "5C 2", "TD 3", "9S bank", "2C 1", "4D 2", "3H 3", "7D bank"].map(|dealt| {
        let (card, to) = dealt.split_once(' ').unwrap();
        format!(r#"{{"ev":"draw","card":"{card}","to":"{to}"}}"#)
    });
    let mut told: Vec<String> = bets.chain(dealt).collect();
    let begun = told.len();
    told.extend((0..LONG).map(|_| some_event(&mut chance)));
    let (mut happened, mut lines) = (told.clone(), (2..).take(told.len()).collect::<Vec<usize>>());
    for n in 0..24 {
        // anywhere, and as often near the end
        let span = if n % 2 == 0 { happened.len() - begun } else { 40 };
        let at = happened.len() - 1 - chance(span);
        let correct = r#"{"ev":"correct","by":"I-1","role":"inspector""#;
        let (line, event) = (lines[at], some_event(&mut chance));
        if happened[at].contains("device") || event.contains("device") {
            continue;
        }
        match chance(3) {
            0 => {
                told.push(format!(r#"{correct},"line":{line}}}"#));
                happened.remove(at);
                lines.remove(at);
            }
            1 => {
                told.push(format!(r#"{correct},"line":{line},"event":{event}}}"#));
                happened[at] = event;
            }
            _ if lines.get(at + 1).is_some_and(|next| *next < 2 + begun + LONG) => {
                told.push(format!(r#"{correct},"after":{line},"event":{event}}}"#));
                happened.insert(at + 1, event);
                lines.insert(at + 1, told.len() + 1);
            }
            _ => {}
        }
        // each costs as much as all that is told so far
        if n % 4 != 3 {
            continue;
        }
        let (right, wrong) = (table_after(&happened).1, table_after(&told).1);
        assert!(
            right == wrong,
            "seed {SEED}, after {n} corrections:\n{}\nis not\n{wrong}\n{right}",
            told.last().unwrap()
        );
    }
}

#[test]
fn of_two_findings_at_one_place_the_one_that_no_longer_holds_is_withdrawn() {
    let withdrawn = |lines: &str| {
        let (mut replay, mut answers) = (Replay::new(Lang::En, None), Vec::new());
        for step in steps("sala-8", lines) {
            replay.feed(step.json.as_bytes(), &mut answers).unwrap();
        }
        let withdrawn = answers.iter().filter_map(|answer| match answer {
            Answer::Withdrawn { finding, .. } => Some(*finding),
            _ => None,
        });
        withdrawn.collect::<Vec<_>>()
    };
    // of two who did not bet, one did
    let silent = "open\nseat 4 P4, 5 P5\nbets 1 2 3\nclose\n";
    assert_eq!(withdrawn(&format!("{silent}insert 2 bet 4 5000 P4")), [1]);
    assert_eq!(withdrawn(&format!("{silent}insert 2 bet 5 5000 P5")), [2]);
    // a double's card came before its chips, as it seemed, and face up, as it did
    let doubled = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC 6C 9H 8S\nstand 1\nask 2 double\ndouble 2\n";
    assert_eq!(withdrawn(&format!("{doubled}draw 9C 2 up\ninsert 2 bet 2 double 5000")), [1]);
}
