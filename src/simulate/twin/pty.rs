//! A pseudo-terminal as the port of a twin, behind a symbolic link.
//!
//! The twin keeps only the master's end: a held slave would keep a host's exclusive mode alive after the host has gone.
//! Without a host the master reads EIO for ever and polls as hung up without rest; so it is looked at by the clock until
//! a host has opened the port, and by events from then on.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};

/// A pseudo-terminal and the link to it; both go when it is dropped.
#[derive(Debug)]
pub(in crate::simulate) struct Pty {
    master: OwnedFd,
    /// Whether a host had the port open when it was last read.
    joined: bool,
    port: PathBuf,
    link: PathBuf,
}

impl Pty {
    /// Opens a pseudo-terminal in raw mode and makes `link` lead to it.
    pub(in crate::simulate) fn open(link: &Path) -> io::Result<Self> {
        let pair = nix::pty::openpty(None, None)?;
        let mut mode = tcgetattr(&pair.slave)?;
        cfmakeraw(&mut mode);
        tcsetattr(&pair.slave, SetArg::TCSANOW, &mode)?;
        // a process that is started meanwhile must not keep the port open after the cable is pulled
        fcntl(&pair.master, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
        let port = nix::unistd::ttyname(&pair.slave)?;
        let flags = OFlag::from_bits_truncate(fcntl(&pair.master, FcntlArg::F_GETFL)?);
        fcntl(&pair.master, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        let pty = Self { master: pair.master, joined: false, port, link: link.to_owned() };
        pty.make_link()?;
        Ok(pty)
    }

    /// An old link is replaced in one step, so that nobody finds none; anything else that is there is left alone.
    fn make_link(&self) -> io::Result<()> {
        if std::fs::symlink_metadata(&self.link).is_ok_and(|there| !there.is_symlink()) {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "something that is no symbolic link is there"));
        }
        let mut fresh = self.link.clone().into_os_string();
        fresh.push(".new");
        let fresh = PathBuf::from(fresh);
        let _ = std::fs::remove_file(&fresh);
        std::os::unix::fs::symlink(&self.port, &fresh)?;
        std::fs::rename(&fresh, &self.link)
    }

    /// The end to wait for, while a host has the port open.
    pub(in crate::simulate) fn waits(&self) -> Option<BorrowedFd<'_>> {
        self.joined.then(|| self.master.as_fd())
    }

    /// Hands over what has come, without waiting, and gives whether a host has the port open.
    pub(in crate::simulate) fn read(&mut self, mut take: impl FnMut(&[u8])) -> io::Result<bool> {
        let mut bytes = [0; 1024];
        self.joined = loop {
            match nix::unistd::read(&self.master, &mut bytes) {
                Ok(0) | Err(Errno::EIO) => break false,
                Ok(count) => take(bytes.get(..count).unwrap_or_default()),
                Err(Errno::EAGAIN) => break true,
                Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
        };
        Ok(self.joined)
    }

    /// Writes what the port takes without waiting, and gives how much that is.
    pub(in crate::simulate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match nix::unistd::write(&self.master, bytes) {
            Ok(count) => Ok(count),
            Err(Errno::EAGAIN | Errno::EINTR) => Ok(0),
            Err(Errno::EIO) => Ok(bytes.len()), // the host has just gone; what was sent to it is lost
            Err(error) => Err(error.into()),
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // only our own link: another twin may have taken the name
        if std::fs::read_link(&self.link).is_ok_and(|port| port == self.port) {
            let _ = std::fs::remove_file(&self.link);
        }
    }
}
