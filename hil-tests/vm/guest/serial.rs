//! Devices behind USB-serial ports: the station's link over tokio-serial and the kernel's cdc-acm on one side, the
//! firmware on the port of a gadget on the other.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use sabot_drivers::keys::KeyFile;
use sabot_drivers::link::{Link, LinkConfig, LinkReport, Seen, spawn};
use sabot_simulation::twin::usb::gadget::{Function, Gadget, Identity};
use sabot_simulation::twin::{Twin, paired_key};
use sabot_wire::message::{Card, Observation, Role, ShoeSaw};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, watch};

use crate::rig::{Helper, PORTS, Scenario, enumerated, load, log, logged, tty_of, wait_until};

pub(crate) const SCENARIOS: &[(&str, Scenario)] = &[
    ("shoe_on_a_usb_port_tells_its_events", tells),
    ("shoe_unplugged_in_a_burst_tells_every_event_once_in_order", unplugged_in_a_burst),
    ("shoe_that_is_back_at_once_has_its_old_number", back_at_once),
    ("shoe_replugged_under_another_number_is_found", replugged),
    ("shoe_named_by_its_serial_number_is_found_under_any", found_by_serial),
    ("another_device_on_the_shoes_port_is_refused", refused),
    ("what_is_no_device_of_ours_is_asked_and_nothing_more", stranger),
    ("device_that_takes_nothing_holds_nobody_up", hangs),
    ("port_that_may_not_be_opened_is_told_in_words", denied),
    ("port_that_another_program_has_is_told_in_words", in_use),
];

const VENDOR: u16 = 0x1d6b;
const PRODUCT: u16 = 0x0104;
/// Where a rule of udev would have made a link to the shoe's port.
const BY_ROLE: &str = "/dev/sabot-shoe";
/// The keys that station and devices have in common.
const KEYS: &str = "/tmp/keys.toml";
/// The shoe's number in the firmware.
const SHOE: &str = "TWIN-SHOE";

/// A device's USB side.
fn gadget(name: &str, serial: &str) -> Gadget {
    let identity = Identity { vendor: VENDOR, product: PRODUCT, maker: "sabot", what: "a simulated device", serial };
    Gadget::new(name, &identity, Function::Acm).unwrap()
}

/// A shoe: the firmware's own session on the port of a gadget.
struct Shoe {
    // the firmware goes first: a port that is open cannot be taken away
    twin: Twin,
    usb: Gadget,
}

impl Shoe {
    fn new() -> Self {
        let usb = gadget("shoe", "USB-SHOE");
        Self { twin: twin(Role::Shoe, &usb), usb }
    }

    fn plugged() -> (Self, PathBuf) {
        let shoe = Self::new();
        shoe.usb.plug(PORTS[0]).unwrap();
        (shoe, tty_of("USB-SHOE"))
    }

    fn draw(&self, cards: std::ops::Range<u32>) {
        for n in cards {
            self.twin.saw(Observation::Shoe(ShoeSaw::Drawn(card(n)))).unwrap();
        }
    }
}

/// Somebody at the device's side of a port, who keeps what comes.
struct Listener(JoinHandle<Vec<u8>>);

impl Listener {
    fn at(usb: &Gadget) -> Self {
        // as the twins open it
        let tty = usb.tty().unwrap();
        let raw = std::process::Command::new("/bin/busybox").args(["stty", "raw", "-echo", "-F"]).arg(&tty).status();
        assert!(raw.unwrap().success());
        let mut device = fs::File::open(&tty).unwrap();
        Self(std::thread::spawn(move || {
            let (mut bytes, mut kept) = ([0; 256], Vec::new());
            while let Ok(count @ 1..) = device.read(&mut bytes) {
                kept.extend_from_slice(&bytes[..count]);
            }
            kept
        }))
    }

    /// Everything that came until the device was unplugged.
    fn all(self) -> Vec<u8> {
        self.0.join().unwrap()
    }
}

/// The firmware of a role, paired with the station, on the port of a gadget.
fn twin(role: Role, usb: &Gadget) -> Twin {
    let key = paired_key(role, Path::new(KEYS)).unwrap();
    Twin::start(role, &usb.tty().unwrap(), Some(key)).unwrap()
}

fn card(n: u32) -> Card {
    Card::from_code((n % 52) as u8)
}

/// The station's link to a shoe; what it reports is kept, and events are acknowledged as if they were on disk.
struct Station {
    runtime: Runtime,
    _stop: watch::Sender<bool>,
    told: Arc<Mutex<Vec<LinkReport>>>,
}

impl Station {
    fn start(port: &Path, serial: Option<&str>) -> Self {
        Self::start_on(Builder::new_multi_thread(), port, serial)
    }

    fn start_on(mut runtime: Builder, port: &Path, serial: Option<&str>) -> Self {
        let runtime = runtime.enable_all().build().unwrap();
        let (sender, mut reports) = mpsc::channel(64);
        let (stop, stopped) = watch::channel(false);
        let serial = serial.map(str::to_owned);
        let config = LinkConfig { role: Role::Shoe, port: port.to_owned(), baud: 115_200, serial, image: None };
        let told: Arc<Mutex<Vec<LinkReport>>> = Arc::default();
        let link: Link = {
            let _in_runtime = runtime.enter();
            spawn(config, KeyFile::new(KEYS.into()), None, sender, stopped)
        };
        let kept = Arc::clone(&told);
        runtime.spawn(async move {
            while let Some((_, report)) = reports.recv().await {
                if let LinkReport::Saw(seen) = &report {
                    link.ack(seen.epoch, seen.seq);
                }
                kept.lock().unwrap().push(report);
            }
        });
        Self { runtime, _stop: stop, told }
    }

    fn told(&self, what: &str, mut wanted: impl FnMut(&LinkReport) -> bool) -> Duration {
        wait_until(what, || self.told.lock().unwrap().iter().any(&mut wanted))
    }

    /// Waits until the last that was told of the device itself is so.
    fn last_is(&self, what: &str, wanted: impl Fn(&LinkReport) -> bool) -> Duration {
        let of_the_device = |report: &&LinkReport| !matches!(report, LinkReport::Saw(_) | LinkReport::CaughtUp);
        wait_until(what, || self.told.lock().unwrap().iter().rfind(of_the_device).is_some_and(&wanted))
    }

    fn online(&self) -> Duration {
        self.last_is("the shoe online", |report| matches!(report, LinkReport::Online { .. }))
    }

    fn absent(&self) -> Duration {
        self.last_is("the shoe absent", |report| matches!(report, LinkReport::Absent(_)))
    }

    fn seen(&self) -> Vec<Seen> {
        let told = self.told.lock().unwrap();
        let seen = told.iter().filter_map(|report| match report {
            LinkReport::Saw(seen) => Some(seen.clone()),
            _ => None,
        });
        seen.collect()
    }

    /// Waits until so many events were told, and checks that they are the first ones, each once, in order.
    fn exactly(&self, count: u32) {
        wait_until(&format!("{count} events"), || self.seen().len() >= count as usize);
        let seen = self.seen();
        let numbers: Vec<u32> = seen.iter().map(|seen| seen.seq).collect();
        assert_eq!(numbers, (1..=count).collect::<Vec<_>>());
        for (n, seen) in (0..count).zip(&seen) {
            assert_eq!(seen.saw, Some(Observation::Shoe(ShoeSaw::Drawn(card(n))).into()), "event {n}");
        }
    }
}

fn tells() -> String {
    let station = Station::start(Path::new("/dev/ttyACM0"), Some(SHOE));
    station.told("no such port", |report| matches!(report, LinkReport::Absent(why) if why.contains("no such port")));
    let (shoe, _) = Shoe::plugged();
    let online = station.online();
    shoe.draw(0..52);
    station.exactly(52);
    assert!(shoe.twin.wait_idle(Duration::from_secs(5)), "everything is acknowledged");
    assert_eq!((logged("device is not there"), logged("device is back")), (1, 1), "{}", log());
    format!("online after {online:?}")
}

fn unplugged_in_a_burst() -> String {
    let (shoe, port) = Shoe::plugged();
    let station = Station::start(&port, Some(SHOE));
    station.online();
    let mut slowest = Duration::ZERO;
    let cycles = 5;
    for cycle in 0..cycles {
        shoe.draw(cycle * 60..cycle * 60 + 40);
        // somewhere in the burst
        wait_until("the burst", || station.seen().len() as u32 > cycle * 60 + 3 * cycle);
        shoe.usb.unplug();
        station.absent();
        shoe.draw(cycle * 60 + 40..cycle * 60 + 60);
        shoe.usb.plug(PORTS[0]).unwrap();
        slowest = slowest.max(station.online());
        station.exactly((cycle + 1) * 60);
    }
    assert!(shoe.twin.wait_idle(Duration::from_secs(5)), "everything is acknowledged");
    std::thread::sleep(Duration::from_millis(500));
    station.exactly(cycles * 60);
    let lines = (logged("device is not there"), logged("device is back"));
    assert_eq!(lines, (cycles as usize, cycles as usize), "{}", log());
    shoe.usb.unplug();
    station.absent();
    let away = load(3);
    assert!(away < 25, "{away} % of a processor while the shoe is away");
    format!(
        "{} events through {cycles} cycles, back after {slowest:?} at most, {away} % of the emulated processor while away",
        cycles * 60
    )
}

fn back_at_once() -> String {
    let (shoe, port) = Shoe::plugged();
    let station = Station::start(&port, Some(SHOE));
    station.online();
    for cycle in 1..=5 {
        shoe.draw((cycle - 1) * 10..cycle * 10);
        shoe.usb.unplug();
        shoe.usb.plug(PORTS[0]).unwrap();
        // a port that is still held would make the device another one
        assert_eq!(tty_of("USB-SHOE"), port);
        station.exactly(cycle * 10);
    }
    "5 times".to_owned()
}

fn replugged() -> String {
    let link_to = |port: &Path| {
        let _ = fs::remove_file(BY_ROLE);
        symlink(port, BY_ROLE).unwrap();
    };
    let (shoe, first) = Shoe::plugged();
    link_to(&first);
    let station = Station::start(Path::new(BY_ROLE), Some(SHOE));
    station.online();
    shoe.draw(0..10);
    station.exactly(10);
    shoe.usb.unplug();
    station.absent();
    // somebody else takes its number meanwhile
    let other = gadget("other", "USB-OTHER");
    other.plug(PORTS[1]).unwrap();
    assert_eq!(tty_of("USB-OTHER"), first);
    shoe.draw(10..20);
    shoe.usb.plug(PORTS[0]).unwrap();
    let second = tty_of("USB-SHOE");
    assert_ne!(first, second);
    link_to(&second);
    station.online();
    station.exactly(20);
    fs::remove_file(BY_ROLE).unwrap();
    assert_eq!((logged("device is not there"), logged("device is back")), (1, 1), "{}", log());
    format!("{} became {}", first.display(), second.display())
}

fn found_by_serial() -> String {
    let station = Station::start(Path::new("usb:USB-SHOE"), Some(SHOE));
    let absent = |words: &str| {
        station.told(words, |report| matches!(report, LinkReport::Absent(why) if why.contains(words)));
    };
    absent("no USB device with the serial number USB-SHOE is attached");
    let (shoe, first) = Shoe::plugged();
    station.online();
    shoe.draw(0..10);
    station.exactly(10);
    shoe.usb.unplug();
    station.absent();
    // somebody else takes its number meanwhile, and is not spoken to
    let other = gadget("other", "USB-OTHER");
    let heard = Listener::at(&other);
    other.plug(PORTS[1]).unwrap();
    assert_eq!(tty_of("USB-OTHER"), first);
    absent("attached are USB-OTHER");
    shoe.draw(10..20);
    shoe.usb.plug(PORTS[0]).unwrap();
    let second = tty_of("USB-SHOE");
    assert_ne!(first, second);
    let back = station.online();
    station.exactly(20);
    // and back, the other one gone first
    shoe.usb.unplug();
    station.absent();
    other.unplug();
    shoe.draw(20..30);
    shoe.usb.plug(PORTS[0]).unwrap();
    assert_eq!(tty_of("USB-SHOE"), first);
    station.online();
    station.exactly(30);
    assert_eq!(heard.all(), b"", "what the station sent to another device");
    assert_eq!((logged("device is not there"), logged("device is back")), (3, 3), "{}", log());
    format!("{} became {} and was back after {back:?}", first.display(), second.display())
}

fn refused() -> String {
    let usb = gadget("keypad", "USB-KEYPAD");
    let keypad = twin(Role::Keypad, &usb);
    usb.plug(PORTS[0]).unwrap();
    let port = tty_of("USB-KEYPAD");
    let station = Station::start(&port, None);
    let mut words = String::new();
    station.told("a refusal", |report| match report {
        LinkReport::Refused { why, .. } => {
            words.clone_from(why);
            why.contains("keypad")
        }
        _ => false,
    });
    drop(station);
    drop(keypad);
    drop(usb);
    // a shoe, and not this one
    let (shoe, port) = Shoe::plugged();
    let station = Station::start(&port, Some("SH-0007"));
    station.told(
        "a refusal",
        |report| matches!(report, LinkReport::Refused { why, .. } if why.contains("SH-0007") && why.contains(SHOE)),
    );
    assert_eq!(station.seen(), []);
    drop(station);
    drop(shoe);
    // the right number, and no key that the station knows
    let usb = gadget("unpaired", "USB-SHOE");
    let unpaired = Twin::start(Role::Shoe, &usb.tty().unwrap(), None).unwrap();
    usb.plug(PORTS[0]).unwrap();
    let station = Station::start(&tty_of("USB-SHOE"), Some(SHOE));
    let suspect = |report: &LinkReport| matches!(report, LinkReport::Refused { distrust: Some(_), .. });
    station.told("a refusal of an unpaired shoe", suspect);
    assert_eq!(station.seen(), []);
    drop(unpaired);
    words
}

/// Looks at what a station sends to something that speaks another protocol.
fn stranger() -> String {
    let usb = gadget("modem", "USB-MODEM");
    let got = Listener::at(&usb);
    usb.plug(PORTS[0]).unwrap();
    let port = tty_of("USB-MODEM");
    let begun = Instant::now();
    let station = Station::start(&port, Some(SHOE));
    let speaker = fs::OpenOptions::new().write(true).open(usb.tty().unwrap()).unwrap();
    for _ in 0..200 {
        let _ = std::io::Write::write_all(&mut &speaker, b"$GPGGA,120000,1923.4,N,09908.1,W*5C\r\n");
        std::thread::sleep(Duration::from_millis(10));
    }
    station.told("no device", |report| matches!(report, LinkReport::Absent(why) if why.contains("makes no sense")));
    // one every 250 ms, and what a line that is opened anew asks
    let may = begun.elapsed().as_millis() / 200 + 2;
    drop(station);
    usb.unplug();
    drop(speaker);
    let asked = got.all().split(|byte| *byte == 0).filter(|frame| !frame.is_empty()).count();
    assert!((1..=may).contains(&(asked as u128)), "{asked} frames in {:?}", begun.elapsed());
    format!("{asked} questions in {:?}", begun.elapsed())
}

fn hangs() -> String {
    // nobody is at the device's side of the port
    let usb = gadget("dead", "USB-DEAD");
    usb.plug(PORTS[0]).unwrap();
    let port = tty_of("USB-DEAD");
    // all of the station on one thread: what holds it up is seen by everybody
    let station = Station::start_on(Builder::new_current_thread(), &port, Some(SHOE));
    let longest = Arc::new(AtomicU64::new(0));
    let kept = Arc::clone(&longest);
    let told = Arc::clone(&station.told);
    station.runtime.block_on(async move {
        let end = Instant::now() + Duration::from_secs(9);
        while Instant::now() < end {
            let before = Instant::now();
            tokio::time::sleep(Duration::from_millis(10)).await;
            kept.fetch_max(before.elapsed().as_millis() as u64, Ordering::Relaxed);
        }
        drop(told);
    });
    let longest = longest.load(Ordering::Relaxed);
    assert!(longest < 1000, "the station stood still for {longest} ms; the log: {}", log());
    assert_eq!(logged("device is not there"), 1, "{}", log());
    let begun = Instant::now();
    drop(station);
    let ended = begun.elapsed();
    assert!(ended < Duration::from_secs(1), "the station's end took {ended:?}");
    format!("the longest pause was {longest} ms, the station's end took {ended:?}")
}

fn denied() -> String {
    let (shoe, port) = Shoe::plugged();
    let mode = |mode| fs::set_permissions(&port, fs::Permissions::from_mode(mode)).unwrap();
    let ask = |wanted: &str| Helper::start_as_somebody(&["port", &port.to_string_lossy()]).says(wanted);
    mode(0o600);
    let no_rule = ask("permission denied");
    assert!(no_rule.contains("udev rule"), "{no_rule}");
    mode(0o660);
    std::os::unix::fs::chown(&port, None, Some(20)).unwrap();
    let no_member = ask("permission denied");
    assert!(no_member.contains("usermod -aG dialout"), "{no_member}");
    mode(0o666);
    ask("open");
    drop(shoe);
    no_member
}

fn in_use() -> String {
    let (_shoe, port) = Shoe::plugged();
    let mut other = Helper::start(&["port", &port.to_string_lossy()]);
    other.says("open");
    let station = Station::start(&port, Some(SHOE));
    let mut words = String::new();
    station.told("who has it", |report| match report {
        LinkReport::Absent(why) => {
            words.clone_from(why);
            why.contains("in use by `usb-guest`")
        }
        _ => false,
    });
    other.kill();
    station.online();
    assert!(enumerated("USB-SHOE").is_some());
    words
}
