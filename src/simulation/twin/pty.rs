//! The port of a twin: a pseudo-terminal behind a symbolic link, or the tty that is there already, such as the device's
//! side of a USB gadget.
//!
//! The twin keeps only the master's end: a held slave would keep a host's exclusive mode alive after the host has gone.
//! Without a host the master reads EIO for ever and polls as hung up without rest; so it is looked at by the clock
//! until a host has opened the port, and by events from then on.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};

/// Both ends of a pseudo-terminal in raw mode.
#[derive(Debug)]
pub struct PtyPair {
    /// The end that plays the device.
    pub master: OwnedFd,
    /// A hold on the other end, which keeps the port alive while no host has it open.
    pub slave: OwnedFd,
    /// Where a host opens it.
    pub port: PathBuf,
}

impl PtyPair {
    /// Opens a new one.
    ///
    /// # Errors
    /// When the system has none left.
    pub fn open() -> io::Result<Self> {
        let pair = nix::pty::openpty(None, None)?;
        for end in [&pair.master, &pair.slave] {
            // a process that is started meanwhile must not keep the port open after the cable is pulled
            fcntl(end, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
        }
        make_raw(&pair.slave)?;
        let port = nix::unistd::ttyname(&pair.slave)?;
        Ok(Self { master: pair.master, slave: pair.slave, port })
    }
}

/// Reading and writing wait for nothing.
///
/// # Errors
/// When the system refuses.
pub fn set_nonblocking(end: &OwnedFd) -> io::Result<()> {
    let flags = OFlag::from_bits_truncate(fcntl(end, FcntlArg::F_GETFL)?);
    fcntl(end, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(())
}

/// A pseudo-terminal and the link to it, which go when it is dropped; or a tty, which stays.
#[derive(Debug)]
pub(crate) struct Pty {
    /// A pseudo-terminal's master, or the tty.
    end: OwnedFd,
    /// Whether a host had the port open when it was last read. At a tty nobody can tell: it is so while it is not hung
    /// up.
    joined: bool,
    port: PathBuf,
    /// None of a tty.
    link: Option<PathBuf>,
}

impl Pty {
    /// Opens a pseudo-terminal in raw mode and makes `link` lead to it; or the tty of that name, where there is one.
    /// Its speed stays as it is.
    pub(crate) fn open(link: &Path) -> io::Result<Self> {
        if std::fs::symlink_metadata(link).is_ok_and(|there| there.file_type().is_char_device()) {
            return Ok(Self { end: open_tty(link)?, joined: true, port: link.to_owned(), link: None });
        }
        let PtyPair { master, port, .. } = PtyPair::open()?;
        set_nonblocking(&master)?;
        make_link(&port, link)?;
        Ok(Self { end: master, joined: false, port, link: Some(link.to_owned()) })
    }

    /// The end to wait for, while a host has the port open.
    pub(crate) fn waits(&self) -> Option<BorrowedFd<'_>> {
        self.joined.then(|| self.end.as_fd())
    }

    /// Hands over what has come, without waiting, and gives whether a host has the port open.
    pub(crate) fn read(&mut self, mut take: impl FnMut(&[u8])) -> io::Result<bool> {
        let mut bytes = [0; 1024];
        self.joined = loop {
            match nix::unistd::read(&self.end, &mut bytes) {
                Ok(0) | Err(Errno::EIO) => break self.open_again(),
                Ok(count) => take(bytes.get(..count).unwrap_or_default()),
                Err(Errno::EAGAIN) => break true,
                Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
        };
        Ok(self.joined)
    }

    /// A tty that was hung up is of no more use; its device may be there again under the same name. Until it is, and
    /// for a pseudo-terminal, nobody is there.
    fn open_again(&mut self) -> bool {
        let fresh = if self.link.is_none() { open_tty(&self.port).ok() } else { None };
        fresh.map(|fresh| self.end = fresh).is_some()
    }

    /// Writes what the port takes without waiting, and gives how much that is.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match nix::unistd::write(&self.end, bytes) {
            Ok(count) => Ok(count),
            Err(Errno::EAGAIN | Errno::EINTR) => Ok(0),
            Err(Errno::EIO) => Ok(bytes.len()), // the host has just gone; what was sent to it is lost
            Err(error) => Err(error.into()),
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let Some(link) = &self.link else { return };
        // only our own link: another twin may have taken the name
        if std::fs::read_link(link).is_ok_and(|port| port == self.port) {
            let _ = std::fs::remove_file(link);
        }
    }
}

fn make_raw(tty: &OwnedFd) -> io::Result<()> {
    let mut mode = tcgetattr(tty)?;
    cfmakeraw(&mut mode);
    Ok(tcsetattr(tty, SetArg::TCSANOW, &mode)?)
}

fn open_tty(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let tty = nix::fcntl::open(path, flags, nix::sys::stat::Mode::empty())?;
    make_raw(&tty)?;
    Ok(tty)
}

/// Makes a link to a port. An old one is replaced in one step, so that nobody finds none; anything else that is there
/// is left alone.
///
/// # Errors
/// When something else is there, or the system refuses.
pub fn make_link(port: &Path, link: &Path) -> io::Result<()> {
    if std::fs::symlink_metadata(link).is_ok_and(|there| !there.is_symlink()) {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "something that is no symbolic link is there"));
    }
    let mut fresh = link.to_owned().into_os_string();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    let _ = std::fs::remove_file(&fresh);
    std::os::unix::fs::symlink(port, &fresh)?;
    std::fs::rename(&fresh, link)
}
