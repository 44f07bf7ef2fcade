//! What a person enters on the keypad of a table, as the record and the display have it: twins on pseudo-terminals.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{ChildStdin, Stdio};
use std::time::{Duration, Instant};

use crate::process::{self, Process, run, sabot};
use sabot_stall_guard::PATIENCE;

/// A table under a house's own regulation, with a keypad and a display.
struct Table {
    folder: tempfile::TempDir,
    keypad: ChildStdin,
    _running: Vec<Process>,
}

impl Table {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        file("house.toml", include_str!("../../docs/house.toml"));
        let device = |role| format!("[[device]]\nrole = \"{role}\"\nport = \"{role}\"\n");
        let devices = [device("keypad"), device("display")].concat();
        let head = "table = \"K\"\nregulation = \"house.toml\"\nlimits = { min = 1, max = 100 }\n\
                    listen = \"127.0.0.1:0\"\njournal = \"record\"\nlang = \"en\"\n";
        file("station.toml", &format!("{head}{devices}"));
        let twin = |role: &str| {
            let shown = fs::File::create(folder.path().join(format!("{role}.out"))).unwrap();
            let (link, keys) = (folder.path().join(role), folder.path().join("keys.toml"));
            let mut twin = sabot(["twin", role, "--stay"]);
            let twin = Process::start(twin.arg(&link).arg("--keys").arg(keys).stdin(Stdio::piped()).stdout(shown));
            eventually("the twin has its port", || link.exists());
            twin
        };
        let (mut keypad, display) = (twin("keypad"), twin("display"));
        let (station, _) = process::station(&folder.path().join("station.toml"), "info");
        let stdin = keypad.stdin();
        Self { keypad: stdin, _running: vec![station, keypad, display], folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// What is entered, and what the record then has.
    fn enter(&mut self, said: &str, recorded: &str) {
        writeln!(self.keypad, r#"{{"Keypad":{said}}}"#).unwrap();
        eventually(recorded, || self.text("record").contains(recorded));
    }

    /// Waits until the display shows this, or shows it no more.
    fn shows(&self, what: &str, is_shown: bool) {
        eventually(&format!("on the display: {what}, {is_shown}"), || {
            let shown = self.text("display.out");
            shown.rsplit("--- lamp").next().unwrap_or_default().contains(what) == is_shown
        });
    }

    /// What an auditor's replay of the record answers.
    fn replay(&self) -> String {
        run(sabot(["replay", "--lang", "en"]).arg(self.path("record"))).out
    }
}

fn eventually(what: &str, happens: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !happens() {
        assert!(Instant::now() < until, "still not so: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn report(article: u16) -> String {
    format!(r#"{{"Report":{{"badge":4,"role":"inspector","note":2,"article":{article},"box_no":3}}}}"#)
}

/// The number that the printed list gives an article.
fn printed(table: &Table, article: &str) -> u16 {
    let file = table.path("house.toml");
    let list = run(&mut sabot(["regulation", "keys", "--lang", "en", "--regulation", file.to_str().unwrap()])).out;
    let line = list.lines().find(|line| line.split_whitespace().nth(1) == Some(article)).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn an_article_of_an_own_regulation_is_entered_by_the_number_that_is_printed() {
    let mut table = Table::new();
    for article in ["T-R1", "C17"] {
        let number = printed(&table, article);
        let recorded = format!(r#""provision":"{article}","box":"3","note":"apuestas entre jugadores""#);
        table.enter(&report(number), &recorded);
        let found = table.replay();
        assert!(found.contains(&format!(r#""provision":"{article}","box":"3","severity":"notice""#)), "{found}");
    }
}

#[test]
fn a_number_that_is_no_articles_is_told_at_the_display_and_the_report_is_the_rooms() {
    let mut table = Table::new();
    // D10 is left out of this regulation
    for number in [410, 999, 65535] {
        table.enter(&report(number), &format!(r#""provision":"{number}","box":"3","note":"apuestas entre jugadores""#));
        table.shows(&format!("KEYPAD: no article {number}: the room"), true);
    }
    let found = table.replay();
    assert_eq!(found.matches(r#""provision":"C20","box":"3","severity":"irregularity""#).count(), 3, "{found}");
    table.enter(r#""CloseBets""#, r#""ev":"close_bets""#);
    table.shows("KEYPAD", false);
}

#[test]
fn what_cannot_be_meant_is_told_at_the_display_until_the_next_entry() {
    let mut table = Table::new();
    table.enter(r#"{"Consent":{"box_no":9,"yes":true}}"#, r#""status":"bad_report""#);
    table.shows("KEYPAD: box 9, hand 0: this table has 7", true);
    table
        .enter(r#"{"Report":{"badge":4,"role":"room","note":70,"article":317,"box_no":null}}"#, r#""provision":"C17""#);
    table.shows("KEYPAD: no note 70", true);
    table.enter(r#""CloseBets""#, r#""ev":"close_bets""#);
    table.shows("KEYPAD", false);
}
