//! What a sink does with what came: judged table by table, committed together, signed for, acknowledged.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_nats::Client;
use async_nats::jetstream::{AckKind, Message};
use sabot_journal::note::{PrivateKey, PublicKey};
use sabot_law::table::LineNo;
use tokio::time::Instant;

use super::judge::{Judge, Ruling, Sent, Table, Thing, meet};
use super::{SinkConfig, SinkError, asked};
use crate::receipt::{Receipt, Told};
use crate::store::{Advance, Refusal, Store};
use crate::subjects::{ID, TableId, What, of_id, without_share};

/// What came too early waits here for so long, then in the broker.
const EARLY_HERE: Duration = Duration::from_secs(10);
/// After so long the station is told that something is missing, and no more often.
const MISSING: (Duration, Duration) = (Duration::from_millis(300), Duration::from_secs(2));
/// What came too early so often has waited for some seven minutes.
const OLD: i64 = 20;
/// What came too early so often does not fit any more: the station sends it again.
const MOST_DELIVERIES: i64 = 100;
/// Tables that are kept in mind.
const MOST_TABLES: usize = 50_000;
/// How often another sink may be faster, before all is left to it for a moment.
const TRIES: usize = 5;

struct Held {
    message: Message,
    sent: Sent,
    since: Instant,
}

/// A sink at work.
pub(super) struct Work<'a, S> {
    config: &'a SinkConfig,
    key: &'a PrivateKey,
    store: S,
    client: Client,
    tables: HashMap<TableId, Table>,
    held: BTreeMap<TableId, Vec<Held>>,
    missing_said: HashMap<TableId, Instant>,
}

/// What is said of a table after a commit.
#[derive(Default)]
struct Said {
    epochs: BTreeSet<u64>,
    refusals: Vec<Refusal>,
    witnessed: Vec<String>,
}

fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Reads a message; none where no uplink has sent it.
fn read(message: &Message) -> Option<(TableId, Sent)> {
    let (table, what) = TableId::of_subject(without_share(&message.subject)?.0)?;
    let (of, epoch, at) = of_id(message.headers.as_ref()?.get(ID)?.as_str())?;
    let what = match what {
        What::Line => Thing::Lines,
        What::Checkpoint => Thing::Checkpoint,
        _ => return None,
    };
    let text = std::str::from_utf8(&message.payload).ok()?.into();
    let is_old = message.info().is_ok_and(|info| info.delivered > OLD);
    (of == table).then_some((table, Sent { epoch, at, what, text, is_old }))
}

impl<'a, S: Store> Work<'a, S> {
    pub(super) fn new(config: &'a SinkConfig, key: &'a PrivateKey, store: S, client: Client) -> Self {
        let (tables, held, missing_said) = (HashMap::new(), BTreeMap::new(), HashMap::new());
        Self { config, key, store, client, tables, held, missing_said }
    }

    /// Something came too early.
    pub(super) fn is_waiting(&self) -> bool {
        !self.held.is_empty()
    }

    pub(super) fn store(&mut self) -> &mut S {
        &mut self.store
    }

    /// Gives what is held of a share back to the broker, or all of it.
    pub(super) async fn give_back(&mut self, share: Option<u32>) {
        let is_it = |held: &Held| share.is_none() || without_share(&held.message.subject).map(|(_, of)| of) == share;
        for held in self.held.values_mut().flat_map(|held| held.extract_if(.., |held| is_it(held))) {
            // what is not told is given back after a while
            let _ = held.message.ack_with(AckKind::Nak(None)).await;
        }
        self.held.retain(|_, held| !held.is_empty());
        let _ = self.client.flush().await;
    }

    /// Takes a message in hand, to be judged or given back; returns one that is neither.
    pub(super) fn hold(&mut self, message: Message) -> Option<(Message, &'static str)> {
        match read(&message) {
            Some((table, sent)) if Self::keys(self.config, &table).is_some() => {
                self.held.entry(table).or_default().push(Held { message, sent, since: Instant::now() });
                None
            }
            Some(_) => Some((message, "its table is not listed")),
            None => Some((message, "no uplink has sent it")),
        }
    }

    fn keys(config: &'a SinkConfig, table: &TableId) -> Option<&'a [PublicKey]> {
        const NONE: &[PublicKey] = &[];
        config.tables.get(table).map(Vec::as_slice).or(config.takes_others.then_some(NONE))
    }

    /// Takes what came, with what is held.
    pub(super) async fn take(&mut self, messages: Vec<Message>) -> Result<(), SinkError> {
        for message in messages {
            if let Some((message, why)) = self.hold(message) {
                tracing::warn!("sink: a message of {} is refused: {why}", message.subject);
                message.ack_with(AckKind::Term).await.map_err(SinkError::Asked)?;
            }
        }
        if self.tables.len() > MOST_TABLES {
            self.tables.clear();
        }
        let mut open: BTreeSet<TableId> = self.held.keys().cloned().collect();
        let mut rulings = BTreeMap::new();
        let mut said: BTreeMap<TableId, Said> = BTreeMap::new();
        for _ in 0..TRIES {
            if open.is_empty() {
                break;
            }
            open = self.judge(open, &mut rulings, &mut said).await?;
        }
        self.tell(&said).await?;
        self.settle(&rulings).await
    }

    /// Judges and commits; the tables that another sink was faster with.
    async fn judge(
        &mut self,
        open: BTreeSet<TableId>,
        rulings: &mut BTreeMap<TableId, Vec<Ruling>>,
        said: &mut BTreeMap<TableId, Said>,
    ) -> Result<BTreeSet<TableId>, SinkError> {
        let mut advances: Vec<Advance> = Vec::new();
        let mut refused = BTreeMap::new();
        let epochs = |table| self.held.get(table).into_iter().flatten().map(|held| held.sent.epoch).collect();
        let coming: Vec<(&TableId, BTreeSet<u64>)> = open.iter().map(|table| (table, epochs(table))).collect();
        meet(&mut self.store, &mut self.tables, &coming).await?;
        for table in &open {
            let Some(held) = self.held.get(table) else { continue };
            let sent: Vec<&Sent> = held.iter().map(|held| &held.sent).collect();
            let keys = Self::keys(self.config, table).unwrap_or_default();
            let known = self.tables.entry(table.clone()).or_default();
            let (store, sink, unix_seconds) = (&mut self.store, self.key, unix_seconds());
            let mut judge = Judge { store, table, keys, sink, unix_seconds, known, refusals: Vec::new() };
            rulings.insert(table.clone(), judge.all(&sent).await?);
            refused.insert(table.clone(), judge.refusals);
            advances.extend(known.advances(table));
        }
        let done = if advances.is_empty() { Vec::new() } else { self.store.commit(&advances).await? };
        let late: BTreeSet<TableId> =
            advances.iter().zip(&done).filter(|(_, done)| !**done).map(|(advance, _)| advance.table.clone()).collect();
        for table in open.iter().filter(|table| late.contains(table)) {
            self.tables.remove(table);
            rulings.remove(table);
        }
        for table in open.iter().filter(|table| !late.contains(table)) {
            let said = said.entry(table.clone()).or_default();
            said.epochs.extend(self.held.get(table).into_iter().flatten().map(|held| held.sent.epoch));
            said.refusals.extend(refused.remove(table).unwrap_or_default());
        }
        for advance in &advances {
            // the last one of a record stands for those before it, and a station syncs each that it is sent
            let last = advance.checkpoints.last().filter(|_| !late.contains(&advance.table));
            if let (Some((_, note)), Some(said)) = (last, said.get_mut(&advance.table)) {
                said.witnessed.push(note.clone());
            }
        }
        Ok(late)
    }

    /// Signs for what is kept.
    async fn tell(&mut self, said: &BTreeMap<TableId, Said>) -> Result<(), SinkError> {
        for (table, said) in said {
            for refusal in &said.refusals {
                tracing::warn!("sink: {table} {} line {}: {}", refusal.epoch, refusal.line, refusal.why);
                self.store.refuse(refusal).await?;
                let Refusal { table, epoch, line, chain, why, .. } = refusal.clone();
                self.publish(&Receipt { table, epoch, line, chain, signed: 0, told: Told::Refused(why) }).await?;
            }
            let now = Instant::now();
            let is_early = |held: &Held| held.since + MISSING.0 < now;
            let is_missing = self.held.get(table).is_some_and(|held| held.iter().any(is_early))
                && self.missing_said.get(table).is_none_or(|at| at.elapsed() > MISSING.1);
            for receipt in self.receipts(table, said, is_missing) {
                self.publish(&receipt).await?;
            }
            for note in &said.witnessed {
                let subject = table.subject(What::Witnessed);
                self.client.publish(subject, note.clone().into()).await.map_err(asked)?;
            }
            if let Some(known) = self.tables.get_mut(table) {
                known.taken();
            }
        }
        Ok(())
    }

    fn receipts(&self, table: &TableId, said: &Said, is_missing: bool) -> Vec<Receipt> {
        let Some(known) = self.tables.get(table) else { return Vec::new() };
        let newest = known.latest().map(|head| head.epoch);
        let epochs = said.epochs.iter().copied().chain(newest).collect::<BTreeSet<_>>();
        let mut receipts = Vec::new();
        for head in epochs.iter().filter_map(|epoch| known.head(*epoch)) {
            let told = if is_missing && Some(head.epoch) == newest { Told::Missing } else { Told::Kept };
            let (line, chain, signed) = (head.lines, head.chain, head.signed);
            receipts.push(Receipt { table: table.clone(), epoch: head.epoch, line, chain, signed, told });
        }
        if let (true, None, Some(&epoch)) = (is_missing, newest, said.epochs.first()) {
            let (line, chain, signed): (LineNo, _, LineNo) = (0, sabot_journal::Chain::default(), 0);
            receipts.push(Receipt { table: table.clone(), epoch, line, chain, signed, told: Told::Missing });
        }
        receipts
    }

    async fn publish(&mut self, receipt: &Receipt) -> Result<(), SinkError> {
        if receipt.told == Told::Missing {
            self.missing_said.insert(receipt.table.clone(), Instant::now());
        }
        let note = receipt.sign(self.key, unix_seconds());
        self.client.publish(receipt.subject(), note.into()).await.map_err(asked)
    }

    /// Acknowledges what is done, and keeps in hand what came too early.
    async fn settle(&mut self, rulings: &BTreeMap<TableId, Vec<Ruling>>) -> Result<(), SinkError> {
        let mut early: BTreeMap<TableId, Vec<Held>> = BTreeMap::new();
        for (table, held) in std::mem::take(&mut self.held) {
            let of_table = rulings.get(&table).map_or(&[][..], Vec::as_slice);
            for (which, held) in held.into_iter().enumerate() {
                let acknowledged = match of_table.get(which) {
                    Some(Ruling::Kept) => held.message.ack().await,
                    Some(Ruling::Refused) => held.message.ack_with(AckKind::Term).await,
                    _ if held.since.elapsed() < EARLY_HERE => {
                        early.entry(table.clone()).or_default().push(held);
                        continue;
                    }
                    _ => held.message.ack_with(too_early(&held.message)).await,
                };
                acknowledged.map_err(SinkError::Asked)?;
            }
        }
        // another sink may have kept meanwhile what comes before
        early.keys().for_each(|table| drop(self.tables.remove(table)));
        self.held = early;
        self.client.flush().await.map_err(asked)
    }
}

/// What came too early comes again, later each time.
fn too_early(message: &Message) -> AckKind {
    let deliveries = message.info().map_or(1, |info| info.delivered);
    if deliveries > MOST_DELIVERIES {
        return AckKind::Term;
    }
    AckKind::Nak(Some(Duration::from_secs(deliveries.clamp(1, 60).unsigned_abs())))
}
