use std::collections::BTreeMap;
use std::fs;

use tempfile::TempDir;

use super::*;
use crate::Sealing;
use crate::acknowledged::{Kept, Word};
use crate::audit::{Trust, audit};
use crate::checkpoint::checkpoints_of;
use crate::days::{beginning, closed, days_of, pack};
use crate::note::{PrivateKey, Purpose};
use crate::open::Each;
use crate::tests::{draw, header, lines_of, wait_until};
use crate::{Journal, open_signed, open_with, packed};
use sabot_law::table::Event;
use sabot_law::table::Name;
use std::path::PathBuf;

const BEGAN: u64 = 1_790_000_000_000;

fn next(path: &Path) -> NextDay {
    let closing =
        Event::Device { device: Name::new("station"), status: Name::new("day_closed"), detail: None, complete: false };
    NextDay {
        last_line: Record::of(closing, 40),
        record: path.to_path_buf(),
        header: header(),
        began: BEGAN,
        devices: BTreeMap::from([(Name::new("SH-1"), (2, 3))]),
        sealing: Sealing::default(),
    }
}

/// A signed record of four lines, its key beside it.
fn begun(folder: &TempDir) -> (PathBuf, Journal, PrivateKey) {
    let (path, file) = (folder.path().join("t.jsonl"), folder.path().join("key"));
    let key = PrivateKey::create(&file, "casino.example/BJ-07", Purpose::Station).unwrap();
    let (mut journal, _) = open_signed(&path, &header(), Some(key.clone()), |_, _, _| {}).unwrap();
    for seq in 1..=3 {
        journal.append(draw(seq));
    }
    wait_until(&journal, |durable| durable.line == 4);
    (path, journal, key)
}

#[test]
fn lines_that_come_while_a_day_is_closed_are_the_next_days_and_both_are_signed_to_their_end() {
    let folder = TempDir::new().unwrap();
    let (path, mut journal, key) = begun(&folder);
    let day_before = journal.durable();
    journal.next_day(next(&path));
    assert_eq!(journal.lines(), 1);
    for seq in 4..=9 {
        journal.append(draw(seq));
    }
    let end = journal.close();
    assert_eq!((end.line, end.fault), (7, None));
    assert_eq!(day_before.borrow().line, 5, "who follows the day that was closed is told of its last line");
    let days = closed(&path).unwrap();
    let [day] = &days[..] else { panic!("{days:?}") };
    let chain = lines_of(day).last().map(|line| crate::Chain::said(line.trim_ascii_end()).unwrap());
    let (began, after) = beginning(&path).unwrap();
    let after = after.unwrap();
    assert_eq!((began, after.lines, Some(after.chain)), (BEGAN, 5, chain));
    assert_eq!(after.last, BTreeMap::from([(Name::new("SH-1"), (2, 3))]));
    let trust = Trust { stations: vec![key.public().clone()], closed: true, ..Trust::default() };
    let whole = |file: &Path| audit(file, &[checkpoints_of(file)], &trust).unwrap();
    for packs in [false, true] {
        if packs {
            pack(day).unwrap();
        }
        assert_eq!(packed::is_packed(day).unwrap(), packs);
        let (before, now) = (whole(day), whole(&path));
        assert!(before.faults.is_empty() && now.faults.is_empty(), "{:?} {:?}", before.faults, now.faults);
        assert_eq!((before.verified.lines, now.verified.lines), (5, 7));
        let (kept, last) = (Kept::last_of(&path).unwrap().unwrap(), Kept::last_of(day).unwrap().unwrap());
        assert_eq!((last.lines, last.record == kept.record), (5, false));
        for (kept, word) in [
            (kept, Word::BorneOut),
            (last, Word::BorneOut),
            (Kept { root: [7; 32], ..last }, Word::Rewritten { kept: 5 }),
            (Kept { lines: 6, ..last }, Word::Shorter { kept: 6, found: 5 }),
            (Kept { record: [7; 16], ..last }, Word::Other),
        ] {
            assert_eq!(kept.against(&path).unwrap(), word, "{packs}");
        }
    }
    // what was read of it once does not hide that it cannot be read now
    let packed = std::fs::read(day).unwrap();
    std::fs::write(day, &packed[..packed.len() / 2]).unwrap();
    let (kept, last) = (Kept::last_of(&path).unwrap().unwrap(), Kept::last_of(day).unwrap().unwrap());
    let unread = Word::Unread { kept: 5 };
    let said = |last, before| Kept::both_against(last, before, &path).unwrap();
    assert_eq!(said(Some(kept), Some(last)), (unread, Some(last)));
    assert_eq!(said(Some(last), None), (unread, Some(last)));
    let shortened = Kept { lines: 99, ..kept };
    assert!(matches!(said(Some(shortened), Some(last)), (Word::Shorter { kept: 99, .. }, of) if of == Some(shortened)));
    std::fs::write(day, packed).unwrap();
    assert_eq!(said(Some(kept), Some(last)), (Word::BorneOut, Some(kept)));
}

#[test]
fn a_day_that_cannot_be_put_away_is_told_and_closed_as_soon_as_it_can_and_no_line_is_lost() {
    let folder = TempDir::new().unwrap();
    let (path, mut journal, _) = begun(&folder);
    fs::write(days_of(&path), "in the way").unwrap();
    journal.next_day(next(&path));
    journal.append(draw(4));
    let told = wait_until(&journal, |durable| durable.fault.is_some());
    assert!(matches!(told.fault, Some(RecordFault::NotClosed(_))) && told.line == 0, "{told:?}");
    assert_eq!(lines_of(&path).len(), 5, "the day ends with its last line, once");
    fs::remove_file(days_of(&path)).unwrap();
    let told = wait_until(&journal, |durable| durable.line == 2);
    assert_eq!(told.fault, None);
    drop(journal);
    assert_eq!(closed(&path).unwrap().len(), 1);
}

#[test]
fn who_stops_while_a_day_cannot_be_put_away_is_not_kept_and_the_record_goes_on_whole() {
    let folder = TempDir::new().unwrap();
    let (path, mut journal, key) = begun(&folder);
    fs::write(days_of(&path), "in the way").unwrap();
    journal.next_day(next(&path));
    journal.append(draw(4));
    wait_until(&journal, |durable| durable.fault.is_some());
    let end = journal.close();
    assert!(end.line == 0 && end.fault.is_some(), "{end:?}");
    let mut events = Vec::new();
    let with = crate::With { key: Some(key), ..crate::With::default() };
    let (_, held) =
        open_with(&path, &header(), with, &mut Each(|_, _, event: &Event| events.push(event.clone()))).unwrap();
    assert_eq!((held.lines, events.len()), (5, 4));
}

#[test]
fn a_second_name_that_an_interrupted_closing_left_is_no_closed_day() {
    let folder = TempDir::new().unwrap();
    let (path, journal, _) = begun(&folder);
    fs::create_dir(days_of(&path)).unwrap();
    fs::hard_link(&path, days_of(&path).join("2026-11-25T060000.000Z.jsonl.gz")).unwrap();
    assert_eq!(closed(&path).unwrap(), Vec::<PathBuf>::new());
    drop(journal.close());
}
