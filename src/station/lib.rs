//! The station: configuration, devices, the one task that owns a table, and its page.

pub mod about;
mod absence;
pub mod acts;
pub mod amend;
mod backlog;
mod bettors;
pub mod book;
#[cfg(test)]
mod bought_examples_tests;
#[cfg(test)]
mod bought_tests;
#[cfg(test)]
mod bought_times_tests;
#[cfg(test)]
mod bought_touches_tests;
pub mod card_pictures;
pub mod check;
mod chip_tracker;
pub mod clocks;
pub mod commission;
mod composition;
pub mod config;
pub mod console;
mod covered;
mod days;
#[cfg(test)]
mod dealt;
mod device_about;
mod device_warnings;
pub mod device_witness;
mod digest;
pub mod entered;
mod entries;
#[cfg(test)]
mod filmed_tests;
pub mod findings;
mod gaming_day;
pub mod history;
pub mod house_time;
pub mod inventory;
mod kept_settings;
mod kept_tags;
mod links;
mod live_table;
mod lying;
pub mod observe;
pub mod own_page;
pub mod pairing;
pub mod pins;
mod pit_display;
mod placement;
mod players;
mod presence;
mod recall;
pub mod record_feed;
mod refused;
pub mod registry;
pub mod reload;
pub mod report;
pub mod second;
pub mod setup;
#[cfg(test)]
mod shared_pads_tests;
pub mod shipping;
mod signals;
pub mod silent;
pub mod snapshot;
pub mod sourced_event;
pub mod staff;
pub mod synchronisation;
pub mod table;
mod table_task;
mod tagged_cards;
mod timeline;
mod unwritten;
mod verdict;
pub mod webhook;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sabot_drivers::transport::MemoryPort;
use sabot_wire::message::Role;
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinError, JoinHandle};

use about::About;
use card_pictures::CardPictures;
use config::Config;
use days::{Day, Keeping};
use links::{HouseTags, LinkStarter};
use pins::Pins;
pub(crate) use presence::described;
use recall::{Before, Recalled};
use record_feed::RecordFeed;
use registry::{Registries, RegistryError};
use sabot_drivers::keys::{KeyFile, KeysError};
use signals::Signals;
use snapshot::Snapshot;
use table_task::{Clock, SpawnedLinks, TableTask};
use webhook::{WebhookError, Webhooks};

use sabot_journal::note::{KeyError, KeyFileError, PrivateKey, Purpose};
use sabot_journal::{self as journal, Journal, JournalError, Recovered, Sealing};
use sabot_law::validator::NoRegulation;

/// Reports of all links that may wait for the table. A link that finds no room reads no more, and its device keeps
/// what it sees.
const REPORTS: usize = 64;

/// Why a station does not run, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum StationError {
    /// The record cannot be opened.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The clock on the wall shows less than when the record was told of it last; in the words of the house.
    #[error("{0}")]
    ClockBehind(String),
    /// The key that signs the record cannot be used.
    #[error("`journal_key`: {0}")]
    JournalKey(#[from] KeyFileError),
    /// The public key of a reader cannot be used.
    #[error("`journal_readers`: {}: {why}", file.display())]
    JournalReader {
        /// Its file.
        file: PathBuf,
        /// Why not.
        why: String,
    },
    /// The public key of a witness cannot be used.
    #[error("`journal_witnesses`: {}: {why}", file.display())]
    JournalWitness {
        /// Its file.
        file: PathBuf,
        /// Why not.
        why: String,
    },
    /// The record cannot be shipped as the configuration says.
    #[error("`[uplink]`: {0}")]
    Uplink(String),
    /// Somebody cannot be told by HTTP.
    #[error("webhook `{name}`: {why}")]
    Webhook {
        /// His name in the configuration.
        name: String,
        /// Why not.
        why: WebhookError,
    },
    /// Another program runs than the configuration names.
    #[error("`program`: {0}")]
    Program(#[from] about::OtherProgram),
    /// The record is one of another mode.
    #[error("`test_mode`: {0}")]
    Mode(#[from] about::OtherMode),
    /// The regulation is not known.
    #[error(transparent)]
    Regulation(#[from] NoRegulation),
    /// The keys of the devices cannot be used.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The list of people cannot be used.
    #[error(transparent)]
    Staff(#[from] staff::StaffError),
    /// The page of a pit cannot be served.
    #[error("{0}")]
    Pit(String),
    /// The page's certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] sabot_web::tls::TlsError),
    /// A registry cannot be used.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The station has ended, and the last lines of the record could not be written. Their devices still hold what they
    /// tell.
    #[error("the record ends at line {line}: {why}; the devices keep what came after it for the next start")]
    Unwritten {
        /// The last line on disk.
        line: sabot_law::table::LineNo,
        /// Why not more.
        why: sabot_journal::RecordFault,
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
    run_with(config, With::default(), shutdown, snapshots).await
}

/// What a station may have beside its configuration.
#[derive(Debug, Default)]
pub struct With {
    /// Devices of our own that are reached in memory, and not at the ports that the configuration names.
    pub in_memory: BTreeMap<Role, MemoryPort>,
    /// What people do on a screen.
    pub acts: Option<acts::Taking>,
    /// Who is told when the record is open.
    pub record: Option<RecordFeed>,
    /// The people of the configuration, where somebody else asks for their PINs too.
    pub people: Option<Arc<Pins>>,
}

/// What will not work as the configuration has it, in the log.
fn warn_of(config: &Config) {
    for unseen in config::unseen(config) {
        tracing::warn!("{}: {}", unseen.what(), unseen.way_out());
    }
    if let Some(unseen) = config::unseen_touches(config) {
        tracing::warn!("{}: {}", unseen.what(), unseen.way_out());
    }
    if config.staff.is_none() && !config.test_mode && config.devices.iter().any(|device| device.role == Role::Keypad) {
        tracing::warn!("`staff` names nobody: what is entered at the keypad in an office is refused");
    }
    for (device, crowded) in config.devices.iter().filter_map(|device| Some((device, device.feig_line()?.crowded()?))) {
        tracing::warn!(role = %device.role, port = %device.place(), "{crowded}");
    }
}

/// [`run`], with more.
///
/// # Errors
/// As [`run`].
pub async fn run_with(
    config: Config,
    With { in_memory, acts, record, people }: With,
    shutdown: watch::Receiver<bool>,
    snapshots: watch::Sender<Arc<Snapshot>>,
) -> Result<(), StationError> {
    about::is_the_one(config.program.as_deref())?;
    // A mistake in the file of keys ends the start. Which key a device has is looked up when the device comes.
    KeyFile::new(config.keys.clone()).load()?;
    warn_of(&config);
    let people = match (people, &config.staff) {
        (None, Some(file)) => Some(Arc::new(Pins::of(file.clone())?)),
        (people, _) => people,
    };
    let webhooks = Webhooks::of(&config)?;
    let registries = Registries::of(&config)?;
    let tags = HouseTags::of(&registries);
    let shared = Arc::new(config.clone());
    let (of, log) = (shared.clone(), tracing::dispatcher::get_default(Clone::clone));
    let opening = move || {
        let _ = synchronisation::Synchronisation::look();
        tracing::dispatcher::with_default(&log, || Opened::of(&of, registries))
    };
    let asked = tokio::spawn(clocks::look(config.clocks.clone()));
    let opening = unless_stopped(tokio::task::spawn_blocking(opening), shutdown.clone());
    let Some(opened) = opening.await else { return Ok(()) };
    let _ = asked.await;
    let keeping = Keeping::of(&config)?;
    let opened = opened.unwrap_or_else(|failed| std::panic::resume_unwind(failed.into_panic()))?;
    let Opened { recalled, journal, mut held } = opened;
    if let Some(record) = &record {
        record.is_open(journal.durable());
        webhooks.tell(record, &snapshots.subscribe(), &shutdown);
    }
    let with = shared.clone();
    tokio::task::spawn_blocking(move || {
        if let Err(why) = kept_settings::keep(&with.journal, &with.digest, &with.text) {
            tracing::warn!(%why, "the configuration is not kept beside the record");
        }
    });
    tokio::spawn(synchronisation::watch(shutdown.clone()));
    tokio::spawn(clocks::watch(shared.clocks.clone(), shutdown.clone()));
    let Recalled { table, observer, seen, last_of_shoe, serving, .. } = recalled;
    let (keeps, kept) = mpsc::unbounded_channel();
    recall::keep(shared.clone(), Before::of(held.kept.take()), journal.durable(), keeps);
    tokio::spawn(keeping.put_in_order(journal.durable()));
    let devices = held.last.clone().into_iter().collect();
    let sealing = sealing(&config)?;
    let mut day = Day { config: shared, sealing, feed: record, ends: None, is_late: false, devices, serving };
    day.begun(held.began);
    let pictures = CardPictures::of(&config, held.began);
    let about = About::of(&config, &table.validator);
    let (reports, from_links) = mpsc::channel(REPORTS);
    let (keys, of_links) = (config.keys.clone(), shutdown.clone());
    let mut starter = LinkStarter { keys, tags: tags.clone(), last_of_shoe, in_memory, reports, shutdown: of_links };
    let spawned = starter.start_all(&config.devices, |device| seen.resume(device, &held.last));
    drop(starter);
    let witnessing = device_witness::Witnessing::of(&config, &spawned, &shutdown);
    let signals = Signals::new(&config.signals, shutdown.clone());
    let links = SpawnedLinks { links: spawned, tags, signals, shutdown: shutdown.clone() };
    let task = TableTask::new(&config, table, observer, (journal, Clock::starting_at(held.now)), links, snapshots);
    let task = task
        .recalling(&seen, &config.devices)
        .telling_of(about)
        .having_lost(held.lost)
        .having_found(held.unsigned)
        .taking(acts)
        .knowing(people);
    let task = task.telling_of_what_is_kept(kept).witnessed(witnessing).closing(day).keeping(pictures);
    let end = task.run(from_links, shutdown).await;
    match end.fault {
        Some(why) => Err(StationError::Unwritten { line: end.line, why }),
        None => Ok(()),
    }
}

/// How long one who is told to stop waits for a record that is being opened.
const OPEN_WAIT: Duration = Duration::from_secs(5);

/// What comes of a task; nothing where the station is told to stop and the task takes too long.
async fn unless_stopped<T>(
    mut task: JoinHandle<T>,
    mut shutdown: watch::Receiver<bool>,
) -> Option<Result<T, JoinError>> {
    let stopped = async { drop(shutdown.wait_for(|stop| *stop).await) };
    tokio::select! {
        done = &mut task => return Some(done),
        () = stopped => {}
    }
    tokio::time::timeout(OPEN_WAIT, task).await.ok()
}

/// How the covered cards of a table's record are sealed.
fn sealing(config: &Config) -> Result<Sealing, StationError> {
    let reader = |file: &PathBuf| {
        let refused = |why: String| StationError::JournalReader { file: file.clone(), why };
        let text = std::fs::read_to_string(file).map_err(|why| refused(why.to_string()))?;
        text.parse().map_err(|why: KeyError| refused(why.to_string()))
    };
    let readers = config.journal_readers.iter().map(reader).collect::<Result<Vec<_>, _>>()?;
    Ok(Sealing { readers, kept_in: config.journal_seal.clone() })
}

/// A table whose record is open and read back.
struct Opened {
    recalled: Recalled,
    journal: Journal,
    held: Recovered,
}

impl Opened {
    /// Blocks as long as the disk takes.
    fn of(config: &Arc<Config>, registries: Registries) -> Result<Self, StationError> {
        about::is_of_mode(&config.journal, config.test_mode)?;
        let mut recalled = Recalled::new(config.clone(), registries)?;
        let key = config.journal_key.as_deref().map(|path| PrivateKey::load(path, Purpose::Station)).transpose()?;
        let with = journal::With {
            key,
            sealing: sealing(config)?,
            program: recall::reads_alike(config),
            accept_clock: config.accept_clock,
            accept_unsigned: config.accept_unsigned,
        };
        let in_the_house = |why| match why {
            JournalError::ClockBehind { .. } => StationError::ClockBehind(config.house.words(&why.to_string())),
            why => StationError::Journal(why),
        };
        let (journal, held) =
            journal::open_with(&config.journal, &config.header, with, &mut recalled).map_err(in_the_house)?;
        if let Some((aside, bytes)) = &held.torn {
            let aside = aside.display();
            tracing::warn!("the record's last line was torn: {bytes} bytes of it were put aside in {aside}");
        }
        if !held.lost.is_empty() {
            let file = config.journal_seal.clone().unwrap_or_else(|| Sealing::default().file(&config.journal));
            let file = file.display();
            tracing::warn!(
                "{file} has no key for the covered cards on the felt: they count as cards that were not read"
            );
        }
        if let Some((from, to)) = held.unsigned {
            tracing::warn!(
                "lines {from} to {to} of the record were not signed when its station ended: a power cut, or somebody else \
                 wrote them. They are signed from now on, and the record says so"
            );
        }
        let read = held.lines - held.kept.as_ref().map_or(0, |(mark, _)| mark.lines);
        tracing::info!(journal = %config.journal.display(), lines = held.lines, read, "the record is open");
        Ok(Self { recalled, journal, held })
    }
}
