//! The thread that writes: group commit, and what happens when the disk fails.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::chain::Chain;
use super::fault::RecordFault;
use super::held::Held;
use super::record::Record;
use super::sealer::Sealer;
use super::signer::Signer;
use super::synced::Synced;
use sabot_law::table::LineNo;

/// Most lines of one commit.
const MAX_GROUP: usize = 1024;
/// How long after a failure the disk is tried again.
const RETRY: Duration = Duration::from_millis(250);
/// How often the file is looked at while nothing is written.
const LOOK: Duration = Duration::from_millis(250);

/// How far the record is safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Durable {
    /// This line and all before it are on disk.
    pub line: LineNo,
    /// Bytes of them.
    pub bytes: u64,
    /// What keeps later lines from being written, where something does.
    pub fault: Option<RecordFault>,
}

/// A record being written. Dropping it lets the thread write what waits; [`Journal::close`] waits for that.
#[derive(Debug)]
pub struct Journal {
    lines: LineNo,
    waiting: mpsc::Sender<Record>,
    durable: watch::Receiver<Durable>,
    thread: JoinHandle<()>,
}

impl Journal {
    pub(super) fn start<S: Storage + 'static>(writer: Writer<S>) -> io::Result<Self> {
        let Held { lines, bytes, .. } = writer.held;
        let (waiting, records) = mpsc::channel();
        let (told, durable) = watch::channel(Durable { line: lines, bytes, fault: None });
        let run = move || writer.run(&records, &told);
        let thread = std::thread::Builder::new().name("journal".to_owned()).spawn(run)?;
        Ok(Self { lines, waiting, durable, thread })
    }

    /// The last line given, durable or not.
    #[must_use]
    pub fn lines(&self) -> LineNo {
        self.lines
    }

    /// Hands a line to the writing thread, and returns its number at once.
    pub fn append(&mut self, record: Record) -> LineNo {
        self.lines += 1;
        // The thread ends only after this sender is gone; were it to die, nothing would be told durable any more.
        let _ = self.waiting.send(record);
        self.lines
    }

    /// Tells how far the record is safe, each time that changes.
    #[must_use]
    pub fn durable(&self) -> watch::Receiver<Durable> {
        self.durable.clone()
    }

    /// Waits until everything handed over is on disk, or cannot be written; blocks.
    #[must_use]
    pub fn close(self) -> Durable {
        drop(self.waiting);
        let _ = self.thread.join();
        self.durable.borrow().clone()
    }
}

/// What the writer needs of a file.
pub(super) trait Storage: Send {
    /// What is there is what was written, and nothing else.
    fn look(&mut self, held: &Held) -> Result<(), RecordFault>;
    /// Appends all of it, or fails after some.
    fn append(&mut self, bytes: &[u8]) -> Result<(), RecordFault>;
    /// Returns once everything appended survives a power cut.
    fn sync(&mut self) -> Result<(), RecordFault>;
    /// Cuts off what a write that failed left behind `len` bytes.
    fn cut(&mut self, len: u64) -> Result<(), RecordFault>;
}

#[derive(Debug)]
pub(super) struct Writer<S> {
    storage: S,
    held: Held,
    retry: Duration,
    sealer: Sealer,
    signer: Option<Signer>,
    synced: Option<Synced>,
}

impl<S: Storage> Writer<S> {
    pub(super) fn new(storage: S, held: Held) -> Self {
        Self { storage, held, retry: RETRY, sealer: Sealer::default(), signer: None, synced: None }
    }

    /// With the one who seals covered cards.
    pub(super) fn sealing(self, sealer: Sealer) -> Self {
        Self { sealer, ..self }
    }

    /// With the one who signs what is durable.
    pub(super) fn signing(self, signer: Option<Signer>) -> Self {
        Self { signer, ..self }
    }

    /// Telling how much is on disk.
    pub(super) fn telling(self, synced: Option<Synced>) -> Self {
        Self { synced, ..self }
    }

    #[cfg(any(test, feature = "failing"))]
    pub(super) fn retry_after(self, retry: Duration) -> Self {
        Self { retry, ..self }
    }

    pub(super) fn run(mut self, records: &Receiver<Record>, told: &watch::Sender<Durable>) {
        let mut queue = VecDeque::new();
        let mut group = Vec::new();
        loop {
            if queue.is_empty() {
                let Some(first) = self.next(records, told) else { return };
                queue.push_back(first);
            }
            drain(records, &mut queue);
            let lines = queue.len().min(MAX_GROUP);
            group.clear();
            let chain = match self.chained(queue.drain(..lines), &mut group) {
                Ok(chain) => chain,
                Err(why) => {
                    // A line that cannot be written would be missing from the record: nothing after it is accepted.
                    tell(told, Some(RecordFault::Event(why.to_string())));
                    return;
                }
            };
            if !self.commit(&group, records, &mut queue, told) {
                return;
            }
            let Held { bytes, lines: before, .. } = self.held;
            self.sealer.on_disk();
            self.held = Held { bytes: bytes + group.len() as u64, lines: before + lines as LineNo, chain };
            let _ = told.send(Durable { line: self.held.lines, bytes: self.held.bytes, fault: None });
            self.synced.iter().for_each(|synced| synced.tell(&self.held));
            if let Some(signer) = &mut self.signer {
                signer.took(&group, Instant::now());
                signer.sign_what_is_due(Instant::now());
            }
        }
    }

    /// Writes lines, sealed and chained, into `group`; the chain that they lead to.
    fn chained(&mut self, records: impl Iterator<Item = Record>, group: &mut Vec<u8>) -> io::Result<Chain> {
        (self.held.lines + 1..).zip(records).try_fold(self.held.chain, |chain, (line, record)| {
            let seal = self.sealer.line(line, &record)?;
            Ok(chain.append(&record.to_line(&seal)?, group))
        })
    }

    /// The next line; none when no more can come. Meanwhile what is to be signed is signed, and the file looked at.
    fn next(&mut self, records: &Receiver<Record>, told: &watch::Sender<Durable>) -> Option<Record> {
        loop {
            let due = self.signer.as_ref().and_then(|signer| signer.due_in(Instant::now()));
            match records.recv_timeout(due.map_or(LOOK, |due| due.min(LOOK))) {
                Ok(record) => return Some(record),
                Err(RecvTimeoutError::Timeout) => tell(told, self.storage.look(&self.held).err()),
                Err(RecvTimeoutError::Disconnected) => {
                    self.signer.iter_mut().for_each(Signer::sign);
                    return None;
                }
            }
            if let Some(signer) = &mut self.signer {
                signer.sign_what_is_due(Instant::now());
            }
        }
    }

    /// Writes a group until it is durable. After a failed sync the system may have dropped what it held, so all of
    /// it is written again. False: nobody waits for it any more, and it still fails.
    fn commit(
        &mut self,
        group: &[u8],
        records: &Receiver<Record>,
        queue: &mut VecDeque<Record>,
        told: &watch::Sender<Durable>,
    ) -> bool {
        while let Err(fault) = self.write(group) {
            tell(told, Some(fault));
            if drain(records, queue) {
                let _ = self.storage.cut(self.held.bytes);
                return false;
            }
            std::thread::sleep(self.retry);
        }
        true
    }

    fn write(&mut self, group: &[u8]) -> Result<(), RecordFault> {
        self.storage.look(&self.held)?;
        self.storage.cut(self.held.bytes)?;
        self.sealer.keep()?;
        self.storage.append(group)?;
        self.storage.sync()
    }
}

/// Tells what keeps lines from being written, or that nothing does, where that is news.
fn tell(told: &watch::Sender<Durable>, fault: Option<RecordFault>) {
    told.send_if_modified(|now| {
        let news = now.fault != fault;
        now.fault = fault;
        news
    });
}

/// Takes what waits; true when nothing more can come.
fn drain(records: &Receiver<Record>, queue: &mut VecDeque<Record>) -> bool {
    loop {
        match records.try_recv() {
            Ok(record) => queue.push_back(record),
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => return true,
        }
    }
}
