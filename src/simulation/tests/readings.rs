//! What a comparison sees, and what is left of a log that differs.

use sabot_simulation::readings::{Found, Unread, compare, compared, shortest};
use serde_json::Value;

use crate::logs::validator;

const LOG: &str = r#"{"ev":"table","v":1,"table":"BJ-07","regulation":"sala-8","boxes":7,"limits":{"min":1000,"max":100000}}
{"ev":"seat","seat":1,"player":"P1"}
{"ev":"seat","seat":2,"player":"P2"}
{"ev":"seat","seat":3,"player":"P3"}
{"ev":"authorize","by":"I-4","role":"inspector","what":"shuffle"}
{"ev":"shuffle","decks":8,"cards":416}
{"ev":"cut","depth":40,"by":"P1"}
{"ev":"load","cards":416,"cut_card":52}
{"ev":"bet","box":"1","amount":5000,"player":"P1"}
{"ev":"bet","box":"2","amount":5000,"player":"P2"}
{"ev":"bet","box":"3","amount":5000,"player":"P3"}
{"ev":"correct","by":"I-4","role":"inspector","line":8,"event":{"ev":"load","cards":416,"cut_card":20}}
{"ev":"close_bets"}
"#;

/// Does not know D6.
fn without_the_cut(log: &str) -> Result<Vec<Value>, String> {
    Ok(validator(log)?.into_iter().filter(|answer| answer["provision"] != "D6").collect())
}

/// Tells the answers of each line in another order.
fn other_order(log: &str) -> Result<Vec<Value>, String> {
    let mut answers = validator(log)?;
    answers.sort_by_key(|answer| (answer["line"].as_u64(), std::cmp::Reverse(answer["n"].as_u64())));
    Ok(answers)
}

/// Numbers findings otherwise, and says nothing else otherwise.
fn other_numbers(log: &str) -> Result<Vec<Value>, String> {
    let mut answers = validator(log)?;
    for answer in &mut answers {
        for name in ["n", "finding"] {
            if let Some(number) = answer[name].as_u64() {
                answer[name] = (number + 10).into();
            }
        }
    }
    Ok(answers)
}

/// Says that a finding of D7 concerns box 2.
fn elsewhere(log: &str) -> Result<Vec<Value>, String> {
    let mut answers = validator(log)?;
    answers.iter_mut().filter(|answer| answer["provision"] == "D7").for_each(|answer| answer["box"] = "2".into());
    Ok(answers)
}

#[test]
fn readings_that_say_the_same_do_not_differ_whatever_the_numbers_of_their_findings() {
    assert!(validator(LOG).unwrap().len() > 2);
    assert_eq!(compare(LOG, validator, validator), Ok(vec![]));
    assert_eq!(compare(LOG, validator, other_numbers), Ok(vec![]));
}

#[test]
fn a_finding_that_only_one_reading_has_is_told_with_its_line_and_shortened_to_its_cause() {
    let differences = compare(LOG, validator, without_the_cut).unwrap();
    assert_eq!(differences.len(), 1);
    assert_eq!((differences[0].line, differences[0].auditor.len()), (7, 0));
    assert!(differences[0].to_string().starts_with("line 7: only the validator: finding D6 # [-]"), "{differences:?}");
    let shortest = shortest(LOG, validator, without_the_cut);
    let kept: Vec<&str> =
        LOG.lines().enumerate().filter(|(line, _)| [0, 6].contains(line)).map(|(_, line)| line).collect();
    assert_eq!(shortest.lines().collect::<Vec<_>>(), kept);
}

#[test]
fn a_finding_at_another_place_is_told_of_both_and_a_correction_still_names_its_line_in_the_shortest_log() {
    let differences = compare(LOG, validator, elsewhere).unwrap();
    assert_eq!(differences[0].kinds(), ["auditor finding D7".into(), "validator finding D7".into()].into());
    let shortest = shortest(LOG, validator, elsewhere);
    let lines: Vec<&str> = shortest.lines().collect();
    assert_eq!(lines.len(), 3, "{shortest}");
    assert!(lines[2].contains(r#""line":2"#), "{shortest}");
}

#[test]
fn findings_are_counted_by_provision() {
    let compared = compared(LOG, validator, elsewhere).unwrap();
    assert_eq!(compared.findings["D6"], Found { both: 1, validator: 0, auditor: 0 });
    assert_eq!(compared.findings["D7"], Found { both: 0, validator: 1, auditor: 1 });
}

#[test]
fn a_log_that_cannot_be_read_says_by_whom_and_where() {
    let why = compare("{\"ev\":\"fly\"}\n", validator, validator).unwrap_err().to_string();
    assert!(why.starts_with("the validator: line 1"), "{why}");
    let deaf = |_: &str| Err("line 2: unheard of".into());
    assert_eq!(compare(LOG, validator, deaf), Err(Unread::Auditor("line 2: unheard of".into())));
}

#[test]
fn answers_of_a_line_in_another_order_are_a_difference() {
    let two =
        LOG.replace(r#""decks":8,"cards":416"#, r#""decks":7,"cards":364"#).replace(r#""authorize""#, r#""cut_card""#);
    let differences = compare(&two, validator, other_order).unwrap();
    assert_eq!(differences.len(), 1, "{two}{differences:?}");
    assert!(differences[0].validator[0].contains(" | "), "{differences:?}");
}
