//! One connection to the broker: lines go out, receipts come in.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_nats::connection::State;
use async_nats::jetstream::Context;
use async_nats::{Client, HeaderMap, jetstream};
use bytes::Bytes;
use futures_util::StreamExt;
use sabot_journal::checkpoint::{Checkpoint, witnessed_of};
use sabot_journal::note::{Note, Signed};
use sabot_journal::witness;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::Settings;
use super::shipping::{Heard, Shipping};
use super::source::{Item, SourceError};
use crate::broker::BrokerError;
use crate::lines::Lines;
use crate::receipt::Receipt;
use crate::subjects::{ID, RECEIPTS, RECORDS, TableId, What, checkpoint_id};

/// How often it is looked for new lines.
const LOOK: Duration = Duration::from_millis(50);
/// Without a receipt for so long the broker is asked what it has: doubled from the one to the other.
const STALL: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(60));
/// What was refused is tried again after so long: somebody may have ruled meanwhile.
const REFUSED: Duration = Duration::from_secs(150);
/// The same is said in the log no more often.
const SAY: Duration = Duration::from_secs(60);

/// Why a session ended.
#[derive(Debug, thiserror::Error)]
pub(super) enum Ended {
    #[error(transparent)]
    Broker(#[from] BrokerError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("the broker does not take what is sent: {0}")]
    Send(async_nats::Error),
    #[error("{}: {why}", file.display())]
    Witnessed { file: PathBuf, why: io::Error },
    #[error("the connection to the broker is closed")]
    Closed,
}

struct Session<'a> {
    settings: &'a Settings,
    client: Client,
    context: Context,
    shipping: Shipping,
    /// The last lines and the last checkpoint that were sent: by what they are known, and what they say.
    last: [Option<(String, Bytes)>; 2],
    /// When this session began, milliseconds since 1970.
    began_ms: u128,
    /// How often it was asked again for a receipt.
    asked: u64,
    progress: Instant,
    stall: Duration,
    refused: Option<Instant>,
    said: Option<(String, Instant)>,
    was_connected: bool,
}

/// Ships until it cannot.
pub(super) async fn run(settings: &Settings, tell: &watch::Sender<super::State>) -> Ended {
    match ship(settings, tell).await {
        Ok(()) => Ended::Closed,
        Err(why) => why,
    }
}

async fn ship(settings: &Settings, tell: &watch::Sender<super::State>) -> Result<(), Ended> {
    let shipping = Shipping::new(settings.table.clone(), settings.record.clone())?;
    let (client, context) = settings.broker.connect(&format!("sabot {}", settings.table)).await?;
    let mut receipts = client.subscribe(settings.table.receipts()).await.map_err(|why| Ended::Send(why.into()))?;
    let (progress, stall) = (Instant::now(), STALL.0);
    let (last, asked, refused, said, was_connected) = ([None, None], 0, None, None, true);
    let began_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let mut session = Session {
        settings,
        client,
        context,
        shipping,
        last,
        began_ms,
        asked,
        progress,
        stall,
        refused,
        said,
        was_connected,
    };
    session.last_receipt().await?;
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            message = receipts.next() => {
                let Some(message) = message else { return Ok(()) };
                session.heard(&message.subject, &message.payload)?;
            }
            _ = look.tick() => {}
        }
        session.send().await?;
        session.look_after().await?;
        session.tell(tell);
    }
}

impl Session<'_> {
    /// What was signed for before this start, as the broker remembers it.
    async fn last_receipt(&mut self) -> Result<(), Ended> {
        let Ok(stream) = self.context.get_stream_no_info(RECEIPTS).await else { return Ok(()) };
        for what in [What::Kept, What::Witnessed] {
            let subject = self.settings.table.subject(what);
            if let Ok(message) = stream.get_last_raw_message_by_subject(&subject).await {
                self.heard(&subject, &message.payload)?;
            }
        }
        Ok(())
    }

    fn heard(&mut self, subject: &str, payload: &[u8]) -> Result<(), Ended> {
        if TableId::of_subject(subject).is_some_and(|(_, what)| what == What::Witnessed) {
            return self.witnessed(payload);
        }
        let Some(receipt) = Receipt::read(payload, &self.settings.sinks) else {
            self.say("a receipt bears no signature of a sink that is named in the configuration".to_owned());
            return Ok(());
        };
        match self.shipping.take(&receipt)? {
            Heard::Nothing => {}
            Heard::Progress => (self.progress, self.stall, self.said) = (Instant::now(), STALL.0, None),
            Heard::Again => self.progress = Instant::now(),
            Heard::Fork(line) => self.say(format!(
                "A FORK: the sink keeps another line {line} of this record than is here: two stations claim this table, or \
                 the record was set back to an old copy"
            )),
            Heard::Ahead(line) => {
                self.say(format!("the sink keeps line {line}, which is not here: another station claims this table, or \
                 the record was set back to an old copy"));
            }
            Heard::Refused(why) => {
                self.refused = Some(Instant::now());
                self.say(format!("the sink refuses what was sent: {why}"));
            }
            Heard::Stranger(why) => self.say(format!("somebody else sends lines for this table; the sink says: {why}")),
        }
        Ok(())
    }

    /// Tells who looks how it goes.
    fn tell(&self, tell: &watch::Sender<super::State>) {
        let connected = self.client.connection_state() == State::Connected;
        let trouble = self.said.as_ref().map(|(said, _)| said.clone());
        let state = super::State { connected, kept: self.shipping.signed_for(), trouble };
        tell.send_if_modified(|told| {
            let is_other = *told != state;
            *told = state;
            is_other
        });
    }

    /// Says something in the log, not over and over.
    fn say(&mut self, what: String) {
        if self.said.as_ref().is_none_or(|(said, at)| *said != what || at.elapsed() > SAY) {
            tracing::warn!("uplink: {what}");
            self.said = Some((what, Instant::now()));
        }
    }

    /// A checkpoint that the sink has cosigned is kept beside the record.
    fn witnessed(&mut self, payload: &[u8]) -> Result<(), Ended> {
        let Some(note) = std::str::from_utf8(payload).ok().and_then(Note::parse) else { return Ok(()) };
        let is_signed = self.settings.sinks.iter().any(|sink| matches!(note.signed_by(sink), Signed::Yes(_)));
        let epoch = Checkpoint::parse(&note.text).and_then(|of| of.origin.rsplit_once('/')?.1.parse().ok());
        let Some(epoch) = epoch.filter(|_| is_signed) else { return Ok(()) };
        let Some(file) = self.shipping.file_of(epoch)?.map(|record| witnessed_of(&record)) else { return Ok(()) };
        witness::remember(&file, &note.to_string()).map_err(|why| Ended::Witnessed { file, why })
    }

    /// Sends what is on disk, as far as the window goes.
    async fn send(&mut self) -> Result<(), Ended> {
        if self.client.connection_state() != State::Connected {
            self.was_connected = false;
            return Ok(());
        }
        if !self.was_connected {
            // what was in the air when the line broke may be lost
            self.was_connected = true;
            self.shipping.rewind()?;
        }
        let mut sent = false;
        let mut lines = Lines::default();
        while let Some(item) = self.shipping.next()? {
            sent = true;
            match item {
                Item::Line { text, after } => {
                    if !lines.takes(after.epoch, after.line) {
                        self.publish(What::Line, lines.take(&self.settings.table)).await?;
                    }
                    lines.push(after.epoch, after.line, after.chain, &text);
                }
                Item::Checkpoint { epoch, size, note } => {
                    self.publish(What::Line, lines.take(&self.settings.table)).await?;
                    let id = checkpoint_id(&self.settings.table, epoch, size);
                    self.publish(What::Checkpoint, Some((id, note.into()))).await?;
                }
            }
        }
        self.publish(What::Line, lines.take(&self.settings.table)).await?;
        if sent {
            self.client.flush().await.map_err(|why| Ended::Send(why.into()))?;
        }
        Ok(())
    }

    /// Sends a message, and keeps it in mind as the last one of its kind.
    async fn publish(&mut self, what: What, message: Option<(String, Bytes)>) -> Result<(), Ended> {
        let Some((id, payload)) = message else { return Ok(()) };
        let mut headers = HeaderMap::new();
        headers.insert(ID, id.as_str());
        let subject = self.settings.table.subject(what);
        let published = self.client.publish_with_headers(subject, headers, payload.clone()).await;
        published.map_err(|why| Ended::Send(why.into()))?;
        if let Some(last) = self.last.get_mut(usize::from(what == What::Checkpoint)) {
            *last = Some((id, payload));
        }
        Ok(())
    }

    /// Sends again what the broker has lost, and what was refused long ago.
    async fn look_after(&mut self) -> Result<(), Ended> {
        if self.shipping.is_refused && self.refused.is_none_or(|at| at.elapsed() > REFUSED) {
            self.refused = Some(Instant::now());
            self.shipping.rewind()?;
        }
        if !self.shipping.waits() || self.shipping.is_refused {
            self.progress = Instant::now();
            return Ok(());
        }
        if self.progress.elapsed() < self.stall {
            return Ok(());
        }
        (self.progress, self.stall) = (Instant::now(), (self.stall * 2).min(STALL.1));
        if !self.broker_has_it().await {
            tracing::debug!("uplink: the broker has lost lines that no sink has signed for: they are sent again");
            return Ok(self.shipping.rewind()?);
        }
        // a sink may have signed, and its receipt be lost with a broker: it signs again for what comes again
        self.last_receipt().await?;
        self.ask_again().await
    }

    /// Sends the last lines once more, under another name, so that a sink signs for it again.
    async fn ask_again(&mut self) -> Result<(), Ended> {
        for (what, last) in [What::Line, What::Checkpoint].into_iter().zip(&self.last) {
            let Some((id, payload)) = last else { continue };
            self.asked += 1;
            let mut headers = HeaderMap::new();
            headers.insert(ID, format!("{}-{}-{}", id, self.began_ms, self.asked).as_str());
            let published =
                self.client.publish_with_headers(self.settings.table.subject(what), headers, payload.clone());
            published.await.map_err(|why| Ended::Send(why.into()))?;
        }
        Ok(())
    }

    /// The broker holds the last of what was sent: then a sink will come to it.
    async fn broker_has_it(&self) -> bool {
        let Ok(stream) = self.context.get_stream_no_info(RECORDS).await else { return false };
        for (what, sent) in [What::Line, What::Checkpoint].into_iter().zip(&self.last) {
            let Some((sent, _)) = sent else { continue };
            // the stream holds it with its share behind it
            if !has(&stream, &format!("{}.*", self.settings.table.subject(what)), sent).await {
                return false;
            }
        }
        true
    }
}

async fn has(stream: &jetstream::stream::Stream<()>, subject: &str, id: &str) -> bool {
    let message = stream.get_last_raw_message_by_subject(subject).await;
    message.is_ok_and(|message| message.headers.get(ID).is_some_and(|found| found.as_str().starts_with(id)))
}
