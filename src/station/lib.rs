//! The station: configuration, devices, the one task that owns a table, and the pit's page.

pub mod attached;
mod care;
pub mod chips;
pub mod config;
pub mod console;
mod display;
mod entries;
mod examples;
mod findings;
pub mod house;
mod mistake;
pub mod observe;
mod pairing;
mod ports;
mod presence;
mod readers;
mod scanner;
mod signals;
mod task;
pub mod told;
pub mod view;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use sabot_drivers::feig::{self, Values};
use sabot_drivers::scanner as card_scanner;
use sabot_drivers::transport::MemoryPort;
use sabot_drivers::{Expected, Link, LinkConfig, LinkReport, Resume};
use sabot_wire::message::{Role, ShoeSaw};
use tokio::sync::{mpsc, watch};

use chips::{Book, Registry, RegistryError};
use config::Config;
use findings::Findings;
use observe::Observer;
use presence::LastSeen;
pub(crate) use presence::described;
use sabot_drivers::keys::{KeyFile, KeysError};
use signals::Signals;
use task::{Clock, Law, Owner, Spawned};
use view::Snapshot;

use sabot_journal::{self as journal, JournalError};
use sabot_law::validator::{NoRegulation, Validator};

/// Reports of all links that may wait for the table. A link that finds no room reads no more, and its device keeps
/// what it sees.
const REPORTS: usize = 64;

/// Why a station does not run, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum StationError {
    /// The record cannot be opened.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The regulation is not known.
    #[error(transparent)]
    Regulation(#[from] NoRegulation),
    /// The keys of the devices cannot be used.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The registry of chips cannot be used.
    #[error(transparent)]
    Chips(#[from] RegistryError),
    /// The station has ended, and the last lines of the record could not be written. Their devices still hold what they
    /// tell.
    #[error("the record ends at line {line}: {why}; the devices keep what came after it for the next start")]
    Unwritten {
        /// The last line on disk.
        line: sabot_law::table::LineNo,
        /// Why not more.
        why: String,
    },
}

/// Runs a table until `shutdown` becomes true or its sender is gone. Each change is told to `snapshots`.
///
/// # Errors
/// When the record cannot be opened, the regulation is not known, or the last lines could not be written.
pub async fn run(
    config: Config,
    shutdown: watch::Receiver<bool>,
    snapshots: watch::Sender<Arc<Snapshot>>,
) -> Result<(), StationError> {
    run_with(config, BTreeMap::new(), shutdown, snapshots).await
}

/// [`run`], with devices of our own that are reached in memory and not at the ports that the configuration names.
///
/// # Errors
/// As [`run`].
pub async fn run_with(
    config: Config,
    in_memory: BTreeMap<Role, MemoryPort>,
    shutdown: watch::Receiver<bool>,
    snapshots: watch::Sender<Arc<Snapshot>>,
) -> Result<(), StationError> {
    let mut law = Law::new(Validator::new(config.header.clone())?.in_language(config.lang), Findings::new(config.lang));
    // a bought reader sees chips, and no cards
    let antennas = config.feig.is_none() && config.devices.iter().any(|device| device.role == Role::Chips);
    // a mistake in them is told now; who is paired is asked when a device comes
    KeyFile::new(config.keys.clone()).load()?;
    let registry = config.chip_registry.as_deref().map(Registry::load).transpose()?;
    let values = registry.as_ref().map(Registry::values).unwrap_or_default();
    let place_wait = if antennas { config.place_wait } else { Duration::ZERO };
    let mut observer = Observer::new(&config.header, place_wait);
    if let Some(registry) = registry {
        observer = observer.with_chips(Book::new(registry, config.header.table.clone()));
    }
    let (mut seen, mut passed) = (LastSeen::default(), None);
    let (journal, held) = journal::open(&config.journal, &config.header, |line, _, event| {
        law.step(line, event);
        observer.recall(event);
        seen.recall(event);
        passed = scanner::recalled(event).or(passed);
    })?;
    if let Some((aside, bytes)) = &held.torn {
        let aside = aside.display();
        tracing::warn!("the record's last line was torn: {bytes} bytes of it were put aside in {aside}");
    }
    tracing::info!(journal = %config.journal.display(), lines = held.lines, "the record is open");
    let (reports, from_links) = mpsc::channel(REPORTS);
    let mut links =
        Links { config: &config, values: Arc::new(values), passed, in_memory, reports, shutdown: shutdown.clone() };
    let devices = config.devices.iter();
    let spawned = devices.map(|device| (device.role, links.spawn(device, seen.resume(device, &held.last)))).collect();
    drop(links);
    let signals = config.signals.iter().map(|signal| {
        let task = sabot_drivers::signal::spawn(signal, shutdown.clone());
        (signal.clone(), task)
    });
    let links = Spawned { links: spawned, signals: Signals::new(signals.collect()) };
    let clock = Clock::starting_at(held.now);
    let owner = Owner::new(&config, law, observer, (journal, clock), links, snapshots);
    let end = owner.run(from_links, shutdown).await;
    match end.fault {
        Some(why) => Err(StationError::Unwritten { line: end.line, why }),
        None => Ok(()),
    }
}

/// What the links of a table's devices are made of.
struct Links<'a> {
    config: &'a Config,
    values: Arc<HashMap<u64, u32>>,
    /// The last card that a scanner saw before the start.
    passed: Option<ShoeSaw>,
    in_memory: BTreeMap<Role, MemoryPort>,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
}

impl Links<'_> {
    /// The link of a device, by the driver that the configuration gives it.
    fn spawn(&mut self, device: &LinkConfig, resume: Option<Resume>) -> Link {
        let (reports, shutdown) = (self.reports.clone(), self.shutdown.clone());
        match (&self.config.feig, &self.config.scanner) {
            (Some(readers), _) if device.role == Role::Chips => {
                let mut readers = readers.clone();
                if let Values::Known(known) = &mut readers.setup.values {
                    known.clone_from(&self.values);
                }
                feig::spawn(readers, reports, shutdown)
            }
            (_, Some(scanner)) if device.role == Role::Shoe => {
                scanner::warn_of_likeness(&scanner.setup);
                let mut scanner = scanner.clone();
                scanner.setup.last = self.passed;
                card_scanner::spawn(scanner, reports, shutdown)
            }
            _ => {
                let keys = KeyFile::new(self.config.keys.clone());
                match self.in_memory.remove(&device.role) {
                    None => sabot_drivers::spawn(device.clone(), keys, resume, reports, shutdown),
                    Some(place) => {
                        let expected = Expected { role: device.role, serial: device.serial.clone(), keys };
                        sabot_drivers::spawn_over(place, expected, resume, reports, shutdown)
                    }
                }
            }
        }
    }
}
