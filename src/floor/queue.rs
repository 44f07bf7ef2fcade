//! Work that machines share: tasks in a work queue of JetStream, and what came of each. Whoever takes part has all
//! tasks and puts those that nobody has put yet; whoever is free takes the next one. A task that was taken and not
//! finished comes again, and what is finished is kept: who comes later finds it.

use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{Config, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{AckKind, Context, Message};
use futures_util::StreamExt;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::broker::{Broker, BrokerError};
use crate::subjects::ID;

/// Tasks and what came of them are kept so long.
const KEPT: Duration = Duration::from_hours(7 * 24);
/// A task of which nothing is heard for so long is given to another one; who is at it tells so three times in it.
const GONE: Duration = Duration::from_secs(30);
const AT_IT: Duration = Duration::from_secs(10);
/// How long is waited for a task, or for what came of one.
const PATIENCE: Duration = Duration::from_secs(1);
/// Bytes of a message beside what came of a task.
const HEAD: usize = 4096;

/// Why work is not shared.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The broker is not reached.
    #[error("the broker: {0}")]
    Broker(#[from] BrokerError),
    /// It has not, or does not make, what is needed, or does not answer.
    #[error("the broker: {0}")]
    Asked(async_nats::Error),
    /// The name cannot be one.
    #[error("`{0}` names no queue: letters, digits and -")]
    Name(String),
    /// Others are at something else under that name.
    #[error(
        "the queue `{name}` is for another question: {question}\n  = ask the same, name another queue, or remove the streams \
         SABOT_AUDIT_{name}_TASK and SABOT_AUDIT_{name}_DONE"
    )]
    Other {
        /// The queue.
        name: String,
        /// What it is for.
        question: String,
    },
}

fn asked(why: impl Into<async_nats::Error>) -> QueueError {
    QueueError::Asked(why.into())
}

/// A queue, of which one is part.
#[derive(Debug)]
pub struct Queue {
    context: Context,
    name: String,
    done: Stream,
    tasks: PullConsumer,
    most: usize,
}

/// A task that one has taken. Where it is dropped unfinished, it comes again.
#[derive(Debug)]
pub struct Task {
    message: Message,
    /// Which.
    pub key: String,
    /// Tells that one is at it.
    _at_it: JoinSet<()>,
}

/// What comes of the tasks, from the first one on.
#[derive(Debug)]
pub struct Results(PullConsumer);

impl Queue {
    /// Takes part in a queue, which is made where it is not there. What is asked is told, and is the same for all.
    ///
    /// # Errors
    /// When the broker is not reached or does not do it, or others are at something else under that name.
    pub async fn join(broker: &Broker, name: &str, question: &str) -> Result<Self, QueueError> {
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if !is_name {
            return Err(QueueError::Name(name.to_owned()));
        }
        let (client, context) = broker.connect("sabot audit").await?;
        let config = |what: &str, retention| Config {
            name: format!("SABOT_AUDIT_{name}_{}", what.to_uppercase()),
            description: Some(question.to_owned()),
            subjects: vec![format!("sabot-audit.{name}.{what}.*")],
            storage: StorageType::File,
            retention,
            max_age: KEPT,
            duplicate_window: KEPT,
            ..Config::default()
        };
        let mut tasks =
            context.get_or_create_stream(config("task", RetentionPolicy::WorkQueue)).await.map_err(asked)?;
        let known = tasks.info().await.map_err(asked)?.config.description.clone().unwrap_or_default();
        if known != question {
            return Err(QueueError::Other { name: name.to_owned(), question: known });
        }
        let of_done = Config { max_messages_per_subject: 1, ..config("done", RetentionPolicy::Limits) };
        let done = context.get_or_create_stream(of_done).await.map_err(asked)?;
        let workers = pull::Config {
            durable_name: Some("workers".to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: GONE,
            // what is given back is pending too
            max_ack_pending: -1,
            ..pull::Config::default()
        };
        let tasks = tasks.get_or_create_consumer("workers", workers).await.map_err(asked)?;
        let most = client.server_info().max_payload.saturating_sub(HEAD);
        Ok(Self { context, name: name.to_owned(), done, tasks, most })
    }

    /// Bytes that may come of a task.
    #[must_use]
    pub const fn most(&self) -> usize {
        self.most
    }

    /// Puts a task, where nobody has.
    ///
    /// # Errors
    /// When the broker does not take it.
    pub async fn put(&self, key: &str) -> Result<(), QueueError> {
        self.publish("task", key, Vec::new()).await
    }

    async fn publish(&self, what: &str, key: &str, body: Vec<u8>) -> Result<(), QueueError> {
        let token: String = key.bytes().map(|byte| format!("{byte:02x}")).collect();
        let mut headers = HeaderMap::new();
        headers.insert(ID, format!("{what} {key}").as_str());
        let subject = format!("sabot-audit.{}.{what}.{token}", self.name);
        let taken = self.context.publish_with_headers(subject, headers, body.into()).await.map_err(asked)?;
        taken.await.map_err(asked)?;
        Ok(())
    }

    /// Takes the next task; none where there is none for a second.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn take(&self) -> Result<Option<Task>, QueueError> {
        let Some((message, key)) = next(&self.tasks).await? else { return Ok(None) };
        let (mut at_it, told) = (JoinSet::new(), message.clone());
        at_it.spawn(async move {
            loop {
                sleep(AT_IT).await;
                // what is not told once is told the next time
                let _ = told.ack_with(AckKind::Progress).await;
            }
        });
        Ok(Some(Task { message, key, _at_it: at_it }))
    }

    /// Tells what came of a task.
    ///
    /// # Errors
    /// When the broker does not take it: the task comes again.
    pub async fn finish(&self, task: Task, result: Vec<u8>) -> Result<(), QueueError> {
        self.publish("done", &task.key, result).await?;
        task.message.ack().await.map_err(asked)
    }

    /// Gives a task back that is not known here.
    ///
    /// # Errors
    /// When the broker is not reached.
    pub async fn give_back(&self, task: Task) -> Result<(), QueueError> {
        task.message.ack_with(AckKind::Nak(Some(GONE))).await.map_err(asked)
    }

    /// What comes of the tasks.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn results(&self) -> Result<Results, QueueError> {
        let config = pull::Config {
            ack_policy: AckPolicy::Explicit,
            deliver_policy: DeliverPolicy::All,
            // all tasks are put between two questions
            inactive_threshold: Duration::from_hours(1),
            ..pull::Config::default()
        };
        Ok(Results(self.done.create_consumer(config).await.map_err(asked)?))
    }
}

impl Results {
    /// The next one; none where none comes for a second.
    ///
    /// # Errors
    /// When the broker does not answer.
    pub async fn next(&mut self) -> Result<Option<(String, Vec<u8>)>, QueueError> {
        let Some((message, key)) = next(&self.0).await? else { return Ok(None) };
        // what is not acknowledged comes again: twice does not matter, never would
        message.ack().await.map_err(asked)?;
        Ok(Some((key, message.payload.to_vec())))
    }
}

/// The next message with the key that its id names.
async fn next(consumer: &PullConsumer) -> Result<Option<(Message, String)>, QueueError> {
    let mut batch = consumer.batch().max_messages(1).expires(PATIENCE).messages().await.map_err(asked)?;
    let Some(message) = batch.next().await.transpose().map_err(QueueError::Asked)? else { return Ok(None) };
    let id = message.headers.as_ref().and_then(|headers| headers.get(ID)).map(|id| id.as_str());
    let key = id.and_then(|id| id.split_once(' ')).map(|(_, key)| key.to_owned()).unwrap_or_default();
    Ok(Some((message, key)))
}
