//! The rules of a session, one test each, over a clean line.
use super::common::VERSION;
use super::common::ends::key;
use super::common::pair::{Pair, any_shoe, cards, drawn, host_with, serial, shoe_with};
use sabot_wire::frame::{MAX_FRAME, encode};
use sabot_wire::host::{Expect, Missed, Refusal, Report, Resume};
use sabot_wire::message::{DeviceHello, DeviceState, Lamp, Observation, Role, Show, ToDevice, ToHost};
use sabot_wire::{EXCHANGE_MS, PING_MS, RESEND_MS, SILENCE_MS, WINDOW};

fn hello(change: impl FnOnce(&mut DeviceHello)) -> Vec<u8> {
    let mut hello = DeviceHello {
        protocol: VERSION.number(),
        role: Role::Shoe,
        serial: serial("SH-1"),
        firmware: [0, 1, 0],
        schema: VERSION.schema_of(Role::Shoe),
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
    let mut pair = Pair::new();
    (0..5).for_each(|card| assert!(pair.shoe.observe(1, &drawn(card)).is_ok()));
    let (reports, _) = pair.talk(2);
    assert!(matches!(reports[0], Report::Online { missed: None, .. }));
    assert_eq!(cards(&reports), [0, 1, 2, 3, 4]);
    assert_eq!(pair.shoe.ring().len(), 5);
    pair.host.durable(100, 3);
    pair.talk(3);
    assert_eq!((pair.shoe.ring().len(), pair.shoe.ring().oldest()), (2, 4));
}

#[test]
fn an_event_that_was_not_reported_is_never_acknowledged() {
    let mut pair = Pair::new();
    pair.talk(1);
    pair.shoe.observe(1, &drawn(1)).expect("room");
    pair.host.durable(100, 1);
    assert_eq!(pair.host_sends(2).says, []);
}

#[test]
fn a_device_sends_no_event_before_its_own_epoch_is_acknowledged() {
    let mut pair = Pair::new();
    pair.shoe.observe(1, &drawn(1)).expect("room");
    assert!(matches!(pair.shoe_sends(1).says[..], [ToHost::Hello(_)]));
    let hello = pair.host_sends(1).line;
    pair.shoe_gets(1, &hello);
    let greeting = pair.shoe_sends(1).line;
    pair.host_gets(1, &greeting);
    let challenge = pair.host_sends(1).line;
    pair.shoe_gets(1, &challenge);
    pair.ready_after_challenge(2);
    assert!(!pair.shoe.in_session());
    assert!(matches!(pair.shoe_sends(1001).says[..], [ToHost::Hello(_)]), "it says hello again");
}

#[test]
fn unacknowledged_events_are_sent_again_after_a_timeout_that_grows() {
    let mut pair = Pair::new();
    pair.talk(0);
    pair.shoe.observe(0, &drawn(1)).expect("room");
    let first = pair.shoe_sends(0).says;
    assert_eq!(first.len(), 1);
    assert!(pair.shoe_sends(u64::from(RESEND_MS) - 1).says.is_empty());
    assert_eq!(pair.shoe_sends(u64::from(RESEND_MS)).says, first);
    assert!(pair.shoe_sends(3 * u64::from(RESEND_MS) - 1).says.is_empty());
    assert_eq!(pair.shoe_sends(3 * u64::from(RESEND_MS)).says, first);
}

#[test]
fn the_device_clock_may_wrap() {
    let mut pair = Pair::new();
    pair.talk(u64::from(u32::MAX) - 10);
    pair.shoe.observe(u32::MAX - 10, &drawn(1)).expect("room");
    let first = pair.shoe_sends(u64::from(u32::MAX) - 10).says;
    assert!(pair.shoe_sends(5).says.is_empty());
    assert_eq!(pair.shoe_sends(u64::from(RESEND_MS)).says, first);
}

#[test]
fn no_more_than_the_window_is_under_way_at_once() {
    let mut pair = Pair::new();
    pair.talk(0);
    (0..40).for_each(|card| assert!(pair.shoe.observe(0, &drawn(card)).is_ok()));
    assert_eq!(pair.shoe_sends(0).says.len(), WINDOW as usize);
}

#[test]
fn repeats_are_dropped_and_acknowledged_again_where_they_are_durable() {
    let mut pair = Pair::new();
    pair.talk(0);
    pair.shoe.observe(0, &drawn(1)).expect("room");
    let event = pair.shoe_sends(0).line;
    let reports = pair.host_gets(0, &event);
    assert_eq!(cards(&reports), [1]);
    let mut now = 0;
    let mut again = |pair: &mut Pair| {
        now += 10 * u64::from(RESEND_MS);
        let event = pair.shoe_sends(now);
        assert!(event.says.iter().any(|message| matches!(message, ToHost::Event { seq: 1, .. })));
        assert_eq!(pair.host_gets(now, &event.line), []);
        let says = pair.host_sends(now).says;
        says.into_iter().find(|message| matches!(message, ToDevice::Ack { .. }))
    };
    assert_eq!(again(&mut pair), None, "not durable yet");
    pair.host.durable(100, 1);
    assert_eq!(again(&mut pair), Some(ToDevice::Ack { epoch: 100, seq: 1 }));
    assert_eq!(again(&mut pair), Some(ToDevice::Ack { epoch: 100, seq: 1 }));
    assert_eq!(pair.host.counters().repeats, 3);
}

#[test]
fn a_gap_is_asked_for_and_filled_in_order() {
    let mut pair = Pair::new();
    pair.talk(100);
    pair.shoe.observe(100, &drawn(1)).expect("room");
    let lost = pair.shoe_sends(100).line;
    pair.shoe.observe(100, &drawn(2)).expect("room");
    let early = pair.shoe_sends(100).line;
    assert!(!lost.is_empty());
    assert_eq!(pair.host_gets(200, &early), []);
    assert_eq!(pair.host.counters().gaps, 1);
    let (reports, _) = pair.talk(201);
    assert_eq!(cards(&reports), [1, 2]);
}

#[test]
fn a_device_that_has_lost_its_count_of_starts_and_kept_its_ring_is_not_taken_for_another() {
    let mut pair = Pair::new();
    pair.talk(0);
    for start in 2..5 {
        pair.restart_shoe(true, 1, 101);
        let (reports, _) = pair.talk(500 * u64::from(start));
        assert!(
            matches!(&reports[..], [Report::Online { hello, missed: None, .. }, ..] if hello.boots == start),
            "{reports:?}"
        );
        assert!(!reports.iter().any(|report| matches!(report, Report::Missed(_))), "{reports:?}");
    }
    pair.restart_shoe(false, 1, 102);
    let (reports, _) = pair.talk(3000);
    assert!(matches!(&reports[0], Report::Online { hello, .. } if (hello.boots, hello.epoch) == (1, 102)));
}

#[test]
fn a_restarted_device_goes_on_from_its_ring_and_the_host_drops_what_it_has() {
    let mut pair = Pair::new();
    pair.talk(0);
    (0..3).for_each(|card| assert!(pair.shoe.observe(0, &drawn(card)).is_ok()));
    assert_eq!(cards(&pair.talk(1).0), [0, 1, 2]);
    pair.restart_shoe(true, 2, 101);
    pair.shoe.observe(0, &drawn(3)).expect("room");
    let (reports, _) = pair.talk(500);
    assert!(
        matches!(&reports[0], Report::Online { hello, missed: None, .. } if hello.boots == 2 && hello.epoch == 100)
    );
    assert_eq!(cards(&reports), [3]);
    assert_eq!(pair.host.counters().repeats, 3);
}

#[test]
fn a_restarted_host_resumes_after_its_last_durable_event() {
    let mut pair = Pair::new();
    (0..4).for_each(|card| assert!(pair.shoe.observe(0, &drawn(card)).is_ok()));
    pair.talk(0);
    let resume = Resume { serial: serial("SH-1"), epoch: 100, seq: 2, boots: None };
    let mut pair = Pair::of(host_with(any_shoe(), key(1), 1, Some(resume)), pair.shoe);
    let (reports, _) = pair.talk(1);
    assert_eq!(cards(&reports), [2, 3]);
    assert_eq!(pair.shoe.ring().oldest(), 3, "the first two were acknowledged again");
}

#[test]
fn a_lost_ring_is_reported_and_the_new_one_read_from_its_beginning() {
    let mut pair = Pair::new();
    pair.shoe.observe(0, &drawn(1)).expect("room");
    pair.talk(0);
    pair.restart_shoe(false, 2, 101);
    pair.shoe.observe(0, &drawn(2)).expect("room");
    let (reports, _) = pair.talk(500);
    let missed = Some(Missed::RingLost { epoch: 100, last: 1 });
    assert!(matches!(&reports[0], Report::Online { missed: found, .. } if *found == missed), "{reports:?}");
    assert_eq!(cards(&reports), [2]);
}

#[test]
fn events_acknowledged_by_somebody_else_are_reported_as_missed() {
    let mut pair = Pair::new();
    (0..8).for_each(|card| assert!(pair.shoe.observe(0, &drawn(card)).is_ok()));
    pair.talk(0);
    pair.host.durable(100, 8);
    pair.talk(1);
    let resume = Resume { serial: serial("SH-1"), epoch: 100, seq: 4, boots: None };
    let mut pair = Pair::of(host_with(any_shoe(), key(1), 1, Some(resume)), pair.shoe);
    let (reports, _) = pair.talk(2);
    let forgotten = Some(Missed::Forgotten { from: 5, to: 8 });
    assert!(matches!(&reports[0], Report::Online { missed, .. } if *missed == forgotten), "{reports:?}");
}

#[test]
fn what_is_not_expected_is_refused_once_with_its_reason_and_gives_way_to_the_right_device() {
    let pinned = Expect { role: Role::Shoe, serial: Some(serial("SH-1")) };
    let cases: [(Vec<u8>, Refusal); 5] = [
        (hello(|hello| hello.protocol = 1), Refusal::Protocol { found: 1 }),
        (hello(|hello| hello.protocol = 5), Refusal::Protocol { found: 5 }),
        (hello(|hello| hello.schema ^= 1), Refusal::Schema { found: VERSION.schema_of(Role::Shoe) ^ 1 }),
        (hello(|hello| hello.role = Role::Keypad), Refusal::Role { expected: Role::Shoe, found: Role::Keypad }),
        (
            hello(|hello| hello.serial = serial("SH-2")),
            Refusal::Serial { expected: serial("SH-1"), found: serial("SH-2") },
        ),
    ];
    for (greeting, refusal) in cases {
        let mut pair = Pair::of(host_with(pinned.clone(), key(1), 0, None), Pair::new().shoe);
        assert_eq!(pair.host_gets(0, &greeting), [Report::Refused(refusal)]);
        assert_eq!(pair.host_gets(0, &greeting), [], "once");
        assert!(!pair.host.online());
        assert!(matches!(pair.talk(1).0[..], [Report::Online { .. }]), "replaced by the right one");
    }
}

#[test]
fn a_device_whose_ready_was_kept_back_until_the_handshake_was_given_up_is_reported_before_its_events() {
    let mut pair = Pair::new();
    pair.shoe.observe(0, &drawn(7)).expect("ready");
    let hello = pair.shoe_sends(0).line;
    assert_eq!(pair.host_gets(0, &hello), []);
    let challenge = pair.host_sends(0).line;
    assert_eq!(pair.shoe_gets(0, &challenge), []);
    let late = pair.ready_after_challenge(0);
    let begins = late.line.iter().enumerate().filter(|(_, byte)| **byte == 0).nth(1).expect("two frames").0 + 1;
    assert_eq!(pair.host_gets(0, &late.line[..begins]), [], "what its keys are drawn from");
    assert_eq!(pair.host.tick(EXCHANGE_MS), None);
    let reports = pair.host_gets(EXCHANGE_MS, &late.line[begins..]);
    assert!(matches!(reports[..], [Report::Online { .. }]), "{reports:?}");
    assert_eq!(cards(&pair.talk(EXCHANGE_MS).0), [7]);
}

#[test]
fn a_host_that_was_held_up_asks_before_it_takes_a_device_for_gone() {
    let mut pair = Pair::new();
    pair.talk(0);
    // nothing has come, because nobody has asked
    let late = 5 * SILENCE_MS;
    assert_eq!(pair.host.tick(late), None);
    let asked = pair.host_sends(late);
    assert!(asked.says.contains(&ToDevice::Ping(1)), "{asked:?}");
    assert!(pair.host.wake_at().is_some_and(|at| at > late), "it waits for the answer, and not busily");
    assert_eq!(pair.host.tick(late + PING_MS - 1), None);
    pair.shoe_gets(late, &asked.line);
    let answer = pair.shoe_sends(late);
    assert_eq!(pair.host_gets(late + PING_MS - 1, &answer.line), []);
    assert_eq!(pair.host.tick(late + PING_MS), None, "it is there");
    // and now it is not
    pair.host_sends(late + 3 * PING_MS);
    assert_eq!(pair.host.tick(late + 2 * SILENCE_MS), Some(Report::Silent));
}

#[test]
fn silence_is_noticed_and_ended_by_the_next_hello() {
    let mut pair = Pair::new();
    pair.talk(0);
    assert!(pair.host_sends(PING_MS).says.contains(&ToDevice::Ping(1)), "it pings first");
    assert_eq!(pair.host.tick(SILENCE_MS - 1), None);
    assert_eq!(pair.host.tick(SILENCE_MS), Some(Report::Silent));
    assert_eq!(pair.host.tick(SILENCE_MS), None, "once");
    assert!(matches!(pair.talk(SILENCE_MS).0[..], [Report::Online { .. }]));
}

#[test]
fn a_quiet_device_that_answers_pings_stays_online() {
    let mut pair = Pair::new();
    pair.talk(0);
    for now in (0..10 * SILENCE_MS).step_by(50) {
        assert_eq!(pair.host.tick(now), None, "at {now} ms");
        pair.talk(now);
    }
}

#[test]
fn a_full_ring_says_so_accepts_nothing_more_loses_nothing_and_says_when_it_has_room() {
    let mut pair = Pair::new();
    let mut kept = 0;
    while pair.shoe.ready() {
        pair.shoe.observe(0, &drawn(kept)).expect("ready");
        kept += 1;
    }
    assert!(pair.shoe.observe(0, &drawn(99)).is_err());
    let mut seen = Vec::new();
    for now in 0..20 {
        for report in pair.talk(now).0 {
            if let Report::Saw { epoch, seq, saw, .. } = report {
                pair.host.durable(epoch, seq);
                seen.extend(saw);
            }
        }
    }
    let mut expected: Vec<_> = (0..kept).map(drawn).collect();
    expected.extend([Observation::Device(DeviceState::RingFull), Observation::Device(DeviceState::RingFree)]);
    assert_eq!(seen, expected);
    assert!(pair.shoe.ready());
}

#[test]
fn the_display_gets_the_newest_state_and_gets_it_again_after_a_restart_and_every_second() {
    let mut pair = Pair::new();
    let line = |text: &str| Show::Line { row: 1, text: text.try_into().expect("it fits") };
    for show in [line("old"), line("new"), Show::Lamp(Lamp::Red), Show::Buzz(300)] {
        pair.host.show(show);
    }
    assert_eq!(pair.talk(0).1, [Show::Lamp(Lamp::Red), Show::Buzz(300), line("new")]);
    assert_eq!(pair.talk(1).1, [], "nothing has changed");
    pair.restart_shoe(true, 2, 101);
    assert_eq!(pair.talk(2).1, [Show::Lamp(Lamp::Red), line("new")]);
    assert_eq!(pair.talk(1002).1, [Show::Lamp(Lamp::Red), line("new")]);
}

#[test]
fn a_stale_hello_from_before_a_restart_changes_nothing() {
    let mut pair = Pair::of(host_with(any_shoe(), key(1), 0, None), shoe_with(vec![0; 1500], 5, 100, Some(key(1))));
    pair.talk(0);
    let stale = hello(|hello| (hello.boots, hello.epoch) = (4, 100));
    assert_eq!(pair.host_gets(1, &stale), []);
    pair.shoe.observe(1, &drawn(1)).expect("room");
    assert!(matches!(pair.talk(1).0[..], [Report::CaughtUp, Report::Saw { epoch: 100, seq: 1, .. }]));
}

#[test]
fn the_host_says_when_it_wants_to_be_called_again() {
    let mut pair = Pair::new();
    assert_eq!(pair.host.wake_at(), Some(0));
    pair.talk(10);
    let wake = pair.host.wake_at().expect("open");
    assert!(wake > 10 && pair.host_sends(wake - 1).says.is_empty());
    assert!(!pair.host_sends(wake).says.is_empty() || pair.host.tick(wake).is_some());
    pair.host.closed();
    assert_eq!(pair.host.wake_at(), None);
}
