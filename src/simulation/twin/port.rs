//! Where a twin's bytes go: a pseudo-terminal, or a cable in memory.

use std::io::{self, Write as _};
use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use sabot_drivers::transport::MemorySocket;
use sabot_wire::message::Role;
use tokio::io::{AsyncRead as _, AsyncWrite as _, DuplexStream, ReadBuf};

use super::TwinError;
use super::pty::Pty;

/// Bytes that a cable in memory holds each way: as many as a pseudo-terminal.
const CAPACITY: usize = 4096;

/// Where a twin is plugged in.
#[derive(Debug, Clone)]
pub(super) enum Socket {
    /// A pseudo-terminal with a link to it.
    Link(PathBuf),
    /// A place in memory.
    Memory(MemorySocket),
}

impl Socket {
    /// Plugs in the cable of a role's twin. What happens at a place in memory wakes the thread.
    pub(super) fn plug(&self, role: Role, waker: &Arc<ThreadWaker>) -> Result<Port, TwinError> {
        Ok(match self {
            Self::Link(link) => {
                Port::Pty(Pty::open(link).map_err(|source| TwinError::Link { role, path: link.clone(), source })?)
            }
            Self::Memory(socket) => Port::Memory(MemoryEnd {
                end: socket.plug(CAPACITY),
                socket: socket.clone(),
                waker: Waker::from(Arc::clone(waker)),
            }),
        })
    }
}

/// Wakes the thread of a twin.
#[derive(Debug)]
pub(super) struct ThreadWaker(UnixStream);

impl ThreadWaker {
    /// A waker, and what becomes readable when it is used.
    pub(super) fn new() -> io::Result<(Arc<Self>, UnixStream)> {
        let (waker, rings) = UnixStream::pair()?;
        for end in [&waker, &rings] {
            end.set_nonblocking(true)?;
        }
        Ok((Arc::new(Self(waker)), rings))
    }

    pub(super) fn wake_thread(&self) {
        let _ = (&self.0).write(&[1]); // a full pair wakes it already
    }
}

impl Wake for ThreadWaker {
    fn wake(self: Arc<Self>) {
        self.wake_thread();
    }
}

/// A plugged cable. Dropping it pulls it.
#[derive(Debug)]
pub(super) enum Port {
    Pty(Pty),
    Memory(MemoryEnd),
}

/// The device's end of a cable in memory.
#[derive(Debug)]
pub(super) struct MemoryEnd {
    end: DuplexStream,
    socket: MemorySocket,
    waker: Waker,
}

impl Port {
    /// The end to wait for, where the thread is not woken for it.
    pub(super) fn waits(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Self::Pty(pty) => pty.waits(),
            Self::Memory(_) => None,
        }
    }

    /// Whether a host may come that neither the waker nor [`Port::waits`] tells of.
    pub(super) fn is_unheard(&self) -> bool {
        match self {
            Self::Pty(pty) => pty.waits().is_none(),
            Self::Memory(memory) => memory.socket.waits(),
        }
    }

    /// Hands over what has come, without waiting, and gives whether a host is there.
    pub(super) fn read(&mut self, take: impl FnMut(&[u8])) -> io::Result<bool> {
        match self {
            Self::Pty(pty) => pty.read(take),
            Self::Memory(memory) => memory.read(take),
        }
    }

    /// Writes what fits without waiting, and gives how much that is.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Pty(pty) => pty.write(bytes),
            Self::Memory(memory) => Ok(memory.write(bytes)),
        }
    }
}

impl MemoryEnd {
    fn read(&mut self, mut take: impl FnMut(&[u8])) -> io::Result<bool> {
        let mut bytes = [0; 1024];
        loop {
            let mut into = ReadBuf::new(&mut bytes);
            let mut woken = Context::from_waker(&self.waker);
            match Pin::new(&mut self.end).poll_read(&mut woken, &mut into) {
                Poll::Ready(Ok(())) if into.filled().is_empty() => {
                    // the host has gone; the next one gets a cable of its own
                    self.end = self.socket.plug(CAPACITY);
                    return Ok(false);
                }
                Poll::Ready(Ok(())) => take(into.filled()),
                Poll::Ready(Err(error)) => return Err(error),
                Poll::Pending => return Ok(!self.socket.waits()),
            }
        }
    }

    /// What was sent to a host that has just gone is lost.
    fn write(&mut self, bytes: &[u8]) -> usize {
        match Pin::new(&mut self.end).poll_write(&mut Context::from_waker(&self.waker), bytes) {
            Poll::Ready(Ok(count)) => count,
            Poll::Ready(Err(_)) => bytes.len(),
            Poll::Pending => 0,
        }
    }
}

impl Drop for MemoryEnd {
    fn drop(&mut self) {
        self.socket.pull();
    }
}
