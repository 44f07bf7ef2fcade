//! Real USB: a virtual machine with Debian's kernel boots under QEMU, and inside it the station's drivers run against
//! USB devices that the kernel plays. What happens there is in `vm/guest`; here the machine is booted and asked for one
//! scenario after another.
//!
//! `hil-tests/vm/build` gets the kernel and says what it lacks where it cannot; then every test here is ignored, with
//! the reason. The machine's console is in `target/usb-vm/console.log`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

const GUEST: &str = env!("CARGO_BIN_EXE_usb-guest");
const HERE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/vm");
const MADE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/usb-vm");

/// Six seconds on a machine with nothing else to do.
const BOOT_WITHIN: Duration = Duration::from_secs(120);
/// Longer than the guest lets a scenario take.
const ANSWER_WITHIN: Duration = Duration::from_secs(90);
/// Lines of the console that a failure shows.
const LINES: usize = 60;

/// The virtual machine, with power.
struct Machine {
    qemu: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Machine {
    fn boot() -> Result<Self, Failed> {
        let made = Path::new(MADE);
        let initrd = made.join("initrd");
        let packed = Command::new(Path::new(HERE).join("pack")).args([GUEST.as_ref(), initrd.as_os_str()]).output()?;
        if !packed.status.success() {
            return Err(format!("hil-tests/vm/pack: {}", String::from_utf8_lossy(&packed.stderr)).into());
        }
        let console = format!("file:{}", console().display());
        // KVM is not everywhere, and hangs on some machines that have it nested
        let mut qemu = Command::new("qemu-system-x86_64")
            .args(["-accel", "tcg", "-m", "512", "-no-reboot", "-display", "none", "-monitor", "none", "-nic", "none"])
            .args(["-serial", &console, "-serial", "stdio", "-append", "console=ttyS0 quiet panic=-1 mitigations=off"])
            .arg("-kernel")
            .arg(made.join("vmlinuz"))
            .arg("-initrd")
            .arg(initrd)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (input, output) = (qemu.stdin.take().expect("piped"), qemu.stdout.take().expect("piped"));
        let (tell, answers) = channel();
        std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| tell.send(line.trim().to_owned()))
        });
        let machine = Self { qemu, input, answers };
        match machine.answers.recv_timeout(BOOT_WITHIN) {
            Ok(ready) if ready.ends_with("ready") => Ok(machine),
            other => Err(format!("the machine does not boot ({other:?}); {}", console_end()).into()),
        }
    }

    /// Runs a scenario and gives what was measured; `Err` with `true` where the machine is of no more use.
    fn run(&mut self, name: &str) -> Result<String, (String, bool)> {
        writeln!(self.input, "run {name}").map_err(|error| (error.to_string(), true))?;
        let hangs = || ("the machine does not answer".to_owned(), true);
        let answer = self.answers.recv_timeout(ANSWER_WITHIN).map_err(|_| hangs())?;
        let verdict = answer.strip_prefix(name).ok_or_else(hangs)?.trim();
        match verdict.split_once(": ") {
            Some(("ok", measured)) => Ok(measured.to_owned()),
            _ => Err((verdict.to_owned(), verdict.contains("not done within"))),
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.qemu.kill();
        let _ = self.qemu.wait();
    }
}

fn console() -> PathBuf {
    Path::new(MADE).join("console.log")
}

fn console_end() -> String {
    let text = fs::read(console()).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let end = lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default().join("\n");
    format!("the end of {}:\n{end}", console().display())
}

/// Why there is no machine here.
fn lacks() -> Option<String> {
    let made = Path::new(MADE);
    if made.join("base.cpio").exists() && made.join("vmlinuz").exists() {
        return None;
    }
    let why = fs::read_to_string(made.join("skipped")).map(|why| why.trim().to_owned());
    Some(why.unwrap_or_else(|_| "there is no virtual machine; hil-tests/vm/build makes one".to_owned()))
}

fn scenario(name: &str, shared: &Mutex<Option<Machine>>) -> Result<Completion, Failed> {
    if let Some(why) = lacks() {
        return Ok(Completion::ignored_with(why));
    }
    let mut machine = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let running = match &mut *machine {
        Some(running) => running,
        none => none.insert(Machine::boot()?),
    };
    match running.run(name) {
        Ok(measured) => {
            println!("{name}: {measured}");
            Ok(Completion::Completed)
        }
        Err((why, over)) => {
            if over {
                *machine = None;
            }
            Err(format!("{why}\nagain: cargo test -p sabot-hil-tests --test usb -- {name}\n{}", console_end()).into())
        }
    }
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // one machine, one scenario at a time
    arguments.test_threads = Some(1);
    let listed = Command::new(GUEST).arg("list").output().expect("the guest's program runs here too");
    let machine: Arc<Mutex<Option<Machine>>> = Arc::default();
    let names = String::from_utf8(listed.stdout).expect("names");
    let trials = names.lines().map(|name| {
        let (name, machine) = (name.to_owned(), Arc::clone(&machine));
        Trial::ignorable_test(name.clone(), move || scenario(&name, &machine))
    });
    let done = libtest_mimic::run(&arguments, trials.collect());
    drop(machine.lock().unwrap_or_else(PoisonError::into_inner).take());
    done.exit_code()
}
