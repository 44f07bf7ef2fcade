//! The thread that writes: group commit, and what happens when the disk fails.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::chain::Chain;
use super::fault::RecordFault;
use super::held::Held;
use super::note::PrivateKey;
use super::record::Record;
use super::sealer::{Sealer, Sealing};
use super::signer::Signer;
use super::synced::Synced;
use sabot_law::table::{Header, LineNo, Name};
use sabot_words::Times;

/// Most lines of one commit.
const MAX_GROUP: usize = 1024;
/// How long after a failure the disk is tried again.
pub(super) const RETRY: Duration = Duration::from_millis(250);
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
    days: mpsc::Sender<Changed>,
    syncs: Arc<Mutex<Times>>,
    thread: JoinHandle<()>,
}

/// What a record is written with.
#[derive(Debug, Default)]
pub struct With {
    /// The key that signs it.
    pub key: Option<PrivateKey>,
    /// How its covered cards are sealed.
    pub sealing: Sealing,
    /// The program, by its hash: what it [kept](super::keep) is gone by.
    pub program: Option<String>,
    /// A clock is gone by though the record was told of a later time.
    pub accept_clock: bool,
    /// Lines that nothing has signed are signed though no checkpoint of this key lies beside the record.
    pub accept_unsigned: bool,
}

/// What ends a day, and what the next one begins with.
#[derive(Debug)]
pub struct NextDay {
    /// The last line of the day.
    pub last_line: Record,
    /// The record's file.
    pub record: PathBuf,
    /// The first line of the next record.
    pub header: Header,
    /// When that begins, milliseconds since 1970.
    pub began: u64,
    /// The last event of each device that the day tells: epoch and sequence number.
    pub devices: BTreeMap<Name, (u32, u32)>,
    /// How covered cards are sealed.
    pub sealing: Sealing,
}

/// Where the lines of the next day come from, and who is told how far they are safe.
#[derive(Debug)]
pub(super) struct Changed {
    pub(super) day: NextDay,
    pub(super) records: Receiver<Record>,
    pub(super) told: watch::Sender<Durable>,
}

/// What the thread that writes is given: lines, and after them the next day.
pub(super) type Given = (Receiver<Record>, watch::Sender<Durable>, Receiver<Changed>);

impl Journal {
    /// For a writer of one record only.
    #[cfg(any(test, feature = "failing"))]
    pub(super) fn start<S: Storage + 'static>(writer: Writer<S>) -> io::Result<Self> {
        let held = writer.held;
        let syncs = writer.syncs.clone();
        Self::serving(&held, syncs, move |(records, told, _)| drop(writer.run(&records, &told, &mut VecDeque::new())))
    }

    /// Of a record that holds so much, in a thread that writes.
    pub(super) fn serving(
        held: &Held,
        syncs: Arc<Mutex<Times>>,
        write: impl FnOnce(Given) + Send + 'static,
    ) -> io::Result<Self> {
        let Held { lines, bytes, .. } = *held;
        let (waiting, records) = mpsc::channel();
        let (told, durable) = watch::channel(Durable { line: lines, bytes, fault: None });
        let (days, changed) = mpsc::channel();
        let run = move || write((records, told, changed));
        let thread = std::thread::Builder::new().name("journal".to_owned()).spawn(run)?;
        Ok(Self { lines, waiting, durable, days, syncs, thread })
    }

    /// Ends the record with a line, all before it being on disk, and goes on with the next one. That can be written to
    /// at once: its lines wait until the one before is put away. What [`durable`](Self::durable) tells is the next
    /// one's from now on; what keeps the day from being closed is told there too.
    pub fn next_day(&mut self, day: NextDay) {
        let (waiting, records) = mpsc::channel();
        let (told, durable) = watch::channel(Durable { line: 0, bytes: 0, fault: None });
        let _ = self.days.send(Changed { day, records, told });
        (self.lines, self.waiting, self.durable) = (1, waiting, durable);
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

    /// How long the disk took each time until what was written was safe, since the record was opened.
    #[must_use]
    pub fn syncs(&self) -> Times {
        *self.syncs.lock().unwrap_or_else(PoisonError::into_inner)
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
    pub(super) held: Held,
    retry: Duration,
    sealer: Sealer,
    pub(super) signer: Option<Signer>,
    synced: Option<Synced>,
    pub(super) syncs: Arc<Mutex<Times>>,
}

impl<S: Storage> Writer<S> {
    pub(super) fn new(storage: S, held: Held) -> Self {
        let (sealer, syncs) = (Sealer::default(), Arc::default());
        Self { storage, held, retry: RETRY, sealer, signer: None, synced: None, syncs }
    }

    /// With the one who seals covered cards.
    pub(super) fn sealing(self, sealer: Sealer) -> Self {
        Self { sealer, ..self }
    }

    /// With the one who signs what is durable.
    pub(super) fn signing(self, signer: Option<Signer>) -> Self {
        Self { signer, ..self }
    }

    /// Counting where the one of the day before did.
    pub(super) fn counting(self, syncs: Arc<Mutex<Times>>) -> Self {
        Self { syncs, ..self }
    }

    /// Telling how much is on disk.
    pub(super) fn telling(self, synced: Option<Synced>) -> Self {
        Self { synced, ..self }
    }

    #[cfg(any(test, feature = "failing"))]
    pub(super) fn retry_after(self, retry: Duration) -> Self {
        Self { retry, ..self }
    }

    /// Writes until nothing more can come, beginning with what waits in the queue; none where something could not be
    /// written.
    pub(super) fn run(
        mut self,
        records: &Receiver<Record>,
        told: &watch::Sender<Durable>,
        queue: &mut VecDeque<Record>,
    ) -> Option<Self> {
        let mut group = Vec::new();
        loop {
            if queue.is_empty() {
                let Some(first) = self.next(records, told) else { return Some(self) };
                queue.push_back(first);
            }
            drain(records, queue);
            let lines: Vec<Record> = queue.drain(..queue.len().min(MAX_GROUP)).collect();
            self.write_group(lines, &mut group, records, told, queue)?;
            let _ = told.send(Durable { line: self.held.lines, bytes: self.held.bytes, fault: None });
            self.synced.iter().for_each(|synced| synced.tell(&self.held));
            if let Some(signer) = &mut self.signer {
                signer.took(&group, Instant::now());
                signer.sign_what_is_due(Instant::now());
            }
        }
    }

    /// Writes lines until they are durable; none where that cannot be.
    pub(super) fn write_group(
        &mut self,
        lines: Vec<Record>,
        group: &mut Vec<u8>,
        records: &Receiver<Record>,
        told: &watch::Sender<Durable>,
        queue: &mut VecDeque<Record>,
    ) -> Option<()> {
        group.clear();
        let count = lines.len() as LineNo;
        let chain = match self.chained(lines.into_iter(), group) {
            Ok(chain) => chain,
            Err(why) => {
                // A line that cannot be written would be missing from the record: nothing after it is accepted.
                tell(told, Some(RecordFault::Event(why.to_string())));
                return None;
            }
        };
        if !self.commit(group, records, queue, told) {
            return None;
        }
        let Held { bytes, lines: before, .. } = self.held;
        self.sealer.on_disk();
        self.held = Held { bytes: bytes + group.len() as u64, lines: before + count, chain };
        Some(())
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
                Err(RecvTimeoutError::Timeout) => tell(told, self.look().err()),
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

    /// The record and its checkpoints are what was written.
    fn look(&mut self) -> Result<(), RecordFault> {
        self.storage.look(&self.held)?;
        self.signer.iter_mut().try_for_each(Signer::look)
    }

    fn write(&mut self, group: &[u8]) -> Result<(), RecordFault> {
        self.look()?;
        self.storage.cut(self.held.bytes)?;
        self.sealer.keep()?;
        self.storage.append(group)?;
        let began = Instant::now();
        let synced = self.storage.sync();
        let took = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.syncs.lock().unwrap_or_else(PoisonError::into_inner).took(took);
        synced
    }
}

/// Tells what keeps lines from being written, or that nothing does, where that is news.
pub(super) fn tell(told: &watch::Sender<Durable>, fault: Option<RecordFault>) {
    told.send_if_modified(|now| {
        let news = now.fault != fault;
        now.fault = fault;
        news
    });
}

/// Takes what waits; true when nothing more can come.
pub(super) fn drain(records: &Receiver<Record>, queue: &mut VecDeque<Record>) -> bool {
    loop {
        match records.try_recv() {
            Ok(record) => queue.push_back(record),
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => return true,
        }
    }
}
