//! The table by hand, as its page tells it: every command, line and answer is taken from there and followed.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use crate::process::{Ended, Process, run};
use sabot_stall_guard::PATIENCE;

/// Between two lines a person looks for the next terminal.
const HAND: Duration = Duration::from_millis(200);

/// A fenced block of the page: what stands after its fence, and its text.
type Block = (String, String);

fn section(heading: &str) -> Vec<Block> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/drivers.md")).unwrap();
    let section = page.split(&format!("\n## {heading}\n")).nth(1).unwrap().split("\n## ").next().unwrap();
    let fenced = section.split("\n```").skip(1).step_by(2);
    let block = |text: &str| text.split_once('\n').map(|(kind, text)| (kind.to_owned(), text.to_owned() + "\n"));
    fenced.filter_map(block).collect()
}

/// Who sits at the terminals. The page's folder and address are another's while tests run beside each other.
struct Person {
    folder: tempfile::TempDir,
    address: String,
    terminals: BTreeMap<String, (Process, ChildStdin)>,
    typed: usize,
}

impl Person {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        Self { folder, address, terminals: BTreeMap::new(), typed: 0 }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("table").join(name)
    }

    fn shell(&self, text: &str) -> Command {
        let table = self.path("");
        let table = table.to_str().unwrap().trim_end_matches('/');
        let text = text.replace("/tmp/table", table).replace("127.0.0.1:8080", &self.address);
        let mut command = Command::new("bash");
        let programs = Path::new(env!("CARGO_BIN_EXE_sabot")).parent().unwrap().to_str().unwrap();
        let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
        command.args(["-c", &text]).env("PATH", path);
        command
    }

    /// A command that goes on in a terminal of its own: known by its role, the station as `run`.
    fn opens_a_terminal(&mut self, line: &str) {
        let name = line.split_whitespace().skip(1).find(|word| *word != "twin").unwrap().to_owned();
        let shown = fs::File::create(self.path(&format!("{name}.shown"))).unwrap();
        let errors = shown.try_clone().unwrap();
        let mut command = self.shell(&format!("exec {line}"));
        let mut process = Process::start(command.stdin(Stdio::piped()).stdout(shown).stderr(errors));
        let stdin = process.stdin();
        self.terminals.insert(name.clone(), (process, stdin));
        self.until(&format!("{name} says that it is there"), || !self.shown(&name).is_empty());
    }

    fn shown(&self, name: &str) -> String {
        fs::read_to_string(self.path(&format!("{name}.shown"))).unwrap_or_default()
    }

    fn record(&self) -> String {
        fs::read_to_string(self.path("record.jsonl")).unwrap_or_default()
    }

    fn until(&self, what: &str, is: impl Fn() -> bool) {
        let until = Instant::now() + PATIENCE;
        while !is() {
            assert!(Instant::now() < until, "still not so: {what}; {}\n{}", self.shown("run"), self.record());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Types a block's lines; each is on record, a card as soon as it lies somewhere.
    fn types(&mut self, block: &str) {
        for line in block.lines() {
            let (name, line) = line.split_once(char::is_whitespace).unwrap();
            let (_, terminal) = self.terminals.get_mut(name).unwrap();
            writeln!(terminal, "{}", line.trim()).unwrap();
            self.typed += 1;
            std::thread::sleep(HAND);
            if !line.contains("\"Drawn\"") {
                self.until(line, || self.told() >= self.typed);
            }
        }
    }

    /// How many observations the record tells.
    fn told(&self) -> usize {
        self.record()
            .lines()
            .map(|line| line.matches("\"origin\":[").count() + line.matches("\"paired\":[").count())
            .sum()
    }
}

fn said(ended: &Ended) -> &str {
    assert_eq!(ended.err, "", "{}", ended.out);
    ended.out.trim()
}

#[test]
fn the_documented_table_by_hand_works_when_it_is_followed_to_the_letter() {
    let blocks = section("A table by hand");
    let mut person = Person::new();
    let mut compared = 0;
    let mut last: Option<Ended> = None;
    for (kind, text) in blocks {
        match kind.as_str() {
            "sh" if text.contains("sabot run") => {
                text.lines().for_each(|line| person.opens_a_terminal(line));
                person
                    .until("five devices are online", || person.record().matches("\"status\":\"online\"").count() == 5);
            }
            "sh" => {
                if text.contains("sabot replay") {
                    // the page has it stopped before
                    let (mut station, _) = person.terminals.remove("run").unwrap();
                    station.signal("-INT");
                    assert!(station.ends().success());
                }
                last = Some(run(&mut person.shell(&text)));
            }
            "text" => {
                assert_eq!(said(last.as_ref().unwrap()), text.trim());
                compared += 1;
            }
            "observations" if person.terminals.contains_key("run") => person.types(&text),
            // what else may be typed: `command_line.rs` types it
            "observations" => {}
            kind => panic!("a block of another kind: {kind}"),
        }
    }
    assert_eq!(compared, 3);
    assert!(person.shown("display").contains("C7"), "{}", person.shown("display"));
}
