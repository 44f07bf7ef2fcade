//! USB signals as a place like any other: what is written to its stream goes out as reports, and the stream ends when
//! the device is no longer enumerated.
//!
//! libusb waits in the calling thread, and its errors differ from system to system. So every call is made on a thread
//! for waiting, a transfer that fails is tried again while the device is enumerated, and enumeration alone says whether
//! it is there: it is asked twice a second. Nothing is opened in a hotplug callback, where libusb answers that it is
//! busy.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

#[cfg(not(feature = "libusb"))]
use tokio::io::DuplexStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::runtime::Handle;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, Interval, interval_at};

use super::lr6::REPORT;
pub use super::usb_bus::{Bus, Device, Enumerated, Plug, UsbError};
use crate::transport::{Connect, OpenError};

/// The LR6-USB's vendor number.
pub const VENDOR: u16 = 0x191A;
/// Its product number.
pub const PRODUCT: u16 = 0x8003;
/// What a person calls the place.
pub const PLACE: &str = "USB 191a:8003";

/// Enumeration is asked so often.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Times a report is tried while the device is there.
const TRIES: u32 = 3;

/// Every device on this machine's USB, hubs left out, by bus and number. Nothing is opened. Waits for the system.
///
/// # Errors
/// When the machine has no USB, or does not say what is there.
#[cfg(feature = "libusb")]
pub fn enumerated() -> Result<Vec<Enumerated>, UsbError> {
    super::rusb_bus::System::default().enumerated()
}

/// Whether the tower is enumerated, and may be opened; whoever has it keeps it.
#[cfg(feature = "libusb")]
pub(crate) fn lr6_opens() -> Result<bool, UsbError> {
    let bus = super::rusb_bus::System::default();
    let plug = bus.find(VENDOR, PRODUCT)?;
    plug.into_iter().next().map(|plug| bus.open(plug)).transpose().map(|open| open.is_some())
}

/// This program knows no USB.
///
/// # Errors
/// Always.
#[cfg(not(feature = "libusb"))]
pub fn enumerated() -> Result<Vec<Enumerated>, UsbError> {
    Err(UsbError::NoUsb(BUILT_WITHOUT.to_owned()))
}

#[cfg(not(feature = "libusb"))]
pub(crate) fn lr6_opens() -> Result<bool, UsbError> {
    Err(UsbError::NoUsb(BUILT_WITHOUT.to_owned()))
}

#[cfg(not(feature = "libusb"))]
const BUILT_WITHOUT: &str = "this program was built without USB: build it with the feature `usb`";

/// The tower of this machine.
#[cfg(feature = "libusb")]
pub(super) fn this_machine() -> UsbPlace<super::rusb_bus::System> {
    UsbPlace::new(super::rusb_bus::System::default())
}

/// Without libusb there is none, and the words say so.
#[cfg(not(feature = "libusb"))]
pub(super) fn this_machine() -> NoUsb {
    NoUsb
}

/// A program that was built without USB.
#[cfg(not(feature = "libusb"))]
pub(super) struct NoUsb;

#[cfg(not(feature = "libusb"))]
impl Connect for NoUsb {
    type Stream = DuplexStream;

    async fn connect(&mut self) -> Result<DuplexStream, OpenError> {
        Err(OpenError::Other { place: PLACE.to_owned(), why: BUILT_WITHOUT.to_owned() })
    }

    fn place(&self) -> String {
        PLACE.to_owned()
    }
}

/// The LR6-USB on a bus.
#[derive(Debug)]
pub struct UsbPlace<B> {
    bus: Arc<B>,
}

impl<B: Bus> UsbPlace<B> {
    /// The first tower on that bus.
    #[must_use]
    pub fn new(bus: B) -> Self {
        Self { bus: Arc::new(bus) }
    }
}

impl<B: Bus> Connect for UsbPlace<B> {
    type Stream = Reports<B>;

    async fn connect(&mut self) -> Result<Reports<B>, OpenError> {
        let bus = Arc::clone(&self.bus);
        let taken = spawn_blocking(move || take(&*bus)).await;
        let (plug, device) =
            taken.unwrap_or_else(|error| Err(OpenError::Other { place: self.place(), why: error.to_string() }))?;
        let look = interval_at(Instant::now() + LOOK_EVERY, LOOK_EVERY);
        Ok(Reports { bus: Arc::clone(&self.bus), plug, line: Line::Free(device), look, looking: None })
    }

    fn place(&self) -> String {
        PLACE.to_owned()
    }
}

/// Finds the tower and takes it.
fn take<B: Bus>(bus: &B) -> Result<(Plug, B::Device), OpenError> {
    let place = || PLACE.to_owned();
    let other = |why: String| OpenError::Other { place: place(), why };
    let towers = bus.find(VENDOR, PRODUCT).map_err(|error| other(error.to_string()))?;
    let plug = *towers.first().ok_or_else(|| OpenError::Missing { place: place() })?;
    let taken = bus.open(plug).and_then(|mut device| {
        device.claim()?;
        Ok((plug, device))
    });
    taken.map_err(|error| other(error.to_string()))
}

/// An open tower. A report that is written is taken when the tower has taken it; one that waits is to be written again
/// as it was. Nothing is ever read from it, but its end.
#[derive(Debug)]
pub struct Reports<B: Bus> {
    bus: Arc<B>,
    plug: Plug,
    line: Line<B::Device>,
    look: Interval,
    looking: Option<JoinHandle<bool>>,
}

/// Where the device is: a transfer has it on a thread for waiting.
#[derive(Debug)]
enum Line<D> {
    Free(D),
    Sending(JoinHandle<(D, Result<(), UsbError>)>),
    Lost,
}

// no part of it is pinned
impl<B: Bus> Unpin for Reports<B> {}

impl<B: Bus> AsyncWrite for Reports<B> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let mut sending = match std::mem::replace(&mut self.line, Line::Lost) {
            Line::Sending(sending) => sending,
            Line::Free(mut device) => {
                let (bus, plug) = (Arc::clone(&self.bus), self.plug);
                let Some(report) = bytes.first_chunk::<REPORT>().copied() else {
                    self.line = Line::Free(device);
                    return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidInput, "no whole report")));
                };
                spawn_blocking(move || {
                    let sent = send(&*bus, plug, &mut device, &report);
                    (device, sent)
                })
            }
            Line::Lost => return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        };
        let Poll::Ready(done) = Pin::new(&mut sending).poll(cx) else {
            self.line = Line::Sending(sending);
            return Poll::Pending;
        };
        let (device, sent) = done?;
        self.line = Line::Free(device);
        Poll::Ready(match sent {
            Ok(()) => Ok(REPORT),
            Err(UsbError::Slow) => Err(io::Error::new(io::ErrorKind::TimedOut, UsbError::Slow)),
            Err(error) => Err(io::Error::other(error)),
        })
    }

    /// Does nothing: a report that was written was taken.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

impl<B: Bus> AsyncRead for Reports<B> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, _: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            if let Some(looking) = &mut self.looking {
                let there = ready!(Pin::new(looking).poll(cx))?;
                self.looking = None;
                if !there {
                    return Poll::Ready(Ok(()));
                }
            }
            ready!(self.look.poll_tick(cx));
            let (bus, plug) = (Arc::clone(&self.bus), self.plug);
            self.looking = Some(spawn_blocking(move || is_there(&*bus, plug)));
        }
    }
}

impl<B: Bus> Drop for Reports<B> {
    /// Letting go waits for the system's own driver, which speaks with the device: not on a thread that others need.
    fn drop(&mut self) {
        if let (Line::Free(device), Ok(runtime)) =
            (std::mem::replace(&mut self.line, Line::Lost), Handle::try_current())
        {
            runtime.spawn_blocking(move || drop(device));
        }
    }
}

/// Sends a report, again where it fails while the device is there.
fn send<B: Bus>(bus: &B, plug: Plug, device: &mut B::Device, report: &[u8]) -> Result<(), UsbError> {
    let mut tries = 1;
    loop {
        match device.send(report) {
            Ok(()) => return Ok(()),
            Err(error) if tries == TRIES || !is_there(bus, plug) => return Err(error),
            Err(_) => tries += 1,
        }
    }
}

fn is_there<B: Bus>(bus: &B, plug: Plug) -> bool {
    bus.find(VENDOR, PRODUCT).is_ok_and(|towers| towers.contains(&plug))
}

#[cfg(test)]
#[path = "usb_tests.rs"]
mod tests;
