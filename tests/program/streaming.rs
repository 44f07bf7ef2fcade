//! `sabot replay` reads a log as it comes: what it holds in memory does not grow with the log's length.
//!
//! The figures at 1 and 10 million lines are in `docs/figures.md`, with the command that repeats them.
#![cfg(target_os = "linux")] // peak memory is read from /proc
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::process::Stdio;

use crate::process::{Process, sabot};
use sabot_law::table::header::FirstLine;
use sabot_simulation::deviations::{Deviating, Deviation, Options};
use sabot_simulation::workload::{HOUSES, Settings};

/// What a replay came to.
struct Replayed {
    lines: u64,
    /// Most memory it ever had resident, kB.
    peak_kb: u64,
    summary: serde_json::Value,
    passes: u64,
}

/// Ways to deviate that leave every pass one.
const WAYS: [Deviation; 5] =
    [Deviation::AskNot, Deviation::Flip, Deviation::ExtraCard, Deviation::MisPay, Deviation::TakeAway];

/// Deals passes, one in five of them not by the book, straight into `sabot replay -` until so many lines are told.
fn replayed(lines: u64) -> Replayed {
    let answers = tempfile::NamedTempFile::new().unwrap();
    let told_to = File::create(answers.path()).unwrap();
    let mut replay = Process::start(sabot(["replay", "-"]).stdin(Stdio::piped()).stdout(told_to));
    let mut log = BufWriter::new(replay.stdin());
    let settings = Settings { seed: 5, ..Settings::of(HOUSES[0]) };
    let mut table =
        Deviating::new(Options { rate: 0.2, deviations: WAYS.to_vec(), blind: 0.0, ..Options::of(settings) });
    let mut line = |value: Vec<u8>| log.write_all(&value).and_then(|()| log.write_all(b"\n")).unwrap();
    line(serde_json::to_vec(&FirstLine::of(table.header())).unwrap());
    let (mut told, mut passes) = (1, 0);
    while told < lines || !table.is_between_passes() {
        let (n, event) = table.next_event();
        line(serde_json::to_vec(&event).unwrap());
        told = n;
        passes += u64::from(table.is_between_passes());
    }
    log.flush().unwrap();
    // its input still open, it lives: all but what a pipe holds has been read
    let status = fs::read_to_string(format!("/proc/{}/status", replay.0.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak_kb = peak.trim().trim_end_matches(" kB").parse().unwrap();
    drop(log);
    assert!(replay.ends().success());
    let answers = fs::read_to_string(answers.path()).unwrap();
    let summary = serde_json::from_str(answers.lines().last().unwrap()).unwrap();
    Replayed { lines: told, peak_kb, summary, passes }
}

#[test]
fn memory_does_not_grow_with_the_length_of_the_log() {
    let [short, long] = [50_000, 500_000].map(replayed);
    for Replayed { lines, peak_kb, summary, passes } in [&short, &long] {
        println!("{lines} lines: at most {peak_kb} kB");
        assert_eq!(summary["passes"], *passes, "the whole log was read: {summary}");
    }
    let grown = long.peak_kb.saturating_sub(short.peak_kb);
    assert!(grown < 1024, "{} kB after {} lines, {} kB after {}", short.peak_kb, short.lines, long.peak_kb, long.lines);
}
