//! Who does not hold the key learns nothing, says nothing and is named; who does is in session.
use super::common::ends::key;
use super::common::pair::{Pair, any_shoe, cards, drawn, host_with, serial, shoe_with};
use sabot_wire::HANDSHAKE_MS;
use sabot_wire::device::Order;
use sabot_wire::frame::{MAX_FRAME, encode};
use sabot_wire::host::{Host, Keyring, Refusal, Report};
use sabot_wire::message::{Key, Started, ToDevice, ToHost};

/// The bytes of both ways until neither side has anything to say.
fn tapped(pair: &mut Pair, now: u64) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let (mut up, mut down) = (Vec::new(), Vec::new());
    loop {
        let (sent_up, sent_down) = (pair.shoe_sends(now).line, pair.host_sends(now).line);
        if sent_up.is_empty() && sent_down.is_empty() {
            return (up, down);
        }
        pair.host_gets(now, &sent_up);
        pair.shoe_gets(now, &sent_down);
        up.push(sent_up);
        down.push(sent_down);
    }
}

#[test]
fn equal_cards_look_different_on_the_line_and_no_two_sessions_alike() {
    let line = |life: u8, boots: u32, card: u8| {
        let mut pair =
            Pair::of(host_with(any_shoe(), key(1), life, None), shoe_with(vec![0; 1500], boots, 9, Some(key(1))));
        pair.talk(0);
        pair.shoe.observe(0, &drawn(card)).expect("room");
        let first = pair.shoe_sends(0).line;
        pair.shoe.observe(0, &drawn(card)).expect("room");
        (first, pair.shoe_sends(0).line)
    };
    let (first, second) = line(0, 1, 7);
    assert_eq!(first.len(), second.len(), "not even the length tells cards apart");
    assert_ne!(first[4..], second[4..]);
    assert_ne!(first, line(1, 1, 7).0, "another host");
    assert_ne!(first, line(0, 2, 7).0, "another start of the device");
}

#[test]
fn a_device_without_a_key_is_refused_as_unpaired() {
    let mut pair = Pair::of(host_with(any_shoe(), key(1), 0, None), shoe_with(vec![0; 1500], 1, 100, None));
    pair.shoe.observe(0, &drawn(1)).expect("room");
    let (reports, _) = pair.talk(0);
    assert_eq!(reports, [Report::Refused(Refusal::Unpaired { serial: serial("SH-1") })]);
    assert_eq!(pair.talk(250).0, [], "it is said once");
}

#[test]
fn a_device_that_the_station_has_no_key_for_is_refused_as_unpaired() {
    #[derive(Debug)]
    struct Nobody;
    impl Keyring for Nobody {
        fn key(&self, _: &str) -> Option<Key> {
            None
        }
    }
    let mut host = Host::new(any_shoe(), Nobody, &[0; 32], None);
    host.opened(0);
    let greeting = Pair::new().shoe_sends(0).line;
    let refusal = Refusal::Unpaired { serial: serial("SH-1") };
    assert_eq!(host.receive(0, &mut &greeting[..]), Some(Report::Refused(refusal)));
}

#[test]
fn a_device_with_another_key_is_refused_and_none_of_its_events_is_told() {
    let mut pair = Pair::of(host_with(any_shoe(), key(2), 0, None), shoe_with(vec![0; 1500], 1, 100, Some(key(1))));
    pair.shoe.observe(0, &drawn(1)).expect("room");
    let (up, _) = tapped_reports(&mut pair, 0);
    assert_eq!(up, [Report::Refused(Refusal::Key { serial: serial("SH-1") })]);
    assert!(!pair.shoe.in_session());
}

fn tapped_reports(pair: &mut Pair, now: u64) -> (Vec<Report>, usize) {
    let (mut reports, mut frames) = (Vec::new(), 0);
    for _ in 0..8 {
        let up = pair.shoe_sends(now).line;
        reports.extend(pair.host_gets(now, &up));
        let mut out = [0; MAX_FRAME];
        while let Some(frame) = pair.host.transmit(now, &mut out) {
            frames += 1;
            let frame = frame.to_vec();
            pair.shoe_gets(now, &frame);
        }
    }
    (reports, frames)
}

#[test]
fn what_a_tap_has_recorded_is_played_again_in_vain() {
    let mut pair = Pair::new();
    pair.shoe.observe(0, &drawn(1)).expect("room");
    let (up, down) = tapped(&mut pair, 0);
    assert_eq!(pair.host.counters().events, 1);

    // to the same host, at once: the line may have done that
    up.iter().for_each(|line| assert_eq!(pair.host_gets(1, line), []));
    assert_eq!((pair.host.counters().events, pair.host.counters().forged), (1, 0));
    // and later: that is told, once, and nothing else comes of it
    for n in 0..40 {
        pair.shoe.observe(1, &drawn(n)).expect("room");
        assert_eq!(cards(&pair.talk(1).0), [n]);
        pair.host.durable(100, u32::from(n) + 2);
    }
    let mut reports = Vec::new();
    up.iter().for_each(|line| reports.extend(pair.host_gets(2, line)));
    assert_eq!((reports, pair.host.counters().events), (vec![Report::Forged], 41));
    assert!(pair.host.counters().forged > 0 && pair.host.online());

    // to another start of the host
    let mut other = Pair::of(host_with(any_shoe(), key(1), 1, None), shoe_with(vec![0; 1500], 9, 9, Some(key(1))));
    other.host_sends(0);
    up.iter().for_each(|line| assert_eq!(other.host_gets(0, line), []));
    assert!(!other.host.online());

    // to the device, whose events the recorded acknowledgement would delete: every start draws its own numbers
    let (_, acknowledged) = tapped(&mut pair, 2);
    pair.restart_shoe(false, 2, 101);
    pair.shoe.observe(0, &drawn(5)).expect("room");
    for line in down.iter().chain(&acknowledged) {
        pair.shoe_gets(3, line);
        pair.shoe_sends(3);
    }
    assert_eq!((pair.shoe.ring().len(), pair.shoe.in_session()), (1, false));
    assert!(pair.shoe.unopened_frames() > 0);
}

#[test]
fn nothing_clear_is_taken_for_an_event_or_an_acknowledgement() {
    let mut pair = Pair::new();
    pair.talk(0);
    pair.shoe.observe(0, &drawn(1)).expect("room");
    let mut out = [0; MAX_FRAME];
    let ack = encode(&ToDevice::Ack { epoch: 100, seq: 1 }, &mut out).expect("it fits").to_vec();
    assert_eq!(pair.shoe_gets(1, &ack), []);
    assert_eq!(pair.shoe.ring().len(), 1);
    let event = encode(&ToHost::Event { seq: 1, at_ms: 0, saw: drawn(9) }, &mut out).expect("it fits").to_vec();
    assert_eq!(pair.host_gets(1, &event), []);
    assert_eq!(cards(&pair.talk(2).0), [1]);
}

#[test]
fn a_lost_answer_is_asked_for_again_with_the_same_challenge() {
    let mut pair = Pair::new();
    let hello = pair.shoe_sends(0).line;
    pair.host_gets(0, &hello);
    let challenge = pair.host_sends(0);
    pair.shoe_gets(0, &challenge.line);
    pair.shoe_sends(0); // lost
    let again = pair.host_sends(250);
    assert_eq!(
        again.says,
        challenge.says.into_iter().filter(|says| matches!(says, ToDevice::Challenge(_))).collect::<Vec<_>>()
    );
    pair.shoe_gets(250, &again.line);
    assert!(matches!(pair.talk(251).0[..], [Report::Online { .. }]));
}

#[test]
fn a_device_that_never_answers_a_challenge_is_asked_anew() {
    let mut pair = Pair::new();
    let hello = pair.shoe_sends(0).line;
    pair.host_gets(0, &hello);
    pair.host_sends(0);
    pair.host.tick(HANDSHAKE_MS);
    assert!(matches!(pair.host_sends(HANDSHAKE_MS).says[..], [ToDevice::Hello { .. }]));
}

fn paired_by(host_key: u8, shoe: Option<Key>, allowed: bool) -> (Vec<Report>, Vec<Order>) {
    let host = host_with(any_shoe(), key(host_key), 0, None).pairing(key(host_key));
    let mut pair = Pair::of(host, shoe_with(vec![0; 1500], 1, 100, shoe));
    pair.shoe.allow_pairing(allowed);
    let (mut reports, mut orders) = (Vec::new(), Vec::new());
    let mut out = [0; MAX_FRAME];
    for _ in 0..8 {
        while let Some(frame) = pair.shoe.transmit(0, &mut out) {
            let frame = frame.to_vec();
            reports.extend(pair.host_gets(0, &frame));
        }
        while let Some(frame) = pair.host.transmit(0, &mut out) {
            let frame = frame.to_vec();
            orders.extend(pair.shoe_gets(0, &frame));
        }
    }
    (reports, orders)
}

#[test]
fn a_key_is_taken_by_a_device_that_has_none_or_that_a_technician_told_to() {
    for (shoe, allowed) in [(None, false), (Some(key(7)), true)] {
        let (reports, orders) = paired_by(5, shoe, allowed);
        assert!(matches!(reports[..], [Report::Online { .. }]), "{reports:?}");
        assert_eq!(orders, [Order::Keep(key(5))]);
    }
    let (reports, orders) = paired_by(5, Some(key(7)), false);
    assert_eq!(reports, [Report::Refused(Refusal::Key { serial: serial("SH-1") })]);
    assert_eq!(orders, []);
}

#[test]
fn an_event_is_as_old_as_it_is_whatever_the_clocks_show_and_across_a_restart() {
    let mut pair = Pair::new();
    pair.talk(10_000);
    pair.shoe.observe(10_200, &drawn(1)).expect("room");
    let ages = |reports: &[Report]| -> Vec<Option<u32>> {
        let age = |report: &Report| match report {
            Report::Saw { age_ms, .. } => Some(*age_ms),
            _ => None,
        };
        reports.iter().filter_map(age).collect()
    };
    assert_eq!(ages(&pair.talk(10_500).0), [Some(300)]);
    pair.shoe.observe(10_600, &drawn(2)).expect("room");
    pair.restart_shoe(true, 2, 101);
    // its clock begins anew: at the host's 12_000 it shows 12_000 in this test, and did before
    let reports = pair.talk(12_000).0;
    assert!(matches!(reports[0], Report::Online { started: Started::Power, .. }));
    assert_eq!(ages(&reports), [Some(1400)], "by the clock of the start before");
    pair.shoe.observe(12_100, &drawn(3)).expect("room");
    pair.restart_shoe(true, 4, 101);
    assert_eq!(ages(&pair.talk(13_000).0), [None], "the clock of the start between is not known");
}

#[test]
fn keys_and_sessions_print_nothing() {
    let mut pair = Pair::new();
    pair.talk(0);
    let printed = format!("{:?} {:?} {:?}", key(0xAB), pair.host, pair.shoe);
    assert!(printed.contains("Key(..)") && printed.contains("Channel(..)"));
    assert!(!printed.contains("171, 171"));
}
