//! Legal passes told with a sensor fault: the pass after it is answered as if there had been none, and two corrections
//! put the faulty one right.

use sabot_law::table::event;
use sabot_law::validator::Validator;
use sabot_simulation::faults::{Case, Kind, Trial, Unhealed};
use sabot_simulation::workload::{Dealer, HOUSES, Settings};

const SEED: u64 = 1;

/// How a house's cases went wrong, each with the command that shows it.
fn wrong(cases: u64, kinds: &[Kind], wrong: impl Fn(&Case) -> Option<String>) -> Vec<String> {
    let mut all = Vec::new();
    for house in HOUSES {
        for kind in kinds {
            let dealer = Dealer::new(Settings { seed: SEED, ..Settings::of(house) });
            let validator = Validator::new(dealer.header().clone()).unwrap();
            let mut trial = Trial::new(dealer, validator, Validator::step, SEED, Some(*kind));
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

/// Faults of which everything that was not told is known to somebody.
const TOLD_WRONG: &[Kind] =
    &[Kind::Missed, Kind::Doubled, Kind::Rank, Kind::Suit, Kind::Unread, Kind::Place, Kind::Amount, Kind::LateKey];

/// A device misses whatever it would have told.
const AWAY: &[Kind] = &[Kind::ShoeAway, Kind::ChipsAway, Kind::KeypadAway];

/// Where the count of the decks, the bank's holder, its money and the cut are held from pass to pass: who was told
/// wrongly of them is told so.
const HELD_ON: &[&str] = &["M1", "K1", "T0", "T-T1", "G1", "A4", "A7", "G17", "G21"];

#[test]
fn a_pass_told_with_a_fault_is_put_right_by_two_corrections() {
    let wrong = wrong(150, TOLD_WRONG, |case| case.healed.as_ref().err().map(ToString::to_string));
    assert!(wrong.is_empty(), "{} not put right:\n{}", wrong.len(), wrong.join("\n"));
}

/// A device was away and has told everything since, in its own order.
const TOLD_LATE: &[Kind] = &[Kind::ShoeTold, Kind::ChipsTold, Kind::KeypadTold];

#[test]
fn what_a_device_told_late_needs_no_correction() {
    let wrong = wrong(60, TOLD_LATE, |case| case.healed.as_ref().err().map(ToString::to_string));
    assert!(wrong.is_empty(), "{} not as it was:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn nobody_is_accused_of_the_order_in_which_a_device_told_late() {
    let accused = wrong(60, TOLD_LATE, |case| (!case.accused.is_empty()).then(|| format!("{:?}", case.accused)));
    assert!(accused.is_empty(), "{} of 720 accused:\n{}", accused.len(), accused.join("\n"));
}

#[test]
fn nobody_is_accused_of_what_a_device_did_not_see() {
    let accused = wrong(100, AWAY, |case| (!case.accused.is_empty()).then(|| format!("{:?}", case.accused)));
    assert!(accused.is_empty(), "{} accused:\n{}", accused.len(), accused.join("\n"));
}

#[test]
fn one_event_that_a_device_missed_is_put_right_by_a_correction_and_the_room() {
    let wrong = wrong(60, AWAY, |case| {
        // where it was more, telling all of it puts it right
        case.healed.as_ref().err().filter(|why| !matches!(why, Unhealed::TooMuch { .. })).map(ToString::to_string)
    });
    assert!(wrong.is_empty(), "{} not put right:\n{}", wrong.len(), wrong.join("\n"));
}

/// But for a pass whose end was not told, and which is not over, and what went on unseen: a cut card that nobody told
/// makes the next shuffle one too early.
#[test]
fn the_pass_after_a_fault_is_answered_as_if_there_had_been_none() {
    let kinds: Vec<Kind> = [TOLD_WRONG, AWAY, TOLD_LATE].concat();
    let wrong = wrong(60, &kinds, |case| {
        let lasts = matches!(case.hit, event::Kind::End | event::Kind::CutCard);
        let touched: Vec<_> = case.touched.iter().filter(|what| !HELD_ON.contains(what)).collect();
        (!lasts && !touched.is_empty()).then(|| format!("{touched:?}"))
    });
    assert!(wrong.is_empty(), "{} touched:\n{}", wrong.len(), wrong.join("\n"));
}
