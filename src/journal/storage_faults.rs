//! A record on a disk that fails, over seeds: writes and syncs that fail, a power cut or an end at any write and any
//! sync, of a start too, with what was not synced torn, out of order or missing. Whatever comes, the next start goes
//! on, every line that was told durable is there, and no line is that nobody handed over.
//!
//! `SABOT_SEEDS` says how many are tried, `SABOT_SEED` tries one again. A failure names its seed.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::watch;

use super::alterations::Chance;
use super::audit::{Trust, audit};
use super::checkpoint::checkpoints_of;
use super::note::{PrivateKey, Purpose};
use super::open::opened;
use super::simulated_disk::{Crash, Mounted, SimulatedDisk};
use super::synced::synced;
use super::tests::header;
use super::*;
use sabot_law::table::card::DECK;
use sabot_law::table::event::Face;
use sabot_law::table::{Card, Event, LineNo, Place};

/// How many are tried where nobody says.
const USUALLY: u64 = 300;
/// Writes and syncs after which a crash comes, at the most; some lives of a station end before.
const STEPS: usize = 60;

/// A table whose cards are covered and uncovered; the same from the same line on.
#[derive(Clone, Default)]
struct Dealt {
    covered: Option<(LineNo, Card)>,
    cards: u16,
}

impl Dealt {
    /// The record of a line.
    fn next(&mut self, line: LineNo, chance: &mut Chance) -> Record {
        let any = Card::from_index(u8::try_from(chance.below(DECK)).unwrap()).unwrap();
        let record = |event| Record::of(event, line);
        if self.cards == 0 {
            self.cards = 20;
            return record(Event::Load { cards: 416, cut_card: 52 });
        }
        self.cards -= 1;
        match (chance.below(8), self.covered.take()) {
            (0, _) => record(Event::End {}),
            (1 | 2, Some((of, card))) => {
                let covering = Covering { uncovers: vec![(of, card)], ..Covering::default() };
                Record { covering, ..record(Event::Reveal { at: Place::Bank, card: None }) }
            }
            (1 | 2, None) => {
                self.covered = Some((line, any));
                let covering = Covering { covers: Some(any), ..Covering::default() };
                let event = Event::Draw { card: any, to: Some(Place::Bank), face: Some(Face::Down) };
                Record { covering, ..record(event) }
            }
            (_, covered) => {
                self.covered = covered;
                record(Event::Draw { card: any, to: None, face: None })
            }
        }
    }
}

/// What a start reads.
#[derive(Default)]
struct Read(Vec<(LineNo, Event)>);

impl Reader for Read {
    fn restore(&mut self, _: &str) -> bool {
        false
    }

    fn take(&mut self, line: LineNo, _: u64, event: &Event) {
        self.0.push((line, event.clone()));
    }
}

/// One seed.
struct Trial {
    chance: Chance,
    folders: TempDir,
    disks: usize,
    disk: Mounted,
    /// Events handed over, the first being line 2, and how the table stood before each, and after the last.
    handed: Vec<Event>,
    stood: Vec<Dealt>,
    /// The last line that was told durable; the header is told by a start.
    durable: LineNo,
}

impl Trial {
    fn new(seed: u64) -> Self {
        let folders = TempDir::new().unwrap();
        let folder = folders.path().join("0");
        fs::create_dir(&folder).unwrap();
        let disk = Mounted(SimulatedDisk::new(&folder, seed));
        let (handed, stood) = (Vec::new(), vec![Dealt::default()]);
        Self { chance: Chance(!seed), folders, disks: 1, disk, handed, stood, durable: 0 }
    }

    fn path(&self) -> PathBuf {
        self.folders.path().join((self.disks - 1).to_string()).join("record")
    }

    fn disk(&self) -> &SimulatedDisk {
        &self.disk.0
    }

    /// After a power cut: what it has left, on another disk.
    fn remounts(&mut self) {
        let Some(left) = self.disk().left() else { return };
        let folder = self.folders.path().join(self.disks.to_string());
        fs::create_dir(&folder).unwrap();
        for (name, bytes) in left {
            fs::write(folder.join(name), bytes).unwrap();
        }
        self.disks += 1;
        self.disk = Mounted(SimulatedDisk::new(&folder, self.chance.next()));
    }

    fn with(key: &Path) -> With {
        With { key: Some(PrivateKey::load(key, Purpose::Station).unwrap()), ..With::default() }
    }

    /// A start, and what is written until it stops or crashes.
    fn lives(&mut self, key: &Path, crash: Option<(u64, Crash)>, fails: usize) {
        self.remounts();
        self.disk().starts(crash, fails);
        let mut read = Read::default();
        let (writer, held) = match opened(&self.path(), &header(), Self::with(key), &mut read) {
            Ok(opened) => opened,
            Err(JournalError::Io { .. }) if self.disk().has_failed() => return,
            Err(why) => panic!("a start refuses what no one has changed: {why}"),
        };
        assert_eq!(held.lost, Vec::<LineNo>::new(), "a covered card is lost");
        self.found(held.lines, read.0);
        let bursts: VecDeque<Vec<Record>> = (0..self.chance.below(6)).map(|_| self.burst()).collect();
        let (to, records) = mpsc::channel();
        let (told, durable) = watch::channel(Durable { line: held.lines, bytes: 0, fault: None });
        self.disk().feed(bursts, to);
        drop(writer.retry_after(Duration::ZERO).run(&records, &told, &mut VecDeque::new()));
        self.durable = durable.borrow().line;
        self.forgets(usize::try_from(held.lines).unwrap() - 1 + self.disk().handed());
    }

    fn burst(&mut self) -> Vec<Record> {
        let burst = (0..=self.chance.below(9)).map(|_| {
            let mut stands = self.stood.last().unwrap().clone();
            let record = stands.next(self.handed.len() as LineNo + 2, &mut self.chance);
            self.handed.push(record.event.clone());
            self.stood.push(stands);
            record
        });
        burst.collect()
    }

    /// Nobody knows of what was not handed over, or was not found.
    fn forgets(&mut self, events: usize) {
        self.handed.truncate(events);
        self.stood.truncate(events + 1);
    }

    /// A start has found these lines.
    fn found(&mut self, lines: LineNo, read: Vec<(LineNo, Event)>) {
        assert!(lines >= self.durable, "{} lines were told durable, and {lines} are there", self.durable);
        let expected = (2..).zip(self.handed.iter().cloned()).take(read.len());
        assert_eq!(read, expected.collect::<Vec<_>>(), "other lines than were handed over");
        assert_eq!(read.len() as LineNo + 1, lines);
        self.forgets(read.len());
    }

    /// Somebody changes a byte of what was known to be on disk: no start takes that for a power cut.
    fn is_changed_and_refused(&mut self, key: &Path) {
        self.remounts();
        let (path, known) = (self.path(), synced(&self.path()).unwrap());
        let Some(known) = known.filter(|known| known.bytes > 0) else { return };
        let was = fs::read(&path).unwrap();
        let mut changed = was.clone();
        changed[self.chance.below(usize::try_from(known.bytes).unwrap())] ^= 1;
        fs::write(&path, &changed).unwrap();
        self.disk().starts(None, 0);
        let refused = opened(&path, &header(), Self::with(key), &mut Read::default());
        assert!(refused.is_err(), "a line was changed that was on disk, and the start goes on");
        assert_eq!(fs::read(&path).unwrap(), changed, "it is left as it is");
        fs::write(&path, was).unwrap();
    }
}

fn try_seed(seed: u64, key: &Path) {
    let mut trial = Trial::new(seed);
    for _ in 0..=trial.chance.below(4) {
        let crash = [Crash::Power, Crash::Power, Crash::Killed][trial.chance.below(3)];
        let steps = trial.chance.below(STEPS) as u64 + 1;
        let fails = [0, 0, 5, 20][trial.chance.below(4)];
        trial.lives(key, Some((steps, crash)), fails);
        if crash == Crash::Power && trial.chance.below(8) == 0 {
            trial.is_changed_and_refused(key);
        }
    }
    ends(&mut trial, key);
}

/// A start and a stop without a fault: the record is whole, and signed to its end.
fn ends(trial: &mut Trial, key: &Path) {
    trial.lives(key, None, 0);
    let station = PrivateKey::load(key, Purpose::Station).unwrap().public().clone();
    let trust = Trust { stations: vec![station], closed: true, ..Trust::default() };
    let report = audit(&trial.path(), &[checkpoints_of(&trial.path())], &trust).unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
}

fn key(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("key");
    PrivateKey::create(&path, "casino.example/BJ-07", Purpose::Station).unwrap();
    path
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// Tries it, and where it fails says how to try it again.
fn tries(seed: u64, key: &Path) {
    if let Err(why) = panic::catch_unwind(|| try_seed(seed, key)) {
        eprintln!("again: SABOT_SEED={seed} cargo test -p sabot-journal storage_faults");
        panic::resume_unwind(why);
    }
}

#[test]
fn whatever_the_disk_does_no_durable_line_is_lost_and_none_is_invented() {
    let folder = TempDir::new().unwrap();
    let key = key(&folder);
    match number("SABOT_SEED") {
        Some(seed) => tries(seed, &key),
        None => (1..=number("SABOT_SEEDS").unwrap_or(USUALLY)).for_each(|seed| tries(seed, &key)),
    }
}

/// The same table, crashed at each of its writes and syncs in turn, in each way.
#[test]
fn a_crash_at_every_write_and_every_sync_loses_nothing() {
    let folder = TempDir::new().unwrap();
    let key = key(&folder);
    for crash in [Crash::Power, Crash::Killed] {
        let mut reached_the_end = false;
        for at in 1.. {
            for seed in 1..=8 {
                let mut trial = Trial::new(seed);
                trial.lives(&key, None, 0);
                let before = trial.disk().steps();
                trial.lives(&key, Some((at, crash)), 0);
                reached_the_end = trial.disk().steps() - before < at;
                // and the start after it too
                trial.lives(&key, Some((at % 7 + 1, crash)), 0);
                ends(&mut trial, &key);
            }
            if reached_the_end {
                assert!(at > 20, "{crash:?}: it ended after {at} steps");
                break;
            }
        }
    }
}

/// A record whose closed days stand on a disk of their own.
struct Closing {
    folder: PathBuf,
    disks: [Mounted; 2],
}

impl Closing {
    fn on(folder: PathBuf, seed: u64, main: BTreeMap<String, Vec<u8>>, days: BTreeMap<String, Vec<u8>>) -> Self {
        let closed = folder.join("record.days");
        fs::create_dir_all(&closed).unwrap();
        for (at, files) in [(&folder, main), (&closed, days)] {
            files.into_iter().for_each(|(name, bytes)| fs::write(at.join(name), bytes).unwrap());
        }
        let disks = [&folder, &closed].map(|at| Mounted(SimulatedDisk::new(at, seed)));
        Self { folder, disks }
    }

    fn record(&self) -> PathBuf {
        self.folder.join("record")
    }

    /// Closes the day; the power goes at a step of one of the two disks. What is left of both; none where it did not
    /// come to that step.
    fn closes(&self, which: usize, step: u64) -> Option<[BTreeMap<String, Vec<u8>>; 2]> {
        self.disks[1 - which].0.starts(None, 0);
        self.disks[which].0.starts(Some((step, Crash::Power)), 0);
        let is_over = self.puts_away().is_ok();
        self.disks.iter().for_each(|disk| disk.0.goes_off());
        (!is_over).then(|| [0, 1].map(|at| self.disks[at].0.left().unwrap()))
    }

    /// Closes the day, and packs it.
    fn puts_away(&self) -> io::Result<()> {
        let whole = verify(packed::read(&self.record())?, |_, _| ControlFlow::Continue(()))?;
        let after = After { lines: whole.lines, chain: whole.chain, last: BTreeMap::new() };
        days::close(&self.record(), &header(), &after, 1)?;
        days::closed(&self.record())?.iter().try_for_each(|day| days::pack(day).map(drop))
    }

    /// The lines of the closed day, or of the record while there is none, and whether it goes on after one.
    fn lines(&self, key: &Path) -> (LineNo, bool) {
        self.disks.iter().for_each(|disk| disk.0.starts(None, 0));
        let (writer, held) =
            opened(&self.record(), &header(), Trial::with(key), &mut Read::default()).expect("a start goes on");
        drop(writer);
        let Some(day) = days::closed(&self.record()).unwrap().pop() else { return (held.lines, false) };
        match days::beginning(&self.record()).unwrap().1 {
            None => (held.lines, false),
            Some(after) => {
                let whole = verify(packed::read(&day).unwrap(), |_, _| ControlFlow::Continue(())).unwrap();
                assert_eq!((whole.lines, whole.chain, whole.torn, whole.fault), (after.lines, after.chain, 0, None));
                (whole.lines, true)
            }
        }
    }
}

#[test]
fn a_power_cut_at_any_step_of_closing_a_day_loses_nothing_and_the_next_close_ends_it() {
    let folder = TempDir::new().unwrap();
    let key = key(&folder);
    let station = PrivateKey::load(&key, Purpose::Station).unwrap().public().clone();
    let files = || {
        let mut trial = Trial::new(7);
        for _ in 0..3 {
            trial.lives(&key, None, 0);
        }
        let names = fs::read_dir(trial.path().parent().unwrap()).unwrap().map(|entry| entry.unwrap());
        names.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
    };
    let (before, mut tried): (BTreeMap<String, Vec<u8>>, u32) = (files(), 0);
    let lines = before["record"].iter().filter(|byte| **byte == b'\n').count() as LineNo;
    for (which, seed) in [0, 1].into_iter().flat_map(|which| (1..=20).map(move |seed| (which, seed))) {
        for step in 1.. {
            tried += 1;
            let at = |name: &str| folder.path().join(format!("{tried}{name}"));
            let closing = Closing::on(at("a"), seed, before.clone(), BTreeMap::new());
            let Some([main, days]) = closing.closes(which, step) else { break };
            let again = Closing::on(at("b"), seed, main, days);
            let (found, is_closed) = again.lines(&key);
            assert_eq!(found, lines, "disk {which}, step {step}, seed {seed}");
            if !is_closed {
                again.puts_away().unwrap();
                assert_eq!(again.lines(&key), (lines, true));
            }
            let day = days::closed(&again.record()).unwrap().pop().unwrap();
            days::pack(&day).unwrap();
            assert!(packed::is_packed(&day).unwrap());
            let trust = Trust { stations: vec![station.clone()], closed: true, ..Trust::default() };
            let report = audit(&day, &[checkpoints_of(&day)], &trust).unwrap();
            assert!(report.faults.is_empty(), "disk {which}, step {step}, seed {seed}: {:?}", report.faults);
        }
    }
    assert!(tried > 200, "{tried}");
}
