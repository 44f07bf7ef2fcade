//! `sabot twin`: one simulated device, driven by lines: on a pseudo-terminal, or of third-party equipment.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::out::say_err;
use clap::{Args, Subcommand, ValueEnum};
use sabot_wire::message::{Key, Lamp, Role};
use sabot_wire::pairing::Code;
use tokio::signal::unix::SignalKind;
use tokio::sync::oneshot;

use super::twin_signal::{self, SignalTwin};
use super::twin_third_party::{self, CameraArgs, ScannerArgs};
use super::{LEVERS_TITLE, complain};
use crate::run::stop_signal;
use sabot_simulation::twin::{LEVERS, Screen, Twin, TwinError, paired_key, run_commands};
use sabot_simulation::{Port, feig, levers};

/// One simulated device on a pseudo-terminal, its sensors driven by lines on standard input
///
/// A line is one observation as JSON, such as {"Shoe":{"Drawn":"KS"}} or {"Keypad":"CloseBets"}, or a lever.
/// docs/drivers.md shows lines for every device, and docs/wire-protocol.md what they mean. Blank lines and lines from
/// # on are passed over. What a display shows is printed whenever it changes.
///
/// After the last line the twin waits until the host has acknowledged everything, and ends; --stay keeps it until
/// Ctrl-C.
///
/// feig is third-party equipment: readers of FEIG on a pseudo-terminal (--port) or a TCP port (--listen), which see
/// chips that are put and taken. It has levers of its own. It stays until Ctrl-C, or ends with its levers where
/// standard input is no terminal and --stay is not given.
///
/// Exit status: 0 when everything was acknowledged, 1 when it was stopped before, 2 when the port cannot be made.
///
/// Example: sabot twin shoe /tmp/shoe --keys keys.toml
/// Example: sabot twin feig --port /tmp/feig
/// Example: sabot twin feig --listen 127.0.0.1:10001 --readers 7
///
/// Other third-party equipment is simulated by commands of its own: `sabot twin scanner --help` and the others
/// below.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_long_help = levers_help())]
pub(crate) struct TwinArgs {
    #[command(subcommand)]
    third_party: Option<ThirdPartyCommand>,
    #[command(flatten)]
    firmware: Option<FirmwareArgs>,
}

/// A twin of third-party equipment that has a command of its own.
#[derive(Debug, Subcommand)]
enum ThirdPartyCommand {
    Camera(CameraArgs),
    Scanner(ScannerArgs),
    #[command(flatten)]
    Signal(SignalTwin),
}

/// A twin of a device of ours.
#[derive(Debug, Args)]
struct FirmwareArgs {
    /// Which device.
    #[arg(required = true)]
    role: RoleName,
    /// Where to make the symbolic link to its port; or a tty that is there, such as a USB gadget's /dev/ttyGS0.
    #[arg(value_name = "LINK", required_unless_present_any = ["port", "listen"])]
    link: Option<PathBuf>,
    /// The same, in another spelling.
    #[arg(long, value_name = "LINK", conflicts_with_all = ["link", "listen"])]
    port: Option<PathBuf>,
    /// Listen on this TCP port instead (feig).
    #[arg(long, value_name = "ADDR:PORT", conflicts_with = "link", value_parser = crate::address)]
    listen: Option<SocketAddr>,
    /// Readers on the line, addressed from 0 (feig).
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=255))]
    readers: u8,
    /// What noise does and what serial numbers readers tell follow from it (feig).
    #[arg(long, default_value = "1", value_parser = super::seed)]
    seed: u64,
    /// The station's keys: the twin takes its own from there, and puts a new one there where it has none. Without it
    /// the twin is still to be paired (sabot device pair).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["listen"])]
    keys: Option<PathBuf>,
    /// The code on its housing: it is paired by it alone. Without it the twin is paired as boards of today are, in the
    /// clear.
    #[arg(long, value_name = "CODE", value_parser = crate::code, conflicts_with_all = ["listen"])]
    code: Option<Code>,
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
    Feig,
}

impl RoleName {
    /// The role of a device that speaks the link.
    const fn role(self) -> Option<Role> {
        Some(match self {
            Self::Shoe => Role::Shoe,
            Self::Shuffler => Role::Shuffler,
            Self::Chips => Role::Chips,
            Self::Keypad => Role::Keypad,
            Self::Display => Role::Display,
            Self::Feig => return None,
        })
    }
}

/// Why a twin ended otherwise than by having told everything.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error(transparent)]
    Twin(#[from] TwinError),
    #[error("{0}")]
    System(#[from] io::Error),
    #[error("stopped before the host had acknowledged everything")]
    Unacknowledged,
}

fn levers_help() -> String {
    format!("{}\n\n{}", levers::help(LEVERS_TITLE, LEVERS), levers::help("Levers of feig", feig::LEVERS))
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &TwinArgs) -> ExitCode {
    match (&args.third_party, &args.firmware) {
        (Some(ThirdPartyCommand::Camera(args)), _) => twin_third_party::camera(args),
        (Some(ThirdPartyCommand::Scanner(args)), _) => twin_third_party::scanner(args),
        (Some(ThirdPartyCommand::Signal(signal)), _) => twin_signal::run(signal),
        (None, Some(firmware)) => run_firmware(firmware),
        // the parser lets neither pass
        (None, None) => ExitCode::from(2),
    }
}

fn run_firmware(args: &FirmwareArgs) -> ExitCode {
    let link = args.link.as_ref().or(args.port.as_ref());
    let Some(role) = args.role.role() else {
        let port = link.cloned().map(Port::Serial).or(args.listen.map(Port::Tcp));
        return port
            .map_or(ExitCode::from(2), |port| twin_third_party::feig(&port, args.readers, args.seed, args.stay));
    };
    let Some(link) = link else {
        say_err!("sabot twin: the {role} twin has a serial port: name its LINK");
        return ExitCode::from(2);
    };
    let stdin = BufReader::new(io::stdin());
    let outcome = match args.keys.as_deref().map(|keys| paired_key(role, keys)).transpose() {
        Err(error) => Err(Stopped::Twin(error.into())),
        Ok(key) if args.stay => drive(role, link, (key, args.code.clone()), stdin.chain(BufReader::new(Never))),
        Ok(key) => drive(role, link, (key, args.code.clone()), stdin),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_err!("sabot twin: {error}");
            ExitCode::from(if matches!(error, Stopped::Unacknowledged) { 1 } else { 2 })
        }
    }
}

/// Runs the twin, and beside it a printer of its screen, until the commands end or somebody stops it.
fn drive(
    role: Role,
    link: &Path,
    (key, code): (Option<Key>, Option<Code>),
    commands: impl BufRead + Send + 'static,
) -> Result<(), Stopped> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut interrupted = {
        let _in_runtime = runtime.enter();
        stop_signal(&[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()])?
    };
    let twin = Arc::new(match code {
        Some(code) => Twin::start_with_code(role, link, key, code)?,
        None => Twin::start(role, link, key)?,
    });
    say_err!("the {role} twin is at {}", link.display());
    let ended = Arc::new(AtomicBool::new(false));
    let printer = match role {
        Role::Display => Some(print_screens as fn(&Twin, &AtomicBool)),
        Role::Shoe => Some(print_lamp as fn(&Twin, &AtomicBool)),
        _ => None,
    };
    let printer = printer.map(|print| {
        let (twin, ended) = (Arc::clone(&twin), Arc::clone(&ended));
        thread::spawn(move || print(&twin, &ended))
    });
    let (tell, told) = oneshot::channel();
    let driven = Arc::clone(&twin);
    // not waited for when somebody stops the twin: it may be reading a terminal
    thread::spawn(move || tell.send(run_commands(&driven, commands, complain)));
    let outcome = runtime.block_on(async {
        tokio::select! {
            done = told => done.map_or(Err(Stopped::Unacknowledged), |done| done.map_err(Stopped::from)),
            _ = interrupted.wait_for(|stop| *stop) => if twin.idle() { Ok(()) } else { Err(Stopped::Unacknowledged) },
        }
    });
    ended.store(true, Ordering::Relaxed);
    if let Some(printer) = printer {
        let _ = printer.join();
    }
    twin.stop();
    outcome
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

fn print_lamp(twin: &Twin, ended: &AtomicBool) {
    let mut lit = false;
    while !ended.load(Ordering::Relaxed) {
        if !twin.wait_do_not_draw(Duration::from_millis(200), !lit) {
            continue;
        }
        lit = !lit;
        let said = if lit { "--- lamp lit: do not draw" } else { "--- lamp off: draw" };
        let mut out = io::stdout().lock();
        if writeln!(out, "{said}").and_then(|()| out.flush()).is_err() {
            return; // nobody reads it
        }
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
