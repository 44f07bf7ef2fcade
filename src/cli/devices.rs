//! `sabot devices`: what is attached, in which role, and what is wrong with it.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use tokio::signal::unix::SignalKind;
use tokio::sync::watch;

use super::run::stop_signal;
use crate::out::say_err;
use sabot_station::config::{Config, ConfigError};
use sabot_station::inventory::{Inventory, Patience, Survey, text};

/// The machine is looked at so often.
const EVERY: Duration = Duration::from_secs(1);

/// Lists what is attached: serial ports and USB devices, what each says of itself, its role, and what is wrong with it
///
/// With a configuration every device that it names stands first: its state, what it says of itself, and where something
/// is wrong, what and how to mend it (permission, a port in use and by which process, wrong role, serial number or
/// firmware, no answer, no such port). Only ports that the configuration names are opened, and only while nobody has
/// them; a device is asked who it is, and told nothing. While the table's station runs, its word is taken instead.
/// Without a configuration nothing is opened.
///
/// --watch goes on until Ctrl-C and prints a line when something changes. A device that was fine is asked again when
/// its port has changed, one that was not every five seconds.
///
/// Exit status: 0 when every configured device is fine, 1 when something is wrong, 2 when the configuration has a
/// mistake.
///
/// Example: sabot devices
/// Example: sabot devices --config /etc/sabot/station.toml --watch
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct DevicesArgs {
    /// The table's configuration, TOML; docs/station.toml explains every key.
    #[arg(long, short, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where the table's station serves its page, when it was started with another --listen than the configuration's.
    #[arg(long, value_name = "ADDR:PORT", requires = "config", value_parser = super::address)]
    listen: Option<SocketAddr>,
    /// Go on, and tell what changes.
    #[arg(long, short)]
    watch: bool,
    /// For machines: one JSON object; with --watch one a line, whenever something has changed.
    #[arg(long)]
    json: bool,
}

/// Why nothing could be listed.
#[derive(Debug, thiserror::Error)]
enum DevicesError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The system gives no threads, signals or standard output.
    #[error("{0}")]
    System(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &DevicesArgs) -> ExitCode {
    match list(args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // whoever read it has seen enough
        Err(DevicesError::System(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            say_err!("sabot devices: {error}");
            ExitCode::from(if matches!(error, DevicesError::Config(_)) { 2 } else { 1 })
        }
    }
}

/// Lists; whether all is fine, at the end.
fn list(args: &DevicesArgs) -> Result<bool, DevicesError> {
    let config = args.config.as_deref().map(Config::load).transpose()?;
    super::log::to_stderr();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let inventory = runtime.block_on(async {
        let mut survey = Survey::new(config, args.listen);
        if args.watch {
            let stop = stop_signal(&[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()])?;
            watch(args, &mut survey, stop).await
        } else {
            let inventory = survey.look(Patience::Wait).await;
            print(args, &inventory)?;
            Ok(inventory)
        }
    });
    runtime.shutdown_background();
    Ok(inventory?.is_fine())
}

fn print(args: &DevicesArgs, inventory: &Inventory) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match (args.json, args.watch) {
        (true, true) => writeln!(out, "{}", serde_json::to_string(inventory)?)?,
        (true, false) => writeln!(out, "{}", serde_json::to_string_pretty(inventory)?)?,
        (false, _) => write!(out, "{}", text::table(inventory, args.config.as_deref()))?,
    }
    out.flush()
}

/// Looks again and again; the last inventory.
async fn watch(
    args: &DevicesArgs,
    survey: &mut Survey,
    mut stop: watch::Receiver<bool>,
) -> Result<Inventory, io::Error> {
    let began = Instant::now();
    let mut shown = tokio::select! {
        inventory = survey.look(Patience::Wait) => inventory,
        _ = stop.wait_for(|stop| *stop) => survey.look(Patience::Now).await,
    };
    print(args, &shown)?;
    loop {
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return Ok(shown),
            () = tokio::time::sleep(EVERY) => {}
        }
        let now = survey.look(Patience::Now).await;
        if now == shown {
            continue;
        }
        if args.json {
            print(args, &now)?;
        } else {
            let mut out = io::stdout().lock();
            let seconds = began.elapsed().as_secs();
            for line in text::changes(&shown, &now) {
                writeln!(out, "after {seconds} s: {line}")?;
            }
            out.flush()?;
        }
        shown = now;
    }
}
