//! `sabot sink`: the records of many tables, kept.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use tokio::signal::unix::SignalKind;

use crate::out::{say, say_err};
use sabot_floor::sink::{self, ConfigError, SinkConfig};
use sabot_floor::store::postgres::Postgres;
use sabot_floor::store::sqlite::Sqlite;
use sabot_floor::store::{Store, StoreError};
use sabot_floor::subjects::TableId;
use sabot_journal::note::{KeyFileError, PrivateKey, Purpose};

/// Keeps the records of many tables in a database
///
/// Takes what stations ship to the broker (`[uplink]` in their configuration), holds every line against the chain and
/// the checkpoints of its record, keeps it in PostgreSQL, or with --sqlite in one file, signs receipts, and cosigns
/// checkpoints as a witness. What contradicts what is kept (two stations that claim one table, a station that was set
/// back to an old copy, a record that begins anew) is refused, told on standard error and written down. Any number of
/// sinks may run with one configuration; one that is killed loses nothing. Runs until it is stopped (Ctrl-C, SIGTERM).
///
/// Exit status: 0 when it was stopped, 1 when it could not go on, 2 when the configuration has a mistake.
///
/// Example: sabot sink --config sink.toml --name casino.example/sink    # once: makes the key, prints the public one
/// Example: sabot sink --config sink.toml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SinkArgs {
    /// The sink's configuration, TOML; docs/sink.toml explains every key.
    #[arg(long, short, value_name = "FILE")]
    config: PathBuf,
    /// Keep the records in this file, not in `database`. It is made where it is not there.
    #[arg(long, value_name = "FILE")]
    sqlite: Option<PathBuf>,
    /// Make the sink's key under this name, without spaces, print its public key, and end.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["accept", "status"])]
    name: Option<String>,
    /// Let this record of a table begin, though it follows nothing that is kept, and end. A refusal names it.
    #[arg(long, value_name = "HOUSE/PIT/TABLE/EPOCH", value_parser = record, conflicts_with = "status")]
    accept: Option<(TableId, u64)>,
    /// Print how far each record is kept and signed, and what was refused, and end.
    #[arg(long)]
    status: bool,
}

fn record(text: &str) -> Result<(TableId, u64), &'static str> {
    const FORM: &str = "a record is named as casino/planta-1/BJ-07/1795493375749";
    let (table, epoch) = text.rsplit_once('/').ok_or(FORM)?;
    Ok((table.parse().map_err(|_| FORM)?, epoch.parse().map_err(|_| FORM)?))
}

#[derive(Debug, thiserror::Error)]
enum Ended {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("{0}\n  = `sabot sink --config FILE --name casino.example/sink` makes the key")]
    Key(#[from] KeyFileError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}: `database` is missing\n  = name one, or call `sabot sink --sqlite FILE`", .0.display())]
    Nowhere(PathBuf),
    #[error("{0}")]
    System(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &SinkArgs) -> ExitCode {
    super::log::to_stderr();
    super::log_panics_by_place();
    match sink(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_err!("sabot sink: {error}");
            ExitCode::from(if matches!(error, Ended::Config(_) | Ended::Nowhere(_)) { 2 } else { 1 })
        }
    }
}

fn sink(args: &SinkArgs) -> Result<(), Ended> {
    let config = SinkConfig::load(&args.config)?;
    if let Some(name) = &args.name {
        let key = PrivateKey::create(&config.key, name, Purpose::Witness)?;
        say!("{}", key.public());
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match (&args.sqlite, &config.database) {
            (Some(file), _) => with_store(args, &config, async || Sqlite::open(file)).await,
            (None, Some(url)) => {
                let authority = config.database_authority.as_deref();
                with_store(args, &config, async || Postgres::open(url.as_str(), authority).await).await
            }
            (None, None) => Err(Ended::Nowhere(args.config.clone())),
        }
    })
}

async fn with_store<S: Store>(
    args: &SinkArgs,
    config: &SinkConfig,
    open: impl AsyncFn() -> Result<S, StoreError>,
) -> Result<(), Ended> {
    if let Some((table, epoch)) = &args.accept {
        open().await?.accept(table, *epoch).await?;
        say!("{table}/{epoch}: may begin; its station sends it again within some minutes");
        return Ok(());
    }
    if args.status {
        let mut store = open().await?;
        for (table, head) in store.records().await? {
            say!("{table}/{}: {} lines, {} of them signed", head.epoch, head.lines, head.signed);
        }
        for refusal in store.refusals().await? {
            say!("refused: {refusal}");
        }
        return Ok(());
    }
    let key = PrivateKey::load(&config.key, Purpose::Witness)?;
    // a store that cannot be used at the first start is a mistake; later it is waited for
    drop(open().await?);
    let shutdown = super::run::stop_signal(&[SignalKind::interrupt(), SignalKind::terminate()])?;
    say!("sink {}: {} tables", key.public().name(), config.tables.len());
    sink::run(config, &key, open, shutdown).await;
    Ok(())
}
