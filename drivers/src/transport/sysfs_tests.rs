use std::os::unix::fs::symlink;

use super::sysfs_tree::Tree;
use super::*;
use crate::transport::serial::tests::opens;
use crate::transport::{Connect, SerialPort};
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio_serial::SerialPort as _;

fn sysfs(tree: &Tree) -> Sysfs {
    Sysfs::at(tree.path("sys"), tree.path("dev"))
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
    let ports = sysfs(&tree).ports();
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
    let numbers: Vec<u8> = sysfs(&tree).usb_devices().iter().map(|device| device.number).collect();
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
    let resolve = |serial: &str, interface| sysfs(&tree).resolve(serial, interface);
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
        "no USB device with the serial number A10 is attached (is it plugged in? attached are A10KZ4QP, QUAD)",
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
    let mut port = SerialPort::new("usb:SH-0001", 115_200).looked_up_in(sysfs(&tree));
    let why = port.connect().await.unwrap_err().to_string();
    assert!(why.starts_with("no USB device with the serial number SH-0001 is attached"), "{why}");
    // the first terminal stays: the second would get its number, and the first port may still be closing
    let mut terminals = Vec::new();
    for (number, name) in [(4, "ttyACM0"), (5, "ttyACM3")] {
        let (mut device, slave) = tokio_serial::SerialStream::pair().unwrap();
        symlink(slave.name().unwrap(), tree.path(&format!("dev/{name}"))).unwrap();
        drop(slave);
        tree.usb("1-1", number, ("2e8a", "000a"), Some("SH-0001"), "sabot shoe");
        tree.port("1-1", 0, name, "cdc_acm");
        let mut open = opens(&mut port).await;
        open.write_all(b"x").await.unwrap();
        let mut got = [0];
        device.read_exact(&mut got).await.unwrap();
        assert_eq!(&got, b"x", "{name}");
        drop(open);
        terminals.push(device);
        tree.unplug("1-1", &[name]);
    }
    assert_eq!(port.place(), "usb:SH-0001", "the place is what the configuration wrote");
    let why = SerialPort::new("usb:", 9600).connect().await.unwrap_err().to_string();
    assert!(why.contains("without a serial number"), "{why}");
}
