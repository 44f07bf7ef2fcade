//! `sabot simulate`: a table is dealt, by the book or not, into a log or before two readings of the regulation.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use clap::Args;

use super::house_dealer::{HouseDealer, NoDealer};
use super::readings::{Tally, minimised, told};
use super::sink::{Sink, Unwritten};
use crate::out::say_err;
use sabot_law::table::Event;
use sabot_law::table::header::FirstLine;
use sabot_law::validator::{NoRegulation, Validator};
use sabot_simulation::deviations::{Deviating, Deviation, Options};
use sabot_simulation::readings::{Difference, Unread};
use sabot_simulation::workload::Settings;
use sabot_station::config::{self, ConfigError};

/// Passes of a table that is scored.
const EACH: u64 = 4;
/// Boxes of a table, where none are asked for.
const BOXES: u8 = 7;

/// Deals passes under a regulation into a log, by the book or not
///
/// The simulated dealer deals every kind of legal pass. In a share of the passes he then deviates, in one way or in
/// several: an event is left out, doubled, put elsewhere, a card lies otherwise, a wrong amount is paid. He knows
/// nothing of what must be found; what is found is seen to more often than not. Everything follows from the seed.
///
/// With --score tables of a few passes each are dealt in memory, and two readings of the regulation are held against
/// each other on each: the validator's and the auditor's, which share no code (see `sabot score`). Prints the findings
/// by provision, what differs by its kind, and of the first tables that differ: the command that deals exactly that
/// table, where the readings differ first, and the shortest log that still shows it, as a scenario. What the auditor
/// does not read yet is said and not compared.
///
/// Exit status: 0 when it was done, 1 with --score when anything differs, 2 when an option makes no sense, a file
/// cannot be written or nothing can be compared.
///
/// Example: sabot simulate --passes 100000 --seed 7 --irregularities 0.2 --log log.jsonl
/// Example: sabot simulate --passes 4000 --regulation talla --irregularities 0.5 --score
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SimulateArgs {
    /// The regulation dealt under: one there is, such as croupier-6, or the TOML file of a house's own.
    #[arg(long, value_name = "ID|FILE", default_value = "sala-8")]
    regulation: String,
    /// TOML file with settings of the regulation the house changes; `sabot regulation settings` lists them all. The
    /// log's header bears them.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Passes to deal.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = super::count, allow_negative_numbers = true)]
    passes: u64,
    /// Seed of everything; with --score of the first table, the next has the next.
    #[arg(long, value_name = "N", default_value = "1", value_parser = super::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Share of the passes that deviate from the book, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share, allow_negative_numbers = true)]
    irregularities: f64,
    /// Deviate in this way only, such as extra-card; may be given several times.
    #[arg(long, value_name = "WAY", requires = "irregularities")]
    only: Vec<Deviation>,
    /// At most so many deviations in one pass.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "irregularities")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    most: u8,
    /// Betting boxes of the table, 3 to 7 [default: 7; with --score three to seven, by the table's seed]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=7))]
    boxes: Option<u8>,
    /// Write the table log to this file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Hold two readings of each table against each other, and print how they agree.
    #[arg(long, conflicts_with = "log")]
    score: bool,
    /// With --score: passes of a table.
    #[arg(long, value_name = "N", default_value_t = EACH, requires = "score", value_parser = super::count)]
    each: u64,
    /// With --score: tables that differ to print.
    #[arg(long, value_name = "N", default_value_t = 20, requires = "score")]
    mismatches: usize,
    /// List every way to deviate, and do nothing.
    #[arg(long)]
    list: bool,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a number from 0 to 1".into()),
    }
}

/// Why a simulation stopped.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error("--settings: {0}")]
    Settings(#[from] ConfigError),
    #[error("--regulation: {0}")]
    NoDealer(#[from] NoDealer),
    #[error("nothing to do: give --log, --score or --list")]
    Nothing,
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    #[error(transparent)]
    Regulation(#[from] NoRegulation),
    #[error("seed {seed}: {why}")]
    Unread { seed: u64, why: Unread },
    #[error("an event cannot be written: {0}")]
    Event(#[from] serde_json::Error),
    #[error("a thread of the comparison came to no end")]
    Thread,
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &SimulateArgs) -> ExitCode {
    match simulate(args) {
        Ok(status) => ExitCode::from(status),
        Err(Stopped::Unwritten(why)) if why.is_broken_pipe() => ExitCode::SUCCESS,
        Err(stopped) => {
            say_err!("sabot simulate: {stopped}");
            ExitCode::from(2)
        }
    }
}

fn simulate(args: &SimulateArgs) -> Result<u8, Stopped> {
    if args.list {
        let ways: String = Deviation::ALL.iter().map(|way| format!("{way}\n")).collect();
        return told(&ways).map(|()| 0).map_err(Stopped::from);
    }
    let more = args.settings.as_deref().map(config::settings).transpose()?.unwrap_or_default();
    let dealing = HouseDealer::under(&args.regulation, more)?;
    if args.score {
        return score(args, &dealing);
    }
    let Some(log) = &args.log else { return Err(Stopped::Nothing) };
    let mut log = Sink::open(log)?;
    let mut table = table(args, &dealing, args.seed, args.boxes.unwrap_or(BOXES));
    let mut validator = Validator::new(table.header().clone())?;
    log.line(&FirstLine::of(table.header()))?;
    let mut events = Vec::new();
    for _ in 0..args.passes {
        table.next_pass(&mut events, |line, event, answers| validator.step(line, event, answers));
        events.iter().try_for_each(|event| log.line(event))?;
    }
    log.flush()?;
    Ok(0)
}

/// The table of a seed.
fn table(args: &SimulateArgs, dealing: &HouseDealer, seed: u64, boxes: u8) -> Deviating {
    let settings = Settings { seed, boxes, ..dealing.settings() };
    let usual = Options::of(settings);
    let deviations = if args.only.is_empty() { usual.deviations.clone() } else { args.only.clone() };
    let (rate, most) = (args.irregularities, args.most.into());
    dealing.clone().deviating(Options { rate, most, deviations, blind: 0.0, ..usual })
}

/// A table that is scored: its log, and how it deviates.
fn dealt(args: &SimulateArgs, dealing: &HouseDealer, seed: u64, passes: u64) -> Result<(String, String), Stopped> {
    let boxes = args.boxes.unwrap_or(3 + u8::try_from(seed % 5).unwrap_or_default());
    let mut table = table(args, dealing, seed, boxes);
    let mut validator = Validator::new(table.header().clone())?;
    let mut log = serde_json::to_string(&FirstLine::of(table.header()))? + "\n";
    let (mut events, mut ways): (Vec<Event>, Vec<String>) = (Vec::new(), Vec::new());
    for pass in 1..=passes {
        table.next_pass(&mut events, |line, event, answers| validator.step(line, event, answers));
        ways.extend(table.done().iter().map(|done| format!("pass {pass}: {done}")));
        for event in &events {
            log += &serde_json::to_string(event)?;
            log.push('\n');
        }
    }
    let ways = if ways.is_empty() { "by the book".into() } else { ways.join("; ") };
    Ok((log, ways))
}

/// What came of some of the tables: the first that differ by their seeds, each with its passes.
#[derive(Default)]
struct Scored {
    tally: Tally,
    differing: BTreeMap<u64, (u64, Difference)>,
}

/// Scores every `step`th table from one on.
fn tables(args: &SimulateArgs, dealing: &HouseDealer, from: u64, step: usize) -> Result<Scored, Stopped> {
    let mut scored = Scored::default();
    for table in (from..args.passes.div_ceil(args.each)).step_by(step) {
        let (seed, passes) = (args.seed.wrapping_add(table), args.each.min(args.passes - table * args.each));
        let (log, _) = dealt(args, dealing, seed, passes)?;
        let first = scored.tally.add(&log, passes).map_err(|why| Stopped::Unread { seed, why })?;
        if let Some(first) = first.filter(|_| scored.differing.len() < args.mismatches) {
            scored.differing.insert(seed, (passes, first));
        }
    }
    Ok(scored)
}

/// Holds the two readings against each other; the exit status.
fn score(args: &SimulateArgs, dealing: &HouseDealer) -> Result<u8, Stopped> {
    let began = Instant::now();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let scored: Vec<Result<Scored, Stopped>> = thread::scope(|scope| {
        let running: Vec<_> =
            (0..threads).map(|from| scope.spawn(move || tables(args, dealing, from as u64, threads))).collect();
        running.into_iter().map(|thread| thread.join().unwrap_or(Err(Stopped::Thread))).collect()
    });
    let mut all = Scored::default();
    for scored in scored {
        let Scored { tally, differing } = scored?;
        all.tally.join(tally);
        all.differing.extend(differing);
    }
    let Tally { logs, passes, events, differing, .. } = all.tally;
    let (name, seconds) = (&args.regulation, began.elapsed().as_secs_f64());
    told(&format!("{name}: {logs} logs, {passes} passes, {events} events in {seconds:.1} s\n{}", all.tally))?;
    for (seed, (passes, first)) in all.differing.into_iter().take(args.mismatches) {
        let (log, ways) = dealt(args, dealing, seed, passes)?;
        told(&format!("\n{}   # {ways}\n{first}{}\n", again(args, seed, passes), minimised(&log)))?;
    }
    Ok(if all.tally.is_empty() { 2 } else { u8::from(differing > 0) })
}

/// The command that deals and scores exactly one table.
fn again(args: &SimulateArgs, seed: u64, passes: u64) -> String {
    let mut words = vec![format!("sabot simulate --score --regulation {}", args.regulation)];
    words.extend(args.settings.as_ref().map(|file| format!("--settings {}", file.display())));
    words.extend(args.boxes.map(|boxes| format!("--boxes {boxes}")));
    if args.irregularities > 0.0 {
        words.push(format!("--irregularities {} --most {}", args.irregularities, args.most));
        words.extend(args.only.iter().map(|way| format!("--only {way}")));
    }
    if passes > EACH {
        words.push(format!("--each {passes}"));
    }
    words.push(format!("--passes {passes} --seed {seed}"));
    words.join(" ")
}
