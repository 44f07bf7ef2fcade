//! A pseudo-terminal at whose far end a station may open a port.

use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use sabot_simulation::twin::pty::{PtyPair, set_nonblocking};
use tokio::net::unix::pipe::{Receiver, Sender};

/// The pseudo-terminal. Dropping it takes the port away.
pub(crate) struct PseudoTerminal {
    /// What the far end says.
    pub(crate) heard: Receiver,
    /// What is said to it.
    pub(crate) said: Sender,
    /// The port.
    pub(crate) name: PathBuf,
    /// Our own hold on the far end keeps the port alive while nobody has it open.
    pub(crate) _far: OwnedFd,
}

impl PseudoTerminal {
    /// Opens one, in raw mode. Within a tokio runtime.
    pub(crate) fn open() -> io::Result<Self> {
        let PtyPair { master, slave, port } = PtyPair::open()?;
        set_nonblocking(&master)?;
        Ok(Self {
            name: port,
            heard: Receiver::from_owned_fd_unchecked(master.try_clone()?)?,
            said: Sender::from_owned_fd_unchecked(master)?,
            _far: slave,
        })
    }
}
