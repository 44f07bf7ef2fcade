//! The FEIG driver against the readers' twin over real pseudo-terminals and real TCP, and a station that runs on them.
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::process::{run, sabot};
use sabot_drivers::feig::records::AntennaByte;
use sabot_drivers::feig::{
    CardTags, FeigLine, Hysteresis, Place, ReaderLines, Setup, Spot, Timing, Values, spawn, spawn_over,
};
use sabot_drivers::saw::{Saw, Stake, TagsSaw, Unreadable};
use sabot_drivers::transport::{Faults, FaultyPlace, SerialPort};
use sabot_drivers::{Link, LinkReport};
use sabot_law::table::Severity;
use sabot_simulation::feig::{FeigTwin, Lever, Port};
use sabot_simulation::levers::LineLever;
use sabot_stall_guard::{PATIENCE, Stopwatch, rerun_if_stalled};
use sabot_station::config::Config;
use sabot_station::snapshot::{DeviceState as Seen, FindingState, Snapshot};
use sabot_wire::message::{BetSpot, Role};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

const UID: u64 = 0xE004_0100_0000_0001;
/// An identifier without zero bytes, as most tags have.
const FULL_UID: u64 = 0xE004_0112_3456_7801;

/// Box and chips: identifier and value of each.
type OnSpot = (u8, Vec<(u64, u32)>);

fn setup(boxes: u8, timing: Timing) -> Setup {
    let reader = |box_no: u8| if boxes == 1 { None } else { Some(box_no - 1) };
    let spot = |box_no| Spot { at: main(box_no).into(), reader: reader(box_no), antenna: None };
    let values = (0..100).flat_map(|n| [(UID + n, 500), (FULL_UID + n, 500)]).collect::<HashMap<_, _>>();
    Setup {
        spots: (1..=boxes).map(spot).collect(),
        values: Values::Known(values.into_iter().collect()),
        cards: CardTags::default(),
        buffered: false,
        serial: None,
        poll_ms: 20,
        hold_ms: 700,
        antennas: AntennaByte::Number,
        hysteresis: Hysteresis::DEFAULT,
        timing,
    }
}

const fn main(box_no: u8) -> Stake {
    Stake { box_no, hand: 0, spot: BetSpot::Main }
}

fn put(reader: u8, uid: u64) -> Lever {
    Lever::Put { uid, reader, antenna: 1, value: 700 }
}

/// A driver, and what it reports.
struct Host {
    link: Link,
    reports: mpsc::Receiver<(Role, LinkReport)>,
    _stop: watch::Sender<bool>,
    last_seq: u32,
}

impl Host {
    fn new(start: impl FnOnce(mpsc::Sender<(Role, LinkReport)>, watch::Receiver<bool>) -> Link) -> Self {
        let (sender, reports) = mpsc::channel(64);
        let (stop, stopped) = watch::channel(false);
        Self { link: start(sender, stopped), reports, _stop: stop, last_seq: 0 }
    }

    fn on(place: Place, setup: Setup) -> Self {
        Self::new(|reports, stopped| spawn(vec![FeigLine { place, setup }], &ReaderLines::default(), reports, stopped))
    }

    async fn next(&mut self) -> LinkReport {
        let (_, report) = timeout(PATIENCE, self.reports.recv()).await.expect("no report came in time").unwrap();
        if let LinkReport::Saw(seen) = &report {
            assert_eq!(seen.seq, self.last_seq + 1, "nothing is lost or doubled");
            self.last_seq = seen.seq;
            self.link.ack(seen.epoch, seen.seq);
        }
        report
    }

    async fn until<T>(&mut self, mut wanted: impl FnMut(&LinkReport) -> Option<T>) -> T {
        loop {
            if let Some(found) = wanted(&self.next().await) {
                return found;
            }
        }
    }

    async fn online(&mut self) -> String {
        self.until(|report| match report {
            LinkReport::Online { hello, .. } => Some(hello.serial.to_string()),
            _ => None,
        })
        .await
    }

    async fn absent(&mut self) -> String {
        self.until(|report| match report {
            LinkReport::Absent(why) => Some(why.clone()),
            _ => None,
        })
        .await
    }

    /// The next spot that is told.
    async fn spot(&mut self) -> OnSpot {
        self.until(on_spot).await
    }

    async fn nothing_for(&mut self, pause: Duration) {
        if let Ok(Some((_, report))) = timeout(pause, self.reports.recv()).await {
            panic!("{report:?}");
        }
    }
}

fn on_spot(report: &LinkReport) -> Option<OnSpot> {
    let LinkReport::Saw(seen) = report else { return None };
    let Some(Saw::Tags(TagsSaw::Stack { at, chips })) = &seen.saw else { return None };
    Some((at.box_no, chips.iter().map(|chip| (chip.uid, chip.value)).collect()))
}

fn chips(count: u64) -> Vec<(u64, u32)> {
    (0..count).map(|n| (UID + n, 500)).collect()
}

fn on_pty(readers: u8) -> (FeigTwin, PathBuf, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("feig");
    (FeigTwin::start(&Port::Serial(path.clone()), readers, 1).unwrap(), path, dir)
}

fn on_tcp() -> (FeigTwin, String) {
    let twin = FeigTwin::start(&Port::Tcp("127.0.0.1:0".parse().unwrap()), 1, 2).unwrap();
    let address = twin.address().unwrap().to_string();
    (twin, address)
}

/// Chips come and go, more of them than fit in one reply, whatever the line.
async fn chips_come_and_go(twin: &FeigTwin, host: &mut Host, number: &str) {
    assert_eq!(host.online().await, number);
    assert_eq!(host.spot().await, (1, vec![]));
    for ont in [false, true] {
        twin.pull(Lever::Ont(ont));
        (0..14).for_each(|n| twin.pull(put(0, UID + n)));
        let told = host.until(|report| on_spot(report).filter(|(_, told)| told.len() == 14)).await;
        assert_eq!(told, (1, chips(14)));
        host.nothing_for(Duration::from_millis(400)).await;
        twin.pull(Lever::Take(Some(UID + 13)));
        assert_eq!(host.spot().await, (1, chips(13)), "silent tags {ont}");
        twin.pull(Lever::Take(None));
        assert_eq!(host.spot().await, (1, vec![]));
    }
    assert_eq!(host.link.counters().bad_frames, 0, "a quiet line");
}

#[test]
fn over_a_pseudo_terminal_chips_come_and_go() {
    rerun_if_stalled("over_a_pseudo_terminal_chips_come_and_go", || {
        Runtime::new().unwrap().block_on(async {
            let (twin, path, _dir) = on_pty(1);
            let mut host = Host::on(Place::Serial(path, 38_400), setup(1, Timing::serial(38_400)));
            chips_come_and_go(&twin, &mut host, "FEIG-00C0FFE0").await;
        });
    });
}

#[test]
fn over_tcp_chips_come_and_go() {
    rerun_if_stalled("over_tcp_chips_come_and_go", || {
        Runtime::new().unwrap().block_on(async {
            let (twin, address) = on_tcp();
            let mut host = Host::on(Place::Tcp(address), setup(1, Timing::TCP));
            chips_come_and_go(&twin, &mut host, "FEIG-00C100E0").await;
        });
    });
}

/// Absence is a state: gone soon after an inventory's time, back within three seconds, and what changed meanwhile is
/// told.
async fn comes_back(twin: &FeigTwin, host: &mut Host, (goes, comes): (LineLever, LineLever)) {
    twin.pull(put(0, UID));
    host.until(|report| on_spot(report).filter(|(_, told)| *told == chips(1))).await;
    for round in 0..3 {
        let gone = Stopwatch::start();
        twin.pull_line(goes);
        host.absent().await;
        // a second for an inventory, the time of a long answer, and two questions that any reader answers at once
        assert!(gone.elapsed() < Duration::from_millis(2600), "{goes:?}: {:?}", gone.elapsed());
        twin.pull(if round % 2 == 0 { put(0, UID + 1) } else { Lever::Take(Some(UID + 1)) });
        let back = Stopwatch::start();
        twin.pull_line(comes);
        host.online().await;
        assert!(back.elapsed() < Duration::from_secs(3), "{comes:?}: {:?}", back.elapsed());
        assert_eq!(host.spot().await, (1, chips(2 - round % 2)));
    }
    // the answers of a slow reader come too late, and may be those to the next question what it is
    assert!(host.link.counters().reconnects >= 3);
}

const LEVERS: [(LineLever, LineLever); 3] = [
    (LineLever::Unplug, LineLever::Plug),
    (LineLever::Mute(true), LineLever::Mute(false)),
    (LineLever::Slow(Duration::from_millis(2500)), LineLever::Slow(Duration::ZERO)),
];

#[tokio::test]
async fn pulled_mute_and_slow_readers_on_a_port_are_absent_and_come_back() {
    for levers in LEVERS {
        let (twin, path, _dir) = on_pty(1);
        let mut host = Host::on(Place::Serial(path, 38_400), setup(1, Timing::serial(38_400)));
        comes_back(&twin, &mut host, levers).await;
    }
}

#[tokio::test]
async fn pulled_mute_and_slow_readers_on_the_network_are_absent_and_come_back() {
    for levers in LEVERS {
        let (twin, address) = on_tcp();
        let mut host = Host::on(Place::Tcp(address), setup(1, Timing::TCP));
        comes_back(&twin, &mut host, levers).await;
    }
}

#[tokio::test]
async fn a_reader_of_other_tags_is_refused_and_taken_when_it_is_changed() {
    let (twin, path, _dir) = on_pty(1);
    twin.pull(Lever::Iso(false));
    let mut host = Host::on(Place::Serial(path, 38_400), setup(1, Timing::serial(38_400)));
    let why = host
        .until(|report| match report {
            LinkReport::Refused { why, .. } => Some(why.clone()),
            _ => None,
        })
        .await;
    assert!(why.contains("no ISO 15693"), "{why}");
    twin.pull(Lever::Iso(true));
    host.online().await;
}

#[tokio::test]
async fn a_spot_whose_reader_reports_faults_is_not_known_until_it_reads_again() {
    let (twin, path, _dir) = on_pty(1);
    let mut host = Host::on(Place::Serial(path, 38_400), setup(1, Timing::serial(38_400)));
    twin.pull(put(0, UID));
    host.until(|report| on_spot(report).filter(|(_, told)| *told == chips(1))).await;
    twin.pull(Lever::Status(Some(0x84)));
    let LinkReport::Saw(seen) = host.next().await else { panic!("no observation") };
    assert_eq!(seen.saw, Some(TagsSaw::Unreadable { at: main(1).into(), why: Unreadable::Reader }.into()));
    host.nothing_for(Duration::from_millis(500)).await;
    twin.pull(Lever::Status(None));
    assert_eq!(host.spot().await, (1, chips(1)), "what is known again is told again");
    twin.pull(Lever::Take(None));
    assert_eq!(host.spot().await, (1, vec![]));
    // doubled replies, a restart and keep-alives change nothing
    twin.pull_line(LineLever::Duplicate(true));
    (0..5).for_each(|_| twin.pull(Lever::Alive));
    twin.pull_line(LineLever::Restart);
    twin.pull(put(0, UID));
    assert_eq!(host.spot().await, (1, chips(1)));
    assert!(host.link.counters().ignored > 0);
}

#[tokio::test]
async fn seven_readers_on_one_line_watch_seven_boxes() {
    let (twin, path, _dir) = on_pty(7);
    let mut host = Host::on(Place::Serial(path, 38_400), setup(7, Timing::serial(38_400)));
    host.online().await;
    // one that answers late is asked again after the others
    let mut watched = BTreeSet::new();
    while watched.len() < 7 {
        let (box_no, lies) = host.spot().await;
        assert!(lies.is_empty() && watched.insert(box_no), "{box_no}: {lies:?}");
    }
    for box_no in 1..=7 {
        twin.pull(put(box_no - 1, UID + u64::from(box_no)));
        assert_eq!(host.spot().await, (box_no, vec![(UID + u64::from(box_no), 500)]));
    }
}

#[tokio::test]
async fn values_are_read_from_the_tags_where_no_registry_tells_them() {
    let (twin, path, _dir) = on_pty(1);
    let setup = Setup { values: Values::Block(4), ..setup(1, Timing::serial(38_400)) };
    let mut host = Host::on(Place::Serial(path, 38_400), setup);
    twin.pull(put(0, UID));
    let told = host.until(|report| on_spot(report).filter(|(_, told)| !told.is_empty())).await;
    assert_eq!(told, (1, vec![(UID, 700)]));
}

#[tokio::test]
async fn a_buffered_reader_tells_by_antenna_and_forgets_nothing_while_the_cable_is_out() {
    let (twin, path, _dir) = on_pty(1);
    twin.pull(Lever::Buffered(true));
    let spot = |box_no| Spot { at: main(box_no).into(), reader: None, antenna: Some(box_no) };
    let setup =
        Setup { spots: vec![spot(1), spot(2)], buffered: true, hold_ms: 1500, ..setup(1, Timing::serial(38_400)) };
    let mut host = Host::on(Place::Serial(path, 38_400), setup);
    host.online().await;
    assert_eq!((host.spot().await, host.spot().await), ((1, vec![]), (2, vec![])));
    twin.pull(Lever::Put { uid: UID, reader: 0, antenna: 2, value: 0 });
    assert_eq!(host.spot().await, (2, chips(1)));
    twin.pull_line(LineLever::Unplug);
    host.absent().await;
    twin.pull_line(LineLever::Plug);
    host.online().await;
    host.nothing_for(Duration::from_millis(1500)).await;
    twin.pull(Lever::Take(None));
    assert_eq!(host.spot().await, (2, vec![]));
}

/// Faults fall on pieces that end at a zero byte, of which an answer has one or two for each tag: of eight chips about
/// every second one is damaged.
const WEATHER: Faults = Faults {
    flip: 2_000,
    lose: 1_000,
    noise: 1_000,
    cut: 8_000,
    double: 8_000,
    swap: 8_000,
    delay: 100_000,
    delay_ms_max: 8,
};

#[tokio::test]
async fn over_a_line_with_faults_nothing_is_told_that_does_not_lie_there() {
    for seed in [100, 200] {
        let (twin, path, _dir) = on_pty(1);
        let place = FaultyPlace::new(SerialPort::new(path, 38_400).even(), WEATHER, seed);
        let counts = place.counts();
        let mut host =
            Host::new(|reports, stopped| spawn_over(place, setup(1, Timing::serial(38_400)), reports, stopped));
        host.until(|report| on_spot(report).filter(|(_, told)| told.is_empty())).await;
        for n in 1..=8 {
            twin.pull(put(0, FULL_UID + n - 1));
            let told = host.spot().await;
            let lying: Vec<_> = (0..n).map(|n| (FULL_UID + n, 500)).collect();
            assert_eq!(told, (1, lying), "seed {seed}");
        }
        let damage = counts.damage();
        eprintln!("seed {seed}: {damage} faults, {:?}", host.link.counters());
        assert!(damage > 5 && host.link.counters().gaps > 0, "too mild: {damage}, {:?}", host.link.counters());
    }
}

/// A station with nothing but these readers.
struct Station {
    snapshots: watch::Receiver<Arc<Snapshot>>,
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<Result<(), sabot_station::StationError>>,
    journal: PathBuf,
}

impl Station {
    fn start(dir: &Path, port: &str) -> Self {
        let text = format!(
            "table = \"BJ-07\"\nregulation = \"sala-8\"\nlimits = {{ min = 500, max = 50000 }}\njournal = \"BJ-07.jsonl\"\n\
             observes = []\nchip_registry = \"chips.jsonl\"\n[[device]]\nrole = \"chips\"\ndriver = \"feig\"\n\
             port = \"{port}\"\nspots = [{{ box = 1, reader = 0 }}, {{ box = 2, reader = 1 }}]\npoll_ms = 20\n"
        );
        let file = dir.join("station.toml");
        std::fs::write(&file, text).unwrap();
        let config = Config::load(&file).unwrap();
        let journal = config.journal.clone();
        let (stop, stopped) = watch::channel(false);
        let (seen, snapshots) = watch::channel(Arc::new(Snapshot::default()));
        Self { snapshots, stop, task: tokio::spawn(sabot_station::run(config, stopped, seen)), journal }
    }

    async fn until(&mut self, wanted: impl FnMut(&Arc<Snapshot>) -> bool) -> Arc<Snapshot> {
        timeout(PATIENCE, self.snapshots.wait_for(wanted)).await.expect("it does not come to that").unwrap().clone()
    }

    async fn stop(self) -> String {
        self.stop.send(true).unwrap();
        self.task.await.unwrap().unwrap();
        std::fs::read_to_string(self.journal).unwrap()
    }
}

const REGISTRY: &str = r#"{"chips":1}
{"uid":"E004010000000001","value":500,"state":"valid"}
{"uid":"E004010000000002","value":1000,"state":"valid"}
{"uid":"E004010000000003","value":1000,"state":"cancelled"}
"#;

#[tokio::test]
async fn a_station_takes_bets_from_the_readers_and_finds_chips_that_cannot_be_trusted() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("chips.jsonl"), REGISTRY).unwrap();
    let port = dir.path().join("feig");
    let twin = FeigTwin::start(&Port::Serial(port.clone()), 2, 1).unwrap();
    let mut station = Station::start(dir.path(), port.to_str().unwrap());
    station.until(|seen| seen.devices.iter().any(|device| device.state == Seen::Online)).await;
    twin.pull(put(0, UID));
    twin.pull(put(0, UID + 1));
    let stake = |seen: &Arc<Snapshot>, box_no: u8| {
        seen.felt.boxes.iter().find(|of| of.box_no == box_no).and_then(|of| of.hands.first()).map(|hand| hand.stake)
    };
    let seen = station.until(|seen| stake(seen, 1) == Some(1500)).await;
    assert!(seen.findings.is_empty(), "{:?}", seen.findings);
    // carried from one box to the other: no second chip
    twin.pull(Lever::Take(Some(UID + 1)));
    twin.pull(put(1, UID + 1));
    station.until(|seen| stake(seen, 1) == Some(500) && stake(seen, 2) == Some(1000)).await;
    let findings = |count: usize| move |seen: &Arc<Snapshot>| seen.findings.len() == count;
    twin.pull(put(1, UID + 2)); // cancelled
    station.until(findings(1)).await;
    twin.pull(put(1, UID + 40)); // unknown
    station.until(findings(2)).await;
    twin.pull(put(1, UID)); // a twin of the one in box 1
    let seen = station.until(findings(3)).await;
    for finding in &seen.findings {
        let place = finding.finding.place.map(|place| place.to_string());
        assert_eq!((finding.finding.provision.to_string(), place), ("C20".to_owned(), Some("2".to_owned())));
        assert_eq!((finding.finding.severity, finding.state), (Severity::Integrity, FindingState::Open));
    }
    let record = station.stop().await;
    for status in ["chip_cancelled", "chip_unknown", "chip_doubled"] {
        assert_eq!(record.matches(status).count(), 1, "{record}");
    }
    assert!(record.contains(r#"{"id":"E004010000000001","value":500}"#), "{record}");
    // the same record again: the findings are known, and nothing is found twice
    let mut station = Station::start(dir.path(), port.to_str().unwrap());
    let seen = station.until(|seen| seen.devices.iter().any(|device| device.state == Seen::Online)).await;
    assert_eq!(seen.findings.len(), 3);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(station.stop().await.matches("\"chip_").count(), 3);
}

/// Readers on a serial line with several of them and one on the network, at one table.
#[tokio::test]
async fn readers_on_two_lines_watch_three_boxes_and_the_table_is_blind_while_either_line_is_away() {
    let (bus, path, _dir) = on_pty(2);
    let (alone, address) = on_tcp();
    let of = |box_no, reader| Spot { at: main(box_no).into(), reader, antenna: None };
    let line = |place, spots, timing| FeigLine { place, setup: Setup { spots, ..setup(1, timing) } };
    let lines = vec![
        line(Place::Serial(path, 38_400), vec![of(1, Some(0)), of(2, Some(1))], Timing::serial(38_400)),
        line(Place::Tcp(address), vec![of(3, None)], Timing::TCP),
    ];
    // numbers count from 1 on each line
    let (sender, mut reports) = mpsc::channel(64);
    let (_stop, stopped) = watch::channel(false);
    let link = spawn(lines, &ReaderLines::default(), sender, stopped);
    let mut until = async |wanted: &dyn Fn(&LinkReport) -> bool| loop {
        let (_, report) = timeout(PATIENCE, reports.recv()).await.expect("no report came in time").unwrap();
        if let LinkReport::Saw(seen) = &report {
            link.ack(seen.epoch, seen.seq);
        }
        if wanted(&report) {
            return;
        }
    };
    until(&|report| matches!(report, LinkReport::Online { .. })).await;
    for (twin, box_no, reader) in [(&bus, 1, 0), (&bus, 2, 1), (&alone, 3, 0)] {
        twin.pull(put(reader, UID + u64::from(box_no)));
        until(&|report| on_spot(report) == Some((box_no, vec![(UID + u64::from(box_no), 500)]))).await;
    }
    alone.pull_line(LineLever::Unplug);
    until(&|report| matches!(report, LinkReport::Absent(why) if why.contains("127.0.0.1"))).await;
    bus.pull(Lever::Take(Some(UID + 1)));
    until(&|report| on_spot(report) == Some((1, vec![]))).await;
    alone.pull_line(LineLever::Plug);
    until(&|report| matches!(report, LinkReport::Online { .. })).await;
    assert_eq!(link.line().read_rates.len(), 3);
}

#[tokio::test]
async fn sixty_chips_are_told_and_the_next_one_leaves_the_spot_unknown() {
    let (twin, path, _dir) = on_pty(1);
    let mut host = Host::on(Place::Serial(path, 38_400), setup(1, Timing::serial(38_400)));
    (0..60).for_each(|n| twin.pull(put(0, UID + n)));
    let told = host.until(|report| on_spot(report).filter(|(_, told)| !told.is_empty())).await;
    assert_eq!(told.1.len(), 60);
    twin.pull(put(0, UID + 60));
    // it may be in doubt before that is sure; it is never told as before
    let sure = host.until(|report| {
        let LinkReport::Saw(seen) = report else { return None };
        seen.saw.clone().filter(|saw| !matches!(saw, Saw::Tags(TagsSaw::InDoubt { .. })))
    });
    assert_eq!(sure.await, TagsSaw::Unreadable { at: main(1).into(), why: Unreadable::TooMany }.into());
}

fn import(dir: &Path, table: &str) -> (i32, String) {
    std::fs::write(dir.join("chips.csv"), table).unwrap();
    let ended = run(sabot(["chips", "import", "chips.csv"]).current_dir(dir));
    (ended.status, ended.out + &ended.err)
}

#[test]
fn chips_are_imported_and_a_mistake_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (status, told) = import(dir.path(), "uid;value;state\nE004010000000001;500;\nE004010000000002;1000;valid\n");
    assert_eq!((status, told.as_str()), (0, "chips.jsonl: 2 added, 0 changed; 2 chips, 0 of them cancelled\n"));
    let (status, told) = import(dir.path(), "uid,value,state\nE004010000000003,1000,cancelled\n");
    assert_eq!((status, told.as_str()), (0, "chips.jsonl: 1 added, 0 changed; 3 chips, 1 of them cancelled\n"));
    assert_eq!(std::fs::read_to_string(dir.path().join("chips.jsonl")).unwrap(), REGISTRY);
    let (status, told) = import(dir.path(), "uid,value\nE004010000000001,700\nE004010000000009,-1\n");
    assert_eq!(status, 2);
    assert!(told.starts_with("sabot chips import: chips.csv: line 3, column 18: `value`"), "{told}");
    assert_eq!(std::fs::read_to_string(dir.path().join("chips.jsonl")).unwrap(), REGISTRY);
}

#[test]
fn decks_are_imported_and_listed_with_what_they_lack() {
    let dir = tempfile::tempdir().unwrap();
    let decks = |arguments: &[&str]| {
        let ended = run(sabot(arguments.iter().copied()).current_dir(dir.path()));
        (ended.status, ended.out + &ended.err)
    };
    let suits = ["S", "H", "D", "C"].map(|suit| "A23456789TJQK".chars().map(move |rank| format!("{rank}{suit}")));
    let cards = suits.into_iter().flatten().enumerate().map(|(n, card)| format!("E0040200000000{n:02X};D-1;{card}\n"));
    let table: String = std::iter::once("uid;deck;card\n".to_owned()).chain(cards).collect();
    std::fs::write(dir.path().join("decks.csv"), &table).unwrap();
    assert_eq!(decks(&["decks", "list"]).0, 2, "there is none yet");
    let (status, told) = decks(&["decks", "import", "decks.csv"]);
    assert_eq!((status, told.as_str()), (0, "decks.jsonl: 52 added, 0 changed; 52 cards, 0 of them cancelled\n"));
    assert_eq!(decks(&["decks", "list"]), (0, "D-1: 52 cards, 0 others, 0 cancelled\n".to_owned()));
    // a second good ace of spades: nothing is changed until the first is cancelled
    let spare = "uid,deck,card,state\nE0040200000000F0,D-1,AS,\n";
    std::fs::write(dir.path().join("spare.csv"), spare).unwrap();
    let (status, told) = decks(&["decks", "import", "spare.csv"]);
    assert!(status == 2 && told.contains("spare.csv: two good tags are the AS of deck D-1"), "{told}");
    std::fs::write(dir.path().join("lost.csv"), "uid,deck,card,state\nE004020000000000,D-1,AS,cancelled\n").unwrap();
    assert_eq!(decks(&["decks", "import", "lost.csv"]).0, 0);
    let (status, told) = decks(&["decks", "list"]);
    assert_eq!((status, told.as_str()), (1, "D-1: 51 cards, 0 others, 1 cancelled; NOT WHOLE, without AS\n"));
    assert_eq!(decks(&["decks", "import", "spare.csv"]).0, 0);
    assert_eq!(decks(&["decks", "list"]).0, 0);
}
