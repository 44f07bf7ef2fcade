//! A station that is killed again and again while a table goes on: nothing that a device was told is safe is lost.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_journal::audit::{Trust, audit};
use sabot_journal::checkpoint::checkpoints_of;
use sabot_journal::note::{PrivateKey, Purpose};
use sabot_wire::message::Role;

use super::record_check::RecordCheck;
use super::station_process::{SoakFolder, StationProcess};
use super::table_load::TableLoad;
use super::{Faults, PATIENCE, RecordReader, SoakError};
use crate::twin::Twin;

/// One time in so many it is killed before it serves its page, after as much time as the last start took at the most.
const IN_ITS_START: u32 = 4;
/// Else so long after it serves its page at the most, milliseconds: the devices come meanwhile, and tell what they
/// hold.
const SERVES_MS: u64 = 240;
/// One time in so many, and whenever a device holds this much, it is let be until all hold little: else a table whose
/// station takes long to start would come to a stand.
const LET_BE: u32 = 8;
const MUCH: usize = 100;
const LITTLE: usize = 4;
/// How long what a device was told is safe may take to be read from the record.
const READ_WITHIN: Duration = Duration::from_secs(10);
/// The file of the key, beside the record.
const KEY: &str = "station.key";

/// What is to be done.
#[derive(Debug, Clone)]
pub struct KillPlan {
    /// Kills.
    pub kills: u64,
    /// After so long no more are begun.
    pub at_most: Option<Duration>,
    /// What the table does, and the moments of the kills, follow from it; the system's own timing does not.
    pub seed: u64,
    /// The program whose `run` is the station.
    pub program: PathBuf,
    /// Where ports, record, keys and log are made; it is there already.
    pub folder: PathBuf,
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct KillOutcome {
    /// Kills.
    pub kills: u64,
    /// Of these before the station served its page.
    pub in_its_start: u64,
    /// Of these while a device held what was not acknowledged.
    pub under_load: u64,
    /// What the twins saw.
    pub seen: u64,
    /// Acknowledged to a device, and not in the record after the kill.
    pub acknowledged_lost: u64,
    /// Lines on record.
    pub lines: u64,
    /// Checkpoints that the record bears out.
    pub checkpoints: u64,
    /// What is wrong with the record, held against what was seen.
    pub faults: Faults,
    /// What its verification finds.
    pub unverified: Vec<String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Lets a table go on while its station is killed and started again; once `stop` is true it ends early, and tells of
/// what was done until then.
///
/// # Errors
/// When it has no result: a station that does not start again or ends by itself, a device that holds what nobody takes
/// from it, a system that fails.
pub fn run_with_kills(
    plan: &KillPlan,
    stop: &AtomicBool,
    mut progress: impl FnMut(&KillOutcome),
) -> Result<KillOutcome, SoakError> {
    let (folder, began) = (SoakFolder(plan.folder.clone()), Instant::now());
    let mut load = TableLoad::new(plan.seed);
    let key = PrivateKey::create(&folder.path(KEY), "soak.example/table", Purpose::Station)?;
    folder.configure(load.header(), &Role::ALL, &format!("journal_key = \"{KEY}\"\n"))?;
    let twins = folder.twins(&Role::ALL)?;
    let reader = RecordReader::start(&folder, RecordCheck::default())?;
    let (check, over) = (&*reader.check, &AtomicBool::new(false));
    let mut killing = Killing::new(plan, &folder, &twins, check);
    std::thread::scope(|scope| {
        let flow = scope.spawn(|| load.flow(&twins, check, over));
        let mut killed = Ok(());
        while killed.is_ok() && killing.goes_on(began) && !stop.load(Ordering::Relaxed) && !flow.is_finished() {
            killed = killing.once();
            killing.outcome.elapsed = began.elapsed();
            progress(&killing.outcome);
        }
        over.store(true, Ordering::Relaxed);
        // what it still holds nobody takes from it while no station runs
        let last = killed.and_then(|()| StationProcess::start(&plan.program, &folder));
        let flowed = flow.join().map_err(|_| SoakError::Failed)?;
        let mut station = last?;
        flowed.map_err(|why| station.why(why))?;
        let held = twins.iter().find(|twin| !twin.wait_idle(PATIENCE));
        held.map_or(Ok(()), |twin| Err(SoakError::Stuck(twin.role()))).map_err(|why| station.why(why))?;
        station.stop()
    })?;
    let mut outcome = killing.outcome;
    let check = reader.end()?;
    let record = folder.record();
    let trust = Trust { stations: vec![key.public().clone()], witnesses: Vec::new(), closed: true };
    let report = audit(&record, &[checkpoints_of(&record)], &trust)?;
    outcome.seen = load.seen.iter().map(|&seen| u64::from(seen)).sum();
    (outcome.lines, outcome.checkpoints) = (check.lines(), report.checkpoints);
    outcome.faults = check.settle(&load.seen);
    outcome.unverified = report.faults.iter().map(ToString::to_string).collect();
    outcome.elapsed = began.elapsed();
    Ok(outcome)
}

/// Starts and kills.
struct Killing<'a> {
    plan: &'a KillPlan,
    folder: &'a SoakFolder,
    twins: &'a [Twin],
    check: &'a RecordCheck,
    rng: ChaCha8Rng,
    /// How long the last start took that was let be.
    start: Duration,
    outcome: KillOutcome,
}

impl<'a> Killing<'a> {
    fn new(plan: &'a KillPlan, folder: &'a SoakFolder, twins: &'a [Twin], check: &'a RecordCheck) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
        rng.set_stream(1);
        Self { plan, folder, twins, check, rng, start: Duration::ZERO, outcome: KillOutcome::default() }
    }

    fn goes_on(&self, began: Instant) -> bool {
        let is_late = self.plan.at_most.is_some_and(|most| began.elapsed() >= most);
        self.outcome.kills < self.plan.kills && !is_late
    }

    /// Starts the station and kills it.
    fn once(&mut self) -> Result<(), SoakError> {
        let holds_much = self.twins.iter().any(|twin| twin.pending() > MUCH);
        let in_its_start = self.rng.random_ratio(1, IN_ITS_START) && !holds_much;
        let part = self.rng.random_range(0.0..1.0);
        let began = Instant::now();
        let mut station = StationProcess::spawn(&self.plan.program, self.folder)?;
        if in_its_start && !self.start.is_zero() {
            std::thread::sleep(self.start.mul_f64(part));
            self.outcome.in_its_start += 1;
        } else {
            if !station.serves()? {
                return Err(SoakError::NotServing(self.folder.path("station.log")));
            }
            self.start = began.elapsed();
            // a kill before the first line takes nothing from anybody
            if !self.check.begins(PATIENCE) {
                return Err(station.why(SoakError::NothingRecorded));
            }
            if (self.rng.random_ratio(1, LET_BE) || holds_much)
                && let Some(twin) = self.twins.iter().find(|twin| !twin.wait_pending(LITTLE, PATIENCE))
            {
                return Err(station.why(SoakError::Stuck(twin.role())));
            }
            std::thread::sleep(Duration::from_millis(SERVES_MS).mul_f64(part));
        }
        // first what was seen, then what of it waits: what is told between the two counts as not acknowledged
        let held = |twin: &Twin| u32::try_from(twin.pending()).unwrap_or(u32::MAX);
        self.outcome.under_load += u64::from(self.twins.iter().any(|twin| held(twin) > 0));
        station.kill()?;
        self.outcome.kills += 1;
        for twin in self.twins {
            let seen = self.check.queued(twin.role());
            let acknowledged = seen.saturating_sub(held(twin));
            let lost = self.check.missing(twin.role(), acknowledged, READ_WITHIN);
            self.outcome.acknowledged_lost += u64::from(lost);
        }
        Ok(())
    }
}
