//! `sabot soak`, short: the command as a user would run it.
use std::path::Path;

use crate::process::{Ended, run, sabot};

fn soak(folder: &Path, args: &[&str]) -> Ended {
    run(sabot(["soak"]).args(args).current_dir(folder).env("TMPDIR", folder))
}

#[test]
fn fifty_cables_pulled_and_put_back_lose_and_double_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let Ended { status, out, err } =
        soak(folder.path(), &["--cycles", "50", "--seed", "3", "--away", "1", "--folder", "kept"]);
    assert_eq!(status, 0, "{out}{err}");
    for words in [
        "all            50 cycles",
        "one thread of the station waited for a processor: gone ",
        " 0 lost, 0 doubled or out of order, 0 otherwise wrong",
        "with all five away",
        "again: sabot soak --cycles 50 --seed 3 --away 1",
        "everything is within its bounds",
    ] {
        assert!(out.contains(words), "`{words}` is not in\n{out}");
    }
    // the record is where it was asked for, whole, and tells every cable twice
    let record = folder.path().join("kept/record.jsonl");
    let verified = run(sabot(["journal", "verify"]).arg(&record));
    assert_eq!(verified.status, 0, "{}{}", verified.out, verified.err);
    let record = std::fs::read_to_string(record).unwrap();
    let lines = |status: &str| record.lines().filter(|line| line.contains(&format!(r#""status":"{status}""#))).count();
    // each device is pulled twice more while the processor is measured, and came once at the start
    assert_eq!((lines("offline"), lines("online")), (50 + 10, 50 + 10 + 5));
    // so does the log: one line when a device goes, one when it is back
    let log = std::fs::read_to_string(folder.path().join("kept/station.log")).unwrap();
    let logged = |words: &str| log.lines().filter(|line| line.contains(words)).count();
    assert_eq!((logged("device is not there"), logged("device is back")), (60, 60), "{log}");
}

#[test]
fn a_ring_that_goes_with_the_power_is_lost_with_a_word_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--cycles", "50", "--seed", "8", "--away", "1", "--no-cell", "--folder", "kept"];
    let Ended { status, out, err } = soak(folder.path(), &args);
    assert_eq!(status, 0, "{out}{err}");
    for words in [
        " 0 lost, 0 doubled or out of order, 0 otherwise wrong",
        " of them went with rings that were lost with the power, each told",
        "again: sabot soak --cycles 50 --seed 8 --away 1 --no-cell",
        "everything is within its bounds",
    ] {
        assert!(out.contains(words), "`{words}` is not in\n{out}");
    }
    let record = std::fs::read_to_string(folder.path().join("kept/record.jsonl")).unwrap();
    let rings = record.lines().filter(|line| line.contains(r#""status":"ring_lost""#)).count();
    assert!(rings > 1, "some of the devices lost their power, and the record says so {rings} times");
}

#[test]
fn thieves_on_every_cable_invent_nothing_and_take_nothing_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let Ended { status, out, err } = soak(folder.path(), &["--thief", "--cycles", "30", "--seed", "2"]);
    assert_eq!(status, 0, "{out}{err}");
    for words in [
        " 0 lost, 0 doubled or out of order, 0 otherwise wrong",
        "kept back, and some damaged",
        "of that, one thread waited for a processor at the most: shoe ",
        "again: sabot soak --thief --cycles 30 --seed 2",
        "everything is within its bounds",
    ] {
        assert!(out.contains(words), "`{words}` is not in\n{out}");
    }
    let figures = out.lines().find(|line| line.ends_with("sent by them")).unwrap_or_default();
    let figures: Vec<u64> = figures.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    assert!(matches!(figures[..], [kept, sent] if kept > 50 && sent > 1000), "{out}");
    assert!(out.contains("withheld ") && out.contains("forged "), "what they did is told: {out}");
}

#[test]
fn a_station_killed_at_random_loses_nothing_that_it_acknowledged_and_its_record_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let Ended { status, out, err } = soak(folder.path(), &["--kills", "12", "--seed", "5", "--folder", "kept"]);
    assert_eq!(status, 0, "{out}{err}");
    for words in [
        "12 kills in ",
        " 0 lost, 0 doubled or out of order, 0 otherwise wrong; 0 acknowledged and not in the record after a kill",
        "; 0 faults found by verification",
        "again: sabot soak --kills 12 --seed 5",
        "everything is within its bounds",
    ] {
        assert!(out.contains(words), "`{words}` is not in\n{out}");
    }
    // it was killed and not stopped, and each start after one is on record
    let record = folder.path().join("kept/record.jsonl");
    let verified = run(sabot(["journal", "verify"]).arg(&record));
    assert_eq!(verified.status, 0, "{}{}", verified.out, verified.err);
    assert!(verified.out.contains("had not stopped"), "{}", verified.out);
    let stops = std::fs::read_to_string(record).unwrap().matches(r#""status":"stop""#).count();
    assert_eq!(stops, 1, "the last start alone was let end");
}

#[test]
#[ignore = "takes SABOT_MINUTES, or ten; SABOT_SEED repeats one"]
fn ten_thousand_kills_under_load_lose_nothing() {
    let number = |name: &str, usually: &str| std::env::var(name).unwrap_or_else(|_| usually.to_owned());
    let (minutes, seed) = (number("SABOT_MINUTES", "10"), number("SABOT_SEED", "2"));
    let folder = tempfile::tempdir().unwrap();
    let asked = ["--kills", "10000", "--minutes", &minutes, "--seed", &seed, "--folder", "kept"];
    let Ended { status, out, err } = soak(folder.path(), &asked);
    println!("{out}");
    assert_eq!(status, 0, "{out}{err}");
    for words in [" 0 lost, 0 doubled or out of order, 0 otherwise wrong", "; 0 faults found by verification"] {
        assert!(out.contains(words), "`{words}` is not in\n{out}");
    }
}

#[test]
fn a_resting_station_takes_little() {
    let folder = tempfile::tempdir().unwrap();
    let Ended { status, out, err } = soak(folder.path(), &["--idle", "2", "--boxes", "own"]);
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.contains("our own chip reader") && out.contains("everything is within its bounds"), "{out}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_folder_that_is_there_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kept"), "mine").unwrap();
    let Ended { status, err, .. } = soak(folder.path(), &["--cycles", "1", "--folder", "kept"]);
    assert_eq!(status, 2);
    assert!(err.contains("kept"), "says which");
    assert_eq!(std::fs::read_to_string(folder.path().join("kept")).unwrap(), "mine");
}
