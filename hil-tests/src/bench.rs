//! A station on a bench: its twins, its cables, its folder, and its starts and stops.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sabot::simulate::twin::{Twins, paired_key};
use sabot::station::view::Snapshot;
use sabot::station::{self, StationError, config::Config};
use sabot_drivers::transport::Faults;
use sabot_wire::message::{Key, Role};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::line::Line;
use crate::record::Record;
use crate::{PATIENCE, must};

/// What is to be on the bench.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Whether the antennas see cards, and so where each went.
    pub places: bool,
    /// Cables between the twins and the station, with these faults; none: the station opens the twins' own ports.
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
    station: Option<Station>,
    pub(crate) lines: BTreeMap<Role, Line>,
    pub(crate) twins: Twins,
    pub(crate) notes: Mutex<Notes>,
    config: Config,
    // the cables' own runtime: they outlive the station's
    _cables: Runtime,
    folder: TempDir,
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

    /// A bench as described, with all devices in session.
    #[must_use]
    pub fn with(setup: &Setup) -> Self {
        let folder = must("a folder for the bench", tempfile::tempdir());
        let devices = folder.path().join("devices");
        let twins = must("the twins", Twins::start(&devices));
        let cables = must("a runtime for the cables", runtime());
        let mut lines = BTreeMap::new();
        let mut ports = devices.clone();
        if let Some(faults) = setup.cables {
            ports = folder.path().join("ports");
            must("a folder for the ports", std::fs::create_dir(&ports));
            let _inside = cables.enter();
            for (n, role) in (0..).zip(Role::ALL) {
                let (twin, port) = (devices.join(role.name()), ports.join(role.name()));
                lines.insert(role, Line::between(&twin, &port, faults, setup.seed + 1000 * n));
            }
        }
        let text = configuration(setup, folder.path(), &ports);
        let config = must("the bench's configuration", Config::parse(&folder.path().join("station.toml"), &text));
        let mut bench = Self {
            places: setup.places,
            station: None,
            lines,
            twins,
            notes: Mutex::default(),
            config,
            _cables: cables,
            folder,
        };
        bench.start_station();
        bench
    }

    /// Starts the station on the bench's record, and waits until every device is in session.
    pub fn start_station(&mut self) {
        let runtime = must("a runtime for the station", runtime());
        let (stop, stopped) = watch::channel(false);
        let (told, snapshots) = watch::channel(Arc::default());
        let task = runtime.spawn(station::run(self.config.clone(), stopped, told));
        self.station = Some(Station { runtime, stop, snapshots, task });
        for role in Role::ALL {
            if !self.notes().away.contains(&role) {
                self.expect_device(role, station::view::DeviceState::Online);
            }
        }
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

    /// The devices' twins.
    #[must_use]
    pub fn twins(&self) -> &Twins {
        &self.twins
    }

    /// The key of a role's twin.
    pub(crate) fn key(&self, role: Role) -> Key {
        must("the twin's key", paired_key(role, &self.config.keys))
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

    /// Waits until the record holds everything that was seen; not while the station or a device is away.
    ///
    /// # Panics
    /// When it does not in time.
    pub fn settle(&self) {
        if self.station.is_none() || !self.notes().away.is_empty() {
            return;
        }
        if !self.twins.wait_idle(PATIENCE) {
            panic!("the station has not taken everything the devices saw:\n{}", self.devices());
        }
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
            // a failing test shows what the station had written
            eprintln!("the record of {}:\n{}", self.folder.path().display(), self.journal());
        }
        self.kill_station();
    }
}

fn runtime() -> std::io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()
}

fn configuration(setup: &Setup, folder: &Path, ports: &Path) -> String {
    let mut observes = vec!["faces", "asks", "decisions", "announcements"];
    if setup.places {
        observes.push("places");
    }
    let mut text = format!(
        "table = \"bench\"\nregulation = \"sala-8\"\nboxes = 7\nlimits = {{ min = 1000, max = 1000000 }}\n\
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
