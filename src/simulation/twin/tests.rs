//! The twins through real pseudo-terminals, with the host's session of the link at the other end.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::time::Instant;

use nix::fcntl::OFlag;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use sabot_stall_guard::PATIENCE;
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::host::{Expect, Host, Report, Resume};
use sabot_wire::message::{BetSpot, Card, Chip, Face, HandId, KeypadSaid, Lamp, Place, ShoeSaw, Show, ShufflerSaw};

use super::*;

/// A host that opens the port whenever it is there, and calls every event durable unless told otherwise.
struct TestHost {
    host: Host<Key>,
    link: PathBuf,
    port: Option<File>,
    start: Instant,
    keeps: bool,
    seen: Vec<Observation>,
    last: Option<Resume>,
    onlines: Vec<(u32, u32)>,
}

impl TestHost {
    fn new(role: Role, dir: &Path, resume: Option<Resume>) -> Self {
        Self {
            host: Host::new(Expect { role, serial: None }, key(), &[role as u8; 32], resume),
            link: dir.join(role.name()),
            port: None,
            start: Instant::now(),
            keeps: true,
            seen: Vec::new(),
            last: None,
            onlines: Vec::new(),
        }
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    fn open(&mut self) {
        let flags = (OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits();
        let Ok(port) = OpenOptions::new().read(true).write(true).custom_flags(flags).open(&self.link) else { return };
        let Ok(mut mode) = tcgetattr(&port) else { return };
        cfmakeraw(&mut mode);
        if tcsetattr(&port, SetArg::TCSANOW, &mode).is_ok() {
            self.port = Some(port);
            self.host.opened(self.now());
        }
    }

    fn gone(&mut self) {
        self.port = None;
        self.host.closed();
    }

    fn take(&mut self, report: Report) {
        match report {
            Report::Saw { epoch, seq, saw, .. } => {
                self.seen.push(saw.expect("a twin makes sense"));
                if self.keeps {
                    self.host.durable(epoch, seq);
                    let (_, serial) = self.serial();
                    self.last = Some(Resume { serial, epoch, seq, boots: None });
                }
            }
            Report::Online { hello, missed, .. } => {
                assert_eq!(missed, None);
                self.onlines.push((hello.boots, hello.epoch));
                self.last.get_or_insert(Resume { serial: hello.serial, epoch: hello.epoch, seq: 0, boots: None });
            }
            Report::Refused(refusal) => panic!("{refusal}"),
            Report::Forged => panic!("a clean line forges nothing"),
            Report::Missed(missed) => panic!("nothing is lost: {missed:?}"),
            Report::Withheld(what) => panic!("nobody withholds {what:?}"),
            Report::ClockWentBack => panic!("its clock goes on"),
            Report::Keeps(_) => panic!("it was not asked"),
            Report::Late { .. } => {}
            Report::CaughtUp | Report::Silent | Report::Garbled => {}
        }
    }

    fn serial(&self) -> (u32, sabot_wire::heapless::String<16>) {
        self.last.as_ref().map(|last| (last.epoch, last.serial.clone())).expect("online before an event")
    }

    /// One turn of a host's loop.
    fn turn(&mut self) {
        if self.port.is_none() {
            self.open();
        }
        let now = self.now();
        if let Some(report) = self.host.tick(now) {
            self.take(report);
        }
        let Some(mut port) = self.port.as_ref() else { return std::thread::yield_now() };
        let mut out = [0; MAX_FRAME];
        while let Some(frame) = self.host.transmit(now, &mut out) {
            if port.write_all(frame).is_err() {
                return self.gone();
            }
        }
        let mut bytes = [0; 512];
        match port.read(&mut bytes) {
            Ok(0) => self.gone(),
            Ok(count) => {
                let mut input = &bytes[..count];
                while let Some(report) = self.host.receive(now, &mut input) {
                    self.take(report);
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::yield_now(),
            Err(_) => self.gone(),
        }
    }

    fn until(&mut self, what: &str, mut done: impl FnMut(&Self) -> bool) {
        let start = Instant::now();
        while !done(self) {
            assert!(start.elapsed() < PATIENCE, "{what}: {} seen, online {}", self.seen.len(), self.host.online());
            self.turn();
        }
    }

    fn until_idle(&mut self, twin: &Twin) {
        self.until("everything is acknowledged", |_| twin.idle());
    }
}

/// The key of the twins here.
fn key() -> Key {
    Key::new([0x5B; 16])
}

fn drawn(card: u8) -> Observation {
    Observation::Shoe(ShoeSaw::Drawn(Card::from_code(card)))
}

fn all_drawn(cards: std::ops::Range<u8>) -> Vec<Observation> {
    cards.map(drawn).collect()
}

fn dir() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

fn start(role: Role, dir: &tempfile::TempDir) -> (Twin, TestHost) {
    let twin = Twin::start(role, &dir.path().join(role.name()), Some(key())).expect("a twin");
    (twin, TestHost::new(role, dir.path(), None))
}

/// What each device can see, in an order that moves every sensor.
fn everything() -> Vec<(Role, Vec<Observation>)> {
    vec![
        (Role::Shoe, everything_a_shoe_sees()),
        (Role::Shuffler, everything_a_shuffler_sees()),
        (Role::Chips, everything_antennas_see()),
        (
            Role::Keypad,
            vec![KeypadSaid::CloseBets, KeypadSaid::Bettor { box_no: 1, player: 9 }, KeypadSaid::EndPass]
                .into_iter()
                .map(Observation::Keypad)
                .collect(),
        ),
    ]
}

fn everything_a_shoe_sees() -> Vec<Observation> {
    vec![
        Observation::Device(DeviceState::LidOpen),
        Observation::Shoe(ShoeSaw::Loaded { cards: 416, cut_card: 52 }),
        Observation::Device(DeviceState::LidClosed),
        drawn(3),
        Observation::Shoe(ShoeSaw::Drawn(Card::UNREAD)),
        Observation::Shoe(ShoeSaw::CutCard),
        Observation::Device(DeviceState::ReadError),
        Observation::Device(DeviceState::Jam),
        Observation::Device(DeviceState::Tamper),
        Observation::Device(DeviceState::Tamper),
        drawn(51),
        Observation::Shoe(ShoeSaw::Empty),
        Observation::Shoe(ShoeSaw::Loaded { cards: 312, cut_card: 60 }),
        drawn(0),
        Observation::Shoe(ShoeSaw::Empty),
    ]
}

fn everything_a_shuffler_sees() -> Vec<Observation> {
    [
        ShufflerSaw::DoorOpen,
        ShufflerSaw::DoorClosed,
        ShufflerSaw::Done { decks: 8, cards: 416 },
        ShufflerSaw::Jam,
        ShufflerSaw::Jam,
        ShufflerSaw::Done { decks: 8, cards: 415 },
    ]
    .map(Observation::Shuffler)
    .into()
}

fn everything_antennas_see() -> Vec<Observation> {
    let spot = |count: u64, value| {
        let chips = (0..count).map(|uid| Chip { uid, value }).collect();
        ChipsSaw::Spot { box_no: 7, hand: 7, spot: BetSpot::Insurance, chips }
    };
    let place = Place::Hand(HandId { box_no: 2, hand: 1 });
    [
        spot(3, 50_000),
        ChipsSaw::CardArrived { place, face: Some(Face::Down) },
        spot(3, 60_000),
        ChipsSaw::CardTurned { place },
        ChipsSaw::CardsMoved { from: place, to: Place::Discard, cards: None },
        spot(0, 0),
    ]
    .map(Observation::Chips)
    .into()
}

#[test]
fn what_every_sensor_sees_comes_to_the_host_as_it_was_and_in_order() {
    for (role, saw) in everything() {
        let dir = dir();
        let (twin, mut host) = start(role, &dir);
        for saw in &saw {
            twin.saw(saw.clone()).expect("a sensor");
        }
        host.until_idle(&twin);
        assert_eq!(host.seen, saw, "{role}");
        assert_eq!((host.host.counters().bad_frames, host.onlines.len()), (0, 1), "{role}");
    }
}

#[test]
fn nothing_is_lost_or_doubled_while_the_cable_is_pulled_again_and_again() {
    let dir = dir();
    let (twin, mut host) = start(Role::Shoe, &dir);
    for round in 0..5 {
        all_drawn(round * 40..round * 40 + 20).into_iter().for_each(|saw| twin.saw(saw).expect("a sensor"));
        let seen = host.seen.len();
        host.until("some cards have come", |host| host.seen.len() > seen);
        twin.unplug();
        all_drawn(round * 40 + 20..round * 40 + 40).into_iter().for_each(|saw| twin.saw(saw).expect("a sensor"));
        host.until("the cable is out", |host| host.port.is_none());
        assert!(!twin.idle());
        twin.plug();
    }
    host.until_idle(&twin);
    assert_eq!(host.seen, all_drawn(0..200));
    assert!(host.onlines.len() >= 5, "{} sessions", host.onlines.len());
}

#[test]
fn a_power_cycle_loses_neither_the_ring_nor_what_comes_after_it() {
    let dir = dir();
    let (twin, mut host) = start(Role::Shoe, &dir);
    host.keeps = false;
    all_drawn(0..30).into_iter().for_each(|saw| twin.saw(saw).expect("a sensor"));
    host.until("all have come, none is durable", |host| host.seen.len() == 30);
    twin.restart();
    host.until("the device has started again", |host| host.onlines.len() == 2);
    let [(1, epoch), (2, same)] = host.onlines[..] else { panic!("{:?}", host.onlines) };
    assert_eq!(epoch, same);
    host.host.durable(epoch, 30);
    host.keeps = true;
    all_drawn(30..35).into_iter().for_each(|saw| twin.saw(saw).expect("a sensor"));
    host.until_idle(&twin);
    assert_eq!(host.seen, all_drawn(0..35));
}

#[test]
fn a_host_that_starts_again_gets_exactly_what_was_not_durable() {
    let dir = dir();
    let (twin, mut host) = start(Role::Shoe, &dir);
    all_drawn(0..10).into_iter().for_each(|saw| twin.saw(saw).expect("a sensor"));
    host.until_idle(&twin);
    host.keeps = false;
    all_drawn(10..20).into_iter().for_each(|saw| twin.saw(saw).expect("a sensor"));
    host.until("the rest has come", |host| host.seen.len() == 20);
    let mut second = TestHost::new(Role::Shoe, dir.path(), host.last.clone());
    drop(host);
    second.until_idle(&twin);
    assert_eq!(second.seen, all_drawn(10..20));
}

#[test]
fn a_spot_that_changes_while_the_reader_has_no_power_is_reported_and_one_that_does_not_is_not() {
    let dir = dir();
    let (twin, mut host) = start(Role::Chips, &dir);
    let bet = |box_no, uid| {
        let chips = [Chip { uid, value: 5_000 }].into_iter().collect();
        Observation::Chips(ChipsSaw::Spot { box_no, hand: 0, spot: BetSpot::Main, chips })
    };
    [bet(1, 1), bet(2, 2)].into_iter().for_each(|saw| twin.saw(saw).expect("a sensor"));
    host.until_idle(&twin);
    twin.restart();
    [bet(1, 1), bet(2, 3)].into_iter().for_each(|saw| twin.saw(saw).expect("a sensor"));
    host.until("it has started again", |host| host.onlines.len() == 2);
    host.until_idle(&twin);
    assert_eq!(host.seen, [bet(1, 1), bet(2, 2), bet(2, 3)]);
}

#[test]
fn more_than_the_ring_holds_waits_at_the_sensor_and_nothing_is_dropped() {
    let dir = dir();
    let (twin, mut host) = start(Role::Keypad, &dir);
    let entries: Vec<_> =
        (0..5_000).map(|player| Observation::Keypad(KeypadSaid::Request { box_no: 1, player })).collect();
    entries.iter().for_each(|saw| twin.saw(saw.clone()).expect("a sensor"));
    host.until_idle(&twin);
    let ring = |saw: &Observation| matches!(saw, Observation::Device(_));
    let full = host.seen.iter().filter(|saw| ring(saw)).count();
    assert!(full >= 2 && full % 2 == 0, "it says full and free: {full}");
    host.seen.retain(|saw| !ring(saw));
    assert_eq!(host.seen, entries);
}

#[test]
fn the_display_shows_what_it_was_told_and_says_so_when_nobody_speaks_to_it() {
    let dir = dir();
    let (twin, mut host) = start(Role::Display, &dir);
    assert_eq!(twin.screen().lines[0], sabot_firmware::display::NO_LINK);
    host.host.show(Show::Line { row: 1, text: "quemar 1 carta".try_into().expect("it fits") });
    host.host.show(Show::Lamp(Lamp::Red));
    let shown =
        |screen: &Screen| screen.lines[0].is_empty() && screen.lines[1] == "quemar 1 carta" && screen.lamp == Lamp::Red;
    host.until("it is shown", |_| shown(&twin.screen()));
    twin.unplug();
    let alone = twin.wait_screen(PATIENCE, |screen| screen.lines[0] == sabot_firmware::display::NO_LINK);
    assert_eq!(alone.map(|screen| (screen.lines[1].clone(), screen.lamp)), Some((String::new(), Lamp::Off)));
    twin.plug();
    host.until("it is shown again", |_| shown(&twin.screen()));
}

#[test]
fn a_table_of_twins_leaves_no_link_behind_and_spares_what_is_not_its_own() {
    let dir = dir();
    let twins = Twins::start(dir.path()).expect("twins");
    for role in Role::ALL {
        assert!(dir.path().join(role.name()).exists(), "{role}");
    }
    twins.unplug(Role::Chips);
    drop(twins);
    let left = std::fs::read_dir(dir.path()).expect("it is there").filter_map(Result::ok);
    let left: Vec<_> =
        left.map(|entry| entry.file_name()).filter(|name| !name.to_string_lossy().starts_with("keys.toml")).collect();
    assert!(left.is_empty(), "{left:?}");
    std::fs::write(dir.path().join("shoe"), "mine").expect("a file");
    let error = Twins::start(dir.path()).expect_err("no link can be made there").to_string();
    assert!(error.contains("shoe") && error.contains("remove"), "{error}");
    assert_eq!(std::fs::read(dir.path().join("shoe")).expect("it is there"), b"mine");
}

#[test]
fn a_technician_drives_one_twin_by_lines_and_is_told_which_line_makes_no_sense() {
    let dir = dir();
    let link = dir.path().join("shoe");
    let commands = "# a card, the cable, a mistake, another card\n{\"Shoe\":{\"Drawn\":\"2S\"}}\nunplug\nplug\nrestart\n\
                    draw\n{\"Keypad\":\"EndPass\"}\n\n{\"Shoe\":{\"Drawn\":\"3S\"}}\n";
    let mut host = TestHost::new(Role::Shoe, dir.path(), None);
    let driver = std::thread::spawn(move || {
        let mut complaints = Vec::new();
        let twin = Twin::start(Role::Shoe, &link, Some(key())).expect("a twin");
        run_commands(&twin, commands.as_bytes(), |line, bad| complaints.push(format!("line {line}: {bad}")))
            .map(|()| complaints)
    });
    host.until("the driver ends", |_| driver.is_finished());
    let complaints = driver.join().expect("no panic").expect("a twin");
    assert_eq!(host.seen, [drawn(1), drawn(2)]);
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints[0].starts_with("line 6:") && complaints[1].starts_with("line 7: the shoe has no sensor"));
}
