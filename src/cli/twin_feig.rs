//! `sabot twin feig`: FEIG readers, their levers pulled by lines.

use std::io::{self, BufReader, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use tokio::signal::unix::SignalKind;
use tokio::sync::oneshot;

use super::run::stop_signal;
use crate::simulate::feig::{FeigTwin, FeigTwinError, Port};

/// Runs the twin until it is stopped, or until its levers end.
pub(super) fn run(port: &Port, readers: u8, seed: u64, stay: bool) -> ExitCode {
    match drive(port, readers, seed, stay || io::stdin().is_terminal()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sabot twin: {error}");
            ExitCode::from(2)
        }
    }
}

fn drive(port: &Port, readers: u8, seed: u64, stay: bool) -> Result<(), FeigTwinError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut interrupted = {
        let _in_runtime = runtime.enter();
        stop_signal(&[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()])?
    };
    let twin = Arc::new(FeigTwin::start(port, readers, seed)?);
    match (port, twin.address()) {
        (Port::Serial(path), _) => eprintln!("the FEIG readers are at {}", path.display()),
        (Port::Tcp(_), address) => {
            eprintln!("the FEIG readers listen on {}", address.map_or_else(String::new, |at| at.to_string()))
        }
    }
    let (tell, told) = oneshot::channel();
    let obeying = Arc::clone(&twin);
    // not waited for when somebody stops the twin: it may be reading a terminal
    thread::spawn(move || {
        let complain = |line, bad| eprintln!("sabot twin: line {line}: {bad}");
        tell.send(obeying.obey(BufReader::new(io::stdin()), complain))
    });
    runtime.block_on(async {
        tokio::select! {
            done = told => match done {
                Ok(Err(error)) => return Err(error),
                _ if !stay => return Ok(()),
                _ => {}
            },
            _ = interrupted.wait_for(|stop| *stop) => return Ok(()),
        }
        let _ = interrupted.wait_for(|stop| *stop).await;
        Ok(())
    })
}
