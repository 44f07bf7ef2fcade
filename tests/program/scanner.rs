//! A station whose shoe is a card scanner: real processes, `sabot twin scanner` on a pseudo-terminal and `sabot run`,
//! and the record read from its file.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::process::{Process, sabot};
use sabot_drivers::LinkReport;
use sabot_drivers::scanner::{ScannerConfig, Setup, Symbols, spawn_over};
use sabot_drivers::transport::{Faults, FaultyPlace, SerialPort};
use sabot_simulation::scanner::{Lever, Protocol, ScannerTwin};
use sabot_stall_guard::PATIENCE;
use sabot_station::config::{Config, ConfigError, Driver};
use sabot_wire::message::{Card, Observation, ShoeSaw};
use serde_json::Value;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

/// Longer than a card that is on its way needs, where it is not sent again.
const MOMENT: Duration = Duration::from_millis(700);

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cards.toml")
}

/// Card and symbol of each card of the table in the documentation.
fn symbols() -> Vec<(String, String)> {
    let table: toml::Table = fs::read_to_string(docs()).unwrap().parse().unwrap();
    let cards = table["cards"].as_table().unwrap();
    cards.iter().map(|(symbol, card)| (card.as_str().unwrap().to_owned(), symbol.clone())).collect()
}

/// A table with a scanner, and what has passed it.
struct Table {
    folder: tempfile::TempDir,
    twin: Option<(Process, ChildStdin)>,
    station: Option<Process>,
    protocol: Vec<&'static str>,
    cards: BTreeMap<String, String>,
    passed: Vec<String>,
}

impl Table {
    /// With these keys of the scanner's, and these arguments of its twin's.
    fn new(keys: &str, protocol: &[&'static str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = format!(
            "table = \"S\"\nregulation = \"sala-8\"\nlimits = {{ min = 1, max = 100000000 }}\nlisten = \"127.0.0.1:0\"\n\
             journal = \"record\"\nobserves = []\n[[device]]\nrole = \"shoe\"\ndriver = \"scanner\"\nport = \"scanner\"\n\
             cards = {:?}\n{keys}\n",
            docs()
        );
        fs::write(folder.path().join("station.toml"), config).unwrap();
        let cards = symbols().into_iter().collect();
        let protocol = protocol.to_vec();
        let mut table = Self { folder, twin: None, station: None, protocol, cards, passed: Vec::new() };
        table.start_twin();
        table.start_station();
        table.until("the scanner is there", |record| count(record, "online") > 0);
        table
    }

    fn start_twin(&mut self) {
        let link = self.folder.path().join("scanner");
        let port = ["twin", "scanner", "--stay", "--port", link.to_str().unwrap(), "--protocol"];
        let args = [&port[..], &self.protocol].concat();
        let mut child = sabot(&args).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let told = BufReader::new(child.stderr.take().unwrap()).lines().next().unwrap().unwrap();
        assert!(told.starts_with("the scanner is at "), "{told}");
        let stdin = child.stdin.take().unwrap();
        self.twin = Some((Process(child), stdin));
    }

    fn start_station(&mut self) {
        let log = fs::OpenOptions::new().create(true).append(true).open(self.folder.path().join("log")).unwrap();
        let config = self.folder.path().join("station.toml");
        let mut run = sabot(["run", "--config", config.to_str().unwrap()]);
        self.station = Some(Process(run.env("RUST_LOG", "trace").stderr(log).spawn().unwrap()));
    }

    fn pull(&mut self, lever: &str) {
        writeln!(self.twin.as_mut().unwrap().1, "{lever}").unwrap();
    }

    /// A card passes, and is in the record some time.
    fn pass(&mut self, card: &str) {
        self.pull(&format!("scan {}", self.cards[card]));
        self.passed.push(card.to_owned());
    }

    fn record(&self) -> Vec<Value> {
        let text = fs::read(self.folder.path().join("record")).unwrap_or_default();
        // a line that is being written is not there yet
        let lines = text.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
        lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
    }

    fn until(&self, what: &str, mut so: impl FnMut(&[Value]) -> bool) {
        let began = Instant::now();
        while !so(&self.record()) {
            if began.elapsed() > PATIENCE {
                let log = fs::read_to_string(self.folder.path().join("log")).unwrap();
                panic!("not: {what}; drawn {:?} of {:?}\n{log}", drawn(&self.record()), self.passed);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Everything that has passed is in the record, once and in order, and nothing more comes.
    fn all_recorded(&self) {
        self.until("all cards are drawn", |record| drawn(record).len() >= self.passed.len());
        std::thread::sleep(MOMENT);
        assert_eq!(drawn(&self.record()), self.passed);
    }

    fn is_silent_about(&self, words: &[String]) {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap();
        assert!(log.len() > 1000, "the log is written: {log}");
        for word in words {
            assert!(!log.contains(word), "{word} in {log}");
        }
    }
}

fn drawn(record: &[Value]) -> Vec<String> {
    let draws = record.iter().filter(|line| line["ev"] == "draw");
    draws.map(|line| line["card"].as_str().unwrap().to_owned()).collect()
}

fn count(record: &[Value], status: &str) -> usize {
    record.iter().filter(|line| line["ev"] == "device" && line["status"] == status).count()
}

/// What can happen to a scanner while nobody is there to see what it reads, and it is not lost: cable, power, damage.
fn everything_happens(table: &mut Table) {
    table.pull("scan LOAD-8-52-7F");
    table.until("the shoe is loaded", |record| record.iter().any(|line| line["ev"] == "load" && line["cards"] == 416));
    ["AS", "KH", "7D", "TC", "AS"].iter().for_each(|card| {
        table.pass(card);
        std::thread::sleep(Duration::from_millis(20));
    });
    table.all_recorded();
    table.pull("duplicate on");
    ["2S", "9H"].iter().for_each(|card| {
        table.pass(card);
        std::thread::sleep(Duration::from_millis(200));
    });
    table.all_recorded();
    table.pull("duplicate off");
    for card in ["3S", "8H"] {
        let gone = count(&table.record(), "offline");
        table.pull("unplug");
        table.until("its absence is seen", |record| count(record, "offline") > gone);
        table.pass(card);
        std::thread::sleep(Duration::from_millis(300));
        table.pull("plug");
        table.all_recorded();
    }
    table.pull("restart");
    table.pass("4S");
    table.all_recorded();
    table.pull("noise 20");
    for card in ["5S", "6H", "JD", "QC", "5D", "6C", "JS", "QH", "5C", "6D"] {
        table.pass(card);
        table.until("it is drawn in spite of noise", |record| drawn(record).len() >= table.passed.len());
    }
    table.pull("noise 0");
    table.all_recorded();
    table.pull("noread");
    table.passed.push("??".to_owned());
    table.all_recorded();
    table.pull("scan NO SUCH SYMBOL");
    table.passed.push("??".to_owned());
    table.all_recorded();
    table.pull("scan CUT-5C");
    table.until("the cut card is out", |record| record.iter().any(|line| line["ev"] == "cut_card"));
    table.pass("KC");
    table.all_recorded();
}

#[test]
fn through_ssi_every_card_is_drawn_once_whatever_happens_to_the_line() {
    let mut table = Table::new("protocol = \"ssi\"", &["ssi"]);
    everything_happens(&mut table);
    let record = table.record();
    assert!(record.iter().any(|line| line["detail"].as_str().is_some_and(|at| at.starts_with("SSI-TWIN-001-R00"))));
    assert_eq!(count(&record, "read_error"), 0);
    // mute is absent, and what is muted is sent again
    table.pull("mute");
    table.until("it is missed", |record| count(record, "offline") == 3);
    table.pass("QD");
    table.pull("unmute");
    table.all_recorded();
    // one that its host starts is started for each card
    table.pull("trigger host");
    table.pull("unplug");
    table.until("it is gone", |record| count(record, "offline") == 4);
    table.pull("plug");
    ["2H", "3H", "4H"].iter().for_each(|card| table.pass(card));
    table.all_recorded();
    // a text that takes several packets is no card
    table.pull(&format!("scan {}", "x".repeat(300)));
    table.until("it is refused", |record| count(record, "read_error") == 1);
    table.pass("9S");
    table.all_recorded();
    table.pull("slow 400");
    table.pass("8S");
    table.all_recorded();
    let words = table.passed.iter().filter(|card| *card != "??").map(|card| table.cards[card].clone());
    table.is_silent_about(&words.chain(["NO SUCH SYMBOL".to_owned()]).collect::<Vec<_>>());
}

#[test]
fn through_lines_that_are_acknowledged_every_card_is_drawn_once() {
    let mut table = Table::new("protocol = \"lines\"\nack = true", &["lines", "--ack"]);
    everything_happens(&mut table);
    let words: Vec<String> = table.cards.values().cloned().collect();
    table.is_silent_about(&words);
}

#[test]
fn through_lines_alone_what_passes_while_the_cable_is_out_is_lost_and_the_record_says_that_it_was_out() {
    let mut table = Table::new("protocol = \"lines\"", &["lines"]);
    ["AS", "KH", "AS"].iter().for_each(|card| table.pass(card));
    table.all_recorded();
    table.pull("duplicate on");
    table.pass("7D");
    table.all_recorded();
    table.pull("unplug");
    table.until("its absence is seen", |record| count(record, "offline") == 1);
    table.pull(&format!("scan {}", table.cards["2C"].clone()));
    std::thread::sleep(Duration::from_millis(300));
    table.pull("plug");
    table.until("it is back", |record| count(record, "online") == 2);
    table.pass("8D");
    table.pull("noread");
    table.passed.push("??".to_owned());
    table.all_recorded();
}

#[test]
fn a_station_that_is_killed_at_any_moment_draws_every_card_once() {
    let kills: usize = std::env::var("SABOT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(6);
    let mut table = Table::new("protocol = \"ssi\"", &["ssi"]);
    let cards: Vec<String> = table.cards.keys().cloned().collect();
    for n in 0..kills {
        table.pass(&cards[(2 * n) % 52]);
        // at once, and ever later: before it is read, before it is on disk, before it is acknowledged, after that
        std::thread::sleep(Duration::from_millis(n as u64 * 2));
        table.station.as_mut().unwrap().kill();
        table.start_station();
        table.pass(&cards[(2 * n + 1) % 52]);
        table.all_recorded();
    }
    let record = table.folder.path().join("record");
    assert!(sabot(["journal", "verify", record.to_str().unwrap()]).status().unwrap().success());
}

/// Nothing deterministic hits the moment between disk and acknowledgement, so the scanner does not hear it.
#[test]
fn a_card_whose_acknowledgement_is_lost_is_drawn_once_by_the_same_station_and_by_the_next() {
    let mut table = Table::new("protocol = \"ssi\"", &["ssi"]);
    for (n, card) in ["AS", "KH", "AS", "2C"].into_iter().enumerate() {
        table.pull("deaf on");
        table.pass(card);
        table.until("it is recorded", |record| drawn(record).len() == n + 1);
        std::thread::sleep(Duration::from_millis(100));
        if n >= 2 {
            table.station.as_mut().unwrap().kill();
        }
        table.pull("deaf off");
        if n >= 2 {
            table.start_station();
        }
        // it is sent again after 2 s
        std::thread::sleep(Duration::from_millis(2300));
        table.all_recorded();
    }
    // and an equal card is another one
    table.pass("2C");
    table.all_recorded();
}

#[test]
fn the_table_of_the_documentation_is_whole_and_damage_makes_no_card_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let config = format!(
        "table = \"S\"\nregulation = \"sala-8\"\nlimits = {{ min = 1, max = 2 }}\njournal = \"record\"\n[[device]]\n\
         role = \"shoe\"\ndriver = \"scanner\"\nport = \"scanner\"\nprotocol = \"lines\"\ncards = {:?}\n",
        docs()
    );
    let path = folder.path().join("station.toml");
    let parse = || Config::parse(&path, &config);
    let Driver::Scanner(ScannerConfig { setup, .. }) = parse().unwrap().devices.remove(0).driver else { panic!() };
    assert_eq!((setup.symbols.distance(), setup.symbols.without()), (3, vec![]));
    assert_eq!(setup.symbols.meaning(b"AS-BC"), Some(ShoeSaw::Drawn(Card::from_code(0))));
    for (_, symbol) in symbols() {
        let means = setup.symbols.meaning(symbol.as_bytes());
        for at in 0..symbol.len() {
            for byte in 0..=u8::MAX {
                let mut damaged = symbol.clone().into_bytes();
                damaged[at] = byte;
                assert!([None, means].contains(&setup.symbols.meaning(&damaged)), "{symbol}");
            }
        }
    }
    let elsewhere = config.replace("cards.toml", "no-cards.toml");
    let error = Config::parse(&path, &elsewhere).unwrap_err();
    // at the line that names it
    let ConfigError::Mistake(told) = error else { panic!("{error}") };
    assert!(told.shown.contains("no-cards.toml") && told.instead.contains("docs/cards.toml"), "{told}");
}

/// Faults fall on pieces that end at a zero byte, of which every packet has some.
const WEATHER: Faults = Faults {
    flip: 5_000,
    lose: 2_500,
    noise: 2_500,
    cut: 12_000,
    double: 18_000,
    swap: 0,
    delay: 50_000,
    delay_ms_max: 8,
};

#[tokio::test]
async fn over_a_line_with_faults_every_card_is_told_once_and_no_other() {
    let mut table = Symbols::new(false);
    let cards: Vec<(String, ShoeSaw)> = symbols()
        .into_iter()
        .map(|(card, symbol)| {
            let code = card.parse::<sabot_law::table::Card>().unwrap().index().unwrap();
            (symbol, ShoeSaw::Drawn(Card::from_code(u8::try_from(code).unwrap())))
        })
        .collect();
    cards.iter().for_each(|(symbol, means)| table.add(symbol, *means).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("scanner");
    let twin = ScannerTwin::start(link.clone(), Protocol::Ssi, 1).unwrap();
    let (protocol, symbols) = (Protocol::Ssi, Arc::new(table));
    let setup = Setup { protocol, symbols, duplicate_ms: 400, no_read: None, serial: None, last: None };
    let place = FaultyPlace::new(SerialPort::new(link, 9600), WEATHER, 7);
    let counts = place.counts();
    let (sender, mut reports) = mpsc::channel(64);
    let (_stop, stopped) = watch::channel(false);
    let host = spawn_over(place, setup, sender, stopped);
    for (n, (symbol, means)) in (1..).zip(&cards) {
        twin.pull(Lever::Scan(symbol.clone()));
        let seen = loop {
            let (_, report) = timeout(PATIENCE, reports.recv()).await.unwrap().unwrap();
            if let LinkReport::Saw(seen) = report {
                break seen;
            }
        };
        assert_eq!((seen.seq, &seen.saw), (n, &Some(Observation::Shoe(*means).into())));
        host.ack(seen.epoch, seen.seq);
    }
    let damage = counts.damage();
    eprintln!("{damage} faults, {:?}", host.counters());
    assert!(damage > 10 && host.counters().bad_frames > 5, "too mild: {damage}, {:?}", host.counters());
}
