//! `sabot twin patlite`, `lr6` and `pole`: simulated signals, driven by levers on standard input.

use std::future::Future;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use crate::out::say_err;
use clap::{Args, Subcommand, ValueEnum};
use sabot_drivers::signal::pole::Protocol;
use tokio::signal::unix::SignalKind;
use tokio::sync::{mpsc, watch};

use super::{LEVERS_TITLE, complain};
use crate::run::stop_signal;
use sabot_simulation::levers;
use sabot_simulation::twin::signal::{self, Lever, PoleTwin, SignalTwinError, TowerTwin};
#[cfg(target_os = "linux")]
use sabot_simulation::twin::usb;

/// Levers that may wait.
const WAITING: usize = 16;

/// A third-party signal, simulated.
#[derive(Debug, Subcommand)]
pub(super) enum SignalTwin {
    Patlite(PatliteArgs),
    #[cfg(target_os = "linux")]
    Lr6(Lr6Args),
    Pole(PoleArgs),
}

/// A PATLITE signal tower that speaks PNS over TCP
///
/// Prints what it shows whenever that changes. A line on standard input is a lever. Runs until Ctrl-C. It has no
/// battery: no lever for one.
///
/// Exit status: 0 when it was stopped, 2 when it cannot listen.
///
/// Example: sabot twin patlite --listen 127.0.0.1:10000
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_long_help = levers::help(LEVERS_TITLE, signal::TOWER_LEVERS))]
pub(super) struct PatliteArgs {
    /// Where it listens; port 0 takes any that is free.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:10000", value_parser = crate::address)]
    listen: SocketAddr,
    /// Be one of the models that answer with their inputs and mode before their state.
    #[arg(long)]
    long: bool,
}

/// A PATLITE LR6-USB signal tower on real USB, played by this machine's kernel
///
/// Needs root, the modules libcomposite and usb_f_fs, configfs, and a device port: of a board that can be a USB
/// device, or of the module dummy_hcd, whose other end is this same machine. Prints what it shows whenever that
/// changes. A line on standard input is a lever. Runs until Ctrl-C.
///
/// Exit status: 0 when it was stopped, 2 when it cannot be had.
///
/// Example: sudo modprobe -a dummy_hcd usb_f_fs && sudo sabot twin lr6
#[cfg(target_os = "linux")]
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_long_help = levers::help(LEVERS_TITLE, signal::LR6_LEVERS))]
pub(super) struct Lr6Args {
    /// The device port, as /sys/class/udc names it; otherwise the first.
    #[arg(long, value_name = "UDC")]
    udc: Option<String>,
}

/// A pole display, two rows of twenty, on a pseudo-terminal
///
/// Prints what it shows whenever that changes. A line on standard input is a lever. Runs until Ctrl-C. It has no
/// battery: no lever for one.
///
/// Exit status: 0 when it was stopped, 2 when the port cannot be made.
///
/// Example: sabot twin pole --protocol escpos --port /tmp/pole
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_long_help = levers::help(LEVERS_TITLE, signal::POLE_LEVERS))]
pub(super) struct PoleArgs {
    /// What it speaks.
    #[arg(long)]
    protocol: ProtocolName,
    /// Where to make the symbolic link to its port.
    #[arg(long, value_name = "LINK")]
    port: PathBuf,
}

/// A protocol as the command line writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ProtocolName {
    Escpos,
    Cd5220,
}

#[derive(Debug, thiserror::Error)]
enum Ended {
    #[error(transparent)]
    Twin(#[from] SignalTwinError),
    #[cfg(target_os = "linux")]
    #[error(transparent)]
    Usb(#[from] usb::UsbTwinError),
    #[cfg(target_os = "linux")]
    #[error("there is no device port {0}; /sys/class/udc has {1}")]
    NoPort(String, String),
    #[error("{0}")]
    System(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub(super) fn run(twin: &SignalTwin) -> ExitCode {
    match drive(twin) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_err!("sabot twin: {error}");
            ExitCode::from(2)
        }
    }
}

fn drive(twin: &SignalTwin) -> Result<(), Ended> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        match twin {
            SignalTwin::Patlite(args) => {
                let twin = TowerTwin::listen(args.listen, args.long).await?;
                say_err!("the patlite twin listens at {}", twin.address());
                until_stopped(signal::TOWER_LEVERS, |levers, seen| twin.run(levers, seen)).await
            }
            #[cfg(target_os = "linux")]
            SignalTwin::Lr6(args) => {
                let port = device_port(args.udc.as_deref())?;
                let twin = usb::lr6::Lr6Twin::new("sabot-lr6", &usb::lr6::LR6)?;
                say_err!("the LR6 twin is at {port}");
                until_stopped(signal::LR6_LEVERS, |levers, seen| async move { twin.run(&port, levers, seen).await })
                    .await
            }
            SignalTwin::Pole(args) => {
                let protocol = match args.protocol {
                    ProtocolName::Escpos => Protocol::EscPos,
                    ProtocolName::Cd5220 => Protocol::Cd5220,
                };
                let twin = PoleTwin::open(protocol, &args.port)?;
                say_err!("the pole twin is at {}", args.port.display());
                until_stopped(signal::POLE_LEVERS, |levers, seen| twin.run(levers, seen)).await
            }
        }
    })
}

/// The device port of that name, or the first.
#[cfg(target_os = "linux")]
fn device_port(wanted: Option<&str>) -> Result<String, Ended> {
    let ports = usb::gadget::ports()?;
    let all = ports.join(", ");
    let found = ports.into_iter().find(|port| wanted.is_none_or(|wanted| wanted == port));
    found.ok_or_else(|| Ended::NoPort(wanted.unwrap_or_default().to_owned(), all))
}

/// Runs a twin, and beside it a reader of levers and a printer, until somebody stops it.
async fn until_stopped<R, E>(
    levers: &'static [levers::Lever<Lever>],
    run: impl FnOnce(mpsc::Receiver<Lever>, watch::Sender<String>) -> R,
) -> Result<(), Ended>
where
    R: Future<Output = Result<(), E>>,
    Ended: From<E>,
{
    let mut stop = stop_signal(&[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()])?;
    let (pull, pulled) = mpsc::channel(WAITING);
    // held here too: the end of the input is not the end of the twin
    let input = pull.clone();
    thread::spawn(move || {
        let pull = |line: &str| {
            // a twin that has ended has no levers
            levers::read(levers, line).map(|lever| drop(input.blocking_send(lever)))
        };
        levers::each_line(io::stdin().lock(), pull, complain)
    });
    let (seen, shown) = watch::channel(String::new());
    let twin = run(pulled, seen);
    let done = tokio::select! {
        done = twin => done.map_err(Ended::from),
        printed = print(shown) => printed.map_err(Ended::System),
        _ = stop.wait_for(|stop| *stop) => Ok(()),
    };
    drop(pull);
    done
}

async fn print(mut shown: watch::Receiver<String>) -> io::Result<()> {
    while shown.changed().await.is_ok() {
        let text = shown.borrow_and_update().clone();
        let mut out = io::stdout().lock();
        let written = writeln!(out, "{text}").and_then(|()| out.flush());
        match written {
            // nobody reads it; the twin goes on
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            other => other?,
        }
    }
    std::future::pending().await
}
