//! `sabot score` without a truth: the validator and the auditor on the same logs.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::panic;
use std::path::{Path, PathBuf};
use std::thread;

use sabot_handbook::scenario::write;
use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_simulation::deviations::Deviation;
use sabot_simulation::readings::{Deal, Difference, compare, shortest};
use sabot_simulation::workload::{House, UnknownHouse};
use serde_json::Value;

/// Why readings could not be compared.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotCompared {
    #[error("{}: {why}", file.display())]
    Io { file: PathBuf, why: io::Error },
    #[error("{}: {why}", file.display())]
    Unread { file: PathBuf, why: String },
    #[error("--regulation: {0}")]
    House(#[from] UnknownHouse),
    #[error("seed {seed}: {why}")]
    Dealt { seed: u64, why: String },
}

/// Which logs are dealt.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    /// How many.
    pub(crate) passes: u64,
    /// The seed of the first.
    pub(crate) seed: u64,
    /// Under whose regulation.
    pub(crate) house: &'a str,
    /// At most so many deviations in each.
    pub(crate) deviations: usize,
    /// Only these, or all where none is named.
    pub(crate) only: &'a [Deviation],
    /// How many of those that differ are printed.
    pub(crate) mismatches: usize,
}

fn validator(log: &str) -> Result<Vec<Value>, String> {
    let (mut replay, mut answers) = (Replay::new(Lang::default(), None), Vec::new());
    for line in log.lines() {
        replay.feed(line.as_bytes(), &mut answers).map_err(|why| why.to_string())?;
    }
    replay.finish(&mut answers).map_err(|why| why.to_string())?;
    answers.iter().map(|answer| serde_json::to_value(answer).map_err(|why| why.to_string())).collect()
}

fn auditor(log: &str) -> Result<Vec<Value>, String> {
    sabot_auditor::audit(log).map_err(|why| why.to_string())
}

/// What came of a comparison.
#[derive(Debug)]
pub(crate) struct Compared {
    /// In words.
    pub(crate) report: String,
    /// Whether the readings agree.
    pub(crate) agree: bool,
}

/// Compares the readings of one log.
pub(crate) fn of_log(file: &Path) -> Result<Compared, NotCompared> {
    let io_error = |why| NotCompared::Io { file: file.into(), why };
    let log = if file == Path::new("-") {
        let mut log = String::new();
        io::stdin().read_to_string(&mut log).map_err(io_error)?;
        log
    } else {
        fs::read_to_string(file).map_err(io_error)?
    };
    let differences =
        compare(&log, validator, auditor).map_err(|why| NotCompared::Unread { file: file.into(), why })?;
    let report = match differences.first() {
        Some(first) => {
            format!(
                "the readings differ at {} lines; at the first of them:\n{}\n",
                differences.len(),
                shown(&log, first)
            )
        }
        None => format!("the readings agree on {} lines\n", log.lines().count()),
    };
    Ok(Compared { report, agree: differences.is_empty() })
}

/// A difference, and the shortest log that has it.
fn shown(log: &str, difference: &Difference) -> String {
    let short = shortest(log, validator, auditor);
    let scenario = write::scenario("the shortest log that shows it, with the validator's answers", &short);
    format!("{difference}{}", scenario.unwrap_or(short))
}

/// What came of logs dealt from seeds.
#[derive(Default)]
struct Tally {
    logs: u64,
    lines: usize,
    /// By seed: the first difference, and how the log deviates.
    differing: BTreeMap<u64, (Difference, String)>,
}

/// Compares the readings of as many logs as are asked for.
pub(crate) fn of_passes(args: &Asked<'_>) -> Result<Compared, NotCompared> {
    let ways = if args.only.is_empty() { Deviation::ALL } else { args.only };
    let deal = Deal { most: args.deviations, ways: ways.to_vec(), ..Deal::of(House::named(args.house)?) };
    let passes = args.passes;
    let threads = thread::available_parallelism().map_or(1, |many| many.get() as u64);
    let tallies: Vec<Result<Tally, NotCompared>> = thread::scope(|scope| {
        let of = |thread: u64| {
            let deal = &deal;
            scope.spawn(move || {
                tally(deal, (thread..passes).step_by(threads as usize).map(|at| args.seed.wrapping_add(at)))
            })
        };
        let running: Vec<_> = (0..threads).map(of).collect();
        // a thread that panicked has compared nothing, which is no agreement
        running.into_iter().map(|thread| thread.join().unwrap_or_else(|why| panic::resume_unwind(why))).collect()
    });
    let mut all = Tally::default();
    for tally in tallies {
        let tally = tally?;
        all.logs += tally.logs;
        all.lines += tally.lines;
        all.differing.extend(tally.differing);
    }
    Ok(Compared { report: report(args, &deal, &all)?, agree: all.differing.is_empty() })
}

fn tally(deal: &Deal, seeds: impl Iterator<Item = u64>) -> Result<Tally, NotCompared> {
    let mut tally = Tally::default();
    for seed in seeds {
        let (log, done) = deal.log(seed).map_err(|why| NotCompared::Dealt { seed, why: why.to_string() })?;
        let differences = compare(&log, validator, auditor).map_err(|why| NotCompared::Dealt { seed, why })?;
        tally.logs += 1;
        tally.lines += log.lines().count();
        if let Some(first) = differences.into_iter().next() {
            let ways: Vec<String> = done.iter().map(ToString::to_string).collect();
            tally.differing.insert(seed, (first, ways.join(", ")));
        }
    }
    Ok(tally)
}

fn report(args: &Asked<'_>, deal: &Deal, all: &Tally) -> Result<String, NotCompared> {
    let name = args.house;
    let differing = all.differing.len();
    let mut text =
        format!("{} logs of {name}, {} lines: {differing} read otherwise by the auditor\n", all.logs, all.lines);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for (difference, _) in all.differing.values() {
        *kinds.entry(difference.kinds().into_iter().collect::<Vec<_>>().join(" · ")).or_default() += 1;
    }
    let mut kinds: Vec<(String, usize)> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, many)| std::cmp::Reverse(*many));
    for (kind, many) in kinds {
        text += &format!("{many:>6}  {kind}\n");
    }
    let only: String = args.only.iter().map(|way| format!(" --only {way}")).collect();
    for (seed, (difference, ways)) in all.differing.iter().take(args.mismatches) {
        let (log, _) = deal.log(*seed).map_err(|why| NotCompared::Dealt { seed: *seed, why: why.to_string() })?;
        text += &format!(
            "\nsabot score --passes 1 --regulation {name} --deviations {}{only} --seed {seed}   # {ways}\n{}\n",
            args.deviations,
            shown(&log, difference)
        );
    }
    Ok(text)
}
