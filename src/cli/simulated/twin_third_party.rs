//! `sabot twin feig`, `sabot twin scanner` and `sabot twin camera`: third-party equipment, its levers pulled by lines.

use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use clap::{Args, ValueEnum};
use tokio::signal::unix::SignalKind;
use tokio::sync::oneshot;

use super::{LEVERS_TITLE, complain};
use crate::out::say_err;
use crate::run::stop_signal;
use sabot_camera::drawn::Design;
use sabot_simulation::camera::{self, CameraTwin};
use sabot_simulation::feig::FeigTwin;
use sabot_simulation::levers;
use sabot_simulation::scanner::{self, Protocol, ScannerTwin};
use sabot_simulation::{Port, ThirdPartyTwin, ThirdPartyTwinError};

/// A card scanner on a pseudo-terminal, in the place of the shoe
///
/// A line on standard input is a lever. It stays until Ctrl-C, or ends with its levers where standard input is no
/// terminal and --stay is not given. It has no battery: no lever for one.
///
/// What it has read it sends three times, 2 s apart (lines with --ack: 1 s), until the host acknowledges it.
///
/// Exit status: 0 when it was stopped or its levers have ended, 2 when the port cannot be made.
///
/// Example: sabot twin scanner --port /tmp/scanner --protocol ssi
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_long_help = levers::help(LEVERS_TITLE, scanner::LEVERS))]
pub(super) struct ScannerArgs {
    /// Where to make the symbolic link to its port.
    #[arg(long, value_name = "LINK")]
    port: PathBuf,
    /// What it speaks: lines of text, or Zebra's Simple Serial Interface.
    #[arg(long)]
    protocol: ProtocolName,
    /// It waits for an acknowledgement of each line (lines; ssi always does).
    #[arg(long)]
    ack: bool,
    /// What noise does follows from it.
    #[arg(long, default_value = "1", value_parser = super::seed)]
    seed: u64,
    /// Stay after the last line.
    #[arg(long)]
    stay: bool,
}

/// A camera before the mouth of a shoe, out of which drawn cards are dealt: MJPEG on a TCP port
///
/// A line on standard input is a lever. It stays until Ctrl-C, or ends with its levers where standard input is no
/// terminal and --stay is not given: at once, whatever is still in the mouth.
///
/// The cards are drawn by this program, or cut out of a sheet of thirteen by five (a PNG; ace to king; clubs, diamonds,
/// hearts, spades; the third of the last row is the back). With --lessons the pictures from which a deck is learnt are
/// written into a folder instead; the index is then at 57,47,54,117 and the mark at 8,84,30,30.
///
/// Exit status: 0 when it was stopped or its levers have ended, 2 when the port or the deck cannot be had.
///
/// Example: sabot twin camera --lessons pictures
/// Example: sabot twin camera --listen 127.0.0.1:8090
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_long_help = levers::help(LEVERS_TITLE, camera::LEVERS))]
pub(super) struct CameraArgs {
    /// Listen on this TCP port.
    #[arg(long, value_name = "ADDR:PORT", required_unless_present = "lessons", value_parser = crate::address)]
    listen: Option<SocketAddr>,
    /// Write the pictures of a deck into this folder, and end.
    #[arg(long, value_name = "FOLDER", conflicts_with = "listen")]
    lessons: Option<PathBuf>,
    /// The cards, cut out of this sheet.
    #[arg(long, value_name = "FILE.png")]
    sheet: Option<PathBuf>,
    /// How cards lie and what noise does follows from it.
    #[arg(long, default_value = "1", value_parser = super::seed)]
    seed: u64,
    /// Stay after the last line.
    #[arg(long)]
    stay: bool,
}

/// A protocol as the command line writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ProtocolName {
    Lines,
    Ssi,
}

/// Runs FEIG readers until they are stopped, or until their levers end.
pub(super) fn feig(port: &Port, readers: u8, seed: u64, stay: bool) -> ExitCode {
    let start = || {
        let twin = FeigTwin::start(port, readers, seed)?;
        let place = match (port, twin.address()) {
            (Port::Serial(path), _) => format!("are at {}", path.display()),
            (Port::Tcp(_), address) => format!("listen on {}", address.map_or_else(String::new, |at| at.to_string())),
        };
        Ok((twin, format!("the FEIG readers {place}")))
    };
    run(stay, start)
}

/// Runs a card scanner likewise.
pub(super) fn scanner(args: &ScannerArgs) -> ExitCode {
    let protocol = match args.protocol {
        ProtocolName::Lines => Protocol::Lines { ack: args.ack },
        ProtocolName::Ssi => Protocol::Ssi,
    };
    let start = || {
        let twin = ScannerTwin::start(args.port.clone(), protocol, args.seed)?;
        Ok((twin, format!("the scanner is at {}", args.port.display())))
    };
    run(args.stay, start)
}

/// Runs a camera likewise, or writes what a deck is learnt from.
pub(super) fn camera(args: &CameraArgs) -> ExitCode {
    let design = args.sheet.as_ref().map_or_else(
        || Ok(Design::own()),
        |sheet| {
            let bytes = std::fs::read(sheet).map_err(|why| format!("{}: {why}", sheet.display()))?;
            Design::of_sheet(&bytes).map_err(|why| format!("{}: {why}", sheet.display()))
        },
    );
    let written = design.and_then(|design| match &args.lessons {
        Some(folder) => camera::lessons(&design, folder, args.seed).map(|()| None).map_err(|why| why.to_string()),
        None => Ok(Some(design)),
    });
    match (written, args.listen) {
        (Ok(Some(design)), Some(at)) => run(args.stay, || {
            let twin = CameraTwin::start(at, design, args.seed)?;
            let at = twin.address().unwrap_or(at);
            Ok((twin, format!("the camera listens on {at}")))
        }),
        (Ok(_), _) => ExitCode::SUCCESS,
        (Err(why), _) => {
            say_err!("sabot twin camera: {why}");
            ExitCode::from(2)
        }
    }
}

/// Starts a twin, says where it is, and keeps it.
fn run<L: Send + 'static>(
    stay: bool,
    start: impl FnOnce() -> Result<(ThirdPartyTwin<L>, String), ThirdPartyTwinError>,
) -> ExitCode {
    match drive(stay || io::stdin().is_terminal(), start) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_err!("sabot twin: {error}");
            ExitCode::from(2)
        }
    }
}

fn drive<L: Send + 'static>(
    stay: bool,
    start: impl FnOnce() -> Result<(ThirdPartyTwin<L>, String), ThirdPartyTwinError>,
) -> Result<(), ThirdPartyTwinError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut interrupted = {
        let _in_runtime = runtime.enter();
        stop_signal(&[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()])?
    };
    let (twin, place) = start()?;
    let twin = Arc::new(twin);
    say_err!("{place}");
    let (tell, told) = oneshot::channel();
    let obeying = Arc::clone(&twin);
    // not waited for when somebody stops the twin: it may be reading a terminal
    thread::spawn(move || tell.send(obeying.obey(io::stdin().lock(), complain)));
    runtime.block_on(async {
        tokio::select! {
            done = told => match done {
                Ok(Err(error)) => return Err(error.into()),
                _ if !stay => return Ok(()),
                _ => {}
            },
            _ = interrupted.wait_for(|stop| *stop) => return Ok(()),
        }
        let _ = interrupted.wait_for(|stop| *stop).await;
        Ok(())
    })
}
