use std::sync::Mutex;

use sabot_stall_guard::{PATIENCE, Stopwatch};

use super::*;
use crate::signal::lr6::Lr6;
use crate::signal::{Attention, Level, Look, Signal, SignalContent, SignalState, spawn_over};

/// A bus with at most one tower on it. What libusb and the kernel do is not proved by it; what is asked of them is.
#[derive(Debug, Clone, Default)]
struct Fake(Arc<Mutex<Tower>>);

#[derive(Debug, Default)]
struct Tower {
    plug: Option<Plug>,
    /// Another tower.
    second: Option<Plug>,
    others: bool,
    /// It takes nothing.
    hangs: bool,
    /// Transfers that fail before one passes.
    failing: u32,
    did: Vec<&'static str>,
    reports: Vec<Vec<u8>>,
}

struct Open(Fake, Plug);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.with(|tower| tower.did.push("let go"));
    }
}

impl Fake {
    fn with<T>(&self, look: impl FnOnce(&mut Tower) -> T) -> T {
        look(&mut self.0.lock().unwrap())
    }

    fn plug(&self, device: u8) {
        self.with(|tower| tower.plug = Some(Plug { bus: 1, device }));
    }

    async fn last_report(&self, wanted: &[u8]) {
        for _ in 0..400 {
            if self.with(|tower| tower.reports.last().is_some_and(|last| last == wanted)) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{wanted:02x?} did not come: {:02x?}", self.with(|tower| tower.reports.clone()));
    }
}

impl Bus for Fake {
    type Device = Open;

    fn find(&self, vendor: u16, product: u16) -> Result<Vec<Plug>, UsbError> {
        assert_eq!((vendor, product), (0x191A, 0x8003));
        Ok(self.with(|tower| tower.plug.into_iter().chain(tower.second).collect()))
    }

    fn open(&self, plug: Plug) -> Result<Open, UsbError> {
        self.with(|tower| tower.did.push("open"));
        Ok(Open(self.clone(), plug))
    }
}

impl Device for Open {
    fn claim(&mut self) -> Result<(), UsbError> {
        self.0.with(|tower| {
            tower.did.push("claim");
            if tower.others { Err(UsbError::Busy) } else { Ok(()) }
        })
    }

    fn send(&mut self, report: &[u8]) -> Result<(), UsbError> {
        let plug = self.1;
        self.0.with(|tower| {
            if tower.plug != Some(plug) {
                return Err(UsbError::Other("Pipe error".to_owned()));
            }
            if tower.hangs {
                return Err(UsbError::Slow);
            }
            if tower.failing > 0 {
                tower.failing -= 1;
                return Err(UsbError::Other("Input/Output Error".to_owned()));
            }
            tower.reports.push(report.to_vec());
            Ok(())
        })
    }
}

const GREEN: [u8; 8] = [0, 0, 0, 0, 0, 0x10, 0, 0];
const RED: [u8; 8] = [0, 0, 0, 0, 0x10, 0, 0, 0];

fn signal(bus: &Fake) -> (Signal, tokio::sync::watch::Sender<bool>) {
    let (stop, stopped) = tokio::sync::watch::channel(false);
    (spawn_over(UsbPlace::new(bus.clone()), "patlite-lr6", Lr6::new(Look::default()), stopped), stop)
}

async fn shows(signal: &Signal) {
    let shows = signal.wait_state(|state| *state == SignalState::Shows);
    assert!(tokio::time::timeout(PATIENCE, shows).await.is_ok(), "{:?}", signal.state());
}

async fn absent(signal: &Signal) -> String {
    let away = signal.wait_state(|state| matches!(state, SignalState::Absent(why) if !why.contains("not looked")));
    match tokio::time::timeout(PATIENCE, away).await {
        Ok(Some(SignalState::Absent(why))) => why,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_tower_is_claimed_pictures_become_reports_and_at_the_end_it_is_let_go() {
    let bus = Fake::default();
    bus.plug(4);
    let (signal, stop) = signal(&bus);
    shows(&signal).await;
    bus.last_report(&GREEN).await;
    signal.show(SignalContent::new(Level::Irregularity, Attention::None, []));
    bus.last_report(&RED).await;
    assert_eq!(bus.with(|tower| tower.did.clone()), ["open", "claim"]);
    drop(stop);
    for _ in 0..400 {
        if bus.with(|tower| tower.did.len() == 3) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(bus.with(|tower| tower.did.clone()), ["open", "claim", "let go"]);
}

#[tokio::test]
async fn a_tower_that_takes_nothing_is_not_there_until_it_takes_something() {
    let bus = Fake::default();
    bus.plug(4);
    bus.with(|tower| tower.hangs = true);
    let (signal, _stop) = signal(&bus);
    let why = absent(&signal).await;
    assert!(why.contains("the device hangs"), "{why}");
    let opened = || bus.with(|tower| tower.did.iter().filter(|did| **did == "open").count());
    while opened() < 3 {
        assert!(!matches!(signal.state(), SignalState::Shows | SignalState::Connecting), "{:?}", signal.state());
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    bus.with(|tower| tower.hangs = false);
    shows(&signal).await;
    bus.last_report(&GREEN).await;
}

#[tokio::test]
async fn a_second_tower_does_not_take_the_place_of_the_first() {
    let bus = Fake::default();
    bus.plug(4);
    let (signal, _stop) = signal(&bus);
    shows(&signal).await;
    bus.with(|tower| {
        tower.second = tower.plug;
        tower.plug = Some(Plug { bus: 1, device: 3 });
    });
    let gone = signal.wait_state(|state| *state != SignalState::Shows);
    assert!(tokio::time::timeout(3 * LOOK_EVERY, gone).await.is_err(), "{:?}", signal.state());
}

#[tokio::test]
async fn unplugged_it_is_absent_within_a_second_and_plugged_anew_it_shows_what_is_wanted_now() {
    let bus = Fake::default();
    let (signal, _stop) = signal(&bus);
    assert!(absent(&signal).await.contains("plugged in"));
    bus.plug(4);
    shows(&signal).await;
    bus.with(|tower| tower.plug = None);
    let pulled = Stopwatch::start();
    absent(&signal).await;
    assert!(pulled.elapsed() < Duration::from_secs(1), "{:?}", pulled.elapsed());
    signal.show(SignalContent::new(Level::Irregularity, Attention::None, []));
    bus.plug(5);
    bus.last_report(&RED).await;
    // the bus has it before the driver has told that it does
    shows(&signal).await;
    assert_eq!(signal.counters().reconnects, 1);
}

#[tokio::test]
async fn a_transfer_that_fails_is_tried_again_while_the_tower_is_there() {
    let bus = Fake::default();
    bus.plug(4);
    bus.with(|tower| tower.failing = TRIES - 1);
    let (signal, _stop) = signal(&bus);
    bus.last_report(&GREEN).await;
    assert_eq!(bus.with(|tower| tower.did.iter().filter(|did| **did == "open").count()), 1);
    bus.with(|tower| tower.failing = TRIES);
    signal.show(SignalContent::new(Level::Irregularity, Attention::None, []));
    // given up, opened anew, and told what is wanted
    bus.last_report(&RED).await;
    assert_eq!(bus.with(|tower| tower.did.iter().filter(|did| **did == "open").count()), 2);
}

#[tokio::test]
async fn a_tower_that_another_program_has_is_absent_with_the_reason() {
    let bus = Fake::default();
    bus.plug(4);
    bus.with(|tower| tower.others = true);
    let (signal, _stop) = signal(&bus);
    let why = absent(&signal).await;
    assert!(why.contains("another program has it"), "{why}");
    bus.with(|tower| tower.others = false);
    shows(&signal).await;
}

/// Whatever USB the machine has that runs this, none included.
#[tokio::test]
async fn on_this_machine_the_tower_is_looked_for_and_its_absence_has_a_reason() {
    let (_stop, stopped) = tokio::sync::watch::channel(false);
    let config = crate::signal::SignalConfig::Lr6 { look: Look::default() };
    let signal = crate::signal::spawn(&config, stopped);
    let looked = signal.wait_state(|state| match state {
        SignalState::Absent(why) => why.contains(PLACE),
        state => *state == SignalState::Shows,
    });
    assert!(tokio::time::timeout(PATIENCE, looked).await.is_ok(), "{:?}", signal.state());
}
