//! An evening of many tables, played into the broker by one process: each a record of its own, chained and signed, in
//! the pace of the table or as fast as it is signed for. What was dealt is given; tables that were dealt the same
//! differ in names, chains and signatures.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::time::Duration;

use async_nats::{Client, HeaderMap};
use bytes::Bytes;
use futures_util::{FutureExt, StreamExt};
use sabot_journal::Chain;
use sabot_journal::checkpoint::{Checkpoint, origin};
use sabot_journal::note::{Note, PrivateKey};
use sabot_journal::tree::{Tree, leaf};
use sabot_law::table::LineNo;
use tokio::time::{Instant, sleep_until, timeout};

use crate::broker::{Broker, BrokerError};
use crate::lines::Lines;
use crate::receipt::{Receipt, Told};
use crate::subjects::{ID, TableId, What, checkpoint_id};

/// Lines of a table that may be under way, as with an uplink.
const WINDOW: usize = 1000;
/// Tables that send before receipts are looked at again.
const AT_ONCE: usize = 200;
/// Who waits longer for a receipt has waited for nothing.
const PATIENCE: Duration = Duration::from_secs(60);

/// A line as it was dealt: a JSON object without its chain.
#[derive(Debug, Clone)]
pub struct Dealt {
    /// Milliseconds since the record was begun.
    pub t: u64,
    /// The object.
    pub text: String,
    /// It ends a pass, after which the station signs.
    pub ends_pass: bool,
}

/// What is played.
#[derive(Debug)]
pub struct Evening<'a> {
    /// Into which broker.
    pub broker: &'a Broker,
    /// The tables.
    pub tables: Vec<TableId>,
    /// Their records' first lines.
    pub header: &'a dyn Header,
    /// What was dealt, at one table or another.
    pub dealt: &'a [Vec<Dealt>],
    /// With which all stations sign.
    pub key: &'a PrivateKey,
    /// When the records were begun, milliseconds since 1970.
    pub epoch: u64,
    /// So many times as fast as it was dealt; none for as fast as it is signed for.
    pub speed: Option<f64>,
}

/// Writes the first line of a table's record, without its chain.
pub trait Header: std::fmt::Debug {
    /// That of this table, begun then.
    fn line(&self, table: &str, epoch: u64) -> String;
}

/// How it went.
#[derive(Debug)]
pub struct Played {
    /// Lines that were sent, and signed for.
    pub lines: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// From the first line to the last receipt.
    pub took: Duration,
    /// From when each line was sent until it was signed for, the shortest first.
    pub waited: Vec<Duration>,
    /// How far the player itself was behind the pace at most.
    pub behind: Duration,
}

/// Why it was not played to its end.
#[derive(Debug, thiserror::Error)]
pub enum NotPlayed {
    /// The broker is not reached.
    #[error("the broker: {0}")]
    Broker(#[from] BrokerError),
    /// It does not take what is sent.
    #[error("the broker: {0}")]
    Send(async_nats::Error),
    /// Nobody signs.
    #[error("{0} lines are not signed for, and no receipt has come for a minute: is a sink at work?")]
    NoReceipt(u64),
    /// A sink has refused something.
    #[error("a sink refuses {0}")]
    Refused(String),
}

fn send(why: impl Into<async_nats::Error>) -> NotPlayed {
    NotPlayed::Send(why.into())
}

struct Table {
    id: TableId,
    dealt: usize,
    line: LineNo,
    chain: Chain,
    tree: Tree,
    under_way: VecDeque<(LineNo, Instant)>,
    /// It has nothing due while so much is under way.
    is_full: bool,
}

struct Player<'a> {
    evening: &'a Evening<'a>,
    client: Client,
    tables: Vec<Table>,
    by_id: HashMap<TableId, usize>,
    due: BinaryHeap<Reverse<(Instant, usize)>>,
    began: Instant,
    sent: u64,
    played: Played,
}

/// Plays all of it, until every line is signed for.
///
/// # Errors
/// When the broker does not take it, or nobody signs.
pub async fn play(evening: &Evening<'_>) -> Result<Played, NotPlayed> {
    let (client, _) = evening.broker.connect("sabot simulate-floor").await?;
    let houses = evening.tables.first().map_or(String::new(), |table| table.house().to_owned());
    let mut receipts = client.subscribe(format!("sabot.{houses}.*.*.receipt.*")).await.map_err(send)?;
    client.flush().await.map_err(send)?;
    let mut player = Player::new(evening, client);
    loop {
        let next = player.due.peek().map(|Reverse((due, _))| *due);
        if next.is_none() && player.tables.iter().all(|table| table.under_way.is_empty()) {
            player.played.took = player.began.elapsed();
            player.played.waited.sort_unstable();
            return Ok(player.played);
        }
        tokio::select! {
            biased;
            came = timeout(PATIENCE, receipts.next()) => {
                let none = || NotPlayed::NoReceipt(player.sent - player.played.lines);
                player.heard(&came.ok().flatten().ok_or_else(none)?.payload)?;
                while let Some(Some(more)) = receipts.next().now_or_never() {
                    player.heard(&more.payload)?;
                }
            }
            () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => player.send().await?,
        }
    }
}

impl<'a> Player<'a> {
    fn new(evening: &'a Evening<'a>, client: Client) -> Self {
        let began = Instant::now();
        let table = |(at, id): (usize, &TableId)| Table {
            id: id.clone(),
            dealt: at % evening.dealt.len().max(1),
            line: 0,
            chain: Chain::default(),
            tree: Tree::default(),
            under_way: VecDeque::new(),
            is_full: false,
        };
        let tables: Vec<Table> = evening.tables.iter().enumerate().map(table).collect();
        let by_id = evening.tables.iter().cloned().zip(0..).collect();
        // not all of them begin at one moment
        let first = |at: usize| match evening.speed {
            Some(speed) => began + Duration::from_secs_f64(10.0 / speed * at as f64 / tables.len() as f64),
            None => began,
        };
        let due = (0..tables.len()).map(|at| Reverse((first(at), at))).collect();
        let played = Played { lines: 0, bytes: 0, took: Duration::ZERO, waited: Vec::new(), behind: Duration::ZERO };
        Self { evening, client, tables, by_id, due, began, sent: 0, played }
    }

    /// Takes a receipt. Its signature is the stations' to verify, each on a machine of its own.
    fn heard(&mut self, payload: &[u8]) -> Result<(), NotPlayed> {
        let note = std::str::from_utf8(payload).ok().and_then(Note::parse);
        let Some(receipt) = note.and_then(|note| Receipt::parse(&note.text)) else { return Ok(()) };
        if let Told::Refused(why) = &receipt.told {
            return Err(NotPlayed::Refused(format!("line {} of {}: {why}", receipt.line, receipt.table)));
        }
        let Some(&at) = self.by_id.get(&receipt.table).filter(|_| receipt.epoch == self.evening.epoch) else {
            return Ok(());
        };
        let Some(table) = self.tables.get_mut(at) else { return Ok(()) };
        while let Some((_, sent)) = table.under_way.pop_front_if(|(line, _)| *line <= receipt.line) {
            self.played.lines += 1;
            self.played.waited.push(sent.elapsed());
        }
        if table.is_full && table.under_way.len() < WINDOW {
            table.is_full = false;
            self.due.push(Reverse((Instant::now(), at)));
        }
        Ok(())
    }

    /// Sends what is due.
    async fn send(&mut self) -> Result<(), NotPlayed> {
        let now = Instant::now();
        for _ in 0..AT_ONCE {
            let Some(Reverse((due, at))) = self.due.peek().copied() else { break };
            if due > now {
                break;
            }
            self.due.pop();
            self.played.behind = self.played.behind.max(now - due);
            self.next(at, due).await?;
        }
        self.client.flush().await.map_err(send)
    }

    /// The next lines of a table, as far as they are due now, and when the one after is.
    async fn next(&mut self, at: usize, due: Instant) -> Result<(), NotPlayed> {
        let Evening { header, dealt, key, epoch, speed, .. } = *self.evening;
        let Some(table) = self.tables.get_mut(at) else { return Ok(()) };
        let dealt = dealt.get(table.dealt).map_or(&[][..], Vec::as_slice);
        let (mut due, now) = (due, Instant::now());
        let mut lines = Lines::default();
        let mut ended = false;
        while !ended && due <= now && table.under_way.len() < WINDOW && lines.takes(epoch, table.line + 1) {
            let told = usize::try_from(table.line).ok().and_then(|line| line.checked_sub(1));
            let this = told.and_then(|at| dealt.get(at));
            let mut line = Vec::new();
            table.chain = match this {
                Some(dealt) => table.chain.append(dealt.text.as_bytes(), &mut line),
                None => table.chain.append(header.line(table.id.table(), epoch).as_bytes(), &mut line),
            };
            line.pop();
            table.line += 1;
            table.tree.push(leaf(&line));
            self.played.bytes += line.len() as u64;
            table.under_way.push_back((table.line, now));
            self.sent += 1;
            lines.push(epoch, table.line, table.chain, &line);
            if this.is_some_and(|dealt| dealt.ends_pass) {
                publish(&self.client, &table.id, What::Line, lines.take(&table.id)).await?;
                let (origin, root) = (origin(key.public(), epoch), table.tree.root());
                let text = Checkpoint { origin, size: table.line, root }.to_string();
                let note = Note { signatures: vec![key.sign(&text, epoch / 1000)], text };
                let checkpoint = (checkpoint_id(&table.id, epoch, table.line), note.to_string().into());
                publish(&self.client, &table.id, What::Checkpoint, Some(checkpoint)).await?;
            }
            let next = usize::try_from(table.line - 1).ok().and_then(|at| dealt.get(at));
            let gap = next.map_or(0, |next| next.t.saturating_sub(this.map_or(0, |dealt| dealt.t)));
            due += speed.map_or(Duration::ZERO, |speed| Duration::from_millis(gap).div_f64(speed));
            ended = next.is_none();
        }
        publish(&self.client, &table.id, What::Line, lines.take(&table.id)).await?;
        table.is_full = !ended && table.under_way.len() >= WINDOW;
        if !ended && !table.is_full {
            self.due.push(Reverse((due, at)));
        }
        Ok(())
    }
}

async fn publish(
    client: &Client,
    table: &TableId,
    what: What,
    message: Option<(String, Bytes)>,
) -> Result<(), NotPlayed> {
    let Some((id, payload)) = message else { return Ok(()) };
    let mut headers = HeaderMap::new();
    headers.insert(ID, id.as_str());
    client.publish_with_headers(table.subject(what), headers, payload).await.map_err(send)
}
