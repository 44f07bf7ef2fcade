//! The validator and the auditor, which share no code, on passes of `sala-8` by the book: the same accounts, nothing
//! found. `SABOT_READ=N` deals N logs, `SABOT_SEED` begins elsewhere. Of seeds 1 to 60 they differ at 43: the auditor
//! does not know yet that a second ace may be insured once the bettor has opened (reading 13).

use sabot_handbook::scenario::write;
use sabot_simulation::readings::{compare, shortest};
use sabot_simulation::workload::{Dealer, HOUSES, Settings};
use serde_json::Value;

use crate::logs::{log, number, validator};

fn auditor(log: &str) -> Result<Vec<Value>, String> {
    sabot_auditor::audit(log).map_err(|why| why.to_string())
}

#[test]
fn both_readings_settle_every_bet_of_a_pass_by_the_book_alike() {
    let house = HOUSES.iter().find(|house| house.id == "sala-8").unwrap();
    let seed = number("SABOT_SEED", 1);
    for seed in seed..seed + number("SABOT_READ", 30) {
        let boxes = 3 + u8::try_from(seed % 5).unwrap();
        let mut dealer = Dealer::new(Settings { seed, boxes, ..Settings::of(house) });
        let (mut events, mut pass) = (Vec::new(), Vec::new());
        for _ in 0..4 {
            dealer.next_pass(&mut pass);
            events.append(&mut pass);
        }
        let log = log(dealer.header(), &events);
        let differences = compare(&log, validator, auditor).unwrap();
        let shown = || write::scenario("shortest", &shortest(&log, validator, auditor)).unwrap();
        assert!(differences.is_empty(), "SABOT_SEED={seed} SABOT_READ=1\n{}{}", differences[0], shown());
    }
}
