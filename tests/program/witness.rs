//! A device of the table as a witness of its record: it is shown what is signed, and finds the record that was changed
//! while the station was down.

use std::fs;
use std::path::PathBuf;
use std::process::{ChildStdin, Stdio};
use std::time::{Duration, Instant};

use sabot_stall_guard::PATIENCE;
use serde_json::Value;
use tempfile::TempDir;

use crate::process::{Ended, Process, recorded, run, sabot, station_by};

/// A table whose record is signed, with a shoe at its port that goes on while the station is down.
struct Table {
    folder: TempDir,
    _shoe: Process,
    _typed: ChildStdin,
}

impl Table {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let key = run(sabot(["journal", "key", "key", "--name", "casino.example/BJ-07"]).current_dir(folder.path()));
        assert_eq!(key.status, 0, "{}", key.err);
        let config = "table = \"BJ-07\"\nregulation = \"sala-8\"\nlimits = { min = 1000, max = 100000 }\n\
                      listen = \"127.0.0.1:0\"\njournal = \"record\"\njournal_key = \"key\"\nkeys = \"keys.toml\"\n\
                      [[device]]\nrole = \"shoe\"\nport = \"shoe\"\n";
        fs::write(folder.path().join("station.toml"), config).unwrap();
        let mut twin = sabot(["twin", "shoe", "--stay", "shoe", "--keys", "keys.toml"]);
        let mut shoe = Process::start(twin.current_dir(folder.path()).stdin(Stdio::piped()));
        let typed = shoe.stdin();
        let table = Self { folder, _shoe: shoe, _typed: typed };
        table.eventually("the twin has its port", || table.path("shoe").exists());
        table
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn eventually(&self, what: &str, so: impl Fn() -> bool) {
        let until = Instant::now() + PATIENCE;
        while !so() {
            let log = fs::read_to_string(self.path("log")).unwrap_or_default();
            assert!(Instant::now() < until, "still not so: {what}\n{log}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A station, until this is so.
    fn serves_until(&self, what: &str, so: impl Fn(&Self) -> bool) {
        fs::write(self.path("log"), "").unwrap();
        let (config, mut run) = (self.path("station.toml"), sabot(["run", "--config"]));
        let (mut station, _) = station_by(run.arg(&config).env("RUST_LOG", "debug"), &config);
        self.eventually(what, || so(self));
        station.signal("-TERM");
        assert!(station.ends().success());
    }

    /// It has shown what is signed to the devices that keep it.
    fn shows(&self) -> bool {
        fs::read_to_string(self.path("log")).unwrap().contains("a checkpoint is shown")
    }

    /// What the shoe says to who asks it: how many lines it has seen, and all that is said.
    fn asked(&self) -> (Option<u64>, Ended) {
        let asks = ["device", "witness", "shoe", "--config", "station.toml"];
        let said = run(sabot(asks).current_dir(self.folder.path()));
        let lines = said.out.split_once("has seen ").map(|(_, rest)| rest.split_once(' ').unwrap().0.parse().unwrap());
        (lines, said)
    }

    /// Stations, until the shoe has seen more lines than that, which the record begins with; how many.
    fn serves_until_seen(&self, more_than: u64) -> u64 {
        let until = Instant::now() + PATIENCE;
        loop {
            self.serves_until("a checkpoint is shown", Self::shows);
            let (lines, said) = self.asked();
            if let Some(lines) = lines.filter(|lines| *lines > more_than) {
                assert_eq!((said.status, said.out.ends_with(": the record begins as it was\n")), (0, true), "{said:?}");
                return lines;
            }
            assert!(Instant::now() < until, "{said:?}");
        }
    }

    /// The files of the record, and what is in them.
    fn record(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let files = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let of_record =
            files.filter(|path| path.is_file() && path.file_name().unwrap().to_str().unwrap().starts_with("record"));
        of_record.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }

    fn remove_record(&self) {
        self.record().into_iter().for_each(|(path, _)| fs::remove_file(path).unwrap());
    }

    fn told(&self, status: &str) -> Vec<Value> {
        let lines = recorded(&self.path("record"));
        lines.into_iter().filter(|line| line["device"] == "shoe" && line["status"] == status).collect()
    }
}

#[test]
fn a_record_that_was_set_back_is_found_by_the_device_that_has_seen_more_of_it() {
    let table = Table::new();
    let (lines, said) = table.asked();
    assert_eq!((lines, said.status), (None, 1), "{said:?}");
    assert!(said.out.contains("keeps no checkpoint"), "{said:?}");
    let first = table.serves_until_seen(0);
    let backup = table.record();
    let second = table.serves_until_seen(recorded(&table.path("record")).len() as u64);
    assert!(second > first && table.told("checkpoint_back").is_empty());

    table.remove_record();
    backup.into_iter().for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
    let verified = run(sabot(["journal", "verify", "record"]).current_dir(table.folder.path()));
    assert_eq!(verified.status, 0, "nothing else tells that lines are missing: {verified:?}");
    table.serves_until("the shoe is heard", |table| !table.told("checkpoint_back").is_empty());
    let [told] = &table.told("checkpoint_back")[..] else { panic!("{:?}", table.told("checkpoint_back")) };
    assert_eq!(told["answers"][0]["severity"], "integrity", "{told}");
    let detail = told["detail"].as_str().unwrap();
    // the station that starts adds lines: so many may be there, and they are others
    assert!(detail.contains(&format!("{second} lines")), "{detail}");
    let (lines, said) = table.asked();
    assert_eq!((lines, said.status), (Some(second), 1), "it keeps what it has seen: {said:?}");

    table.remove_record();
    table.serves_until("another record", |table| !table.told("checkpoint_other").is_empty());
    let [told] = &table.told("checkpoint_other")[..] else { panic!("{:?}", table.told("checkpoint_other")) };
    assert!(told["answers"].is_null(), "a record may be begun: {told}");
}
