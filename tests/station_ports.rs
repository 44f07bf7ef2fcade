//! The station on real ports: pseudo-terminals, the drivers, a record on disk.

mod ports;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ports::Port;
use sabot::station::config::Config;
use sabot::station::view::{DeviceState, Snapshot};
use sabot::station::{self, StationError};
use sabot_wire::message::{
    self as wire, Authority, CardCode, ChipsSaw, KeypadSaid, Lamp, Observation, Permit, Role, ShoeSaw, Show,
    ShufflerSaw,
};
use tokio::sync::watch;

/// A station under way, in a runtime of its own.
struct Running {
    shutdown: watch::Sender<bool>,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    thread: std::thread::JoinHandle<Result<(), StationError>>,
}

impl Running {
    fn start(folder: &Path, observes: &str) -> Self {
        let devices: String =
            Role::ALL.iter().map(|role| format!("[[device]]\nrole = \"{role}\"\nport = \"{role}\"\n")).collect();
        let text = format!(
            "table = \"BJ-07\"\nregulation = \"sala-8\"\nlimits = {{ min = 1000, max = 100000 }}\n\
             journal = \"t.jsonl\"\nobserves = {observes}\n{devices}"
        );
        let config = Config::parse(&folder.join("station.toml"), &text).unwrap();
        let (shutdown, stop) = watch::channel(false);
        let (told, snapshots) = watch::channel(Arc::default());
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(station::run(config, stop, told))
        });
        Self { shutdown, snapshots, thread }
    }

    fn until(&mut self, mut reached: impl FnMut(&Snapshot) -> bool) -> Arc<Snapshot> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let reached = self.snapshots.wait_for(|snapshot| reached(snapshot));
            tokio::time::timeout(Duration::from_secs(10), reached).await.expect("in time").unwrap().clone()
        })
    }

    fn all_online(&mut self) {
        self.until(|snapshot| {
            snapshot.devices.len() == 5 && snapshot.devices.iter().all(|device| device.state == DeviceState::Online)
        });
    }

    fn stop(self) {
        self.shutdown.send_replace(true);
        self.thread.join().unwrap().unwrap();
    }
}

struct Devices(HashMap<Role, Port>);

impl Devices {
    fn plug(folder: &Path) -> Self {
        Self(Role::ALL.into_iter().map(|role| (role, Port::plug(folder, role))).collect())
    }

    fn saw(&self, role: Role, saw: Observation) {
        self.0[&role].saw(saw);
    }

    /// One after the other: what comes next happens after the station has taken this.
    fn then(&self, role: Role, saw: Observation) {
        self.saw(role, saw);
        self.0[&role].idle();
    }

    fn said(&self, said: KeypadSaid) {
        self.then(Role::Keypad, Observation::Keypad(said));
    }

    fn drawn(&self, card: &str) {
        let card: sabot::table::Card = card.parse().unwrap();
        let code = CardCode(u8::try_from(card.index().unwrap()).unwrap());
        self.saw(Role::Shoe, Observation::Shoe(ShoeSaw::Drawn(code)));
    }

    fn arrives(&self, box_no: u8) {
        let place = if box_no == 0 { wire::Place::Bank } else { wire::Place::Hand { box_no, hand: 0 } };
        self.saw(Role::Chips, Observation::Chips(ChipsSaw::CardArrived { place, face: Some(wire::Face::Up) }));
    }

    fn dealt(&self, card: &str, box_no: u8) {
        self.drawn(card);
        self.arrives(box_no);
        self.0[&Role::Shoe].idle();
        self.0[&Role::Chips].idle();
    }

    fn open_and_bet(&self) {
        for seat in 1..=3 {
            self.said(KeypadSaid::Seat { seat, player: seat.into() });
        }
        self.said(KeypadSaid::Authorize { badge: 4, role: Authority::Inspector, what: Permit::Shuffle });
        self.then(Role::Shuffler, Observation::Shuffler(ShufflerSaw::Done { decks: 8, cards: 416 }));
        self.said(KeypadSaid::Cut { depth: 150, player: 1 });
        self.then(Role::Shoe, Observation::Shoe(ShoeSaw::Loaded { cards: 416, cut_card: 52 }));
        for box_no in 1..=3 {
            let chips = std::iter::once(wire::Chip { uid: box_no.into(), value: 5000 }).collect();
            let spot = ChipsSaw::Spot { box_no, hand: 0, spot: wire::BetSpot::Main, chips };
            self.then(Role::Chips, Observation::Chips(spot));
        }
        self.said(KeypadSaid::CloseBets);
    }

    /// Waits until the display has shown a text in a row.
    fn shown(&self, row: u8, begins: &str) {
        self.0[&Role::Display].until(|outside| {
            let shown =
                |show: &Show| matches!(show, Show::Line { row: at, text } if *at == row && text.starts_with(begins));
            outside.shows.iter().any(|(_, show)| shown(show)).then_some(())
        });
    }
}

const ALL: &str = "[\"places\", \"faces\", \"asks\", \"decisions\", \"announcements\"]";

/// The events of each device that the record tells, in its order.
fn told(folder: &Path) -> HashMap<String, Vec<u64>> {
    let mut told: HashMap<String, Vec<u64>> = HashMap::new();
    for line in std::fs::read_to_string(folder.join("t.jsonl")).unwrap().lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        for origin in [&line["origin"], &line["paired"]] {
            if let (Some(serial), Some(seq)) = (origin[0].as_str(), origin[2].as_u64()) {
                told.entry(serial.to_owned()).or_default().push(seq);
            }
        }
    }
    told
}

#[test]
fn a_bank_card_dealt_uncovered_is_on_the_pit_display_and_in_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let devices = Devices::plug(folder.path());
    let mut station = Running::start(folder.path(), ALL);
    station.all_online();
    devices.open_and_bet();
    for (card, box_no) in [("8H", 1), ("5C", 2), ("TD", 3), ("9S", 0), ("TC", 1), ("7D", 2), ("QH", 3)] {
        devices.dealt(card, box_no);
    }
    assert!(station.snapshots.borrow().findings.is_empty());
    devices.dealt("8D", 0);
    devices.shown(2, "C7 BANCA");
    devices.shown(6, "quemar 1 carta de la banca");
    devices.0[&Role::Display]
        .until(|outside| outside.shows.iter().any(|(_, show)| *show == Show::Lamp(Lamp::Red)).then_some(()));
    station.stop();
    let record = std::fs::read_to_string(folder.path().join("t.jsonl")).unwrap();
    assert!(record.contains(r#"{"ev":"draw","card":"8D","to":"bank","face":"up","#));
}

#[test]
fn a_station_stopped_in_the_middle_of_a_pass_loses_nothing_and_doubles_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let devices = Devices::plug(folder.path());
    let mut station = Running::start(folder.path(), ALL);
    station.all_online();
    devices.open_and_bet();
    devices.dealt("8H", 1);
    // stopped at once: what is under way may or may not be in the record, and is acknowledged only if it is
    devices.drawn("5C");
    devices.arrives(2);
    station.stop();
    devices.drawn("TD");
    devices.arrives(3);
    devices.drawn("9S");
    devices.arrives(0);
    let mut station = Running::start(folder.path(), ALL);
    station.all_online();
    for port in devices.0.values() {
        port.idle();
    }
    let snapshot = station.until(|snapshot| snapshot.felt.drawn == 4);
    assert!(snapshot.findings.is_empty(), "{:?}", snapshot.findings);
    devices.dealt("TC", 1);
    station.stop();
    let told = told(folder.path());
    for (serial, events) in [("shoe-1", 6), ("chips-1", 8), ("keypad-1", 6), ("shuffler-1", 1)] {
        assert_eq!(told[serial], (1..=events).collect::<Vec<u64>>(), "{serial}");
    }
    assert!(!std::fs::read_to_string(folder.path().join("t.jsonl")).unwrap().contains("missed"));
}
