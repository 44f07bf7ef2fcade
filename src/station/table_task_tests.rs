use std::path::PathBuf;
use std::time::Duration;

use sabot_drivers::{Complaint, Counters, LinkConfig, Quality, Trouble, When};
use sabot_stall_guard::PATIENCE;
use sabot_wire::WINDOW;
use sabot_wire::host::Missed;
use sabot_wire::message::{
    Authority, Card, ChipsSaw, DeviceHello, Face, KeypadSaid, Lamp, Observation, Permit, Place, ShoeSaw, Started,
};

use super::*;
use crate::findings::Findings;
use sabot_law::validator::Validator;
use sabot_wire::message as wire;

use crate::config::{DeviceConfig, Driver};
use crate::snapshot::{DeviceState, FindingState, FindingView};
use sabot_journal::failing_disk::{Disk, on};
use sabot_law::table::answer::Lang;
use sabot_law::table::{BetSpot, HandId, Header, Limits, Observes, Remedy};

fn validator(config: &Config) -> Validator {
    Validator::new(config.header.clone()).unwrap()
}

/// What the links were asked to do, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Did {
    Ack(Role, u32, u32),
    Show(Show),
    Signal(SignalContent),
}

/// What signals say of themselves.
type Lamps = Arc<std::sync::Mutex<Vec<DeviceView>>>;

struct Noted(watch::Sender<Vec<Did>>, Lamps);

impl Links for Noted {
    fn ack(&self, role: Role, epoch: u32, seq: u32) {
        self.0.send_modify(|did| did.push(Did::Ack(role, epoch, seq)));
    }

    fn show(&self, show: Show) {
        self.0.send_modify(|did| did.push(Did::Show(show)));
    }

    fn signal(&self, picture: &SignalContent) {
        self.0.send_modify(|did| did.push(Did::Signal(picture.clone())));
    }

    fn signals(&self) -> Vec<DeviceView> {
        self.1.lock().unwrap().clone()
    }

    fn renew(&mut self, _: &Reload) {}

    fn line(&self, role: Role) -> Option<LineState> {
        let counters = Counters { bad_frames: 3, repeats: 2, ..Counters::default() };
        (role == Role::Shoe).then(|| LineState { counters, ..LineState::default() })
    }
}

/// A station whose links are in memory and whose disk can be told to fail.
pub(super) struct Bench {
    pub(super) reports: mpsc::Sender<(Role, LinkReport)>,
    pub(super) did: watch::Receiver<Vec<Did>>,
    pub(super) snapshots: watch::Receiver<Arc<Snapshot>>,
    shutdown: watch::Sender<bool>,
    task: tokio::task::JoinHandle<Durable>,
    pub(super) disk: Disk,
    pub(super) lamps: Lamps,
    seqs: [u32; 5],
    /// When what is reported next was seen.
    when: Option<When>,
}

/// The first line of a record.
pub(in crate::table_task) fn first_line(header: &Header) -> String {
    let text = serde_json::to_string(&sabot_law::table::header::FirstLine::of(header)).unwrap();
    format!("{},\"began\":0,\"chain\":\"{}\"}}\n", text.trim_end_matches('}'), "0".repeat(64))
}

pub(crate) fn config(place_wait: Duration) -> Config {
    let device = |role| {
        let link = LinkConfig { role, port: PathBuf::from("/dev/none"), baud: 115_200, serial: None, image: None };
        DeviceConfig { role, driver: Driver::Own(link) }
    };
    Config {
        header: Header {
            v: 1,
            table: Name::new("BJ-07"),
            regulation: Name::new("sala-8"),
            boxes: 7,
            limits: Limits { min: 1000, max: 100_000 },
            observes: Observes::ALL,
            settings: sabot_law::table::settings::Changes::default(),
            rules: None,
        },
        lang: Lang::Es,
        listen: ([127, 0, 0, 1], 0).into(),
        journal: PathBuf::new(),
        place_wait,
        keys: PathBuf::new(),
        chip_registry: None,
        second_person: Seconds::default(),
        deck_registry: None,
        journal_key: None,
        journal_readers: Vec::new(),
        journal_seal: None,
        gaming_day: None,
        house: crate::house_time::HouseTime::default(),
        silent: crate::silent::Silent::default(),
        journal_keep_days: None,
        pictures_keep_days: None,
        journal_witnesses: Vec::new(),
        staff: None,
        hosts: Vec::new(),
        tls: None,
        uplink: None,
        webhooks: Vec::new(),
        digest: String::new(),
        text: String::new(),
        program: None,
        test_mode: false,
        devices: Role::ALL.into_iter().map(device).collect(),
        signals: Vec::new(),
        accept_clock: false,
        accept_unsigned: false,
        clocks: Vec::new(),
    }
}

pub(crate) fn hello(role: Role) -> DeviceHello {
    let serial = heapless::String::try_from(role.name()).unwrap();
    DeviceHello { protocol: 1, role, serial, firmware: [1, 2, 3], schema: 0, boots: 4, epoch: 1, oldest: 1 }
}

/// The device of a role has come, in its first session after power came.
pub(crate) fn online(role: Role) -> LinkReport {
    LinkReport::Online { hello: hello(role), started: Started::Power, image: None, keeps: true }
}

impl Bench {
    async fn start(place_wait: Duration) -> Self {
        Self::start_telling(config(place_wait), |_, _| None).await
    }

    /// With lines of the station's own.
    pub(super) async fn start_telling(config: Config, about: fn(&Config, &Validator) -> Option<About>) -> Self {
        let mut bench = Self::begin(&config, about(&config, &validator(&config)), None);
        for role in Role::ALL {
            bench.comes(role).await;
        }
        bench.until(|snapshot| snapshot.line >= 6).await;
        bench
    }

    /// With devices that have not come yet; where its record goes on, with what is known of them.
    pub(super) fn begin(config: &Config, about: Option<About>, last: Option<&LastSeen>) -> Self {
        let disk = Disk::default();
        let table = LiveTable::new(validator(config), Findings::new(config.lang));
        let observer = Observer::new(&config.header, config.place_wait);
        let (reports, from_links) = mpsc::channel(256);
        let (did_tx, did) = watch::channel(Vec::new());
        let (snapshots_tx, snapshots) = watch::channel(Arc::default());
        let (shutdown, stop) = watch::channel(false);
        let (journal, lamps) = ((on(&disk, 1), Clock::starting_at(0)), Lamps::default());
        let links = Noted(did_tx, Arc::clone(&lamps));
        let task = TableTask { about, ..TableTask::new(config, table, observer, journal, links, snapshots_tx) };
        let task = match last {
            Some(last) => task.recalling(last, &config.devices),
            None => task,
        };
        let task = tokio::spawn(task.run(from_links, stop));
        Self { reports, did, snapshots, shutdown, task, disk, lamps, seqs: [0; 5], when: None }
    }

    pub(super) async fn comes(&self, role: Role) {
        self.reports.send((role, online(role))).await.unwrap();
    }

    pub(super) async fn saw(&mut self, role: Role, saw: Observation) -> u32 {
        self.tells_of(role, Some(saw)).await
    }

    /// A device tells of an event; of nothing that means something, where there is none.
    async fn tells_of(&mut self, role: Role, saw: Option<Observation>) -> u32 {
        let seq = &mut self.seqs[role as usize];
        *seq += 1;
        let seq = *seq;
        let serial = role.name().to_owned();
        let seen = Seen { role, serial, epoch: 1, seq, at_ms: 0, saw: saw.map(Into::into), when: self.when };
        self.reports.send((role, LinkReport::Saw(seen))).await.unwrap();
        seq
    }

    async fn said(&mut self, said: KeypadSaid) -> u32 {
        self.saw(Role::Keypad, Observation::Keypad(said)).await
    }

    async fn drawn(&mut self, card: &str) -> u32 {
        let card: sabot_law::table::Card = card.parse().unwrap();
        let code = Card::from_code(u8::try_from(card.index().unwrap()).unwrap());
        self.saw(Role::Shoe, Observation::Shoe(ShoeSaw::Drawn(code))).await
    }

    async fn arrives(&mut self, place: Place, face: Face) -> u32 {
        self.saw(Role::Chips, Observation::Chips(ChipsSaw::CardArrived { place, face: Some(face) })).await
    }

    async fn dealt(&mut self, card: &str, box_no: u8) {
        self.drawn(card).await;
        let place = if box_no == 0 { Place::Bank } else { Place::Hand(HandId { box_no, hand: 0 }) };
        self.arrives(place, Face::Up).await;
    }

    /// A shoe is opened, three players bet, two rounds are dealt up to the bank's second card.
    async fn deal(&mut self) {
        for seat in 1..=3 {
            self.said(KeypadSaid::Seat { seat, player: seat.into() }).await;
        }
        self.said(KeypadSaid::Authorize { badge: 4, role: Authority::Inspector, what: Permit::Shuffle }).await;
        let done = wire::ShufflerSaw::Done { decks: 8, cards: 416 };
        self.saw(Role::Shuffler, Observation::Shuffler(done)).await;
        self.said(KeypadSaid::Cut { depth: 150, player: 1 }).await;
        self.saw(Role::Shoe, Observation::Shoe(ShoeSaw::Loaded { cards: 416, cut_card: 52 })).await;
        for box_no in 1..=3 {
            let chips = std::iter::once(wire::Chip { uid: box_no.into(), value: 5000 }).collect();
            let spot = ChipsSaw::Spot { box_no, hand: 0, spot: BetSpot::Main, chips };
            self.saw(Role::Chips, Observation::Chips(spot)).await;
        }
        self.said(KeypadSaid::CloseBets).await;
        for (card, box_no) in [("8H", 1), ("5C", 2), ("TD", 3), ("9S", 0), ("TC", 1), ("7D", 2), ("QH", 3)] {
            self.dealt(card, box_no).await;
        }
    }

    pub(super) async fn until(&mut self, reached: impl FnMut(&Arc<Snapshot>) -> bool) -> Arc<Snapshot> {
        let reached = self.snapshots.wait_for(reached);
        tokio::time::timeout(PATIENCE, reached).await.expect("in time").unwrap().clone()
    }

    pub(super) async fn until_did(&mut self, reached: impl FnMut(&Vec<Did>) -> bool) -> Vec<Did> {
        let reached = self.did.wait_for(reached);
        tokio::time::timeout(PATIENCE, reached).await.expect("in time").unwrap().clone()
    }

    pub(super) async fn stop(self) -> (Durable, Vec<String>) {
        self.shutdown.send_replace(true);
        let end = tokio::time::timeout(PATIENCE, self.task).await.expect("in time").unwrap();
        let text = self.disk.with(|disk| String::from_utf8(disk.synced.clone()).unwrap());
        (end, text.lines().map(str::to_owned).collect())
    }
}

fn shows(did: &[Did], row: u8, begins: &str) -> bool {
    did.iter()
        .any(|did| matches!(did, Did::Show(Show::Line { row: at, text }) if *at == row && text.starts_with(begins)))
}

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_deal_by_the_book_has_no_finding_and_everything_is_acknowledged() {
    let mut bench = Bench::start(LONG).await;
    bench.deal().await;
    bench.drawn("8D").await;
    bench.arrives(Place::Bank, Face::Down).await;
    let seqs = bench.seqs;
    let snapshot = bench.until(|snapshot| snapshot.felt.bank.len() == 2).await;
    assert!(snapshot.findings.is_empty(), "{:?}", snapshot.findings);
    assert_eq!(snapshot.felt.bank[1], sabot_law::table::felt::Shown::Covered);
    for role in [Role::Shoe, Role::Chips, Role::Keypad, Role::Shuffler] {
        bench.until_did(|did| did.contains(&Did::Ack(role, 1, seqs[role as usize]))).await;
    }
    let (end, lines) = bench.stop().await;
    assert_eq!((end.line, end.fault), (snapshot.line, None));
    assert_eq!(lines.len() as u64 + 1, snapshot.line);
    assert!(lines.last().unwrap().contains(r#""to":"bank","face":"down","#));
}

#[tokio::test]
async fn the_alert_is_at_the_display_while_the_disk_fails_and_nothing_is_acknowledged_until_it_is_well() {
    let mut bench = Bench::start(LONG).await;
    bench.deal().await;
    let last = bench.seqs[Role::Chips as usize];
    bench.until_did(|did| did.contains(&Did::Ack(Role::Chips, 1, last))).await;
    bench.disk.with(|disk| disk.sync_fails = true);
    bench.when = Some(When { received: Instant::now(), age_ms: 3_000, error_ms: 7 });
    let shoe = bench.drawn("8D").await;
    bench.when = None;
    let chips = bench.arrives(Place::Bank, Face::Up).await;
    let did = bench.until_did(|did| shows(did, 4, "C7 BANCA")).await;
    assert!(did.contains(&Did::Show(Show::Lamp(Lamp::Red))));
    let did = bench.until_did(|did| shows(did, 0, "quemar 1 carta de la banca")).await;
    assert!(did.iter().any(|did| matches!(did, Did::Show(Show::Buzz(_)))));
    let snapshot = bench.until(|snapshot| snapshot.figures.unwritable).await;
    assert_eq!((snapshot.findings[0].finding.provision, snapshot.findings[0].state), ("C7", FindingState::Open));
    let TableFigures { alerts, syncs, .. } = snapshot.figures;
    assert!(alerts.count() == 1 && (3_000_000..60_000_000).contains(&alerts.sum_us()), "{alerts:?}");
    assert!(syncs.count() > 1, "{syncs:?}");
    let did = bench.until_did(|did| shows(did, 0, "DETENER EL REPARTO") && shows(did, 1, "REGISTRO")).await;
    assert!(!did.contains(&Did::Ack(Role::Shoe, 1, shoe)) && !did.contains(&Did::Ack(Role::Chips, 1, chips)));
    bench.disk.with(|disk| disk.sync_fails = false);
    bench.until_did(|did| did.contains(&Did::Ack(Role::Shoe, 1, shoe))).await;
    bench.until_did(|did| did.contains(&Did::Ack(Role::Chips, 1, chips))).await;
    bench.until(|snapshot| !snapshot.figures.unwritable).await;
}

#[tokio::test]
async fn a_held_back_card_is_acknowledged_only_after_its_line() {
    let mut bench = Bench::start(LONG).await;
    bench.deal().await;
    let before = bench.seqs[Role::Chips as usize];
    bench.until_did(|did| did.contains(&Did::Ack(Role::Chips, 1, before))).await;
    let line = bench.snapshots.borrow().line;
    let shoe = bench.drawn("8D").await;
    // a report that tells nothing comes after it, so that the card has been taken when it is seen
    bench.reports.send((Role::Keypad, LinkReport::Connecting)).await.unwrap();
    bench.until(|snapshot| snapshot.line == line + 1).await;
    assert!(!bench.did.borrow().contains(&Did::Ack(Role::Shoe, 1, shoe)));
    bench.arrives(Place::Bank, Face::Down).await;
    bench.until_did(|did| did.contains(&Did::Ack(Role::Shoe, 1, shoe))).await;
    let (_, lines) = bench.stop().await;
    assert!(lines.last().unwrap().contains(&format!(r#""origin":["shoe",1,{shoe}],"paired":["chips",1,"#)));
}

#[tokio::test]
async fn a_card_that_nothing_follows_goes_when_the_wait_is_over() {
    let mut bench = Bench::start(Duration::from_millis(20)).await;
    let shoe = bench.drawn("8D").await;
    bench.until_did(|did| did.contains(&Did::Ack(Role::Shoe, 1, shoe))).await;
    let (_, lines) = bench.stop().await;
    assert!(lines.last().unwrap().starts_with(r#"{"ev":"draw","card":"8D","t":"#));
}

#[tokio::test]
async fn devices_that_come_go_and_miss_events_are_shown_and_recorded() {
    let mut bench = Bench::start(LONG).await;
    bench.reports.send((Role::Shoe, LinkReport::Absent("no such file".to_owned()))).await.unwrap();
    bench.reports.send((Role::Shoe, LinkReport::Absent("permission denied".to_owned()))).await.unwrap();
    let shoe = |snapshot: &Arc<Snapshot>| snapshot.devices[0].clone();
    let snapshot = bench.until(|snapshot| shoe(snapshot).detail == "permission denied").await;
    assert_eq!((shoe(&snapshot).state, snapshot.line), (DeviceState::Absent, 7), "recorded once");
    bench.comes(Role::Shoe).await;
    bench.reports.send((Role::Shoe, LinkReport::Missed(Missed::Forgotten { from: 3, to: 4 }))).await.unwrap();
    bench.until(|snapshot| snapshot.line == 8 && shoe(snapshot).state == DeviceState::Online).await;
    bench.reports.send((Role::Shoe, LinkReport::CaughtUp)).await.unwrap();
    bench.until(|snapshot| snapshot.line == 9).await;
    bench
        .reports
        .send((Role::Shoe, LinkReport::Refused { why: "a keypad answers".to_owned(), distrust: None }))
        .await
        .unwrap();
    let snapshot = bench.until(|snapshot| shoe(snapshot).state == DeviceState::Refused).await;
    assert_eq!(snapshot.devices[0].detail, "a keypad answers");
    bench.until(|snapshot| shoe(snapshot).bad_frames == 3 && shoe(snapshot).repeats == 2).await;
    let (_, lines) = bench.stop().await;
    for (line, begins) in lines[5..].iter().zip([
        r#"{"ev":"device","device":"shoe","status":"offline","detail":"no such file","#,
        r#"{"ev":"device","device":"shoe","status":"events_missed","detail":"3 to 4","#,
        r#"{"ev":"device","device":"shoe","status":"online","detail":"shoe, firmware 1.2.3, start 4","t""#,
        r#"{"ev":"device","device":"shoe","status":"refused","detail":"a keypad answers","#,
    ]) {
        assert!(line.starts_with(begins), "{line}");
    }
}

#[tokio::test]
async fn the_record_gives_the_same_findings_as_the_table_did() {
    let mut bench = Bench::start(LONG).await;
    bench.deal().await;
    bench.dealt("8D", 0).await;
    bench.said(KeypadSaid::Request { box_no: 5, player: 9 }).await;
    let line = bench.said(KeypadSaid::EndPass).await;
    bench.until_did(|did| did.contains(&Did::Ack(Role::Keypad, 1, line))).await;
    let live = bench.snapshots.borrow().clone();
    let (_, lines) = bench.stop().await;
    let mut table = LiveTable::new(Validator::new(config(LONG).header).unwrap(), Findings::new(Lang::Es));
    for (number, line) in (2..).zip(&lines) {
        table.step(number, &sabot_law::table::line::event(line.as_bytes()).unwrap());
    }
    let findings = |list: &mut dyn Iterator<Item = &crate::snapshot::FindingView>| {
        list.map(|view| serde_json::to_string(view).unwrap()).collect::<Vec<_>>()
    };
    let read = findings(&mut table.findings.in_order(table.findings.list(), live.felt.pass).iter());
    assert!(read.iter().any(|view| view.contains(r#""provision":"C7""#)), "{read:?}");
    assert_eq!(read, findings(&mut live.findings.iter()));
    assert_eq!(table.validator.felt(), live.felt);
}

#[tokio::test]
async fn a_covered_card_is_nowhere_in_the_snapshot_or_on_the_display() {
    let mut bench = Bench::start(LONG).await;
    bench.deal().await;
    bench.drawn("2C").await;
    bench.arrives(Place::Bank, Face::Down).await;
    let snapshot = bench.until(|snapshot| snapshot.felt.bank.len() == 2).await;
    let json = serde_json::to_string(&*snapshot).unwrap();
    assert!(json.contains("9S") && !json.contains("2C"), "{json}");
    assert!(!format!("{:?}", bench.did.borrow()).contains("2C"));
}

#[tokio::test]
async fn when_the_last_link_is_gone_the_task_ends_and_the_record_is_whole() {
    let mut bench = Bench::start(LONG).await;
    let seq = bench.said(KeypadSaid::Seat { seat: 1, player: 1 }).await;
    bench.until_did(|did| did.contains(&Did::Ack(Role::Keypad, 1, seq))).await;
    let Bench { reports, task, disk, shutdown, .. } = bench;
    drop(reports);
    let end = tokio::time::timeout(PATIENCE, task).await.expect("with the last link gone it ends").unwrap();
    assert_eq!(end.fault, None);
    assert!(disk.with(|disk| disk.synced.ends_with(b"\n")));
    drop(shutdown);
}

#[tokio::test]
async fn a_line_tells_when_its_device_saw_it_and_a_card_when_the_shoe_did() {
    let mut bench = Bench::start(LONG).await;
    let aged = |age_ms| Some(When { received: Instant::now(), age_ms, error_ms: 7 });
    bench.when = aged(90_000);
    bench.said(KeypadSaid::Seat { seat: 1, player: 1 }).await;
    bench.when = None;
    bench.said(KeypadSaid::Seat { seat: 2, player: 2 }).await;
    bench.when = aged(4_000);
    bench.drawn("8D").await;
    bench.when = aged(3_000);
    let last = bench.arrives(Place::Hand(HandId { box_no: 1, hand: 0 }), Face::Up).await;
    bench.until_did(|did| did.contains(&Did::Ack(Role::Chips, 1, last))).await;
    let (_, lines) = bench.stop().await;
    let read = |line: &String| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        (line["t"].as_i64().unwrap(), line["seen"].as_i64(), line["seen_within"].as_u64())
    };
    let [seat, unknown, draw] = [&lines[5], &lines[6], &lines[7]].map(read);
    for ((t, seen, within), age) in [(seat, 90_000), (draw, 4_000)] {
        let age_told = t - seen.unwrap();
        assert!((age..age + 2_000).contains(&age_told) && within == Some(7), "{age_told} of {age}");
    }
    assert!(seat.1.unwrap() < 0, "seen before the record was begun");
    assert_eq!((unknown.1, unknown.2), (None, None));
    // the validator reads the very same event with and without
    for line in &lines[5..8] {
        let mut bare: serde_json::Value = serde_json::from_str(line).unwrap();
        bare.as_object_mut().unwrap().retain(|key, _| !key.starts_with("seen"));
        let read = |text: &str| sabot_law::table::line::timed(text.as_bytes()).unwrap();
        assert_eq!(read(line), read(&bare.to_string()));
    }
}

#[tokio::test]
async fn a_poor_line_is_shown_and_recorded_once_and_again_when_it_is_good() {
    let mut bench = Bench::start(LONG).await;
    let why = Complaint { trouble: Trouble::Damaged, count: 5, frames: 238, over_ms: 60_000 };
    bench.reports.send((Role::Keypad, LinkReport::Quality(Quality::Poor(why)))).await.unwrap();
    let keypad = |snapshot: &Arc<Snapshot>| snapshot.devices[3].clone();
    let shown = keypad(&bench.until(|snapshot| keypad(snapshot).poor.is_some()).await);
    assert_eq!(shown.state, DeviceState::Online);
    let words = shown.poor.unwrap();
    assert!(words.es.contains("2,1 %") && words.en.contains("2.1 %"), "{words:?}");
    bench.reports.send((Role::Keypad, LinkReport::Quality(Quality::Good))).await.unwrap();
    bench.until(|snapshot| keypad(snapshot).poor.is_none()).await;
    let last = bench.said(KeypadSaid::Seat { seat: 1, player: 1 }).await;
    bench.until_did(|did| did.contains(&Did::Ack(Role::Keypad, 1, last))).await;
    let (_, lines) = bench.stop().await;
    let told: Vec<_> = lines.iter().filter(|line| line.contains("link_")).collect();
    let [poor, good] = told[..] else { panic!("{told:?}") };
    let begins =
        r#"{"ev":"device","device":"keypad","status":"link_poor","detail":"the cable or its plug is going bad: 2.1 %"#;
    assert!(poor.starts_with(begins), "{poor}");
    assert!(good.starts_with(r#"{"ev":"device","device":"keypad","status":"link_good","t":"#), "{good}");
}

#[tokio::test]
async fn a_full_shoe_is_told_at_the_display_on_the_page_and_in_the_record_until_it_has_room() {
    let mut bench = Bench::start(LONG).await;
    let shoe = |snapshot: &Arc<Snapshot>| snapshot.devices[0].clone();
    bench.saw(Role::Shoe, Observation::Device(wire::DeviceState::RingFull)).await;
    let full = shoe(&bench.until(|snapshot| shoe(snapshot).full.is_some()).await).full.unwrap();
    assert_eq!((full.es.as_str(), full.en.as_str()), ("lleno: no extraer cartas", "full: draw no card"));
    let did = bench.until_did(|did| shows(did, 1, "SABOT LLENO: no extraer cartas")).await;
    assert!(shows(&did, 0, "DETENER EL REPARTO") && did.contains(&Did::Show(Show::Lamp(Lamp::Red))));
    let last = bench.saw(Role::Shoe, Observation::Device(wire::DeviceState::RingFree)).await;
    bench.until(|snapshot| shoe(snapshot).full.is_none()).await;
    bench.until_did(|did| did.contains(&Did::Ack(Role::Shoe, 1, last))).await;
    let did = bench
        .until_did(|did| {
            matches!(
                did.iter().rfind(|did| matches!(did, Did::Show(Show::Lamp(_)))),
                Some(Did::Show(Show::Lamp(Lamp::Amber))) // what it did not see meanwhile
            )
        })
        .await;
    let row = did.iter().rev().find_map(|did| match did {
        Did::Show(Show::Line { row: 0, text }) => Some(text.as_str()),
        _ => None,
    });
    assert!(row.is_some_and(|text| !text.contains("LLENO")), "{row:?}");
    let (_, lines) = bench.stop().await;
    for (line, status) in lines[5..].iter().zip(["ring_full", "offline", "ring_free", "online"]) {
        assert!(line.starts_with(&format!(r#"{{"ev":"device","device":"shoe","status":"{status}""#)), "{line}");
    }
}

#[tokio::test]
async fn while_the_disk_hangs_a_device_that_may_tell_no_more_is_shown_and_then_everything_is_acknowledged() {
    let mut bench = Bench::start(LONG).await;
    bench.disk.with(|disk| disk.hangs = true);
    let mut last = 0;
    for n in 1..=WINDOW {
        last = bench.said(KeypadSaid::Seat { seat: 1 + (n % 7) as u8, player: 1 }).await;
    }
    let keypad = |snapshot: &Arc<Snapshot>| snapshot.devices[3].clone();
    let snapshot = bench.until(|snapshot| keypad(snapshot).full.is_some()).await;
    assert_eq!(keypad(&snapshot).full.unwrap().en, "waits for the record: it keeps what it sees");
    assert_eq!(snapshot.devices.iter().filter(|device| device.full.is_some()).count(), 1);
    assert!(snapshot.line > snapshot.figures.written + u64::from(WINDOW) - 1, "{:?}", snapshot.figures);
    bench.until_did(|did| shows(did, 2, "ESPERAR: el registro no da abasto")).await;
    bench.disk.with(|disk| disk.hangs = false);
    bench.until(|snapshot| keypad(snapshot).full.is_none()).await;
    bench.until_did(|did| did.contains(&Did::Ack(Role::Keypad, 1, last))).await;
    let (end, lines) = bench.stop().await;
    assert_eq!((end.fault, lines.len() as u64 + 1), (None, end.line));
}

#[path = "table_task_backlog_tests.rs"]
mod a_station_that_was_away;

#[path = "table_task_absence_tests.rs"]
mod absence;

#[test]
fn what_ends_with_its_pass_is_open_no_more() {
    let header = config(Duration::ZERO).header;
    let mut table = LiveTable::new(Validator::new(header).unwrap(), Findings::new(Lang::En));
    let pass = ["bet\",\"box\":\"1\",\"amount\":5000", "close_bets", "draw\",\"card\":\"??\",\"to\":\"1", "end"];
    let mut stood = Vec::new();
    for (line, event) in (2..).zip(pass) {
        let json = format!("{{\"ev\":\"{event}{}}}", if event.ends_with('0') { "" } else { "\"" });
        table.step(line, &sabot_law::table::line::event(json.as_bytes()).unwrap());
        let is_unread =
            |view: &&FindingView| view.finding.remedy == [Remedy::Identify { place: HandId::first(1).into() }];
        stood.push(table.findings.list().find(is_unread).map(|view| view.state));
    }
    assert_eq!(stood, [None, None, Some(FindingState::Open), Some(FindingState::Noted)]);
}

#[tokio::test(start_paused = true)]
async fn the_record_tells_of_the_station_at_its_start_each_minute_and_its_end() {
    let bench = Bench::start_telling(config(LONG), |config, validator| Some(About::of(config, validator))).await;
    let minutes =
        |bench: &Bench| bench.disk.with(|disk| String::from_utf8_lossy(&disk.synced).matches("clock").count());
    while minutes(&bench) < 2 {
        tokio::time::sleep(COUNT_EVERY).await;
    }
    let (end, lines) = bench.stop().await;
    assert_eq!(end.fault, None);
    let own: Vec<serde_json::Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        // the clock of this test leaps, its disk does not, and may seem silent: then the verdict is another, too
        .filter(|line: &serde_json::Value| line["device"] == "station")
        .filter(|line| line["status"] != "record_fault" && line["status"] != "verdict")
        .collect();
    let told: Vec<_> = own.iter().map(|line| (line["status"].as_str().unwrap(), line["t"].as_u64().unwrap())).collect();
    let (stop, told) = told.split_last().unwrap();
    assert_eq!(told[..3], [("start", 0), ("clock", 60_000), ("clock", 120_000)]);
    assert!(stop.0 == "stop" && stop.1 >= 120_000, "{stop:?}");
    let regulation = own[0]["detail"].as_str().unwrap().split(" regulation ").nth(1).unwrap()[..64].to_owned();
    let other = Header { regulation: Name::new("talla"), ..config(LONG).header };
    let other = About::of(&config(LONG), &Validator::new(other).unwrap());
    assert!(matches!(other.start(), Event::Device { detail: Some(detail), .. } if !detail.contains(&regulation)));
}
