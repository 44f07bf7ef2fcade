use std::path::Path;

use super::tree::Tree;
use super::*;
use sabot_drivers::keys::KeyFile;
use sabot_simulation::twin::Twin;
use sabot_wire::message::{Key, Role};

fn key() -> Key {
    Key::new([3; 16])
}

/// A machine whose kernel has no USB that the library can use.
fn no_usb() -> Result<Vec<Enumerated>, UsbError> {
    Err(UsbError::NoUsb("none here".to_owned()))
}

/// A machine with a tower on it; `0403:6001` is a port too.
fn some_usb() -> Result<Vec<Enumerated>, UsbError> {
    let found = |device, vendor, product| Enumerated { plug: usb::Plug { bus: 1, device }, vendor, product };
    Ok(vec![found(3, 0x0403, 0x6001), found(5, 0x191A, 0x8003), found(6, 0xFFFF, 0x0035), found(7, 0x1234, 0x5678)])
}

fn config(devices: &str) -> Config {
    let head = "table = \"T\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 9 }\njournal = \"j\"\nlisten = \"127.0.0.1:0\"\n";
    Config::parse(Path::new("/nowhere/station.toml"), &format!("{head}{devices}")).unwrap()
}

fn survey(tree: &Tree, usb: fn() -> Result<Vec<Enumerated>, UsbError>, config: Option<Config>) -> Survey {
    Survey::of(Sysfs::at(tree.path("sys"), tree.path("dev")), usb, config, None)
}

async fn look(survey: &mut Survey) -> Inventory {
    survey.look(Patience::Wait).await
}

fn adapter(tree: &Tree, name: &str) {
    tree.usb("1-2", 3, ("0403", "6001"), Some("A10KZ4QP"), "FT232R USB UART");
    tree.port("1-2", 0, name, "ftdi_sio");
}

#[tokio::test]
async fn without_a_configuration_ports_and_usb_devices_are_listed_with_what_would_name_them() {
    let tree = Tree::new();
    adapter(&tree, "ttyUSB0");
    tree.usb("1-3", 5, ("191a", "8003"), None, "LR6");
    let mut here = survey(&tree, some_usb, None);
    let inventory = look(&mut here).await;
    assert!(inventory.is_fine() && inventory.notes.is_empty(), "{:?}", inventory.notes);
    assert!(inventory.devices.iter().all(|device| device.state == State::Unused && device.says.is_none()));
    let text = text::table(&inventory, None);
    let dev = tree.path("dev").display().to_string();
    for expected in [
        &format!("{dev}/ttyS0\n"),
        &format!("{dev}/ttyUSB0  USB 0403:6001 FT232R USB UART; to use it: port = \"usb:A10KZ4QP\"\n"),
        "holds bytes back for 16 ms",
        "USB 191a:8003",
        "PATLITE LR6-USB, no serial number",
        "Chafon CF-RH320U-93",
        "USB 1234:5678",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert_eq!(text.matches("0403:6001").count(), 1, "a port and its USB device are one line: {text}");
    let mut none = survey(&tree, no_usb, None);
    let inventory = look(&mut none).await;
    assert!(inventory.notes[0].contains("USB cannot be used: none here"), "{:?}", inventory.notes);
    assert!(
        inventory.devices.iter().any(|device| device.port == "USB 191a:8003"),
        "the system's files tell of it still"
    );
}

#[tokio::test]
async fn a_device_configured_by_its_usb_serial_number_is_found_asked_and_followed() {
    let tree = Tree::new();
    let of_shoe =
        "[[device]]\nrole = \"shoe\"\nport = \"usb:A10KZ4QP\"\n[[device]]\nrole = \"keypad\"\nport = \"usb:GONE\"\n";
    let mut config = config(of_shoe);
    config.keys = tree.path("keys.toml");
    let keys = KeyFile::new(config.keys.clone());
    let mut here = survey(&tree, no_usb, Some(config));
    let before = look(&mut here).await;
    assert!(before.devices[0].wrong[0].starts_with("no USB device with the serial number A10KZ4QP is attached"));
    adapter(&tree, "ttyUSB4");
    let twin = Twin::start(Role::Shoe, &tree.path("dev/ttyUSB4"), Some(key())).unwrap();
    keys.add("TWIN-SHOE", &key()).unwrap();
    let now = look(&mut here).await;
    let shoe = &now.devices[0];
    assert_eq!((shoe.state, shoe.role.as_deref(), shoe.port.as_str()), (State::Fine, Some("shoe"), "usb:A10KZ4QP"));
    assert!(shoe.says.as_ref().unwrap().starts_with("TWIN-SHOE, firmware "), "{shoe:?}");
    assert_eq!(shoe.usb.as_ref().unwrap().serial.as_deref(), Some("A10KZ4QP"));
    assert!(now.devices[1].wrong[0].contains("attached are A10KZ4QP"), "{:?}", now.devices[1]);
    assert!(!now.is_fine());
    assert_eq!(now.devices.iter().filter(|device| device.usb.is_some()).count(), 1, "it is not listed as unused too");
    let lines = text::changes(&before, &now);
    assert!(lines.iter().any(|line| line.starts_with("shoe (usb:A10KZ4QP): fine: TWIN-SHOE")), "{lines:?}");
    twin.stop();
    tree.unplug("1-2", &["ttyUSB4"]);
    let gone = look(&mut here).await;
    assert_eq!(gone.devices[0].state, State::Wrong);
    assert!(text::changes(&now, &gone)[0].starts_with("shoe (usb:A10KZ4QP): WRONG: no USB device"));
}

#[tokio::test]
async fn two_names_of_one_port_and_names_that_change_are_pointed_at() {
    let tree = Tree::new();
    adapter(&tree, "ttyUSB4");
    let port = tree.path("dev/ttyUSB4");
    let twin = Twin::start(Role::Shoe, &port, Some(key())).unwrap();
    let twice = format!(
        "[[device]]\nrole = \"shoe\"\nport = \"usb:A10KZ4QP\"\n[[device]]\nrole = \"chips\"\nport = \"{}\"\n",
        port.display()
    );
    let inventory = look(&mut survey(&tree, no_usb, Some(config(&twice)))).await;
    let chips = &inventory.devices[1];
    assert!(chips.wrong.iter().any(|why| why == "this is the port of the shoe too (usb:A10KZ4QP): name another"));
    twin.stop();
    let [port] = &Sysfs::at(tree.path("sys"), tree.path("dev")).ports()[1..] else { panic!() };
    let numbered = probe::configured(&config("[[device]]\nrole = \"shoe\"\nport = \"/dev/ttyUSB4\"\n"));
    let notes = notes_on(&numbered[0], port);
    assert!(notes[0].contains("`port = \"usb:A10KZ4QP\"` names this one always"), "{notes:?}");
}

/// The tower has no place but the bus; without one it is told in words, and is nobody's unused device.
#[tokio::test]
async fn the_usb_tower_is_configured_or_unused_and_never_both() {
    let tree = Tree::new();
    let tower = "[[device]]\nrole = \"shoe\"\nport = \"/nowhere\"\n[[signal]]\ndriver = \"patlite-lr6\"\n";
    let inventory = look(&mut survey(&tree, some_usb, Some(config(tower)))).await;
    let towers: Vec<&Device> = inventory.devices.iter().filter(|device| device.port.contains("191a:8003")).collect();
    assert_eq!(towers.len(), 1, "{towers:?}");
    assert_eq!((towers[0].role.as_deref(), towers[0].kind), (Some("patlite-lr6"), Kind::Usb));
}
