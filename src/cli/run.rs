//! `sabot run`: the station of one table, and its page.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::out::say_err;
use sabot_station::acts::Acts;
use sabot_station::check;
use sabot_station::commission;
use sabot_station::config::{Config, ConfigError};
use sabot_station::console::{Access, Desk};
use sabot_station::inventory::{self, Distrusted, Lacks};
use sabot_station::pins::Pins;
use sabot_station::record_feed::RecordFeed;
use sabot_station::snapshot::Snapshot;
use sabot_station::{self as station, console};
use sabot_station::{StationError, With};
use sabot_web::tls::Tls;
use sabot_web::{InClear, Limits, in_clear};

/// Runs the station of a table: its devices, its record, the pit display and the page
///
/// Holds what the devices see against the house's regulation, records it, and shows what is due and every finding.
/// Prints the page's address, then runs until it is stopped (Ctrl-C, or SIGTERM); nothing is lost by stopping it,
/// devices keep what they see meanwhile. What goes wrong is told on standard error; RUST_LOG=info tells more.
///
/// A device is one of ours, or bought: a card scanner for the shoe (driver = "scanner"), FEIG readers for the chips and
/// for cards with tags ("feig"), a numeric pad for the keypad ("pad"): its keys 1 to 9 are the touches of the dealer's
/// screen, Enter is what is due, Backspace takes back the last entry (docs/drivers.md).
///
/// Where no record has begun yet, a device that is attached and not paired, that holds another key than the station has
/// of it, or that is another than the one whose `serial` the configuration pins, is told, and no record begins: in it
/// that device would be a finding of tampering. `sabot commission` tries and pairs all of them, `sabot device pair`
/// one. Once the record has begun the station always goes on, and the finding stands. Where the table was not tried to
/// the end before its record begins, and is not in test mode, that is told.
///
/// SIGHUP (`systemctl reload sabot`) reads the configuration and what it names again: registries of chips and decks and
/// signals count from then on, so that chips are cancelled and lamps moved in mid-shift; people, keys and certificate
/// are read again whenever their files change. The record tells it. Where one file cannot be used all stays as it was.
///
/// Each [[webhook]] of the configuration is sent the record's lines or the verdict by HTTP, signed (docs/console.md).
///
/// A clock that shows less than the record was told, or than the program's own date, is refused at the start.
///
/// Exit status: 0 when it was stopped, 1 when it could not go on, 2 when the configuration has a mistake or no record
/// may begin with a device that is not to be trusted.
///
/// Example: sabot run --config /etc/sabot/station.toml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct RunArgs {
    /// The table's configuration, TOML; docs/station.toml explains every key.
    #[arg(long, short, value_name = "FILE")]
    config: PathBuf,
    /// Serve the page here instead of where the configuration says.
    #[arg(long, value_name = "ADDR:PORT", value_parser = super::address)]
    listen: Option<SocketAddr>,
    /// Begin a new record though a device is not paired, holds another key, or is another than the one that is pinned:
    /// it is refused, and its finding stands in the record.
    #[arg(long)]
    with_unpaired: bool,
    /// Start though the machine's clock shows less than the record was told before: that clock was wrong, and is right
    /// now.
    #[arg(long)]
    accept_clock: bool,
    /// Sign a record that no checkpoint of the `journal_key` covers: it was begun without a key, or with another one.
    #[arg(long)]
    accept_unsigned: bool,
}

/// Why the station ended by itself.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    /// The configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A record would begin with a finding of tampering.
    #[error("no record begins yet: {devices}\n  = {way_out}", devices = named(devices), way_out = way_out(config, devices))]
    Distrusted {
        /// The configuration.
        config: PathBuf,
        /// Which devices are not to be trusted.
        devices: Vec<Distrusted>,
    },
    /// The page's address cannot be used.
    #[error("the page cannot be served at {address}: {why}\n  = name another address, such as --listen 127.0.0.1:{}", other_port(*address))]
    Listen {
        /// Which address.
        address: SocketAddr,
        /// Why not.
        why: io::Error,
    },
    /// The clock shows a time at which this program was not yet written.
    #[error(
        "the machine's clock shows {}, and this program is of {}: the clock is wrong\n  = set it (`timedatectl` tells \
         how it stands; systemd-timesyncd or chrony keep it right) and start again",
        shows,
        built
    )]
    ClockBeforeBuild {
        /// What it shows.
        shows: String,
        /// When the program's source was committed.
        built: String,
    },
    /// Others than this machine would read the page, and what people enter.
    #[error("--listen: {0}\n  = {way_out}", way_out = InClear::WAY_OUT)]
    InClear(#[from] InClear),
    /// The system gives no threads, signals or standard output.
    #[error("{0}")]
    System(#[from] io::Error),
    /// The station ended.
    #[error(transparent)]
    Station(#[from] StationError),
}

fn named(devices: &[Distrusted]) -> String {
    let named = devices.iter().map(|Distrusted { role, port, says, lacks, wrong }| {
        let says = says.as_ref().map(|says| format!(" ({says})")).unwrap_or_default();
        let lacks = match lacks {
            Lacks::Key => "is not paired",
            Lacks::SameKey => {
                "holds another key than the station has of it (swapped, paired with another station, or another device of \
                 its serial number was paired after it)"
            }
            Lacks::Standing => return format!("\n  {role} at {port}{says}: {wrong}"),
            Lacks::Serial => return format!("\n  {role} at {port}{says}: {wrong}; it would be a finding of tampering"),
        };
        format!("\n  {role} at {port}{says} {lacks}, and would be a finding of tampering")
    });
    named.collect()
}

fn way_out(config: &Path, devices: &[Distrusted]) -> String {
    let config = config.display();
    let lacks = |what| devices.iter().any(|device| device.lacks == what);
    let mut ways = Vec::new();
    if lacks(Lacks::Serial) {
        ways.push(format!(
            "plug in the device whose serial number is pinned, or, where another belongs there now, write its number at \
             `serial` in {config}"
        ));
    }
    if let Some(device) = devices.iter().find(|device| matches!(device.lacks, Lacks::Key | Lacks::SameKey)) {
        let switch =
            if lacks(Lacks::SameKey) { " (while the pairing switch of one that has a key is held)" } else { "" };
        ways.push(format!(
            "try the whole table first: sabot commission --config {config}; or pair each{switch}: sabot device pair \
             --config {config} {}",
            device.role
        ));
    }
    if lacks(Lacks::Standing) {
        ways.push("put right what is refused: no pairing helps it".to_owned());
    }
    ways.push("or begin all the same: --with-unpaired".to_owned());
    ways.join("; ")
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &RunArgs) -> ExitCode {
    ended("sabot run", serve(args))
}

/// How a command ends that serves a page until it is stopped.
pub(crate) fn ended(command: &str, done: Result<(), RunError>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_err!("{command}: {error}");
            let is_mistake = matches!(error, RunError::Config(_) | RunError::InClear(_) | RunError::Distrusted { .. });
            ExitCode::from(if is_mistake { 2 } else { 1 })
        }
    }
}

fn serve(args: &RunArgs) -> Result<(), RunError> {
    let mut config = Config::load(&args.config)?;
    config.names_what_is_there(&args.config)?;
    config.listen = args.listen.unwrap_or(config.listen);
    if !args.with_unpaired {
        all_are_trusted(&args.config, &config)?;
    }
    (config.accept_clock, config.accept_unsigned) = (args.accept_clock, args.accept_unsigned);
    if let Some((shows, built)) = super::version::committed_ms().and_then(check::before_build) {
        let [shows, built] = [shows, built].map(|at| config.house.second(at));
        return Err(RunError::ClockBeforeBuild { shows, built });
    }
    let what = format!("table {}", config.header.table);
    serve_page(&what, config.listen, config.tls.is_some(), async |listener, shutdown| {
        with_page(&args.config, config, listener, shutdown).await
    })
}

/// Refuses to begin a record in which a device would at once be a finding of tampering. Once it has begun that is what
/// it would be.
fn all_are_trusted(file: &Path, config: &Config) -> Result<(), RunError> {
    if std::fs::metadata(&config.journal).is_ok_and(|of| of.len() > 0) {
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let devices = runtime.block_on(inventory::distrusted(config));
    if devices.is_empty() { Ok(()) } else { Err(RunError::Distrusted { config: file.to_owned(), devices }) }
}

/// Serves a page until the program is stopped, and first prints what it shows and where it is.
pub(crate) fn serve_page(
    what: &str,
    address: SocketAddr,
    has_tls: bool,
    serve: impl AsyncFnOnce(TcpListener, watch::Receiver<bool>) -> Result<(), StationError>,
) -> Result<(), RunError> {
    in_clear(address, has_tls)?;
    super::log::of_station();
    super::log_panics_by_place();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let shutdown = stop_signal(&[SignalKind::interrupt(), SignalKind::terminate()])?;
        let (listener, address) = listen(address).await?;
        let mut out = io::stdout().lock();
        let scheme = if has_tls { "https" } else { "http" };
        writeln!(out, "{what}: {scheme}://{address}/")?;
        out.flush()?;
        drop(out);
        Ok(serve(listener, shutdown).await?)
    });
    runtime.shutdown_background();
    done
}

/// Binds the page's address; the one it got, where the port was left to the system.
///
/// # Errors
/// When the address cannot be used.
pub(crate) async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), RunError> {
    let bound = async {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    bound.await.map_err(|why| RunError::Listen { address, why })
}

/// The port after the one that is taken; 0 takes any.
const fn other_port(taken: SocketAddr) -> u16 {
    match taken.port() {
        0 | u16::MAX => 0,
        port => port + 1,
    }
}

/// Becomes true at one of these signals.
///
/// # Errors
/// When the system gives no signals.
pub(crate) fn stop_signal(kinds: &[SignalKind]) -> io::Result<watch::Receiver<bool>> {
    let (stop, shutdown) = watch::channel(false);
    for &kind in kinds {
        let (stop, mut comes) = (stop.clone(), signal(kind)?);
        tokio::spawn(async move {
            comes.recv().await;
            stop.send_replace(true);
            // a receiver that looks only now must still find the sender, and its last word
            std::future::pending::<()>().await;
        });
    }
    Ok(shutdown)
}

/// Runs a table with its page until `shutdown`.
///
/// # Errors
/// When the station ends by itself.
pub(crate) async fn with_page(
    file: &Path,
    config: Config,
    listener: TcpListener,
    shutdown: watch::Receiver<bool>,
) -> Result<(), StationError> {
    if let Some(untried) = commission::untried(&config) {
        tracing::warn!("{}; {}", untried.what(), untried.way_out(file));
    }
    let (snapshots, seen) = watch::channel(Arc::new(Snapshot::default()));
    let (stop_page, page_shutdown) = watch::channel(false);
    let (acts, taking) = Acts::channel();
    tokio::spawn(super::reload::at_hangup(file.to_owned(), config.clone(), acts.clone()));
    let people = config.staff.clone().map(Pins::of).transpose().map_err(StationError::from)?.map(Arc::new);
    let desk = people.clone().map(|people| Desk::new(people, config.second_person.clone(), acts));
    let tls = config.tls.as_deref().map(Tls::load).transpose().map_err(StationError::from)?.map(Arc::new);
    let (limits, record) = (
        Limits::default().within_handles(),
        Some(RecordFeed::of(&config.journal).in_house(config.house.clone()).without(config.silent.clone())),
    );
    let access = Access { hosts: config.hosts.clone(), desk, tls, limits, record: record.clone() };
    tokio::spawn(super::supervised::tell(seen.clone(), shutdown.clone()));
    #[cfg(feature = "floor")]
    let uplink = super::uplink::uplink(&config, seen.clone())?;
    let page = tokio::spawn(console::serve(listener, seen, access, page_shutdown));
    let with = With { acts: Some(taking), record, people, ..With::default() };
    #[cfg(not(feature = "floor"))]
    if config.uplink.is_some() {
        return Err(StationError::Uplink("this program was built without the feature `floor`".to_owned()));
    }
    let done = station::run_with(config, with, shutdown, snapshots).await;
    #[cfg(feature = "floor")]
    if let Some(uplink) = uplink {
        // it waits for the last receipts
        let _ = tokio::task::spawn_blocking(|| uplink.stop()).await;
    }
    stop_page.send_replace(true);
    let _ = page.await;
    done
}
