//! What the record says of a device that was away: first what it kept, then that it is back, and whether that was all.

use sabot_law::table::Severity;

use super::*;

impl Bench {
    async fn report(&self, role: Role, report: LinkReport) {
        self.reports.send((role, report)).await.unwrap();
    }

    async fn goes(&self, role: Role) {
        self.report(role, LinkReport::Absent("unplugged".to_owned())).await;
    }

    /// What is reported next was seen then, by the record's clock, to the millisecond.
    fn seen(&mut self, ms_ago: u32) {
        self.when = Some(When { received: Instant::now(), age_ms: ms_ago, error_ms: 1 });
    }

    /// The record's lines about that device's presence, and of anything else, from a line on.
    async fn lines_after(self, line: LineNo) -> Vec<String> {
        let (_, lines) = self.stop().await;
        lines.into_iter().skip(usize::try_from(line).unwrap() - 1).map(|line| short(&line)).collect()
    }
}

/// The event's kind; of a device its status.
fn short(line: &str) -> String {
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    let status = line["status"].as_str().or_else(|| line["ev"].as_str()).unwrap().to_owned();
    if line["complete"] == true { status + " complete" } else { status }
}

/// A table in the middle of a delivery, every device there; the line it has come to.
async fn in_the_delivery() -> (Bench, LineNo) {
    let mut bench = Bench::start(LONG).await;
    bench.seen(0);
    bench.deal().await;
    let line = bench.until(|snapshot| snapshot.line == 24).await.line;
    (bench, line)
}

fn device_findings(snapshot: &Snapshot) -> Vec<(Severity, FindingState)> {
    let of_device = |view: &&crate::snapshot::FindingView| view.finding.details.device.is_some();
    snapshot.findings.iter().filter(of_device).map(|view| (view.finding.severity, view.state)).collect()
}

#[tokio::test]
async fn what_a_device_kept_is_recorded_before_it_is_back_and_the_pass_is_judged_as_if_it_had_not_gone() {
    let (mut bench, line) = in_the_delivery().await;
    bench.goes(Role::Shoe).await;
    let away = bench.until(|snapshot| snapshot.line == line + 1).await;
    assert_eq!(device_findings(&away), [(Severity::Integrity, FindingState::Noted)]);
    bench.comes(Role::Shoe).await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    bench.seen(0);
    bench.drawn("8D").await;
    bench.arrives(Place::Bank, Face::Down).await;
    bench.report(Role::Shoe, LinkReport::CaughtUp).await;
    let snapshot = bench.until(|snapshot| snapshot.line == line + 3).await;
    assert_eq!(device_findings(&snapshot), [(Severity::Integrity, FindingState::Withdrawn)]);
    assert_eq!(snapshot.findings.len(), 1, "{:?}", snapshot.findings);
    assert_eq!(bench.lines_after(line).await, ["offline", "draw", "online complete"]);
}

#[tokio::test]
async fn a_card_that_waits_for_its_antenna_is_told_before_its_shoe_is_back() {
    let (mut bench, line) = in_the_delivery().await;
    bench.goes(Role::Shoe).await;
    bench.comes(Role::Shoe).await;
    bench.drawn("8D").await;
    bench.report(Role::Shoe, LinkReport::CaughtUp).await;
    // told after it, so that it has been taken when this is seen
    bench.report(Role::Shuffler, LinkReport::Quality(Quality::Good)).await;
    bench.until(|snapshot| snapshot.line == line + 2).await;
    bench.arrives(Place::Bank, Face::Down).await;
    bench.until(|snapshot| snapshot.line == line + 4).await;
    assert_eq!(bench.lines_after(line).await, ["offline", "link_good", "draw", "online complete"]);
}

/// How the record calls a keypad back after an absence.
async fn back(of: impl AsyncFnOnce(&mut Bench)) -> String {
    let (mut bench, line) = in_the_delivery().await;
    bench.goes(Role::Keypad).await;
    of(&mut bench).await;
    bench.report(Role::Keypad, LinkReport::CaughtUp).await;
    // told after it, so that it has been taken when this is seen
    bench.report(Role::Display, LinkReport::Absent("told".to_owned())).await;
    bench.until(|snapshot| snapshot.devices[Role::Display as usize].detail == "told").await;
    let lines = bench.lines_after(line).await;
    let online: Vec<&String> = lines.iter().filter(|line| line.starts_with("online")).collect();
    assert_eq!(online.len(), 1, "{lines:?}");
    online[0].clone()
}

#[tokio::test]
async fn a_device_that_lost_something_or_cannot_know_is_back_and_not_complete() {
    let stands = KeypadSaid::Decide { box_no: 1, hand: 0, choice: wire::Choice::Stand, by: None };
    assert_eq!(back(async |bench| bench.comes(Role::Keypad).await).await, "online complete", "it kept nothing");
    assert_eq!(
        back(async |bench| {
            bench.comes(Role::Keypad).await;
            bench.goes(Role::Keypad).await;
            bench.comes(Role::Keypad).await;
        })
        .await,
        "online complete",
        "it went once more"
    );
    for missed in [Missed::Forgotten { from: 3, to: 4 }, Missed::RingLost { epoch: 1, last: 4 }] {
        let missing = async |bench: &mut Bench| {
            bench.comes(Role::Keypad).await;
            bench.report(Role::Keypad, LinkReport::Missed(missed)).await;
        };
        assert_eq!(back(missing).await, "online", "{missed:?}");
    }
    let restarted = async |bench: &mut Bench| {
        let hello = DeviceHello { boots: 5, ..hello(Role::Keypad) };
        bench
            .report(Role::Keypad, LinkReport::Online { hello, started: Started::Reset, image: None, keeps: true })
            .await;
    };
    assert_eq!(back(restarted).await, "online", "nobody looked while it started");
    let another = async |bench: &mut Bench| {
        let hello = DeviceHello { serial: heapless::String::try_from("KP-2").unwrap(), ..hello(Role::Keypad) };
        bench
            .report(Role::Keypad, LinkReport::Online { hello, started: Started::Power, image: None, keeps: true })
            .await;
    };
    assert_eq!(back(another).await, "online", "it is another");
    let keeps_nothing = async |bench: &mut Bench| {
        let online =
            LinkReport::Online { hello: hello(Role::Keypad), started: Started::Unknown, image: None, keeps: false };
        bench.report(Role::Keypad, online).await;
    };
    assert_eq!(back(keeps_nothing).await, "online", "a scanner or a reader that keeps nothing");
    let full = async |bench: &mut Bench| {
        bench.comes(Role::Keypad).await;
        bench.said(stands.clone()).await;
        bench.saw(Role::Keypad, Observation::Device(wire::DeviceState::RingFull)).await;
        bench.saw(Role::Keypad, Observation::Device(wire::DeviceState::RingFree)).await;
    };
    assert_eq!(back(full).await, "online", "it took no more for a time");
}

#[tokio::test]
async fn a_cable_that_is_pulled_and_put_back_does_not_make_good_what_was_lost_before_in_the_pass() {
    let lost = [Missed::Forgotten { from: 3, to: 4 }, Missed::RingLost { epoch: 1, last: 4 }];
    for (role, missed) in [(Role::Shoe, lost[0]), (Role::Chips, lost[1]), (Role::Keypad, lost[0])] {
        let (mut bench, line) = in_the_delivery().await;
        bench.report(role, LinkReport::Missed(missed)).await;
        for _ in 0..2 {
            bench.goes(role).await;
            bench.comes(role).await;
            bench.report(role, LinkReport::CaughtUp).await;
        }
        let snapshot = bench.until(|snapshot| snapshot.line == line + 5).await;
        assert_eq!(device_findings(&snapshot), [(Severity::Integrity, FindingState::Noted)], "{role:?}");
        let lines = bench.lines_after(line).await;
        assert_eq!(lines[1..], ["offline", "online", "offline", "online"], "{role:?}");
    }
}

#[tokio::test]
async fn what_was_lost_in_a_pass_says_nothing_of_an_absence_in_the_next() {
    let (mut bench, line) = in_the_delivery().await;
    bench.report(Role::Keypad, LinkReport::Missed(Missed::Forgotten { from: 3, to: 4 })).await;
    bench.said(KeypadSaid::EndPass).await;
    bench.goes(Role::Keypad).await;
    bench.comes(Role::Keypad).await;
    bench.report(Role::Keypad, LinkReport::CaughtUp).await;
    bench.until(|snapshot| snapshot.line == line + 4).await;
    assert_eq!(bench.lines_after(line).await, ["events_missed", "end", "offline", "online complete"]);
}

#[tokio::test]
async fn what_is_told_of_its_line_while_a_device_is_away_says_nothing_of_what_was_lost() {
    let (mut bench, line) = in_the_delivery().await;
    bench.goes(Role::Keypad).await;
    bench.report(Role::Keypad, LinkReport::Advice("another setting".to_owned())).await;
    bench.comes(Role::Keypad).await;
    bench.report(Role::Keypad, LinkReport::CaughtUp).await;
    bench.until(|snapshot| snapshot.line == line + 3).await;
    let lines = bench.lines_after(line).await;
    assert_eq!((lines[0].as_str(), lines[2].as_str()), ("offline", "online complete"), "{lines:?}");
}

#[tokio::test]
async fn what_comes_in_another_order_than_it_happened_is_not_called_complete() {
    let stands = KeypadSaid::Decide { box_no: 1, hand: 0, choice: wire::Choice::Stand, by: None };
    for (card_ms_ago, entry_ms_ago, expected) in
        [(40, 10, "online complete"), (10, 40, "online"), (20, 20, "online"), (40, 41, "online")]
    {
        let interleaved = async |bench: &mut Bench| {
            tokio::time::sleep(Duration::from_millis(60)).await;
            bench.seen(card_ms_ago);
            bench.drawn("8D").await;
            bench.arrives(Place::Bank, Face::Down).await;
            bench.comes(Role::Keypad).await;
            bench.seen(entry_ms_ago);
            bench.said(stands.clone()).await;
        };
        assert_eq!(back(interleaved).await, expected, "card {card_ms_ago}, entry {entry_ms_ago} ms ago");
    }
    let undated = async |bench: &mut Bench| {
        bench.drawn("8D").await;
        bench.arrives(Place::Bank, Face::Down).await;
        bench.comes(Role::Keypad).await;
        bench.when = None;
        bench.said(stands.clone()).await;
    };
    assert_eq!(back(undated).await, "online", "nobody knows when");
}

#[tokio::test]
async fn an_event_that_means_nothing_is_recorded_with_its_number_acknowledged_and_counted_as_missed() {
    let (mut bench, line) = in_the_delivery().await;
    let seq = bench.tells_of(Role::Shoe, None).await;
    let told = bench.until(|snapshot| snapshot.line == line + 2).await;
    assert_eq!(device_findings(&told), [(Severity::Integrity, FindingState::Noted)], "what it saw is not known");
    bench.until_did(|did| did.contains(&Did::Ack(Role::Shoe, 1, seq))).await;
    bench.dealt("9H", 1).await;
    bench.until(|snapshot| snapshot.line > line + 2).await;
    let (_, lines) = bench.stop().await;
    let [bad, missed, draw, ..] = &lines[usize::try_from(line).unwrap() - 1..] else { panic!("{lines:#?}") };
    let detail = format!("event {seq} means nothing: the device's program is wrong, not the cable");
    assert!(bad.contains(&format!(r#""status":"bad_report","detail":"{detail}""#)), "{bad}");
    assert!(bad.contains(&format!(r#""origin":["shoe",1,{seq}]"#)), "{bad}");
    assert!(missed.contains(&format!(r#""status":"events_missed","detail":"{seq} to {seq}""#)), "{missed}");
    assert!(draw.contains(r#""ev":"draw""#), "the device goes on: {draw}");
}

#[tokio::test]
async fn a_clock_that_goes_back_is_recorded() {
    let (mut bench, line) = in_the_delivery().await;
    bench.report(Role::Shoe, LinkReport::ClockWentBack).await;
    bench.until(|snapshot| snapshot.line == line + 1).await;
    assert_eq!(bench.lines_after(line).await, ["clock_back"]);
}
