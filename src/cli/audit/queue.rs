//! An audit that machines share: whoever asks the same takes part, and each tells all of it in the end.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use clap::Args;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sabot_floor::broker::Broker;
use sabot_floor::queue::{Queue, QueueError, Task};
use serde::{Deserialize, Serialize};

use super::judged::{self, Judged};
use super::source::{Record, Source};
use super::{Question, Stopped};

/// What came of a task has not so many bytes, unpacked.
const MOST_UNPACKED: u64 = 1 << 28;

/// Where the work is shared.
#[derive(Debug, Args)]
pub(super) struct QueueArgs {
    /// Share the work with every machine that asks the same under this name, through a work queue of the broker. Each
    /// takes one record after the other, and each tells the whole result. Who is killed loses what it was at, and who
    /// comes later goes on.
    #[arg(long, value_name = "NAME", requires = "broker", conflicts_with = "part")]
    queue: Option<String>,
    /// The broker (NATS with JetStream).
    #[arg(long, value_name = "URL", requires = "queue")]
    broker: Option<String>,
    /// A file of credentials for the broker.
    #[arg(long, value_name = "FILE", requires = "queue")]
    broker_credentials: Option<PathBuf>,
    /// The certificate of the authority that signed the broker's, in PEM.
    #[arg(long, value_name = "FILE", requires = "queue")]
    broker_authority: Option<PathBuf>,
}

/// What came of a record.
#[derive(Serialize, Deserialize)]
enum Came {
    Judged(Judged),
    /// It could not be read, and why.
    Unread(String),
}

/// By which it is known what came of a record: one that has grown is another.
fn key(record: &Record) -> String {
    format!("{} {}", record.size, record.name)
}

fn packed(came: &Came) -> io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&serde_json::to_vec(came)?)?;
    packed.finish()
}

fn unpacked(bytes: &[u8]) -> io::Result<Came> {
    let mut text = Vec::new();
    GzDecoder::new(bytes).take(MOST_UNPACKED).read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}

impl QueueArgs {
    /// The queue's name and broker, where there is one.
    fn broker(&self) -> Option<(&str, Broker)> {
        let (name, url) = (self.queue.as_deref()?, self.broker.clone()?);
        let (credentials, authority) = (self.broker_credentials.clone(), self.broker_authority.clone());
        Some((name, Broker { url, credentials, authority, ..Broker::default() }))
    }

    /// Judges records with all who take part, and tells what came of each; false where the work is not shared.
    pub(super) fn share(
        &self,
        (question, source, jobs): (&Question, &Source, usize),
        open: &[&Record],
        mut came: impl FnMut(&Record, Result<Judged, String>) -> Result<(), Stopped>,
    ) -> Result<bool, Stopped> {
        let Some((name, broker)) = self.broker() else { return Ok(false) };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let queue = runtime.block_on(Queue::join(&broker, name, &question.words()))?;
        let mut waiting: BTreeMap<String, &Record> = open.iter().map(|record| (key(record), *record)).collect();
        let all = waiting.clone();
        let is_over = AtomicBool::new(false);
        let mut results = runtime.block_on(queue.results())?;
        thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs)
                .map(|_| scope.spawn(|| work((question, source), &all, (&runtime, &queue), &is_over)))
                .collect();
            let gathered = (|| -> Result<(), Stopped> {
                let mut has_put = false;
                while !waiting.is_empty() {
                    let next = runtime.block_on(results.next())?;
                    if let Some((key, bytes)) = next {
                        // one that is of no use here may be of another sort of source
                        let Some(record) = waiting.remove(&key) else { continue };
                        match unpacked(&bytes)? {
                            Came::Judged(judged) => came(record, Ok(judged))?,
                            Came::Unread(why) => came(record, Err(why))?,
                        }
                    } else if !has_put {
                        // what is done already was told before this
                        waiting.keys().try_for_each(|key| runtime.block_on(queue.put(key)))?;
                        has_put = true;
                    } else if workers.iter().all(thread::ScopedJoinHandle::is_finished) {
                        return Ok(());
                    }
                }
                Ok(())
            })();
            is_over.store(true, Ordering::Relaxed);
            let ended: Vec<Result<(), QueueError>> = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|why| std::panic::resume_unwind(why)))
                .collect();
            gathered?;
            // one that failed does not matter where others have done all of it
            if !waiting.is_empty() {
                ended.into_iter().collect::<Result<(), QueueError>>()?;
            }
            Ok::<_, Stopped>(())
        })
        .map(|()| true)
    }
}

/// Takes one task after the other, until nobody waits for any.
fn work(
    (question, source): (&Question, &Source),
    all: &BTreeMap<String, &Record>,
    (runtime, queue): (&tokio::runtime::Runtime, &Queue),
    is_over: &AtomicBool,
) -> Result<(), QueueError> {
    let mut reader = source.reader();
    while !is_over.load(Ordering::Relaxed) {
        let Some(task) = runtime.block_on(queue.take())? else { continue };
        let Some(record) = all.get(&task.key) else {
            runtime.block_on(queue.give_back(task))?;
            continue;
        };
        let judged = reader.open(record).and_then(|lines| judged::judge(question, &record.name, lines));
        let came = judged.map_or_else(|why| Came::Unread(why.to_string()), Came::Judged);
        finish((runtime, queue), task, &came)?;
    }
    Ok(())
}

fn finish((runtime, queue): (&tokio::runtime::Runtime, &Queue), task: Task, came: &Came) -> Result<(), QueueError> {
    let too_much = |bytes: usize| {
        let why = format!("what came of it is {bytes} bytes, more than a message takes: audit it alone");
        packed(&Came::Unread(why)).unwrap_or_default()
    };
    let bytes = packed(came).unwrap_or_else(|why| packed(&Came::Unread(why.to_string())).unwrap_or_default());
    let bytes = if bytes.len() > queue.most() { too_much(bytes.len()) } else { bytes };
    runtime.block_on(queue.finish(task, bytes))
}
