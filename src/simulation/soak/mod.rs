//! The soak: a station as a process of its own, its devices' twins on pseudo-terminals, and their cables pulled and put
//! back thousands of times while a table goes on. What is on record is held against what the twins saw.

mod cable_cycles;
mod idle;
mod kills;
mod owed;
mod record_check;
mod station_process;
mod table_load;
mod thief;
mod thieves;
mod usage;
mod waits;

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{JoinHandle, ScopedJoinHandle};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sabot_wire::message::Role;

pub use cable_cycles::{CycleTimes, Delays};
pub use idle::{Boxes, Idle, idle};
pub use kills::{KillOutcome, KillPlan, run_with_kills};
pub use record_check::Faults;
pub use thief::{Attack, Deeds};
pub use thieves::{ThiefOutcome, ThiefPlan, run_with_thieves};
pub use usage::Usage;
pub use waits::Longest;

use sabot_journal::note::KeyFileError;

use super::third_party::ThirdPartyTwinError;
use super::twin::{Twin, TwinError, serial};
use cable_cycles::CableCycles;
use record_check::{Presence, RecordCheck};
use station_process::{SoakFolder, StationProcess};
use table_load::TableLoad;
use waits::Waits;

/// What has not happened after so long will not.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long a station is left alone before it is measured at rest.
const REST: Duration = Duration::from_millis(300);
/// How long it may go on to read its record, which it does now and then for its next start: that takes a handle.
const READS: Duration = Duration::from_secs(20);
/// Parts of the run, in per cent of the cycles, after which everything rests and is measured.
const STAGES: [u64; 5] = [10, 25, 50, 75, 100];

/// Why a soak has no result.
#[derive(Debug, thiserror::Error)]
pub enum SoakError {
    /// A file of the soak cannot be written.
    #[error("{}: {why}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// A twin cannot be started.
    #[error(transparent)]
    Twin(#[from] TwinError),
    /// The chip readers' twin cannot be started.
    #[error(transparent)]
    Feig(#[from] ThirdPartyTwinError),
    /// The system.
    #[error("{0}")]
    System(#[from] io::Error),
    /// The station does not serve its page.
    #[error("the station does not start; what it says is in {}", .0.display())]
    NotServing(PathBuf),
    /// The page is not sent.
    #[error("the station does not send its page: {0}")]
    NoPage(String),
    /// The station ended when it should not, or badly.
    #[error("the station has ended: {0}")]
    Ended(ExitStatus),
    /// It does not stop.
    #[error("the station does not stop when it is told to")]
    DoesNotEnd,
    /// A pulled cable was never on the page and on record.
    #[error("the {0} was unplugged, and page and record do not say so after {s} seconds", s = PATIENCE.as_secs())]
    NotMissed(Role),
    /// A device that was plugged in was never resumed.
    #[error("the {0} was plugged in, and page and record do not say so after {s} seconds", s = PATIENCE.as_secs())]
    NotResumed(Role),
    /// A device keeps what it sees, and nobody acknowledges it.
    #[error("the {0} holds what it saw, and nobody takes it from it")]
    Stuck(Role),
    /// The station serves its page and records nothing.
    #[error("nothing is on record after {s} seconds", s = PATIENCE.as_secs())]
    NothingRecorded,
    /// The key that signs cannot be made.
    #[error(transparent)]
    Key(#[from] KeyFileError),
    /// A thread of the soak has failed.
    #[error("a part of the soak has failed; standard error says why")]
    Failed,
    /// Somebody stopped it.
    #[error("stopped before it was done")]
    Stopped,
}

/// What is to be done.
#[derive(Debug, Clone)]
pub struct SoakPlan {
    /// Cables pulled and put back, of all devices together.
    pub cycles: u64,
    /// What the table does, which cable is out for how long and when its device loses its power, follow from it.
    pub seed: u64,
    /// The program whose `run` is the station.
    pub program: PathBuf,
    /// Where ports, record and log are made; it is there already.
    pub folder: PathBuf,
    /// How long the processor is measured while a device is away, for each device.
    pub away: Duration,
    /// A device that loses its power loses its ring: a board whose memory nothing feeds.
    pub loses_rings: bool,
}

/// The station at rest, everything plugged in and on record.
#[derive(Debug, Clone, Copy)]
pub struct AtRest {
    /// CableCycles so far.
    pub cycles: u64,
    /// What it takes.
    pub usage: Usage,
    /// Since the first cycle.
    pub elapsed: Duration,
}

/// What the soak found.
#[derive(Debug, Clone)]
pub struct SoakOutcome {
    /// Each device's cycles.
    pub times: Vec<(Role, CycleTimes)>,
    /// Of all of them the longest until shown on the page: gone, and back.
    pub longest: [Longest; 2],
    /// The station at rest, first after a tenth of the cycles.
    pub at_rest: Vec<AtRest>,
    /// What the twins saw.
    pub seen: u64,
    /// Of that, what went with rings that were lost with the power, each told.
    pub lost_with_rings: u64,
    /// Lines on record.
    pub lines: u64,
    /// What is wrong with the record.
    pub faults: Faults,
    /// Times a device was on record as gone though nobody had pulled its cable.
    pub gone_unasked: u64,
    /// Part of one core the station used during the cycles, in per cent.
    pub busy: f64,
    /// The same while nothing happens and one device is away, by device; then with all of them away.
    pub away: Vec<(Option<Role>, f64)>,
}

/// Runs the soak; `progress` hears of every stage. It ends early with an error once `stop` is true.
///
/// # Errors
/// When it has no result: a device whose going or coming is never on record, a station that ends, a system that fails.
pub fn run(plan: &SoakPlan, stop: &AtomicBool, mut progress: impl FnMut(&AtRest)) -> Result<SoakOutcome, SoakError> {
    let folder = SoakFolder(plan.folder.clone());
    let mut load = TableLoad::new(plan.seed);
    folder.configure(load.header(), &Role::ALL, "")?;
    let twins = folder.twins(&Role::ALL)?;
    let mut station = StationProcess::start(&plan.program, &folder)?;
    let waits = Waits::of(station.number(), &plan.folder)?;
    let check = if plan.loses_rings { RecordCheck::of_lost_rings() } else { RecordCheck::default() };
    let reader = RecordReader::start(&folder, check)?;
    station.open_page(&reader.check)?;
    let check = &*reader.check;
    all_there(check)?;
    let mut cycles: Vec<CableCycles> = Role::ALL
        .into_iter()
        .map(|role| {
            let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
            rng.set_stream(1 + role as u64);
            CableCycles { role, rng, times: CycleTimes::default(), loses_rings: plan.loses_rings }
        })
        .collect();
    let (began, mut at_rest, mut done, mut busy) = (Instant::now(), Vec::new(), 0, Busy::default());
    for stage in STAGES {
        let upto = (plan.cycles * stage).div_ceil(100);
        let (before, since) = (station.usage()?, Instant::now());
        self::stage(&twins, &mut cycles, &mut load, check, upto - done, stop).map_err(|why| station.why(why))?;
        busy.add(&before, &station.usage()?, since.elapsed());
        done = upto;
        let most = at_rest.first().map_or(usize::MAX, |first: &AtRest| first.usage.handles);
        let rest = AtRest { cycles: done, usage: at_rest_with(&station, most)?, elapsed: began.elapsed() };
        progress(&rest);
        at_rest.push(rest);
    }
    let times: Vec<(Role, CycleTimes)> = cycles.iter().map(|one| (one.role, one.times.clone())).collect();
    let longest = [|times: &CycleTimes| times.gone.longest(), |times: &CycleTimes| times.back.longest()].map(|of| {
        let longest = times.iter().filter_map(|(_, times)| of(times)).max();
        longest.map(|(took, ended)| waits.longest(took, ended)).unwrap_or_default()
    });
    at_rest_with(&station, at_rest.first().map_or(usize::MAX, |first| first.usage.handles))?;
    let away = while_away(plan, &station, &twins, &mut cycles, check).map_err(|why| station.why(why))?;
    station.stop()?;
    let check = reader.end()?;
    let pulled: u64 = cycles.iter().map(|one| one.times.gone.recorded.len() as u64).sum();
    let gone: u64 = Role::ALL.into_iter().map(|role| check.presence(role).gone).sum();
    Ok(SoakOutcome {
        times,
        longest,
        lost_with_rings: check.lost_with_rings(),
        at_rest,
        seen: load.seen.iter().map(|&seen| u64::from(seen)).sum(),
        lines: check.lines(),
        faults: check.settle(&load.seen),
        gone_unasked: gone.saturating_sub(pulled),
        busy: busy.share(),
        away,
    })
}

/// What the station takes once it rests, with so many handles at the most where it comes to that.
fn at_rest_with(station: &StationProcess, most: usize) -> io::Result<Usage> {
    let since = Instant::now();
    loop {
        std::thread::sleep(REST);
        let usage = station.usage()?;
        if usage.handles <= most || since.elapsed() > READS {
            return Ok(usage);
        }
    }
}

/// Waits until every device is on the page and on record.
fn all_there(check: &RecordCheck) -> Result<(), SoakError> {
    Role::ALL.into_iter().try_for_each(|role| {
        let there = |now: &Presence| now.back_at.filter(|_| now.shown.is_some_and(|(there, _)| there));
        check.wait(role, PATIENCE, there).map(drop).ok_or(SoakError::NotResumed(role))
    })
}

/// The thread that reads the record as it grows.
struct RecordReader {
    check: Arc<RecordCheck>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl RecordReader {
    fn start(folder: &SoakFolder, check: RecordCheck) -> Result<Self, SoakError> {
        let (check, ended) = (Arc::new(check), Arc::new(AtomicBool::new(false)));
        let (reads, until, record) = (Arc::clone(&check), Arc::clone(&ended), folder.record());
        let thread =
            std::thread::Builder::new().name("record".to_owned()).spawn(move || reads.follow(&record, &until))?;
        Ok(Self { check, ended, thread: Some(thread) })
    }

    /// Reads what is left, and ends.
    fn end(mut self) -> Result<Arc<RecordCheck>, SoakError> {
        self.ended.store(true, Ordering::Relaxed);
        let thread = self.thread.take().map(JoinHandle::join);
        thread.transpose().map_err(|_| SoakError::Failed)?.transpose()?;
        Ok(Arc::clone(&self.check))
    }
}

impl Drop for RecordReader {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// Processor time over several stretches of time.
#[derive(Debug, Default)]
struct Busy {
    used: Duration,
    elapsed: Duration,
}

impl Busy {
    fn add(&mut self, before: &Usage, after: &Usage, elapsed: Duration) {
        self.used += after.processor.saturating_sub(before.processor);
        self.elapsed += elapsed;
    }

    fn share(&self) -> f64 {
        if self.elapsed.is_zero() { 0.0 } else { 100.0 * self.used.as_secs_f64() / self.elapsed.as_secs_f64() }
    }
}

/// So many cycles, each device's in a thread of its own, while the table goes on; ends with everything on record.
fn stage(
    twins: &[Twin],
    cycles: &mut [CableCycles],
    load: &mut TableLoad,
    check: &RecordCheck,
    count: u64,
    stop: &AtomicBool,
) -> Result<(), SoakError> {
    let (left, over) = (&AtomicU64::new(count), &AtomicBool::new(false));
    std::thread::scope(|scope| {
        let flow = scope.spawn(|| load.flow(twins, check, over));
        let pulling: Vec<ScopedJoinHandle<'_, Result<(), SoakError>>> = cycles
            .iter_mut()
            .zip(twins)
            .map(|(one, twin)| {
                scope.spawn(move || {
                    let done = one.run(twin, check, left, stop);
                    if done.is_err() {
                        left.store(0, Ordering::Relaxed);
                    }
                    done
                })
            })
            .collect();
        let pulled: Vec<_> = pulling.into_iter().map(|one| one.join().map_err(|_| SoakError::Failed)).collect();
        over.store(true, Ordering::Relaxed);
        let flowed = flow.join().map_err(|_| SoakError::Failed)?;
        pulled.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().collect::<Result<Vec<()>, _>>()?;
        flowed
    })?;
    if stop.load(Ordering::Relaxed) {
        return Err(SoakError::Stopped);
    }
    let held = twins.iter().find(|twin| !twin.wait_idle(PATIENCE));
    held.map_or(Ok(()), |twin| Err(SoakError::Stuck(twin.role())))
}

/// What the station uses while nothing happens and a device is away: each in turn, then all of them.
fn while_away(
    plan: &SoakPlan,
    station: &StationProcess,
    twins: &[Twin],
    cycles: &mut [CableCycles],
    check: &RecordCheck,
) -> Result<Vec<(Option<Role>, f64)>, SoakError> {
    let mut shares = Vec::new();
    for (one, twin) in cycles.iter_mut().zip(twins) {
        one.pull(twin, check)?;
        shares.push((Some(one.role), station.share_over(plan.away)?));
        one.plug(twin, check)?;
    }
    for (one, twin) in cycles.iter_mut().zip(twins) {
        one.pull(twin, check)?;
    }
    shares.push((None, station.share_over(plan.away)?));
    for (one, twin) in cycles.iter_mut().zip(twins) {
        one.plug(twin, check)?;
    }
    Ok(shares)
}
