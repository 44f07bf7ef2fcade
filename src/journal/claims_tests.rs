//! What lies beside a record, and a start that is held against it; the same files while a station writes.

use std::fs;
use std::io::Read;

use sabot_stall_guard::PATIENCE;

use super::checkpoint::{checkpoints_of, witnessed_of};
use super::days::{closed, days_of};
use super::files::beside;
use super::note::{PrivateKey, Purpose};
use super::signed_tests::{Table, of_station};
use super::signer::Signer;
use super::synced::synced_of;
use super::tests::{draw, header, wait_until};
use super::*;

fn refused(table: &Table) -> String {
    let held = bears_out(&table.record(), &table.key).expect_err("a check finds it").to_string();
    let why = table.open().expect_err("a start refuses it").to_string();
    assert_eq!(why, held);
    why
}

/// Somebody without the key changes a line, chains the record anew, and removes what says so.
fn rewritten(table: &Table, keeps: &[&str]) {
    table.rewrite(|lines| lines[2] = lines[2].replace("SH-1", "SH-2"));
    for beside_it in [".checkpoints", ".synced", ".blocks", ".witnessed"].iter().filter(|name| !keeps.contains(name)) {
        let _ = fs::remove_file(beside(&table.record(), beside_it));
    }
}

#[test]
fn a_record_that_was_rewritten_is_not_signed_whatever_was_removed_beside_it() {
    for keeps in [&[][..], &[".witnessed"], &[".checkpoints"], &[".synced"]] {
        let table = Table::new();
        table.deal(&[4, 5]);
        table.witness().unwrap();
        rewritten(&table, keeps);
        let before = fs::read(table.record()).unwrap();
        let why = table.open().unwrap_err();
        let is_unsigned = matches!(why, JournalError::Unsigned { .. });
        assert!(is_unsigned || matches!(why, JournalError::Contradicts { .. }), "{keeps:?}: {why}");
        assert_eq!(fs::read(table.record()).unwrap(), before);
        if keeps == [".witnessed"] {
            assert!(table.opens("key", true).unwrap_err().to_string().contains("not those that the station signed"));
        }
    }
}

#[test]
fn the_first_checkpoint_is_there_before_the_second_line() {
    let table = Table::new();
    drop(table.open().unwrap().close());
    assert_eq!(table.sizes(), [1]);
    // a power cut between the two
    fs::write(checkpoints_of(&table.record()), "").unwrap();
    drop(table.open().unwrap().close());
    assert_eq!(table.sizes(), [1]);
}

#[test]
fn a_line_after_a_clean_stop_is_refused_and_lines_that_a_crash_left_are_told() {
    let table = Table::new();
    let mut journal = table.open().unwrap();
    for (status, t) in [("start", 1), ("stop", 2)] {
        journal.append(of_station(status, t, 1_790_000_000_000));
    }
    drop(journal.close());
    let (record, stopped) = (table.record(), fs::read(table.record()).unwrap());
    table.rewrite(|lines| lines.push(r#"{"ev":"end","t":90000000}"#.to_owned()));
    assert!(refused(&table).contains("line 4 was added after the station had stopped"), "{}", refused(&table));
    // a start whose lines nothing has signed yet
    fs::write(&record, &stopped).unwrap();
    let start = r#"{"ev":"device","device":"station","status":"start","t":5}"#;
    table.rewrite(|lines| lines.extend([start.to_owned(), r#"{"ev":"end","t":6}"#.to_owned()]));
    let (journal, held) = table.opens("key", false).unwrap();
    drop(journal.close());
    assert_eq!(held.unsigned, Some((4, 5)));
    assert_eq!(table.opens("key", false).unwrap().1.unsigned, None);
}

#[test]
fn a_start_is_signed_at_once() {
    let table = Table::new();
    let mut journal = table.open().unwrap();
    journal.append(of_station("start", 1, 1_790_000_000_000));
    let began = std::time::Instant::now();
    while table.sizes().last() != Some(&2) {
        assert!(began.elapsed() < PATIENCE);
        std::thread::yield_now();
    }
    drop(journal.close());
}

#[test]
fn earlier_checkpoints_are_put_aside_and_not_thrown_away() {
    let table = Table::new();
    table.deal(&[4, 5]);
    let path = checkpoints_of(&table.record());
    let whole = fs::read(&path).unwrap();
    fs::write(&path, [&whole[..], b"hello\n\n"].concat()).unwrap();
    drop(table.open().unwrap().close());
    assert_eq!((fs::read(&path).unwrap(), fs::read(beside(&path, ".torn")).unwrap()), (whole, b"hello\n\n".to_vec()));
    fs::write(&path, "hello\n\n").unwrap();
    fs::remove_file(synced_of(&table.record())).unwrap();
    assert!(refused(&table).contains("no checkpoint of the key"));
    assert_eq!(fs::read(&path).unwrap(), b"hello\n\n", "it is left as it is");
}

#[test]
fn checkpoints_are_guarded_while_the_record_is_written() {
    let table = Table::new();
    table.deal(&[4, 5]);
    let path = checkpoints_of(&table.record());
    let whole = fs::read(&path).unwrap();
    let mut journal = table.open().unwrap();
    let aside = table.path("aside");
    let emptied = || fs::write(&path, "").unwrap();
    let put_back = || fs::write(&path, &whole).unwrap();
    let moved = || fs::rename(&path, &aside).unwrap();
    let back = || fs::rename(&aside, &path).unwrap();
    let copied = || {
        fs::copy(&path, &aside).unwrap();
        fs::write(&path, "hello\n\n").unwrap();
    };
    let mut change_and_back = |change: &dyn Fn(), way_out: &dyn Fn()| {
        change();
        let told = wait_until(&journal, |durable| durable.fault.is_some()).fault.unwrap();
        assert!(matches!(told, RecordFault::Checkpoints(_)), "{told}");
        let lines = journal.durable().borrow().line;
        journal.append(draw(table.next_seq()));
        way_out();
        wait_until(&journal, |durable| durable.line == lines + 1 && durable.fault.is_none());
    };
    change_and_back(&emptied, &put_back);
    change_and_back(&moved, &back);
    change_and_back(&copied, &back);
    // one that was deleted is written again
    fs::remove_file(&path).unwrap();
    wait_until(&journal, |durable| durable.fault.is_some());
    wait_until(&journal, |durable| durable.fault.is_none());
    assert_eq!(journal.close().fault, None);
    assert!(fs::read(&path).unwrap().starts_with(&whole));
    assert!(table.audit(&table.trust()).faults.is_empty());
}

/// A record that was closed as a day, and the next one; what a backup of before then holds is given back.
fn closed_day(table: &Table) -> (Vec<u8>, Vec<u8>) {
    table.deal(&[4]);
    let backup = (fs::read(table.record()).unwrap(), fs::read(checkpoints_of(&table.record())).unwrap());
    table.deal(&[5]);
    let whole =
        verify(fs::read(table.record()).unwrap().as_slice(), |_, _| std::ops::ControlFlow::Continue(())).unwrap();
    let after = After { lines: whole.lines, chain: whole.chain, last: Default::default() };
    days::close(&table.record(), &header(), &after, files::unix_ms() + 5).unwrap();
    days::pack(&closed(&table.record()).unwrap()[0]).unwrap();
    backup
}

#[test]
fn a_backup_of_a_day_that_was_closed_is_refused_and_the_closed_day_is_never_overwritten() {
    let table = Table::new();
    let (record, checkpoints) = closed_day(&table);
    drop(table.open().expect("the next day goes on").close());
    let day = closed(&table.record()).unwrap().remove(0);
    let packed = fs::read(&day).unwrap();
    fs::write(table.record(), &record).unwrap();
    fs::write(checkpoints_of(&table.record()), &checkpoints).unwrap();
    for gone in [synced_of(&table.record()), witnessed_of(&table.record())] {
        let _ = fs::remove_file(gone);
    }
    assert!(refused(&table).contains("a backup was put back over it"), "{}", refused(&table));
    let after = After { lines: 5, chain: Chain::default(), last: Default::default() };
    let kept = days::close(&table.record(), &header(), &after, 2).unwrap_err();
    assert!(kept.to_string().contains("is not overwritten"), "{kept}");
    assert_eq!(fs::read(&day).unwrap(), packed);
    // where the day itself was removed, its checkpoints say so
    fs::remove_file(&day).unwrap();
    assert!(refused(&table).contains("a backup was put back over it"));
    fs::remove_dir_all(days_of(&table.record())).unwrap();
    drop(table.open().unwrap().close());
}

#[test]
fn a_last_line_without_line_feed_is_believed_by_nobody_and_is_damage_where_none_can_be_under_way() {
    let table = Table::new();
    table.deal(&[4]);
    let (record, whole) = (table.record(), fs::read(table.record()).unwrap());
    let mut longer = whole.clone();
    let _ = Chain::default().append(br#"{"ev":"end","t":99}"#, &mut longer);
    longer.pop();
    fs::write(&record, &longer).unwrap();
    let read = |path: &std::path::Path| {
        let mut bytes = Vec::new();
        packed::whole_lines(path).unwrap().read_to_end(&mut bytes).map(|_| bytes)
    };
    assert_eq!(read(&record).unwrap(), whole);
    let open = audit::Trust { closed: false, ..table.trust() };
    assert!(table.audit(&open).faults.is_empty());
    assert!(table.audit(&table.trust()).faults[0].to_string().contains("are no whole line"));
    // a plain log ends where its writer left it
    let plain = table.path("plain.jsonl");
    fs::write(&plain, "{\"ev\":\"end\"}\n{\"ev\":\"end\"}").unwrap();
    assert_eq!(read(&plain).unwrap().len(), 25);
    // in a closed day none is under way
    let mut day = flate2::write::GzEncoder::new(fs::File::create(&record).unwrap(), flate2::Compression::fast());
    std::io::Write::write_all(&mut day, &longer).unwrap();
    day.finish().unwrap();
    assert!(read(&record).unwrap_err().to_string().contains("is damaged"));
    assert!(table.audit(&open).faults[0].to_string().contains("are no whole line"));
    assert!(table.witness().unwrap_err().to_string().contains("no whole line"));
}

#[test]
fn lines_that_should_have_been_signed_are_a_fault() {
    let table = Table::new();
    table.deal(&[4]);
    let signed = fs::read(checkpoints_of(&table.record())).unwrap();
    let mut journal = table.open().unwrap();
    for (status, t) in [("start", 1_000), ("clock", 61_000), ("clock", 400_000)] {
        journal.append(of_station(status, t, 1_790_000_000_000));
    }
    drop(journal.close());
    let open = audit::Trust { closed: false, ..table.trust() };
    assert!(table.audit(&open).faults.is_empty());
    fs::write(checkpoints_of(&table.record()), &signed).unwrap();
    let faults = table.audit(&open).faults;
    assert!(faults[0].to_string().contains("lines 6 to 8 tell of 6 minutes and are not signed"), "{faults:?}");
}

#[test]
fn changed_checkpoints_are_told_also_after_one_could_not_be_signed_and_are_not_written_over() {
    let table = Table::new();
    let path = checkpoints_of(&table.record());
    let key = PrivateKey::load(&table.path("key"), Purpose::Station).unwrap();
    let mut signer = Signer::open(&table.record(), key).unwrap();
    signer.take(b"the first line");
    signer.recalled(1_790_000_000_000).unwrap();
    signer.begins().unwrap();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, "hello\n\n").unwrap();
    signer.ends(b"the second\n");
    for _ in 0..2 {
        assert!(matches!(signer.look(), Err(RecordFault::Checkpoints(_))));
        signer.sign();
        assert_eq!(fs::read(&path).unwrap(), b"hello\n\n", "the evidence is left as it is");
    }
    fs::write(&path, &whole).unwrap();
    signer.sign();
    assert!(signer.look().is_ok() && fs::read(&path).unwrap().starts_with(&whole));
    assert_eq!(table.sizes(), [1, 2]);
}
