//! What the scenarios are written with: waiting, the log, the kernel's view of its devices, other processes.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// A scenario: gives what it has measured, in words.
pub(crate) type Scenario = fn() -> String;

/// The machine's device ports; each is a bus of its own for the host.
pub(crate) const PORTS: [&str; 2] = ["dummy_udc.0", "dummy_udc.1"];
/// What has not happened after so long will not.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);
/// Another user than root.
const SOMEBODY: u32 = 1000;
/// The kernel counts a process's time in hundredths of a second.
const TICK: Duration = Duration::from_millis(10);

/// Waits for something, and gives it.
pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "{what} did not come; the log: {}", log());
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until something is so, and gives how long it took.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) -> Duration {
    let begun = Instant::now();
    wait_for(what, || is_so().then_some(()));
    begun.elapsed()
}

static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Keeps the log beside printing it.
#[derive(Debug, Clone, Copy)]
struct Kept;

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
        io::stdout().write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

pub(crate) fn log_what_happens() {
    let log = tracing_subscriber::fmt().with_ansi(false).with_max_level(tracing::Level::INFO);
    log.with_writer(|| Kept).init();
}

pub(crate) fn forget_the_log() {
    LOG.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// What was logged since the scenario began, at `info` and above.
pub(crate) fn log() -> String {
    String::from_utf8_lossy(&LOG.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
}

/// Lines of the log that contain this.
pub(crate) fn logged(what: &str) -> usize {
    log().lines().filter(|line| line.contains(what)).count()
}

/// A device as the kernel of the host's side has enumerated it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Enumerated {
    dir: PathBuf,
    pub(crate) bus: u8,
    pub(crate) number: u8,
}

impl Enumerated {
    /// The driver that holds its first interface.
    pub(crate) fn driver(&self) -> Option<String> {
        let link = fs::read_link(self.interface().join("driver")).ok()?;
        Some(link.file_name()?.to_string_lossy().into_owned())
    }

    /// Its serial port, where it is one: `/dev/ttyACM0`.
    pub(crate) fn tty(&self) -> Option<PathBuf> {
        let name = fs::read_dir(self.interface().join("tty")).ok()?.flatten().next()?.file_name();
        Some(Path::new("/dev").join(name))
    }

    /// What libusb opens.
    pub(crate) fn node(&self) -> PathBuf {
        PathBuf::from(format!("/dev/bus/usb/{:03}/{:03}", self.bus, self.number))
    }

    fn interface(&self) -> PathBuf {
        let name = self.dir.file_name().unwrap_or_default().to_string_lossy();
        self.dir.join(format!("{name}:1.0"))
    }
}

/// The device of that serial number, where it is enumerated.
pub(crate) fn enumerated(serial: &str) -> Option<Enumerated> {
    let read = |dir: &Path, name: &str| fs::read_to_string(dir.join(name)).ok().map(|text| text.trim().to_owned());
    fs::read_dir("/sys/bus/usb/devices").ok()?.flatten().map(|entry| entry.path()).find_map(|dir| {
        let it_is = read(&dir, "serial").is_some_and(|it| it == serial);
        let number = |name| read(&dir, name)?.parse().ok();
        it_is.then_some(())?;
        Some(Enumerated { bus: number("busnum")?, number: number("devnum")?, dir: dir.clone() })
    })
}

/// Waits until a driver of the kernel holds the device of that serial number.
pub(crate) fn held_by(serial: &str, driver: &str) -> Enumerated {
    wait_for(&format!("{serial} held by {driver}"), || {
        enumerated(serial).filter(|device| device.driver().as_deref() == Some(driver))
    })
}

/// Waits until the device of that serial number is a serial port, and gives its path.
pub(crate) fn tty_of(serial: &str) -> PathBuf {
    wait_for(&format!("a serial port of {serial}"), || enumerated(serial)?.tty().filter(|path| path.exists()))
}

/// Processor time of this process so far.
pub(crate) fn processor_time() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<u32> = after_name.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
    // user and system time, fields 14 and 15 of which the first two are cut off
    TICK * (fields[11] + fields[12])
}

/// Part of a processor that this process uses for some seconds, in hundredths.
pub(crate) fn load(seconds: u64) -> u128 {
    let (before, begun) = (processor_time(), Instant::now());
    std::thread::sleep(Duration::from_secs(seconds));
    (processor_time() - before).as_millis() * 100 / begun.elapsed().as_millis()
}

/// This program as another process; ends when it is dropped.
pub(crate) struct Helper {
    child: Child,
    input: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
}

impl Helper {
    /// As root.
    pub(crate) fn start(words: &[&str]) -> Self {
        Self::run(words, |command| command)
    }

    /// As somebody who may do nothing in particular.
    pub(crate) fn start_as_somebody(words: &[&str]) -> Self {
        Self::run(words, |command| command.uid(SOMEBODY).gid(SOMEBODY))
    }

    fn run(words: &[&str], set: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let command = set(command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()));
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (tell, lines) = mpsc::channel();
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        Self { input: child.stdin.take(), child, lines }
    }

    /// Waits for a line that contains this, and gives it.
    pub(crate) fn says(&self, what: &str) -> String {
        let mut said = Vec::new();
        let begun = Instant::now();
        while let Some(left) = PATIENCE.checked_sub(begun.elapsed()) {
            let Ok(line) = self.lines.recv_timeout(left) else { break };
            if line.contains(what) {
                return line;
            }
            said.push(line);
        }
        panic!("`{what}` was not said; but {said:?}");
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
