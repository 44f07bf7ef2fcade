//! A board that QEMU emulates: its UARTs are pseudo-terminals; its pins and its panel are read through QMP.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{PATIENCE, must};

/// The board. Dropping it switches it off.
#[derive(Debug)]
pub struct Emulated {
    qemu: Child,
    control: BufReader<UnixStream>,
    folder: TempDir,
}

/// What its panel of 128 by 64 points shows, 16 greys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture(Vec<Vec<u8>>);

impl Emulated {
    /// An `lm3s6965evb` that runs an image (ELF).
    ///
    /// # Panics
    /// When QEMU does not start.
    #[must_use]
    pub fn start(image: &Path) -> Self {
        let folder = must("a folder for the board", tempfile::tempdir());
        let socket = folder.path().join("qmp");
        let qmp = format!("unix:{},server=on,wait=off", socket.display());
        let said = folder.path().join("said");
        let log = must("a file for what QEMU says", File::create(&said));
        let mut qemu = Command::new("qemu-system-arm");
        qemu.args(["-M", "lm3s6965evb", "-display", "none", "-monitor", "none", "-net", "none"])
            .args(["-serial", "pty", "-serial", "pty", "-serial", "pty", "-qmp", &qmp, "-kernel"])
            .arg(image)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        let mut qemu = must("qemu-system-arm", qemu.spawn());
        let begun = Instant::now();
        let control = loop {
            match UnixStream::connect(&socket) {
                Ok(control) => break control,
                Err(error) if begun.elapsed() > PATIENCE => {
                    let _ = qemu.kill();
                    panic!("QEMU's control socket: {error}; {}", std::fs::read_to_string(&said).unwrap_or_default());
                }
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        must("a limit on the control socket", control.set_read_timeout(Some(PATIENCE)));
        let mut board = Self { qemu, control: BufReader::new(control), folder };
        board.answer();
        board.execute("qmp_capabilities", &json!({}));
        board
    }

    /// The pseudo-terminal of a UART, counted from 0.
    ///
    /// # Panics
    /// When there is none.
    pub fn port(&mut self, uart: usize) -> PathBuf {
        let label = format!("serial{uart}");
        let devices = self.execute("query-chardev", &json!({}));
        let device = devices.as_array().into_iter().flatten().find(|device| device["label"] == label.as_str());
        let name = device.and_then(|device| device["filename"].as_str()).and_then(|name| name.strip_prefix("pty:"));
        PathBuf::from(name.unwrap_or_else(|| panic!("no {label} among {devices}")))
    }

    /// The levels of a port's eight pins, PA being 'A', a bit each.
    ///
    /// # Panics
    /// When the emulator does not tell.
    pub fn pins(&mut self, port: char) -> u8 {
        let base = match port {
            'A'..='D' => 0x4000_4000 + (port as u32 - 'A' as u32) * 0x1000,
            'E'..='G' => 0x4002_4000 + (port as u32 - 'E' as u32) * 0x1000,
            _ => panic!("no port {port}"),
        };
        let line = format!("xp /1xw {:#x}", base + 0x3FC);
        let said = self.execute("human-monitor-command", &json!({ "command-line": line }));
        let level = said.as_str().and_then(|said| said.trim().rsplit_once("0x"));
        let level = level.and_then(|(_, level)| u32::from_str_radix(level, 16).ok());
        level.unwrap_or_else(|| panic!("{line}: {said}")).to_le_bytes()[0]
    }

    /// Bytes at the stack's far end, which is the first of the RAM, that nothing has reached since the start.
    ///
    /// # Panics
    /// When the emulator does not tell.
    pub fn untouched_stack(&mut self) -> usize {
        const PAINT: u8 = 0xCC;
        let path = self.folder.path().join("stack");
        self.execute("pmemsave", &json!({ "val": 0x2000_0000_u32, "size": 4096, "filename": path }));
        let stack = must("the emulator's memory", std::fs::read(&path));
        stack.iter().take_while(|byte| **byte == PAINT).count()
    }

    /// What the panel shows now.
    ///
    /// # Panics
    /// When it is no picture of the panel.
    pub fn picture(&mut self) -> Picture {
        let path = self.folder.path().join("panel.ppm");
        self.execute("screendump", &json!({ "filename": path }));
        let bytes = must("the emulator's picture", std::fs::read(&path));
        Picture::from_ppm(&bytes).unwrap_or_else(|| panic!("no picture of a panel: {} bytes", bytes.len()))
    }

    /// What the panel shows now, as a PNG for the eye.
    ///
    /// # Panics
    /// When the emulator does not write it.
    pub fn screenshot(&mut self, path: &Path) {
        self.execute("screendump", &json!({ "filename": path, "format": "png" }));
    }

    fn execute(&mut self, command: &str, arguments: &Value) -> Value {
        let line = format!("{}\n", json!({ "execute": command, "arguments": arguments }));
        must("QEMU's control", self.control.get_mut().write_all(line.as_bytes()));
        loop {
            let mut answer = self.answer();
            if let Some(value) = answer.get_mut("return") {
                return value.take();
            }
            // what it tells by itself is not asked for here
            assert!(answer.get("event").is_some(), "{command}: {answer}");
        }
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        must("QEMU's control", self.control.read_line(&mut line));
        must("QEMU's answer", serde_json::from_str(&line))
    }
}

impl Drop for Emulated {
    fn drop(&mut self) {
        let _ = self.qemu.kill();
        let _ = self.qemu.wait();
    }
}

impl Picture {
    /// The emulator shows each point as a square of 4 by 4.
    fn from_ppm(bytes: &[u8]) -> Option<Self> {
        const HEAD: &[u8] = b"P6\n512 256\n255\n";
        let points = bytes.strip_prefix(HEAD)?;
        let rows: Vec<Vec<u8>> = points
            .chunks_exact(512 * 3)
            .step_by(4)
            .map(|row| row.chunks_exact(3).step_by(4).map(|rgb| rgb[0] >> 4).collect())
            .collect();
        (rows.len() == 64).then_some(Self(rows))
    }
}

/// A letter a point, as the approved pictures have it: space 0, `.` 4, `o` 9, `#` 15, other greys their digit.
impl std::fmt::Display for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for row in &self.0 {
            let letters = row.iter().map(|grey| match grey {
                0 => ' ',
                4 => '.',
                9 => 'o',
                15 => '#',
                grey => char::from_digit((*grey).into(), 16).unwrap_or('?'),
            });
            writeln!(f, "{}", letters.collect::<String>().trim_end())?;
        }
        Ok(())
    }
}
