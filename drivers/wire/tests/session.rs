//! The rules of a session, one test each, over a clean line.
#![allow(clippy::expect_used, reason = "helpers of tests stop at what they do not expect")]

use sabot_wire::device::{Device, Identity};
use sabot_wire::frame::{Decoder, MAX_FRAME, encode};
use sabot_wire::host::{Expect, Host, Missed, Refusal, Report, Resume};
use sabot_wire::message::{
    CardCode, DeviceHello, DeviceState, Lamp, Observation, Role, ShoeSaw, Show, ToDevice, ToHost,
};
use sabot_wire::ring::Ring;
use sabot_wire::{PROTOCOL, RESEND_MS, SCHEMA, SILENCE_MS, WINDOW};

type Shoe = Device<Vec<u8>>;

fn serial(text: &str) -> heapless::String<16> {
    text.try_into().expect("a serial number")
}

fn device(memory: Vec<u8>, boots: u32, fresh_epoch: u32) -> Shoe {
    let (ring, _) = Ring::restore(memory, fresh_epoch).expect("large enough");
    Device::new(Identity { role: Role::Shoe, serial: serial("SH-1"), firmware: [0, 1, 0], boots }, ring)
}

fn shoe() -> Shoe {
    device(vec![0; 1500], 1, 100)
}

fn host() -> Host {
    let mut host = Host::new(Expect { role: Role::Shoe, serial: None }, None);
    host.opened(0);
    host
}

fn drawn(card: u8) -> Observation {
    Observation::Shoe(ShoeSaw::Drawn(CardCode(card)))
}

fn sent_by_device(device: &mut Shoe, now: u32) -> Vec<u8> {
    let mut line = Vec::new();
    let mut out = [0; MAX_FRAME];
    while let Some(frame) = device.transmit(now, &mut out) {
        line.extend_from_slice(frame);
    }
    line
}

fn sent_by_host(host: &mut Host, now: u64) -> Vec<u8> {
    let mut line = Vec::new();
    let mut out = [0; MAX_FRAME];
    while let Some(frame) = host.transmit(now, &mut out) {
        line.extend_from_slice(frame);
    }
    line
}

fn read<M: serde::de::DeserializeOwned>(mut line: &[u8]) -> Vec<M> {
    let mut decoder = Decoder::new();
    std::iter::from_fn(|| decoder.next(&mut line)).collect()
}

/// Both sides talk until neither has anything to say; what the host reports and what the device is to show.
fn talk(host: &mut Host, device: &mut Shoe, now: u64) -> (Vec<Report>, Vec<Show>) {
    let (mut reports, mut shows) = (Vec::new(), Vec::new());
    loop {
        let (up, down) = (sent_by_device(device, now as u32), sent_by_host(host, now));
        if up.is_empty() && down.is_empty() {
            return (reports, shows);
        }
        let (mut up, mut down) = (&up[..], &down[..]);
        reports.extend(std::iter::from_fn(|| host.receive(now, &mut up)));
        shows.extend(std::iter::from_fn(|| device.receive(now as u32, &mut down)));
    }
}

fn cards(reports: &[Report]) -> Vec<u8> {
    let card = |report: &Report| match report {
        Report::Saw { saw: Observation::Shoe(ShoeSaw::Drawn(card)), .. } => Some(card.0),
        _ => None,
    };
    reports.iter().filter_map(card).collect()
}

fn hello(change: impl FnOnce(&mut DeviceHello)) -> Vec<u8> {
    let mut hello = DeviceHello {
        protocol: PROTOCOL,
        role: Role::Shoe,
        serial: serial("SH-1"),
        firmware: [0, 1, 0],
        schema: SCHEMA,
        boots: 1,
        epoch: 100,
        oldest: 1,
    };
    change(&mut hello);
    let mut out = [0; MAX_FRAME];
    encode(&ToHost::Hello(hello), &mut out).expect("it fits").to_vec()
}

#[test]
fn events_seen_before_the_host_is_there_come_in_order_and_stay_until_they_are_durable() {
    let (mut host, mut shoe) = (host(), shoe());
    (0..5).for_each(|card| assert!(shoe.observe(1, &drawn(card)).is_ok()));
    let (reports, _) = talk(&mut host, &mut shoe, 2);
    assert!(matches!(reports[0], Report::Online { missed: None, .. }));
    assert_eq!(cards(&reports), [0, 1, 2, 3, 4]);
    assert_eq!(shoe.ring().len(), 5);
    host.durable(100, 3);
    talk(&mut host, &mut shoe, 3);
    assert_eq!((shoe.ring().len(), shoe.ring().oldest()), (2, 4));
}

#[test]
fn an_event_that_was_not_reported_is_never_acknowledged() {
    let (mut host, mut shoe) = (host(), shoe());
    talk(&mut host, &mut shoe, 1);
    shoe.observe(1, &drawn(1)).expect("room");
    host.durable(100, 1);
    assert_eq!(read::<ToDevice>(&sent_by_host(&mut host, 2)), []);
}

#[test]
fn a_device_sends_no_event_before_its_own_epoch_is_acknowledged() {
    let mut shoe = shoe();
    shoe.observe(1, &drawn(1)).expect("room");
    let greeting = sent_by_device(&mut shoe, 1);
    assert!(matches!(read::<ToHost>(&greeting)[..], [ToHost::Hello(_)]));
    let mut out = [0; MAX_FRAME];
    let stale = encode(&ToDevice::Ack { epoch: 99, seq: 0 }, &mut out).expect("it fits").to_vec();
    assert_eq!(shoe.receive(2, &mut &stale[..]), None);
    assert!(sent_by_device(&mut shoe, 2).is_empty() && !shoe.in_session());
    assert!(matches!(read::<ToHost>(&sent_by_device(&mut shoe, 1001))[..], [ToHost::Hello(_)]), "it says hello again");
}

#[test]
fn unacknowledged_events_are_sent_again_after_a_timeout_that_grows() {
    let (mut host, mut shoe) = (host(), shoe());
    talk(&mut host, &mut shoe, 0);
    shoe.observe(0, &drawn(1)).expect("room");
    let first = sent_by_device(&mut shoe, 0);
    assert_eq!(read::<ToHost>(&first).len(), 1);
    assert!(sent_by_device(&mut shoe, RESEND_MS - 1).is_empty());
    assert_eq!(sent_by_device(&mut shoe, RESEND_MS), first);
    assert!(sent_by_device(&mut shoe, 3 * RESEND_MS - 1).is_empty());
    assert_eq!(sent_by_device(&mut shoe, 3 * RESEND_MS), first);
}

#[test]
fn the_device_clock_may_wrap() {
    let mut shoe = shoe();
    let mut host = host();
    talk(&mut host, &mut shoe, u64::from(u32::MAX) - 10);
    shoe.observe(u32::MAX - 10, &drawn(1)).expect("room");
    let first = sent_by_device(&mut shoe, u32::MAX - 10);
    assert!(sent_by_device(&mut shoe, 5).is_empty());
    assert_eq!(sent_by_device(&mut shoe, RESEND_MS), first);
}

#[test]
fn no_more_than_the_window_is_under_way_at_once() {
    let (mut host, mut shoe) = (host(), shoe());
    talk(&mut host, &mut shoe, 0);
    (0..40).for_each(|card| assert!(shoe.observe(0, &drawn(card)).is_ok()));
    assert_eq!(read::<ToHost>(&sent_by_device(&mut shoe, 0)).len(), WINDOW as usize);
}

#[test]
fn repeats_are_dropped_and_acknowledged_again_where_they_are_durable() {
    let (mut host, mut shoe) = (host(), shoe());
    talk(&mut host, &mut shoe, 0);
    shoe.observe(0, &drawn(1)).expect("room");
    let event = sent_by_device(&mut shoe, 0);
    assert_eq!(cards(&std::iter::from_fn(|| host.receive(0, &mut &event[..])).take(1).collect::<Vec<_>>()), [1]);
    assert_eq!(host.receive(1, &mut &event[..]), None);
    assert_eq!(read::<ToDevice>(&sent_by_host(&mut host, 1)), [], "not durable yet");
    host.durable(100, 1);
    assert_eq!(read::<ToDevice>(&sent_by_host(&mut host, 1)), [ToDevice::Ack { epoch: 100, seq: 1 }]);
    assert_eq!(host.receive(2, &mut &event[..]), None);
    assert_eq!(read::<ToDevice>(&sent_by_host(&mut host, 2)), [ToDevice::Ack { epoch: 100, seq: 1 }]);
    assert_eq!(host.counters().repeats, 2);
}

#[test]
fn a_gap_is_asked_for_and_filled_in_order() {
    let (mut host, mut shoe) = (host(), shoe());
    talk(&mut host, &mut shoe, 100);
    shoe.observe(100, &drawn(1)).expect("room");
    let lost = sent_by_device(&mut shoe, 100);
    shoe.observe(100, &drawn(2)).expect("room");
    let early = sent_by_device(&mut shoe, 100);
    assert!(!lost.is_empty());
    assert_eq!(host.receive(200, &mut &early[..]), None);
    assert_eq!(host.counters().gaps, 1);
    let (reports, _) = talk(&mut host, &mut shoe, 201);
    assert_eq!(cards(&reports), [1, 2]);
}

#[test]
fn a_restarted_device_goes_on_from_its_ring_and_the_host_drops_what_it_has() {
    let (mut host, mut shoe) = (host(), shoe());
    talk(&mut host, &mut shoe, 0);
    (0..3).for_each(|card| assert!(shoe.observe(0, &drawn(card)).is_ok()));
    assert_eq!(cards(&talk(&mut host, &mut shoe, 1).0), [0, 1, 2]);
    let mut shoe = device(shoe.into_memory(), 2, 101);
    shoe.observe(0, &drawn(3)).expect("room");
    let (reports, _) = talk(&mut host, &mut shoe, 500);
    assert!(matches!(&reports[0], Report::Online { hello, missed: None } if hello.boots == 2 && hello.epoch == 100));
    assert_eq!(cards(&reports), [3]);
    assert_eq!(host.counters().repeats, 3);
}

#[test]
fn a_restarted_host_resumes_after_its_last_durable_event() {
    let (mut first, mut shoe) = (host(), shoe());
    (0..4).for_each(|card| assert!(shoe.observe(0, &drawn(card)).is_ok()));
    talk(&mut first, &mut shoe, 0);
    let resume = Resume { serial: serial("SH-1"), epoch: 100, seq: 2 };
    let mut second = Host::new(Expect { role: Role::Shoe, serial: None }, Some(resume));
    second.opened(0);
    let (reports, _) = talk(&mut second, &mut shoe, 1);
    assert_eq!(cards(&reports), [2, 3]);
    assert_eq!(shoe.ring().oldest(), 3, "the first two were acknowledged again");
}

#[test]
fn a_lost_ring_is_reported_and_the_new_one_read_from_its_beginning() {
    let (mut host, mut shoe) = (host(), shoe());
    shoe.observe(0, &drawn(1)).expect("room");
    talk(&mut host, &mut shoe, 0);
    let mut shoe = device(vec![0; 1500], 2, 101);
    shoe.observe(0, &drawn(2)).expect("room");
    let (reports, _) = talk(&mut host, &mut shoe, 500);
    let missed = Some(Missed::RingLost { epoch: 100, last: 1 });
    assert!(matches!(&reports[0], Report::Online { missed: found, .. } if *found == missed), "{reports:?}");
    assert_eq!(cards(&reports), [2]);
}

#[test]
fn events_acknowledged_by_somebody_else_are_reported_as_missed() {
    let mut host = Host::new(
        Expect { role: Role::Shoe, serial: None },
        Some(Resume { serial: serial("SH-1"), epoch: 100, seq: 4 }),
    );
    host.opened(0);
    let greeting = hello(|hello| hello.oldest = 9);
    let report = host.receive(0, &mut &greeting[..]);
    let forgotten = Some(Missed::Forgotten { from: 5, to: 8 });
    assert!(matches!(&report, Some(Report::Online { missed, .. }) if *missed == forgotten), "{report:?}");
}

#[test]
fn what_is_not_expected_is_refused_once_with_its_reason_and_its_events_are_ignored() {
    let pinned = Expect { role: Role::Shoe, serial: Some(serial("SH-1")) };
    let cases: [(Vec<u8>, Refusal); 4] = [
        (hello(|hello| hello.protocol = 2), Refusal::Protocol { found: 2 }),
        (hello(|hello| hello.schema ^= 1), Refusal::Schema { found: SCHEMA ^ 1 }),
        (hello(|hello| hello.role = Role::Keypad), Refusal::Role { expected: Role::Shoe, found: Role::Keypad }),
        (
            hello(|hello| hello.serial = serial("SH-2")),
            Refusal::Serial { expected: serial("SH-1"), found: serial("SH-2") },
        ),
    ];
    for (greeting, refusal) in cases {
        let mut host = Host::new(pinned.clone(), None);
        host.opened(0);
        assert_eq!(host.receive(0, &mut &greeting[..]), Some(Report::Refused(refusal)));
        assert_eq!(host.receive(0, &mut &greeting[..]), None, "once");
        let mut out = [0; MAX_FRAME];
        let event = encode(&ToHost::Event { seq: 1, at_ms: 0, saw: drawn(1) }, &mut out).expect("it fits");
        assert_eq!(host.receive(0, &mut &event[..]), None);
        assert!(!host.online() && host.counters().ignored == 1);
        let right = hello(|_| {});
        assert!(matches!(host.receive(0, &mut &right[..]), Some(Report::Online { .. })), "replaced by the right one");
    }
}

#[test]
fn silence_is_noticed_and_ended_by_the_next_hello() {
    let (mut host, mut shoe) = (host(), shoe());
    talk(&mut host, &mut shoe, 0);
    assert_eq!(host.tick(SILENCE_MS - 1), None);
    assert!(read::<ToDevice>(&sent_by_host(&mut host, SILENCE_MS - 1)).contains(&ToDevice::Ping(1)), "it pings first");
    assert_eq!(host.tick(SILENCE_MS), Some(Report::Silent));
    assert_eq!(host.tick(SILENCE_MS), None, "once");
    assert!(matches!(talk(&mut host, &mut shoe, SILENCE_MS).0[..], [Report::Online { .. }]));
}

#[test]
fn a_quiet_device_that_answers_pings_stays_online() {
    let (mut host, mut shoe) = (host(), shoe());
    talk(&mut host, &mut shoe, 0);
    for now in (0..10 * SILENCE_MS).step_by(50) {
        assert_eq!(host.tick(now), None, "at {now} ms");
        talk(&mut host, &mut shoe, now);
    }
}

#[test]
fn a_full_ring_says_so_accepts_nothing_more_loses_nothing_and_says_when_it_has_room() {
    let (mut host, mut shoe) = (host(), shoe());
    let mut kept = 0;
    while shoe.ready() {
        shoe.observe(0, &drawn(kept)).expect("ready");
        kept += 1;
    }
    assert!(shoe.observe(0, &drawn(99)).is_err());
    let mut seen = Vec::new();
    for now in 0..20 {
        for report in talk(&mut host, &mut shoe, now).0 {
            if let Report::Saw { epoch, seq, saw, .. } = report {
                host.durable(epoch, seq);
                seen.push(saw);
            }
        }
    }
    let mut expected: Vec<_> = (0..kept).map(drawn).collect();
    expected.extend([Observation::Device(DeviceState::RingFull), Observation::Device(DeviceState::RingFree)]);
    assert_eq!(seen, expected);
    assert!(shoe.ready());
}

#[test]
fn the_display_gets_the_newest_state_and_gets_it_again_after_a_restart_and_every_second() {
    let (mut host, mut shoe) = (host(), shoe());
    let line = |text: &str| Show::Line { row: 1, text: text.try_into().expect("it fits") };
    [line("old"), line("new"), Show::Lamp(Lamp::Red), Show::Buzz(300)].into_iter().for_each(|show| host.show(show));
    assert_eq!(talk(&mut host, &mut shoe, 0).1, [Show::Lamp(Lamp::Red), Show::Buzz(300), line("new")]);
    assert_eq!(talk(&mut host, &mut shoe, 1).1, [], "nothing has changed");
    let mut shoe = device(shoe.into_memory(), 2, 101);
    assert_eq!(talk(&mut host, &mut shoe, 2).1, [Show::Lamp(Lamp::Red), line("new")]);
    assert_eq!(talk(&mut host, &mut shoe, 1002).1, [Show::Lamp(Lamp::Red), line("new")]);
}

#[test]
fn a_stale_hello_from_before_a_restart_changes_nothing() {
    let (mut host, mut shoe) = (host(), device(vec![0; 1500], 5, 100));
    talk(&mut host, &mut shoe, 0);
    let stale = hello(|hello| (hello.boots, hello.epoch) = (4, 99));
    assert_eq!(host.receive(1, &mut &stale[..]), None);
    shoe.observe(1, &drawn(1)).expect("room");
    assert!(matches!(talk(&mut host, &mut shoe, 1).0[..], [Report::Saw { epoch: 100, seq: 1, .. }]));
}

#[test]
fn the_host_says_when_it_wants_to_be_called_again() {
    let (mut host, mut shoe) = (host(), shoe());
    assert_eq!(host.wake_at(), Some(0));
    talk(&mut host, &mut shoe, 10);
    let wake = host.wake_at().expect("open");
    assert!(wake > 10 && sent_by_host(&mut host, wake - 1).is_empty());
    assert!(!sent_by_host(&mut host, wake).is_empty() || host.tick(wake).is_some());
    host.closed();
    assert_eq!(host.wake_at(), None);
}
