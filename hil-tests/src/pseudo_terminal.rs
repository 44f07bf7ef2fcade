//! A pseudo-terminal at whose far end a station may open a port.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;

use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
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
        let pair = nix::pty::openpty(None, None)?;
        for end in [&pair.master, &pair.slave] {
            // an emulator that another test starts would hold the port open after the cable is pulled
            fcntl(end.as_fd(), FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
        }
        let mut mode = tcgetattr(&pair.slave)?;
        cfmakeraw(&mut mode);
        tcsetattr(&pair.slave, SetArg::TCSANOW, &mode)?;
        let flags = OFlag::from_bits_truncate(fcntl(&pair.master, FcntlArg::F_GETFL)?);
        fcntl(&pair.master, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        Ok(Self {
            name: nix::unistd::ttyname(&pair.slave)?,
            heard: Receiver::from_owned_fd_unchecked(pair.master.try_clone()?)?,
            said: Sender::from_owned_fd_unchecked(pair.master)?,
            _far: pair.slave,
        })
    }
}
