//! A running station whose disk fails, and whose record others delete, cut, fill or rewrite: the real program, a real
//! file, and a disk that a library between the two makes fail.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use sabot_stall_guard::PATIENCE;
use sabot_wire::message::{KeypadSaid, Observation};

use crate::acts::add;
use crate::process::{Process, sabot, station_by};
use crate::processes::{Table, answered};

/// A table whose record's disk does what it is told.
pub(crate) struct Guarded {
    pub(crate) table: Table,
    station: Process,
    pub(crate) address: String,
}

impl Guarded {
    fn start() -> Self {
        Self::of(Table::start())
    }

    /// The same at a table where people act.
    pub(crate) fn with_people() -> Self {
        let table = Table::start();
        assert_eq!(add(&table, "I-4", "inspector", 4, "402913").status, 0);
        let config = table.path("station.toml");
        let text = fs::read_to_string(&config).unwrap();
        fs::write(&config, format!("staff = \"staff.toml\"\n{text}")).unwrap();
        Self::of(table)
    }

    fn of(table: Table) -> Self {
        let library = table.path("disk.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/disk.c");
        let mut compiler = Command::new("cc");
        let made = compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]).arg(&library).arg(source);
        assert!(made.arg("-ldl").status().expect("a C compiler").success());
        let (station, address) = run(&table);
        let mut guarded = Self { table, station, address };
        guarded.is_well_again();
        guarded.tells();
        guarded
    }

    fn record(&self) -> PathBuf {
        self.table.path("record")
    }

    pub(crate) fn disk(&self, does: &str) {
        // whole or not at all: the library reads it at any moment
        fs::write(self.table.path("next"), does).unwrap();
        fs::rename(self.table.path("next"), self.table.path("disk")).unwrap();
    }

    /// The keypad tells of something that no article minds.
    pub(crate) fn tells(&mut self) {
        self.table.sees(&Observation::Keypad(KeypadSaid::Seat { seat: 1, player: 1 }));
    }

    fn health(&self) -> String {
        answered(&self.address, "/healthz")
    }

    /// Waits until health gives this reason, and the pit display tells people to stop; how long health took.
    fn stops_the_table(&self, because: &str) -> Duration {
        let since = Instant::now();
        self.table.until(because, || self.health().contains(because));
        let took = since.elapsed();
        assert!(self.health().starts_with("HTTP/1.1 503"), "{}", self.health());
        let shown = self.table.path("display.shown");
        self.table.until("the display stops the table", || {
            fs::read_to_string(&shown).unwrap().contains("DETENER EL REPARTO")
        });
        let metrics = answered(&self.address, "/metrics");
        assert!(metrics.contains("sabot_journal_writable{table=\"P\"} 0"), "{metrics}");
        assert!(!answered(&self.address, "/?lang=en").contains("class=\"tick\""));
        println!("{because}: told after {} ms", took.as_millis());
        took
    }

    fn is_well_again(&self) {
        self.table.until("it is well", || self.health().starts_with("HTTP/1.1 200"));
    }

    /// Told to stop, it ends; what it said last.
    fn stops(&mut self) -> (Option<i32>, String) {
        self.station.signal("-TERM");
        let until = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.station.0.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < until, "it does not stop");
            std::thread::sleep(Duration::from_millis(5));
        };
        (status.code(), self.table.log())
    }
}

fn run(table: &Table) -> (Process, String) {
    let (config, library) = (table.path("station.toml"), table.path("disk.so"));
    let mut run = sabot(["run", "--config"]);
    run.arg(&config).env("RUST_LOG", "info").env("LD_PRELOAD", library).env("SABOT_DISK", table.path("disk"));
    station_by(&mut run, &config)
}

#[test]
fn a_disk_that_hangs_is_full_or_may_only_be_read_stops_the_table_and_loses_nothing() {
    let mut guarded = Guarded::start();
    for (does, because) in [
        ("hangs", "the disk does not answer"),
        ("full", "No space left on device"),
        ("readonly", "Read-only file system"),
    ] {
        guarded.disk(does);
        guarded.tells();
        guarded.stops_the_table(because);
        guarded.disk("");
        guarded.is_well_again();
    }
    guarded.table.expect_all_acknowledged();
    let record = guarded.table.record();
    let faults = record.iter().filter(|line| line["status"] == "record_fault").count();
    let seats = record.iter().filter(|line| line["ev"] == "seat").count();
    assert_eq!((faults, seats), (3, 4), "each fault is on record when it is over, and nothing is lost");
    assert_eq!(guarded.stops().0, Some(0));
}

#[test]
fn a_station_whose_disk_hangs_stops_when_it_is_told_to() {
    let mut guarded = Guarded::start();
    guarded.disk("hangs");
    guarded.tells();
    guarded.stops_the_table("the disk does not answer");
    let (code, log) = guarded.stops();
    assert_eq!(code, Some(1), "{log}");
    assert!(log.contains("the disk does not answer; the devices keep what came after it"), "{log}");
}

#[test]
fn a_station_whose_disk_hangs_while_it_starts_is_not_well_and_stops_when_it_is_told_to() {
    let mut guarded = Guarded::start();
    assert_eq!(guarded.stops().0, Some(0));
    // it would be missed while what is known of it stays
    for file in [guarded.record(), format!("{}.synced", guarded.record().display()).into()] {
        fs::remove_file(file).unwrap();
    }
    guarded.disk("hangs");
    (guarded.station, guarded.address) = run(&guarded.table);
    guarded.table.until("a record is begun", || guarded.record().exists());
    assert!(guarded.health().starts_with("HTTP/1.1 503"), "{}", guarded.health());
    assert_eq!(guarded.stops().0, Some(0), "nothing was taken that could be lost");
}

#[test]
fn a_record_that_others_delete_replace_cut_lengthen_or_rewrite_stops_the_table() {
    type Tampers = fn(&Path);
    let cases: [(&str, Tampers); 5] = [
        ("is gone", |record| fs::remove_file(record).unwrap()),
        ("another file has", |record| {
            let other = record.with_extension("other");
            // one that is the same to the byte is taken for the record, put back
            fs::write(&other, fs::read_to_string(record).unwrap().replace("\"seat\":1", "\"seat\":2")).unwrap();
            fs::rename(other, record).unwrap();
        }),
        ("was cut", |record| OpenOptions::new().write(true).open(record).unwrap().set_len(50).unwrap()),
        ("somebody else writes", |record| {
            OpenOptions::new().append(true).open(record).unwrap().write_all(b"{}\n").unwrap();
        }),
        ("was rewritten", |record| {
            let text = fs::read_to_string(record).unwrap().replace("\"seat\":1", "\"seat\":2");
            OpenOptions::new().write(true).open(record).unwrap().write_all(text.as_bytes()).unwrap();
        }),
    ];
    for (because, tampers) in cases {
        let mut guarded = Guarded::start();
        let record = guarded.record();
        guarded.table.until("the entry is on disk", || fs::read_to_string(&record).unwrap().contains("\"seat\":1"));
        tampers(&record);
        guarded.stops_the_table(because);
        assert_eq!(guarded.stops().0, Some(1), "{because}");
    }
}

#[test]
fn a_deleted_record_is_put_back_from_what_the_station_saved_and_nothing_is_missing() {
    let mut guarded = Guarded::start();
    fs::remove_file(guarded.record()).unwrap();
    guarded.stops_the_table("is gone");
    guarded.tells();
    let saved = || {
        let mut files = fs::read_dir(guarded.table.path("")).unwrap().map(|file| file.unwrap().path());
        files.find(|path| path.to_str().unwrap().contains("rescued"))
    };
    // a line that was being written when it was deleted is found out first, and saved at the next look
    guarded.table.until("what was safe is saved", || saved().is_some());
    fs::rename(saved().unwrap(), guarded.record()).unwrap();
    guarded.is_well_again();
    guarded.table.expect_all_acknowledged();
    assert_eq!(guarded.table.record().iter().filter(|line| line["ev"] == "seat").count(), 2);
    assert_eq!(guarded.stops().0, Some(0));
}
