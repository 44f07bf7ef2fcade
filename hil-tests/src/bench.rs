//! A station on a bench: its twins, its cables, its folder, and its starts and stops.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sabot_drivers::keys::KeyFile;
use sabot_drivers::transport::Faults;
use sabot_simulation::twin::paired_key;
use sabot_station::snapshot::Snapshot;
use sabot_station::{self, StationError, With, config::Config};
use sabot_wire::message::{Key, Role};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::bench_file::{BenchDevice, BenchFile, DeviceKind};
use crate::cable::{Cable, Socket};
use crate::device::Device;
use crate::emulated_device::EmulatedDevice;
use crate::manual_device::ManualDevice;
use crate::record::Record;
use crate::station_log::StationLog;
use crate::twin_device::TwinDevice;
use crate::{PATIENCE, eavesdrop, must, scenario};

/// How long a person takes to do what a test asks for.
const PEOPLE: Duration = Duration::from_secs(120);
/// Devices that tell nothing for so long have told what they held.
const QUIET: Duration = Duration::from_secs(1);
/// How often a bench begins anew.
const BEGINNINGS: u32 = 3;

/// What is to be on the bench.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Whether the antennas see cards, and so where each went.
    pub places: bool,
    /// Cables between the devices and the station, with these faults; none: the station opens the twins' own ports, or
    /// reaches them in memory. Where the bench has other devices than twins there are always cables, then without
    /// faults.
    pub cables: Option<Faults>,
    /// Seed of the faults.
    pub seed: u64,
    /// Language of what is shown at the table.
    pub lang: &'static str,
    /// More of the station's file: signals.
    pub signals: String,
}

impl Default for Setup {
    fn default() -> Self {
        Self { places: true, cables: None, seed: 1, lang: "en", signals: String::new() }
    }
}

/// The bench. Dropping it stops everything on it.
pub struct Bench {
    pub(crate) places: bool,
    /// The chip reader sees tagged cards.
    pub(crate) tags: bool,
    pub(crate) bench_file: BenchFile,
    seed: u64,
    again: String,
    log: StationLog,
    station: Option<Station>,
    pub(crate) lines: BTreeMap<Role, Cable>,
    pub(crate) devices: BTreeMap<Role, Box<dyn Device>>,
    pub(crate) notes: Mutex<Notes>,
    config: Config,
    // the cables' own runtime: they outlive the station's
    pub(crate) cables: Runtime,
    pub(crate) folder: TempDir,
}

/// What the script has done so far.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Observations, by device.
    pub(crate) seen: BTreeMap<Role, u32>,
    /// Devices whose cable is pulled.
    pub(crate) away: BTreeSet<Role>,
    /// Chips so far: each has its own tag.
    pub(crate) chips: u64,
}

struct Station {
    runtime: Runtime,
    stop: watch::Sender<bool>,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    task: JoinHandle<Result<(), StationError>>,
}

impl Bench {
    /// A bench on which everything is seen and nothing is wrong, with all devices in session.
    #[must_use]
    pub fn start() -> Self {
        Self::with(&Setup::default())
    }

    /// A bench as described, of the chosen devices, all of them in session. Everything on it is new: rings, keys,
    /// boards, record.
    ///
    /// # Panics
    /// When the bench file is wrong, or something that it names is missing.
    #[must_use]
    pub fn with(setup: &Setup) -> Self {
        Self::of(must("the bench", BenchFile::chosen()), setup)
    }

    /// The same, of the devices of that bench file.
    ///
    /// # Panics
    /// When something of it is missing.
    #[must_use]
    pub fn of(bench_file: BenchFile, setup: &Setup) -> Self {
        if let Some(missing) = bench_file.missing() {
            panic!("the bench `{}`: {missing}", bench_file.name);
        }
        let folder = must("a folder for the bench", tempfile::tempdir());
        let at = folder.path().join("devices");
        must("a folder for the devices", std::fs::create_dir(&at));
        let devices = set_up(&bench_file, &at);
        let cables = must("a runtime for the cables", runtime(&StationLog::default()));
        let mut lines = BTreeMap::new();
        let mut ports = at;
        if setup.cables.is_some() || !bench_file.is_of_twins() {
            ports = folder.path().join("ports");
            must("a folder for the ports", std::fs::create_dir(&ports));
            sabot_wire::tap::listen();
            let _inside = cables.enter();
            for (n, (role, device)) in (0..).zip(&devices) {
                let (faults, seed) = (setup.cables.unwrap_or(Faults::NONE), setup.seed + 1000 * n);
                lines.insert(*role, Cable::between(device.end(), &ports.join(role.name()), faults, seed));
            }
        }
        let tags = bench_file.kind(Role::Chips) != DeviceKind::Qemu;
        let places = setup.places && tags;
        let text = configuration(setup, places, folder.path(), &ports);
        let config = must("the bench's configuration", Config::parse(&folder.path().join("station.toml"), &text));
        let mut bench = Self {
            places,
            tags,
            again: scenario::again(&bench_file),
            bench_file,
            seed: setup.seed,
            log: StationLog::default(),
            station: None,
            lines,
            devices,
            notes: Mutex::default(),
            config,
            cables,
            folder,
        };
        bench.start_station();
        bench.begin_with_all_there();
        if Role::ALL.iter().any(|role| bench.bench_file.kind(*role) == DeviceKind::Port) {
            bench.take_what_was_seen_before();
        }
        bench
    }

    /// Devices at real ports may hold what they saw before this test: it is taken and its record thrown away.
    fn take_what_was_seen_before(&mut self) {
        let until = Instant::now() + PEOPLE;
        let mut lines = self.journal().len();
        loop {
            std::thread::sleep(QUIET);
            let now = self.journal().len();
            if now == lines {
                break;
            }
            lines = now;
            assert!(Instant::now() < until, "the devices do not come to rest: somebody moves their sensors");
        }
        self.begin_anew();
    }

    /// A device that is slow to answer at first is recorded as away before it was ever there: that is no test's affair,
    /// and the bench begins anew. On lines that are bad on purpose it may be so every time.
    fn begin_with_all_there(&mut self) {
        for _ in 0..BEGINNINGS {
            if !self.journal().events("device").any(|line| line["status"] == "offline") {
                break;
            }
            self.begin_anew();
        }
    }

    /// Throws the record away and begins another.
    fn begin_anew(&mut self) {
        self.stop_station();
        // it would be missed while what is known of it stays
        for file in [self.config.journal.clone(), format!("{}.synced", self.config.journal.display()).into()] {
            must("the record of before", std::fs::remove_file(file));
        }
        self.start_station();
    }

    /// Starts the station on the bench's record, and waits until every device is in session.
    pub fn start_station(&mut self) {
        let runtime = must("a runtime for the station", runtime(&self.log));
        let (stop, stopped) = watch::channel(false);
        let (told, snapshots) = watch::channel(Arc::default());
        let task = runtime.spawn(sabot_station::run_with(self.config.clone(), self.in_memory(), stopped, told));
        self.station = Some(Station { runtime, stop, snapshots, task });
        for role in Role::ALL {
            if !self.notes().away.contains(&role) {
                self.expect_device(role, sabot_station::snapshot::DeviceState::Online);
            }
        }
    }

    /// The devices that the station reaches in memory: where there are cables, none.
    fn in_memory(&self) -> With {
        let ends = self.devices.iter().map(|(role, device)| (*role, device.end()));
        let in_memory = ends.filter_map(|(role, end)| match end {
            Socket::Memory(place) if self.lines.is_empty() => Some((role, place)),
            _ => None,
        });
        With { in_memory: in_memory.collect(), ..With::default() }
    }

    /// Stops the station as Ctrl-C does.
    pub fn stop_station(&mut self) {
        if let Some(Station { runtime, stop, task, .. }) = self.station.take() {
            stop.send_replace(true);
            let end = runtime.block_on(async { tokio::time::timeout(PATIENCE, task).await });
            let end = must("the station did not stop", end);
            must("the station ended", must("the station's task", end));
        }
    }

    /// Ends the station in the middle of whatever it does. Its tasks get no further; the thread of its record may still
    /// write what it was handed, as a system does with what a killed process has written.
    pub fn kill_station(&mut self) {
        if let Some(Station { runtime, task, .. }) = self.station.take() {
            task.abort();
            runtime.shutdown_timeout(Duration::from_secs(1));
            self.wait_for_the_record();
        }
    }

    /// Waits until nobody writes the record.
    fn wait_for_the_record(&self) {
        let until = Instant::now() + PATIENCE;
        // a station that was killed before it had a record has none to let go of
        while let Ok(record) = File::open(&self.config.journal)
            && record.try_lock().is_err()
        {
            assert!(Instant::now() < until, "the killed station still holds its record");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether the station runs.
    #[must_use]
    pub fn station_runs(&self) -> bool {
        self.station.as_ref().is_some_and(|station| !station.task.is_finished())
    }

    /// A device of the bench.
    pub(crate) fn device(&self, role: Role) -> &dyn Device {
        match self.devices.get(&role) {
            Some(device) => device.as_ref(),
            None => panic!("there is no {role} on the bench"),
        }
    }

    /// Where the station opens a device.
    pub(crate) fn port(&self, role: Role) -> PathBuf {
        let folder = if self.lines.is_empty() { "devices" } else { "ports" };
        self.folder.path().join(folder).join(role.name())
    }

    /// The key of a device.
    pub(crate) fn key(&self, role: Role) -> Key {
        let mut keys = must("the bench's keys", KeyFile::new(self.config.keys.clone()).load());
        match keys.remove(&self.device(role).serial()) {
            Some(key) => key,
            None => panic!("the bench has no key of the {role}"),
        }
    }

    /// The file of its record.
    #[must_use]
    pub fn journal_file(&self) -> &Path {
        &self.config.journal
    }

    /// The record as it stands on disk.
    #[must_use]
    pub fn journal(&self) -> Record {
        Record::read(&self.config.journal)
    }

    /// The table's picture as the page would show it now.
    ///
    /// # Panics
    /// When the station does not run.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.station().snapshots.borrow().clone()
    }

    /// What pages are served from, until the station stops.
    ///
    /// # Panics
    /// When the station does not run.
    #[must_use]
    pub fn snapshots(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.station().snapshots.clone()
    }

    /// Waits for a picture in which `wanted` finds something.
    pub(crate) fn wait_for<T>(&self, mut wanted: impl FnMut(&Snapshot) -> Option<T>) -> Option<T> {
        let station = self.station();
        let mut snapshots = station.snapshots.clone();
        let mut found = None;
        let waiting = async {
            let seen = snapshots.wait_for(|snapshot| {
                found = wanted(snapshot);
                found.is_some()
            });
            // no picture in time, or none any more: nothing was found
            tokio::time::timeout(PATIENCE, seen).await.is_ok_and(|seen| seen.is_ok())
        };
        station.runtime.block_on(waiting);
        found
    }

    fn station(&self) -> &Station {
        let Some(station) = &self.station else { panic!("the script asks a station that does not run") };
        station
    }

    pub(crate) fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many observations a device's sensors were given so far.
    pub(crate) fn seen(&self, role: Role) -> u32 {
        self.notes().seen.get(&role).copied().unwrap_or(0)
    }

    /// Waits until the record holds everything that was seen; not while the station or a device is away.
    ///
    /// # Panics
    /// When it does not in time.
    pub fn settle(&self) {
        if self.station.is_none() || !self.notes().away.is_empty() {
            return;
        }
        for (role, device) in &self.devices {
            let seen = self.seen(*role);
            let over = device.hands_over(PATIENCE).unwrap_or_else(|| self.is_told(*role, seen));
            if !over {
                let told =
                    self.told_on_its_line(*role).map_or_else(String::new, |told| format!(", of which it told {told}"));
                panic!("the station has not taken all {seen} that the {role} saw{told}:\n{}", self.devices());
            }
        }
    }

    /// Whether the record tells so many observations of a device, waited for.
    fn is_told(&self, role: Role, count: u32) -> bool {
        let patience = if self.bench_file.kind(role) == DeviceKind::Port { PEOPLE } else { PATIENCE };
        let until = Instant::now() + patience;
        let serial = self.device(role).serial();
        while count > 0 && self.journal().count_told(&serial) < count as usize {
            if Instant::now() > until {
                return false;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        true
    }

    /// The last event that a device told on its cable, where it has one.
    pub(crate) fn told_on_its_line(&self, role: Role) -> Option<u32> {
        let line = self.lines.get(&role)?;
        let outward = line.outward();
        Some(eavesdrop::last_event_told(&self.key(role), role, &line.inward(), &outward))
    }

    /// The devices, a line each: for messages.
    pub(crate) fn devices(&self) -> String {
        let snapshot = self.snapshot();
        snapshot.devices.iter().fold(String::new(), |mut text, device| {
            let _ = writeln!(
                text,
                "  {}: {:?} {}; {} bad frames, {} repeats",
                device.role, device.state, device.detail, device.bad_frames, device.repeats
            );
            text
        })
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // a failing test shows what the station had written and said, and how it is run again
            let record = if self.config.journal.exists() { self.journal().to_string() } else { "none".to_owned() };
            let folder = self.folder.path().display();
            eprintln!("the log of the station:\n{}\nthe record of {folder}:\n{record}", self.log.text());
            eprintln!("bench: {}, seed: {}\nagain: {}", self.bench_file.name, self.seed, self.again);
        }
        self.kill_station();
    }
}

fn set_up(bench_file: &BenchFile, at: &Path) -> BTreeMap<Role, Box<dyn Device>> {
    let file = at.join("keys.toml");
    let real =
        bench_file.keys.as_ref().map(|keys| must("the keys of the real devices", KeyFile::new(keys.clone()).load()));
    let one = |(role, planned): (&Role, &BenchDevice)| {
        let key = match &planned.real {
            None => must("the device's key", paired_key(*role, &file)),
            Some((_, serial)) => {
                let Some(key) = real.as_ref().and_then(|keys| keys.get(serial).cloned()) else {
                    panic!("the bench's keys have none of {serial}");
                };
                must("the bench's keys", KeyFile::new(file.clone()).add(serial, &key));
                key
            }
        };
        (*role, device(*role, planned, &at.join(role.name()), key))
    };
    bench_file.devices.iter().map(one).collect()
}

fn device(role: Role, planned: &BenchDevice, link: &Path, key: Key) -> Box<dyn Device> {
    match (planned.kind, &planned.real) {
        (DeviceKind::Port, Some((port, serial))) => {
            Box::new(ManualDevice { role, port: port.clone(), serial: serial.clone() })
        }
        (DeviceKind::Qemu, _) => Box::new(EmulatedDevice::start(role, key)),
        (DeviceKind::Memory, _) => Box::new(TwinDevice::in_memory(role, key)),
        (DeviceKind::Bought | DeviceKind::None, _) => panic!("bought parts are a bench of their own: BoughtBench"),
        (DeviceKind::Pty | DeviceKind::Port, _) => Box::new(TwinDevice::at(role, link, key)),
    }
}

pub(crate) fn runtime(log: &StationLog) -> std::io::Result<Runtime> {
    let log = log.clone();
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().on_thread_start(move || log.listen()).build()
}

fn configuration(setup: &Setup, places: bool, folder: &Path, ports: &Path) -> String {
    let mut observes = vec!["faces", "turns", "moves", "bets", "asks", "decisions", "announcements"];
    if places {
        observes.push("places");
    }
    let mut text = format!(
        "table = \"bench\"\ntest_mode = true\nregulation = \"sala-8\"\nboxes = 7\nlimits = {{ min = 1000, max = 1000000 }}\n\
         observes = {observes:?}\nlang = {:?}\nlisten = \"127.0.0.1:0\"\njournal = {:?}\nkeys = {:?}\n",
        setup.lang,
        folder.join("journal.jsonl"),
        folder.join("devices/keys.toml")
    );
    for role in Role::ALL {
        let port: PathBuf = ports.join(role.name());
        let _ = write!(text, "\n[[device]]\nrole = \"{role}\"\nport = {port:?}\n");
    }
    text.push_str(&setup.signals);
    text
}
