//! From the felt to signals that were bought: a finding lights the tower and reads right on the pole displays.

use std::path::Path;
use std::time::{Duration, Instant};

use sabot_drivers::signal::pole::Protocol;
use sabot_hil_tests::{Bench, Setup, Spot, place};
use sabot_simulation::levers::LineLever;
use sabot_simulation::twin::signal::{Lever, PoleTwin, TowerTwin};
use sabot_stall_guard::PATIENCE;
use sabot_station::snapshot::{DeviceState, FindingState};
use sabot_wire::message::{Authority, KeypadSaid, Observation, Permit};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};

/// A simulated signal: its levers, and what somebody before it sees.
struct Seen {
    pull: mpsc::Sender<Lever>,
    shown: watch::Receiver<String>,
}

impl Seen {
    fn tower(runtime: &Runtime) -> (Self, String) {
        let twin = runtime.block_on(TowerTwin::listen(([127, 0, 0, 1], 0).into(), false)).unwrap();
        let config = format!("\n[[signal]]\ndriver = \"patlite-pns\"\naddress = \"{}\"\n", twin.address());
        let (pull, levers) = mpsc::channel(4);
        let (tell, shown) = watch::channel(String::new());
        runtime.spawn(twin.run(levers, tell));
        (Self { pull, shown }, config)
    }

    fn pole(runtime: &Runtime, protocol: Protocol, folder: &Path) -> (Self, String) {
        let link = folder.join(protocol.name());
        let twin = PoleTwin::open(protocol, &link).unwrap();
        let config = format!("\n[[signal]]\ndriver = \"{}\"\nport = {link:?}\n", protocol.name());
        let (pull, levers) = mpsc::channel(4);
        let (tell, shown) = watch::channel(String::new());
        runtime.spawn(twin.run(levers, tell));
        (Self { pull, shown }, config)
    }

    fn shows(&self, wanted: &str) {
        let until = Instant::now() + PATIENCE;
        while *self.shown.borrow() != wanted {
            assert!(Instant::now() < until, "`{wanted}` is not shown but: {}", *self.shown.borrow());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Reads what is shown in turn until it holds `wanted`, as somebody who stands before it does.
    fn reads(&self, wanted: &str) {
        let until = Instant::now() + PATIENCE;
        let (mut last, mut read) = (String::new(), String::new());
        while !read.contains(wanted) {
            assert!(Instant::now() < until, "`{wanted}` was not to be read, but: {read}");
            let now = self.shown.borrow().clone();
            if now != last {
                let rows = now.lines().map(|row| row.trim_matches('|').trim_end());
                read.push_str(&rows.filter(|row| !row.is_empty()).map(|row| format!("{row} ")).collect::<String>());
                last = now;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The bench with a tower and both kinds of displays, in the middle of a delivery.
fn bench(runtime: &Runtime, folder: &Path) -> (Bench, Seen, [Seen; 2]) {
    let (tower, mut signals) = Seen::tower(runtime);
    let poles = [Protocol::EscPos, Protocol::Cd5220].map(|protocol| {
        let (pole, config) = Seen::pole(runtime, protocol, folder);
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
