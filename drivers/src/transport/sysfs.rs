//! Which serial ports and USB devices this machine has, as the system's files tell: nothing is opened for it.
//!
//! ```text
//! /sys/class/tty/ttyUSB0/device -> …/usb1/1-1/1-1:1.0/ttyUSB0
//!                                         │   └ bInterfaceNumber
//!                                         └ idVendor, idProduct, serial, manufacturer, product, busnum, devnum
//! ```

use std::fs;
use std::path::{Path, PathBuf};

/// Longest text of a file that is taken over; a USB string has 126 characters at the most.
const MAX_TEXT: usize = 256;
/// Ports or devices named in an error.
const NAMED: usize = 8;

/// The system's files about its devices, and the folder in which these are opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sysfs {
    root: PathBuf,
    dev: PathBuf,
}

impl Default for Sysfs {
    /// This machine's.
    fn default() -> Self {
        Self::at("/sys", "/dev")
    }
}

/// A USB device, as the system describes it. Texts are the device's own, without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsbDevice {
    /// The maker's number.
    pub vendor: u16,
    /// The maker's number of the product.
    pub product: u16,
    /// Number of the bus.
    pub bus: u8,
    /// Number on the bus; another one each time it is plugged.
    pub number: u8,
    /// Serial number, where it has one.
    pub serial: Option<String>,
    /// The maker's name.
    pub maker: Option<String>,
    /// The product's name.
    pub name: Option<String>,
}

/// A serial port with hardware behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attached {
    /// What is opened: `/dev/ttyUSB0`.
    pub path: PathBuf,
    /// The kernel's driver.
    pub driver: Option<String>,
    /// For how long the adapter holds bytes back, milliseconds, where it says so (FTDI).
    pub latency_ms: Option<u32>,
    /// The USB device it is a port of.
    pub usb: Option<UsbDevice>,
    /// Which interface of that device.
    pub interface: Option<u8>,
}

/// Why a USB serial number names no port. Ends in a way out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPort {
    /// No such device.
    #[error("no USB device with the serial number {serial} is attached (is it plugged in?{there})")]
    NoDevice {
        /// The serial number.
        serial: String,
        /// Which there are.
        there: String,
    },
    /// The device is there, and no serial port of it.
    #[error("the USB device with the serial number {serial} has no serial port: no driver of this system has taken it")]
    NoDriver {
        /// The serial number.
        serial: String,
    },
    /// It has several ports, and the one meant is not named, or not there.
    #[error("the USB device with the serial number {serial} {has}: write one of {choices}")]
    WhichInterface {
        /// The serial number.
        serial: String,
        /// What it has.
        has: String,
        /// What could be written.
        choices: String,
    },
    /// Several devices with one serial number.
    #[error("several USB devices have the serial number {serial} ({ports}): name the port by its path")]
    NotUnique {
        /// The serial number.
        serial: String,
        /// Their ports.
        ports: String,
    },
}

impl Sysfs {
    /// Another tree than this machine's: where `/sys` is, and where `/dev`.
    pub fn at(root: impl Into<PathBuf>, dev: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), dev: dev.into() }
    }

    /// Every serial port that has hardware behind it, by name.
    #[must_use]
    pub fn ports(&self) -> Vec<Attached> {
        let mut names = entries(&self.root.join("class/tty"));
        names.sort_by_cached_key(|name| natural(name));
        names.iter().filter_map(|name| self.port(name)).collect()
    }

    fn port(&self, name: &str) -> Option<Attached> {
        let class = self.root.join("class/tty").join(name);
        // consoles and pseudo-terminals have no device
        let device = fs::canonicalize(class.join("device")).ok()?;
        // a place of the 8250 driver at which it has found no chip
        if text(&class.join("type")).is_some_and(|kind| kind == "0") {
            return None;
        }
        let root = fs::canonicalize(&self.root).ok()?;
        let above = device.ancestors().take_while(|folder| folder.starts_with(&root));
        let (mut interface, mut usb) = (None, None);
        for folder in above {
            interface = interface.or_else(|| hex(&folder.join("bInterfaceNumber")).and_then(|no| no.try_into().ok()));
            usb = usb_device(folder);
            if usb.is_some() {
                break;
            }
        }
        let driver = fs::read_link(device.join("driver")).ok();
        Some(Attached {
            path: self.dev.join(name),
            driver: driver.and_then(|driver| Some(driver.file_name()?.to_string_lossy().into_owned())),
            latency_ms: text(&device.join("latency_timer")).and_then(|ms| ms.parse().ok()),
            interface: interface.filter(|_| usb.is_some()),
            usb,
        })
    }

    /// Every USB device, hubs left out, by bus and number.
    #[must_use]
    pub fn usb_devices(&self) -> Vec<UsbDevice> {
        let folder = self.root.join("bus/usb/devices");
        let folders = entries(&folder).into_iter().map(|name| folder.join(name));
        let hub = |folder: &Path| hex(&folder.join("bDeviceClass")) == Some(9);
        let mut devices: Vec<UsbDevice> =
            folders.filter(|folder| !hub(folder)).filter_map(|folder| usb_device(&folder)).collect();
        devices.sort_by_key(|device| (device.bus, device.number));
        devices
    }

    /// The port of the USB device with that serial number; of several ports the one of that interface.
    ///
    /// # Errors
    /// When there is no such port now, or several could be meant.
    pub fn resolve(&self, serial: &str, interface: Option<u8>) -> Result<PathBuf, NoPort> {
        let has_serial = |usb: &UsbDevice| usb.serial.as_deref() == Some(serial);
        let ports = self.ports();
        let of: Vec<&Attached> = ports.iter().filter(|port| port.usb.as_ref().is_some_and(has_serial)).collect();
        let serial = || serial.to_owned();
        let Some(first) = of.first() else {
            let devices = self.usb_devices();
            if devices.iter().any(has_serial) {
                return Err(NoPort::NoDriver { serial: serial() });
            }
            return Err(NoPort::NoDevice { serial: serial(), there: others(&ports) });
        };
        if of.iter().any(|port| port.usb != first.usb) {
            let ports = listed(of.iter().map(|port| port.path.display().to_string()));
            return Err(NoPort::NotUnique { serial: serial(), ports });
        }
        let fitting = |port: &&&Attached| interface.is_none() || port.interface == interface;
        let mut fits = of.iter().filter(fitting);
        match (fits.next(), fits.next()) {
            (Some(port), None) => Ok(port.path.clone()),
            (found, _) => {
                let has = match (found, interface) {
                    (None, Some(interface)) => format!("has no port on interface {interface}"),
                    _ => "has several ports".to_owned(),
                };
                let choice = |port: &&Attached| Some(format!("usb:{}#{}", serial(), port.interface?));
                let choices = listed(of.iter().filter_map(choice));
                Err(NoPort::WhichInterface { serial: serial(), has, choices })
            }
        }
    }
}

/// The serial numbers that ports of this machine have, for somebody who has mistyped one.
fn others(ports: &[Attached]) -> String {
    let mut serials: Vec<&String> = ports.iter().filter_map(|port| port.usb.as_ref()?.serial.as_ref()).collect();
    serials.dedup();
    if serials.is_empty() { String::new() } else { format!(" attached are {}", listed(serials.into_iter().cloned())) }
}

fn listed(names: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = names.collect();
    let more = if all.len() > NAMED { ", …" } else { "" };
    all.into_iter().take(NAMED).collect::<Vec<_>>().join(", ") + more
}

fn usb_device(folder: &Path) -> Option<UsbDevice> {
    let number = |name: &str| text(&folder.join(name))?.parse().ok();
    let id = |name: &str| u16::try_from(hex(&folder.join(name))?).ok();
    let said = |name: &str| text(&folder.join(name)).filter(|text| !text.is_empty());
    Some(UsbDevice {
        vendor: id("idVendor")?,
        product: id("idProduct")?,
        bus: number("busnum")?,
        number: number("devnum")?,
        serial: said("serial"),
        maker: said("manufacturer"),
        name: said("product"),
    })
}

fn entries(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

/// What a file says, without its line's end. A device's own words are shown on terminals: nothing in them may act
/// there.
fn text(file: &Path) -> Option<String> {
    let bytes = fs::read(file).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let plain = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    Some(text.trim_end_matches('\n').chars().take(MAX_TEXT).map(plain).collect())
}

fn hex(file: &Path) -> Option<u32> {
    u32::from_str_radix(text(file)?.trim(), 16).ok()
}

/// `ttyUSB10` comes after `ttyUSB9`.
fn natural(name: &str) -> (String, u64) {
    let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = name.get(letters.len()..).and_then(|digits| digits.parse().ok());
    (letters.to_owned(), number.unwrap_or(0))
}

#[cfg(test)]
#[path = "sysfs_tree.rs"]
mod sysfs_tree;
#[cfg(test)]
#[path = "sysfs_tests.rs"]
mod tests;
