//! A board of ours in QEMU: the image that a real board runs, its UARTs, its pins, its buttons.
//!
//! QEMU's `lm3s6965evb` runs the processor and the part's own UARTs, pins, timers and watchdog. The tests stand where the
//! wires end: UART0 is a pseudo-terminal that the station opens, UART1 a stream that a sensor of the test speaks on, and
//! the pins are moved and read over QEMU's test protocol (qtest) while the processor runs. No line of the image knows that
//! it is not on a board.
//!
//! The image must be built (`firmware/build images`) and `qemu-system-arm` installed: [`Board::missing`] says what is not.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sabot_firmware::provision::Page;
use sabot_wire::message::{Key, Role};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{PATIENCE, must};

/// Where `firmware/build` puts the images.
pub const IMAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/thumb/thumbv7m-none-eabi/release");
/// The emulator.
pub const QEMU: &str = "qemu-system-arm";
/// The page of flash with serial number and key.
const PAGE: &str = "0x3f800";
/// RAM that no image uses. A real part's RAM comes up with random bits; QEMU's with none, unless they are put there.
const UNUSED_RAM: &str = "0x20004000";
const UNUSED_RAM_BYTES: u64 = 0xC000;
/// The far end of the stack, and what unused stack is painted with.
const STACK_END: u32 = 0x2000_0000;
const PAINT: u32 = 0xCCCC_CCCC;

/// A pin of the board: `pin('B', 3)` is PB3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pin {
    port: u8,
    number: u8,
}

/// A pin by its name.
///
/// # Panics
/// When the part has no such pin.
#[must_use]
pub fn pin(port: char, number: u8) -> Pin {
    assert!(('A'..='G').contains(&port) && number < 8, "the part has no pin P{port}{number}");
    Pin { port: port as u8 - b'A', number }
}

/// A board, running. Dropping it takes its power away.
pub struct Board {
    role: Role,
    qemu: Child,
    /// Commands and their answers, one at a time.
    pins: Mutex<Wire>,
    monitor: Mutex<Wire>,
    /// The pin controllers' names in QEMU, port A first.
    ports: Vec<String>,
    folder: TempDir,
}

struct Wire {
    out: UnixStream,
    lines: BufReader<UnixStream>,
}

impl Wire {
    fn over(stream: UnixStream) -> Self {
        must("a limit of patience", stream.set_read_timeout(Some(PATIENCE)));
        let out = must("a second handle", stream.try_clone());
        Self { out, lines: BufReader::new(stream) }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        must("QEMU answers", self.lines.read_line(&mut line));
        assert!(!line.is_empty(), "QEMU has ended");
        line
    }
}

impl Board {
    /// What is missing to run boards here; nothing: `None`.
    #[must_use]
    pub fn missing(role: Role) -> Option<String> {
        if !image(role).is_file() {
            return Some(format!("{} is not built: run firmware/build images", image(role).display()));
        }
        let runs = Command::new(QEMU).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
        (!runs).then(|| format!("{QEMU} is not installed"))
    }

    /// A board that has just been given power, with that serial number and, where it was paired, that key.
    ///
    /// # Panics
    /// When something of [`Board::missing`] is missing, or QEMU does not start.
    #[must_use]
    pub fn start(role: Role, serial: &str, key: Option<Key>) -> Self {
        let folder = must("a folder for the board", tempfile::tempdir());
        let page = Page { serial: must("a serial number", serial.try_into()), key };
        must("the page", std::fs::write(folder.path().join("page"), page.write()));
        Self::power(role, folder)
    }

    fn power(role: Role, folder: TempDir) -> Self {
        if let Some(missing) = Self::missing(role) {
            panic!("{missing}");
        }
        let at = |name: &str| folder.path().join(name);
        random_file(&at("noise"));
        for left in ["pins", "monitor", "uart1"] {
            let _ = std::fs::remove_file(at(left));
        }
        let listener = must("a socket for the pins", UnixListener::bind(at("pins")));
        let file =
            |name: &str, address: &str| format!("loader,file={},addr={address},force-raw=on", at(name).display());
        let qemu = Command::new(QEMU)
            .args(["-machine", "lm3s6965evb", "-accel", "tcg", "-display", "none"])
            // time goes on with the instructions, 16 ns each as on the part, or while there are none to do: a watchdog must
            // not bite because the machine that runs the emulator had something else to do
            .args(["-icount", "shift=4", "-kernel"])
            .arg(image(role))
            .args(["-device", &file("page", PAGE), "-device", &file("noise", UNUSED_RAM)])
            .args(["-chardev", "pty,id=uart0", "-serial", "chardev:uart0"])
            .args(["-chardev", &format!("socket,id=uart1,path={},server=on,wait=off", at("uart1").display())])
            .args(["-serial", "chardev:uart1"])
            .args(["-qtest", &format!("unix:{}", at("pins").display()), "-qtest-log", "/dev/null"])
            .args(["-qmp", &format!("unix:{},server=on,wait=off", at("monitor").display())])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(must("a log of QEMU", File::create(at("qemu.log"))))
            .spawn();
        let qemu = must("QEMU starts", qemu);
        let (pins, _) = must("QEMU comes for its pins", listener.accept());
        let monitor = must("QEMU's monitor", patiently(|| UnixStream::connect(at("monitor"))));
        let mut board = Self {
            role,
            qemu,
            pins: Mutex::new(Wire::over(pins)),
            monitor: Mutex::new(Wire::over(monitor)),
            ports: Vec::new(),
            folder,
        };
        lock(&board.monitor).line(); // its greeting
        board.monitor("qmp_capabilities", &json!({}));
        board.find_ports();
        board.link_port();
        board.wait_until_it_runs();
        board
    }

    /// Lets the board run for a while by itself: nothing of it can be seen from outside that would tell when it is done.
    pub fn wait_ms(&self, ms: u64) {
        std::thread::sleep(Duration::from_millis(ms));
    }

    /// The role whose image runs.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// The port that the station opens. It stays the same through a power cycle.
    #[must_use]
    pub fn port(&self) -> PathBuf {
        self.folder.path().join("port")
    }

    /// The other end of UART1: what the board's sensor says and hears.
    ///
    /// # Panics
    /// When QEMU does not take the connection.
    #[must_use]
    pub fn sensor(&self) -> UnixStream {
        must("the sensor's line", UnixStream::connect(self.folder.path().join("uart1")))
    }

    /// Moves an input.
    ///
    /// # Panics
    /// When QEMU refuses.
    pub fn set(&self, Pin { port, number }: Pin, high: bool) {
        let path = self.ports.get(usize::from(port)).map_or("", String::as_str);
        self.qtest(&format!("set_irq_in {path} unnamed-gpio-in {number} {}", u8::from(high)));
    }

    /// Whether a pin is high.
    ///
    /// # Panics
    /// When QEMU refuses.
    #[must_use]
    pub fn is_high(&self, pin: Pin) -> bool {
        self.levels(pin, 1 << pin.number) != 0
    }

    /// The levels of those pins of a port, any of which names it, that `mask` chooses: in one question, since a
    /// matrix is scanned faster than its rows can be asked for one by one.
    ///
    /// # Panics
    /// When QEMU refuses.
    #[must_use]
    pub fn levels(&self, Pin { port, .. }: Pin, mask: u8) -> u8 {
        const BASES: [u32; 7] =
            [0x4000_4000, 0x4000_5000, 0x4000_6000, 0x4000_7000, 0x4002_4000, 0x4002_5000, 0x4002_6000];
        let base = BASES.get(usize::from(port)).copied().unwrap_or_default();
        self.read(base + (u32::from(mask) << 2)) as u8
    }

    /// A word as the processor would read it.
    ///
    /// # Panics
    /// When QEMU refuses.
    #[must_use]
    pub fn read(&self, address: u32) -> u32 {
        let answer = self.qtest(&format!("readl {address:#x}"));
        let digits = answer.trim().trim_start_matches("0x");
        must("a word", u64::from_str_radix(digits, 16)) as u32
    }

    /// Writes a word, as a mistake or a flipped bit might.
    ///
    /// # Panics
    /// When QEMU refuses.
    pub fn write(&self, address: u32, word: u32) {
        self.qtest(&format!("writel {address:#x} {word:#x}"));
    }

    /// Presses the reset button: RAM keeps what it has.
    ///
    /// # Panics
    /// When QEMU refuses.
    pub fn reset(&self) {
        {
            let mut wire = lock(&self.monitor);
            must("QEMU listens", writeln!(wire.out, "{}", json!({ "execute": "system_reset" })));
            while !wire.line().contains("\"RESET\"") {} // its event: the processor has begun anew
        }
        self.wait_until_it_runs();
    }

    /// Waits until the image listens: what is said to a UART before is lost, as on a real board.
    fn wait_until_it_runs(&self) {
        const UART0_CONTROL: u32 = 0x4000_C030;
        crate::eventually("the image listens", || self.read(UART0_CONTROL) & 1 == 1);
    }

    /// Takes the power away and gives it back: RAM loses what it had.
    #[must_use]
    pub fn power_cycle(mut self) -> Self {
        self.stop();
        // the folder outlives the board that is dropped here
        let role = self.role;
        let folder = std::mem::replace(&mut self.folder, must("a folder to drop", tempfile::tempdir()));
        drop(self);
        let _ = std::fs::remove_file(folder.path().join("port"));
        Self::power(role, folder)
    }

    /// Bytes of stack that were ever in use, and bytes there are.
    ///
    /// # Panics
    /// When QEMU refuses.
    #[must_use]
    pub fn stack(&self, bytes: u32) -> u32 {
        let words = (0..bytes / 4).take_while(|word| self.read(STACK_END + 4 * word) == PAINT).count();
        bytes - 4 * words as u32
    }

    /// A screen shot, as a portable pixmap.
    ///
    /// # Panics
    /// When QEMU refuses.
    #[must_use]
    pub fn screen(&self) -> Vec<u8> {
        let file = self.folder.path().join("screen.ppm");
        self.monitor("screendump", &json!({ "filename": file }));
        must("the screen shot", std::fs::read(&file))
    }

    fn qtest(&self, command: &str) -> String {
        let mut wire = lock(&self.pins);
        must("QEMU listens", writeln!(wire.out, "{command}"));
        loop {
            let line = wire.line();
            if let Some(answer) = line.strip_prefix("OK") {
                return answer.trim().to_owned();
            }
            assert!(line.starts_with("IRQ"), "QEMU refuses {command}: {line}");
        }
    }

    fn monitor(&self, command: &str, arguments: &Value) -> Value {
        let mut wire = lock(&self.monitor);
        must("QEMU listens", writeln!(wire.out, "{}", json!({ "execute": command, "arguments": arguments })));
        loop {
            let mut answer: Value = must("QEMU's answer", serde_json::from_str(&wire.line()));
            assert!(answer.get("error").is_none(), "QEMU refuses {command}: {answer}");
            if let Some(told) = answer.get_mut("return") {
                return told.take(); // else an event
            }
        }
    }

    fn find_ports(&mut self) {
        let parts = self.monitor("qom-list", &json!({ "path": "/machine/unattached" }));
        let numbered = |part: &Value| {
            let name = part.get("name")?.as_str()?;
            let number: u32 = name.strip_prefix("device[")?.strip_suffix(']')?.parse().ok()?;
            let is_port = part.get("type")?.as_str()? == "child<pl061_luminary>";
            is_port.then(|| (number, format!("/machine/unattached/{name}")))
        };
        let mut ports: Vec<_> = parts.as_array().into_iter().flatten().filter_map(numbered).collect();
        ports.sort();
        assert_eq!(ports.len(), 7, "the part has seven ports: {parts}");
        self.ports = ports.into_iter().map(|(_, path)| path).collect();
    }

    fn link_port(&self) {
        let lines = self.monitor("query-chardev", &json!({}));
        let uart0 = lines.as_array().into_iter().flatten().find(|line| line["label"] == "uart0");
        let name = uart0.and_then(|line| line["filename"].as_str()).and_then(|name| name.strip_prefix("pty:"));
        must("the port's name", symlink(name.unwrap_or_default(), self.port()));
    }

    fn stop(&mut self) {
        // it may have ended by itself
        let _ = self.qemu.kill();
        let _ = self.qemu.wait();
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.stop();
        if std::thread::panicking() {
            let mut log = String::new();
            let read =
                File::open(self.folder.path().join("qemu.log")).and_then(|mut file| file.read_to_string(&mut log));
            eprintln!("the board of the {}: {} {log}", self.role, if read.is_ok() { "QEMU said" } else { "no log" });
        }
    }
}

fn image(role: Role) -> PathBuf {
    Path::new(IMAGES).join(role.name())
}

fn random_file(path: &Path) {
    let noise = must("random bits", File::open("/dev/urandom"));
    let mut file = must("a file of random bits", File::create(path));
    must("a file of random bits", std::io::copy(&mut noise.take(UNUSED_RAM_BYTES), &mut file));
}

fn lock(wire: &Mutex<Wire>) -> MutexGuard<'_, Wire> {
    wire.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tries until it works or patience is over.
fn patiently<T, E>(mut attempt: impl FnMut() -> Result<T, E>) -> Result<T, E> {
    let end = Instant::now() + PATIENCE;
    loop {
        match attempt() {
            Err(_) if Instant::now() < end => std::thread::sleep(Duration::from_millis(10)),
            done => return done,
        }
    }
}
