use super::*;
use crate::workload::{HOUSES, Settings};
use sabot_law::validator::Validator;

/// Tells a table's log to a validator; every line as it is written, and what was done.
fn told(seed: u64, house: usize, lines: u64) -> (Vec<String>, Vec<Done>) {
    let mut table = Deviating::new(Options::of(Settings { seed, ..Settings::of(HOUSES[house]) }));
    let mut validator = Validator::new(table.header().clone()).unwrap();
    let (mut log, mut done, mut answers) = (Vec::new(), Vec::new(), Vec::new());
    while (log.len() as u64) < lines {
        let begins = table.is_between_passes();
        let (line, event) = table.next_event();
        if begins {
            done.extend_from_slice(table.done());
        }
        assert_eq!(line, log.len() as u64 + 2);
        log.push(serde_json::to_string(&event).unwrap());
        answers.clear();
        validator.step(line, &event, &mut answers);
        table.answered(&answers);
    }
    (log, done)
}

#[test]
fn every_deviation_is_done_and_every_line_can_be_read() {
    for house in 0..HOUSES.len() {
        let mut all = std::collections::BTreeSet::new();
        for seed in 0..12 {
            let (log, done) = told(seed, house, 4000);
            all.extend(done.iter().map(|done| done.deviation));
            for line in log {
                let read = sabot_law::table::line::event(line.as_bytes()).unwrap();
                assert_eq!(serde_json::to_string(&read).unwrap(), line);
            }
        }
        assert_eq!(all.len(), Deviation::ALL.len(), "{all:?}");
    }
}

#[test]
fn one_seed_deviates_in_one_way_and_another_in_another() {
    assert_eq!(told(7, 0, 2000), told(7, 0, 2000));
    assert_ne!(told(7, 0, 2000), told(8, 0, 2000));
}
