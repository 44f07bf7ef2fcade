use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use super::*;
use crate::checkpoint::{Checkpoints, Next, checkpoints_of};
use crate::signed_tests::Table;

/// A record of 600 lines in passes of 100, and what is kept of its checkpoints half way.
fn dealt() -> (Table, Kept) {
    let table = Table::new();
    table.deal(&[100, 100, 100]);
    let kept = Kept::last_of(&table.record()).unwrap().unwrap();
    table.deal(&[100, 100, 100]);
    (table, kept)
}

fn against(table: &Table, kept: &Kept) -> Word {
    kept.against(&table.record()).unwrap()
}

/// Cuts a record off after so many lines, with its checkpoints.
fn cut_off(table: &Table, lines: usize) {
    let record = fs::read(table.record()).unwrap();
    let kept: Vec<&[u8]> = record.split_inclusive(|byte| *byte == b'\n').take(lines).collect();
    fs::write(table.record(), kept.concat()).unwrap();
    let mut notes = Checkpoints::new(Cursor::new(fs::read(checkpoints_of(&table.record())).unwrap()));
    let mut left = String::new();
    while let Next::Stated(stated) = notes.next().unwrap() {
        if stated.checkpoint.size <= lines as u64 {
            left.push_str(&format!("{}\n", stated.note));
        }
    }
    fs::write(checkpoints_of(&table.record()), left).unwrap();
    fs::remove_file(table.path("t.jsonl.synced")).unwrap();
}

#[test]
fn a_record_that_goes_on_bears_out_what_was_kept_of_it() {
    let (table, kept) = dealt();
    assert_eq!(kept.lines, 301);
    let now = Kept::last_of(&table.record()).unwrap().unwrap();
    assert_eq!((against(&table, &kept), against(&table, &now)), (Word::BorneOut, Word::BorneOut));
    let invented = Kept { root: [7; 32], ..kept };
    assert_eq!(against(&table, &invented), Word::Rewritten { kept: 301 });
}

#[test]
fn a_record_that_ends_before_what_was_kept_is_told_though_its_checkpoints_end_with_it() {
    let (table, kept) = dealt();
    cut_off(&table, 201);
    assert_eq!(table.sizes().last(), Some(&201), "nothing else tells that lines are missing");
    drop(table.open().unwrap().close());
    let Word::Shorter { kept: 301, found } = against(&table, &kept) else { panic!("{:?}", against(&table, &kept)) };
    assert!((201..301).contains(&found), "{found}");
}

#[test]
fn a_record_that_was_rewritten_and_signed_anew_is_told_whatever_its_blocks_say() {
    let (table, kept) = dealt();
    let blocks = table.path("t.jsonl.blocks");
    let before = fs::read(&blocks).unwrap();
    table.rewrite(|lines| lines[50] = lines[50].replace("\"t\":", "\"t\": "));
    fs::remove_file(checkpoints_of(&table.record())).unwrap();
    fs::remove_file(table.path("t.jsonl.synced")).unwrap();
    drop(table.opens("key", true).unwrap().0.close());
    for lying in [false, true] {
        if lying {
            fs::write(&blocks, &before).unwrap();
        }
        assert_eq!(against(&table, &kept), Word::Rewritten { kept: 301 }, "lying: {lying}");
    }
}

#[test]
fn of_another_record_nothing_is_said() {
    let (table, kept) = dealt();
    fs::remove_file(table.record()).unwrap();
    assert!(Kept::last_of(&table.path("none.jsonl")).unwrap().is_none());
    assert_eq!(kept.against(&table.path("none.jsonl")).unwrap(), Word::Other);
    for beside in ["checkpoints", "blocks", "synced"] {
        fs::remove_file(table.path(&format!("t.jsonl.{beside}"))).unwrap();
    }
    table.deal(&[10]);
    assert_eq!(against(&table, &kept), Word::Other, "begun anew");
}

#[test]
fn a_record_that_was_set_back_is_found_though_another_was_shown_since() {
    let (table, kept) = dealt();
    let whole: Vec<(PathBuf, Vec<u8>)> = ["", ".checkpoints", ".blocks", ".synced"]
        .map(|beside| table.path(&format!("t.jsonl{beside}")))
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .into();
    let at_its_end = Kept::last_of(&table.record()).unwrap();
    whole.iter().for_each(|(path, _)| fs::remove_file(path).unwrap());
    table.deal(&[10]);
    let other = Kept::last_of(&table.record()).unwrap();
    let said = |last, before| Kept::both_against(last, before, &table.record()).unwrap();
    assert_eq!(said(other, at_its_end), (Word::BorneOut, other), "the one before is not here, which is no matter");
    assert_eq!(said(at_its_end, None), (Word::Other, at_its_end));
    whole.iter().for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
    assert_eq!(said(other, at_its_end), (Word::Other, other), "as it was");
    cut_off(&table, 201);
    drop(table.open().unwrap().close());
    assert!(matches!(said(other, at_its_end), (Word::Shorter { kept: 601, .. }, of) if of == at_its_end));
    assert!(matches!(said(Some(kept), None), (Word::Shorter { kept: 301, .. }, of) if of == Some(kept)));
    assert_eq!(said(None, None), (Word::BorneOut, None));
}
