//! A USB device that this kernel plays, by files in configfs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{UsbTwinError, at};

/// Where the kernel takes gadgets.
const GADGETS: &str = "/sys/kernel/config/usb_gadget";
/// Where the kernel lists its device ports.
const UDCS: &str = "/sys/class/udc";

/// What a device says of itself when it is enumerated.
#[derive(Debug, Clone, Copy)]
pub struct Identity<'a> {
    /// Vendor number.
    pub vendor: u16,
    /// Product number.
    pub product: u16,
    /// Its maker, in words.
    pub maker: &'a str,
    /// What it is, in words.
    pub what: &'a str,
    /// Its serial number.
    pub serial: &'a str,
}

/// What a device does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// A serial port (CDC ACM): [`Gadget::tty`] is the device's side of it.
    Acm,
    /// What a program does that has mounted functionfs under the gadget's name.
    Program,
}

/// A USB device; not plugged at first. Gone when it is dropped.
#[derive(Debug)]
pub struct Gadget {
    dir: PathBuf,
    function: PathBuf,
}

impl Gadget {
    /// Makes a device under a name that no other gadget has.
    ///
    /// # Errors
    /// When the kernel has no gadgets, or refuses this one.
    pub fn new(name: &str, identity: &Identity<'_>, function: Function) -> Result<Self, UsbTwinError> {
        let dir = Path::new(GADGETS).join(name);
        fs::create_dir(&dir).map_err(at(&dir, "cannot be made"))?;
        let kind = match function {
            Function::Acm => "acm",
            Function::Program => "ffs",
        };
        // from here on what was made is taken away again when it fails
        let gadget = Self { function: dir.join("functions").join(format!("{kind}.{name}")), dir };
        gadget.describe(identity).map_err(at(&gadget.dir, "cannot be described"))?;
        Ok(gadget)
    }

    fn describe(&self, identity: &Identity<'_>) -> io::Result<()> {
        let strings = self.dir.join("strings/0x409");
        fs::create_dir(&strings)?;
        fs::write(self.dir.join("idVendor"), format!("{:#06x}", identity.vendor))?;
        fs::write(self.dir.join("idProduct"), format!("{:#06x}", identity.product))?;
        fs::write(strings.join("manufacturer"), identity.maker)?;
        fs::write(strings.join("product"), identity.what)?;
        fs::write(strings.join("serialnumber"), identity.serial)?;
        fs::create_dir(self.configuration())?;
        fs::create_dir(&self.function)?;
        std::os::unix::fs::symlink(&self.function, self.in_configuration())
    }

    fn configuration(&self) -> PathBuf {
        self.dir.join("configs/c.1")
    }

    fn in_configuration(&self) -> PathBuf {
        self.configuration().join(self.function.file_name().unwrap_or_default())
    }

    /// The device's side of a serial port.
    ///
    /// # Errors
    /// When it is none.
    pub fn tty(&self) -> Result<PathBuf, UsbTwinError> {
        let number = self.function.join("port_num");
        let number = fs::read_to_string(&number).map_err(at(&number, "cannot be read"))?;
        Ok(PathBuf::from(format!("/dev/ttyGS{}", number.trim())))
    }

    /// Plugs it into a device port.
    ///
    /// # Errors
    /// When the port has another device, or is not there.
    pub fn plug(&self, port: &str) -> Result<(), UsbTwinError> {
        self.set_port(port).map_err(at(&self.dir, "cannot be plugged in"))
    }

    /// Pulls the plug. One that is not plugged in is left so.
    pub fn unplug(&self) {
        let _ = self.set_port("");
    }

    fn set_port(&self, port: &str) -> io::Result<()> {
        fs::write(self.dir.join("UDC"), format!("{port}\n"))
    }
}

impl Drop for Gadget {
    fn drop(&mut self) {
        self.unplug();
        let _ = fs::remove_file(self.in_configuration());
        for made in [self.configuration(), self.function.clone(), self.dir.join("strings/0x409"), self.dir.clone()] {
            let _ = fs::remove_dir(made);
        }
    }
}

/// The machine's device ports, by name.
///
/// # Errors
/// When the kernel has none.
pub fn ports() -> Result<Vec<String>, UsbTwinError> {
    let list = || -> io::Result<Vec<String>> {
        let mut names: Vec<String> =
            fs::read_dir(UDCS)?.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        if names.is_empty() {
            Err(io::Error::new(io::ErrorKind::NotFound, "there is no device port"))
        } else {
            Ok(names)
        }
    };
    list().map_err(at(Path::new(UDCS), "cannot be read"))
}
