//! The signal tower on real USB: the station's driver, libusb, usbfs and the kernel's HID driver on one side, a HID
//! device on the other.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use sabot_drivers::signal::{Attention, Level, Look, Signal, SignalConfig, SignalContent, SignalState, spawn};
use sabot_simulation::twin::usb::gadget::Identity;
use sabot_simulation::twin::usb::lr6::{LR6, Lr6Twin};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::rig::{Helper, PORTS, Scenario, enumerated, held_by, load, log, logged, wait_until};

pub(crate) const SCENARIOS: &[(&str, Scenario)] = &[
    ("tower_shows_what_it_is_told_once_it_is_plugged", shows),
    ("tower_is_taken_from_the_kernels_driver_and_given_back", given_back),
    ("tower_unplugged_in_a_transfer_is_lost_once_and_comes_back", unplugged_in_a_transfer),
    ("tower_replugged_under_another_number_is_found", replugged),
    ("tower_that_hangs_is_not_there_until_it_takes_reports", hangs),
    ("another_device_is_not_touched", another_device),
    ("tower_that_may_not_be_opened_is_told_in_words", denied),
    ("tower_that_another_program_has_is_told_in_words", in_use),
];

/// The kernel's driver for what has no driver of its own.
const HID: &str = "usbhid";
/// Who holds what libusb has claimed.
const USBFS: &str = "usbfs";

fn twin() -> Lr6Twin {
    Lr6Twin::new("lr6", &LR6).unwrap()
}

/// The station's driver, begun as the station begins it.
struct Driver {
    runtime: Runtime,
    signal: Signal,
    _stop: watch::Sender<bool>,
}

impl Driver {
    fn start() -> Self {
        let runtime = Runtime::new().unwrap();
        let (stop, stopped) = watch::channel(false);
        let signal = {
            let _in_runtime = runtime.enter();
            spawn(&SignalConfig::Lr6 { look: Look::default() }, stopped)
        };
        Self { runtime, signal, _stop: stop }
    }

    fn show(&self, level: Level) {
        self.signal.show(SignalContent::new(level, Attention::None, []));
    }

    fn shows(&self) -> Duration {
        wait_until("the driver that shows", || self.signal.state() == SignalState::Shows)
    }

    /// Waits until it is absent for that reason, and gives how long it took.
    fn absent(&self, why: &str) -> Duration {
        wait_until(
            &format!("the driver without a tower ({why}; {:?})", self.signal.state()),
            || matches!(self.signal.state(), SignalState::Absent(said) if said.contains(why)),
        )
    }

    /// Ends it as the station does.
    fn stop(self) {
        drop(self._stop);
        drop(self.runtime);
    }
}

fn lit(twin: &Lr6Twin, wanted: &str) -> Duration {
    let shows = twin.shows();
    wait_until(&format!("{wanted} (it is {})", *shows.borrow()), || *shows.borrow() == wanted)
}

/// Makes a transfer wait: the tower has taken one report into its endpoint, and takes no other.
fn fill(driver: &Driver, twin: &Lr6Twin) {
    twin.mute(true);
    driver.show(Level::Notice);
    // what is taken is taken at once; the one after it waits
    std::thread::sleep(Duration::from_millis(200));
    driver.show(Level::Irregularity);
    std::thread::sleep(Duration::from_millis(100));
}

fn shows() -> String {
    let driver = Driver::start();
    driver.absent("plugged in");
    let twin = twin();
    twin.plug(PORTS[0]).unwrap();
    driver.shows();
    let green = lit(&twin, "green");
    driver.show(Level::Irregularity);
    let red = lit(&twin, "red");
    driver.show(Level::Calm);
    lit(&twin, "green");
    assert_eq!((logged("signal is not there"), logged("signal is back")), (1, 1), "{}", log());
    format!("green after {green:?}, red after {red:?}")
}

fn given_back() -> String {
    let twin = twin();
    twin.plug(PORTS[0]).unwrap();
    held_by(LR6.serial, HID);
    let driver = Driver::start();
    lit(&twin, "green");
    held_by(LR6.serial, USBFS);
    driver.stop();
    held_by(LR6.serial, HID);
    // and once more, from a driver of the kernel that has had it before
    let driver = Driver::start();
    driver.show(Level::Irregularity);
    lit(&twin, "red");
    driver.stop();
    held_by(LR6.serial, HID);
    "usbhid, usbfs, usbhid, usbfs, usbhid".to_owned()
}

fn unplugged_in_a_transfer() -> String {
    let twin = twin();
    twin.plug(PORTS[0]).unwrap();
    held_by(LR6.serial, HID);
    let driver = Driver::start();
    lit(&twin, "green");
    fill(&driver, &twin);
    assert_eq!(driver.signal.state(), SignalState::Shows, "the transfer still waits");
    twin.unplug();
    let lost = driver.absent("");
    assert!(lost < Duration::from_secs(1), "lost only after {lost:?}");
    driver.absent("plugged in");
    let away = load(3);
    assert!(away < 25, "{away} % of a processor while the tower is away");
    assert_eq!(logged("signal is not there"), 1, "{}", log());
    twin.mute(false);
    twin.plug(PORTS[0]).unwrap();
    let back = lit(&twin, "red");
    driver.shows();
    assert_eq!((logged("signal is not there"), logged("signal is back")), (1, 1), "{}", log());
    assert_eq!(driver.signal.counters().reconnects, 1);
    format!("lost after {lost:?}, {away} % of the emulated processor while away, back after {back:?}")
}

fn replugged() -> String {
    let twin = twin();
    twin.plug(PORTS[0]).unwrap();
    let driver = Driver::start();
    lit(&twin, "green");
    let mut places = vec![enumerated(LR6.serial).unwrap()];
    for port in [PORTS[0], PORTS[1], PORTS[0]] {
        twin.unplug();
        twin.plug(port).unwrap();
        lit(&twin, "green");
        driver.shows();
        let place = held_by(LR6.serial, USBFS);
        assert!(!places.contains(&place), "another number: {place:?}, {places:?}");
        places.push(place);
    }
    let numbers: Vec<String> = places.iter().map(|place| format!("{}/{}", place.bus, place.number)).collect();
    numbers.join(", ")
}

fn hangs() -> String {
    let twin = twin();
    twin.mute(true);
    twin.plug(PORTS[0]).unwrap();
    held_by(LR6.serial, HID);
    let driver = Driver::start();
    let noticed = driver.absent("the device hangs");
    std::thread::sleep(Duration::from_secs(4));
    assert_eq!((logged("signal is"), logged("signal is not there")), (1, 1), "{}", log());
    twin.mute(false);
    lit(&twin, "green");
    driver.shows();
    // and one that hangs later
    fill(&driver, &twin);
    driver.absent("the device hangs");
    twin.mute(false);
    lit(&twin, "red");
    driver.shows();
    format!("noticed after {noticed:?}")
}

fn another_device() -> String {
    // of the same maker, and as willing to take reports
    let other = Identity { product: LR6.product + 1, serial: "OTHER", ..LR6 };
    let stranger = Lr6Twin::new("stranger", &other).unwrap();
    stranger.plug(PORTS[0]).unwrap();
    let before = held_by("OTHER", HID);
    let driver = Driver::start();
    driver.absent("plugged in");
    std::thread::sleep(Duration::from_secs(1));
    let twin = twin();
    twin.plug(PORTS[1]).unwrap();
    lit(&twin, "green");
    driver.show(Level::Irregularity);
    lit(&twin, "red");
    assert_eq!(*stranger.shows().borrow(), "dark");
    assert_eq!(held_by("OTHER", HID), before, "the kernel's driver still has it");
    driver.stop();
    "the stranger stayed dark, and with usbhid".to_owned()
}

fn denied() -> String {
    let twin = twin();
    twin.plug(PORTS[0]).unwrap();
    let device = held_by(LR6.serial, HID);
    let driver = Helper::start_as_somebody(&["tower"]);
    let said = driver.says("permission denied");
    assert!(said.contains("udev rule"), "{said}");
    // what the rule does
    fs::set_permissions(device.node(), fs::Permissions::from_mode(0o666)).unwrap();
    driver.says("Shows");
    lit(&twin, "green");
    said
}

fn in_use() -> String {
    let twin = twin();
    twin.plug(PORTS[0]).unwrap();
    held_by(LR6.serial, HID);
    let mut other = Helper::start(&["tower"]);
    other.says("Shows");
    let driver = Driver::start();
    driver.show(Level::Irregularity);
    driver.absent("another program has it");
    other.kill();
    lit(&twin, "red");
    driver.shows();
    assert_eq!(logged("signal is not there"), 1, "{}", log());
    "absent while the other has it, there when that was killed".to_owned()
}
