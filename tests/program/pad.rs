//! A numeric pad at a station: what its device file gives, played through a named pipe, as the record has it.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::process::{self, Process, sabot};
use sabot_stall_guard::PATIENCE;
use serde_json::Value;

/// Codes of the kernel for keys of a pad.
const ENTER: u16 = 96;
const BACKSPACE: u16 = 14;
const ONE: u16 = 79;
const STAR: u16 = 55;

/// By then a hand has seen what is offered.
const SEES: Duration = Duration::from_millis(400);

/// One record of evdev.
fn record(kind: u16, code: u16, value: i32) -> Vec<u8> {
    let time = [0; 2 * size_of::<usize>()];
    [&time[..], &kind.to_ne_bytes(), &code.to_ne_bytes(), &value.to_ne_bytes()].concat()
}

struct Table {
    folder: tempfile::TempDir,
    chips: Process,
    _station: Process,
}

impl Table {
    /// With chips, and a pad that is not there yet.
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let config = "table = \"P\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 9000 }\n\
                      listen = \"127.0.0.1:0\"\njournal = \"record\"\nlang = \"en\"\n\
                      [settings]\nmay_correct = [\"inspector\", \"dealer\"]\n\
                      [[device]]\nrole = \"chips\"\nport = \"chips\"\n\
                      [[device]]\nrole = \"keypad\"\ndriver = \"pad\"\nport = \"pad\"\n";
        fs::write(at("station.toml"), config).unwrap();
        let mut twin = sabot(["twin", "chips", "--stay"]);
        let chips = Process::start(twin.arg(at("chips")).arg("--keys").arg(at("keys.toml")).stdin(Stdio::piped()));
        eventually("the twin has its port", || at("chips").exists());
        let (_station, _) = process::station(&at("station.toml"), "info");
        let table = Self { folder, chips, _station };
        table.until("the chips are there", |line| line["device"] == "chips" && line["status"] == "online", 1);
        table
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn record(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.path("record")).unwrap_or_default();
        let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn count(&self, is_it: impl Fn(&Value) -> bool) -> usize {
        self.record().iter().filter(|line| is_it(line)).count()
    }

    fn until(&self, what: &str, is_it: impl Fn(&Value) -> bool, times: usize) {
        eventually(what, || self.count(&is_it) == times);
    }

    /// The pad is plugged in: its keys are pressed by what this returns.
    fn plugs(&self) -> Pad {
        let fresh = self.path("fresh");
        assert!(Command::new("mkfifo").arg(&fresh).status().unwrap().success());
        // somebody has it open for writing before the station finds it: else it would end at once
        let pipe = File::options().read(true).write(true).open(&fresh).unwrap();
        fs::rename(fresh, self.path("pad")).unwrap();
        Pad(pipe)
    }

    /// Its plug is pulled.
    fn pulls(&self, pad: Pad) {
        fs::remove_file(self.path("pad")).unwrap();
        drop(pad);
    }
}

struct Pad(File);

impl Pad {
    /// A key goes down, is held until it repeats, and goes up.
    fn presses(&mut self, key: u16) {
        std::thread::sleep(SEES);
        let report = record(0, 0, 0);
        let records = [1, 2, 0].map(|value| [record(4, 4, 458_843), record(1, key, value), report.clone()].concat());
        self.0.write_all(&records.concat()).unwrap();
    }
}

fn eventually(what: &str, happens: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !happens() {
        assert!(Instant::now() < until, "still not so: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn is_pad(status: &'static str) -> impl Fn(&Value) -> bool {
    move |line| line["device"] == "keypad" && line["status"] == status
}

#[test]
fn the_keys_of_a_pad_enter_what_the_dealers_screen_offers_also_when_it_was_unplugged() {
    let mut table = Table::start();
    let mut pad = table.plugs();
    table.until("the pad is there", is_pad("online"), 1);
    let spot = r#"{"Chips":{"Spot":{"box_no":2,"hand":0,"spot":"main","chips":[{"uid":1,"value":500}]}}}"#;
    writeln!(table.chips.stdin(), "{spot}").unwrap();
    table.until("a bet", |line| line["ev"] == "bet", 1);
    let closes = |line: &Value| line["ev"] == "close_bets" && line["entered"] == "pad";
    // until the shoe is authorised nothing is due
    pad.presses(ENTER);
    pad.presses(ONE);
    table.until("the first touch is entered", closes, 1);
    pad.presses(BACKSPACE);
    table.until("and taken back", |line| line["ev"] == "correct" && line["role"] == "dealer", 1);
    pad.presses(STAR);
    table.pulls(pad);
    table.until("the pad is gone, as it was at the start", is_pad("offline"), 2);
    let mut pad = table.plugs();
    table.until("and there again", is_pad("online"), 2);
    pad.presses(ONE);
    table.until("it is entered again", closes, 2);
    assert_eq!(table.count(|line| !line["entered"].is_null()), 2, "no other key enters anything");
}

#[test]
fn what_is_no_pad_is_told_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let device = "[[device]]\nrole = \"keypad\"\ndriver = \"pad\"\nport = \"pad\"\n";
    let head = "table = \"P\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 9000 }\njournal = \"record\"\n";
    fs::write(at("station.toml"), format!("{head}{device}")).unwrap();
    let told = || {
        let devices = process::run(sabot(["devices", "--config"]).arg(at("station.toml")));
        devices.out + &devices.err
    };
    fs::write(at("pad"), "").unwrap();
    assert!(told().contains("an ordinary file"), "{}", told());
    fs::remove_file(at("pad")).unwrap();
    std::os::unix::fs::symlink("/dev/ptmx", at("pad")).unwrap();
    assert!(told().contains("it is no keyboard"), "{}", told());
}
