//! The validator and the auditor on random events, whether they make sense or not.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sabot_law::table::{Event, Header, line};

use crate::logs::{log, number};
use crate::otherwise::held;

#[path = "../../law/tests/nonsense.rs"]
mod nonsense;

fn header(house: &str) -> Header {
    let text = format!(
        r#"{{"ev":"table","v":1,"table":"T","regulation":"{house}","boxes":3,"limits":{{"min":100,"max":10000}}}}"#
    );
    line::header(text.as_bytes()).unwrap()
}

/// So many logs of up to thirty events.
fn logs(house: &str) -> Vec<(String, String)> {
    let mut runner = TestRunner::deterministic();
    let events = proptest::collection::vec(nonsense::event(), 1..30);
    let mut one = |nth| {
        let events: Vec<Event> = events.new_tree(&mut runner).unwrap().current();
        (format!("log {nth}"), log(&header(house), &events))
    };
    (1..=number("SABOT_READ", 1000)).map(&mut one).collect()
}

#[test]
fn nonsense_is_answered_alike_but_for_logs_that_are_counted() {
    held("nonsense", [("sala-8", 232), ("talla", 212), ("club", 226), ("croupier-6", 102)], logs);
}
