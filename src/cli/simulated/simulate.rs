//! `sabot simulate`: a simulated dealer deals, by the book or not, and says what it did.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::house_dealer::{HouseDealer, NoDealer};
use super::sink::{Sink, Unwritten};
use sabot_law::table::Event;
use sabot_law::table::header::FirstLine;
use sabot_law::validator::{NoRegulation, Validator};
use sabot_simulation::dealer::{Rhythm, Settings, SimulatedDealer, UnknownKind};
use sabot_simulation::score::{Rows, Tally};
use sabot_station::config::{self, ConfigError};

/// Deals passes under a regulation into a log, by the book or not, and notes what must be found
///
/// Where the book is broken, it is one clause of it at a time. The simulated dealer knows the regulation by its own
/// reading and never asks the validator, so that each checks the other. Everything follows from the seed. Writes the
/// table log to --log and one JSON object a finding to --truth: line of the log, provision, box, clause (provision and
/// what was done, such as C5/stood), and how it ends: noted, cleared or breach, the last two with their line. `sabot
/// score LOG TRUTH` compares them with the validator.
///
/// With --score no file is needed: dealer and validator run side by side in memory, settlements are compared too, and
/// the table of `sabot score` is printed.
///
/// Exit status: 0 when it was done, 1 with --score when anything differs, 2 when an option makes no sense or a file
/// cannot be written.
///
/// Example: sabot simulate --passes 100000 --seed 7 --irregularities 0.2 --log log.jsonl --truth truth.jsonl
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
    /// Seed of everything.
    #[arg(long, value_name = "N", default_value = "1", value_parser = super::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Share of the passes in which the book is broken, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    irregularities: f64,
    /// Break only this provision (C5) or clause (C5/stood); may be given several times.
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Share of the breaks whose remedy is left out, where that is possible, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    unremedied: f64,
    /// Betting boxes of the table, 3 to 7.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(3..=7))]
    boxes: u8,
    /// Write the table log to this file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write what must be found to this file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// Run the validator beside the simulated dealer and print how they agree.
    #[arg(long)]
    score: bool,
    /// With --score: one row a clause instead of one a provision.
    #[arg(long)]
    clauses: bool,
    /// With --score: mismatches to print.
    #[arg(long, value_name = "N", default_value_t = 20)]
    mismatches: usize,
    /// List every clause the simulated dealer of that house can break, and do nothing.
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
    #[error("--only: {0}")]
    Kind(#[from] UnknownKind),
    #[error("--settings: {0}")]
    Settings(#[from] ConfigError),
    #[error("--regulation: {0}")]
    NoDealer(#[from] NoDealer),
    #[error("nothing to do: give --log, --truth, --score or --list")]
    Nothing,
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    #[error(transparent)]
    Regulation(#[from] NoRegulation),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &SimulateArgs) -> ExitCode {
    match simulate(args) {
        Ok(agree) => ExitCode::from(u8::from(!agree)),
        Err(Stopped::Unwritten(why)) if why.is_broken_pipe() => ExitCode::SUCCESS,
        Err(stopped) => {
            eprintln!("sabot simulate: {stopped}");
            ExitCode::from(2)
        }
    }
}

fn simulate(args: &SimulateArgs) -> Result<bool, Stopped> {
    if args.list {
        let names: String =
            dealing(args)?.scripted_settings()?.kinds.iter().map(|kind| format!("{}\n", kind.clause())).collect();
        let written = io::stdout().write_all(names.as_bytes());
        return written.map(|()| true).map_err(|why| Unwritten { file: "-".into(), why }.into());
    }
    if args.log.is_none() && args.truth.is_none() && !args.score {
        return Err(Stopped::Nothing);
    }
    let dealing = dealing(args)?;
    let settings = settings(args, &dealing)?;
    let mut dealer = dealing.scripted(settings);
    let mut log = args.log.as_deref().map(Sink::open).transpose()?;
    let mut truth = args.truth.as_deref().map(Sink::open).transpose()?;
    let mut referee = args.score.then(|| Referee::new(&dealer, args)).transpose()?;
    if let Some(log) = &mut log {
        log.line(&FirstLine::of(dealer.header()))?;
    }
    let mut events = Vec::new();
    for _ in 0..args.passes {
        dealer.next_pass(&mut events);
        if let Some(log) = &mut log {
            events.iter().try_for_each(|event| log.line(event))?;
        }
        if let Some(truth) = &mut truth {
            dealer.expected().iter().try_for_each(|row| truth.line(row))?;
        }
        if let Some(referee) = &mut referee {
            referee.pass(&dealer, &events);
        }
    }
    log.map(Sink::flush).transpose()?;
    truth.map(Sink::flush).transpose()?;
    Ok(referee.is_none_or(Referee::finish))
}

fn dealing(args: &SimulateArgs) -> Result<HouseDealer, Stopped> {
    let more = args.settings.as_deref().map(config::settings).transpose()?.unwrap_or_default();
    Ok(HouseDealer::under(&args.regulation, more)?)
}

fn settings(args: &SimulateArgs, dealing: &HouseDealer) -> Result<Settings, Stopped> {
    let mut settings = Settings {
        seed: args.seed,
        boxes: args.boxes,
        rhythm: Rhythm::Chance(args.irregularities),
        unremedied: args.unremedied,
        ..dealing.scripted_settings()?
    };
    if !args.only.is_empty() {
        settings.kinds.clear();
    }
    for id in &args.only {
        let meant = settings.house.meant_by(id)?;
        settings.kinds.extend(meant);
    }
    Ok(settings)
}

/// The validator beside the simulated dealer.
struct Referee {
    validator: Validator,
    tally: Tally,
    answers: Vec<sabot_law::table::Answer>,
    line: u64,
    passes: u64,
    began: Instant,
}

impl Referee {
    fn new(dealer: &SimulatedDealer, args: &SimulateArgs) -> Result<Self, NoRegulation> {
        let rows = if args.clauses { Rows::Clauses } else { Rows::Articles };
        Ok(Self {
            validator: Validator::new(dealer.header().clone())?,
            tally: Tally::new(rows, args.mismatches),
            answers: Vec::new(),
            line: 1,
            passes: 0,
            began: Instant::now(),
        })
    }

    fn pass(&mut self, dealer: &SimulatedDealer, events: &[Event]) {
        dealer.expected().iter().for_each(|&row| self.tally.expect(row));
        self.answers.clear();
        for event in events {
            self.line += 1;
            self.validator.step(self.line, event, &mut self.answers);
        }
        for answer in &self.answers {
            self.tally.answer(answer);
        }
        self.tally.passed(self.line);
        self.tally.settled(dealer.settled(), &self.answers);
        self.passes += 1;
    }

    /// Prints the table; whether everything agreed.
    fn finish(mut self) -> bool {
        self.tally.finish();
        let (events, seconds) = (self.line - 1, self.began.elapsed().as_secs_f64());
        println!("{} passes, {events} events in {seconds:.1} s", self.passes);
        print!("{}", self.tally);
        self.tally.differences() == 0
    }
}
