//! What a person enters on the keypad of a table, as the record and the display have it: twins on pseudo-terminals.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{ChildStdin, Stdio};
use std::time::{Duration, Instant};

use crate::process::{self, Process, run, sabot};
use sabot_stall_guard::PATIENCE;

/// A table with twins of some devices, a keypad and a display among them.
struct Table {
    folder: tempfile::TempDir,
    stdin: BTreeMap<&'static str, ChildStdin>,
    _running: Vec<Process>,
}

impl Table {
    /// Under the regulation of that identifier or file, with a keypad, a display and these.
    fn new(regulation: &str, more: &[&'static str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        file("house.toml", include_str!("../../docs/house.toml"));
        let device = |role: &&str| format!("[[device]]\nrole = \"{role}\"\nport = \"{role}\"\n");
        let roles = [&["keypad", "display"], more].concat();
        let devices: String = roles.iter().map(device).collect();
        let head = format!(
            "table = \"K\"\ntest_mode = true\nregulation = \"{regulation}\"\nlimits = {{ min = 1, max = 9000 }}\n\
             listen = \"127.0.0.1:0\"\njournal = \"record\"\nlang = \"en\"\n"
        );
        file("station.toml", &format!("{head}{devices}"));
        let twin = |role: &str| {
            let shown = fs::File::create(folder.path().join(format!("{role}.out"))).unwrap();
            let (link, keys) = (folder.path().join(role), folder.path().join("keys.toml"));
            let mut twin = sabot(["twin", role, "--stay"]);
            let twin = Process::start(twin.arg(&link).arg("--keys").arg(keys).stdin(Stdio::piped()).stdout(shown));
            eventually("the twin has its port", || link.exists());
            twin
        };
        let mut running: Vec<_> = roles.iter().map(|role| twin(role)).collect();
        let stdin = roles.iter().copied().zip(running.iter_mut().map(Process::stdin)).collect();
        running.insert(0, process::station(&folder.path().join("station.toml"), "info").0);
        let table = Self { stdin, _running: running, folder };
        let online = || table.text("record").matches(r#""status":"online""#).count() == roles.len();
        eventually("all devices are online", online);
        table
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// What is entered, and what the record then has.
    fn enter(&mut self, said: &str, recorded: &str) {
        self.saw("keypad", &format!(r#"{{"Keypad":{said}}}"#), recorded);
    }

    /// What a device sees, and what the record then has beside what it had; the line.
    fn saw(&mut self, role: &str, saw: &str, recorded: &str) -> usize {
        let before = self.text("record").lines().count();
        writeln!(self.stdin.get_mut(role).unwrap(), "{saw}").unwrap();
        let at = || {
            let record = self.text("record");
            record.lines().enumerate().skip(before).find(|(_, line)| line.contains(recorded)).map(|(at, _)| at + 1)
        };
        eventually(recorded, || at().is_some());
        at().unwrap()
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
    let mut table = Table::new("house.toml", &[]);
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
    let mut table = Table::new("house.toml", &[]);
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
    let mut table = Table::new("house.toml", &[]);
    table.enter(r#"{"Consent":{"box_no":9,"yes":true}}"#, r#""status":"bad_report""#);
    table.shows("KEYPAD: box 9, hand 0: this table has 7", true);
    table
        .enter(r#"{"Report":{"badge":4,"role":"room","note":70,"article":317,"box_no":null}}"#, r#""provision":"C17""#);
    table.shows("KEYPAD: no note 70", true);
    table.enter(r#""CloseBets""#, r#""ev":"close_bets""#);
    table.shows("KEYPAD", false);
}

#[test]
fn an_inspector_names_a_card_that_was_not_read_and_puts_right_a_misread_one() {
    let mut table = Table::new("sala-8", &["shoe", "shuffler", "chips"]);
    for seat in 1..=3 {
        table.enter(&format!(r#"{{"Seat":{{"seat":{seat},"player":{seat}}}}}"#), &format!(r#""seat":{seat}"#));
    }
    table.enter(r#"{"Authorize":{"badge":4,"role":"inspector","what":"shuffle"}}"#, r#""authorize""#);
    table.saw("shuffler", r#"{"Shuffler":{"Done":{"decks":8,"cards":416}}}"#, r#""shuffle""#);
    table.enter(r#"{"Cut":{"depth":150,"player":1}}"#, r#""cut""#);
    table.saw("shoe", r#"{"Shoe":{"Loaded":{"cards":416,"cut_card":52}}}"#, r#""load""#);
    for box_no in 1..=3 {
        let chip = format!(r#"[{{"uid":{box_no},"value":5000}}]"#);
        let spot = format!(r#"{{"box_no":{box_no},"hand":0,"spot":"main","chips":{chip}}}"#);
        table.saw("chips", &format!(r#"{{"Chips":{{"Spot":{spot}}}}}"#), r#""amount":5000"#);
    }
    table.enter(r#""CloseBets""#, "close_bets");
    let mut lines = Vec::new();
    let cards = [("8H", 1), ("5C", 2), ("TD", 3), ("9S", 0), ("TC", 1), ("??", 2), ("QH", 3), ("2C", 0)];
    for (card, box_no) in cards {
        let place = if box_no == 0 { "bank".to_owned() } else { box_no.to_string() };
        let face = if card == "2C" { "down" } else { "up" };
        writeln!(table.stdin.get_mut("shoe").unwrap(), r#"{{"Shoe":{{"Drawn":"{card}"}}}}"#).unwrap();
        let arrived = format!(r#"{{"Chips":{{"CardArrived":{{"place":"{place}","face":"{face}"}}}}}}"#);
        let told = if face == "down" { "??" } else { card };
        lines.push(table.saw("chips", &arrived, &format!(r#"{{"ev":"draw","card":"{told}","to":"{place}","#)));
    }
    table.shows("C20 BOX 2", true);

    table.enter(r#"{"CardIs":{"place":"bank","card":"2C"}}"#, r#""status":"bad_report""#);
    table.shows("KEYPAD: bank: a card is covered; it is", true);
    assert!(["display.out", "log", "record"].iter().all(|name| !table.text(name).contains("2C")));
    table.enter(r#"{"CardIs":{"place":"2","card":"7D"}}"#, r#""ev":"reveal","at":"2","card":"7D""#);
    table.shows("C20 BOX 2", false);
    table.shows("KEYPAD", false);
    let correct = format!(r#"{{"Correct":{{"badge":4,"role":"inspector","line":{},"how":"Instead"}}}}"#, lines[2]);
    table.enter(&correct, r#""correcting""#);
    table.enter(
        r#"{"Dealt":{"card":"JD","to":"3","face":"up"}}"#,
        r#""event":{"ev":"draw","card":"JD","to":"3","face":"up"}"#,
    );
    let answers = table.replay();
    let counts = |what: &str| answers.matches(what).count();
    assert_eq!((counts(r#""out":"finding""#), counts(r#""out":"cleared""#)), (1, 1), "{answers}");
    assert!(answers.contains(r#""provision":"C20","box":"2","severity":"notice""#), "{answers}");
}

#[test]
fn a_correction_that_was_begun_is_at_the_display_until_its_entry_comes_or_it_is_left() {
    let mut table = Table::new("sala-8", &[]);
    let correct =
        |line: u32, how: &str| format!(r#"{{"Correct":{{"badge":4,"role":"inspector","line":{line},"how":"{how}"}}}}"#);
    table.enter(r#""CloseBets""#, r#""ev":"close_bets""#);
    let line = u32::try_from(table.text("record").lines().count()).unwrap();
    table.enter(&correct(line, "Instead"), r#""detail":"instead "#);
    table.shows("CORRECTION", true);
    table.enter(&correct(0, "Strike"), r#""detail":"none 0 "#);
    table.shows("CORRECTION", false);
    table.enter(r#"{"Seat":{"seat":1,"player":7}}"#, r#"{"ev":"seat","seat":1"#);
    table.enter(&correct(line, "After"), r#""detail":"after "#);
    table.shows("CORRECTION", true);
    table.enter(r#"{"Seat":{"seat":2,"player":8}}"#, &format!(r#""after":{line},"event":{{"ev":"seat","seat":2"#));
    table.shows("CORRECTION", false);
}
