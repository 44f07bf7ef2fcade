//! `sabot twin`: one simulated device on a pseudo-terminal, driven by lines.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sabot_wire::message::{Lamp, Role};

use crate::simulate::twin::{Screen, Twin, TwinError, run_one};

/// The firmware of one device on a pseudo-terminal, its sensors driven by lines on standard input.
///
/// A line is one observation as JSON, such as {"Shoe":{"Drawn":12}} or {"Keypad":"CloseBets"}, or a lever: unplug, plug,
/// restart. Blank lines and lines from # on are passed over. What a display shows is printed whenever it changes. After
/// the last line the twin waits until the host has acknowledged everything, and ends; --stay keeps it until Ctrl-C.
#[derive(Debug, Args)]
pub struct TwinArgs {
    /// Which device.
    role: RoleName,
    /// Where to make the symbolic link to its port.
    link: PathBuf,
    /// Stay after the last line.
    #[arg(long)]
    stay: bool,
}

/// A role as the command line writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RoleName {
    Shoe,
    Shuffler,
    Chips,
    Keypad,
    Display,
}

impl From<RoleName> for Role {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Shoe => Self::Shoe,
            RoleName::Shuffler => Self::Shuffler,
            RoleName::Chips => Self::Chips,
            RoleName::Keypad => Self::Keypad,
            RoleName::Display => Self::Display,
        }
    }
}

/// Runs the command.
#[must_use]
pub fn run(args: &TwinArgs) -> ExitCode {
    let stdin = BufReader::new(io::stdin());
    let outcome = if args.stay { drive(args, stdin.chain(BufReader::new(Never))) } else { drive(args, stdin) };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sabot twin: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the twin, and beside it a printer of its screen.
fn drive(args: &TwinArgs, commands: impl BufRead) -> Result<(), TwinError> {
    let role = args.role.into();
    let ended = AtomicBool::new(false);
    let twin = Twin::start(role, &args.link)?;
    eprintln!("the {role} twin is at {}", args.link.display());
    thread::scope(|scope| {
        if role == Role::Display {
            scope.spawn(|| print_screens(&twin, &ended));
        }
        let outcome = run_one(&twin, commands, |bad| eprintln!("sabot twin: {bad}"));
        ended.store(true, Ordering::Relaxed);
        outcome
    })
}

fn print_screens(twin: &Twin, ended: &AtomicBool) {
    let mut shown: Option<Screen> = None;
    while !ended.load(Ordering::Relaxed) {
        let news = twin.wait_screen(Duration::from_millis(200), |screen| shown.as_ref() != Some(screen));
        let Some(screen) = news else { continue };
        if print(&screen).is_err() {
            return; // nobody reads it
        }
        shown = Some(screen);
    }
}

fn print(screen: &Screen) -> io::Result<()> {
    let lamp = match screen.lamp {
        Lamp::Off => "off",
        Lamp::Green => "green",
        Lamp::Amber => "amber",
        Lamp::Red => "red",
    };
    let mut out = io::stdout().lock();
    writeln!(out, "--- lamp {lamp}{}", if screen.buzzer { ", buzzer" } else { "" })?;
    for line in screen.lines.iter().filter(|line| !line.is_empty()) {
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// A reader that never has anything and never ends.
struct Never;

impl Read for Never {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        loop {
            thread::park();
        }
    }
}
