//! The validator and the auditor, which share no code, on dealt logs: the same answers to passes by the book, and to
//! passes that deviate in one way, but for a number of logs that may only fall.

use sabot_handbook::scenario::write;
use sabot_law::table::LineNo;
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Options};
use sabot_simulation::readings::{Difference, Unread, compare_before, shortest};
use sabot_simulation::workload::{House, Settings};
use serde_json::{Value, json};

use crate::logs::{log, number, validator};

pub(crate) fn auditor(log: &str) -> Result<Vec<Value>, String> {
    sabot_auditor::audit(log).map_err(|why| why.to_string())
}

/// Of the logs of seeds 1 to 400 with one deviation: how many the auditor reads otherwise.
struct Otherwise {
    house: &'static str,
    /// Where nothing is done about findings.
    left: usize,
    /// Where they are seen to, more often than not.
    seen_to: usize,
}

const READ_OTHERWISE: [Otherwise; 4] = [
    Otherwise { house: "sala-8", left: 12, seen_to: 17 },
    Otherwise { house: "talla", left: 11, seen_to: 22 },
    Otherwise { house: "club", left: 35, seen_to: 56 },
    Otherwise { house: "croupier-6", left: 16, seen_to: 33 },
];

/// The log of a table of three to seven boxes.
fn dealt(house: &str, seed: u64, passes: usize, rate: f64, carried_out: f64) -> String {
    let settings = Settings { seed, boxes: 3 + (seed % 5) as u8, ..Settings::of(House::named(house).unwrap()) };
    let options = Options { rate, most: 1, blind: 0.0, carried_out, ..Options::of(settings) };
    let mut table = Deviating::new(options);
    let mut judge = Validator::new(table.header().clone()).unwrap();
    let (mut events, mut pass) = (Vec::new(), Vec::new());
    for _ in 0..passes {
        table.next_pass(&mut pass, |line, event, answers| judge.step(line, event, answers));
        events.append(&mut pass);
    }
    log(table.header(), &events)
}

/// Where the readings differ, as far as the auditor reads.
pub(crate) fn differences(log: &str) -> Result<Vec<Difference>, Unread> {
    let unread = sabot_auditor::unread(log).map_err(|why| Unread::Auditor(why.to_string()))?;
    let end = unread.map_or(LineNo::MAX, |unread| unread.line as LineNo);
    Ok(compare_before(end, log, validator, auditor)?.differences)
}

#[test]
fn both_readings_answer_passes_by_the_book_alike() {
    for Otherwise { house, .. } in READ_OTHERWISE {
        for seed in 1..=number("SABOT_READ", 30) {
            let log = dealt(house, seed, 4, 0.0, 0.0);
            let differences = differences(&log).unwrap();
            let shown = || write::scenario("shortest", &shortest(&log, validator, auditor)).unwrap();
            assert!(differences.is_empty(), "{house}, seed {seed}\n{}{}", differences[0], shown());
        }
    }
}

#[test]
fn both_readings_answer_passes_that_deviate_alike_but_for_those_that_are_counted() {
    for Otherwise { house, left, seen_to } in READ_OTHERWISE {
        for (carried_out, otherwise) in [(0.0, left), (0.7, seen_to)] {
            let differs = |seed: &u64| !differences(&dealt(house, *seed, 1, 1.0, carried_out)).unwrap().is_empty();
            let seeds: Vec<u64> = (1..=400).filter(differs).collect();
            let many = seeds.len();
            println!("{house}, {carried_out} seen to: {many}");
            assert!(many <= otherwise, "{house}, {carried_out} of the findings seen to: {many} logs, seeds {seeds:?}");
        }
    }
}

#[test]
fn what_the_auditor_does_not_read_yet_is_not_compared() {
    let log = dealt("sala-8", 1, 1, 0.0, 0.0);
    assert_eq!(sabot_auditor::unread(&log), Ok(None));
    let blind = log.clone() + "{\"ev\":\"device\",\"device\":\"shoe\",\"status\":\"offline\"}\n";
    let unread = sabot_auditor::unread(&blind).unwrap().unwrap();
    assert_eq!((unread.line, unread.field.as_str()), (log.lines().count() + 1, "status"));
    let with = |field: &str, value: Value| {
        let (header, events) = log.split_once('\n').unwrap();
        let mut header: Value = serde_json::from_str(header).unwrap();
        header[field] = value;
        format!("{header}\n{events}")
    };
    let rules = json!({"title": {"es": "x", "en": "x"}, "base": "sala-8", "with": ["talla/T-S1"]});
    for (field, value) in [("observes", json!(["places"])), ("rules", rules)] {
        assert_eq!(sabot_auditor::unread(&with(field, value)).unwrap().unwrap().field, field);
    }
    assert!(sabot_auditor::unread(&log.replacen("sala-8", "bingo", 1)).is_err());
}
