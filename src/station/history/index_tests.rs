//! What an index tells is what reading the whole record tells, however the record has grown and whatever became of the
//! index.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use sabot_law::replay::Replay;
use sabot_law::table::LineNo;
use sabot_law::table::answer::Lang;
use sabot_simulation::workload::{HOUSES, House};

use super::findings::{Item, Wanted, found, kept, waypoint};
use super::index::{Before, Index, NoIndex, index_of};
use super::moment::moments;
use super::pass::{lines_of, passed};
use super::shift::Shift;
use super::waypoints::Waypoint;
use super::{Record, Told, happened, read_from};
use crate::dealt::dealt;
use crate::recall::tests::{of, written};
use crate::silent::Silent;
use crate::staff::Office;

const PASSES: usize = 90;

fn record_of(house: &'static House, seed: u64, folder: &Path) -> Record {
    let (header, events) = dealt(house, seed, PASSES, None);
    let config = of(&header, folder);
    drop(written(&config, &events).close());
    Record::whole(&config.journal)
}

/// The same without an index, in which nothing that it has is hidden.
fn read_whole(record: &Record) -> Record {
    record.clone().without(Silent::under(vec!["no article".into()], Vec::new(), "C20"))
}

#[test]
fn a_record_in_which_nothing_is_hidden_has_an_index_whoever_might_be_told() {
    let folder = tempfile::tempdir().unwrap();
    let record = record_of(HOUSES[0], 3, folder.path());
    assert!(kept(&read_whole(&record)).unwrap().is_none());
    let nothing = Silent::under(Vec::new(), vec![Office::Surveillance], "C20");
    assert!(kept(&record.without(nothing)).unwrap().is_some());
}

#[test]
fn who_edits_an_index_hides_nothing_and_it_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let record = record_of(HOUSES[0], 3, folder.path());
    let (good, index) = (all(&record), index_of(&record.file));
    assert!(good.contains("article"), "there is something to hide: {good}");
    let was = fs::read(&index).unwrap();
    let (database, seal) = was.split_at(was.len() - 32);
    let edited = |how: &str| {
        let path = folder.path().join("edited");
        fs::write(&path, database).unwrap();
        let opened = rusqlite::Connection::open(&path).unwrap();
        assert!(opened.execute(how, []).unwrap() > 0, "{how}");
        drop(opened);
        fs::read(&path).unwrap()
    };
    for how in [
        "DELETE FROM entry WHERE id = (SELECT min(id) FROM entry WHERE finding IS NOT NULL)",
        "UPDATE entry SET state = 'withdrawn', es = 'nada', en = 'nothing'",
        "UPDATE entry SET at = at + 86400000",
        "DELETE FROM names",
        "UPDATE waypoint SET from_at = from_at + 1",
    ] {
        let database = edited(how);
        for forged in [[&database[..], seal].concat(), database.clone(), [&database[..], &[0; 32]].concat()] {
            fs::write(&index, forged).unwrap();
            assert!(matches!(Index::open(&record.file), Err(NoIndex::NotOurs)), "{how}");
            assert_eq!(all(&record), good, "{how}");
            assert!(Index::open(&record.file).unwrap().is_some(), "{how}: it was made anew");
        }
    }
    // who holds the user's own key is told by a look at the record itself
    assert_eq!(all(&record.clone().judged_anew(true)), good);
}

fn line(told: &Told) -> (LineNo, u64, u64, String) {
    let answers = serde_json::to_string(&told.answers).unwrap();
    (told.line, told.pass, told.at, format!("{} {answers}", happened(told, Lang::En)))
}

fn lines(record: &Record, from: Option<&Waypoint>) -> Vec<(LineNo, u64, u64, String)> {
    let mut lines = Vec::new();
    read_from(record, Replay::new(Lang::En, None), from, None, |told, _| {
        lines.push(line(&told));
        Ok(ControlFlow::Continue(()))
    })
    .unwrap();
    lines
}

fn told(items: &[Item]) -> String {
    serde_json::to_string(items).unwrap()
}

fn all(record: &Record) -> String {
    told(&found(record, &Wanted::default(), Lang::Es).unwrap())
}

fn shift(record: &Record, time: (u64, u64)) -> String {
    let mut shift = Shift::default();
    shift.add(record, time).unwrap();
    format!("{:?}", shift.report(Lang::En))
}

#[test]
fn from_each_waypoint_a_record_is_read_as_from_its_beginning() {
    let mut waypoints = 0;
    for house in HOUSES {
        let folder = tempfile::tempdir().unwrap();
        let record = record_of(house, 4, folder.path());
        let whole = lines(&record, None);
        assert_eq!(all(&record), all(&read_whole(&record)), "{}", house.id);
        let mut pass = PASSES as u64;
        while let Some(from) = waypoint(&record, Before::Pass(pass)) {
            let first = whole.iter().position(|(line, ..)| *line > from.from.line).unwrap();
            let again = lines(&record, Some(&from));
            let same = again.iter().position(|(line, ..)| *line > from.from.line).unwrap();
            assert_eq!(again[same..], whole[first..], "{}, pass {pass}", house.id);
            (pass, waypoints) = (from.from.pass, waypoints + 1);
        }
    }
    assert!(waypoints >= 2 * HOUSES.len(), "{waypoints}");
}

#[test]
fn a_pass_a_moment_and_a_shift_are_told_from_a_waypoint_as_they_are_from_the_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let record = record_of(HOUSES[0], 2, folder.path());
    let slow = read_whole(&record);
    let whole = lines(&record, None);
    let last = whole.last().unwrap().1;
    for pass in [1, 40, 41, last - 2, last - 1] {
        let (mut fast, mut again) = (Vec::new(), Vec::new());
        lines_of(&record, pass, Lang::En, |told| {
            fast.push(line(told));
            Ok(())
        })
        .unwrap();
        lines_of(&slow, pass, Lang::En, |told| {
            again.push(line(told));
            Ok(())
        })
        .unwrap();
        assert!(!fast.is_empty() && fast == again, "pass {pass}");
        let told = |record: &Record| format!("{:?}", passed(record, pass, Lang::En).unwrap().unwrap());
        assert_eq!(told(&record), told(&slow), "pass {pass}");
        let (middle, _, at, _) = whole.iter().filter(|line| line.1 == pass).nth(5).unwrap();
        let about = |record: &Record| format!("{:?}", moments(record, *middle, Lang::En).unwrap());
        assert_eq!(about(&record), about(&slow), "line {middle}");
        assert_eq!(shift(&record, (*at, u64::MAX)), shift(&slow, (*at, u64::MAX)), "from line {middle}");
    }
    assert!(waypoint(&record, Before::Pass(last)).is_some(), "they were not all read from the beginning");
}

#[test]
fn an_index_grows_with_its_record_and_is_made_anew_where_it_is_missing_damaged_or_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let record = record_of(HOUSES[0], 3, folder.path());
    let text = fs::read(&record.file).unwrap();
    let ends: Vec<usize> = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    for part in [ends[40], ends[ends.len() / 2], ends[ends.len() / 2] + 7, ends[ends.len() - 30], text.len()] {
        fs::write(&record.file, &text[..part]).unwrap();
        let whole = ends.iter().rev().find(|end| **end <= part).unwrap();
        let slow = read_whole(&Record::as_far(&record.file, *whole as u64));
        assert_eq!(all(&record), all(&slow), "{part} bytes");
        assert!(kept(&record).unwrap().is_some());
    }
    let (good, index) = (all(&record), index_of(&record.file));
    let was = fs::read(&index).unwrap();
    let damaged = |at: usize| {
        let mut bytes = was.clone();
        bytes[at..].iter_mut().take(4000).for_each(|byte| *byte = 0xA5);
        bytes
    };
    for (what, bytes) in [
        ("empty", Vec::new()),
        ("no index", b"no index at all".to_vec()),
        ("its beginning", damaged(0)),
        ("its middle", damaged(was.len() / 2)),
        ("its end", damaged(was.len() - 4000)),
        ("cut", was[..was.len() / 3].to_vec()),
    ] {
        fs::write(&index, bytes).unwrap();
        assert_eq!(all(&record), good, "{what}");
        assert_eq!(lines(&record, waypoint(&record, Before::Pass(80)).as_ref()).last(), lines(&record, None).last());
    }
    fs::remove_file(&index).unwrap();
    assert_eq!(all(&record), good);
    assert!(index.exists());

    // one of before, put back
    let part = ends[ends.len() / 2];
    fs::write(&record.file, &text[..part]).unwrap();
    fs::remove_file(&index).unwrap();
    all(&record);
    let older = fs::read(&index).unwrap();
    fs::write(&record.file, &text).unwrap();
    assert_eq!(all(&record), good);
    fs::write(&index, older).unwrap();
    assert_eq!(all(&record), good, "an index that was good once is gone on from");

    // another record took its place
    let other = tempfile::tempdir().unwrap();
    let another = record_of(HOUSES[0], 9, other.path());
    fs::copy(&another.file, &record.file).unwrap();
    assert_eq!(all(&record), all(&another));
    assert_ne!(all(&record), good);
}
