//! A table of real processes, `sabot twin` five times and `sabot run`, whose processes are killed: nothing is lost,
//! nothing is doubled, and what cannot be kept is said.
//!
//! SABOT_KILLS=30 kills the station thirty times instead of five; SABOT_SEED=7 takes the moments of another run.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Stdio};
use std::time::{Duration, Instant};

use crate::process::{self, Process, sabot};
use sabot_journal::failing_disk::opened;
use sabot_simulation::table_sensors::TableSensors;
use sabot_simulation::twin::role_of;
use sabot_simulation::workload::{Dealer, HOUSES, Settings};
use sabot_stall_guard::PATIENCE;
use sabot_wire::message::{Card, Observation, Role, ShoeSaw};
use serde_json::Value;

fn ends_well(process: &mut Process, what: &str) {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = process.0.try_wait().unwrap() {
            assert!(status.success(), "{what}: {status}");
            return;
        }
        assert!(Instant::now() < until, "{what} does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

struct Twin {
    process: Process,
    stdin: Option<ChildStdin>,
    sent: u32,
}

/// Five twins and what they were told to see.
pub(crate) struct Table {
    folder: tempfile::TempDir,
    twins: BTreeMap<Role, Twin>,
    cards: Vec<u8>,
}

impl Table {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = "table = \"P\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100000000 }\nlisten = \"127.0.0.1:0\"\njournal = \"record\"\ntest_mode = true\n".to_owned();
        for role in Role::ALL {
            config.push_str(&format!("\n[[device]]\nrole = \"{role}\"\nport = \"{role}\"\n"));
        }
        fs::write(folder.path().join("station.toml"), config).unwrap();
        let mut table = Self { folder, twins: BTreeMap::new(), cards: Vec::new() };
        Role::ALL.into_iter().for_each(|role| table.start_twin(role));
        table
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn start_twin(&mut self, role: Role) {
        let port = self.path(role.name());
        let (keys, shown) = (self.path("keys.toml"), fs::File::create(self.path(&format!("{role}.shown"))).unwrap());
        let mut process = sabot(["twin", role.name(), port.to_str().unwrap(), "--keys", keys.to_str().unwrap()])
            .stdin(Stdio::piped())
            .stdout(shown)
            .spawn()
            .unwrap();
        let stdin = process.stdin.take();
        self.twins.insert(role, Twin { process: Process(process), stdin, sent: 0 });
    }

    /// The station, once it says that it serves.
    fn station(&self) -> Process {
        self.station_at().0
    }

    /// The station and its page's address.
    pub(crate) fn station_at(&self) -> (Process, String) {
        process::station(&self.path("station.toml"), "trace")
    }

    pub(crate) fn until(&self, what: &str, is: impl Fn() -> bool) {
        let until = Instant::now() + PATIENCE;
        while !is() {
            assert!(Instant::now() < until, "still not so: {what}; {}", self.log());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// The sensors of the right twin see it.
    pub(crate) fn sees(&mut self, saw: &Observation) {
        if let Observation::Shoe(ShoeSaw::Drawn(card)) = saw {
            self.cards.push(card.code());
        }
        let twin = self.twins.get_mut(&role_of(saw)).unwrap();
        writeln!(twin.stdin.as_mut().unwrap(), "{}", serde_json::to_string(saw).unwrap()).unwrap();
        twin.sent += 1;
    }

    /// The twin of a role is killed.
    pub(crate) fn kills(&mut self, role: Role) {
        self.twins.get_mut(&role).unwrap().process.kill();
    }

    /// Every twin ends by itself once all it saw is acknowledged.
    pub(crate) fn expect_all_acknowledged(&mut self) {
        for (role, twin) in &mut self.twins {
            drop(twin.stdin.take());
            ends_well(&mut twin.process, &format!("the {role} twin, which waits for acknowledgements,"));
        }
    }

    /// The record as it lies on the disk; there is none before a station has begun it.
    pub(crate) fn written(&self) -> String {
        match fs::read_to_string(self.path("record")) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.unwrap(),
        }
    }

    pub(crate) fn record(&self) -> Vec<Value> {
        let verified = sabot(["journal", "verify", self.path("record").to_str().unwrap()]).status().unwrap();
        assert!(verified.success(), "the record's chain is broken");
        let opened = opened(&self.written(), 0, &self.path("record.seal"));
        opened.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

pub(crate) fn stop(mut station: Process) {
    station.signal("-TERM");
    ends_well(&mut station, "the station, told to stop,");
}

/// What the devices' twins see of so many passes, in order.
pub(crate) fn passes(count: u64, seed: u64) -> Vec<Observation> {
    let mut dealer = Dealer::new(Settings { seed, seen_by_devices: true, ..Settings::of(HOUSES[0]) });
    let (mut sensors, mut events, mut seen) = (TableSensors::default(), Vec::new(), Vec::new());
    for _ in 0..count {
        dealer.next_pass(&mut events);
        events.iter().for_each(|event| sensors.see(event, &mut seen));
    }
    seen
}

/// Epoch and number of every observation told by the device, in the order of the lines.
fn told(record: &[Value], serial: &str) -> Vec<(u64, u64)> {
    let origins = record.iter().flat_map(|line| [&line["origin"], &line["paired"]]);
    let of = origins.filter(|origin| origin[0] == serial);
    of.map(|origin| (origin[1].as_u64().unwrap(), origin[2].as_u64().unwrap())).collect()
}

fn is_of_the_ring(line: &Value) -> bool {
    line["status"] == "ring_full" || line["status"] == "ring_free"
}

fn serial(role: Role) -> String {
    format!("TWIN-{}", role.name().to_uppercase())
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_station_killed_at_random_moments_tells_every_observation_once_and_in_order() {
    let given = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let kills = given("SABOT_KILLS").unwrap_or(5);
    let seed = given("SABOT_SEED").unwrap_or_else(|| u64::from(std::process::id()));
    println!("again: SABOT_SEED={seed} SABOT_KILLS={kills} cargo test --test program killed_at_random");
    let mut table = Table::start();
    let mut seen = passes(kills * 4, seed).into_iter();
    let mut lines_at_kill = Vec::new();
    for kill in 0..kills {
        let mut station = table.station();
        // a moment that no two runs share: first about when the record is begun; later, the devices take some 100 ms to
        // come, then the passes run
        let within = if kill == 0 { 8 } else { 450 };
        let until = Instant::now() + Duration::from_millis((seed * 7919 + kill * 104_729) % within);
        while Instant::now() < until {
            match seen.next() {
                Some(saw) => table.sees(&saw),
                None => break,
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        station.kill();
        lines_at_kill.push(table.written().matches('\n').count());
    }
    let station = table.station();
    for saw in seen {
        table.sees(&saw);
    }
    let sent: BTreeMap<Role, u32> = table.twins.iter().map(|(role, twin)| (*role, twin.sent)).collect();
    table.expect_all_acknowledged();
    stop(station);
    println!("lines when it was killed: {lines_at_kill:?}; seen: {sent:?}");
    let record = table.record();
    for (role, sent) in sent {
        let told = told(&record, &serial(role));
        assert!(told.windows(2).all(|two| two[0].0 == two[1].0), "{role}: more than one epoch");
        // a ring that filled while the station was away says so, and that too has its number
        let full = record.iter().filter(|line| line["device"] == role.name() && is_of_the_ring(line)).count() as u64;
        let expected = u64::from(sent) + full;
        assert_eq!(told.len() as u64, expected, "{role}: {full} of its ring; told (left) and seen (right)");
        let wrong = told.iter().zip(1..).find(|((_, number), expected)| number != expected);
        assert_eq!(wrong, None, "{role}: number told, number seen");
    }
    let draws: Vec<&str> =
        record.iter().filter(|line| line["ev"] == "draw").map(|line| line["card"].as_str().unwrap()).collect();
    let cards: Vec<String> = table.cards.iter().map(|&code| card(code)).collect();
    assert_eq!(draws, cards, "the cards of the shoe, in its order");
    for name in ["record", "record.torn"].map(|name| table.path(name)).into_iter().filter(|path| path.exists()) {
        assert_eq!(mode(&name), 0o600, "{}", name.display());
    }
    expect_no_card_in(&table.log());
}

fn card(code: u8) -> String {
    sabot_law::table::Card::from_index(code).unwrap().to_string()
}

/// Any card at all in a log, as `8H` or as a derived `Debug` writes it.
fn expect_no_card_in(log: &str) {
    assert!(log.contains("the record is open"), "nothing was logged");
    for word in log.split(|c: char| !c.is_alphanumeric()) {
        let card = matches!(word.as_bytes(), [rank, suit] if b"A23456789TJQK".contains(rank) && b"SHDC".contains(suit));
        assert!(!card && !["Drawn", "Draw", "Held"].contains(&word), "`{word}` is in the log:\n{log}");
    }
}

/// Between two acts of a dealer who is in no hurry: more than the devices' clocks may be wrong.
const ACT: Duration = Duration::from_millis(200);

#[test]
fn nothing_is_found_in_a_pass_in_which_the_station_was_killed_and_devices_kept_what_they_saw() {
    let mut table = Table::start();
    let mut station = table.station();
    table.until("five devices", || table.log().matches("device is there").count() >= 5);
    let (all, first) = (passes(2, 11), passes(1, 11).len());
    let see = |table: &mut Table, from: usize, to: usize| {
        for saw in &all[from..to] {
            table.sees(saw);
            std::thread::sleep(ACT);
        }
    };
    // the station is killed in the middle of the first pass, and is back before the second has begun
    see(&mut table, 0, first / 2);
    station.kill();
    see(&mut table, first / 2, first - 2);
    let station = table.station();
    see(&mut table, first - 2, all.len());
    table.expect_all_acknowledged();
    stop(station);
    let record = table.record();
    assert_eq!(record.iter().filter(|line| line["ev"] == "end").count(), 2, "{}", table.written());
    assert_eq!(record.iter().filter(|line| line["ev"] == "draw").count(), table.cards.len());
    // the twins end before the station does, which it tells
    let last = record.iter().rposition(|line| line["ev"] == "end").unwrap();
    let found: Vec<&Value> = record[..=last].iter().filter(|line| line.to_string().contains("\"finding\"")).collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_device_killed_with_what_it_held_comes_back_with_a_gap_that_is_on_record_and_the_table_goes_on() {
    let mut table = Table::start();
    let station = table.station();
    let seen = passes(6, 5);
    let (first, rest) = seen.split_at(seen.len() / 2);
    first.iter().for_each(|saw| table.sees(saw));
    let held = |table: &Table| table.written().matches("\"TWIN-SHOE\"").count();
    let until = Instant::now() + PATIENCE;
    while held(&table) < 20 {
        assert!(Instant::now() < until, "the station takes nothing in: {}", table.log());
        std::thread::sleep(Duration::from_millis(5));
    }
    table.twins.get_mut(&Role::Shoe).unwrap().process.kill();
    table.start_twin(Role::Shoe);
    rest.iter().for_each(|saw| table.sees(saw));
    let sent = table.twins[&Role::Shoe].sent;
    table.expect_all_acknowledged();
    stop(station);
    let record = table.record();
    let lost: Vec<&Value> = record.iter().filter(|line| line["status"] == "ring_lost").collect();
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert_eq!(lost[0]["device"], "shoe");
    let told = told(&record, &serial(Role::Shoe));
    let old = told[0].0;
    let last = told.iter().rfind(|(epoch, _)| *epoch == old).unwrap().1;
    assert_eq!(lost[0]["detail"], format!("after event {last}"), "the gap is told with the last event before it");
    let fresh: Vec<u64> = told.iter().filter(|(epoch, _)| *epoch != old).map(|(_, number)| *number).collect();
    assert_eq!(fresh, (1..=u64::from(sent)).collect::<Vec<_>>(), "all that the new one saw");
    assert!(table.log().contains("events of the device are lost"), "{}", table.log());
}

#[test]
fn a_second_station_on_the_same_record_or_ports_is_refused_clearly_and_harms_nothing() {
    let table = Table::start();
    table.until("the twins' ports", || Role::ALL.iter().all(|role| table.path(role.name()).exists()));
    let station = table.station();
    table.until("five devices", || table.log().matches("device is there").count() >= 5);
    let config = table.path("station.toml");
    let second = sabot(["run", "--config", config.to_str().unwrap()]).stderr(Stdio::piped()).output().unwrap();
    let error = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(1), "{error}");
    assert!(error.contains("another station writes this record"), "{error}");
    // another record, the same ports: it runs, and says of each device who has it
    let other = fs::read_to_string(&config).unwrap().replace("\"record\"", "\"other\"");
    fs::write(table.path("other.toml"), other).unwrap();
    let log = fs::File::create(table.path("second.log")).unwrap();
    let other = table.path("other.toml");
    let second = Process(sabot(["run", "--config", other.to_str().unwrap()]).stderr(log).spawn().unwrap());
    let said = || fs::read_to_string(table.path("second.log")).unwrap();
    table.until("who has the ports", || said().matches("is in use by `sabot` (process").count() >= 5);
    stop(second);
    stop(station);
    assert!(!table.log().contains("device is not there"), "the first station lost nothing: {}", table.log());
}

/// What a monitoring system is told.
fn scraped(address: &str) -> String {
    answered(address, "/metrics")
}

/// What a station answers, its head included.
pub(crate) fn answered(address: &str, path: &str) -> String {
    asked(address, path, "")
}

/// The same, with headers of a browser's own, a line each.
pub(crate) fn asked(address: &str, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_station_that_stands_still_gets_every_card_once_when_it_goes_on_and_the_shoe_let_nobody_draw_meanwhile() {
    let mut table = Table::start();
    let (station, address) = table.station_at();
    table.sees(&Observation::Shoe(ShoeSaw::Drawn(Card::from_code(0))));
    let record = table.path("record");
    let has = |text: &'static str| fs::read_to_string(&record).unwrap_or_default().contains(text);
    table.until("the first card is recorded", || has("\"draw\""));
    station.signal("-STOP");
    for n in 1..1500_u32 {
        table.sees(&Observation::Shoe(ShoeSaw::Drawn(Card::from_code((n % 52) as u8))));
    }
    let shown = table.path("shoe.shown");
    let says = |text: &str| fs::read_to_string(&shown).unwrap().contains(text);
    table.until("the shoe says that nobody may draw", || says("do not draw"));
    assert!(!has("ring_full"), "the station stands");
    station.signal("-CONT");
    table.expect_all_acknowledged();
    assert!(says("lamp off: draw"), "the lamp of an empty shoe is lit");
    let record = table.record();
    let of_ring = record.iter().filter(|line| is_of_the_ring(line)).count() as u64;
    assert!(of_ring >= 2, "the record does not say that the shoe was full");
    let (told, sent) = (told(&record, &serial(Role::Shoe)), u64::from(table.twins[&Role::Shoe].sent));
    let numbers: Vec<u64> = told.iter().map(|(_, number)| *number).collect();
    assert_eq!(numbers, (1..=sent + of_ring).collect::<Vec<_>>());
    let draws = record.iter().filter(|line| line["ev"] == "draw").map(|line| line["card"].clone());
    let cards = table.cards.iter().map(|&code| Value::from(card(code)));
    assert!(draws.eq(cards), "the cards of the shoe, in its order");
    // figures are taken over once a second
    let port = table.path("shoe");
    let events = format!("device=\"shoe\",port=\"{}\"}} {}\n", port.display(), sent + of_ring);
    let line = format!("sabot_device_events_total{{table=\"P\",{events}");
    table.until(&line, || scraped(&address).contains(&line));
    let empty = "sabot_journal_queue_lines{table=\"P\"} 0\n";
    table.until(empty, || scraped(&address).contains(empty));
    expect_no_card_in(&table.log());
    stop(station);
}
