//! A board of ours in QEMU: the image that a real board runs, its UARTs, its pins, its buttons.
//!
//! QEMU's `lm3s6965evb` runs the processor and the part's own UARTs, pins, timers and watchdog. The tests stand where
//! the wires end: UART0 is a pseudo-terminal that the station opens, UART1 a stream that a sensor of the test speaks
//! on, and the pins are moved and read over QEMU's test protocol (qtest) while the processor runs. No line of the image
//! knows that it is not on a board.
//!
//! The image must be built (`firmware/build images`) and `qemu-system-arm` installed: [`Board::missing`] says what is
//! not.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sabot_firmware::provision::Page;
use sabot_wire::message::{Key, Role};
use sabot_wire::pairing::Code;
use serde_json::json;
use tempfile::TempDir;

use crate::pins::BoardPins;
use crate::qemu_debugger::Halted;
use crate::qemu_monitor::Monitor;
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

/// A board, running. Dropping it takes its power away.
pub struct Board {
    role: Role,
    qemu: Child,
    pins: Mutex<BoardPins>,
    monitor: Monitor,
    folder: TempDir,
    time: Time,
}

/// How time goes on for a board in QEMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// With the instructions, 16 ns each as on the part, or while there are none to do: its watchdog does not bite
    /// because the machine that runs the emulator had something else to do. Each wake costs time that is not counted:
    /// a tenth of it, or a half beside other work.
    Instructions,
    /// As the world's: what others saw can be put in order with what it saw.
    World,
}

impl Time {
    const fn options(self) -> &'static [&'static str] {
        match self {
            Self::Instructions => &["-icount", "shift=4"],
            Self::World => &[],
        }
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
        Self::start_in(Time::Instructions, role, serial, key)
    }

    /// The same, of which is said how its time goes on.
    ///
    /// # Panics
    /// As [`Board::start`].
    #[must_use]
    pub fn start_in(time: Time, role: Role, serial: &str, key: Option<Key>) -> Self {
        Self::with_page(time, role, Page { serial: must("a serial number", serial.try_into()), key, code: None })
    }

    /// A board as it is made: with a serial number, a code on its housing, and no key.
    ///
    /// # Panics
    /// As [`Board::start`].
    #[must_use]
    pub fn new_with_code(role: Role, serial: &str, code: Code) -> Self {
        let serial = must("a serial number", serial.try_into());
        Self::with_page(Time::Instructions, role, Page { serial, key: None, code: Some(code) })
    }

    fn with_page(time: Time, role: Role, page: Page) -> Self {
        let folder = must("a folder for the board", tempfile::tempdir());
        must("the page", std::fs::write(folder.path().join("page"), page.write()));
        Self::power(time, role, folder)
    }

    fn power(time: Time, role: Role, folder: TempDir) -> Self {
        if let Some(missing) = Self::missing(role) {
            panic!("{missing}");
        }
        let at = |name: &str| folder.path().join(name);
        random_file(&at("noise"));
        for left in ["pins", "debugger", "monitor", "uart1"] {
            let _ = std::fs::remove_file(at(left));
        }
        let listener = must("a socket for the pins", UnixListener::bind(at("pins")));
        let file =
            |name: &str, address: &str| format!("loader,file={},addr={address},force-raw=on", at(name).display());
        let qemu = Command::new(QEMU)
            .args(["-machine", "lm3s6965evb", "-accel", "tcg", "-display", "none"])
            .args(time.options())
            .arg("-kernel")
            .arg(image(role))
            .args(["-device", &file("page", PAGE), "-device", &file("noise", UNUSED_RAM)])
            .args(["-chardev", "pty,id=uart0", "-serial", "chardev:uart0"])
            .args(["-chardev", &format!("socket,id=uart1,path={},server=on,wait=off", at("uart1").display())])
            .args(["-serial", "chardev:uart1"])
            .args(["-qtest", &format!("unix:{}", at("pins").display()), "-qtest-log", "/dev/null"])
            .args(["-gdb", &format!("unix:{},server=on,wait=off", at("debugger").display())])
            .args(["-qmp", &format!("unix:{},server=on,wait=off", at("monitor").display())])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(must("a log of QEMU", File::create(at("qemu.log"))))
            .spawn();
        let qemu = must("QEMU starts", qemu);
        let (pins, _) = must("QEMU comes for its pins", listener.accept());
        let monitor = Monitor::over(must("QEMU's monitor", patiently(|| UnixStream::connect(at("monitor")))));
        let pins = Mutex::new(BoardPins::over(pins, monitor.pin_controllers()));
        must("the port's name", symlink(monitor.port(), at("port")));
        let board = Self { role, qemu, pins, monitor, folder, time };
        board.wait_until_it_runs();
        board
    }

    /// The wires at its pins, while nobody else moves them.
    pub fn pins(&self) -> MutexGuard<'_, BoardPins> {
        self.pins.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the processor until what this gives is dropped.
    ///
    /// # Panics
    /// When it does not stop.
    #[must_use]
    pub fn halt(&self) -> Halted {
        Halted::over(must("QEMU's debugger", UnixStream::connect(self.folder.path().join("debugger"))))
    }

    /// Lets the board run for a while by itself: nothing of it can be seen from outside that would tell when it is
    /// done.
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

    /// Presses the reset button: RAM keeps what it has.
    ///
    /// # Panics
    /// When QEMU refuses.
    pub fn reset(&self) {
        self.monitor.reset();
        self.wait_until_it_runs();
    }

    /// Waits until the image listens: what is said to a UART before is lost, as on a real board.
    fn wait_until_it_runs(&self) {
        const UART0_CONTROL: u32 = 0x4000_C030;
        crate::eventually("the image listens", || self.pins().read(UART0_CONTROL) & 1 == 1);
    }

    /// Takes the power away and gives it back: RAM loses what it had.
    #[must_use]
    pub fn power_cycle(mut self) -> Self {
        self.stop();
        // the folder outlives the board that is dropped here
        let (time, role) = (self.time, self.role);
        let folder = std::mem::replace(&mut self.folder, must("a folder to drop", tempfile::tempdir()));
        drop(self);
        Self::power(time, role, folder)
    }

    /// A screen shot, as a portable pixmap.
    ///
    /// # Panics
    /// When QEMU refuses.
    #[must_use]
    pub fn screen(&self) -> Vec<u8> {
        let file = self.folder.path().join("screen.ppm");
        self.monitor.ask("screendump", &json!({ "filename": file }));
        must("the screen shot", std::fs::read(&file))
    }

    fn stop(&mut self) {
        // the port's number may soon be another board's
        let _ = std::fs::remove_file(self.port());
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

/// The image of a role.
#[must_use]
pub fn image(role: Role) -> PathBuf {
    Path::new(IMAGES).join(role.name())
}

fn random_file(path: &Path) {
    let noise = must("random bits", File::open("/dev/urandom"));
    let mut file = must("a file of random bits", File::create(path));
    must("a file of random bits", std::io::copy(&mut noise.take(UNUSED_RAM_BYTES), &mut file));
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
