//! `sabot pit`: many tables on one page.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::run::{RunError, ended, listen, serve_page};
use sabot_pit::PitConfig;
use sabot_station::StationError;

/// Shows many tables on one page, the worst first
///
/// Listens to the stations of the tables, or with `[live]` hears them by the house's broker, and shows what each says:
/// who must act, about which article, at which box, since when. A station that is not heard for two seconds is hatched:
/// nobody sees that table from here. A touch leads to the table's own station, where people sign in and act; nobody
/// acts here, and no PIN passes. With `[history]` in its configuration it also serves, at an address of its own, a page
/// of all records that `sabot sink` keeps: searched by article, person, time and money, counted for a shift or the
/// house, passes read line by line. Prints the page's address, and that one, then runs until it is stopped (Ctrl-C, or
/// SIGTERM). Tables go on without it.
///
/// Exit status: 0 when it was stopped, 1 when it could not go on, 2 when the configuration has a mistake.
///
/// Example: sabot pit /etc/sabot/pit.toml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct PitArgs {
    /// The tables and where their stations are, TOML; docs/pit.toml explains every key.
    #[arg(value_name = "FILE")]
    config: PathBuf,
    /// Serve the page here instead of where the configuration says.
    #[arg(long, value_name = "ADDR:PORT", value_parser = super::address)]
    listen: Option<SocketAddr>,
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &PitArgs) -> ExitCode {
    ended("sabot pit", serve(args))
}

fn serve(args: &PitArgs) -> Result<(), RunError> {
    let mut config = PitConfig::load(&args.config)?;
    config.listen = args.listen.unwrap_or(config.listen);
    let heard = if config.live.is_some() { ", and those of the broker" } else { "" };
    let what = format!("{} tables{heard}", config.tables.len());
    serve_page(&what, config.listen, config.tls.is_some(), async |listener, shutdown| {
        let failed = |why: &dyn std::fmt::Display| StationError::Pit(why.to_string());
        let history = match &config.history {
            Some(history) => {
                let (listener, address) = listen(history.listen).await.map_err(|why| failed(&why))?;
                let scheme = if config.tls.is_some() { "https" } else { "http" };
                writeln!(io::stdout(), "history: {scheme}://{address}/").map_err(|why| failed(&why))?;
                Some(listener)
            }
            None => None,
        };
        sabot_pit::run(config, listener, history, shutdown).await.map_err(|why| failed(&why))
    })
}
