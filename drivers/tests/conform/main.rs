//! The examination of devices that are right, and of devices that are wrong in one thing each.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod codec;
mod faults;
mod impostor;
mod ours;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use faults::{FAULTS, Fault, NONSENSE, OF_CODES};
use impostor::Impostor;
use sabot_drivers::conform::{DUTIES, Duty, Enter, Outcome, Person, Report, Setup, examine};
use sabot_drivers::keys::KeyFile;
use sabot_drivers::transport::memory;
use sabot_wire::message::Key;
use sabot_wire::pairing::Code;
use tokio::io::AsyncReadExt as _;
use tokio::sync::Notify;

/// What a person at the device does. Nobody does it where nothing comes of it that is asked.
trait AtHand {
    fn asked(&self, what: &str) -> bool;
}

/// Examines the device behind a cable; time is not waited for.
async fn examined(
    place: sabot_drivers::transport::MemoryPort,
    keys: &KeyFile,
    pair: bool,
    code: Option<&Code>,
    at_hand: &dyn AtHand,
) -> Report {
    examined_for(place, keys, pair, code, at_hand, false).await
}

/// As long as its counter takes to go past 16 bits, where that is `long`.
async fn examined_for(
    place: sabot_drivers::transport::MemoryPort,
    keys: &KeyFile,
    pair: bool,
    code: Option<&Code>,
    at_hand: &dyn AtHand,
    long: bool,
) -> Report {
    let (enter, enters) = std::sync::mpsc::channel();
    let slack = Duration::from_millis(250);
    let setup = Setup { keys, pair, code, wait: Duration::from_secs(5), slack, long };
    let mut ask = |what: &str, means: Enter| {
        if at_hand.asked(what) && means == Enter::Done {
            enter.send(()).unwrap();
        }
    };
    examine(place, setup, Person { ask: &mut ask, enters: &enters, patience: Duration::from_secs(30) }).await
}

struct AtImpostor(Arc<Mutex<Impostor>>);

impl AtHand for AtImpostor {
    fn asked(&self, what: &str) -> bool {
        let mut device = self.0.lock().unwrap();
        if what.contains("take its power") {
            device.restarts()
        } else {
            device.sees()
        }
        true
    }
}

/// Examines an impostor with that fault, that is to be paired or has a key.
async fn report_on(fault: Option<Fault>, pair: bool) -> Report {
    report_of(Impostor::new(fault), pair).await
}

async fn report_of(device: Impostor, pair: bool) -> Report {
    report_for(device, pair, false).await
}

async fn report_for(mut device: Impostor, pair: bool, long: bool) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let keys = KeyFile::new(folder.path().join("keys.toml"));
    if !pair {
        keys.add(device.serial(), &device.gets_key()).unwrap();
    }
    let device = Arc::new(Mutex::new(device));
    let (place, socket) = memory();
    let running = tokio::spawn(impostor::run(Arc::clone(&device), socket.plug(1 << 16)));
    let code = device.lock().unwrap().code.map(Code::new);
    let report = examined_for(place, &keys, pair, code.as_ref(), &AtImpostor(device), long).await;
    running.abort();
    report
}

fn named(report: &Report) -> Option<Duty> {
    report.mistake.as_ref().map(|(duty, _)| *duty)
}

const NOT_LONG: &str = "it takes minutes, and was not asked for (--long)";

/// A device with a code on its housing.
fn coded(fault: Option<Fault>) -> Impostor {
    let mut device = Impostor::new(fault);
    device.code = Some([0xC0, 0xDE, 3, 4, 5, 6, 7, 8, 9, 10]);
    device
}

/// Everything was seen to be done but these duties, each for its reason.
fn is_right(report: &Report, not_shown: &dyn Fn(Duty) -> Option<&'static str>) {
    assert_eq!((&report.mistake, &report.over), (&None, &None));
    for (asked, outcome) in &report.outcomes {
        match (outcome, not_shown(asked.duty)) {
            (Outcome::Held(times), None) => assert!(*times > 0),
            (Outcome::NotShown(why), due) => assert_eq!(Some(*why), due, "{asked:?}"),
            (found, due) => panic!("{asked:?}: {found:?}, not {due:?}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_right_device_does_every_duty_that_the_line_can_show() {
    for pair in [true, false] {
        let report = report_on(None, pair).await;
        assert_eq!(report.paired, pair);
        is_right(&report, &|duty| match duty {
            Duty::Unpaired | Duty::Pairs if !pair => Some("it has a key"),
            duty if OF_CODES.contains(&duty) => Some("it was not paired by its code (--code)"),
            Duty::LongCounter => Some(NOT_LONG),
            _ => None,
        });
    }
    let report = report_of(coded(None), true).await;
    is_right(&report, &|duty| match duty {
        Duty::Pairs => Some("it was paired by its code"),
        Duty::LongCounter => Some(NOT_LONG),
        _ => None,
    });
}

#[tokio::test(start_paused = true)]
async fn a_device_whose_code_was_mistyped_is_told_so_and_keeps_no_key() {
    let mut device = coded(None);
    let typed = device.code.take().map(Code::new);
    device.code = Some([1; 10]);
    let folder = tempfile::tempdir().unwrap();
    let keys = KeyFile::new(folder.path().join("keys.toml"));
    let (place, socket) = memory();
    let device = Arc::new(Mutex::new(device));
    tokio::spawn(impostor::run(Arc::clone(&device), socket.plug(1 << 16)));
    let report = examined(place, &keys, true, typed.as_ref(), &AtImpostor(device)).await;
    assert_eq!((named(&report), report.paired), (Some(Duty::CodeProof), false));
    assert!(report.mistake.unwrap().1.ends_with("is this its code?"));
    assert!(keys.load().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_key_that_is_known_is_kept_until_the_device_has_taken_the_other() {
    for (fault, is_kept) in [(Some(Fault::KeepsNoCodedKey), true), (None, false)] {
        let folder = tempfile::tempdir().unwrap();
        let keys = KeyFile::new(folder.path().join("keys.toml"));
        let old = Key::new([0x77; 16]);
        keys.add("IM-0001", &old).unwrap();
        let (place, socket) = memory();
        let device = Arc::new(Mutex::new(coded(fault)));
        tokio::spawn(impostor::run(Arc::clone(&device), socket.plug(1 << 16)));
        let code = device.lock().unwrap().code.map(Code::new);
        let report = examined(place, &keys, true, code.as_ref(), &AtImpostor(device)).await;
        assert_eq!((report.mistake.is_some(), report.paired), (is_kept, !is_kept));
        assert_eq!(keys.load().unwrap()["IM-0001"] == old, is_kept);
    }
}

#[tokio::test(start_paused = true)]
async fn a_device_may_have_more_events_than_may_be_under_way() {
    for deed in [1, 2, 32, 33, 100] {
        let mut device = Impostor::new(None);
        device.deed = deed;
        let report = report_of(device, true).await;
        assert_eq!((&report.mistake, &report.over), (&None, &None), "{deed} at once");
    }
}

#[tokio::test(start_paused = true)]
async fn a_right_device_may_do_nothing_else_while_it_computes_a_share() {
    for slowness in [300, 1000, 2000].map(Duration::from_millis) {
        for mut device in [Impostor::new(None), coded(None)] {
            device.slowness = slowness;
            let report = report_of(device, true).await;
            assert_eq!((&report.mistake, &report.over), (&None, &None), "{slowness:?}");
        }
    }
    let mut device = Impostor::new(None);
    device.slowness = Duration::from_millis(2600);
    assert_eq!(named(&report_of(device, true).await), Some(Duty::Exchange));
}

#[tokio::test(start_paused = true)]
async fn each_mistake_is_named_under_the_section_that_forbids_it() {
    let mut wrongly = Vec::new();
    let nonsense = (0..NONSENSE.len()).map(|which| (Fault::Tells(which), Duty::Values));
    let quick = FAULTS.into_iter().filter(|(_, duty)| *duty != Duty::LongCounter);
    for (fault, duty) in quick.chain(nonsense) {
        let report = if OF_CODES.contains(&duty) {
            report_of(coded(Some(fault)), true).await
        } else {
            let pair = matches!(fault, Fault::NeverTakesAKey | Fault::TakesAKeyAndKeepsNone);
            report_on(Some(fault), pair).await
        };
        if named(&report) != Some(duty) {
            wrongly.push(format!("{fault:?}: {:?} {:?}, not {duty:?}", report.mistake, report.over));
        }
    }
    assert!(wrongly.is_empty(), "{}", wrongly.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn a_counter_that_ends_at_16_bits_is_named_where_there_is_time_for_it() {
    let right = report_for(Impostor::new(None), true, true).await;
    is_right(&right, &|duty| match duty {
        duty if OF_CODES.contains(&duty) => Some("it was not paired by its code (--code)"),
        _ => None,
    });
    let wrong = report_for(Impostor::new(Some(Fault::SendsCounterOf16Bits)), true, true).await;
    assert_eq!(named(&wrong), Some(Duty::LongCounter));
    assert!(wrong.mistake.unwrap().1.starts_with("after the counter 65535 "));
}

#[test]
fn each_duty_has_a_device_that_does_not_do_it() {
    let tried: BTreeSet<Duty> = FAULTS.iter().map(|(_, duty)| *duty).collect();
    let untried: Vec<_> = DUTIES.iter().filter(|asked| !tried.contains(&asked.duty)).collect();
    assert!(untried.is_empty(), "{untried:?}");
}

#[tokio::test(start_paused = true)]
async fn a_device_with_nobody_at_it_is_right_as_far_as_it_shows() {
    struct Nobody;
    impl AtHand for Nobody {
        fn asked(&self, _: &str) -> bool {
            false
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let keys = KeyFile::new(folder.path().join("keys.toml"));
    let (place, socket) = memory();
    let device = Arc::new(Mutex::new(Impostor::new(None)));
    tokio::spawn(impostor::run(device, socket.plug(1 << 16)));
    let report = examined(place, &keys, true, None, &Nobody).await;
    assert_eq!((&report.mistake, &report.over), (&None, &None));
    let shown = |duty| report.outcomes.iter().find(|(asked, _)| asked.duty == duty).unwrap().1.clone();
    assert_eq!(shown(Duty::Resends), Outcome::NotShown("no event was made"));
    assert_eq!(shown(Duty::Boots), Outcome::NotShown("its power was not taken away"));
    assert!(matches!(shown(Duty::Lives), Outcome::Held(_)));
}

/// Somebody who takes the power away for two seconds, from a device whose port stays or goes with it.
struct AtPlug(Arc<Mutex<Impostor>>, Arc<Notify>);

impl AtHand for AtPlug {
    fn asked(&self, what: &str) -> bool {
        if what.contains("take its power") {
            self.1.notify_one();
        } else {
            self.0.lock().unwrap().sees();
        }
        true
    }
}

async fn report_of_one_away(fault: Option<Fault>, port_goes: bool, comes_back: bool) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let keys = KeyFile::new(folder.path().join("keys.toml"));
    let (place, socket) = memory();
    let (device, power) = (Arc::new(Mutex::new(Impostor::new(fault))), Arc::new(Notify::new()));
    let (of_device, of_power) = (Arc::clone(&device), Arc::clone(&power));
    let mut cable = socket.plug(1 << 16);
    tokio::spawn(async move {
        tokio::select! {
            () = impostor::run_on(&of_device, &mut cable) => return,
            () = of_power.notified() => {}
        }
        if port_goes {
            drop(cable);
            tokio::time::sleep(Duration::from_secs(2)).await;
            cable = socket.plug(1 << 16);
        } else {
            let (mut unread, off) = ([0; 64], Duration::from_millis(if comes_back { 2500 } else { 600_000 }));
            let _ = tokio::time::timeout(off, async { while cable.read(&mut unread).await.is_ok() {} }).await;
        }
        of_device.lock().unwrap().restarts();
        impostor::run_on(&of_device, &mut cable).await;
    });
    examined(place, &keys, true, None, &AtPlug(device, power)).await
}

#[tokio::test(start_paused = true)]
async fn a_device_is_away_while_it_has_no_power_and_its_first_hello_is_its_own() {
    for port_goes in [false, true] {
        let right = report_of_one_away(None, port_goes, true).await;
        is_right(&right, &|duty| match duty {
            duty if OF_CODES.contains(&duty) => Some("it was not paired by its code (--code)"),
            Duty::LongCounter => Some(NOT_LONG),
            Duty::FirstHello if port_goes => Some("its port was away as it started"),
            _ => None,
        });
    }
    let mute = report_of_one_away(Some(Fault::NoFirstHello), false, true).await;
    assert_eq!((named(&mute), &mute.over), (Some(Duty::FirstHello), &None));
    let uncounted = report_of_one_away(Some(Fault::StartsNotCounted), false, true).await;
    assert_ne!((&uncounted.mistake, &uncounted.over), (&None, &None));
    let gone = report_of_one_away(None, false, false).await;
    assert_eq!(
        (named(&gone), gone.over.as_deref()),
        (None, Some("its power was taken away, and it did not come back"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_device_whose_key_nobody_knows_is_not_called_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let keys = KeyFile::new(folder.path().join("keys.toml"));
    let (place, socket) = memory();
    let mut device = Impostor::new(None);
    let _ = device.gets_key();
    let device = Arc::new(Mutex::new(device));
    tokio::spawn(impostor::run(Arc::clone(&device), socket.plug(1 << 16)));
    let report = examined(place, &keys, false, None, &AtImpostor(device)).await;
    assert_eq!((named(&report), report.paired), (None, false));
    assert!(report.over.unwrap().contains("no key of IM-0001 is known: give it one with --pair"));
}
