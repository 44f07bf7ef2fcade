//! The link as somebody else wrote it: `docs/examples`, from the page alone, on real pseudo-terminals before the
//! program. What they see comes once and in order, and what they say wrong is told.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{ChildStdin, Stdio};
use std::time::{Duration, Instant};

use crate::examples::{self, CODE, Example};
use crate::process::{Process, run, sabot};
use sabot_stall_guard::PATIENCE;
use serde_json::Value;

/// A folder with a station's file, the example's memory, and both at work.
struct Bench {
    example: Example,
    folder: tempfile::TempDir,
    shoe: Option<(Process, ChildStdin)>,
    station: Option<Process>,
    drawn: Vec<&'static str>,
}

impl Bench {
    /// The example is given its key and is in session.
    fn paired(example: Example) -> Self {
        Self::paired_by(example, &["--in-clear"])
    }

    fn paired_by(example: Example, how: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = "table = \"P\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100 }\n\
                      listen = \"127.0.0.1:0\"\njournal = \"record\"\n[[device]]\nrole = \"shoe\"\nport = \"shoe\"\n";
        fs::write(folder.path().join("station.toml"), config).unwrap();
        let mut bench = Self { example, folder, shoe: None, station: None, drawn: Vec::new() };
        bench.starts_shoe();
        let mut pair = sabot(["device", "pair", "--wait", "20", "shoe", "--config"]);
        let paired = run(pair.arg(bench.path("station.toml")).args(how));
        assert!(paired.out.contains("-0001 is paired"), "{}{}", paired.out, paired.err);
        bench.starts_station();
        bench.until("online", 1);
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn starts_shoe(&mut self) {
        let mut command = (self.example)(&self.path("shoe"), &self.path("memory"));
        let child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut shoe = Process(child.expect("the example starts"));
        let said = shoe.error_lines().next();
        assert!(said.as_ref().is_some_and(|said| said.contains("-0001 is at")), "{said:?}");
        let stdin = shoe.stdin();
        self.shoe = Some((shoe, stdin));
    }

    fn starts_station(&mut self) {
        let config = self.path("station.toml");
        self.station = Some(Process::start(&mut sabot(["run", "--config", config.to_str().unwrap()])));
    }

    /// As a power cut ends it. Its port goes with it: the next pseudo-terminal of that name may be somebody else's.
    fn kills_shoe(&mut self) {
        fs::remove_file(self.path("shoe")).unwrap();
        drop(self.shoe.take());
    }

    fn types(&mut self, line: &str) {
        writeln!(self.shoe.as_mut().unwrap().1, "{line}").unwrap();
    }

    fn draws(&mut self, cards: &[&'static str]) {
        for card in cards {
            self.types(card);
            self.drawn.push(card);
        }
    }

    /// The lines of the record, each once it is whole.
    fn record(&self) -> Vec<Value> {
        let text = fs::read(self.path("record")).unwrap_or_default();
        let lines = text.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
        lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
    }

    /// The lines with that status, once there are so many.
    fn until(&self, status: &str, many: usize) -> Vec<Value> {
        let began = Instant::now();
        loop {
            let lines: Vec<_> = self.record().into_iter().filter(|line| line["status"] == status).collect();
            if lines.len() >= many {
                return lines;
            }
            assert!(began.elapsed() < PATIENCE, "{status}: {lines:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Everything drawn is in the record, once and in order.
    fn all_recorded(&self) {
        let drawn = || -> Vec<String> {
            let record = self.record();
            record
                .iter()
                .filter(|line| line["ev"] == "draw")
                .map(|line| line["card"].as_str().unwrap().into())
                .collect()
        };
        let began = Instant::now();
        while drawn().len() < self.drawn.len() {
            assert!(began.elapsed() < PATIENCE, "{:?} of {:?}", drawn(), self.drawn);
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(drawn(), self.drawn);
    }
}

fn tells_every_card_once_and_in_order_whoever_loses_power(example: Example) {
    let mut bench = Bench::paired(example);
    bench.draws(&["9H", "TS", "??"]);
    bench.all_recorded();
    drop(bench.station.take());
    bench.draws(&["2C", "3D"]);
    bench.starts_station();
    bench.draws(&["AS"]);
    bench.all_recorded();
    bench.kills_shoe();
    bench.until("offline", 1);
    bench.starts_shoe();
    bench.draws(&["KD", "4H"]);
    bench.all_recorded();
    bench.until("online", 2);
}

#[test]
fn the_example_in_python_tells_every_card_once_and_in_order_whoever_loses_power() {
    tells_every_card_once_and_in_order_whoever_loses_power(examples::python);
}

#[test]
fn the_example_in_c_tells_every_card_once_and_in_order_whoever_loses_power() {
    tells_every_card_once_and_in_order_whoever_loses_power(examples::c);
}

fn is_paired_by_the_code_on_its_housing(example: Example) {
    let mut bench = Bench::paired_by(example, &["--code", CODE]);
    bench.draws(&["9H", "TS"]);
    bench.all_recorded();
    // it keeps the key that was drawn
    bench.kills_shoe();
    bench.starts_shoe();
    bench.until("online", 2);
    bench.draws(&["2C"]);
    bench.all_recorded();
}

#[test]
fn the_example_in_python_is_paired_by_the_code_on_its_housing() {
    is_paired_by_the_code_on_its_housing(examples::python_with_code);
}

#[test]
fn the_example_in_c_is_paired_by_the_code_on_its_housing() {
    is_paired_by_the_code_on_its_housing(examples::c_with_code);
}

fn what_is_said_wrong_is_recorded_with_its_number_and_the_cards_go_on(example: Example) {
    let mut bench = Bench::paired(example);
    bench.draws(&["9H"]);
    bench.types("raw 09"); // an observation of no kind there is
    bench.types("raw 00004d"); // a card of code 77
    bench.types("raw 02020000"); // another device's: cards moved
    bench.draws(&["TS"]);
    bench.all_recorded();
    let told: Vec<String> = bench.until("bad_report", 3).iter().map(|line| line["detail"].to_string()).collect();
    assert!(told[0].contains("event 2 means nothing") && told[1].contains("event 3 means nothing"), "{told:?}");
    let missed: Vec<Value> = bench.until("events_missed", 2).into_iter().map(|line| line["detail"].clone()).collect();
    assert_eq!(missed[..2], ["2 to 2", "3 to 3"]);
}

#[test]
fn what_the_example_in_python_says_wrong_is_recorded_with_its_number_and_the_cards_go_on() {
    what_is_said_wrong_is_recorded_with_its_number_and_the_cards_go_on(examples::python);
}

#[test]
fn what_the_example_in_c_says_wrong_is_recorded_with_its_number_and_the_cards_go_on() {
    what_is_said_wrong_is_recorded_with_its_number_and_the_cards_go_on(examples::c);
}

#[test]
fn a_ring_that_is_lost_and_begun_again_under_its_old_epoch_costs_no_card_in_silence() {
    let mut bench = Bench::paired(examples::python);
    bench.draws(&["9H", "TS", "2C"]);
    bench.all_recorded();
    bench.kills_shoe();
    bench.until("offline", 1);
    let mut memory: Value = serde_json::from_slice(&fs::read(bench.path("memory")).unwrap()).unwrap();
    (memory["oldest"], memory["ring"]) = (1.into(), Value::Array(Vec::new()));
    fs::write(bench.path("memory"), memory.to_string()).unwrap();
    bench.starts_shoe();
    bench.draws(&["3D", "AS"]);
    assert_eq!(bench.until("ring_lost", 1)[0]["detail"], "after event 3");
    bench.all_recorded();
}
