//! `sabot` as its user starts it: processes that go with the test.

use std::process::{Child, Command, Stdio};

/// The program with these arguments; nothing comes in, and what it says is dropped.
pub(crate) fn sabot(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sabot"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// A process that goes with the test, however that ends.
pub(crate) struct Process(pub(crate) Child);

impl Process {
    /// Ends it as a power cut would.
    pub(crate) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
