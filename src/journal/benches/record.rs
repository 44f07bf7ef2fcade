//! What the record costs beside what the disk and the processor cost anyway, as ratios within one run and on one disk.
//!
//! `cargo bench -p sabot-journal --bench record` appends events one at a time, each until it is durable (`EVENTS`, 400
//! unless told otherwise), with the answers that a pass has, interleaved with the baseline, a write of as many bytes
//! into a preallocated file and `fdatasync`, and with the same write at the end of a file that grows: what is beyond
//! that one is the record's own, what lies between the two is the file system's. `TMPDIR=/dev/shm` shows what is the
//! record's own without a disk. Then it verifies a record (`LINES`, 200,000) and proves a line of it; the
//! baseline is SHA-256 over the same file. `TMPDIR` names the disk.

#![allow(clippy::expect_used, clippy::cast_precision_loss, reason = "a benchmark")]

use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use sabot_journal::audit::{Trust, audit};
use sabot_journal::blocks::Blocks;
use sabot_journal::checkpoint::{Checkpoints, checkpoints_of};
use sabot_journal::clock::{STATE_KEPT, STATION};
use sabot_journal::note::{PrivateKey, Purpose};
use sabot_journal::proof::Proof;
use sabot_journal::{
    Journal, Mark, Origin, Reader, Record, Sealing, With, keep, open, open_signed, open_with, read_on, verify,
};
use sabot_law::table::answer::Settle;
use sabot_law::table::{Answer, BetSpot, Event, HandId, Header, Limits, Name, Observes, Outcome};
use sha2::{Digest, Sha256};

/// Bytes of a line, at the most.
const MOST: usize = 2048;
/// Lines of a pass.
const PASS: u64 = 40;

fn number(name: &str, usually: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usually)
}

fn header() -> Header {
    Header {
        v: 1,
        table: Name::new("BJ-07"),
        regulation: Name::new("sala-8"),
        boxes: 7,
        limits: Limits { min: 1000, max: 100_000 },
        observes: Observes::ALL,
        settings: sabot_law::table::settings::Changes::default(),
        rules: None,
    }
}

/// The event of a line: each pass ends.
fn record(line: u64) -> Record {
    let seq = u32::try_from(line).unwrap_or(u32::MAX);
    let event = if line.is_multiple_of(PASS) {
        Event::End {}
    } else {
        Event::Draw { card: "TD".parse().expect("a card"), to: None, face: None }
    };
    Record { origin: Some(Origin(Name::new("SH-0001"), 1, seq)), ..Record::of(event, line * 400) }
}

fn key(folder: &Path) -> PrivateKey {
    let path = folder.join("key");
    PrivateKey::load(&path, Purpose::Station)
        .or_else(|_| PrivateKey::create(&path, "casino.example/BJ-07", Purpose::Station))
        .expect("a folder to write in")
}

/// The same with what is answered: the end of a pass settles what each of seven boxes had.
fn answered(line: u64) -> Record {
    let record = record(line);
    let boxes = if record.event == (Event::End {}) { 7 } else { 0 };
    let settle = |box_no| {
        Answer::Settle(Settle {
            line,
            pass: line / PASS,
            hand: HandId::first(box_no),
            spot: BetSpot::Main,
            outcome: Outcome::Win,
            stake: Some(5000),
            pay: Some(5000),
            lost: Some(0),
        })
    };
    Record { answers: (1..=boxes).map(settle).collect(), ..record }
}

/// Hands an event over and waits until it is durable.
fn appended(journal: &mut Journal, line: u64) -> Duration {
    let (mut durable, record) = (journal.durable(), answered(line));
    let start = Instant::now();
    let number = journal.append(record);
    let waited = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    waited.block_on(async { durable.wait_for(|durable| durable.line >= number).await.map(drop) }).expect("it writes");
    start.elapsed()
}

fn quantile(times: &mut [Duration], of: f64) -> f64 {
    times.sort_unstable();
    times.get((times.len() as f64 * of) as usize).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

fn appends(folder: &Path, events: u64) {
    let plain = open(&folder.join("plain"), &header(), |_, _, _| {}).expect("a new record").0;
    let signed = open_signed(&folder.join("signed"), &header(), Some(key(folder)), |_, _, _| {}).expect("another").0;
    let mut flat =
        OpenOptions::new().write(true).create(true).truncate(true).open(folder.join("flat")).expect("a file");
    flat.write_all(&vec![0; MOST * usize::try_from(events).expect("a number of events")]).expect("room");
    flat.sync_all().expect("a disk");
    flat.seek(SeekFrom::Start(0)).expect("a file");
    let grows = File::create(folder.join("grows")).expect("a file");
    let (mut journals, mut files, mut times) = ([plain, signed], [flat, grows], [const { Vec::new() }; 4]);
    for event in 1..=events {
        let before = journals[0].durable().borrow().bytes;
        for (journal, times) in journals.iter_mut().zip(&mut times) {
            times.push(appended(journal, event));
        }
        let bytes = journals[0].durable().borrow().bytes - before;
        let line = vec![b'x'; usize::try_from(bytes).expect("a line")];
        for (file, times) in files.iter_mut().zip(&mut times[2..]) {
            let start = Instant::now();
            file.write_all(&line).and_then(|()| file.sync_data()).expect("a disk");
            times.push(start.elapsed());
        }
    }
    let [plain, signed, flat, grows] = &mut times;
    let base = quantile(flat, 0.5);
    println!("one durable event, {events} times; preallocated file with fdatasync: median {base:.0} us");
    let rows =
        [("chained", plain), ("chained and signed", signed), ("preallocated", flat), ("a file that grows", grows)];
    for (name, times) in rows {
        let (median, most) = (quantile(times, 0.5), quantile(times, 0.99));
        println!(
            "  {name:20} median {:.2} times it ({:+.0} us), 99 of 100 within {:.2} times it",
            median / base,
            median - base,
            most / base
        );
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let done = work();
    (start.elapsed().as_secs_f64(), done)
}

fn reads(folder: &Path, lines: u64) {
    let path = folder.join("long");
    let mut journal = open_signed(&path, &header(), Some(key(folder)), |_, _, _| {}).expect("a new record").0;
    for line in 1..lines {
        journal.append(record(line));
    }
    assert_eq!(journal.close().line, lines, "a disk with room");
    let size = fs::metadata(&path).expect("it was written").len();
    let hash = || {
        let (mut file, mut hash, mut chunk) =
            (File::open(&path).expect("it is there"), Sha256::new(), vec![0; 1 << 16]);
        while let Ok(read @ 1..) = file.read(&mut chunk) {
            hash.update(&chunk[..read]);
        }
        hash.finalize()
    };
    hash();
    let (base, _) = timed(hash);
    println!("{lines} lines, {} MB; SHA-256 over the file: {base:.3} s", size / 1_000_000);
    let told = |name: &str, seconds: f64| {
        println!(
            "  {name:30} {seconds:8.3} s, {:.2} times it, {:.0} ns a line",
            seconds / base,
            seconds * 1e9 / lines as f64
        );
    };
    let file = || BufReader::with_capacity(1 << 16, File::open(&path).expect("it is there"));
    told("the chain", timed(|| verify(file(), |_, _| ControlFlow::Continue(())).expect("it reads")).0);
    let checkpoints = [checkpoints_of(&path)];
    let audited = |trust: &Trust| {
        let (seconds, report) = timed(|| audit(&path, &checkpoints, trust).expect("it reads"));
        assert!(report.faults.is_empty(), "{:?}", report.faults);
        (seconds, report.checkpoints)
    };
    told("verify, no key", audited(&Trust::default()).0);
    let trust = Trust { stations: vec![key(folder).public().clone()], ..Trust::default() };
    let (seconds, count) = audited(&trust);
    told(&format!("verify --key, {count} checkpoints"), seconds);
    let stated = Checkpoints::new(BufReader::new(File::open(&checkpoints[0]).expect("it is there")));
    let stated = { stated }.last(|_| true).expect("it reads").expect("it was signed");
    let proven =
        |blocks: &Blocks| Proof::make(&mut file(), blocks, lines / 2, &stated).expect("it reads").expect("signed");
    told("prove", timed(|| proven(&Blocks::of(&path))).0);
    told("prove, without the blocks", timed(|| proven(&Blocks::default())).0);
    told("opened, no key", timed(|| open(&path, &header(), |_, _, _| {}).expect("it is whole").0.close()).0);
    let with_key = || open_signed(&path, &header(), Some(key(folder)), |_, _, _| {}).expect("it is whole").0.close();
    told("opened, with the key", timed(with_key).0);
    keep_all_but(8192, folder, &path, lines);
    let by_what_was_kept = || {
        let with = With { key: Some(key(folder)), program: Some(PROGRAM.to_owned()), ..With::default() };
        let (journal, held) = open_with(&path, &header(), with, &mut Goes).expect("it is whole");
        drop(journal.close());
        assert!(held.kept.is_some(), "it went by what was kept");
    };
    told("opened, by what was kept", timed(by_what_was_kept).0);
}

/// Goes on from anything.
struct Goes;

impl Reader for Goes {
    fn restore(&mut self, _: &str) -> bool {
        true
    }

    fn take(&mut self, _: u64, _: u64, _: &Event) {}
}

const PROGRAM: &str = "this one";

/// Keeps what a record has told but for its last lines, and has the record tell of it.
fn keep_all_but(last: u64, folder: &Path, path: &Path, lines: u64) {
    let until = lines.saturating_sub(last).max(1);
    let mark = read_on(path, &header(), &Sealing::default(), &Mark::default(), until, &mut Goes).expect("it reads");
    let hash = keep(path, PROGRAM, mark, "{}".to_owned()).expect("a disk with room");
    let detail = Some(Name::new(format!("{hash} of lines 1 to {until}")));
    let event = Event::Device { device: Name::new(STATION), status: Name::new(STATE_KEPT), detail, complete: false };
    let mut journal = open_signed(path, &header(), Some(key(folder)), |_, _, _| {}).expect("it is whole").0;
    journal.append(Record { event, ..record(lines + 1) });
    drop(journal.close());
}

fn main() {
    let folder = tempfile::tempdir().expect("a disk");
    appends(folder.path(), number("EVENTS", 400));
    reads(folder.path(), number("LINES", 200_000));
}
