//! How the configuration names a serial port: by its path, or by the serial number of its USB device.

use std::fmt;
use std::path::{Path, PathBuf};

use super::sysfs::{NoPort, Sysfs};

/// Before a USB serial number.
const USB: &str = "usb:";
/// Before the interface, of a device with several ports. Serial numbers with colons and slashes exist.
const INTERFACE: char = '#';

/// A port by name. What it stands for is looked up each time the port is opened: numbers change with each plugging.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PortName {
    /// By its path.
    Path(PathBuf),
    /// `usb:SERIAL`, or `usb:SERIAL#INTERFACE`.
    Usb {
        /// The serial number that the USB device gives, as in `/sys`.
        serial: String,
        /// Which of its interfaces, where it has several ports.
        interface: Option<u8>,
    },
}

/// A name that begins with `usb:` and goes on wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadName {
    /// Nothing after `usb:`.
    #[error("`usb:` without a serial number: `sabot devices` lists those that are attached")]
    NoSerial,
    /// Something else than a number after `#`.
    #[error("`{0}` is no number of a USB interface: write for example usb:A10KZ4QP#1")]
    NoInterface(String),
}

impl PortName {
    /// What a path of the configuration names.
    ///
    /// # Errors
    /// When it begins with `usb:` and names no serial number or interface.
    pub fn of(path: &Path) -> Result<Self, BadName> {
        let Some(usb) = path.to_str().and_then(|path| path.strip_prefix(USB)) else {
            return Ok(Self::Path(path.to_path_buf()));
        };
        let (serial, interface) = match usb.rsplit_once(INTERFACE) {
            None => (usb, None),
            Some((serial, number)) => {
                let number = number.parse().map_err(|_| BadName::NoInterface(number.to_owned()))?;
                (serial, Some(number))
            }
        };
        if serial.trim().is_empty() {
            return Err(BadName::NoSerial);
        }
        Ok(Self::Usb { serial: serial.to_owned(), interface })
    }

    /// The path it stands for now. Nothing is opened.
    ///
    /// # Errors
    /// When no attached device has that serial number, or not the one port that is meant.
    pub fn resolve(&self, sysfs: &Sysfs) -> Result<PathBuf, NoPort> {
        match self {
            Self::Path(path) => Ok(path.clone()),
            Self::Usb { serial, interface } => sysfs.resolve(serial, *interface),
        }
    }
}

impl fmt::Display for PortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(f),
            Self::Usb { serial, interface: None } => write!(f, "{USB}{serial}"),
            Self::Usb { serial, interface: Some(interface) } => write!(f, "{USB}{serial}{INTERFACE}{interface}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_path_or_a_usb_serial_number_with_or_without_an_interface() {
        let of = |name: &str| PortName::of(Path::new(name));
        let usb = |serial: &str, interface| PortName::Usb { serial: serial.to_owned(), interface };
        assert_eq!(of("/dev/ttyUSB0"), Ok(PortName::Path("/dev/ttyUSB0".into())));
        assert_eq!(of("usb:A10KZ4QP"), Ok(usb("A10KZ4QP", None)));
        assert_eq!(of("usb:F4:12:FA:5B#2"), Ok(usb("F4:12:FA:5B", Some(2))));
        assert_eq!(of("usb:"), Err(BadName::NoSerial));
        assert_eq!(of("usb:#1"), Err(BadName::NoSerial));
        for wrong in ["usb:A#", "usb:A#x", "usb:A#256", "usb:A#-1"] {
            assert!(matches!(of(wrong), Err(BadName::NoInterface(_))), "{wrong}");
        }
        for name in ["/dev/ttyUSB0", "usb:A10KZ4QP", "usb:F4:12#2"] {
            assert_eq!(of(name).unwrap().to_string(), name);
        }
    }
}
