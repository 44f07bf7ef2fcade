//! What holding a log against its regulation costs beside merely reading it, as ratios within one run.
//!
//! `cargo bench -p sabot-simulation --bench replay` deals passes by the book (`PASSES`, 50,000 unless told otherwise),
//! then measures, best of five and interleaved: reading every line with serde_json into an event and doing nothing, the
//! baseline; a monitor of four rules as one writes it by hand over serde_json; reading it the way the replay does;
//! `Replay` of the same lines, answers written to a sink; the validator alone on events already in memory. Lines are
//! taken in blocks that fit the caches, so that memory bandwidth is not what is measured.

#![allow(clippy::expect_used, clippy::cast_precision_loss, reason = "a benchmark")]

mod monitor;

use std::hint::black_box;
use std::time::{Duration, Instant};

use monitor::Monitor;
use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::header::FirstLine;
use sabot_law::table::{Event, line};
use sabot_law::validator::Validator;
use sabot_simulation::workload::{Dealer, HOUSES, Settings};

const BLOCK: usize = 2_000;

fn log(passes: u64) -> (Vec<u8>, usize) {
    let mut dealer = Dealer::new(Settings { seed: 7, ..Settings::of(HOUSES[0]) });
    let mut text = serde_json::to_vec(&FirstLine::of(dealer.header())).expect("memory takes any line");
    text.push(b'\n');
    let mut pass = Vec::new();
    let mut lines = 1;
    for _ in 0..passes {
        dealer.next_pass(&mut pass);
        for event in &pass {
            serde_json::to_writer(&mut text, event).expect("memory takes any line");
            text.push(b'\n');
            lines += 1;
        }
    }
    (text, lines)
}

fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = black_box(work());
    *total += start.elapsed();
    done
}

fn titles() {
    println!(
        "{:>12} {:>12} {:>12} {:>12} {:>12} {:>14} {:>16} {:>14}",
        "serde ns",
        "monitor ns",
        "read ns",
        "replay ns",
        "validate ns",
        "replay/serde",
        "serde/validate",
        "monitor/replay"
    );
}

/// The best of each.
fn tell(best: [f64; 5]) {
    let [parse, by_hand, _, replay, validate] = best;
    println!(
        "best: replay {:.2} times the parse with serde_json, the validator {:.1} times faster than it; replay {:.2} times as \
         fast as the monitor",
        replay / parse,
        parse / validate,
        by_hand / replay
    );
}

fn main() {
    let passes = std::env::var("PASSES").ok().and_then(|text| text.parse().ok()).unwrap_or(50_000);
    let (text, count) = log(passes);
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
    let header = line::header(lines[0]).expect("the dealer writes a header");
    println!("{passes} passes, {count} lines, {} MB", text.len() / 1_000_000);
    titles();
    let mut best = [f64::MAX; 5];
    for _ in 0..5 {
        let [mut parse, mut by_hand, mut read, mut replay, mut validate] = [Duration::ZERO; 5];
        let mut monitor = Monitor::default();
        let mut whole = Replay::new(Lang::Es, None);
        let mut table = Validator::new(header.clone()).expect("a known regulation");
        let mut sink = std::io::sink();
        let mut answers = Vec::new();
        let mut number = 1;
        whole.feed(lines[0], &mut answers).expect("the header reads");
        for block in lines[1..].chunks(BLOCK) {
            timed(&mut parse, || {
                for text in block {
                    black_box(line::timed_by_serde(text).expect("the dealer's lines read"));
                }
            });
            timed(&mut by_hand, || {
                for text in block {
                    monitor.takes(text).expect("the dealer's lines read");
                }
            });
            timed(&mut read, || {
                for text in block {
                    black_box(line::timed(text).expect("the dealer's lines read"));
                }
            });
            timed(&mut replay, || {
                for text in block {
                    whole.feed(text, &mut answers).expect("the dealer's lines read");
                    for answer in answers.drain(..) {
                        serde_json::to_writer(&mut sink, &answer).expect("a sink takes everything");
                    }
                }
            });
            let events: Vec<Event> = block.iter().map(|text| line::event(text).expect("read before")).collect();
            timed(&mut validate, || {
                for event in &events {
                    number += 1;
                    table.step(number, event, &mut answers);
                    answers.clear();
                }
            });
        }
        assert_eq!(monitor.found, 0, "passes by the book");
        let nanos = [parse, by_hand, read, replay, validate].map(|time| time.as_secs_f64() * 1e9 / (count - 1) as f64);
        for (best, now) in best.iter_mut().zip(nanos) {
            *best = best.min(now);
        }
        let [parse, by_hand, read, replay, validate] = nanos;
        println!(
            "{parse:12.1} {by_hand:12.1} {read:12.1} {replay:12.1} {validate:12.1} {:14.2} {:16.1} {:14.2}",
            replay / parse,
            parse / validate,
            by_hand / replay
        );
    }
    tell(best);
}
