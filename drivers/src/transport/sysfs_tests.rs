use std::fs;
use std::os::unix::fs::symlink;

use super::*;
use crate::transport::{Connect, SerialPort};
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio_serial::SerialPort as _;

/// A tree laid out as Linux lays out `/sys`, and its `/dev`.
struct Tree {
    folder: tempfile::TempDir,
}

impl Tree {
    fn new() -> Self {
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

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn sysfs(&self) -> Sysfs {
        Sysfs::at(self.path("sys"), self.path("dev"))
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{text}\n")).unwrap();
    }

    fn platform(&self, name: &str, kind: &str) {
        let device = format!("devices/pnp0/00:{name}/00:{name}:0/00:{name}:0.0");
        self.file(&format!("sys/{device}/tty/{name}/type"), kind);
        symlink("../../../00:".to_owned() + name + ":0.0", self.path(&format!("sys/{device}/tty/{name}/device")))
            .unwrap();
        symlink(format!("../../{device}/tty/{name}"), self.path(&format!("sys/class/tty/{name}"))).unwrap();
    }

    /// A device plugged at `at` (`1-1`), with its number on the bus.
    fn usb(&self, at: &str, number: u8, ids: (&str, &str), serial: Option<&str>, name: &str) {
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
    fn port(&self, at: &str, interface: u8, name: &str, driver: &str) {
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

    fn unplug(&self, at: &str, names: &[&str]) {
        fs::remove_dir_all(self.path(&format!("sys/devices/pci0000:00/0000:00:14.0/usb1/{at}"))).unwrap();
        fs::remove_file(self.path(&format!("sys/bus/usb/devices/{at}"))).unwrap();
        for name in names {
            fs::remove_file(self.path(&format!("sys/class/tty/{name}"))).unwrap();
        }
    }
}

#[test]
fn ports_with_hardware_are_listed_with_what_is_known_of_them() {
    let tree = Tree::new();
    tree.usb("1-2", 9, ("0403", "6001"), Some("A10KZ4QP"), "FT232R USB UART");
    tree.port("1-2", 0, "ttyUSB10", "ftdi_sio");
    tree.usb("1-1", 4, ("2e8a", "000a"), Some("SH-0001"), "sabot shoe\u{1b}[2J");
    tree.port("1-1", 0, "ttyACM0", "cdc_acm");
    tree.usb("1-3", 5, ("1a86", "7523"), None, "USB Serial");
    tree.port("1-3", 0, "ttyUSB9", "ch341-uart");
    let ports = tree.sysfs().ports();
    let names: Vec<String> =
        ports.iter().map(|port| port.path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(names, ["ttyACM0", "ttyS0", "ttyUSB9", "ttyUSB10"], "a console and an empty place are no ports");
    let shoe = ports[0].usb.as_ref().unwrap();
    assert_eq!((shoe.vendor, shoe.product, shoe.bus, shoe.number), (0x2e8a, 0x000a, 1, 4));
    assert_eq!(shoe.serial.as_deref(), Some("SH-0001"));
    assert_eq!(shoe.name.as_deref(), Some("sabot shoe\u{fffd}[2J"), "a device's words do nothing to a terminal");
    assert_eq!((ports[0].interface, ports[0].latency_ms), (Some(0), None));
    assert_eq!((&ports[1].usb, ports[1].interface), (&None, None));
    assert_eq!(ports[2].usb.as_ref().unwrap().serial, None);
    assert_eq!((ports[3].driver.as_deref(), ports[3].latency_ms), (Some("ftdi_sio"), Some(16)));
    let numbers: Vec<u8> = tree.sysfs().usb_devices().iter().map(|device| device.number).collect();
    assert_eq!(numbers, [4, 5, 9]);
    let nothing = Sysfs::at(tree.path("none"), tree.path("dev"));
    assert!(nothing.ports().is_empty() && nothing.usb_devices().is_empty());
}

#[test]
fn a_serial_number_names_a_port_or_says_in_words_why_not() {
    let tree = Tree::new();
    tree.usb("1-2", 9, ("0403", "6001"), Some("A10KZ4QP"), "FT232R USB UART");
    tree.port("1-2", 0, "ttyUSB0", "ftdi_sio");
    tree.usb("1-4", 3, ("0403", "6011"), Some("QUAD"), "FT4232H");
    (0..4).for_each(|interface| tree.port("1-4", interface, &format!("ttyUSB{}", 1 + interface), "ftdi_sio"));
    let resolve = |serial: &str, interface| tree.sysfs().resolve(serial, interface);
    let why = |serial: &str, interface| resolve(serial, interface).unwrap_err().to_string();
    assert_eq!(resolve("A10KZ4QP", None), Ok(tree.path("dev/ttyUSB0")));
    assert_eq!(resolve("A10KZ4QP", Some(0)), Ok(tree.path("dev/ttyUSB0")));
    assert_eq!(resolve("QUAD", Some(3)), Ok(tree.path("dev/ttyUSB4")));
    assert!(
        why("QUAD", None).contains("has several ports: write one of usb:QUAD#0, usb:QUAD#1, usb:QUAD#2, usb:QUAD#3")
    );
    assert!(why("QUAD", Some(7)).contains("has no port on interface 7: write one of usb:QUAD#0"));
    assert_eq!(
        why("A10", None),
        "no USB device with the serial number A10 is attached (is it plugged in?; attached are A10KZ4QP, QUAD)",
        "a part of a serial number is none"
    );
    tree.usb("1-5", 6, ("191a", "8003"), Some("LR6"), "LR6-USB");
    assert!(why("LR6", None).contains("has no serial port"));
    // a twin of the first, as cheap adapters are
    tree.usb("1-6", 7, ("0403", "6001"), Some("A10KZ4QP"), "FT232R USB UART");
    tree.port("1-6", 0, "ttyUSB7", "ftdi_sio");
    let why = why("A10KZ4QP", None);
    assert!(why.contains("several USB devices have the serial number A10KZ4QP") && why.contains("ttyUSB7"), "{why}");
}

/// A port whose number changes while it is away is opened again under its new one, by every opening anew.
#[tokio::test]
async fn a_replugged_device_is_found_under_its_new_number() {
    let tree = Tree::new();
    let mut port = SerialPort::new("usb:SH-0001", 115_200).looked_up_in(tree.sysfs());
    let why = port.connect().await.unwrap_err().to_string();
    assert!(why.starts_with("no USB device with the serial number SH-0001 is attached"), "{why}");
    for (number, name) in [(4, "ttyACM0"), (5, "ttyACM3")] {
        let (mut device, slave) = tokio_serial::SerialStream::pair().unwrap();
        symlink(slave.name().unwrap(), tree.path(&format!("dev/{name}"))).unwrap();
        drop(slave);
        tree.usb("1-1", number, ("2e8a", "000a"), Some("SH-0001"), "sabot shoe");
        tree.port("1-1", 0, name, "cdc_acm");
        let mut open = port.connect().await.unwrap();
        open.write_all(b"x").await.unwrap();
        let mut got = [0];
        device.read_exact(&mut got).await.unwrap();
        assert_eq!(&got, b"x", "{name}");
        drop(open);
        tree.unplug("1-1", &[name]);
    }
    assert_eq!(port.place(), "usb:SH-0001", "the place is what the configuration wrote");
    let why = SerialPort::new("usb:", 9600).connect().await.unwrap_err().to_string();
    assert!(why.contains("without a serial number"), "{why}");
}
