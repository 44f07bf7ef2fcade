//! The devices of `docs/examples`, which others could have written.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::process::run;

/// An example, at that port and with that memory.
pub(crate) type Example = fn(port: &Path, memory: &Path) -> Command;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples").join(name)
}

fn at(mut command: Command, port: &Path, memory: &Path) -> Command {
    command.arg("--port").arg(port).arg("--memory").arg(memory);
    command
}

/// `shoe.py`, whose serial number is PY-0001.
pub(crate) fn python(port: &Path, memory: &Path) -> Command {
    let mut command = Command::new("python3");
    command.arg(source("shoe.py"));
    at(command, port, memory)
}

/// `shoe.c`, whose serial number is C-0001.
pub(crate) fn c(port: &Path, memory: &Path) -> Command {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    at(Command::new(BUILT.get_or_init(|| compiled("shoe.c", &[]))), port, memory)
}

/// The code on the housing of the two below.
pub(crate) const CODE: &str = "7K2M-0QXV-93TD-HB5E";

/// The same shoe in Python, with a code.
pub(crate) fn python_with_code(port: &Path, memory: &Path) -> Command {
    let mut command = python(port, memory);
    command.args(["--code", CODE]);
    command
}

/// The same shoe in C, with a code.
pub(crate) fn c_with_code(port: &Path, memory: &Path) -> Command {
    let mut command = c(port, memory);
    command.args(["--code", CODE]);
    command
}

/// A program in C, as the compiler of this machine builds it without a warning.
fn compiled(name: &str, more: &[&str]) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]).args(more).arg("-o");
    let ended = cc.arg(&program).arg(source(name)).output().expect("this machine has a C compiler, cc");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    program
}

/// How many vectors of each kind there are, but those that only a host can hold; in the words of both examples.
fn vectors() -> String {
    let text = fs::read_to_string(source("vectors.txt")).unwrap();
    let mut kinds = BTreeMap::<&str, u32>::new();
    for kind in text.lines().filter_map(|line| line.split(' ').next()) {
        if !["", "#", "host-refuses"].contains(&kind) {
            *kinds.entry(kind).or_default() += 1;
        }
    }
    assert!(kinds.len() == 20 && kinds.values().sum::<u32>() > 140, "{kinds:?}");
    kinds.iter().map(|(kind, count)| format!("{kind} {count}\n")).collect()
}

#[test]
fn every_vector_of_the_link_holds_in_python() {
    let ended = run(Command::new("python3").arg("-B").arg(source("vectors.py")));
    assert_eq!((ended.status, ended.out, ended.err), (0, vectors(), String::new()));
}

#[test]
fn every_vector_of_the_link_holds_in_c() {
    let vectors_file = File::open(source("vectors.txt")).unwrap();
    // it asks nothing of what a board calls
    let ended = run(Command::new(compiled("vectors.c", &["-Wno-unused-function"])).stdin(vectors_file));
    assert_eq!((ended.status, ended.out, ended.err), (0, vectors(), String::new()));
}
