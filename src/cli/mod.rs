//! The command line: one file a subcommand.

pub mod chips;
pub mod dealing;
pub mod demo;
pub mod device;
pub mod devices;
pub mod journal;
pub mod regulation;
pub mod replay;
pub mod run;
pub mod score;
pub mod simulate;
pub mod soak;
mod terminal;
pub mod twin;
mod twin_bought;
mod twin_signal;

use std::io::{self, IsTerminal};
use std::net::SocketAddr;

use tracing_subscriber::EnvFilter;

/// What goes wrong is told on standard error; the variable `RUST_LOG` asks for more, or less.
pub fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    // a second call, as tests make, changes nothing
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_target(false);
    let _ = log.with_ansi(io::stderr().is_terminal()).try_init();
}

/// A panic is logged by its place alone: its words may hold what a device saw.
pub fn log_panics_by_place() {
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(at, "a fault of this program, which should be reported");
    }));
}

/// How many: a whole number from 1.
fn count(text: &str) -> Result<u64, &'static str> {
    text.parse().ok().filter(|&number| number > 0).ok_or("a whole number from 1")
}

/// A seed: a whole number from 0.
fn seed(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "a whole number from 0")
}

/// Where a page is served.
fn address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(
        |_| "an address and a port, such as 127.0.0.1:8081; port 0 takes any that is free, 0.0.0.0 is every network",
    )
}
