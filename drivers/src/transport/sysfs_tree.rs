//! A tree laid out as Linux lays out `/sys`, in a folder of its own; for the tests of what reads it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

/// A tree laid out as Linux lays out `/sys`, and its `/dev`.
pub(crate) struct Tree {
    folder: tempfile::TempDir,
}

impl Tree {
    pub(crate) fn new() -> Self {
        let tree = Self { folder: tempfile::tempdir().unwrap() };
        for folder in ["sys/class/tty", "sys/bus/usb/devices", "dev"] {
            fs::create_dir_all(tree.path(folder)).unwrap();
        }
        // as every machine has them: a console, and places of the 8250 driver with and without a chip
        fs::create_dir_all(tree.path("sys/devices/virtual/tty/tty0")).unwrap();
        symlink("../../devices/virtual/tty/tty0", tree.path("sys/class/tty/tty0")).unwrap();
        tree.platform("ttyS0", "4");
        tree.platform("ttyS1", "0");
        tree
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn file(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{text}\n")).unwrap();
    }

    pub(crate) fn platform(&self, name: &str, kind: &str) {
        let device = format!("devices/pnp0/00:{name}/00:{name}:0/00:{name}:0.0");
        self.file(&format!("sys/{device}/tty/{name}/type"), kind);
        symlink("../../../00:".to_owned() + name + ":0.0", self.path(&format!("sys/{device}/tty/{name}/device")))
            .unwrap();
        symlink(format!("../../{device}/tty/{name}"), self.path(&format!("sys/class/tty/{name}"))).unwrap();
    }

    /// A device plugged at `at` (`1-1`), with its number on the bus.
    pub(crate) fn usb(&self, at: &str, number: u8, ids: (&str, &str), serial: Option<&str>, name: &str) {
        let device = format!("sys/devices/pci0000:00/0000:00:14.0/usb1/{at}");
        self.file(&format!("{device}/idVendor"), ids.0);
        self.file(&format!("{device}/idProduct"), ids.1);
        self.file(&format!("{device}/bDeviceClass"), "00");
        self.file(&format!("{device}/busnum"), "1");
        self.file(&format!("{device}/devnum"), &number.to_string());
        self.file(&format!("{device}/product"), name);
        if let Some(serial) = serial {
            self.file(&format!("{device}/serial"), serial);
        }
        let link = self.path(&format!("sys/bus/usb/devices/{at}"));
        symlink(format!("../../../devices/pci0000:00/0000:00:14.0/usb1/{at}"), link).unwrap();
    }

    /// `ttyUSB…` has a folder of its own under its interface, `ttyACM…` has not.
    pub(crate) fn port(&self, at: &str, interface: u8, name: &str, driver: &str) {
        let device = format!("devices/pci0000:00/0000:00:14.0/usb1/{at}/{at}:1.{interface}");
        self.file(&format!("sys/{device}/bInterfaceNumber"), &format!("{interface:02x}"));
        let own = if name.starts_with("ttyUSB") { format!("{device}/{name}") } else { device.clone() };
        fs::create_dir_all(self.path(&format!("sys/{own}/tty/{name}"))).unwrap();
        symlink("../..", self.path(&format!("sys/{own}/tty/{name}/device"))).unwrap();
        symlink(format!("/nowhere/drivers/{driver}"), self.path(&format!("sys/{own}/driver"))).unwrap();
        if driver == "ftdi_sio" {
            self.file(&format!("sys/{own}/latency_timer"), "16");
        }
        symlink(format!("../../{own}/tty/{name}"), self.path(&format!("sys/class/tty/{name}"))).unwrap();
    }

    pub(crate) fn unplug(&self, at: &str, names: &[&str]) {
        fs::remove_dir_all(self.path(&format!("sys/devices/pci0000:00/0000:00:14.0/usb1/{at}"))).unwrap();
        fs::remove_file(self.path(&format!("sys/bus/usb/devices/{at}"))).unwrap();
        for name in names {
            fs::remove_file(self.path(&format!("sys/class/tty/{name}"))).unwrap();
        }
    }
}
