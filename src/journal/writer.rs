//! The thread that writes: group commit, and what happens when the disk fails.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::chain::Chain;
use super::record::Record;
use super::signer::Signer;
use sabot_law::table::LineNo;

/// Most lines of one commit.
const MAX_GROUP: usize = 1024;
/// How long after a failure the disk is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// How far the record is safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Durable {
    /// This line and all before it are on disk.
    pub line: LineNo,
    /// What keeps later lines from being written, in words, where something does.
    pub fault: Option<String>,
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
    pub(super) fn start<S: Storage + 'static>(writer: Writer<S>, lines: LineNo) -> io::Result<Self> {
        let (waiting, records) = mpsc::channel();
        let (told, durable) = watch::channel(Durable { line: lines, fault: None });
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
    /// Appends all of it, or fails after some.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Returns once everything appended survives a power cut.
    fn sync(&mut self) -> io::Result<()>;
    /// Cuts everything after `len` bytes off.
    fn cut(&mut self, len: u64) -> io::Result<()>;
}

impl Storage for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        self.set_len(len)?;
        self.seek(SeekFrom::Start(len)).map(drop)
    }
}

#[derive(Debug)]
pub(super) struct Writer<S> {
    storage: S,
    chain: Chain,
    /// Bytes and lines that are durable.
    bytes: u64,
    lines: LineNo,
    retry: Duration,
    signer: Option<Signer>,
}

impl<S: Storage> Writer<S> {
    pub(super) fn new(storage: S, chain: Chain, bytes: u64, lines: LineNo) -> Self {
        Self { storage, chain, bytes, lines, retry: RETRY, signer: None }
    }

    /// With the one who signs what is durable.
    pub(super) fn signing(self, signer: Option<Signer>) -> Self {
        Self { signer, ..self }
    }

    #[cfg(any(test, feature = "failing"))]
    pub(super) fn retry_after(self, retry: Duration) -> Self {
        Self { retry, ..self }
    }

    fn run(mut self, records: &Receiver<Record>, told: &watch::Sender<Durable>) {
        let mut queue = VecDeque::new();
        let mut group = Vec::new();
        loop {
            if queue.is_empty() {
                let Some(first) = self.next(records) else { return };
                queue.push_back(first);
            }
            drain(records, &mut queue);
            let lines = queue.len().min(MAX_GROUP);
            group.clear();
            let chained = queue.drain(..lines).try_fold(self.chain, |chain, record| {
                Ok::<_, serde_json::Error>(chain.append(&record.to_line()?, &mut group))
            });
            let chain = match chained {
                Ok(chain) => chain,
                Err(why) => {
                    // A line that cannot be written would be missing from the record: nothing after it is accepted.
                    let fault = Some(format!("an event cannot be written down: {why}"));
                    let _ = told.send(Durable { line: self.lines, fault });
                    return;
                }
            };
            if !self.commit(&group, records, &mut queue, told) {
                return;
            }
            self.chain = chain;
            self.bytes += group.len() as u64;
            self.lines += lines as LineNo;
            let _ = told.send(Durable { line: self.lines, fault: None });
            if let Some(signer) = &mut self.signer {
                signer.took(&group, Instant::now());
                signer.sign_what_is_due(Instant::now());
            }
        }
    }

    /// The next line; none when no more can come. What is to be signed is signed meanwhile.
    fn next(&mut self, records: &Receiver<Record>) -> Option<Record> {
        while let Some(signer) = &mut self.signer
            && let Some(due) = signer.due_in(Instant::now())
        {
            match records.recv_timeout(due) {
                Ok(record) => return Some(record),
                Err(RecvTimeoutError::Timeout) => signer.sign_what_is_due(Instant::now()),
                Err(RecvTimeoutError::Disconnected) => {
                    signer.sign();
                    return None;
                }
            }
        }
        records.recv().ok()
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
        let mut outcome = self.storage.append(group).and_then(|()| self.storage.sync());
        while let Err(why) = outcome {
            let fault = Some(format!("the record cannot be written: {why}"));
            told.send_if_modified(|now| {
                let news = now.fault != fault;
                now.fault.clone_from(&fault);
                news
            });
            if drain(records, queue) {
                let _ = self.storage.cut(self.bytes);
                return false;
            }
            std::thread::sleep(self.retry);
            outcome = self
                .storage
                .cut(self.bytes)
                .and_then(|()| self.storage.append(group))
                .and_then(|()| self.storage.sync());
        }
        true
    }
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
