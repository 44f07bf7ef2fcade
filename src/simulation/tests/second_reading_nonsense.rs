//! The validator and the auditor on random events, whether they make sense or not.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sabot_law::table::{Event, Header, line};

use crate::logs::{log, number};
use crate::second_reading::differences;

#[path = "../../law/tests/nonsense.rs"]
mod nonsense;

/// Of how many logs of a house's thousand the answers may differ.
const READ_OTHERWISE: [(&str, usize); 4] = [("sala-8", 441), ("talla", 426), ("club", 438), ("croupier-6", 315)];

fn header(house: &str) -> Header {
    let text = format!(
        r#"{{"ev":"table","v":1,"table":"T","regulation":"{house}","boxes":3,"limits":{{"min":100,"max":10000}}}}"#
    );
    line::header(text.as_bytes()).unwrap()
}

#[test]
fn nonsense_is_answered_alike_but_for_logs_that_are_counted() {
    let mut more = Vec::new();
    for (house, most) in READ_OTHERWISE {
        let mut runner = TestRunner::deterministic();
        let events = proptest::collection::vec(nonsense::event(), 1..30);
        let mut otherwise = Vec::new();
        for _ in 0..number("SABOT_READ", 1000) {
            let events: Vec<Event> = events.new_tree(&mut runner).unwrap().current();
            let differences = differences(&log(&header(house), &events)).unwrap();
            otherwise.extend(differences.first().map(ToString::to_string));
        }
        println!("{house}: {}", otherwise.len());
        more.extend((otherwise.len() > most).then(|| otherwise.concat()));
    }
    assert!(more.is_empty(), "{}", more.join("\n"));
}
