//! The devices of `docs/examples`, which others could have written.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// An example, at that port and with that memory. None where this machine cannot build it.
pub(crate) type Example = fn(port: &Path, memory: &Path) -> Option<Command>;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples").join(name)
}

fn at(mut command: Command, port: &Path, memory: &Path) -> Command {
    command.arg("--port").arg(port).arg("--memory").arg(memory);
    command
}

/// `shoe.py`, whose serial number is PY-0001.
pub(crate) fn python(port: &Path, memory: &Path) -> Option<Command> {
    let mut command = Command::new("python3");
    command.arg(source("shoe.py"));
    Some(at(command, port, memory))
}

/// `shoe.c`, whose serial number is C-0001, as the C compiler of this machine builds it without a warning.
pub(crate) fn c(port: &Path, memory: &Path) -> Option<Command> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shoe-in-c-{}", std::process::id()));
        let mut cc = Command::new("cc");
        cc.args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-o"]);
        match cc.arg(&program).arg(source("shoe.c")).output() {
            Ok(ended) => {
                assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
                Some(program)
            }
            Err(error) => {
                eprintln!("the example in C is not tried: this machine has no C compiler `cc` ({error})");
                None
            }
        }
    });
    Some(at(Command::new(built.as_ref()?), port, memory))
}
