//! The examination of devices that are right, and of devices that are wrong in one thing each.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod codec;
mod faults;
mod impostor;
mod ours;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use faults::{FAULTS, Fault};
use impostor::Impostor;
use sabot_drivers::conform::{DUTIES, Duty, Outcome, Person, Report, Setup, examine};
use sabot_drivers::keys::KeyFile;
use sabot_drivers::transport::memory;

/// What a person at the device does.
trait AtHand {
    fn asked(&self, what: &str);
}

/// Examines the device behind a cable; time is not waited for.
async fn examined(
    place: sabot_drivers::transport::MemoryPort,
    keys: &KeyFile,
    pair: bool,
    at_hand: &dyn AtHand,
) -> Report {
    let (_skip, skips) = std::sync::mpsc::channel();
    let setup = Setup { keys, pair, wait: Duration::from_secs(5), slack: Duration::from_millis(250) };
    let mut ask = |what: &str| at_hand.asked(what);
    examine(place, setup, Person { ask: &mut ask, skips: &skips, patience: Duration::from_secs(30) }).await
}

struct AtImpostor(Arc<Mutex<Impostor>>);

impl AtHand for AtImpostor {
    fn asked(&self, what: &str) {
        let mut device = self.0.lock().unwrap();
        if what.contains("take its power") { device.restarts() } else { device.sees() }
    }
}

/// Examines an impostor with that fault, that is to be paired or has a key.
async fn report_on(fault: Option<Fault>, pair: bool) -> Report {
    report_of(Impostor::new(fault), pair).await
}

async fn report_of(mut device: Impostor, pair: bool) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let keys = KeyFile::new(folder.path().join("keys.toml"));
    if !pair {
        keys.add(device.serial(), &device.gets_key()).unwrap();
    }
    let device = Arc::new(Mutex::new(device));
    let (place, socket) = memory();
    let running = tokio::spawn(impostor::run(Arc::clone(&device), socket.plug(1 << 16)));
    let report = examined(place, &keys, pair, &AtImpostor(device)).await;
    running.abort();
    report
}

fn named(report: &Report) -> Option<Duty> {
    report.mistake.as_ref().map(|(duty, _)| *duty)
}

#[tokio::test(start_paused = true)]
async fn a_right_device_does_every_duty_that_the_line_can_show() {
    for pair in [true, false] {
        let report = report_on(None, pair).await;
        assert_eq!((&report.mistake, &report.over, report.paired), (&None, &None, pair));
        let (pairing, kept) = ([Duty::Unpaired, Duty::Pairs], "it has a key");
        for (asked, outcome) in report.outcomes {
            match outcome {
                Outcome::Held(times) => assert!(times > 0),
                Outcome::NotShown(why) => {
                    assert!(!pair && pairing.contains(&asked.duty) && why == kept, "{asked:?}: {why}")
                }
                Outcome::Wrong(found) => panic!("{asked:?}: {found}"),
            }
        }
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
async fn each_mistake_is_named_under_the_section_that_forbids_it() {
    let mut wrongly = Vec::new();
    for (fault, duty) in FAULTS {
        let pair = matches!(fault, Fault::NeverTakesAKey | Fault::TakesAKeyAndKeepsNone);
        let report = report_on(Some(fault), pair).await;
        if named(&report) != Some(duty) {
            wrongly.push(format!("{fault:?}: {:?} {:?}, not {duty:?}", report.mistake, report.over));
        }
    }
    assert!(wrongly.is_empty(), "{}", wrongly.join("\n"));
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
        fn asked(&self, _: &str) {}
    }
    let folder = tempfile::tempdir().unwrap();
    let keys = KeyFile::new(folder.path().join("keys.toml"));
    let (place, socket) = memory();
    let device = Arc::new(Mutex::new(Impostor::new(None)));
    tokio::spawn(impostor::run(device, socket.plug(1 << 16)));
    let report = examined(place, &keys, true, &Nobody).await;
    assert_eq!((&report.mistake, &report.over), (&None, &None));
    let shown = |duty| report.outcomes.iter().find(|(asked, _)| asked.duty == duty).unwrap().1.clone();
    assert_eq!(shown(Duty::Resends), Outcome::NotShown("no event was made"));
    assert_eq!(shown(Duty::Boots), Outcome::NotShown("its power was not taken away"));
    assert!(matches!(shown(Duty::Lives), Outcome::Held(_)));
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
    let report = examined(place, &keys, false, &AtImpostor(device)).await;
    assert_eq!((named(&report), report.paired), (None, false));
    assert!(report.over.unwrap().contains("no key of IM-0001 is known: give it one with --pair"));
}
