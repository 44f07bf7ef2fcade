//! QEMU's debugger port (the remote protocol of GDB), of which the rig wants one thing: the processor stops right after
//! it has written to a register, and goes on when it is told to. Nothing that happens in between, and no time, passes
//! it by.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;

use crate::{PATIENCE, must};

/// The reply to what was done.
const DONE: &str = "OK";

/// A processor that stands still. Dropping it lets the processor run.
pub struct Halted {
    line: UnixStream,
}

impl Halted {
    /// Stops the processor at the far end of that connection, which QEMU has just been asked for.
    ///
    /// # Panics
    /// When it does not stop.
    #[must_use]
    pub fn over(line: UnixStream) -> Self {
        must("a limit of patience", line.set_read_timeout(Some(PATIENCE)));
        let mut halted = Self { line };
        // a debugger's coming stops it, of which some versions of QEMU tell and some do not
        halted.send("qAttached");
        while halted.reply() != "1" {}
        halted
    }

    /// Runs until the word at that address has been written.
    ///
    /// # Panics
    /// When it is not in time, or QEMU refuses.
    pub fn run_until_written(&mut self, address: u32) {
        let place = format!("2,{address:x},4");
        self.expect_done(&format!("Z{place}"));
        self.send("c");
        self.expect_stop();
        self.expect_done(&format!("z{place}"));
        // where memory is a device, QEMU stops before the write, or after it, as its version has it
        self.send("s");
        self.expect_stop();
    }

    fn expect_done(&mut self, command: &str) {
        self.send(command);
        let reply = self.reply();
        assert!(reply == DONE, "QEMU's debugger answers {command:?} with {reply:?}");
    }

    fn expect_stop(&mut self) {
        let reply = self.reply();
        assert!(reply.starts_with('T'), "QEMU's debugger tells {reply:?} instead of a stop");
    }

    fn send(&mut self, command: &str) {
        must("QEMU's debugger listens", write!(self.line, "${command}#{:02x}", sum(command.as_bytes())));
    }

    /// The next packet, `$text#sum`; a `+` before it acknowledges ours.
    fn reply(&mut self) -> String {
        while self.byte() != b'$' {}
        let mut text = Vec::new();
        loop {
            match self.byte() {
                b'#' => break,
                byte => text.push(byte),
            }
        }
        let told = [self.byte(), self.byte()];
        assert!(told == *format!("{:02x}", sum(&text)).as_bytes(), "a packet of QEMU's debugger is damaged");
        must("QEMU's debugger listens", self.line.write_all(b"+"));
        String::from_utf8_lossy(&text).into_owned()
    }

    fn byte(&mut self) -> u8 {
        let mut byte = [0];
        must("QEMU's debugger answers", self.line.read_exact(&mut byte));
        byte[0]
    }
}

impl Drop for Halted {
    fn drop(&mut self) {
        // the debugger leaves; one that QEMU no longer hears has left
        let _ = write!(self.line, "$D#{:02x}", sum(b"D"));
        let _ = self.line.read(&mut [0; 8]);
    }
}

fn sum(text: &[u8]) -> u8 {
    text.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}
