//! The command line: one file a subcommand.

// they panic where nobody reads any more: see `out`
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod audit;
mod check;
mod chips;
mod commission;
mod conform;
mod coverage;
mod deck;
mod decks;
mod device;
mod devices;
mod journal;
mod log;
mod manuals;
mod out;
mod pit;
mod registry;
mod regulation;
mod reload;
mod replay;
mod replay_many;
mod replay_watch;
mod run;
mod setup;
#[cfg(feature = "simulation")]
mod simulated;
#[cfg(feature = "floor")]
mod sink;
mod staff;
mod supervised;
mod support;
mod tls;
mod upgrade_check;
#[cfg(feature = "floor")]
mod uplink;
mod version;

use std::net::SocketAddr;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use sabot_wire::pairing::Code;

pub use version::Build;

/// The controller of a dealer's station at a blackjack table: it holds what happens on the felt against the house's
/// written regulation.
#[derive(Parser)]
#[command(name = "sabot")]
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
    Setup(setup::SetupArgs),
    Check(check::CheckArgs),
    Support(support::SupportArgs),
    Pit(pit::PitArgs),
    #[cfg(feature = "floor")]
    Sink(sink::SinkArgs),
    Replay(replay::ReplayArgs),
    Audit(audit::AuditArgs),
    UpgradeCheck(upgrade_check::UpgradeCheckArgs),
    Regulation(regulation::RegulationArgs),
    Journal(journal::JournalArgs),
    Chips(chips::ChipsArgs),
    Deck(deck::DeckArgs),
    Decks(decks::DecksArgs),
    Staff(staff::StaffArgs),
    Tls(tls::TlsArgs),
    Devices(devices::DevicesArgs),
    Device(device::DeviceArgs),
    Commission(commission::CommissionArgs),
    #[command(hide = true)]
    Manuals(manuals::ManualsArgs),
    #[cfg(feature = "simulation")]
    #[command(flatten)]
    Simulated(simulated::Command),
}

/// The command `sabot`: reads its arguments and does what they ask for.
#[must_use]
pub fn main(build: Build) -> ExitCode {
    version::built_from(build);
    let asked = command().get_matches();
    let sabot = Sabot::from_arg_matches(&asked).unwrap_or_else(|error| error.exit());
    match sabot.command {
        Command::Run(args) => run::run(&args),
        Command::Setup(args) => setup::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Support(args) => support::run(&args),
        Command::Pit(args) => pit::run(&args),
        #[cfg(feature = "floor")]
        Command::Sink(args) => sink::run(&args),
        Command::Replay(args) if args.log.is_dir() && !args.watch.watch => replay_many::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::UpgradeCheck(args) => upgrade_check::run(&args),
        Command::Regulation(args) => regulation::run(&args),
        Command::Journal(args) => journal::run(&args),
        Command::Chips(args) => chips::run(&args),
        Command::Deck(args) => deck::run(&args),
        Command::Decks(args) => decks::run(&args),
        Command::Staff(args) => staff::run(&args),
        Command::Tls(args) => tls::run(&args),
        Command::Devices(args) => devices::run(&args),
        Command::Device(args) => device::run(&args),
        Command::Commission(args) => commission::run(&args),
        Command::Manuals(args) => manuals::run(&args),
        #[cfg(feature = "simulation")]
        Command::Simulated(command) => simulated::run(&command),
    }
}

/// The command with all that it takes, and its version.
fn command() -> clap::Command {
    Sabot::command().version(version::short()).long_version(version::long())
}

/// A panic is logged by its place alone: its words may hold what a device saw.
pub(crate) fn log_panics_by_place() {
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(at, "a fault of this program, which should be reported");
    }));
}

/// The code on a device's housing, as somebody types it.
fn code(text: &str) -> Result<Code, &'static str> {
    Code::typed(text).ok_or("a code has 16 digits and letters, as on the device's housing")
}

/// Where a page is served.
fn address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(
        |_| "an address and a port, such as 127.0.0.1:8081; port 0 takes any that is free, 0.0.0.0 is every network",
    )
}
