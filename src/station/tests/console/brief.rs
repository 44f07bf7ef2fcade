//! What a table says of itself to those who watch many.

use std::sync::Arc;

use sabot_law::table::due::Who;
use sabot_station::console::brief::{Alarm, Brief};
use sabot_station::snapshot::{Attention, Face, FindingState, Snapshot};
use serde_json::Value;

use super::http::{Events, Served};
use super::samples;

fn alarm(snapshot: &Snapshot) -> Option<Alarm> {
    Brief::of(snapshot).alarm
}

#[tokio::test]
async fn a_table_that_has_told_nothing_yet_has_no_verdict_to_be_read() {
    let served = Served::start(Snapshot::default()).await;
    for path in ["/api/v1/verdict", "/healthz"] {
        let (head, body) = served.get(path, "").await;
        assert!(head.starts_with("http/1.1 503") && body.contains("told nothing yet"), "{path}: {head} {body}");
    }
    served.snapshots.send_replace(Arc::new(samples::rich_play()));
    assert!(served.get("/api/v1/verdict", "").await.0.starts_with("http/1.1 200"));
}

#[tokio::test]
async fn the_verdict_names_the_gravest_open_finding_and_who_has_to_act() {
    let snapshot = samples::rich_play();
    let served = Served::start(snapshot.clone()).await;
    let (head, body) = served.get("/api/v1/verdict", "").await;
    assert!(head.starts_with("http/1.1 200") && head.contains("application/json"), "{head}");
    let told: Brief = serde_json::from_str(&body).unwrap();
    assert_eq!(told, Brief::of(&snapshot), "what was written is read again");
    let raw: Value = serde_json::from_str(&body).unwrap();
    for name in
        ["table", "regulation", "line", "pass", "phase", "face", "says", "stop", "unseen", "due", "open", "alarm"]
    {
        assert!(raw.get(name).is_some(), "{name} stands in it, whatever it is");
    }
    assert_eq!(raw["says"]["es"], snapshot.verdict.sentence().es.as_str());
    let open = snapshot.findings.iter().filter(|view| view.state == FindingState::Open).count();
    assert_eq!(told.open, open);
    let alarm = told.alarm.expect("a finding is open");
    let named = snapshot.findings.iter().find(|view| view.finding.n == alarm.finding).unwrap();
    assert_eq!((named.state, alarm.state), (FindingState::Open, FindingState::Open));
    assert!(alarm.to_do.is_some_and(|step| matches!(step.who, Who::Dealer | Who::Inspector | Who::Room)));
}

#[test]
fn a_finding_that_was_not_remedied_stands_there_until_somebody_has_closed_it() {
    let mut snapshot = samples::calm_delivery();
    assert_eq!(alarm(&snapshot), None);
    snapshot.findings.insert(0, samples::c7(2, FindingState::Breach));
    snapshot.verdict.severity = Some(snapshot.findings[0].finding.severity);
    snapshot.verdict.face = Face::Act;
    assert_eq!(alarm(&snapshot).map(|alarm| (alarm.finding, alarm.state)), Some((2, FindingState::Breach)));
    snapshot.findings.insert(0, samples::c7(3, FindingState::Open));
    assert_eq!(alarm(&snapshot).map(|alarm| alarm.finding), Some(3), "an open one comes first");
    snapshot.findings.remove(0);
    snapshot.findings[0].attention = Attention::Taken { by: "I-4".into() };
    assert_eq!(alarm(&snapshot).and_then(|alarm| alarm.taken_by).as_deref(), Some("I-4"));
    snapshot.findings[0].attention = Attention::Closed { by: "I-4".into(), note: "seen".into() };
    assert_eq!(alarm(&snapshot), None);
}

#[tokio::test]
async fn who_watches_is_told_what_is_so_at_once_and_then_only_what_differs() {
    let served = Served::start(samples::calm_delivery()).await;
    let mut events = Events::of(&served, "/api/v1/verdicts").await;
    let (name, first) = events.next().await.unwrap();
    assert_eq!(name, "verdict");
    assert_eq!(serde_json::from_str::<Brief>(&first).unwrap(), Brief::of(&samples::calm_delivery()));
    // what is counted alone is no other verdict
    let mut counted = samples::calm_delivery();
    counted.figures.written += 1;
    served.snapshots.send_replace(Arc::new(counted));
    assert_eq!(events.next().await.unwrap().0, "pulse");
    let mut next = samples::calm_delivery();
    next.findings.insert(0, samples::c7(2, FindingState::Open));
    served.snapshots.send_replace(Arc::new(next));
    loop {
        let (name, data) = events.next().await.unwrap();
        if name == "verdict" {
            let told: Brief = serde_json::from_str(&data).unwrap();
            return assert_eq!(told.alarm.map(|alarm| alarm.provision.to_string()).as_deref(), Some("C7"));
        }
    }
}
