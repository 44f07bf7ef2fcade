//! `sabot pit`: many tables on one page.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use tokio::signal::unix::SignalKind;

use super::run::{RunError, ended, listen, stop_signal};
use sabot_station::StationError;
use sabot_station::config::pit::PitConfig;
use sabot_web::in_clear;

/// Shows many tables on one page, the worst first
///
/// Listens to the stations of the tables and shows what each says: who must act, about which article, at which box,
/// since when. A station that is not heard for two seconds is hatched: nobody sees that table from here. A touch leads
/// to the table's own station, where people sign in and act; nobody acts here, and no PIN passes. Prints the page's
/// address, then runs until it is stopped (Ctrl-C, or SIGTERM). Tables go on without it.
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
    in_clear(config.listen, config.tls.is_some())?;
    super::log_to_stderr();
    super::log_panics_by_place();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let shutdown = stop_signal(&[SignalKind::interrupt(), SignalKind::terminate()])?;
        let (listener, address) = listen(config.listen).await?;
        let mut out = io::stdout().lock();
        let scheme = if config.tls.is_some() { "https" } else { "http" };
        writeln!(out, "{} tables: {scheme}://{address}/", config.tables.len())?;
        out.flush()?;
        drop(out);
        sabot_pit::run(config, listener, shutdown).await.map_err(|error| StationError::from(error).into())
    });
    runtime.shutdown_background();
    done
}
