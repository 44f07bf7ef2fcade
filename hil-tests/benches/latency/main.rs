//! How long the station takes: from the last byte of a frame written by a device to the first byte of the alert at the
//! display, through both pseudo-terminals; and, turn about in the same run, the same trip through two bare
//! pseudo-terminals with a task that only passes bytes on.
//!
//! `cargo bench -p sabot-hil-tests --bench latency` measures; `-- --samples N` says how often, `-- --even-if-busy`
//! measures on a machine too busy for the numbers to mean much.
//!
//! One sample: a card leaves the shoe and comes to lie on box 1 while nothing asks for a card (C5). The trip begins
//! when the antenna's frame is written and ends when the frame that turns the display's lamp red, the first of the
//! alert, begins to arrive. Then the card is burned, which clears the finding, and the lamp's change to green is waited
//! for.

mod devices;
mod statistics;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use devices::{DeviceThread, Pty, Shown};
use sabot_drivers::keys::{DEFAULT_KEYS, KeyFile};
use sabot_station::config::Config;
use sabot_station::snapshot::{DeviceState, Snapshot};
use sabot_wire::message::{Card, ChipsSaw, Face, HandId, Lamp, Observation, Place, Role, ShoeSaw, Show};
use statistics::{Trips, report};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio_serial::SerialStream;

/// An alert later than this is lost, and the run worthless.
const LOST_AFTER: Duration = Duration::from_secs(2);
/// The whole run takes no longer, however many samples were asked for.
const RUN_AT_MOST: Duration = Duration::from_secs(100);
/// Between the drawn card's frame and the antenna's: far less than a hand needs.
const HAND: Duration = Duration::from_millis(3);
const WARM_UP: usize = 50;
const SAMPLES: usize = 2000;
/// Bare trips of which more than one in a hundred takes longer say that something else holds the processors.
const BUSY: Duration = Duration::from_micros(700);
/// Bare trips before the run, to see whether the machine is calm.
const PROBES: usize = 1000;

type Fault = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("latency: not measured: {fault}");
            ExitCode::FAILURE
        }
    }
}

struct Arguments {
    samples: usize,
    even_if_busy: bool,
    /// Whether cargo runs this as a benchmark, and not among the tests.
    benchmark: bool,
}

impl Arguments {
    fn read() -> Result<Self, Fault> {
        let mut arguments = Self { samples: SAMPLES, even_if_busy: false, benchmark: false };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                // cargo says so to every benchmark
                "--bench" => arguments.benchmark = true,
                "--even-if-busy" => arguments.even_if_busy = true,
                "--samples" => {
                    let count = words.next().and_then(|count| count.parse().ok()).filter(|count| *count >= 100);
                    arguments.samples = count.ok_or("--samples takes a number from 100")?;
                }
                other => {
                    return Err(format!("`{other}` is not understood; there are --samples N and --even-if-busy").into());
                }
            }
        }
        Ok(arguments)
    }
}

fn measure() -> Result<(), Fault> {
    let arguments = Arguments::read()?;
    if !arguments.benchmark {
        println!("nothing measured: run `cargo bench -p sabot-hil-tests --bench latency`");
        return Ok(());
    }
    if cfg!(debug_assertions) {
        return Err("this is a build for debugging; run `cargo bench -p sabot-hil-tests --bench latency`".into());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut bare = BarePath::new(&runtime)?;
    let table = Table::start(&runtime)?;
    let (mut through_station, mut through_bare) = (Trips::default(), Trips::default());
    for _ in 0..WARM_UP {
        table.alert()?;
    }
    for _ in 0..PROBES {
        through_bare.push(bare.trip()?);
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let (load, p99) = (load.trim(), through_bare.percentile(99));
    let calm = p99 < BUSY;
    if !calm && !arguments.even_if_busy {
        let busy = format!("this machine is too busy: one bare trip in a hundred takes {p99:?} or more (load {load})");
        return Err(format!("{busy}; end other programs, or say --even-if-busy").into());
    }
    through_bare = Trips::default();
    let began = Instant::now();
    while through_station.len() < arguments.samples && began.elapsed() < RUN_AT_MOST {
        through_station.push(table.alert()?);
        through_bare.push(bare.trip()?);
    }
    table.sound()?;
    println!(
        "{} samples each, turn about, in {:.1} s; load {}",
        through_station.len(),
        began.elapsed().as_secs_f64(),
        load
    );
    report(&mut through_station, &mut through_bare);
    if !calm {
        println!("measured on a busy machine: the numbers say little");
    }
    Ok(())
}

/// A station on devices of this program, so that each byte's time is known.
struct Table {
    shoe: DeviceThread,
    chips: DeviceThread,
    _display: DeviceThread,
    shown: Receiver<Shown>,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    _stop: watch::Sender<bool>,
    _folder: tempfile::TempDir,
}

impl Table {
    fn start(runtime: &Runtime) -> Result<Self, Fault> {
        let folder = tempfile::tempdir()?;
        let (shows, shown) = std::sync::mpsc::channel();
        let shoe = DeviceThread::start(Role::Shoe, None)?;
        let chips = DeviceThread::start(Role::Chips, None)?;
        let display = DeviceThread::start(Role::Display, Some(shows))?;
        let mut text = format!(
            "table = \"latency\"\nregulation = \"sala-8\"\nlimits = {{ min = 1000, max = 1000000 }}\nlang = \"en\"\n\
             listen = \"127.0.0.1:0\"\njournal = {:?}\n",
            folder.path().join("journal.jsonl")
        );
        let keys = KeyFile::new(folder.path().join(DEFAULT_KEYS));
        for device in [&shoe, &chips, &display] {
            keys.add(&format!("BENCH-{}", device.role), &devices::key())?;
            text += &format!("\n[[device]]\nrole = \"{}\"\nport = {:?}\n", device.role, device.port);
        }
        let config = Config::parse(&folder.path().join("station.toml"), &text)?;
        let (stop, stopped) = watch::channel(false);
        let (told, mut snapshots) = watch::channel(Arc::default());
        runtime.spawn(sabot_station::run(config, stopped, told));
        let online = |snapshot: &Arc<Snapshot>| {
            snapshot.devices.len() == 3 && snapshot.devices.iter().all(|device| device.state == DeviceState::Online)
        };
        runtime.block_on(async {
            let all = snapshots.wait_for(online);
            tokio::time::timeout(LOST_AFTER, all).await.map(|seen| seen.is_ok())
        })?;
        Ok(Self { shoe, chips, _display: display, shown, snapshots, _stop: stop, _folder: folder })
    }

    /// One alert's trip.
    fn alert(&self) -> Result<Duration, Fault> {
        while self.shown.try_recv().is_ok() {}
        let place = Place::Hand(HandId { box_no: 1, hand: 0 });
        self.shoe.sees(&Observation::Shoe(ShoeSaw::Drawn(Card::UNREAD)))?;
        std::thread::sleep(HAND);
        let arrived = ChipsSaw::CardArrived { place, face: Some(Face::Up) };
        let written = self.chips.sees(&Observation::Chips(arrived))?;
        let alert = self.wait_for_lamp(Lamp::Red)?;
        self.chips.sees(&Observation::Chips(ChipsSaw::CardsMoved { from: place, to: Place::Burn, cards: None }))?;
        self.wait_for_lamp(Lamp::Green)?;
        let trip = alert.checked_duration_since(written);
        trip.ok_or_else(|| "an alert came before its cause: what is measured is not what happens".into())
    }

    /// When the frame that lights the lamp so began to arrive.
    fn wait_for_lamp(&self, lamp: Lamp) -> Result<Instant, Fault> {
        let until = Instant::now() + LOST_AFTER;
        loop {
            match self.shown.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(shown) if shown.show == Show::Lamp(lamp) => return Ok(shown.began),
                Ok(_) => {}
                Err(_) => return Err(format!("the lamp is not {lamp:?} after {LOST_AFTER:?}").into()),
            }
        }
    }

    /// Nothing on the way was damaged or repeated.
    fn sound(&self) -> Result<(), Fault> {
        let snapshot = self.snapshots.borrow();
        for device in &snapshot.devices {
            if device.state != DeviceState::Online || device.bad_frames > 0 || device.repeats > 0 {
                return Err(format!("the set-up is damaged: {device:?}").into());
            }
        }
        Ok(())
    }
}

/// Two pseudo-terminals, and a task that passes on what comes.
struct BarePath {
    near: Pty,
    far: Receiver<Instant>,
    frame: Vec<u8>,
}

impl BarePath {
    fn new(runtime: &Runtime) -> Result<Self, Fault> {
        let (near, far) = (Pty::open()?, Pty::open()?);
        let _inside = runtime.enter();
        let open = |pty: &Pty| SerialStream::open(&tokio_serial::new(pty.port.to_string_lossy(), devices::BAUD));
        let (mut from, mut to) = (open(&near)?, open(&far)?);
        runtime.spawn(async move {
            let mut buffer = [0; 1024];
            while let Ok(count @ 1..) = from.read(&mut buffer).await {
                if to.write_all(buffer.get(..count).unwrap_or_default()).await.is_err() {
                    return;
                }
            }
        });
        let (arrived, arrivals) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 1024];
            while let Ok(1..) = far.read(&mut buffer) {
                if arrived.send(Instant::now()).is_err() {
                    return;
                }
            }
        });
        // as long as the antenna's frame
        Ok(Self { near, far: arrivals, frame: vec![7; 18] })
    }

    fn trip(&mut self) -> Result<Duration, Fault> {
        while self.far.try_recv().is_ok() {}
        let written = Instant::now();
        self.near.write(&self.frame)?;
        let arrived = self.far.recv_timeout(LOST_AFTER)?;
        Ok(arrived.saturating_duration_since(written))
    }
}
