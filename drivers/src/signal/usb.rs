//! USB signals as a place like any other: what is written to its stream goes out as reports, and the stream ends when
//! the device is no longer enumerated.
//!
//! libusb waits in the calling thread, and its errors differ from system to system. So every call is made on a thread
//! for waiting, a transfer that fails is tried again while the device is enumerated, and enumeration alone says whether
//! it is there: it is asked twice a second. Nothing is opened in a hotplug callback, where libusb answers that it is busy.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, DuplexStream};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, interval_at};

use super::lr6::REPORT;
use crate::transport::{Connect, OpenError};

/// The LR6-USB's vendor number.
pub const VENDOR: u16 = 0x191A;
/// Its product number.
pub const PRODUCT: u16 = 0x8003;
/// Where reports go.
pub const ENDPOINT: u8 = 1;
/// What a person calls the place.
pub const PLACE: &str = "USB 191a:8003";

/// Enumeration is asked so often.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Times a report is tried while the device is there.
const TRIES: u32 = 3;

/// Where a device is plugged: bus and number. A device that is plugged anew has another number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plug {
    /// The bus.
    pub bus: u8,
    /// The number on it.
    pub device: u8,
}

/// What a USB library says went wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UsbError {
    /// The user may not open it.
    #[error(
        "permission denied: a udev rule must give the group `dialout` the device (packaging/udev/60-sabot.rules), and the \
         station's user must be in it: `usermod -aG dialout USER`, then start it anew"
    )]
    Denied,
    /// Another program has it.
    #[error("another program has it")]
    Busy,
    /// The machine has no USB that the library can use.
    #[error("this machine's USB cannot be used: {0}")]
    NoUsb(String),
    /// Anything else, in the library's words.
    #[error("{0}")]
    Other(String),
}

/// A device on this machine's USB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Enumerated {
    /// Where it is plugged.
    pub plug: Plug,
    /// Its vendor number.
    pub vendor: u16,
    /// Its product number.
    pub product: u16,
}

/// Every device on this machine's USB, hubs left out, by bus and number. Nothing is opened. Waits for the system.
///
/// # Errors
/// When the machine has no USB, or does not say what is there.
#[cfg(feature = "usb")]
pub fn enumerated() -> Result<Vec<Enumerated>, UsbError> {
    super::rusb_bus::System::default().enumerated()
}

/// Whether the tower is enumerated, and may be opened; whoever has it keeps it.
#[cfg(feature = "usb")]
pub(crate) fn lr6_opens() -> Result<bool, UsbError> {
    let bus = super::rusb_bus::System::default();
    let plug = bus.find(VENDOR, PRODUCT)?;
    plug.map(|plug| bus.open(plug)).transpose().map(|open| open.is_some())
}

/// This program knows no USB.
///
/// # Errors
/// Always.
#[cfg(not(feature = "usb"))]
pub fn enumerated() -> Result<Vec<Enumerated>, UsbError> {
    Err(UsbError::NoUsb(BUILT_WITHOUT.to_owned()))
}

#[cfg(not(feature = "usb"))]
pub(crate) fn lr6_opens() -> Result<bool, UsbError> {
    Err(UsbError::NoUsb(BUILT_WITHOUT.to_owned()))
}

#[cfg(not(feature = "usb"))]
const BUILT_WITHOUT: &str = "this program was built without USB: build it with the feature `usb`";

/// A way to USB devices: the system's, or a fake's. Every call may wait.
pub trait Bus: Send + Sync + 'static {
    /// An open device.
    type Device: Device;

    /// The first device of that vendor and product, where one is enumerated.
    ///
    /// # Errors
    /// When the system does not say what is enumerated.
    fn find(&self, vendor: u16, product: u16) -> Result<Option<Plug>, UsbError>;

    /// Opens a device.
    ///
    /// # Errors
    /// When it cannot be opened.
    fn open(&self, plug: Plug) -> Result<Self::Device, UsbError>;
}

/// An open device. Dropping it lets go of it.
pub trait Device: Send + 'static {
    /// Whether the system's own driver holds it.
    ///
    /// # Errors
    /// When the system does not say.
    fn kernel_holds(&self) -> Result<bool, UsbError>;

    /// Takes it from the system's own driver.
    ///
    /// # Errors
    /// When it is not given.
    fn detach_kernel(&mut self) -> Result<(), UsbError>;

    /// Takes it for this program.
    ///
    /// # Errors
    /// When another has it.
    fn claim(&mut self) -> Result<(), UsbError>;

    /// Sends a report to an interrupt endpoint.
    ///
    /// # Errors
    /// When it was not taken whole.
    fn send(&mut self, endpoint: u8, report: &[u8]) -> Result<(), UsbError>;
}

/// The tower of this machine.
#[cfg(feature = "usb")]
pub(super) fn this_machine() -> UsbPlace<super::rusb_bus::System> {
    UsbPlace::new(super::rusb_bus::System::default())
}

/// Without libusb there is none, and the words say so.
#[cfg(not(feature = "usb"))]
pub(super) fn this_machine() -> NoUsb {
    NoUsb
}

/// A program that was built without USB.
#[cfg(not(feature = "usb"))]
pub(super) struct NoUsb;

#[cfg(not(feature = "usb"))]
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
    type Stream = DuplexStream;

    async fn connect(&mut self) -> Result<DuplexStream, OpenError> {
        let bus = Arc::clone(&self.bus);
        let taken = spawn_blocking(move || take(&*bus)).await;
        let (plug, device) =
            taken.unwrap_or_else(|error| Err(OpenError::Other { place: self.place(), why: error.to_string() }))?;
        // one report: what is newer replaces what the device has not taken yet in the session, not here
        let (near, far) = tokio::io::duplex(REPORT);
        tokio::spawn(carry(Arc::clone(&self.bus), plug, device, far));
        Ok(near)
    }

    fn place(&self) -> String {
        PLACE.to_owned()
    }
}

/// Finds the tower and takes it, from the system's own driver where that holds it.
fn take<B: Bus>(bus: &B) -> Result<(Plug, B::Device), OpenError> {
    let place = || PLACE.to_owned();
    let other = |why: String| OpenError::Other { place: place(), why };
    let plug = bus.find(VENDOR, PRODUCT).map_err(|error| other(error.to_string()))?;
    let plug = plug.ok_or_else(|| OpenError::Missing { place: place() })?;
    let taken = bus.open(plug).and_then(|mut device| {
        if device.kernel_holds()? {
            device.detach_kernel()?;
        }
        device.claim()?;
        Ok((plug, device))
    });
    taken.map_err(|error| other(error.to_string()))
}

/// Carries reports to the device until it is gone or nobody sends any more. A call that does not end well is the end too.
async fn carry<B: Bus>(bus: Arc<B>, plug: Plug, mut device: B::Device, mut reports: DuplexStream) {
    let mut look = interval_at(Instant::now() + LOOK_EVERY, LOOK_EVERY);
    let (mut report, mut filled) = ([0; REPORT], 0);
    loop {
        // a read that is given up has read nothing
        tokio::select! {
            read = reports.read(report.get_mut(filled..).unwrap_or_default()) => match read {
                Ok(count) if count > 0 => filled += count,
                _ => return,
            },
            _ = look.tick() => {
                let bus = Arc::clone(&bus);
                if !spawn_blocking(move || is_there(&*bus, plug)).await.unwrap_or(false) {
                    return;
                }
            }
        }
        if filled == REPORT {
            filled = 0;
            let bus = Arc::clone(&bus);
            let sending = spawn_blocking(move || {
                let sent = send(&*bus, plug, &mut device, &report);
                (device, sent)
            });
            let Ok((back, sent)) = sending.await else { return };
            device = back;
            if let Err(error) = sent {
                tracing::debug!(place = PLACE, %error, "a report was not taken");
                return;
            }
        }
    }
}

/// Sends a report, again where it fails while the device is there.
fn send<B: Bus>(bus: &B, plug: Plug, device: &mut B::Device, report: &[u8]) -> Result<(), UsbError> {
    let mut tries = 1;
    loop {
        match device.send(ENDPOINT, report) {
            Ok(()) => return Ok(()),
            Err(error) if tries == TRIES || !is_there(bus, plug) => return Err(error),
            Err(_) => tries += 1,
        }
    }
}

fn is_there<B: Bus>(bus: &B, plug: Plug) -> bool {
    bus.find(VENDOR, PRODUCT) == Ok(Some(plug))
}

#[cfg(test)]
#[path = "usb_tests.rs"]
mod tests;
