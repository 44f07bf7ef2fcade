//! A numeric pad at a station: what its device file gives, played through a named pipe, as the record has it.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
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
    twins: [Process; 2],
    _station: Process,
}

/// The devices beside the pad.
const TWINS: [&str; 2] = ["chips", "shoe"];

impl Table {
    /// With chips and a shoe, and a pad that is not there yet.
    fn start() -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), "")
    }

    /// The same, and the pad is there before the station: it sees all of the pass.
    fn start_with_pad(observes: &str) -> (Self, Pad) {
        let folder = tempfile::tempdir().unwrap();
        let pad = plug(folder.path());
        (Self::start_in(folder, observes), pad)
    }

    fn start_in(folder: tempfile::TempDir, observes: &str) -> Self {
        let at = |name: &str| folder.path().join(name);
        let config = format!(
            "table = \"P\"\nregulation = \"sala-8\"\nlimits = {{ min = 1, max = 9000 }}\n{observes}\
             listen = \"127.0.0.1:0\"\njournal = \"record\"\nlang = \"en\"\n\
             [settings]\nmay_correct = [\"inspector\", \"dealer\"]\n\
             [[device]]\nrole = \"chips\"\nport = \"chips\"\n\
             [[device]]\nrole = \"shoe\"\nport = \"shoe\"\n\
             [[device]]\nrole = \"keypad\"\ndriver = \"pad\"\nport = \"pad\"\n"
        );
        fs::write(at("station.toml"), config).unwrap();
        let twins = TWINS.map(|role| {
            let mut twin = sabot(["twin", role, "--stay"]);
            Process::start(twin.arg(at(role)).arg("--keys").arg(at("keys.toml")).stdin(Stdio::piped()))
        });
        TWINS.iter().for_each(|role| eventually("the twin has its port", || at(role).exists()));
        let (_station, _) = process::station(&at("station.toml"), "info");
        let table = Self { folder, twins, _station };
        table.until("both are there", |line| line["device"] != "keypad" && line["status"] == "online", 2);
        table
    }

    /// A device sees this.
    fn sees(&mut self, role: &str, saw: &str) {
        let twin = &mut self.twins[TWINS.iter().position(|known| *known == role).unwrap()];
        writeln!(twin.0.stdin.as_mut().unwrap(), "{saw}").unwrap();
    }

    /// These boxes bet.
    fn bets(&mut self, boxes: &[u8]) {
        for at in boxes {
            let chips = format!(r#"[{{"uid":{at},"value":500}}]"#);
            let spot = format!(r#"{{"box_no":{at},"hand":0,"spot":"main","chips":{chips}}}"#);
            self.sees("chips", &format!(r#"{{"Chips":{{"Spot":{spot}}}}}"#));
        }
        self.until("they have bet", |line| line["ev"] == "bet", boxes.len());
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn record(&self) -> Vec<Value> {
        process::recorded(&self.path("record"))
    }

    fn count(&self, is_it: impl Fn(&Value) -> bool) -> usize {
        self.record().iter().filter(|line| is_it(line)).count()
    }

    fn until(&self, what: &str, is_it: impl Fn(&Value) -> bool, times: usize) {
        let until = Instant::now() + PATIENCE;
        while self.count(&is_it) != times {
            let record = || fs::read_to_string(self.path("record")).unwrap_or_default();
            assert!(Instant::now() < until, "still not so: {what}\n{}", record());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The pad is plugged in.
    fn plugs(&self) -> Pad {
        plug(self.folder.path())
    }

    /// Its plug is pulled.
    fn pulls(&self, pad: Pad) {
        fs::remove_file(self.path("pad")).unwrap();
        drop(pad);
    }
}

struct Pad(File);

/// Makes the pad of a folder be there: its keys are pressed by what this returns.
fn plug(folder: &Path) -> Pad {
    let fresh = folder.join("fresh");
    assert!(Command::new("mkfifo").arg(&fresh).status().unwrap().success());
    // somebody has it open for writing before the station finds it: else it would end at once
    let pipe = File::options().read(true).write(true).open(&fresh).unwrap();
    fs::rename(fresh, folder.join("pad")).unwrap();
    Pad(pipe)
}

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
    table.bets(&[2]);
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
fn enter_enters_what_is_due_and_nothing_where_a_card_is() {
    let (mut table, mut pad) = Table::start_with_pad("observes = [\"bets\", \"decisions\"]\n");
    table.until("the pad is there", is_pad("online"), 1);
    table.bets(&[1, 2, 3]);
    pad.presses(ONE);
    table.until("bets are closed", |line| line["ev"] == "close_bets", 1);
    // what is due is a card, and no key enters that
    pad.presses(ENTER);
    for (nth, card) in (1..).zip(["TS", "9S", "8S", "9H", "9C", "TD", "JH", "5D"]) {
        table.sees("shoe", &format!(r#"{{"Shoe":{{"Drawn":"{card}"}}}}"#));
        table.until("it is drawn", |line| line["ev"] == "draw", nth);
    }
    pad.presses(ENTER);
    let decides = |line: &Value| line["ev"] == "decide" && line["box"] == "1" && line["entered"] == "pad";
    table.until("box 1 is due, and decides", decides, 1);
    pad.presses(BACKSPACE);
    table.until("it is taken back", |line| line["ev"] == "correct", 1);
    pad.presses(ENTER);
    table.until("and entered again", decides, 2);
    assert_eq!(table.count(|line| line["entered"] == "pad"), 3, "{:?}", table.record());
}

#[test]
fn the_help_of_the_station_says_what_each_key_does() {
    let help = process::run(&mut sabot(["run", "--help"])).out;
    for word in ["\"pad\"", "1 to 9", "Enter is what is due", "Backspace takes back"] {
        assert!(help.contains(word), "{word}: {help}");
    }
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
