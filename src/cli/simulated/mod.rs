//! What the simulation adds to the command line: tables, dealers and devices that are not there.

mod demo;
mod demo_judge;
mod demo_output;
mod faults;
mod house_dealer;
mod readings;
mod score;
mod simulate;
#[cfg(feature = "floor")]
mod simulate_floor;
mod sink;
mod soak;
mod twin;
mod twin_signal;
mod twin_third_party;

use std::process::ExitCode;

use crate::out::say_err;
use clap::Subcommand;

/// The subcommands of the simulation.
#[derive(Subcommand)]
pub(crate) enum Command {
    Demo(demo::DemoArgs),
    Simulate(simulate::SimulateArgs),
    #[cfg(feature = "floor")]
    SimulateFloor(simulate_floor::SimulateFloorArgs),
    Faults(faults::FaultsArgs),
    Score(score::ScoreArgs),
    Twin(twin::TwinArgs),
    Soak(soak::SoakArgs),
}

pub(crate) fn run(command: &Command) -> ExitCode {
    match command {
        Command::Demo(args) => demo::run(args),
        Command::Simulate(args) => simulate::run(args),
        #[cfg(feature = "floor")]
        Command::SimulateFloor(args) => simulate_floor::run(args),
        Command::Faults(args) => faults::run(args),
        Command::Score(args) => score::run(args),
        Command::Twin(args) => twin::run(args),
        Command::Soak(args) => soak::run(args),
    }
}

/// How many: a whole number from 1.
fn count(text: &str) -> Result<u64, &'static str> {
    text.parse().ok().filter(|&number| number > 0).ok_or("a whole number from 1")
}

/// A seed: a whole number from 0.
fn seed(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "a whole number from 0")
}

/// Above a twin's levers in its `--help`.
const LEVERS_TITLE: &str = "Levers, a line each on standard input";

/// Tells of a line at a twin that makes no sense.
fn complain(line: usize, why: impl std::fmt::Display) {
    say_err!("sabot twin: line {line}: {why}");
}
