use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use sabot_journal::clock::{DAY_CLOSED, STATION};
use sabot_journal::note::{PrivateKey, Purpose};
use sabot_journal::{Journal, NextDay, Record, Sealing, open_signed};
use sabot_law::table::settings::Changes;
use sabot_law::table::{Event, Header, Limits, Name, Observes};
use tempfile::TempDir;

use super::*;

/// What has not happened after so long will not.
const PATIENCE: Duration = Duration::from_secs(60);
const NEXT_BEGAN: u64 = 4_000_000_000_000;

fn header() -> Header {
    Header {
        v: 1,
        table: Name::new("BJ-07"),
        regulation: Name::new("sala-8"),
        boxes: 7,
        limits: Limits { min: 1000, max: 100_000 },
        observes: Observes::ALL,
        settings: Changes::default(),
        rules: None,
    }
}

/// A table whose record is signed at each pass's end.
struct Table {
    folder: TempDir,
    journal: Journal,
}

impl Table {
    /// Two passes of two lines each are on disk and signed.
    fn begun() -> Self {
        let folder = TempDir::new().unwrap();
        let key = PrivateKey::create(&folder.path().join("key"), "casino.example/BJ-07", Purpose::Station).unwrap();
        let journal = open_signed(&folder.path().join("record"), &header(), Some(key), |_, _, _| {}).unwrap().0;
        let mut table = Self { folder, journal };
        table.passes(2);
        table
    }

    fn record(&self) -> PathBuf {
        self.folder.path().join("record")
    }

    fn passes(&mut self, count: u64) {
        for _ in 0..count {
            self.journal.append(Record::of(Event::CloseBets {}, 1));
            let line = self.journal.append(Record::of(Event::End {}, 1));
            self.waits(|table| table.journal.durable().borrow().line >= line && signed(&table.record()) >= line);
        }
    }

    fn waits(&self, is_so: impl Fn(&Self) -> bool) {
        let began = Instant::now();
        while !is_so(self) {
            assert!(began.elapsed() < PATIENCE, "{:?}", self.journal.durable().borrow());
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The day is closed, and a pass of the next one is on disk and signed.
    fn next_day(&mut self) {
        let status = Name::new(DAY_CLOSED);
        let closing = Event::Device { device: Name::new(STATION), status, detail: None, complete: false };
        self.journal.next_day(NextDay {
            last_line: Record::of(closing, 2),
            record: self.record(),
            header: header(),
            began: NEXT_BEGAN,
            devices: BTreeMap::new(),
            sealing: Sealing::default(),
        });
        self.passes(1);
    }
}

/// Lines of the last checkpoint beside a record.
fn signed(record: &Path) -> LineNo {
    let file = File::open(checkpoints_of(record)).map(BufReader::new);
    let last = file.ok().and_then(|file| Checkpoints::new(file).last(|_| true).ok().flatten());
    last.map_or(0, |last| last.checkpoint.size)
}

/// What is shipped until nothing more is on disk: of which record, the line or `signed` lines.
fn shipped(source: &mut Source, most: usize, to: &mut Vec<(u64, String)>) {
    for _ in 0..most {
        let Some(item) = source.next().unwrap() else { return };
        to.push(match item {
            Item::Line { text, after } => (after.epoch, String::from_utf8(text).unwrap()),
            Item::Checkpoint { epoch, size, .. } => (epoch, format!("signed {size}")),
        });
    }
}

fn lines_of(record: &Path) -> Vec<String> {
    packed::read(record).unwrap().lines().map(Result::unwrap).collect()
}

/// Lines of a record as they were shipped, and checkpoints, each after how many lines.
fn of(shipped: &[(u64, String)], epoch: u64) -> (Vec<String>, Vec<(usize, String)>) {
    let (mut lines, mut checkpoints) = (Vec::new(), Vec::new());
    for (_, item) in shipped.iter().filter(|(of, _)| *of == epoch) {
        if item.starts_with("signed") {
            checkpoints.push((lines.len(), item.clone()));
        } else {
            lines.push(item.clone());
        }
    }
    (lines, checkpoints)
}

#[test]
fn wherever_the_uplink_stands_when_the_day_is_closed_it_ships_each_line_and_checkpoint_once_and_in_order() {
    let before = {
        let (table, mut all) = (Table::begun(), Vec::new());
        shipped(&mut Source::new(table.record()), usize::MAX, &mut all);
        all.len()
    };
    assert!(before >= 7, "five lines and their checkpoints");
    for stands in 0..=before {
        let (mut table, mut told) = (Table::begun(), Vec::new());
        let mut source = Source::new(table.record());
        let first = days::beginning(&table.record()).unwrap().0;
        shipped(&mut source, stands, &mut told);
        table.next_day();
        // it is packed at any time after
        if stands % 2 == 1 {
            for day in days::closed(&table.record()).unwrap() {
                days::pack(&day).unwrap();
            }
        }
        shipped(&mut source, usize::MAX, &mut told);
        let day = days::closed(&table.record()).unwrap().remove(0);
        let ((old, old_signed), (new, new_signed)) = (of(&told, first), of(&told, NEXT_BEGAN));
        assert_eq!(old, lines_of(&day), "{stands}");
        assert_eq!(old.len(), 6, "{stands}");
        assert_eq!(new, lines_of(&table.record()), "{stands}");
        assert!(told.iter().is_sorted_by_key(|(epoch, _)| *epoch), "{stands}: the day before comes first");
        assert_eq!(old_signed.last(), Some(&(6, "signed 6".to_owned())), "{stands}: to its last line");
        assert_eq!(new_signed.last(), Some(&(3, "signed 3".to_owned())), "{stands}");
        for signed in [old_signed, new_signed] {
            assert!(signed.is_sorted_by(|a, b| a.1 < b.1), "{stands}: {signed:?} each once");
            assert!(signed.iter().all(|(after, text)| *text == format!("signed {after}")), "{stands}: {signed:?}");
        }
    }
}

#[test]
fn an_uplink_that_starts_anew_after_days_were_closed_goes_on_after_the_line_it_had_shipped() {
    let (mut table, mut told) = (Table::begun(), Vec::new());
    let mut source = Source::new(table.record());
    let mut at = None;
    while let Some(item) = source.next().unwrap() {
        if let Item::Line { after, .. } = item {
            at = Some(after).filter(|after| after.line <= 3).or(at);
        }
    }
    table.next_day();
    let mut source = Source::new(table.record());
    source.go(at.as_ref()).unwrap();
    shipped(&mut source, usize::MAX, &mut told);
    let day = days::closed(&table.record()).unwrap().remove(0);
    let first = days::beginning(&day).unwrap().0;
    assert_eq!(of(&told, first).0, lines_of(&day)[3..]);
    assert_eq!(of(&told, NEXT_BEGAN).0, lines_of(&table.record()));
    // and is refused where the closed day is not the one that it had shipped
    let other = Position { chain: Chain::default(), ..at.unwrap() };
    assert!(matches!(source.go(Some(&other)), Err(SourceError::Other { line: 3, .. })));
}
