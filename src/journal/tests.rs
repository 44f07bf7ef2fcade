//! On a real disk, in a folder of their own; a failing disk is a wrapper that drops what was not synced.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use sabot_stall_guard::PATIENCE;
use tempfile::TempDir;

use super::failing_disk::{Disk, on};
use super::synced::synced_of;
use super::*;
use sabot_law::table::{Event, Header, Limits, Name, Observes, Sight};

pub(super) fn header() -> Header {
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

pub(super) fn draw(seq: u32) -> Record {
    let cards = ["8H", "5C", "TD", "AS", "KC"];
    let card = cards[seq as usize % cards.len()].parse().unwrap();
    let origin = Some(Origin(Name::new("SH-1"), 2, seq));
    let paired = seq.is_multiple_of(2).then(|| Origin(Name::new("CH-1"), 1, seq / 2));
    Record { origin, paired, ..Record::of(Event::Draw { card, to: None, face: None }, u64::from(seq) * 10) }
}

/// A record with `lines` events, closed.
fn written(folder: &Path, lines: u32) -> PathBuf {
    let path = folder.join("t.jsonl");
    let (mut journal, _) = open(&path, &header(), |_, _, _| {}).unwrap();
    for seq in 1..=lines {
        journal.append(draw(seq));
    }
    let end = journal.close();
    let bytes = fs::metadata(&path).unwrap().len();
    assert_eq!(end, Durable { line: u64::from(lines) + 1, bytes, fault: None });
    path
}

fn reopened(path: &Path) -> Result<(Vec<Event>, Recovered), JournalError> {
    let mut events = Vec::new();
    open(path, &header(), |_, _, event| events.push(event.clone())).map(|(_, recovered)| (events, recovered))
}

pub(super) fn lines_of(path: &Path) -> Vec<Vec<u8>> {
    fs::read(path).unwrap().split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

/// Waits until the thread that writes has told this.
pub(super) fn wait_until(journal: &Journal, reached: impl Fn(&Durable) -> bool) -> Durable {
    let began = std::time::Instant::now();
    loop {
        let now = journal.durable().borrow().clone();
        if reached(&now) {
            return now;
        }
        assert!(began.elapsed() < PATIENCE, "{now:?}");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[test]
fn a_record_reads_back_and_says_where_each_device_stood() {
    let folder = TempDir::new().unwrap();
    let path = written(folder.path(), 5);
    let (events, recovered) = reopened(&path).unwrap();
    assert_eq!(events, (1..=5).map(|seq| draw(seq).event).collect::<Vec<_>>());
    assert_eq!((recovered.lines, recovered.last_t, recovered.torn), (6, 50, None));
    assert!(recovered.now >= 50);
    let last = HashMap::from([(Name::new("SH-1"), (2, 5)), (Name::new("CH-1"), (1, 2))]);
    assert_eq!(recovered.last, last);
}

#[test]
fn each_line_is_a_line_of_the_table_log() {
    let folder = TempDir::new().unwrap();
    let lines = lines_of(&written(folder.path(), 2));
    assert_eq!(sabot_law::table::line::header(lines[0].trim_ascii()).unwrap(), header());
    let text = String::from_utf8(lines[2].clone()).unwrap();
    assert!(
        text.starts_with(r#"{"ev":"draw","card":"TD","t":20,"origin":["SH-1",2,2],"paired":["CH-1",1,1],"chain":""#),
        "{text}"
    );
    assert_eq!(sabot_law::table::line::timed(lines[2].trim_ascii()).unwrap(), (draw(2).event, Some(20)));
}

#[test]
fn a_request_keeps_the_time_it_is_judged_by() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("t.jsonl");
    let (mut journal, _) = open(&path, &header(), |_, _, _| {}).unwrap();
    let event = sabot_law::table::line::event(br#"{"ev":"request","box":"3","player":"P1","t":77}"#).unwrap();
    journal.append(Record::of(event.clone(), 77));
    let _ = journal.close();
    assert_eq!(reopened(&path).unwrap().0, [event]);
}

/// The description in the module's documentation, followed by hand.
#[test]
fn the_chain_is_what_its_description_says() {
    use sha2::{Digest, Sha256};
    let folder = TempDir::new().unwrap();
    let mut before = [0; 32].to_vec();
    for line in lines_of(&written(folder.path(), 3)) {
        let line = String::from_utf8(line).unwrap();
        let (body, chain) = line.trim_end().rsplit_once(",\"chain\":\"").unwrap();
        before.extend(format!("{body}}}").bytes());
        before = Sha256::digest(&before).to_vec();
        let hex: String = before.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(chain, format!("{hex}\"}}"));
    }
}

#[test]
fn a_record_is_continued_and_its_chain_holds_throughout() {
    let folder = TempDir::new().unwrap();
    let path = written(folder.path(), 3);
    let (mut journal, recovered) = open(&path, &header(), |_, _, _| {}).unwrap();
    assert_eq!((journal.lines(), recovered.lines), (4, 4));
    assert_eq!(journal.append(draw(4)), 5);
    assert_eq!(journal.close().line, 5);
    assert_eq!(reopened(&path).unwrap().0.len(), 4);
}

#[test]
fn a_torn_last_line_is_put_aside_and_the_record_goes_on_wherever_it_was_torn() {
    let folder = TempDir::new().unwrap();
    let path = written(folder.path(), 3);
    let whole = fs::read(&path).unwrap();
    let last = lines_of(&path).pop().unwrap().len();
    for cut in 1..last {
        fs::write(&path, &whole[..whole.len() - cut]).unwrap();
        fs::remove_file(synced_of(&path)).unwrap();
        let aside = path.with_extension("jsonl.torn");
        let _ = fs::remove_file(&aside);
        let (mut journal, recovered) = open(&path, &header(), |_, _, _| {}).unwrap();
        assert_eq!(recovered.torn, Some((aside.clone(), (last - cut) as u64)));
        let mut kept = whole[whole.len() - last..whole.len() - cut].to_vec();
        kept.push(b'\n');
        assert_eq!(fs::read(&aside).unwrap(), kept);
        journal.append(draw(3));
        let _ = journal.close();
        assert_eq!(fs::read(&path).unwrap(), whole, "the same line again, chained as before");
    }
}

#[test]
fn lines_that_were_on_disk_and_are_gone_or_others_are_named_and_nothing_is_written() {
    let folder = TempDir::new().unwrap();
    let path = written(folder.path(), 5);
    let whole = fs::read(&path).unwrap();
    let lines = lines_of(&path);
    for left in [0, lines[..3].concat().len(), whole.len() - 1] {
        fs::write(&path, &whole[..left]).unwrap();
        let refused = reopened(&path).unwrap_err().to_string();
        assert!(refused.contains("6 lines of it were on disk") && refused.contains("removed at the end"), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), &whole[..left]);
    }
    let (mut other, mut chain) = (Vec::new(), Chain::default());
    for line in &lines {
        let text = String::from_utf8(line.clone()).unwrap();
        let bare = format!("{}}}", text.rsplit_once(",\"chain\"").unwrap().0).replace("\"5C\"", "\"6C\"");
        chain = chain.append(bare.as_bytes(), &mut other);
    }
    fs::write(&path, &other).unwrap();
    let refused = reopened(&path).unwrap_err().to_string();
    assert!(refused.contains("its first 6 lines are not those that were on disk"), "{refused}");
    fs::write(&path, &whole).unwrap();
    assert_eq!(reopened(&path).unwrap().0.len(), 5);
}

#[test]
fn whole_lines_that_a_power_cut_left_behind_a_hole_are_put_aside_and_a_hole_in_what_was_on_disk_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = written(folder.path(), 3);
    let known = fs::read(synced_of(&path)).unwrap();
    let (mut journal, _) = open(&path, &header(), |_, _, _| {}).unwrap();
    for seq in 4..=6 {
        journal.append(draw(seq));
    }
    assert_eq!(journal.close().fault, None);
    let lines = lines_of(&path);
    for hole in [2, 4] {
        let mut torn = lines.clone();
        torn[hole].fill(0);
        fs::write(&path, torn.concat()).unwrap();
        fs::write(synced_of(&path), &known).unwrap();
        if hole < 4 {
            assert!(matches!(reopened(&path), Err(JournalError::Broken { fault: Fault { line: 3, .. }, .. })));
            assert_eq!(fs::read(&path).unwrap(), torn.concat());
        } else {
            let (events, recovered) = reopened(&path).unwrap();
            assert_eq!((events.len(), fs::read(&path).unwrap()), (3, lines[..4].concat()));
            let (aside, bytes) = recovered.torn.unwrap();
            assert_eq!(
                (bytes, fs::read(aside).unwrap()),
                (torn[4..].concat().len() as u64, [&torn[4..].concat()[..], b"\n"].concat())
            );
        }
    }
}

#[test]
fn every_changed_byte_is_found_at_its_line_and_the_file_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = written(folder.path(), 3);
    let whole = fs::read(&path).unwrap();
    let mut at = 0;
    for (index, line) in lines_of(&path).iter().enumerate() {
        for offset in [0, 1, line.len() / 2, line.len() - 70, line.len() - 5, line.len() - 2] {
            let mut changed = whole.clone();
            changed[at + offset] ^= 1;
            fs::write(&path, &changed).unwrap();
            let Err(JournalError::Broken { fault, .. }) = reopened(&path) else {
                panic!("byte {offset} of line {} was changed", index + 1)
            };
            assert_eq!(fault.line, index as u64 + 1);
            assert_eq!(fs::read(&path).unwrap(), changed);
        }
        at += line.len();
    }
}

#[test]
fn deleted_swapped_and_doubled_lines_are_found_and_named() {
    let folder = TempDir::new().unwrap();
    let path = written(folder.path(), 5);
    let lines = lines_of(&path);
    let mut deleted = lines.clone();
    deleted.remove(3);
    let mut swapped = lines.clone();
    swapped.swap(3, 4);
    let mut doubled = lines.clone();
    doubled.insert(3, lines[3].clone());
    for (what, lines, line) in [("deleted", deleted, 4), ("swapped", swapped, 4), ("doubled", doubled, 5)] {
        fs::write(&path, lines.concat()).unwrap();
        let error = reopened(&path).unwrap_err();
        let JournalError::Broken { fault, .. } = &error else { panic!("{what}: {error}") };
        assert_eq!((fault.line, fault.kind), (line, FaultKind::Broken), "{what}");
        assert!(error.to_string().contains(&format!("line {line}: the chain breaks")), "{error}");
    }
}

#[test]
fn a_line_end_lost_in_the_middle_breaks_the_chain() {
    let folder = TempDir::new().unwrap();
    let path = written(folder.path(), 3);
    let mut lines = lines_of(&path);
    lines[1].pop();
    fs::write(&path, lines.concat()).unwrap();
    assert!(matches!(reopened(&path), Err(JournalError::Broken { fault: Fault { line: 2, .. }, .. })));
}

#[test]
fn a_record_of_another_table_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = written(folder.path(), 1);
    let other = Header { limits: Limits { min: 1, max: 2 }, ..header() };
    let error = open(&path, &other, |_, _, _| {}).unwrap_err();
    assert!(matches!(error, JournalError::OtherTable { .. }), "{error}");
}

#[test]
fn a_record_in_the_first_version_goes_on_where_the_table_is_the_same_and_says_what_it_sees_more() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("t.jsonl");
    let observes = [Sight::Places].into_iter().collect();
    let first_version = Header { v: 1, observes, ..header() };
    let text = serde_json::to_string(&first_version).unwrap();
    assert!(text.contains(r#""v":1"#) && text.contains(r#""observes":["places"]"#), "{text}");
    let reads: Header = serde_json::from_str(&text).unwrap();
    drop(open(&path, &reads, |_, _, _| {}).unwrap());
    let error = open(&path, &Header { v: 2, ..first_version }, |_, _, _| {}).unwrap_err().to_string();
    let differs = r#"observes ["places","turns","moves","bets"] there, ["places"] here"#;
    assert!(error.contains(differs), "{error}");
    drop(open(&path, &reads.in_version_2(), |_, _, _| {}).unwrap());
}

#[test]
fn a_file_that_is_no_record_is_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("t.jsonl");
    fs::write(&path, "dear diary\nand so on\n").unwrap();
    assert!(matches!(reopened(&path), Err(JournalError::Broken { fault: Fault { line: 1, .. }, .. })));
    assert_eq!(fs::read(&path).unwrap(), b"dear diary\nand so on\n");
}

#[test]
fn two_stations_never_write_one_record() {
    let folder = TempDir::new().unwrap();
    let path = written(folder.path(), 1);
    let (journal, _) = open(&path, &header(), |_, _, _| {}).unwrap();
    assert!(matches!(reopened(&path), Err(JournalError::InUse(_))));
    let _ = journal.close();
    assert!(reopened(&path).is_ok());
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let error = reopened(Path::new("/nowhere/t.jsonl")).unwrap_err();
    assert!(error.to_string().starts_with("/nowhere/t.jsonl: "), "{error}");
}

#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let folder = TempDir::new().unwrap();
    let pipe = folder.path().join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    for path in [pipe.as_path(), Path::new("/dev/full"), Path::new("/dev/zero")] {
        assert!(matches!(reopened(path), Err(JournalError::NoFile(_))), "{}", path.display());
    }
}

#[test]
fn a_record_and_what_was_torn_off_it_are_the_stations_alone() {
    use std::os::unix::fs::PermissionsExt;

    let folder = TempDir::new().unwrap();
    let path = written(folder.path(), 3);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 5]).unwrap();
    fs::remove_file(synced_of(&path)).unwrap();
    let torn = reopened(&path).unwrap().1.torn.expect("a torn line").0;
    for path in [path, torn] {
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{}", path.display());
    }
}

async fn until(durable: &mut tokio::sync::watch::Receiver<Durable>, reached: impl FnMut(&Durable) -> bool) -> Durable {
    tokio::time::timeout(PATIENCE, durable.wait_for(reached)).await.unwrap().unwrap().clone()
}

fn chained_lines(bytes: &[u8]) -> u64 {
    let verified = verify(bytes, |_, _| std::ops::ControlFlow::Continue(())).unwrap();
    assert_eq!((verified.fault, verified.torn), (None, 0));
    verified.lines
}

#[tokio::test]
async fn a_full_disk_is_told_nothing_is_durable_meanwhile_and_nothing_is_lost() {
    let disk = Disk::default();
    disk.with(|disk| disk.room = Some(250));
    let mut journal = on(&disk, 0);
    let mut durable = journal.durable();
    journal.append(draw(1));
    until(&mut durable, |durable| durable.line == 1).await;
    for seq in 2..=20 {
        journal.append(draw(seq));
    }
    let told = until(&mut durable, |durable| durable.fault.is_some()).await;
    assert!(matches!(&told.fault, Some(RecordFault::Disk(why)) if why.contains("no storage space")), "{told:?}");
    assert_eq!(told.line, 1);
    disk.with(|disk| disk.room = None);
    let told = until(&mut durable, |durable| durable.line == 20).await;
    assert_eq!(told.fault, None);
    assert_eq!(chained_lines(&disk.with(|disk| disk.synced.clone())), 20);
}

#[tokio::test]
async fn a_failed_sync_writes_everything_again_because_the_system_may_have_dropped_it() {
    let disk = Disk::default();
    disk.with(|disk| disk.sync_fails = true);
    let mut journal = on(&disk, 0);
    let mut durable = journal.durable();
    journal.append(draw(1));
    until(&mut durable, |durable| durable.fault.is_some()).await;
    assert_eq!(durable.borrow().line, 0);
    disk.with(|disk| disk.sync_fails = false);
    until(&mut durable, |durable| durable.line == 1).await;
    assert_eq!(chained_lines(&disk.with(|disk| disk.synced.clone())), 1);
}

#[test]
fn a_station_that_ends_while_the_disk_fails_does_not_hang_and_says_what_is_not_durable() {
    let disk = Disk::default();
    disk.with(|disk| disk.room = Some(10));
    let mut journal = on(&disk, 0);
    journal.append(draw(1));
    let end = journal.close();
    assert_eq!(end.line, 0);
    assert!(end.fault.is_some());
}

#[tokio::test]
async fn after_a_crash_between_append_and_sync_no_durable_line_is_missing_wherever_the_cut_fell() {
    let disk = Disk::default();
    let mut journal = on(&disk, 0);
    let mut durable = journal.durable();
    for seq in 1..=3 {
        journal.append(draw(seq));
    }
    until(&mut durable, |durable| durable.line == 3).await;
    disk.with(|disk| disk.sync_fails = true);
    let synced = disk.with(|disk| disk.synced.clone());
    let mut unsynced = Vec::new();
    let mut chain = Chain::default();
    for seq in 1..=5 {
        chain = chain.append(&draw(seq).to_line(&seal::SealField::default()).unwrap(), &mut unsynced);
    }
    assert!(unsynced.starts_with(&synced));
    for cut in synced.len()..=unsynced.len() {
        let verified = verify(&unsynced[..cut], |_, _| std::ops::ControlFlow::Continue(())).unwrap();
        assert_eq!(verified.fault, None);
        assert!(verified.lines >= 3);
        assert_eq!(verified.bytes + verified.torn, cut as u64);
    }
    journal.append(draw(4));
    let told = until(&mut durable, |durable| durable.fault.is_some()).await;
    assert_eq!(told.line, 3, "what is not synced is never told durable");
}

#[test]
fn waiting_lines_are_committed_together() {
    let disk = Disk::default();
    let held = disk.0.lock().unwrap();
    let mut journal = on(&disk, 0);
    for seq in 1..=500 {
        journal.append(draw(seq));
    }
    drop(held);
    assert_eq!(journal.close().line, 500);
    assert!(disk.with(|disk| disk.attempts) <= 3);
    assert_eq!(chained_lines(&disk.with(|disk| disk.synced.clone())), 500);
}

#[test]
fn the_documents_way_to_follow_the_chain_agrees() {
    let document = include_str!("../../docs/record.md");
    let program = document.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = TempDir::new().unwrap();
    let path = written(folder.path(), 4);
    let follow = |path: &Path| std::process::Command::new("python3").arg("-c").arg(program).arg(path).output();
    let Ok(output) = follow(&path) else { return eprintln!("no python3 here: not tried") };
    let verified = verify(fs::read(&path).unwrap().as_slice(), |_, _| std::ops::ControlFlow::Continue(())).unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), verified.chain.to_string());
    let mut changed = fs::read(&path).unwrap();
    let last = changed.len() - 90;
    changed[last] ^= 1;
    fs::write(&path, changed).unwrap();
    assert!(!follow(&path).unwrap().status.success());
}
