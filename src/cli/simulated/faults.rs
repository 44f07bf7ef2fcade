//! `sabot faults`: what the validator makes of legal passes of which every second is told with a fault.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::house_dealer::{HouseDealer, NoDealer};
use super::sink::{Sink, Unwritten};
use crate::out::{say, say_err};
use sabot_law::table::Event;
use sabot_law::table::header::FirstLine;
use sabot_law::validator::{NoRegulation, Validator};
use sabot_simulation::faults::{Healing, Kind, Tally, Trial};
use sabot_simulation::workload::Settings;

/// Tells legal passes with sensor faults, and measures what is made of them
///
/// The simulated dealer deals by the book. Every second pass is told with one fault: an event missed, doubled or
/// misread, a key up to five events late, a device away for up to ten events. Everything follows from the seed. Prints,
/// a kind of fault, in how many of these passes in a hundred: somebody is accused (an irregularity found that still
/// stands when the pass ends); somebody was, and it was withdrawn before the end; the cards are mistrusted (a finding
/// of integrity that names no device); a payment or collection is ordered, or an account given, that is not the true
/// one; a good bet is void; an account is said to be unknown; the pass after is answered otherwise than without the
/// fault; and two corrections by an inspector right after the pass, or one and the room's ruling before its end that
/// nothing else was missed, lead to the accounts that were owed (owed), and leave no finding but of equipment (healed).
/// Where more was lost than two events tell, all of it is told, to see that this puts the pass right. Examples follow,
/// by the number of the pass.
///
/// To see one, --pass writes the log up to the pass after it, with the corrections of that pass in their place.
///
/// Exit status: 0 when it was done, 2 when an option makes no sense or a file cannot be written.
///
/// Example: sabot faults --passes 100000 --regulation club --seed 7
/// Example: sabot faults --regulation club --seed 7 --pass 13 --log - | sabot replay -
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct FaultsArgs {
    /// The regulation dealt under: one there is, such as croupier-6, or the TOML file of a house's own.
    #[arg(long, value_name = "ID|FILE", default_value = "sala-8")]
    regulation: String,
    /// Passes with a fault.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = super::count, allow_negative_numbers = true)]
    passes: u64,
    /// Seed of everything.
    #[arg(long, value_name = "N", default_value = "1", value_parser = super::seed, allow_negative_numbers = true)]
    seed: u64,
    /// Only faults of this kind, such as "late key".
    #[arg(long, value_name = "KIND")]
    only: Option<Kind>,
    /// One row a kind of fault and of the event it hit first.
    #[arg(long)]
    events: bool,
    /// Each fault as if it were the first: what earlier ones left behind, such as a card counted twice, is forgotten.
    #[arg(long)]
    apart: bool,
    /// Write the log with faults to this file; `-` is standard output, and the table is left out.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write one JSON object a pass with a fault to this file: fault, lines, and what was made of it.
    #[arg(long, value_name = "FILE", conflicts_with = "apart")]
    truth: Option<PathBuf>,
    /// With --log: end with the pass after this one, and put in its corrections.
    #[arg(long, value_name = "N", requires = "log")]
    pass: Option<u64>,
}

/// Why it stopped.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error("--regulation: {0}")]
    NoDealer(#[from] NoDealer),
    #[error(transparent)]
    Regulation(#[from] NoRegulation),
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &FaultsArgs) -> ExitCode {
    match faults(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stopped::Unwritten(why)) if why.is_broken_pipe() => ExitCode::SUCCESS,
        Err(stopped) => {
            say_err!("sabot faults: {stopped}");
            ExitCode::from(2)
        }
    }
}

fn faults(args: &FaultsArgs) -> Result<(), Stopped> {
    let dealing = HouseDealer::under(&args.regulation, sabot_law::table::settings::Changes::default())?;
    let settings = Settings { seed: args.seed, ..dealing.settings() };
    let dealer = dealing.dealer(settings);
    let validator = Validator::new(dealer.header().clone())?;
    let mut trial = Trial::new(dealer, validator, Validator::step, args.seed, args.only);
    let mut log = args.log.as_deref().map(Sink::open).transpose()?;
    let mut truth = args.truth.as_deref().map(Sink::open).transpose()?;
    trial.apart = args.apart;
    if let Some(log) = &mut log {
        log.line(&FirstLine::of(trial.dealer().header()))?;
    }
    let mut tally = Tally::new(args.events);
    for _ in 0..args.passes {
        let case = trial.next_case();
        let is_asked = args.pass.is_some_and(|pass| case.pass >= pass);
        if let Some(log) = &mut log {
            let told = if args.apart && !is_asked { &case.happened } else { &case.told };
            let (faulty, after) = told.split_at(told.len() - (case.after - case.last) as usize);
            let end = faulty.iter().rposition(|event| matches!(event, Event::End {})).unwrap_or(faulty.len());
            let (pass, end) = faulty.split_at(end);
            let Healing { ruling, corrections } = if is_asked { case.healing.clone() } else { Healing::default() };
            let all = pass.iter().chain(&ruling).chain(end).chain(&corrections).chain(after);
            all.into_iter().try_for_each(|event| log.line(event))?;
        }
        if let Some(truth) = &mut truth {
            truth.line(&case)?;
        }
        tally.add(&case);
        if is_asked {
            break;
        }
    }
    log.into_iter().chain(truth).try_for_each(Sink::flush)?;
    if args.log.as_deref().is_none_or(|file| file.as_os_str() != "-") {
        let (regulation, seed) = (&args.regulation, args.seed);
        crate::out::write(format_args!(
            "{regulation}, seed {seed}: passes told with a fault, the pass after each without\n{tally}"
        ));
        say!("to see one: sabot faults --regulation {regulation} --seed {seed} --pass PASS --log - | sabot replay -");
    }
    Ok(())
}
