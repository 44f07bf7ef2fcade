//! Legal passes told with a sensor fault: the pass after it is answered as if there had been none, and two corrections
//! put the faulty one right.

use sabot_simulation::dealer::{HOUSES, Settings, SimulatedDealer};
use sabot_simulation::faults::{Case, Kind, Trial, Unhealed};

const SEED: u64 = 1;

/// How a house's cases went wrong, each with the command that shows it.
fn wrong(cases: u64, kinds: &[Kind], wrong: impl Fn(&Case) -> Option<String>) -> Vec<String> {
    let mut all = Vec::new();
    for house in HOUSES {
        for kind in kinds {
            let dealer = SimulatedDealer::new(Settings { seed: SEED, ..Settings::of(house) });
            let mut trial = Trial::new(dealer, SEED, Some(*kind)).unwrap();
            trial.apart = true;
            for _ in 0..cases {
                let case = trial.next_case();
                if let Some(why) = wrong(&case) {
                    let (id, pass) = (house.id, case.pass);
                    let show =
                        format!("sabot faults --regulation {id} --seed {SEED} --apart --only '{kind}' --pass {pass}");
                    all.push(format!("{why} ({:?}): {show} --log - | sabot replay -", case.hit));
                }
            }
        }
    }
    all
}
