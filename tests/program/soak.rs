//! `sabot soak`, short: the command as a user would run it.
use std::path::Path;
use std::process::{Command, Output};

fn soak(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sabot"));
    command.arg("soak").args(args).current_dir(folder).env("TMPDIR", folder).output().unwrap()
}

#[test]
fn fifty_cables_pulled_and_put_back_lose_and_double_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = soak(folder.path(), &["--cycles", "50", "--seed", "3", "--away", "1", "--folder", "kept"]);
    let told = String::from_utf8(out.stdout).unwrap();
    assert_eq!(out.status.code(), Some(0), "{told}{}", String::from_utf8_lossy(&out.stderr));
    for words in [
        "all            50 cycles",
        " 0 lost, 0 doubled or out of order, 0 otherwise wrong",
        "with all five away",
        "again: sabot soak --cycles 50 --seed 3 --away 1",
        "everything is within its bounds",
    ] {
        assert!(told.contains(words), "`{words}` is not in\n{told}");
    }
    // the record is where it was asked for, whole, and tells every cable twice
    let record = folder.path().join("kept/record.jsonl");
    let verified = Command::new(env!("CARGO_BIN_EXE_sabot")).args(["journal", "verify"]).arg(&record).output().unwrap();
    assert!(verified.status.success(), "{verified:?}");
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
fn a_resting_station_takes_little() {
    let folder = tempfile::tempdir().unwrap();
    let out = soak(folder.path(), &["--idle", "2", "--boxes", "own"]);
    let told = String::from_utf8(out.stdout).unwrap();
    assert_eq!(out.status.code(), Some(0), "{told}{}", String::from_utf8_lossy(&out.stderr));
    assert!(told.contains("our own chip reader") && told.contains("everything is within its bounds"), "{told}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_folder_that_is_there_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kept"), "mine").unwrap();
    let out = soak(folder.path(), &["--cycles", "1", "--folder", "kept"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8(out.stderr).unwrap().contains("kept"), "says which");
    assert_eq!(std::fs::read_to_string(folder.path().join("kept")).unwrap(), "mine");
}
