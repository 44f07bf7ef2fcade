//! The sink: takes lines from the broker, judges them, keeps them, signs for them.
//!
//! Any number of sinks share the work, through one consumer of the broker and one store. What comes is judged against
//! what is kept, committed, signed for, and only then acknowledged to the broker: a sink that is killed anywhere on
//! that way leaves messages that another one takes, and finds kept.

mod config;
mod judge;
mod work;

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{Config, StorageType};
use async_nats::jetstream::{self, Context};
use futures_util::StreamExt;
use sabot_journal::note::PrivateKey;
use tokio::sync::watch;

use crate::broker::BrokerError;
use crate::store::{Store, StoreError};
use crate::subjects::{OF_RECEIPTS, OF_RECORDS, RECEIPTS, RECORDS};
pub use config::{ConfigError, SinkConfig};
use work::Work;

/// The name of the consumer that all sinks share.
const CONSUMER: &str = "sink";
/// Messages that are taken at once.
const BATCH: usize = 2000;
/// What a sink has taken and not acknowledged is given to another one after so long.
const ACK_WAIT: Duration = Duration::from_secs(30);
/// Messages that all sinks together may hold.
const MOST_HELD: i64 = 50_000;
/// A message that the broker has already is known again for so long.
const DUPLICATES: Duration = Duration::from_secs(120);
/// How long is waited for a message before it is looked again whether to stop.
const PATIENCE: Duration = Duration::from_secs(2);
/// The next look at what came too early.
const EARLY: Duration = Duration::from_millis(50);
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
    let consumer = consumer(&context, config.keep).await?;
    let mut work = Work::new(config, key, open().await?, client);
    loop {
        let came = tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => {
                work.give_back().await;
                return Ok(());
            }
            came = fetch(&consumer, work.is_waiting()) => came,
        };
        let done = match came {
            Ok(messages) => work.take(messages).await,
            Err(why) => Err(why),
        };
        if let Err(why) = done {
            work.give_back().await;
            return Err(why);
        }
        *wait = AGAIN.0;
    }
}

/// Makes the streams and the consumer, where they are not there.
async fn consumer(context: &Context, keep: Duration) -> Result<PullConsumer, SinkError> {
    let records = Config {
        name: RECORDS.to_owned(),
        subjects: OF_RECORDS.map(str::to_owned).to_vec(),
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
    let stream = context.get_or_create_stream(records).await.map_err(asked)?;
    let config = pull::Config {
        durable_name: Some(CONSUMER.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: ACK_WAIT,
        max_ack_pending: MOST_HELD,
        ..pull::Config::default()
    };
    stream.get_or_create_consumer(CONSUMER, config).await.map_err(asked)
}

/// What has come; waits for it where nothing else is to be done.
async fn fetch(consumer: &PullConsumer, is_waiting: bool) -> Result<Vec<jetstream::Message>, SinkError> {
    let mut came = consumer.fetch().max_messages(BATCH).messages().await.map_err(asked)?;
    let mut messages = Vec::new();
    while let Some(message) = came.next().await {
        messages.push(message.map_err(SinkError::Asked)?);
    }
    if !messages.is_empty() {
        return Ok(messages);
    }
    if is_waiting {
        tokio::time::sleep(EARLY).await;
        return Ok(messages);
    }
    let mut first = consumer.batch().max_messages(1).expires(PATIENCE).messages().await.map_err(asked)?;
    while let Some(message) = first.next().await {
        messages.push(message.map_err(SinkError::Asked)?);
    }
    if messages.is_empty() {
        // a broker that has lost the consumer says nothing at all
        consumer.get_info().await.map_err(asked)?;
    }
    Ok(messages)
}
