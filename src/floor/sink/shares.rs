//! Which part of the work a sink does. The broker divides the tables into shares, and a sink takes as many as are its
//! part: so that the lines of a table come to one sink, in their order. Who is killed loses its shares; that two sinks
//! work on one for a moment costs time and nothing else, for the store takes each line once.

use std::task::Poll;
use std::time::Duration;

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::jetstream::stream::Stream;
use futures_util::future::poll_fn;
use futures_util::{FutureExt, StreamExt};
use tokio::task::unconstrained;
use tokio::time::{Instant, timeout};

use super::work::Work;
use super::{SinkError, asked};
use crate::store::Store;
use crate::subjects::{SHARES, of_share};

/// Bytes that are judged at once, a message counted with what it costs beside its lines.
const BATCH: usize = 1 << 20;
const MESSAGE: usize = 128;
/// Messages of a share that are on their way while others are judged.
const AHEAD: usize = 250;
/// What a sink has taken and not acknowledged is given to another one after so long.
const ACK_WAIT: Duration = Duration::from_secs(30);
/// Messages of a share that may wait for their acknowledgement.
const MOST_HELD: i64 = 10_000;
/// A broker of which nothing is heard for twice as long is asked anew.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// A request for messages holds for so long.
const REQUEST: Duration = Duration::from_secs(10);
/// How often a sink looks how many there are.
const LOOK: Duration = Duration::from_secs(1);

/// The shares that a sink has.
pub(super) struct Shares {
    stream: Stream,
    held: Vec<(u32, pull::Stream)>,
    looked: Option<Instant>,
}

impl Shares {
    pub(super) fn new(stream: Stream) -> Self {
        Self { stream, held: Vec::new(), looked: None }
    }

    /// Gives up what is more than this sink's part, and takes what is free up to it.
    pub(super) async fn look<S: Store>(&mut self, work: &mut Work<'_, S>) -> Result<(), SinkError> {
        if self.looked.is_some_and(|at| at.elapsed() < LOOK) {
            return Ok(());
        }
        self.looked = Some(Instant::now());
        let part = SHARES.div_ceil(work.store().sinks().await?.max(1)) as usize;
        let mut kept = Vec::new();
        for (share, mut messages) in std::mem::take(&mut self.held) {
            // one that was thought to be gone has lost it
            if kept.len() < part && work.store().claim(share).await? {
                kept.push((share, messages));
                continue;
            }
            while let Some(Some(Ok(message))) = messages.next().now_or_never() {
                work.hold(message);
            }
            drop(messages);
            work.give_back(Some(share)).await;
            work.store().release(share).await?;
        }
        self.held = kept;
        for share in 0..SHARES {
            let is_held = self.held.iter().any(|(held, _)| *held == share);
            if self.held.len() < part && !is_held && work.store().claim(share).await? {
                self.held.push((share, self.open(share).await?));
            }
        }
        Ok(())
    }

    async fn open(&self, share: u32) -> Result<pull::Stream, SinkError> {
        let name = format!("sink-{share}");
        let config = pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: of_share(share),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            max_ack_pending: MOST_HELD,
            ..pull::Config::default()
        };
        let mut consumer = self.stream.get_or_create_consumer(&name, config.clone()).await.map_err(asked)?;
        let info = consumer.cached_info();
        if info.num_ack_pending > 0 {
            // whoever had the share is gone, or gives it up: what it had taken comes at once, and not when the broker
            // has waited for it
            let start_sequence = info.ack_floor.stream_sequence + 1;
            let deliver_policy = DeliverPolicy::ByStartSequence { start_sequence };
            self.stream.delete_consumer(&name).await.map_err(asked)?;
            let anew = pull::Config { deliver_policy, ..config };
            consumer = self.stream.create_consumer(anew).await.map_err(asked)?;
        }
        let messages = consumer.stream().max_messages_per_batch(AHEAD).heartbeat(HEARTBEAT).expires(REQUEST);
        messages.messages().await.map_err(asked)
    }

    /// What has come; waits so long for it.
    pub(super) async fn next(&mut self, patience: Duration) -> Result<Vec<Message>, SinkError> {
        // none is always the first
        if !self.held.is_empty() {
            self.held.rotate_left(1);
        }
        let came = poll_fn(|task| {
            let (mut came, mut bytes) = (Vec::new(), 0);
            for (_, messages) in &mut self.held {
                while bytes < BATCH {
                    match messages.poll_next_unpin(task) {
                        Poll::Ready(Some(Ok(message))) => {
                            bytes += message.payload.len() + MESSAGE;
                            came.push(message);
                        }
                        Poll::Ready(Some(Err(why))) => return Poll::Ready(Err(asked(why))),
                        Poll::Ready(None) => return Poll::Ready(Err(asked("it gives no more messages"))),
                        Poll::Pending => break,
                    }
                }
            }
            if came.is_empty() { Poll::Pending } else { Poll::Ready(Ok(came)) }
        });
        // within its budget of a turn a task would take some 126 messages, and each commit would be as small
        timeout(patience, unconstrained(came)).await.unwrap_or(Ok(Vec::new()))
    }
}
