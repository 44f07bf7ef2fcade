//! A start that goes by what was kept: when it does, and that the record goes on as if all of it had been read.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sabot_stall_guard::PATIENCE;
use tempfile::TempDir;

use super::audit::{Trust, audit};
use super::blocks::Blocks;
use super::checkpoint::{Checkpoints, Next, checkpoints_of};
use super::clock::{STATE_KEPT, STATION};
use super::note::{PrivateKey, Purpose};
use super::proof::Proof;
use super::tests::{draw, header, lines_of};
use super::*;
use sabot_law::table::{Event, LineNo, Name};

const PROGRAM: &str = "this program";

/// Goes on from anything, and notes what it takes.
#[derive(Default)]
struct Notes {
    state: Option<String>,
    taken: Vec<LineNo>,
}

impl Reader for Notes {
    fn restore(&mut self, state: &str) -> bool {
        self.state = Some(state.to_owned());
        true
    }

    fn take(&mut self, line: LineNo, _: u64, _: &Event) {
        self.taken.push(line);
    }
}

/// A signed record of which something was kept.
struct Kept {
    folder: TempDir,
    hash: String,
}

impl Kept {
    /// 1,000 lines; the first 700 are kept.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        PrivateKey::create(&folder.path().join("key"), "casino.example/BJ-07", Purpose::Station).unwrap();
        let mut kept = Self { folder, hash: String::new() };
        kept.writes((1..1000).map(draw));
        let (path, none) = (kept.path(), Mark::default());
        let mark = read_on(&path, &header(), &Sealing::default(), &none, 700, &mut Notes::default()).unwrap();
        assert_eq!(mark.lines, 700);
        kept.hash = keep(&path, PROGRAM, mark, "what it knew".to_owned()).unwrap();
        kept
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("record")
    }

    fn key(&self) -> PrivateKey {
        PrivateKey::load(&self.folder.path().join("key"), Purpose::Station).unwrap()
    }

    fn writes(&self, records: impl IntoIterator<Item = Record>) {
        let mut journal = open_signed(&self.path(), &header(), Some(self.key()), |_, _, _| {}).unwrap().0;
        for record in records {
            journal.append(record);
        }
        assert_eq!(journal.close().fault, None);
    }

    /// The line that tells what was kept.
    fn told(&self) -> Record {
        let detail = Some(Name::new(format!("{} of lines 1 to 700", self.hash)));
        let event =
            Event::Device { device: Name::new(STATION), status: Name::new(STATE_KEPT), detail, complete: false };
        Record::of(event, 9_995)
    }

    fn starts(&self) -> (Journal, Notes) {
        let mut notes = Notes::default();
        let with = With { key: Some(self.key()), program: Some(PROGRAM.to_owned()), ..With::default() };
        let (journal, held) = open_with(&self.path(), &header(), with, &mut notes).unwrap();
        assert_eq!(held.kept.is_some(), notes.state.is_some());
        (journal, notes)
    }

    /// How many lines a start read.
    fn reads(&self) -> usize {
        let (journal, notes) = self.starts();
        assert_eq!(journal.close().fault, None);
        notes.taken.len()
    }
}

#[test]
fn a_record_goes_on_signed_and_proven_after_a_start_that_read_its_end_alone() {
    let kept = Kept::new();
    kept.writes([kept.told()]);
    let (mut journal, notes) = kept.starts();
    assert_eq!(notes.state.as_deref(), Some("what it knew"));
    assert_eq!(notes.taken, (701..=1001).collect::<Vec<_>>());
    for seq in 1000..1500 {
        assert_eq!(journal.append(draw(seq)), u64::from(seq) + 2);
    }
    assert_eq!(journal.close().fault, None);
    let trust = Trust { stations: vec![kept.key().public().clone()], closed: true, ..Trust::default() };
    let report = audit(&kept.path(), &[checkpoints_of(&kept.path())], &trust).unwrap();
    assert!(report.faults.is_empty() && report.signed == 1501, "{:?}", report.faults);
    let file = || std::io::BufReader::new(fs::File::open(kept.path()).unwrap());
    let stated = Checkpoints::new(std::io::BufReader::new(fs::File::open(checkpoints_of(&kept.path())).unwrap()));
    let stated = { stated }.last(|_| true).unwrap().unwrap();
    let lines = lines_of(&kept.path());
    for line in [1, 257, 700, 701, 768, 769, 1500] {
        let proof = Proof::make(&mut file(), &Blocks::of(&kept.path()), line, &stated).unwrap().unwrap();
        let text = lines[usize::try_from(line).unwrap() - 1].trim_ascii_end();
        proof.check(text, &[kept.key().public().clone()]).unwrap();
    }
}

#[test]
fn what_is_kept_is_gone_by_where_the_signed_record_tells_of_it_alone() {
    let kept = Kept::new();
    assert_eq!(kept.reads(), 999, "no line tells of it");
    kept.writes([kept.told()]);
    assert_eq!(kept.reads(), 301);

    let state = fs::read_to_string(state_of(&kept.path())).unwrap();
    for other in
        [state.replace("what it knew", "what it know"), state.replace(PROGRAM, "that program"), "{}".to_owned()]
    {
        fs::write(state_of(&kept.path()), other).unwrap();
        assert_eq!(kept.reads(), 1000);
    }
    fs::write(state_of(&kept.path()), &state).unwrap();
    assert_eq!(kept.reads(), 301);

    // the checkpoints that cover the line are gone, and the station was told so by nobody
    let path = checkpoints_of(&kept.path());
    let checkpoints = fs::read_to_string(&path).unwrap();
    let first =
        checkpoints.find("\n\n").and_then(|at| checkpoints[at + 2..].find("\n\n").map(|more| at + 2 + more + 2));
    fs::write(&path, &checkpoints[..first.unwrap()]).unwrap();
    assert_eq!(kept.reads(), 1000, "whoever adds a line can add it");
    assert_eq!(kept.reads(), 301, "that start has signed it");
}

#[test]
fn a_line_that_a_start_did_not_read_and_that_is_another_stops_the_table() {
    let kept = Kept::new();
    kept.writes([kept.told()]);
    let text = fs::read_to_string(kept.path()).unwrap();
    let at = text.find(r#""card":"TD""#).unwrap();
    fs::write(kept.path(), format!("{}{}{}", &text[..at + 8], "9D", &text[at + 10..])).unwrap();
    let (journal, notes) = kept.starts();
    assert_eq!(notes.taken.len(), 301);
    let (durable, began) = (journal.durable(), Instant::now());
    while durable.borrow().fault.is_none() {
        assert!(began.elapsed() < PATIENCE, "it is not found");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let fault = durable.borrow().fault.clone();
    assert!(matches!(fault, Some(RecordFault::Changed { line: 3..=6 })), "{fault:?}");
    drop(journal.close());

    let changed = text.rfind(r#""card":""#).unwrap() + 8;
    fs::write(kept.path(), format!("{}{}{}", &text[..changed], "2S", &text[changed + 2..])).unwrap();
    let refused = open_signed(&kept.path(), &header(), Some(kept.key()), |_, _, _| {}).unwrap_err();
    assert!(matches!(refused, JournalError::Broken { .. }), "{refused}");
}

#[test]
fn a_checkpoint_is_found_from_anywhere_in_their_file() {
    let kept = Kept::new();
    for seq in 1000..1020 {
        kept.writes([draw(seq)]);
    }
    let text = fs::read(checkpoints_of(&kept.path())).unwrap();
    let mut starts = Vec::new();
    let mut all = Checkpoints::new(&text[..]);
    loop {
        starts.push(all.whole().0);
        if !matches!(all.next().unwrap(), Next::Stated(_)) {
            break;
        }
    }
    assert!(starts.len() > 20);
    for from in 1..text.len() {
        let mut rest = &text[from..];
        let found = from as u64 + Checkpoints::to_the_next(&mut rest).unwrap();
        let mut ahead = starts.iter().filter(|start| **start >= from as u64);
        assert!(ahead.by_ref().take(2).any(|start| *start == found), "from {from}: {found}");
    }
}

#[test]
fn a_file_of_many_checkpoints_is_read_from_its_end() {
    let kept = Kept::new();
    kept.writes([kept.told()]);
    let path = checkpoints_of(&kept.path());
    let one = fs::read_to_string(&path).unwrap();
    // a year of them, of which the last is read
    fs::write(&path, one.repeat((1 << 19) / one.len() + 2)).unwrap();
    assert_eq!(kept.reads(), 301);
    torn(&path);
    assert_eq!(kept.reads(), 301);
    assert!(fs::read_to_string(&path).unwrap().ends_with("\n\n"));
}

/// A write of a checkpoint that was cut short.
fn torn(path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let half = text.len() / text.matches("\n\n").count();
    fs::write(path, format!("{text}{}", &text[..half / 2])).unwrap();
}
