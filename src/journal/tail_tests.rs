//! Following a record.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use tempfile::TempDir;
use tokio::sync::watch;

use super::super::clock::{Anchor, CLOCK, STATION, at};
use super::super::tests::header;
use super::super::{Durable, Journal, Record, open};
use super::{MOST_BACK, NotThere, PIECE, Reached, Tail, Told};
use sabot_law::table::{Event, LineNo, Name};

/// An event of a device, so long.
fn of_device(detail: usize) -> Record {
    let detail = Some(Name::from("x".repeat(detail)));
    let (device, status) = (Name::new_static("shoe"), Name::new_static("jam"));
    Record::of(Event::Device { device, status, detail, complete: false }, 7)
}

struct Bench {
    folder: TempDir,
    journal: Journal,
    tail: Tail,
}

impl Bench {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record");
        let (journal, _) = open(&path, &header(), |_, _, _| {}).unwrap();
        let tail = Tail::new(path, journal.durable());
        Self { folder, journal, tail }
    }

    async fn writes(&mut self, details: impl IntoIterator<Item = usize>) {
        for detail in details {
            self.journal.append(of_device(detail));
        }
        let lines = self.journal.lines();
        self.journal.durable().wait_for(|durable| durable.line == lines).await.unwrap();
    }

    fn after(&self, mark: &str) -> Result<Reached, NotThere> {
        self.tail.after(&mark.parse()?)
    }

    /// All that follows.
    fn rest(&self, mut reached: Reached) -> Vec<Told> {
        let mut all = Vec::new();
        loop {
            let next = self.tail.next(&mut reached).unwrap();
            if next.is_empty() {
                return all;
            }
            all.extend(next);
        }
    }

    fn text(&self) -> String {
        fs::read_to_string(self.folder.path().join("record")).unwrap()
    }
}

fn texts(told: &[Told]) -> Vec<&str> {
    told.iter().map(|told| std::str::from_utf8(&told.text).unwrap()).collect()
}

#[tokio::test]
async fn what_follows_any_line_is_what_stands_in_the_file_and_each_line_is_found_by_its_mark() {
    let mut bench = Bench::start();
    let piece = usize::try_from(PIECE).unwrap();
    bench.writes((0..300).map(|n| n * 7 % 400).chain([piece - 200, piece, 3 * piece, 5])).await;
    let text = bench.text();
    let all: Vec<&str> = text.lines().collect();
    let told = bench.rest(bench.after("0").unwrap());
    assert_eq!(texts(&told), all);
    for (number, told) in (1..).zip(&told) {
        assert_eq!(told.mark.line, number);
        let number = usize::try_from(number).unwrap();
        for mark in [told.mark.to_string(), number.to_string()] {
            let rest = bench.rest(bench.after(&mark).unwrap());
            assert_eq!(texts(&rest), all[number..], "after {mark}");
        }
    }
    assert_eq!(bench.tail.end().unwrap().line, all.len() as LineNo);
}

#[tokio::test]
async fn who_has_read_all_waits_for_the_next_line_and_learns_of_the_end() {
    let mut bench = Bench::start();
    let mut reached = bench.tail.end().unwrap();
    assert_eq!((reached.line, bench.tail.next(&mut reached).unwrap()), (1, Vec::new()));
    let mut tail = bench.tail.clone();
    let waits = tokio::spawn(async move { tail.grown(reached).await });
    bench.writes([3]).await;
    assert!(waits.await.unwrap());
    let told = bench.tail.next(&mut reached).unwrap();
    assert_eq!((told.len(), told[0].mark.line), (1, 2));
    let Bench { journal, mut tail, .. } = bench;
    drop(journal);
    assert!(!tail.grown(reached).await, "nobody writes any more");
}

#[tokio::test]
async fn what_is_not_on_disk_is_not_read() {
    let mut bench = Bench::start();
    bench.writes([1, 2, 3]).await;
    let safe = bench.journal.durable().borrow().clone();
    let text = bench.text();
    let ends: Vec<u64> = text.match_indices('\n').map(|(at, _)| at as u64 + 1).collect();
    let (_told, durable) = watch::channel(Durable { line: 3, bytes: ends[2], ..safe });
    let tail = Tail::new(bench.folder.path().join("record"), durable);
    let mut reached = tail.after(&"2".parse().unwrap()).unwrap();
    assert_eq!(tail.next(&mut reached).unwrap().len(), 1);
    assert_eq!(tail.next(&mut reached).unwrap(), Vec::new());
    assert!(matches!(tail.after(&"4".parse().unwrap()), Err(NotThere::Ahead { line: 4, last: 3 })));
}

#[tokio::test]
async fn a_line_that_is_not_there_is_told_with_what_is() {
    let mut bench = Bench::start();
    bench.writes([1, 2]).await;
    for wrong in ["", "x", "-1", "+1", "1-", "1-abc", "1-123456789", "1-xxxxxxxx", "18446744073709551616", "1 "] {
        assert!(matches!(bench.after(wrong), Err(NotThere::NoMark)), "{wrong}");
    }
    let ahead = bench.after("9").unwrap_err().to_string();
    assert!(ahead.contains("no line 9") && ahead.contains("line on disk is 3"), "{ahead}");
    let mark = bench.rest(bench.after("1").unwrap())[0].mark.to_string();
    assert_eq!(bench.after(&mark.to_uppercase()).unwrap().line, 2);
    let other = if mark.ends_with('0') { "2-11111111" } else { "2-00000000" };
    assert!(matches!(bench.after(other), Err(NotThere::Other { line: 2 })));
    let far = Durable { line: MOST_BACK + 3, bytes: 0, fault: None };
    let (_told, durable) = watch::channel(far);
    let behind = Tail::new(bench.folder.path().join("record"), durable).after(&"2".parse().unwrap());
    assert!(matches!(behind, Err(NotThere::Behind { line: 2, first: 3 })), "{behind:?}");
}

/// Another file of the same length in its place.
fn changed(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from) && from.len() == to.len());
    fs::write(path, text.replace(from, to)).unwrap();
}

#[tokio::test]
async fn a_file_that_is_not_what_was_written_gives_nothing() {
    let mut bench = Bench::start();
    bench.writes([1, 2, 3, 4]).await;
    let path = bench.folder.path().join("record");
    changed(&path, "\"detail\":\"xxx\"", "\"detail\":\"yyy\"");
    let mut reached = bench.after("0").unwrap();
    assert!(bench.tail.next(&mut reached).is_err());
    OpenOptions::new().write(true).truncate(true).open(&path).unwrap().write_all(b"\n\n").unwrap();
    assert!(matches!(bench.after("1"), Err(NotThere::File(_))));
    fs::remove_file(&path).unwrap();
    assert!(matches!(bench.after("1"), Err(NotThere::File(_))));
}

#[tokio::test]
async fn the_clock_on_the_wall_is_known_by_the_last_line_that_told_it_however_far_back_that_is() {
    let mut bench = Bench::start();
    let says = |bench: &mut Bench, t: u64, unix_ms: u64| {
        let (device, status) = (Name::new_static(STATION), Name::new_static(CLOCK));
        let event = Event::Device { device, status, detail: Some(Name::from(at(unix_ms))), complete: false };
        bench.journal.append(Record::of(event, t));
    };
    bench.writes([1]).await;
    assert_eq!(bench.tail.anchor(bench.tail.end().unwrap()).unwrap(), None);
    says(&mut bench, 7, 60_000);
    bench.writes([PIECE as usize / 3; 20]).await;
    let long_before = bench.tail.end().unwrap();
    assert_eq!(bench.tail.anchor(long_before).unwrap(), Some(Anchor { t: 7, unix_ms: 60_000 }));
    says(&mut bench, 8, 120_000);
    bench.writes([1]).await;
    assert_eq!(bench.tail.anchor(bench.tail.end().unwrap()).unwrap(), Some(Anchor { t: 8, unix_ms: 120_000 }));
    assert_eq!(bench.tail.anchor(long_before).unwrap(), Some(Anchor { t: 7, unix_ms: 60_000 }), "as it was there");
    assert_eq!(bench.tail.anchor(Reached::default()).unwrap(), None, "nothing is before the first line");
}
