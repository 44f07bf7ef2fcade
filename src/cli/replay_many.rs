//! `sabot replay DIR`: many logs at once, and what was found in each.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use serde::{Deserialize, Serialize};

use super::replay::{ReplayArgs, Stopped, replay};
use crate::out::say_err;

/// What was found in a log.
#[derive(Debug, Default, Serialize)]
struct Found {
    /// Where the log is, from the folder on.
    log: PathBuf,
    /// How many findings stand.
    findings: u64,
    /// Of each article.
    articles: BTreeMap<String, u64>,
    /// Why it was not read to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
}

/// Counts the findings among answers, a JSON object a line.
#[derive(Default)]
struct Counter {
    begun: Vec<u8>,
    articles: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct Answer {
    out: String,
    #[serde(default)]
    provision: Option<String>,
    /// Of the summary: those that stand, by article.
    #[serde(default)]
    findings: BTreeMap<String, u64>,
}

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.begun.extend_from_slice(piece);
            if self.begun.ends_with(b"\n") {
                let answer: Answer = serde_json::from_slice(&self.begun)?;
                match answer.out.as_str() {
                    "finding" => *self.articles.entry(answer.provision.unwrap_or_default()).or_default() += 1,
                    // it does not count those that were withdrawn
                    "summary" => self.articles = answer.findings,
                    _ => {}
                }
                self.begun.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Every log below a folder: `.jsonl`, packed by gzip or not. Links to folders are not followed.
pub(super) fn logs(folder: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let mut logs = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let is_log = path.to_str().is_some_and(|name| name.ends_with(".jsonl") || name.ends_with(".jsonl.gz"));
        if entry.file_type()?.is_dir() {
            logs.append(&mut self::logs(&path)?);
        } else if is_log {
            logs.insert(path);
        }
    }
    Ok(logs)
}

fn one(args: &ReplayArgs, log: &Path) -> Found {
    let mut counter = Counter::default();
    let name = log.strip_prefix(&args.log).unwrap_or(log).to_path_buf();
    let read = replay(args, log, &format!("{}: ", name.display()), &mut counter);
    let stopped = read.as_ref().err().map(Stopped::to_string);
    Found { log: name, findings: counter.articles.values().sum(), articles: counter.articles, stopped }
}

/// Replays all logs, so many at a time, and prints what was found in each, in the order of their names.
pub(super) fn run(args: &ReplayArgs) -> ExitCode {
    let logs: Vec<PathBuf> = match logs(&args.log) {
        Ok(logs) => logs.into_iter().collect(),
        Err(why) => {
            say_err!("sabot replay: {}: {why}", args.log.display());
            return ExitCode::from(2);
        }
    };
    if logs.is_empty() {
        say_err!("sabot replay: {}: there is no log in it: a file called .jsonl or .jsonl.gz", args.log.display());
        return ExitCode::from(2);
    }
    let jobs = args.jobs.unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN));
    let (next, (send, read)) = (AtomicUsize::new(0), mpsc::channel());
    thread::scope(|scope| {
        for _ in 0..jobs.get().min(logs.len()) {
            let (send, next, logs) = (send.clone(), &next, &logs);
            scope.spawn(move || {
                while let Some((which, log)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, logs.get(at)?)))
                {
                    // nobody listens any more where standard output is closed
                    if send.send((which, one(args, log))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        print(args, read)
    })
}

fn print(args: &ReplayArgs, read: mpsc::Receiver<(usize, Found)>) -> ExitCode {
    let (mut waiting, mut due, mut findings, mut stopped) = (BTreeMap::new(), 0, 0, false);
    let mut out = io::stdout().lock();
    for (which, found) in read {
        waiting.insert(which, found);
        while let Some(found) = waiting.remove(&due) {
            due += 1;
            findings += found.findings;
            if let Some(why) = &found.stopped {
                stopped = true;
                say_err!("sabot replay: {}: {why}", found.log.display());
            }
            let line = serde_json::to_string(&found).unwrap_or_default();
            if writeln!(out, "{line}").is_err() {
                return ExitCode::SUCCESS;
            }
        }
    }
    ExitCode::from(if stopped { 2 } else { u8::from(args.strict && findings > 0) })
}
