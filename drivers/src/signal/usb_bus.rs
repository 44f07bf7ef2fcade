//! What is asked of a USB library: which devices are enumerated, and reports to one of them.

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
    /// Its descriptors name no endpoint for reports.
    #[error("it has no interrupt endpoint that takes reports: no LR6-USB")]
    NoEndpoint,
    /// It was not taken in time.
    #[error("it does not take what is sent")]
    Slow,
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

/// A way to USB devices: the system's, or a fake's. Every call may wait.
pub trait Bus: Send + Sync + 'static {
    /// An open device.
    type Device: Device;

    /// The devices of that vendor and product that are enumerated.
    ///
    /// # Errors
    /// When the system does not say what is enumerated.
    fn find(&self, vendor: u16, product: u16) -> Result<Vec<Plug>, UsbError>;

    /// Opens a device.
    ///
    /// # Errors
    /// When it cannot be opened.
    fn open(&self, plug: Plug) -> Result<Self::Device, UsbError>;
}

/// An open device. Dropping it lets go of it, and gives it back to the system's own driver where it was taken from
/// that.
pub trait Device: Send + 'static {
    /// Takes it for this program, from the system's own driver where that holds it.
    ///
    /// # Errors
    /// When another program has it, or it is not given.
    fn claim(&mut self) -> Result<(), UsbError>;

    /// Sends a report to its interrupt endpoint.
    ///
    /// # Errors
    /// When it was not taken whole.
    fn send(&mut self, report: &[u8]) -> Result<(), UsbError>;
}
