//! The sink: takes lines from the broker, judges them, keeps them, signs for them.
//!
//! Any number of sinks share the work by table, with one store. What comes is judged against what is kept,
//! committed, signed for, and only then acknowledged to the broker: a sink that is killed anywhere on that way leaves
//! messages that another one takes, and finds kept.

mod config;
mod judge;
mod shares;
mod work;

use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::stream::{Config, StorageType, Stream};
use sabot_journal::note::PrivateKey;
use tokio::sync::watch;

use crate::broker::BrokerError;
use crate::store::{Store, StoreError};
use crate::subjects::{OF_RECEIPTS, OF_RECORDS, RECEIPTS, RECORDS, shared};
pub use config::{ConfigError, DatabaseUrl, SinkConfig};
use shares::Shares;
use work::Work;

/// A message that the broker has already is known again for so long.
const DUPLICATES: Duration = Duration::from_secs(120);
/// How long is waited for a message before it is looked again which shares are to be had.
const PATIENCE: Duration = Duration::from_secs(1);
/// The next look at what came too early.
const EARLY: Duration = Duration::from_millis(300);
/// The next try after something failed: doubled from the one to the other.
const AGAIN: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(15));

/// Why a sink does not go on.
#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    /// The broker is not reached.
    #[error("the broker: {0}")]
    Broker(#[from] BrokerError),
    /// It has not, or does not make, what a sink needs, or does not answer.
    #[error("the broker: {0}")]
    Asked(async_nats::Error),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn asked(why: impl Into<async_nats::Error>) -> SinkError {
    SinkError::Asked(why.into())
}

/// Keeps what comes until `shutdown` turns true or its sender is gone. What fails, broker or store, is tried again.
pub async fn run<S: Store>(
    config: &SinkConfig,
    key: &PrivateKey,
    open: impl AsyncFn() -> Result<S, StoreError>,
    mut shutdown: watch::Receiver<bool>,
) {
    let mut wait = AGAIN.0;
    let mut stop = shutdown.clone();
    while !*shutdown.borrow() {
        let why = match session(config, key, &open, &mut stop, &mut wait).await {
            Ok(()) => return,
            Err(why) => why,
        };
        tracing::warn!("sink: {why}; what is not acknowledged comes again");
        tokio::select! {
            // an error says that the sender is gone
            _ = shutdown.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(wait) => wait = (wait * 2).min(AGAIN.1),
        }
    }
}

async fn session<S: Store>(
    config: &SinkConfig,
    key: &PrivateKey,
    open: &impl AsyncFn() -> Result<S, StoreError>,
    stop: &mut watch::Receiver<bool>,
    wait: &mut Duration,
) -> Result<(), SinkError> {
    let (client, context) = config.broker.connect("sabot sink").await?;
    let mut shares = Shares::new(stream(&context, config.keep).await?);
    let mut work = Work::new(config, key, open().await?, client);
    loop {
        let done = tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => {
                work.give_back(None).await;
                return Ok(());
            }
            done = turn(&mut shares, &mut work) => done,
        };
        if let Err(why) = done {
            work.give_back(None).await;
            return Err(why);
        }
        *wait = AGAIN.0;
    }
}

/// Takes what has come, once.
async fn turn<S: Store>(shares: &mut Shares, work: &mut Work<'_, S>) -> Result<(), SinkError> {
    shares.look(work).await?;
    let messages = shares.next(if work.is_waiting() { EARLY } else { PATIENCE }).await?;
    work.take(messages).await
}

/// Makes the streams, where they are not there as they should be.
async fn stream(context: &Context, keep: Duration) -> Result<Stream, SinkError> {
    let records = Config {
        name: RECORDS.to_owned(),
        subjects: OF_RECORDS.map(str::to_owned).to_vec(),
        subject_transform: Some(shared()),
        storage: StorageType::File,
        max_age: keep,
        duplicate_window: DUPLICATES.min(keep),
        allow_direct: true,
        ..Config::default()
    };
    let receipts = Config {
        name: RECEIPTS.to_owned(),
        subjects: vec![OF_RECEIPTS.to_owned()],
        storage: StorageType::File,
        max_messages_per_subject: 1,
        allow_direct: true,
        ..Config::default()
    };
    context.get_or_create_stream(receipts).await.map_err(asked)?;
    let stream = context.get_or_create_stream(records.clone()).await.map_err(asked)?;
    // one that a sink before shares made gets them; what it holds is sent again by the stations
    if stream.cached_info().config.subject_transform != records.subject_transform {
        context.update_stream(records).await.map_err(asked)?;
    }
    Ok(stream)
}
