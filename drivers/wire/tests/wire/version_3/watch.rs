//! Somebody stands in between, and what he keeps back shows within two seconds. Nobody is accused for a line that only
//! loses some.

use sabot_wire::frame::{MAX_FRAME, encode};
use sabot_wire::host::{Refusal, Report, Withheld};
use sabot_wire::message::{BetSpot, Chip, ChipsSaw, DeviceHello, Observation, Role, ToHost};
use sabot_wire::seal::LENGTHS;
use sabot_wire::{LATE_MS, Version};

use super::common::VERSION;
use super::common::ends::key;
use super::common::pair::{Pair, any_shoe, cards, drawn, host_with, identity, serial, shoe_with};
use sabot_wire::device::Device;
use sabot_wire::ring::Ring;

/// What stands in between: whether a frame from the device may pass, by what it says.
type Gate = fn(&ToHost) -> bool;

/// Both sides talk every 10 milliseconds from `from` to `to`; what the host reports, and when.
fn talk_through(pair: &mut Pair, from: u64, to: u64, gate: Gate) -> Vec<(u64, Report)> {
    let mut reports = Vec::new();
    for now in (from..to).step_by(10) {
        reports.extend(pair.host.tick(now).map(|report| (now, report)));
        let mut out = [0; MAX_FRAME];
        while let Some(frame) = pair.shoe.transmit(now as u32, &mut out) {
            let frame = frame.to_vec();
            if pair.up(&frame).iter().all(gate) {
                reports.extend(pair.host_gets(now, &frame).into_iter().map(|report| (now, report)));
            }
        }
        for report in &reports {
            if let (_, Report::Saw { epoch, seq, .. }) = report {
                pair.host.durable(*epoch, *seq);
            }
        }
        let down = pair.host_sends(now).line;
        pair.shoe_gets(now, &down);
    }
    reports
}

/// One turn of both sides, whichever version they speak; nobody reads along.
fn exchange(pair: &mut Pair, now: u64) -> Vec<Report> {
    let (mut reports, mut out) = (Vec::new(), [0; MAX_FRAME]);
    while let Some(frame) = pair.shoe.transmit(now as u32, &mut out) {
        let frame = frame.to_vec();
        reports.extend(pair.host_gets(now, &frame));
    }
    while let Some(frame) = pair.host.transmit(now, &mut out) {
        let frame = frame.to_vec();
        pair.shoe_gets(now, &frame);
    }
    reports
}

fn withheld(reports: &[(u64, Report)]) -> Vec<(u64, Withheld)> {
    let one = |(at, report): &(u64, Report)| match report {
        Report::Withheld(what) => Some((*at, *what)),
        _ => None,
    };
    reports.iter().filter_map(one).collect()
}

#[test]
fn events_that_are_kept_back_are_told_within_two_seconds_whenever_they_were_seen_and_come_in_the_end() {
    for seen in (1000..2000).step_by(90) {
        let mut pair = Pair::new();
        talk_through(&mut pair, 0, seen, |_| true);
        pair.shoe.observe(seen as u32, &drawn(7)).expect("room");
        let reports = talk_through(&mut pair, seen, seen + 2000, |says| !matches!(says, ToHost::Event { .. }));
        let [(at, what)] = withheld(&reports)[..] else { panic!("{reports:?}") };
        assert_eq!(what, Withheld::Events { from: 1, to: 1 });
        assert!(at < seen + 2000, "{at} {seen}");
        let after: Vec<_> = talk_through(&mut pair, seen + 2000, seen + 4000, |_| true);
        let after: Vec<_> = after.into_iter().map(|(_, report)| report).collect();
        assert_eq!(cards(&after), [7], "nothing is lost");
        assert!(after.iter().any(|report| matches!(report, Report::Late { age_ms } if *age_ms > LATE_MS - 50)));
        assert!(pair.host.counters().missing > 0);
    }
}

/// With fewer the device is gone: it is silent.
#[test]
fn whoever_lets_one_answer_in_three_through_is_told_no_later() {
    let gate: Gate = |says| match says {
        ToHost::Event { .. } => false,
        ToHost::Clock { ping, .. } => ping % 3 == 0,
        _ => true,
    };
    for seen in (1000..3000).step_by(130) {
        let mut pair = Pair::new();
        talk_through(&mut pair, 0, seen, |_| true);
        pair.shoe.observe(seen as u32, &drawn(7)).expect("room");
        let told = withheld(&talk_through(&mut pair, seen, seen + 2000, gate));
        assert_eq!(told.len(), 1, "{told:?}");
    }
}

/// Somebody says hello as the device, as if it had started anew: the two make a new session.
fn stranger_says_hello(pair: &mut Pair, now: u64) {
    let hello = DeviceHello {
        protocol: VERSION.number(),
        role: Role::Shoe,
        serial: serial("SH-1"),
        firmware: [0, 1, 0],
        schema: VERSION.schema_of(Role::Shoe),
        boots: 9,
        epoch: 100,
        oldest: 1,
    };
    let line = encode(&ToHost::Hello(hello), &mut [0; MAX_FRAME]).expect("it fits").to_vec();
    assert_eq!(pair.host_gets(now, &line), []);
}

/// While the session that lives goes on, the line keeps back what the device says in the one that follows.
#[test]
fn a_device_whose_ready_is_older_than_its_last_answer_has_not_started_again() {
    let mut answered = 0;
    for began in (1000..1400).step_by(20) {
        let mut pair = Pair::new();
        pair.shoe.observe(0, &drawn(7)).expect("room");
        for now in (0..began).step_by(10) {
            exchange(&mut pair, now);
        }
        stranger_says_hello(&mut pair, began);
        let (mut out, mut kept) = ([0; MAX_FRAME], Vec::new());
        while let Some(frame) = pair.host.transmit(began, &mut out) {
            let frame = frame.to_vec();
            pair.shoe_gets(began, &frame);
        }
        while let Some(frame) = pair.shoe.transmit(began as u32, &mut out) {
            kept.extend_from_slice(frame);
        }
        for now in (began + 10..began + 240).step_by(10) {
            while let Some(frame) = pair.shoe.transmit(now as u32, &mut out) {
                let frame = frame.to_vec();
                assert_eq!(pair.host_gets(now, &frame), []);
                answered += 1;
            }
            while let Some(frame) = pair.host.transmit(now, &mut out) {
                let frame = frame.to_vec();
                pair.shoe_gets(now, &frame);
            }
        }
        let mut told = pair.host_gets(began + 240, &kept);
        pair.shoe.observe((began + 240) as u32, &drawn(8)).expect("room");
        for now in (began + 240..began + 1000).step_by(10) {
            told.extend(exchange(&mut pair, now));
        }
        assert_eq!(cards(&told), [8], "{told:?}");
        let is_wrong = |report: &Report| !matches!(report, Report::Saw { .. } | Report::CaughtUp);
        assert!(!told.iter().any(is_wrong), "{told:?}");
    }
    assert!(answered > 5, "the session that lives went on: {answered}");
}

#[test]
fn whoever_has_new_sessions_made_meanwhile_is_told_no_later() {
    let mut pair = Pair::new();
    talk_through(&mut pair, 0, 1000, |_| true);
    let chip = Chip { uid: u64::MAX, value: u32::MAX };
    let chips = std::iter::repeat_n(chip, 20).collect();
    let spot = ChipsSaw::Spot { box_no: 1, hand: 0, spot: BetSpot::Main, chips };
    pair.shoe.observe(1000, &Observation::Chips(spot)).expect("room");
    let (mut told, mut challenges, mut out) = (Vec::new(), 0, [0; MAX_FRAME]);
    for now in (1000..3000).step_by(10) {
        if now % 500 == 0 {
            stranger_says_hello(&mut pair, now);
        }
        told.extend(pair.host.tick(now));
        while let Some(frame) = pair.shoe.transmit(now as u32, &mut out) {
            let frame = frame.to_vec();
            // that event alone is so long
            if frame.len() < 300 {
                told.extend(pair.host_gets(now, &frame));
            }
        }
        while let Some(frame) = pair.host.transmit(now, &mut out) {
            let frame = frame.to_vec();
            challenges += u32::from(frame.len() == 24);
            pair.shoe_gets(now, &frame);
        }
    }
    assert_eq!(told, [Report::Withheld(Withheld::Events { from: 1, to: 1 })]);
    assert!(challenges >= 4, "{challenges}");
}

#[test]
fn whoever_keeps_back_the_answers_too_is_told_though_other_frames_come() {
    let mut pair = Pair::new();
    talk_through(&mut pair, 0, 1000, |_| true);
    let mut reports = Vec::new();
    for now in (1000..3000).step_by(100) {
        pair.shoe.observe(now as u32, &drawn(7)).expect("room");
        reports.extend(talk_through(&mut pair, now, now + 100, |says| !matches!(says, ToHost::Clock { .. })));
    }
    let [(at, Withheld::Answers)] = withheld(&reports)[..] else { panic!("{reports:?}") };
    assert!(at < 3000, "{at}");
}

#[test]
fn a_line_that_loses_every_tenth_frame_accuses_nobody() {
    let mut pair = Pair::new();
    let mut lost = 0_u32;
    for now in (0..120_000).step_by(10) {
        if now % 400 == 0 && pair.shoe.ready() {
            pair.shoe.observe(now as u32, &drawn(7)).expect("room");
        }
        let mut out = [0; MAX_FRAME];
        let mut is_lost = || {
            lost = lost.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            lost >> 16 < 6554
        };
        let mut reports: Vec<_> = pair.host.tick(now).into_iter().collect();
        while let Some(frame) = pair.shoe.transmit(now as u32, &mut out) {
            let frame = frame.to_vec();
            if !is_lost() {
                reports.extend(pair.host_gets(now, &frame));
            }
        }
        for report in &reports {
            match report {
                Report::Saw { epoch, seq, .. } => pair.host.durable(*epoch, *seq),
                Report::Withheld(what) => panic!("at {now}: {what:?}"),
                _ => {}
            }
        }
        while let Some(frame) = pair.host.transmit(now, &mut out) {
            let frame = frame.to_vec();
            if !is_lost() {
                pair.shoe_gets(now, &frame);
            }
        }
    }
    assert!(pair.host.counters().events > 280, "{:?}", pair.host.counters());
}

#[test]
fn a_record_that_is_slow_accuses_nobody() {
    let mut pair = Pair::new();
    talk_through(&mut pair, 0, 1000, |_| true);
    for n in 0..40 {
        pair.shoe.observe(1000, &drawn(n)).expect("room");
    }
    // nothing becomes durable for ten seconds: the device has as much under way as it may
    for now in (1000..11_000).step_by(10) {
        assert!(!matches!(pair.host.tick(now), Some(Report::Withheld(_))), "at {now}");
        let up = pair.shoe_sends(now).line;
        let reports = pair.host_gets(now, &up);
        assert!(!reports.iter().any(|report| matches!(report, Report::Withheld(_))), "at {now}: {reports:?}");
        let down = pair.host_sends(now).line;
        pair.shoe_gets(now, &down);
    }
}

#[test]
fn what_is_sent_has_few_lengths() {
    let mut pair = Pair::new();
    pair.talk(0);
    let mut lengths = std::collections::BTreeSet::new();
    for n in 0..32 {
        pair.shoe.observe(u32::from(n), &drawn(n)).expect("room");
        lengths.insert(pair.shoe_sends(u64::from(n)).line.len());
    }
    assert_eq!(lengths.len(), 1, "{lengths:?}");
    assert!(LENGTHS.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn a_clear_challenge_does_not_end_a_session_that_lives() {
    let mut pair = Pair::new();
    talk_through(&mut pair, 0, 1000, |_| true);
    // another host, without the key: its challenge is answered, and it gets no further
    let mut thief = Pair::of(host_with(any_shoe(), key(2), 7, None), shoe_with(vec![0; 1500], 1, 100, Some(key(2))));
    let hello = thief.shoe_sends(0).line;
    thief.host_gets(0, &hello);
    let challenge = thief.host_sends(0).line;
    pair.shoe_gets(1000, &challenge);
    assert!(pair.shoe.in_session());
    pair.shoe.observe(1000, &drawn(7)).expect("room");
    let mut told = Vec::new();
    for now in (1000..2000).step_by(10) {
        told.extend(pair.host.tick(now));
        told.extend(exchange(&mut pair, now));
    }
    assert_eq!(cards(&told), [7]);
    let ends = |report: &Report| matches!(report, Report::Silent | Report::Online { .. });
    assert!(!told.iter().any(ends), "{told:?}");
    // what the shoe has sealed for the other one is of no session of this host: he shows. In version 4 it seals nothing
    // for who has not proved that he holds the key
    let shows = usize::from(VERSION < Version::Four);
    assert_eq!(told.iter().filter(|report| **report == Report::Forged).count(), shows);
}

#[test]
fn a_host_that_starts_anew_is_followed_though_the_session_before_lived() {
    let mut pair = Pair::new();
    talk_through(&mut pair, 0, 1000, |_| true);
    pair.shoe.observe(1000, &drawn(7)).expect("room");
    let mut host = host_with(any_shoe(), key(1), 9, None);
    host.opened(1000);
    pair.host = host;
    let told: Vec<_> = talk_through(&mut pair, 1000, 2500, |_| true).into_iter().map(|(_, report)| report).collect();
    assert_eq!(cards(&told), [7]);
    assert!(!told.contains(&Report::Forged) && pair.shoe.in_session(), "{told:?}");
}

#[test]
fn a_device_of_an_older_version_works_until_it_has_spoken_a_newer_one() {
    let of = |version, boots| {
        let (ring, _) = Ring::restore(vec![0; 1500], 100 + boots).expect("large enough");
        Device::speaking(version, identity(boots, Some(key(1))), ring)
    };
    let mut host = host_with(any_shoe(), key(1), 0, None);
    for (version, boots, works) in [
        (Version::Two, 1, true),
        (Version::Three, 2, true),
        (Version::Two, 3, false),
        (Version::Four, 4, true),
        (Version::Three, 5, false),
    ] {
        host.closed();
        host.opened(u64::from(boots) * 1000);
        let mut pair = Pair::of(host, of(version, boots));
        let mut reports = Vec::new();
        for _ in 0..8 {
            reports.extend(exchange(&mut pair, u64::from(boots) * 1000));
        }
        match &reports[..] {
            [Report::Online { .. }, ..] => assert!(works, "{version:?}"),
            [Report::Refused(refusal)] => {
                let downgraded = Refusal::Downgraded { serial: serial("SH-1"), found: version.number() };
                assert!(!works && *refusal == downgraded, "{refusal}");
            }
            other => panic!("{other:?}"),
        }
        host = pair.host;
    }
}

#[test]
fn a_device_that_has_fewer_events_than_it_told_has_lost_its_ring_also_where_the_host_was_restarted_meanwhile() {
    let resume = sabot_wire::host::Resume { serial: serial("SH-1"), epoch: 100, seq: 4, boots: None };
    let mut pair =
        Pair::of(host_with(any_shoe(), key(1), 0, Some(resume)), shoe_with(vec![0; 1500], 2, 100, Some(key(1))));
    pair.shoe.observe(0, &drawn(7)).expect("room");
    let told: Vec<_> = talk_through(&mut pair, 0, 2000, |_| true).into_iter().map(|(_, report)| report).collect();
    let lost = Report::Missed(sabot_wire::host::Missed::RingLost { epoch: 100, last: 4 });
    assert_eq!(told.iter().filter(|report| **report == lost).count(), 1, "{told:?}");
    pair.shoe.observe(2000, &drawn(8)).expect("room");
    let told: Vec<_> = talk_through(&mut pair, 2000, 3000, |_| true).into_iter().map(|(_, report)| report).collect();
    assert_eq!(cards(&told), [8]);
}
