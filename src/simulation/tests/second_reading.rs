//! The validator and the auditor, which share no code, on dealt logs: the same answers to passes by the book, and to
//! passes that deviate in one way, but for a number of logs that may only fall.

use sabot_handbook::scenario::write;
use sabot_simulation::deviations::Deviation;
use sabot_simulation::readings::{Deal, compare, shortest};
use sabot_simulation::workload::House;
use serde_json::Value;

use crate::logs::{number, validator};

fn auditor(log: &str) -> Result<Vec<Value>, String> {
    sabot_auditor::audit(log).map_err(|why| why.to_string())
}

/// The houses that the auditor knows, and how many of the logs of seeds 1 to 400 with one deviation it reads otherwise.
const READ_OTHERWISE: [(&str, usize); 4] = [("sala-8", 20), ("talla", 10), ("club", 43), ("croupier-6", 16)];

#[test]
fn both_readings_answer_passes_by_the_book_alike() {
    for (house, _) in READ_OTHERWISE {
        let deal = Deal { passes: 4, ..Deal::of(House::named(house).unwrap()) };
        for seed in 1..=number("SABOT_READ", 30) {
            let (log, _) = deal.log(seed).unwrap();
            let differences = compare(&log, validator, auditor).unwrap();
            let shown = || write::scenario("shortest", &shortest(&log, validator, auditor)).unwrap();
            assert!(differences.is_empty(), "{house}, seed {seed}\n{}{}", differences[0], shown());
        }
    }
}

#[test]
fn both_readings_answer_passes_that_deviate_alike_but_for_those_that_are_counted() {
    for (house, otherwise) in READ_OTHERWISE {
        let ways = Deviation::ALL.to_vec();
        let deal = Deal { most: 1, ways, ..Deal::of(House::named(house).unwrap()) };
        let differs = |seed: &u64| !compare(&deal.log(*seed).unwrap().0, validator, auditor).unwrap().is_empty();
        let differing: Vec<u64> = (1..=400).filter(differs).collect();
        let again = format!("sabot score --passes 400 --regulation {house} --deviations 1");
        assert!(differing.len() <= otherwise, "{house}: {}; see `{again}`: seeds {differing:?}", differing.len());
    }
}
