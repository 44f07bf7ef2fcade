//! The command line: one file a subcommand.

pub mod demo;
pub mod journal;
pub mod regulation;
pub mod replay;
pub mod run;
pub mod score;
pub mod simulate;
mod terminal;
pub mod twin;

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

/// What goes wrong is told on standard error; the variable `RUST_LOG` asks for more, or less.
pub fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    // a second call, as tests make, changes nothing
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_target(false);
    let _ = log.with_ansi(io::stderr().is_terminal()).try_init();
}
