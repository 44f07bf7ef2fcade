//! The devices of `docs/examples`, which others could have written.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

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

/// `shoe.c`, whose serial number is C-0001, as the C compiler of this machine builds it without a warning.
pub(crate) fn c(port: &Path, memory: &Path) -> Command {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shoe-in-c-{}", std::process::id()));
        let mut cc = Command::new("cc");
        cc.args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-o"]);
        let ended = cc.arg(&program).arg(source("shoe.c")).output().expect("this machine has a C compiler, cc");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        program
    });
    at(Command::new(built), port, memory)
}
