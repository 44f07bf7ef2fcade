//! When a host says that a device has told all it kept.

use sabot_wire::host::Report;
use sabot_wire::message::{ToDevice, ToHost};
use sabot_wire::{BACKLOG_MS, RESEND_MS, WINDOW};

use super::common::pair::{Pair, cards, drawn};

/// Talks for so many milliseconds, everything durable at once; what is reported.
fn talk_on(pair: &mut Pair, from: u64, ms: u64) -> Vec<Report> {
    let mut all = Vec::new();
    for now in (from..from + ms).step_by(10) {
        let reports = pair.talk(now).0;
        keep(pair, &reports);
        all.extend(reports);
        pair.host.tick(now);
    }
    all
}

fn keep(pair: &mut Pair, reports: &[Report]) {
    for report in reports {
        if let Report::Saw { epoch, seq, .. } = report {
            pair.host.durable(*epoch, *seq);
        }
    }
}

/// How many cards had been told when it was said; it is said once at the most.
fn said_after(reports: &[Report]) -> Option<usize> {
    let at: Vec<usize> = (0..reports.len()).filter(|at| reports[*at] == Report::CaughtUp).collect();
    assert!(at.len() <= 1, "{reports:?}");
    at.first().map(|at| cards(&reports[..*at]).len())
}

#[test]
fn it_is_said_once_soon_and_after_everything_that_was_kept() {
    for kept in [0, 1, WINDOW - 1, WINDOW, 2 * WINDOW + 3] {
        let mut pair = Pair::new();
        (0..kept).for_each(|card| assert!(pair.shoe.observe(0, &drawn(card as u8)).is_ok()));
        let reports = talk_on(&mut pair, 0, 4 * BACKLOG_MS);
        assert_eq!(said_after(&reports), Some(kept as usize), "{kept} kept");
        assert_eq!(said_after(&talk_on(&mut pair, 4 * BACKLOG_MS, 2000)), None, "once a session");
    }
}

#[test]
fn it_is_not_said_before_everything_told_is_on_disk() {
    let mut pair = Pair::new();
    pair.shoe.observe(0, &drawn(1)).expect("room");
    let mut told = Vec::new();
    for now in (0..1000).step_by(10) {
        told.extend(pair.talk(now).0);
    }
    assert_eq!((cards(&told), said_after(&told)), (vec![1], None));
    keep(&mut pair, &told);
    assert_eq!(said_after(&talk_on(&mut pair, 1000, 500)), Some(0));
}

/// Talks with a line that loses what `loses` says, from the device and from the host.
fn lossy(pair: &mut Pair, ms: u64, mut loses: impl FnMut(Option<&ToHost>, Option<&ToDevice>) -> bool) -> Vec<Report> {
    let mut all = Vec::new();
    for now in (0..ms).step_by(10) {
        let up = pair.shoe_sends(now);
        if !up.says.iter().any(|said| loses(Some(said), None)) {
            all.extend(pair.host_gets(now, &up.line));
        }
        keep(pair, &all);
        let down = pair.host_sends(now);
        if !down.says.iter().any(|said| loses(None, Some(said))) {
            pair.shoe_gets(now, &down.line);
        }
        all.extend(pair.host.tick(now));
    }
    all
}

#[test]
fn an_event_that_the_line_lost_is_waited_for() {
    let mut pair = Pair::new();
    pair.shoe.observe(0, &drawn(1)).expect("room");
    let mut losses = 5;
    let reports = lossy(&mut pair, 6000, |up, _| {
        let lost = matches!(up, Some(ToHost::Event { .. })) && losses > 0;
        losses -= u32::from(lost);
        lost
    });
    assert_eq!((losses, said_after(&reports)), (0, Some(1)), "{reports:?}");
}

#[test]
fn a_device_that_was_not_heard_out_because_an_acknowledgement_was_lost_is_acknowledged_again() {
    // the first opens it; the second lets it send what is beyond its window
    for (nth, kept) in [(1, 1), (2, WINDOW + 1)] {
        let mut pair = Pair::new();
        (0..kept).for_each(|card| assert!(pair.shoe.observe(0, &drawn(card as u8)).is_ok()));
        let mut acks = 0;
        let reports = lossy(&mut pair, 3000, |_, down| {
            acks += u32::from(matches!(down, Some(ToDevice::Ack { .. })));
            matches!(down, Some(ToDevice::Ack { .. })) && acks == nth
        });
        assert_eq!(said_after(&reports), Some(kept as usize), "{nth}: {reports:?}");
    }
}

#[test]
fn a_session_that_ends_before_says_nothing_and_the_next_one_does() {
    let mut pair = Pair::new();
    pair.shoe.observe(0, &drawn(1)).expect("room");
    assert_eq!(said_after(&talk_on(&mut pair, 0, BACKLOG_MS)), None);
    pair.host.closed();
    pair.host.opened(BACKLOG_MS);
    let again = talk_on(&mut pair, BACKLOG_MS + u64::from(RESEND_MS), 1500);
    assert_eq!(said_after(&again), Some(0), "the card was told before: {again:?}");
}

#[test]
fn an_event_seen_since_says_that_the_others_have_been_told_however_busy_the_device_is() {
    let mut pair = Pair::new();
    (0..3).for_each(|card| assert!(pair.shoe.observe(0, &drawn(card)).is_ok()));
    let mut all = Vec::new();
    for now in (0..1000).step_by(10) {
        if now >= 50 {
            pair.shoe.observe(now as u32, &drawn(9)).expect("room");
        }
        let reports = pair.talk(now).0;
        keep(&mut pair, &reports);
        all.extend(reports);
    }
    assert_eq!(said_after(&all), Some(3));
    assert_eq!(cards(&all).len(), 3 + 95, "and none was left out");
}

#[test]
fn what_was_seen_before_a_restart_is_no_later_event_whatever_its_clock_says() {
    let mut pair = Pair::new();
    pair.shoe.observe(900_000, &drawn(1)).expect("room");
    pair.restart_shoe(true, 2, 101);
    pair.shoe.observe(5, &drawn(2)).expect("room");
    assert_eq!(said_after(&talk_on(&mut pair, 20, 1000)), Some(2));
}
