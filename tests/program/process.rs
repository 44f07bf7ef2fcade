//! `sabot` as its user starts it: processes that go with the test.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use sabot_stall_guard::PATIENCE;
use serde_json::Value;

/// The program with these arguments; nothing comes in, and what it says is dropped.
pub(crate) fn sabot(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sabot"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// What a process said, and how it ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Ended {
    let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { status: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// Deals a table in a folder to its end, with its record in `record` there.
pub(crate) fn dealt(folder: &Path, args: &[&str]) {
    let mut demo = sabot(["demo", "--listen", "127.0.0.1:0", "--speed", "max", "--journal", "record"]);
    let ended = run(demo.args(args).current_dir(folder).env("TMPDIR", folder));
    assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{}", ended.out);
}

/// The whole lines of a record.
pub(crate) fn recorded(record: &Path) -> Vec<Value> {
    let text = fs::read_to_string(record).unwrap_or_default();
    let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Waits until something holds of the record in a folder, which has the station's log too.
pub(crate) fn recorded_until(folder: &Path, what: &str, so: impl Fn(&[Value]) -> bool) {
    let began = Instant::now();
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    while !so(&recorded(&folder.join("record"))) {
        assert!(began.elapsed() < PATIENCE, "not: {what}\n{}\n{}", text("record"), text("log"));
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A process that goes with the test, however that ends.
pub(crate) struct Process(pub(crate) Child);

impl Process {
    pub(crate) fn start(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }

    /// Its standard input, where that was piped.
    pub(crate) fn stdin(&mut self) -> ChildStdin {
        self.0.stdin.take().unwrap()
    }

    /// The lines that it prints, where its standard output was piped.
    pub(crate) fn lines(&mut self) -> impl Iterator<Item = String> + use<> {
        BufReader::new(self.0.stdout.take().unwrap()).lines().map(Result::unwrap)
    }

    /// The lines of its standard error, where that was piped.
    pub(crate) fn error_lines(&mut self) -> impl Iterator<Item = String> + use<> {
        BufReader::new(self.0.stderr.take().unwrap()).lines().map(Result::unwrap)
    }

    /// Sends a signal, such as `-INT`.
    pub(crate) fn signal(&self, which: &str) {
        assert!(Command::new("kill").args([which, &self.0.id().to_string()]).status().unwrap().success());
    }

    /// Waits for its end.
    pub(crate) fn ends(&mut self) -> ExitStatus {
        self.0.wait().unwrap()
    }

    /// Ends it as a power cut would. A twin's port goes first: the number of its pseudo-terminal soon belongs to the
    /// twin of another test, which a station that opened the old link would hear and disturb.
    pub(crate) fn kill(&mut self) {
        self.takes_port_away();
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    fn takes_port_away(&self) {
        let process = PathBuf::from(format!("/proc/{}", self.0.id()));
        let command = fs::read(process.join("cmdline")).unwrap_or_default();
        let words: Vec<_> = command.split(|byte| *byte == 0).map(OsStr::from_bytes).collect();
        if !words.iter().any(|word| *word == "twin") {
            return;
        }
        for link in words.iter().map(|word| process.join("cwd").join(word)) {
            if fs::read_link(&link).is_ok_and(|port| port.starts_with("/dev/pts")) {
                let _ = fs::remove_file(link);
            }
        }
    }
}

/// A station, once it says that it serves, and the address of its page. It appends to `log` beside its configuration.
pub(crate) fn station(config: &Path, log_level: &str) -> (Process, String) {
    station_by(sabot(["run", "--config"]).arg(config).env("RUST_LOG", log_level), config)
}

/// [`station`], started by that command.
pub(crate) fn station_by(run: &mut Command, config: &Path) -> (Process, String) {
    let log = File::options().append(true).create(true).open(config.with_file_name("log")).unwrap();
    let mut station = Process::start(run.stdout(Stdio::piped()).stderr(log));
    let first = station.lines().next();
    let log = || fs::read_to_string(config.with_file_name("log")).unwrap();
    let address = first.as_ref().and_then(|line| line.split_once("://")).map(|(_, address)| address);
    let address = address.unwrap_or_else(|| panic!("{first:?}: {}", log())).trim_end_matches('/').to_owned();
    (station, address)
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
