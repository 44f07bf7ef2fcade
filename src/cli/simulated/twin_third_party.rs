//! `sabot twin feig` and `sabot twin scanner`: third-party equipment, its levers pulled by lines.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use clap::{Args, ValueEnum};
use tokio::signal::unix::SignalKind;
use tokio::sync::oneshot;

use super::{LEVERS_TITLE, complain};
use crate::run::stop_signal;
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

/// Starts a twin, says where it is, and keeps it.
fn run<L: Send + 'static>(
    stay: bool,
    start: impl FnOnce() -> Result<(ThirdPartyTwin<L>, String), ThirdPartyTwinError>,
) -> ExitCode {
    match drive(stay || io::stdin().is_terminal(), start) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sabot twin: {error}");
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
    eprintln!("{place}");
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
