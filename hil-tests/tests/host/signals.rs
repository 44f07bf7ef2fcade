//! From the felt to signals that were bought: a finding lights the tower and reads right on the pole displays.

use std::path::Path;
use std::time::{Duration, Instant};

use sabot_drivers::signal::pole::Protocol;
use sabot_hil_tests::seen_signal::SeenSignal;
use sabot_hil_tests::{Bench, Setup, Spot, place};
use sabot_simulation::levers::LineLever;
use sabot_simulation::twin::signal::Lever;
use sabot_stall_guard::PATIENCE;
use sabot_station::snapshot::{DeviceState, FindingState};
use sabot_wire::message::{Authority, KeypadSaid, Observation, Permit};
use tokio::runtime::Runtime;

/// The bench with a tower and both kinds of displays, in the middle of a delivery.
fn bench(runtime: &Runtime, folder: &Path) -> (Bench, SeenSignal, [SeenSignal; 2]) {
    let (tower, mut signals) = SeenSignal::tower(runtime);
    let poles = [Protocol::EscPos, Protocol::Cd5220].map(|protocol| {
        let (pole, config) = SeenSignal::pole(runtime, protocol, folder);
        signals.push_str(&config);
        pole
    });
    let rig = Bench::with(&Setup { lang: "es", signals, ..Setup::default() });
    rig.up_to_the_delivery();
    rig.deliver(0..7);
    (rig, tower, poles)
}

#[test]
fn a_finding_lights_the_tower_until_it_is_remedied_and_reads_right_on_displays() {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (rig, tower, poles) = bench(&runtime, folder.path());
    tower.shows("green");
    rig.deal("8D").to(Spot::Bank);
    let found = rig.expect_finding("C7", place("bank"));
    tower.shows("red, buzzer");
    assert!(found.es.contains(|c| "áéíóúñ¿¡".contains(c)), "Spanish that proves nothing: {}", found.es);
    for pole in &poles {
        pole.reads(&found.es);
    }
    let (badge, role, what) = (4, Authority::Inspector, Permit::NextCardsForBank);
    rig.saw(Observation::Keypad(KeypadSaid::Authorize { badge, role, what }));
    tower.shows("red");
    rig.burn(Spot::Bank, 1);
    rig.deal("2C").down().to(Spot::Bank);
    rig.expect_state("C7", FindingState::Cleared);
    tower.shows("green");
}

#[test]
fn signals_that_are_away_hold_nothing_up_are_seen_by_the_pit_and_show_what_is_so_when_they_are_back() {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (rig, tower, poles) = bench(&runtime, folder.path());
    let state = |role: &str, wanted: DeviceState| {
        let until = Instant::now() + PATIENCE;
        let is = || rig.snapshot().devices.iter().any(|device| device.role == role && device.state == wanted);
        while !is() {
            assert!(Instant::now() < until, "{role} is not {wanted:?}: {:?}", rig.snapshot().devices);
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    for role in ["patlite-pns", "escpos", "cd5220"] {
        state(role, DeviceState::Online);
    }
    for twin in poles.iter().chain([&tower]) {
        twin.pull.blocking_send(Lever::Line(LineLever::Unplug)).unwrap();
    }
    for role in ["patlite-pns", "escpos", "cd5220"] {
        state(role, DeviceState::Absent);
    }
    rig.deal("8D").to(Spot::Bank);
    let found = rig.expect_finding("C7", place("bank"));
    for twin in poles.iter().chain([&tower]) {
        twin.pull.blocking_send(Lever::Line(LineLever::Plug)).unwrap();
    }
    tower.shows("red, buzzer");
    poles[0].reads(&found.es);
    rig.expect_every_event_once_and_in_order();
}
