//! Serial ports: 8 data bits, no parity (or an even one), 1 stop bit, no flow control; exclusive, with a lock file
//! beside.

use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::thread;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_serial::SerialStream;

use super::Connect;
use super::error::OpenError;
use super::lock::PortLock;
use super::name::PortName;
use super::sysfs::Sysfs;

/// A serial port by its [name](PortName), and how fast it runs.
#[derive(Debug, Clone)]
pub struct SerialPort {
    name: PathBuf,
    baud: u32,
    even: bool,
    sysfs: Sysfs,
    /// Of the port as it was last opened.
    last: Weak<Held>,
}

/// An open serial port; dropping it closes the port and lets go of the lock.
///
/// Closing waits for what was sent to leave: half a minute, on Linux, where a USB device takes nothing. So a thread of
/// its own does it, which the end of the program does not wait for; until it is done the port does not open again.
#[derive(Debug)]
pub struct OpenPort {
    /// Nothing only while it is dropped.
    stream: Option<SerialStream>,
    held: Arc<Held>,
}

/// What is let go of once the port is closed.
#[derive(Debug)]
struct Held {
    /// Its path, without links.
    real: PathBuf,
    _lock: Option<PortLock>,
}

impl OpenPort {
    fn stream(&mut self) -> io::Result<Pin<&mut SerialStream>> {
        self.stream.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl Drop for OpenPort {
    fn drop(&mut self) {
        let (stream, held) = (self.stream.take(), Arc::clone(&self.held));
        let close = move || {
            drop(stream);
            drop(held);
        };
        // where there is no thread to be had, it is closed at once
        if let Err(error) = thread::Builder::new().name("closing".to_owned()).spawn(close) {
            tracing::debug!(%error, "no thread to close a port on");
        }
    }
}

impl SerialPort {
    /// A port by its path, or as `usb:SERIAL` by the serial number of its USB device; `baud` in bits a second.
    pub fn new(name: impl Into<PathBuf>, baud: u32) -> Self {
        Self { name: name.into(), baud, even: false, sysfs: Sysfs::default(), last: Weak::new() }
    }

    /// The same port with even parity.
    #[must_use]
    pub fn even(self) -> Self {
        Self { even: true, ..self }
    }

    /// The same port, USB serial numbers looked up in another tree than this machine's.
    #[must_use]
    pub fn looked_up_in(self, sysfs: Sysfs) -> Self {
        Self { sysfs, ..self }
    }
}

impl Connect for SerialPort {
    type Stream = OpenPort;

    async fn connect(&mut self) -> Result<OpenPort, OpenError> {
        let port = self.clone();
        // opening a port, and asking who has it, are calls into the system that may take long
        let opening = tokio::task::spawn_blocking(move || open(&port)).await;
        let opened =
            opening.unwrap_or_else(|error| Err(OpenError::Other { place: self.place(), why: error.to_string() }))?;
        self.last = Arc::downgrade(&opened.held);
        Ok(opened)
    }

    fn place(&self) -> String {
        self.name.display().to_string()
    }
}

fn open(port: &SerialPort) -> Result<OpenPort, OpenError> {
    let path: &Path = &PortName::of(&port.name)?.resolve(&port.sysfs)?;
    let parity = if port.even { tokio_serial::Parity::Even } else { tokio_serial::Parity::None };
    let real = OpenError::before_opening(path)?;
    if port.last.upgrade().is_some_and(|last| last.real == real) {
        return Err(OpenError::Closing { place: path.display().to_string() });
    }
    let lock =
        PortLock::take(&real).map_err(|holder| OpenError::InUse { place: path.display().to_string(), holder })?;
    let builder = tokio_serial::new(real.to_string_lossy(), port.baud)
        .data_bits(tokio_serial::DataBits::Eight)
        .parity(parity)
        .stop_bits(tokio_serial::StopBits::One)
        .flow_control(tokio_serial::FlowControl::None);
    let stream = SerialStream::open(&builder).map_err(|error| OpenError::from_serial(path, &error))?;
    Ok(OpenPort { stream: Some(stream), held: Arc::new(Held { real, _lock: lock }) })
}

impl AsyncRead for OpenPort {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_read(cx, buf)
    }
}

impl AsyncWrite for OpenPort {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.stream()?.poll_write(cx, buf)
    }

    /// Does nothing: what was written is with the system already, and its own flush would block this thread until the
    /// last bit has left, for ever where nobody reads.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio_serial::SerialPort as _;

    /// A pair whose slave end is closed here, so that the port is free to be opened.
    fn pty() -> (SerialStream, PathBuf) {
        let (master, slave) = SerialStream::pair().unwrap();
        let path = PathBuf::from(slave.name().unwrap());
        (master, path)
    }

    #[tokio::test]
    async fn bytes_pass_both_ways_unchanged() {
        let (mut device, path) = pty();
        let mut port = opens(&mut SerialPort::new(&path, 115_200)).await;
        let every: Vec<u8> = (0..=255).collect();
        let mut got = vec![0; 256];
        port.write_all(&every).await.unwrap();
        device.read_exact(&mut got).await.unwrap();
        assert_eq!(got, every);
        device.write_all(&every).await.unwrap();
        port.read_exact(&mut got).await.unwrap();
        assert_eq!(got, every);
    }

    #[tokio::test]
    async fn a_port_opens_once_and_the_second_is_told_who_has_it() {
        let (_device, path) = pty();
        let first = opens(&mut SerialPort::new(&path, 115_200)).await;
        let why = SerialPort::new(&path, 115_200).connect().await.unwrap_err();
        assert!(why.to_string().contains("in use by this very process"), "{why}");
        drop(first);
        opens(&mut SerialPort::new(&path, 115_200)).await;
    }

    /// A thread closes what was dropped, by this test or by another whose pseudo-terminal had the same name.
    pub(in crate::transport) async fn opens(port: &mut SerialPort) -> OpenPort {
        for _ in 0..200 {
            match port.connect().await {
                Ok(open) => return open,
                Err(OpenError::Closing { .. } | OpenError::InUse { .. }) => {}
                Err(error) => panic!("{error}"),
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        panic!("the port stays closed");
    }

    #[tokio::test]
    async fn a_port_that_is_being_closed_says_so() {
        let (_device, path) = pty();
        let mut port = SerialPort::new(&path, 115_200);
        let first = opens(&mut port).await;
        let why = port.connect().await.unwrap_err();
        assert!(matches!(why, OpenError::Closing { .. }), "{why}");
        drop(first);
        opens(&mut port).await;
    }

    #[tokio::test]
    async fn a_port_held_without_a_lock_file_is_in_use_too() {
        let (_device, slave) = SerialStream::pair().unwrap();
        let path = PathBuf::from(slave.name().unwrap());
        let mut other = opens(&mut SerialPort::new(&path, 115_200)).await;
        other.held = Arc::new(Held { real: path.clone(), _lock: None });
        let why = SerialPort::new(&path, 115_200).connect().await.unwrap_err();
        assert!(matches!(why, OpenError::InUse { .. }), "{why}");
        assert!(why.to_string().contains("in use by"), "{why}");
    }

    #[tokio::test]
    async fn a_file_is_no_port() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let why = SerialPort::new(file.path(), 9600).connect().await.unwrap_err();
        assert!(matches!(why, OpenError::NotAPort { .. }), "{why}");
        let why = SerialPort::new("/dev/null", 9600).connect().await.unwrap_err();
        assert!(matches!(why, OpenError::Other { .. }), "{why}");
    }
}
