//! A table that does not see or cannot record says so at once, whatever is being done at it, everywhere: on the page,
//! the dealer's screen, the pit display and the towers, in health and metrics, on a page of many tables. So do pages
//! and streams that were open before. Then it is well again, and so is all it shows.

use std::net::SocketAddr;
use std::path::Path;

use sabot_drivers::LinkReport;
use sabot_drivers::signal::Level;
use sabot_journal::RecordFault;
use sabot_journal::failing_disk::DiskState;
use sabot_law::table::felt::Phase;
use sabot_pit::PitConfig;
use sabot_simulation::table_sensors::TableSensors;
use sabot_simulation::twin::role_of;
use sabot_simulation::workload::{Dealer, HOUSES, Settings};
use sabot_stall_guard::PATIENCE;
use sabot_wire::message::{DeviceState, Lamp, Observation, ShufflerSaw};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::tests::{Bench, Did, config};
use super::*;
use crate::acts::Acts;
use crate::console::{self, Access, Desk};
use crate::pins::Pins;
use crate::record_feed::RecordFeed;

/// Nothing waits for another device after it.
const AT_ONCE: Duration = Duration::ZERO;

/// How a disk fails.
#[derive(Debug, Clone, Copy)]
enum Failing {
    Full,
    /// Its syncs fail.
    Fails,
    /// Its syncs do not come back.
    Hangs,
    /// The file was deleted.
    Gone,
}

impl Failing {
    fn strikes(self, disk: &mut DiskState) {
        match self {
            Self::Full => disk.room = Some(disk.cached.len()),
            Self::Fails => disk.sync_fails = true,
            Self::Hangs => disk.hangs = true,
            Self::Gone => disk.tampered = Some(RecordFault::Gone),
        }
    }
}

/// Something that keeps a table from being seen or recorded.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    Unplugged(Role),
    Opened(Role),
    Full(Role),
    Disk(Failing),
}

impl Trouble {
    fn all() -> Vec<Self> {
        let senses = [Role::Shoe, Role::Chips, Role::Keypad, Role::Shuffler];
        let mut all: Vec<_> = senses.map(Self::Unplugged).into();
        all.extend(senses.map(Self::Full));
        all.extend([Role::Shoe, Role::Shuffler].map(Self::Opened));
        all.extend([Failing::Full, Failing::Fails, Failing::Hangs, Failing::Gone].map(Self::Disk));
        all
    }

    async fn comes(self, bench: &mut Bench) {
        match self {
            Self::Unplugged(role) => {
                bench.reports.send((role, LinkReport::Absent("unplugged".to_owned()))).await.unwrap();
            }
            Self::Full(role) => drop(bench.saw(role, Observation::Device(DeviceState::RingFull)).await),
            Self::Opened(Role::Shuffler) => {
                bench.saw(Role::Shuffler, Observation::Shuffler(ShufflerSaw::DoorOpen)).await;
            }
            Self::Opened(role) => drop(bench.saw(role, Observation::Device(DeviceState::LidOpen)).await),
            Self::Disk(how) => {
                bench.disk.with(|disk| how.strikes(disk));
                // a disk at which nothing is written tells nothing
                bench.saw(Role::Keypad, Observation::Device(DeviceState::RingFree)).await;
            }
        }
    }

    async fn goes(self, bench: &mut Bench) {
        match self {
            Self::Unplugged(role) => bench.comes(role).await,
            Self::Full(role) => drop(bench.saw(role, Observation::Device(DeviceState::RingFree)).await),
            Self::Opened(Role::Shuffler) => {
                bench.saw(Role::Shuffler, Observation::Shuffler(ShufflerSaw::DoorClosed)).await;
            }
            Self::Opened(role) => drop(bench.saw(role, Observation::Device(DeviceState::LidClosed)).await),
            Self::Disk(_) => bench.disk.with(|disk| {
                (disk.room, disk.sync_fails, disk.hangs, disk.tampered) = (None, false, false, None);
            }),
        }
    }

    /// The shuffler may be open while it is not used, and the shoe before it is loaded.
    fn may_be_looked_at_only(self) -> bool {
        matches!(self, Self::Opened(_))
    }
}

/// What one table does up to a phase.
struct Played {
    config: Config,
    until: Vec<(Phase, Vec<Observation>)>,
}

impl Played {
    /// One pass by the book, and how far it has come when each phase begins.
    async fn pass() -> Self {
        let mut dealer = Dealer::new(Settings { seed: 3, seen_by_devices: true, ..Settings::of(HOUSES[0]) });
        let config = Config { header: dealer.header().clone(), ..config(AT_ONCE) };
        let (mut sensors, mut events, mut seen) = (TableSensors::of(dealer.max_hands()), Vec::new(), Vec::new());
        dealer.next_pass(&mut events);
        events.iter().for_each(|event| sensors.see(event, &mut seen));
        let mut bench = Bench::start_telling(config.clone(), |_, _| None).await;
        let mut until = vec![(Phase::Idle, Vec::new())];
        for (n, saw) in seen.iter().enumerate() {
            let line = bench.snapshots.borrow().line;
            bench.saw(role_of(saw), saw.clone()).await;
            let phase = bench.until(|snapshot| snapshot.line > line).await.felt.phase;
            if until.last().is_some_and(|(before, _)| *before != phase) {
                until.push((phase, seen[..=n].to_vec()));
            }
        }
        bench.stop().await;
        Self { config, until }
    }
}

/// Where people and programs look at a table: what its station serves, and a pit that listens to it.
struct Pages {
    station: SocketAddr,
    pit: SocketAddr,
    _folder: tempfile::TempDir,
    _running: watch::Sender<bool>,
}

impl Pages {
    async fn of(bench: &Bench, table: &str, people: Arc<Pins>) -> Self {
        let listener = async || {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            (listener.local_addr().unwrap(), listener)
        };
        let ((station, of_station), (pit, of_pit)) = (listener().await, listener().await);
        let (running, stop) = watch::channel(false);
        let desk = Some(Desk::new(people, Seconds::default(), Acts::channel().0));
        let folder = tempfile::tempdir().unwrap();
        let record = RecordFeed::of(&folder.path().join("record"));
        let access = Access { desk, record: Some(record), ..Access::default() };
        tokio::spawn(console::serve(of_station, bench.snapshots.clone(), access, stop.clone()));
        let tables = format!("[[table]]\nname = \"{table}\"\naddress = \"http://{station}\"\n");
        let config = PitConfig::parse(Path::new("pit.toml"), &tables).unwrap();
        tokio::spawn(sabot_pit::run(config, of_pit, None, stop));
        Self { station, pit, _folder: folder, _running: running }
    }

    /// Until the pit says that the table is clear, or that it is not.
    async fn until_pit(&self, is_clear: bool) {
        let told = async {
            while says(&ask(self.pit, "/api/v1/tables").await, Face::Clear) != is_clear {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, told).await.expect("what the pit says");
    }
}

/// The whole answer, its head too.
async fn ask(at: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(at).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// Whether programs are told that face.
fn says(told: &str, face: Face) -> bool {
    told.contains(&format!("\"face\":\"{}\"", face.name()))
}

/// What somebody has before him who opened a live page, or follows a verdict, before the trouble came.
struct Watching {
    what: String,
    told: Arc<std::sync::Mutex<Vec<u8>>>,
}

impl Watching {
    async fn of(at: SocketAddr, path: &str) -> Self {
        let mut stream = TcpStream::connect(at).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let told = Arc::<std::sync::Mutex<Vec<u8>>>::default();
        let heard = Arc::clone(&told);
        tokio::spawn(async move {
            let mut buffer = vec![0; 16_384];
            while let Ok(read @ 1..) = stream.read(&mut buffer).await {
                heard.lock().unwrap().extend_from_slice(&buffer[..read]);
            }
        });
        Self { what: path.to_owned(), told }
    }

    /// The regions of a live page as they stand by now, or what a program was told last.
    fn is_green(&self) -> bool {
        let told = String::from_utf8_lossy(&self.told.lock().unwrap()).into_owned();
        let (mut parts, mut face) = (std::collections::BTreeMap::new(), String::new());
        let whole = told.rsplit_once("\n\n").map_or("", |(whole, _)| whole);
        for data in whole.lines().filter_map(|line| line.strip_prefix("data:")) {
            let Ok(value) = serde_json::from_str::<serde_json::Value>(data.trim()) else { continue };
            if let Some(now) = value["parts"].as_object() {
                parts.extend(now.clone());
            } else if value.is_object() && (value["face"].is_string() || value["tables"].is_array()) {
                face = value.to_string();
            }
        }
        let has = |text: &str| parts.values().any(|part| part.as_str().is_some_and(|part| part.contains(text)));
        ["class=\"tick\"", "class=\"alarm clear\"", "class=\"tile clear\""].into_iter().any(has)
            || says(&face, Face::Clear)
    }

    async fn until(&self, is_green: bool, about: &str) {
        let told = async {
            while self.is_green() != is_green {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(PATIENCE, told)
            .await
            .unwrap_or_else(|_| panic!("{about}: {} is not {is_green}", self.what));
    }
}

/// Everything that a table shows at a moment, and whether any of it is green.
struct Shown {
    face: Face,
    lamp: Lamp,
    level: Level,
    /// The table's page and the dealer's screen.
    pages: [String; 4],
    healthy: bool,
    metrics: String,
    /// What programs are told.
    verdict: String,
    snapshot: String,
    /// The page of many tables, and what programs are told there.
    pit: [String; 2],
    tables: String,
}

impl Shown {
    async fn by(bench: &Bench, pages: &Pages) -> Self {
        let at_station = async |path: &str| ask(pages.station, path).await;
        let (face, did) = (bench.snapshots.borrow().verdict.face, bench.did.borrow().clone());
        let lamp =
            did.iter().rev().find_map(|did| if let Did::Show(Show::Lamp(lamp)) = did { Some(*lamp) } else { None });
        let level =
            did.iter().rev().find_map(|did| if let Did::Signal(shown) = did { Some(shown.level) } else { None });
        Self {
            face,
            lamp: lamp.unwrap(),
            level: level.unwrap(),
            pages: [
                at_station("/?lang=es").await,
                at_station("/?lang=en").await,
                at_station("/dealer?lang=es").await,
                at_station("/dealer?lang=en").await,
            ],
            healthy: at_station("/healthz").await.starts_with("HTTP/1.1 200"),
            metrics: at_station("/metrics").await,
            verdict: at_station("/api/v1/verdict").await,
            snapshot: at_station("/api/snapshot").await,
            pit: [ask(pages.pit, "/?lang=es").await, ask(pages.pit, "/?lang=en").await],
            tables: ask(pages.pit, "/api/v1/tables").await,
        }
    }

    fn is_measured(&self, face: Face) -> bool {
        let label = format!("face=\"{}\"", face.name());
        let mut lines = self.metrics.lines();
        lines.any(|line| line.starts_with("sabot_verdict{") && line.contains(&label) && line.ends_with(" 1"))
    }

    /// Its tile, and how many tables are so.
    fn is_tile(page: &str, face: Face) -> [bool; 2] {
        let face = face.name();
        [page.contains(&format!("class=\"tile {face}\"")), page.contains(&format!("<li class=\"{face}\"><b>1</b>"))]
    }

    fn is_green(&self) -> [bool; 15] {
        let [table, mesa, dealer, crupier] =
            self.pages.each_ref().map(|page| page.contains("class=\"tick\"") || page.contains("class=\"alarm clear\""));
        let [[tile, count], [tile_en, count_en]] = self.pit.each_ref().map(|page| Self::is_tile(page, Face::Clear));
        [
            self.face == Face::Clear,
            self.lamp == Lamp::Green,
            self.level == Level::Calm,
            table,
            mesa,
            dealer,
            crupier,
            self.is_measured(Face::Clear),
            says(&self.verdict, Face::Clear),
            says(&self.snapshot, Face::Clear),
            says(&self.tables, Face::Clear),
            tile,
            count,
            tile_en,
            count_en,
        ]
    }

    fn is_blind(&self) -> [bool; 10] {
        let [_, _, dealer, crupier] = self.pages.each_ref().map(|page| page.contains("class=\"stop blind\""));
        let [tile, tile_en] = self.pit.each_ref().map(|page| Self::is_tile(page, Face::Blind) == [true; 2]);
        [
            self.face == Face::Blind,
            self.lamp != Lamp::Green,
            self.level == Level::Blind,
            self.pages.iter().all(|page| page.contains("class=\"banner fault blind\"")),
            dealer && crupier,
            self.is_measured(Face::Blind),
            !self.healthy,
            says(&self.verdict, Face::Blind),
            says(&self.tables, Face::Blind),
            tile && tile_en,
        ]
    }
}

/// Brings a table to a phase, has a trouble come and go, and looks at everything it shows.
async fn suffers(config: Config, (phase, seen): (Phase, Vec<Observation>), trouble: Trouble, people: Arc<Pins>) {
    let about = format!("{trouble:?} in {phase:?}");
    let table = config.header.table.clone();
    let mut bench = Bench::start_telling(config, |_, _| None).await;
    let pages = Pages::of(&bench, &table, people).await;
    for saw in seen {
        let line = bench.snapshots.borrow().line;
        bench.saw(role_of(&saw), saw).await;
        bench.until(|snapshot| snapshot.line > line).await;
    }
    assert_eq!(bench.snapshots.borrow().felt.phase, phase, "{about}");
    pages.until_pit(true).await;
    let before = Shown::by(&bench, &pages).await;
    assert_eq!((before.is_green(), before.healthy), ([true; 15], true), "before {about}");
    let mut watching = Vec::new();
    for (at, path) in [
        (pages.station, "/events?lang=es"),
        (pages.station, "/api/v1/verdicts"),
        (pages.pit, "/events?lang=en"),
        (pages.pit, "/api/v1/tables/events"),
    ] {
        let one = Watching::of(at, path).await;
        one.until(true, &format!("before {about}")).await;
        watching.push(one);
    }
    trouble.comes(&mut bench).await;
    bench.until(|snapshot| snapshot.verdict.face != Face::Clear).await;
    pages.until_pit(false).await;
    let during = Shown::by(&bench, &pages).await;
    assert_eq!(during.is_green(), [false; 15], "{about}");
    for one in &watching {
        one.until(false, &about).await;
    }
    if during.face != Face::Look || !trouble.may_be_looked_at_only() {
        assert_eq!(during.is_blind(), [true; 10], "{about}");
    }
    trouble.goes(&mut bench).await;
    if let Trouble::Disk(_) = trouble {
        bench.until(|snapshot| snapshot.verdict.face == Face::Clear).await;
        pages.until_pit(true).await;
        let after = Shown::by(&bench, &pages).await;
        assert_eq!((after.is_green(), after.healthy), ([true; 15], true), "after {about}");
        for one in &watching {
            one.until(true, &format!("after {about}")).await;
        }
    }
    assert_eq!(bench.stop().await.0.fault, None, "{about}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_trouble_in_any_phase_leaves_anything_green() {
    let played = Played::pass().await;
    let phases: Vec<Phase> = played.until.iter().map(|(phase, _)| *phase).collect();
    for phase in [Phase::Idle, Phase::Bets, Phase::Delivery, Phase::Play, Phase::Bank, Phase::Settlement] {
        assert!(phases.contains(&phase), "the pass has no {phase:?}: {phases:?}");
    }
    // nobody has to be in it: the dealer's screen is shown to everybody
    let staff = tempfile::NamedTempFile::new().unwrap();
    let people = Arc::new(Pins::of(staff.path().to_path_buf()).unwrap());
    let mut all = tokio::task::JoinSet::new();
    for until in &played.until {
        for trouble in Trouble::all() {
            all.spawn(suffers(played.config.clone(), until.clone(), trouble, Arc::clone(&people)));
        }
    }
    while let Some(one) = all.join_next().await {
        one.unwrap();
    }
}

/// What is not seen or not written is told within this time of the station.
const A_SECOND: Duration = Duration::from_secs(1);

/// A trouble comes while nothing is under way; how long, in the station's own time, until the face, the pit display and
/// the towers are green no more.
async fn stays_green(config: Config, (phase, seen): (Phase, Vec<Observation>), trouble: Option<Trouble>) -> Duration {
    let about = format!("{trouble:?} in {phase:?}");
    let mut bench = Bench::start_telling(config, |_, _| None).await;
    let mut last = None;
    for saw in seen {
        let role = role_of(&saw);
        last = Some((role, bench.saw(role, saw).await));
    }
    if let Some((role, seq)) = last {
        bench.until_did(|did| did.contains(&Did::Ack(role, 1, seq))).await;
    }
    bench.until(|snapshot| snapshot.felt.phase == phase && snapshot.verdict.face == Face::Clear).await;
    tokio::time::pause();
    let since = Instant::now();
    match trouble {
        Some(trouble) => trouble.comes(&mut bench).await,
        None => bench.lamps.lock().unwrap().push(DeviceView { role: "patlite-pns".into(), ..DeviceView::default() }),
    }
    bench.until(|snapshot| snapshot.verdict.face != Face::Clear).await;
    let is_off = |did: &Vec<Did>| {
        let lamp = did.iter().rev().find_map(|did| match did {
            Did::Show(Show::Lamp(lamp)) => Some(*lamp),
            _ => None,
        });
        let level = did.iter().rev().find_map(|did| match did {
            Did::Signal(shown) => Some(shown.level),
            _ => None,
        });
        lamp.is_some_and(|lamp| lamp != Lamp::Green) && level.is_some_and(|level| level != Level::Calm)
    };
    bench.until_did(is_off).await;
    let took = since.elapsed();
    tokio::time::resume();
    bench.disk.with(|disk| (disk.room, disk.sync_fails, disk.hangs, disk.tampered) = (None, false, false, None));
    assert!(bench.snapshots.borrow().verdict.face != Face::Clear, "{about}");
    bench.stop().await;
    took
}

#[tokio::test]
async fn within_a_second_of_the_stations_own_time_nothing_at_the_table_is_green_in_any_phase() {
    let played = Played::pass().await;
    // a display or a tower sees nothing: the table is judged without it, and amber
    let troubles = Trouble::all().into_iter().chain([Trouble::Unplugged(Role::Display)]).map(Some).chain([None]);
    for trouble in troubles {
        for until in &played.until {
            let took = stays_green(played.config.clone(), until.clone(), trouble).await;
            assert!(took <= A_SECOND, "{trouble:?} in {:?}: green for {took:?}", until.0);
        }
    }
}

#[tokio::test]
async fn the_lamp_of_a_blind_table_changes_every_second_and_that_of_any_other_stays() {
    let mut bench = Bench::start_telling(config(AT_ONCE), |_, _| None).await;
    bench.saw(Role::Shoe, Observation::Device(DeviceState::RingFull)).await;
    let lamps = |did: &Vec<Did>| {
        let lamps = did.iter().filter_map(|did| if let Did::Show(Show::Lamp(lamp)) = did { Some(*lamp) } else { None });
        lamps.collect::<Vec<_>>()
    };
    let changes = [Lamp::Red, Lamp::Amber, Lamp::Red];
    bench.until_did(|did| lamps(did).windows(3).any(|lamps| lamps == changes)).await;
    bench.saw(Role::Shoe, Observation::Device(DeviceState::RingFree)).await;
    bench.until(|snapshot| snapshot.verdict.face != Face::Blind).await;
    let before = lamps(&bench.did.borrow());
    tokio::time::sleep(COUNT_EVERY * 2).await;
    assert_eq!(lamps(&bench.did.borrow()), before);
}

#[tokio::test]
async fn a_station_stops_whatever_its_disk_does_and_says_how_far_the_record_is() {
    for how in [Failing::Full, Failing::Fails, Failing::Hangs, Failing::Gone] {
        let mut bench = Bench::start_telling(config(AT_ONCE), |_, _| None).await;
        let lines = bench.snapshots.borrow().line;
        bench.until(|snapshot| snapshot.figures.written == lines || snapshot.line == lines).await;
        bench.disk.with(|disk| how.strikes(disk));
        bench.saw(Role::Keypad, Observation::Device(DeviceState::Jam)).await;
        bench.until(|snapshot| snapshot.line > lines).await;
        let disk = bench.disk.clone();
        let (end, _) = bench.stop().await;
        assert!(end.fault.is_some() && end.line <= lines, "{end:?}");
        disk.with(|disk| disk.hangs = false);
    }
}
