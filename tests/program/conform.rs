//! `sabot device conform` as a maker uses it: before devices on real pseudo-terminals, and where there is none.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use crate::examples::{self, CODE, Example};
use crate::process::{Ended, Process, run, sabot};
use sabot_stall_guard::PATIENCE;
use serde_json::Value;

/// Why nothing is shown of section 12.
const NO_CODE: &str = "it was not paired by its code (--code)";
/// Why nothing is shown of a counter that goes on past 65,535.
const NOT_LONG: &str = "it takes minutes, and was not asked for (--long)";
/// Why nothing is shown of the first hello: whether the port is seen to be away is the machine's.
const WAS_AWAY: &str = "its port was away as it started";

/// A device at a port of its own, and what its person does with it.
struct Bench {
    folder: tempfile::TempDir,
    start: Box<dyn Fn(&Path) -> Command>,
    /// A line typed at it: something is seen.
    deed: &'static str,
    /// A line typed at it takes its power away and gives it back; where there is none, the process is killed.
    restart: Option<&'static str>,
    device: Option<(Process, ChildStdin)>,
}

impl Bench {
    fn new(start: impl Fn(&Path) -> Command + 'static, deed: &'static str, restart: Option<&'static str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut bench = Self { folder, start: Box::new(start), deed, restart, device: None };
        bench.starts();
        bench
    }

    fn twin(role: &'static str, deed: &'static str) -> Self {
        Self::new(move |folder| twin(role, folder), deed, Some("restart"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn starts(&mut self) {
        let mut command = (self.start)(self.folder.path());
        let mut device = Process(command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
        let (began, stdin) = (Instant::now(), device.stdin());
        while !self.path("port").exists() {
            assert!(began.elapsed() < PATIENCE, "the device makes no port");
            std::thread::sleep(Duration::from_millis(10));
        }
        self.device = Some((device, stdin));
    }

    fn types(&mut self, line: &str) {
        writeln!(self.device.as_mut().unwrap().1, "{line}").unwrap();
    }

    /// More events than may be under way at one time.
    fn is_handled(&mut self) {
        (0..33).for_each(|_| self.types(self.deed));
    }

    fn loses_power(&mut self) {
        if let Some(line) = self.restart {
            return self.types(line);
        }
        // the next pseudo-terminal of that name may be somebody else's
        fs::remove_file(self.path("port")).unwrap();
        drop(self.device.take());
        self.starts();
    }

    fn conform(&self, more: &[&str]) -> Command {
        let mut command = sabot(["device", "conform", "--slack", "2000", "--wait", "20", "--port"]);
        command.arg(self.path("port")).arg("--keys").arg(self.path("keys.toml")).args(more);
        command
    }

    /// Examines it, and does what is asked for.
    fn examined(&mut self, more: &[&str]) -> Ended {
        let mut command = self.conform(more);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut conform = Process(command.spawn().unwrap());
        let mut enter = conform.stdin();
        let mut err = String::new();
        for line in conform.error_lines() {
            if line.contains("take its power") {
                self.loses_power();
            } else if line.starts_with("Please ") {
                self.is_handled();
            }
            if line.contains("Enter: it is done") {
                writeln!(enter).unwrap();
            }
            err += &line;
        }
        let out = conform.lines().map(|line| line + "\n").collect();
        Ended { status: conform.ends().code().unwrap(), out, err }
    }
}

fn twin(role: &str, folder: &Path) -> Command {
    sabot([Path::new("twin"), Path::new(role), &folder.join("port"), Path::new("--stay")])
}

/// Everything that a line can show is right but what `not_shown` gives the reasons of, and the report can be printed.
fn is_right(ended: &Ended, not_shown: &[&str]) {
    assert_eq!(ended.status, 0, "{}{}", ended.out, ended.err);
    assert!(ended.out.contains("\nRIGHT: nothing on the line was against the page.\n"), "{}", ended.out);
    assert!(ended.out.lines().all(|line| line.chars().count() <= 80), "{}", ended.out);
    let reasons = ended.out.lines().filter_map(|line| line.strip_prefix("Not shown: "));
    let reasons: Vec<_> = reasons.filter(|reason| *reason != WAS_AWAY).collect();
    assert_eq!(reasons, not_shown, "{}", ended.out);
    assert!(ended.out.contains("\n5.6    sent again after 250 ms, doubling up to 2000 ms "), "{}", ended.out);
}

/// Examines an example; its second start is after its power was taken.
fn example_is_right(example: Example, who: &str, how: &[&str], not_shown: &str) {
    let started = move |folder: &Path| example(&folder.join("port"), &folder.join("memory"));
    let mut bench = Bench::new(started, "9H", None);
    let ended = bench.examined(how);
    is_right(&ended, &[NOT_LONG, not_shown]);
    assert!(ended.out.contains(&format!("\nshoe {who}, firmware 0.1.0, start 2\n")), "{}", ended.out);
    assert!(ended.out.contains("It was given a new key"), "{}", ended.out);
}

#[test]
fn the_example_in_python_is_right_in_all_that_a_line_can_show() {
    example_is_right(examples::python, "PY-0001", &["--pair"], NO_CODE);
    example_is_right(examples::python_with_code, "PY-0001", &["--code", CODE], "it was paired by its code");
}

#[test]
fn the_example_in_c_is_right_in_all_that_a_line_can_show() {
    example_is_right(examples::c, "C-0001", &["--pair"], NO_CODE);
    example_is_right(examples::c_with_code, "C-0001", &["--code", CODE], "it was paired by its code");
}

#[test]
fn our_own_firmware_is_right_and_is_known_by_its_key_the_next_time() {
    let mut bench = Bench::twin("chips", "{\"Chips\":{\"CardTurned\":{\"place\":\"1\"}}}");
    let ended = bench.examined(&["--pair"]);
    is_right(&ended, &[NOT_LONG, NO_CODE]);
    let ended = run(&mut bench.conform(&["--json", "--person", "0"]));
    assert_eq!(ended.status, 0, "{}{}", ended.out, ended.err);
    let report: Value = serde_json::from_str(&ended.out).unwrap();
    let device = &report["device"];
    assert_eq!(
        (&device["role"], &device["serial"], &report["paired"]),
        (&"chips".into(), &"TWIN-CHIPS".into(), &false.into())
    );
    assert!(report["mistake"].is_null());
    let duty =
        |name: &str| report["duties"].as_array().unwrap().iter().find(|duty| duty["duty"] == name).unwrap().clone();
    assert_eq!(duty("Pairs")["not_shown"], "it has a key");
    assert_eq!(duty("Boots")["not_shown"], "its power was not taken away");
    assert!(duty("Lives")["done"].as_u64().unwrap() > 0);
}

/// A device whose keys were given by a host that seals otherwise, as any mistake in the secrets shows.
#[test]
fn a_device_that_holds_another_key_is_wrong_with_the_section_of_the_page() {
    let bench = Bench::twin("shoe", "");
    let keys = "[keys]\n\"TWIN-SHOE\" = \"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b\"\n";
    fs::write(bench.path("other.toml"), keys).unwrap();
    assert_eq!(run(Command::new("chmod").arg("600").arg(bench.path("other.toml"))).status, 0);
    assert_eq!(run(&mut bench.conform(&["--pair", "--person", "0"])).status, 0);
    let mut command = sabot(["device", "conform", "--slack", "2000", "--port"]);
    let ended = run(command.arg(bench.path("port")).arg("--keys").arg(bench.path("other.toml")));
    assert_eq!(ended.status, 1, "{}{}", ended.out, ended.err);
    let said = "\nWRONG, section 4: the greeting's secrets and the proof.\n       the proof is not the one due; is this its key?.\n";
    assert!(ended.out.contains(said), "{}", ended.out);
    assert!(!ended.out.contains("0b0b0b"), "no key is shown");
}

#[test]
fn where_nothing_can_be_examined_the_words_say_why_and_the_status_is_another() {
    let bench = Bench::twin("shoe", "");
    let unpaired = run(&mut bench.conform(&["--person", "0"]));
    assert_eq!(unpaired.status, 2, "{}{}", unpaired.out, unpaired.err);
    assert!(
        unpaired.out.contains("NOT EXAMINED to its end: no key of TWIN-SHOE is known: give it one with --pair."),
        "{}",
        unpaired.out
    );
    let nowhere = run(&mut sabot(["device", "conform", "--port", "/nonexistent/port"]));
    assert_eq!(nowhere.status, 2, "{}{}", nowhere.out, nowhere.err);
    assert!(nowhere.out.contains("no such port"), "{}", nowhere.out);
    // a pole display says nothing
    let port = bench.path("pole");
    let pole: Child =
        sabot(["twin", "pole", "--protocol", "escpos", "--port"]).arg(&port).stdin(Stdio::piped()).spawn().unwrap();
    let _pole = Process(pole);
    let began = Instant::now();
    while !port.exists() {
        assert!(began.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(10));
    }
    let silent = run(sabot(["device", "conform", "--wait", "1", "--port"]).arg(&port));
    assert_eq!(silent.status, 1, "{}{}", silent.out, silent.err);
    assert!(
        silent
            .out
            .contains("WRONG, section 5.3: a clear hello gets a hello, whatever it names.\n       nothing came in 1 s"),
        "{}",
        silent.out
    );
}
