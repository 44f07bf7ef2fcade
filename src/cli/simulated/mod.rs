//! What the simulation adds to the command line: tables, dealers and devices that are not there.

mod dealing;
mod demo;
mod score;
mod simulate;
mod soak;
mod terminal;
mod twin;
mod twin_bought;
mod twin_signal;

use std::process::ExitCode;

use clap::Subcommand;

/// The subcommands of the simulation.
#[derive(Subcommand)]
pub(crate) enum Command {
    Demo(demo::DemoArgs),
    Simulate(simulate::SimulateArgs),
    Score(score::ScoreArgs),
    Twin(twin::TwinArgs),
    Soak(soak::SoakArgs),
}

pub(crate) fn run(command: &Command) -> ExitCode {
    match command {
        Command::Demo(args) => demo::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Score(args) => score::run(args),
        Command::Twin(args) => twin::run(args),
        Command::Soak(args) => soak::run(args),
    }
}
