//! `sabot twin feig`: FEIG readers on a pseudo-terminal or a TCP port, with levers for their tags and their faults.

mod line;
mod model;
mod thread;

use std::io::BufRead;
use std::net::SocketAddr;
use std::path::PathBuf;

pub use line::{BadLever, Lever};
use thread::Running;

/// Where the readers are reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Port {
    /// A pseudo-terminal, behind this symbolic link.
    Serial(PathBuf),
    /// A TCP port; 0 takes any that is free.
    Tcp(SocketAddr),
}

/// Why there is no twin.
#[derive(Debug, thiserror::Error)]
pub enum FeigTwinError {
    /// The pseudo-terminal or its link cannot be made.
    #[error("no port at {}: {source}; remove what is there or name another place", path.display())]
    Link {
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The TCP port is not to be had.
    #[error("{address} cannot be listened on: {source}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The thread could not be started, or the levers not be read.
    #[error("{0}")]
    System(#[from] std::io::Error),
}

/// FEIG readers that run in a thread of their own until this is dropped.
#[derive(Debug)]
pub struct FeigTwin {
    levers: std::sync::mpsc::Sender<Lever>,
    thread: Option<std::thread::JoinHandle<()>>,
    address: Option<SocketAddr>,
}

impl FeigTwin {
    /// Starts that many readers on one line, addressed from 0. What noise does follows from `seed`.
    ///
    /// # Errors
    /// When the port or the thread cannot be had.
    pub fn start(port: &Port, readers: u8, seed: u64) -> Result<Self, FeigTwinError> {
        let (levers, pulled) = std::sync::mpsc::channel();
        let mut running = Running::open(port, readers, seed, pulled)?;
        let address = running.address();
        let thread = std::thread::Builder::new().name("twin-feig".to_owned()).spawn(move || running.run())?;
        Ok(Self { levers, thread: Some(thread), address })
    }

    /// Where it listens, on TCP.
    #[must_use]
    pub const fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// Pulls a lever. Returns at once.
    pub fn pull(&self, lever: Lever) {
        let _ = self.levers.send(lever); // a twin that has ended has no levers
    }

    /// Pulls the levers that lines name, until they end; `complain` gets each line that names none.
    ///
    /// # Errors
    /// When the lines cannot be read.
    pub fn obey(&self, lines: impl BufRead, mut complain: impl FnMut(usize, BadLever)) -> Result<(), FeigTwinError> {
        for (nth, text) in lines.lines().enumerate() {
            match line::parse(&text?) {
                Ok(Some(lever)) => self.pull(lever),
                Ok(None) => {}
                Err(bad) => complain(nth + 1, bad),
            }
        }
        Ok(())
    }
}

impl Drop for FeigTwin {
    fn drop(&mut self) {
        self.pull(Lever::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
