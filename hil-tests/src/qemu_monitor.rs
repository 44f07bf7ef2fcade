//! QEMU's monitor (QMP): its buttons, and what it knows of the machine.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::{PATIENCE, must};

/// The monitor of one machine.
pub(crate) struct Monitor(Mutex<BufReader<UnixStream>>);

impl Monitor {
    /// Over a connection to it.
    pub(crate) fn over(stream: UnixStream) -> Self {
        must("a limit of patience", stream.set_read_timeout(Some(PATIENCE)));
        let monitor = Self(Mutex::new(BufReader::new(stream)));
        next_line(&mut monitor.lock()); // its greeting
        monitor.ask("qmp_capabilities", &json!({}));
        monitor
    }

    /// Has it do something, and gives its answer.
    pub(crate) fn ask(&self, command: &str, arguments: &Value) -> Value {
        let mut line = self.lock();
        send(&mut line, &json!({ "execute": command, "arguments": arguments }));
        loop {
            let mut answer: Value = must("QEMU's answer", serde_json::from_str(&next_line(&mut line)));
            assert!(answer.get("error").is_none(), "QEMU refuses {command}: {answer}");
            if let Some(told) = answer.get_mut("return") {
                return told.take(); // else an event
            }
        }
    }

    /// Presses the reset button; the processor has begun anew.
    pub(crate) fn reset(&self) {
        let mut line = self.lock();
        send(&mut line, &json!({ "execute": "system_reset" }));
        while !next_line(&mut line).contains("\"RESET\"") {} // its event
    }

    /// The names of the controllers of the part's pins, port A first.
    pub(crate) fn pin_controllers(&self) -> Vec<String> {
        let parts = self.ask("qom-list", &json!({ "path": "/machine/unattached" }));
        let numbered = |part: &Value| {
            let name = part.get("name")?.as_str()?;
            let number: u32 = name.strip_prefix("device[")?.strip_suffix(']')?.parse().ok()?;
            let is_port = part.get("type")?.as_str()? == "child<pl061_luminary>";
            is_port.then(|| (number, format!("/machine/unattached/{name}")))
        };
        let mut ports: Vec<_> = parts.as_array().into_iter().flatten().filter_map(numbered).collect();
        ports.sort();
        assert_eq!(ports.len(), 7, "the part has seven ports: {parts}");
        ports.into_iter().map(|(_, path)| path).collect()
    }

    /// The pseudo-terminal of `uart0`.
    pub(crate) fn port(&self) -> String {
        let lines = self.ask("query-chardev", &json!({}));
        let uart0 = lines.as_array().into_iter().flatten().find(|line| line["label"] == "uart0");
        let name = uart0.and_then(|line| line["filename"].as_str()).and_then(|name| name.strip_prefix("pty:"));
        name.unwrap_or_default().to_owned()
    }

    fn lock(&self) -> MutexGuard<'_, BufReader<UnixStream>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn send(line: &mut BufReader<UnixStream>, command: &Value) {
    must("QEMU listens", writeln!(line.get_mut(), "{command}"));
}

fn next_line(line: &mut BufReader<UnixStream>) -> String {
    let mut text = String::new();
    must("QEMU answers", line.read_line(&mut text));
    assert!(!text.is_empty(), "QEMU has ended");
    text
}
