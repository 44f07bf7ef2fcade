//! The command line: one file a subcommand.

mod chips;
mod commission;
mod conform;
mod coverage;
mod decks;
mod device;
mod devices;
mod journal;
mod pit;
mod registry;
mod regulation;
mod replay;
mod replay_many;
mod run;
#[cfg(feature = "simulation")]
mod simulated;
#[cfg(feature = "floor")]
mod sink;
mod staff;
mod tls;
#[cfg(feature = "floor")]
mod uplink;

use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

/// The controller of a dealer's station at a blackjack table: it holds what happens on the felt against the house's
/// written regulation.
#[derive(Parser)]
#[command(name = "sabot", version)]
#[cfg_attr(
    feature = "simulation",
    command(after_help = "`sabot COMMAND --help` tells all about one. To see a table being dealt: sabot demo")
)]
struct Sabot {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::RunArgs),
    Pit(pit::PitArgs),
    #[cfg(feature = "floor")]
    Sink(sink::SinkArgs),
    Replay(replay::ReplayArgs),
    Regulation(regulation::RegulationArgs),
    Journal(journal::JournalArgs),
    Chips(chips::ChipsArgs),
    Decks(decks::DecksArgs),
    Staff(staff::StaffArgs),
    Tls(tls::TlsArgs),
    Devices(devices::DevicesArgs),
    Device(device::DeviceArgs),
    Commission(commission::CommissionArgs),
    #[cfg(feature = "simulation")]
    #[command(flatten)]
    Simulated(simulated::Command),
}

/// The command `sabot`: reads its arguments and does what they ask for.
#[must_use]
pub fn main() -> ExitCode {
    match Sabot::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Pit(args) => pit::run(&args),
        #[cfg(feature = "floor")]
        Command::Sink(args) => sink::run(&args),
        Command::Replay(args) if args.log.is_dir() => replay_many::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Regulation(args) => regulation::run(&args),
        Command::Journal(args) => journal::run(&args),
        Command::Chips(args) => chips::run(&args),
        Command::Decks(args) => decks::run(&args),
        Command::Staff(args) => staff::run(&args),
        Command::Tls(args) => tls::run(&args),
        Command::Devices(args) => devices::run(&args),
        Command::Device(args) => device::run(&args),
        Command::Commission(args) => commission::run(&args),
        #[cfg(feature = "simulation")]
        Command::Simulated(command) => simulated::run(&command),
    }
}

/// What goes wrong is told on standard error; the variable `RUST_LOG` asks for more, or less.
pub(crate) fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    // a second call, as tests make, changes nothing
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_target(false);
    let _ = log.with_ansi(io::stderr().is_terminal()).try_init();
}

/// A panic is logged by its place alone: its words may hold what a device saw.
pub(crate) fn log_panics_by_place() {
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(at, "a fault of this program, which should be reported");
    }));
}

/// Where a page is served.
fn address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(
        |_| "an address and a port, such as 127.0.0.1:8081; port 0 takes any that is free, 0.0.0.0 is every network",
    )
}
