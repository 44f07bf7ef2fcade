//! A thief on each cable of a table that goes on.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sabot_law::table::Name;
use sabot_wire::message::Role;

use super::record_check::RecordCheck;
use super::station_process::{SoakFolder, StationProcess};
use super::table_load::TableLoad;
use super::thief::{Deeds, Thief, tapped};
use super::waits::{Longest, Waits};
use super::{Faults, PATIENCE, RecordReader, SoakError, all_there};
use crate::twin::Twin;

/// Between two looks at whether there is anything left to do.
const LOOK: Duration = Duration::from_millis(20);

/// What is to be done.
#[derive(Debug, Clone)]
pub struct ThiefPlan {
    /// What the thieves do, all of them together.
    pub attacks: u64,
    /// What the table does, and what each thief does when and for how long, follow from it.
    pub seed: u64,
    /// The program whose `run` is the station.
    pub program: PathBuf,
    /// Where ports, record and log are made; it is there already.
    pub folder: PathBuf,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct ThiefOutcome {
    /// What the thieves did.
    pub deeds: Deeds,
    /// What the twins saw.
    pub seen: u64,
    /// Lines on record.
    pub lines: u64,
    /// What is wrong with the record.
    pub faults: Faults,
    /// The longest that what a device saw was neither on record nor told as missing.
    pub unsaid: Vec<(Role, Longest)>,
    /// The same, of each time what the machine did not take of it: the longest of that.
    pub own: Vec<(Role, Longest)>,
    /// What the record says of devices, and how often.
    pub words: BTreeMap<Name, u64>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Lets a table go on with a thief on each cable; ends early with an error once `stop` is true.
///
/// # Errors
/// When it has no result: a device that does not come back once the thieves have gone, a station that ends, a system
/// that fails.
pub fn run_with_thieves(plan: &ThiefPlan, stop: &AtomicBool) -> Result<ThiefOutcome, SoakError> {
    let (folder, began) = (SoakFolder(plan.folder.clone()), Instant::now());
    let mut load = TableLoad::new(plan.seed);
    folder.configure(load.header(), &Role::ALL, "")?;
    let twins = folder.twins_at(&Role::ALL, tapped)?;
    let thieves: Vec<Thief<'_>> = twins
        .iter()
        .map(|twin| {
            let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
            rng.set_stream(1 + twin.role() as u64);
            Thief::new(twin, rng, folder.path(twin.role().name()), folder.path(&tapped(twin.role())))
        })
        .collect::<Result<_, _>>()?;
    let (left, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let (deeds, reader, waits) = std::thread::scope(|scope| {
        let (left, over) = (&left, &over);
        let at_work: Vec<ScopedJoinHandle<'_, Result<Deeds, SoakError>>> = thieves
            .into_iter()
            .zip(&twins)
            .map(|(thief, twin)| {
                let named = std::thread::Builder::new().name(format!("thief-{}", twin.role()));
                named.spawn_scoped(scope, move || thief.run(left, over)).map_err(SoakError::from)
            })
            .collect::<Result<_, _>>()?;
        let done = watched(plan, &folder, &twins, &mut load, (left, stop));
        over.store(true, Ordering::Relaxed);
        let mut deeds = Deeds::default();
        for thief in at_work {
            deeds.add(&thief.join().map_err(|_| SoakError::Failed)??);
        }
        done.map(|(reader, waits)| (deeds, reader, waits))
    })?;
    let check = reader.end()?;
    let unsaid = check.unsaid().into_iter().map(|(role, took, ended)| {
        let longest = ended.map_or(Longest { took, ..Longest::default() }, |ended| waits.longest(took, ended));
        (role, longest)
    });
    let own = check.long_unsaid().into_iter().map(|(role, long)| {
        let each = long.into_iter().map(|(took, ended)| waits.longest(took, ended));
        (role, each.max_by_key(Longest::own).unwrap_or_default())
    });
    Ok(ThiefOutcome {
        deeds,
        seen: load.seen.iter().map(|&seen| u64::from(seen)).sum(),
        lines: check.lines(),
        faults: check.settle(&load.seen),
        unsaid: unsaid.collect(),
        own: own.collect(),
        words: check.words(),
        elapsed: began.elapsed(),
    })
}

/// The station, from its start until everything that was seen is on record and it has stopped.
fn watched(
    plan: &ThiefPlan,
    folder: &SoakFolder,
    twins: &[Twin],
    load: &mut TableLoad,
    (left, stop): (&AtomicU64, &AtomicBool),
) -> Result<(RecordReader, Waits), SoakError> {
    let mut station = StationProcess::start(&plan.program, folder)?;
    let waits = Waits::of(station.number(), &plan.folder)?;
    let reader = RecordReader::start(folder, RecordCheck::with_thief())?;
    station.open_page(&reader.check)?;
    all_there(&reader.check)?;
    left.store(plan.attacks, Ordering::Relaxed);
    let over = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        let check = &*reader.check;
        let flow = scope.spawn(move || load.flow(twins, check, over));
        while left.load(Ordering::Relaxed) > 0 && !stop.load(Ordering::Relaxed) && !flow.is_finished() {
            std::thread::sleep(LOOK);
        }
        left.store(0, Ordering::Relaxed);
        over.store(true, Ordering::Relaxed);
        flow.join().map_err(|_| SoakError::Failed)?
    })
    .map_err(|why| station.why(why))?;
    if stop.load(Ordering::Relaxed) {
        return Err(SoakError::Stopped);
    }
    let held = twins.iter().find(|twin| !twin.wait_idle(PATIENCE));
    held.map_or(Ok(()), |twin| Err(SoakError::Stuck(twin.role()))).map_err(|why| station.why(why))?;
    station.stop()?;
    Ok((reader, waits))
}
