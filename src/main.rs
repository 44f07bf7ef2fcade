//! The `sabot` command: parses and calls.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use sabot::cli::{chips, demo, device, devices, journal, regulation, replay, run, score, simulate, soak, twin};

/// The controller of a dealer's station at a blackjack table: it holds what happens on the felt against the house's
/// written regulation.
#[derive(Parser)]
#[command(
    version,
    about,
    after_help = "`sabot COMMAND --help` tells all about one. To see a table being dealt: sabot demo"
)]
struct Sabot {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::DemoArgs),
    Run(run::RunArgs),
    Replay(replay::ReplayArgs),
    Regulation(regulation::RegulationArgs),
    Simulate(simulate::SimulateArgs),
    Score(score::ScoreArgs),
    Journal(journal::JournalArgs),
    Twin(twin::TwinArgs),
    Chips(chips::ChipsArgs),
    Devices(devices::DevicesArgs),
    Device(device::DeviceArgs),
    Soak(soak::SoakArgs),
}

fn main() -> ExitCode {
    match Sabot::parse().command {
        Command::Demo(args) => demo::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Regulation(args) => regulation::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Score(args) => score::run(&args),
        Command::Journal(args) => journal::run(&args),
        Command::Twin(args) => twin::run(&args),
        Command::Chips(args) => chips::run(&args),
        Command::Devices(args) => devices::run(&args),
        Command::Device(args) => device::run(&args),
        Command::Soak(args) => soak::run(&args),
    }
}
