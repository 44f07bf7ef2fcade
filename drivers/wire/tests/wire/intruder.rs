//! Somebody who has the wire and not the key: what he says ends no session, silences no alarm and fills no log.

use sabot_wire::HANDSHAKE_MS;
use sabot_wire::frame::{MAX_FRAME, encode};
use sabot_wire::host::{Host, Keyring, Refusal, Report};
use sabot_wire::message::{DeviceHello, Key, Nonce, Role, Started, ToHost};

use super::common::VERSION;
use super::common::ends::{ends, key};
use super::common::pair::{Pair, SERIAL, any_shoe, cards, drawn, identity, serial};
use sabot_wire::device::Device;
use sabot_wire::frame::encode_sealed;
use sabot_wire::ring::Ring;

fn hello(name: &str, boots: u32) -> DeviceHello {
    let (serial, role, firmware) = (serial(name), Role::Shoe, [0, 1, 0]);
    DeviceHello {
        protocol: VERSION.number(),
        role,
        serial,
        firmware,
        schema: VERSION.schema_of(role),
        boots,
        epoch: 100,
        oldest: 1,
    }
}

fn clear(message: &ToHost) -> Vec<u8> {
    encode(message, &mut [0; MAX_FRAME]).expect("it fits").to_vec()
}

/// A sound frame of no session that there is.
fn invented() -> Vec<u8> {
    let (mut channel, _) = ends(&key(9), &key(9));
    encode_sealed(&ToHost::Unpaired, &mut channel, &mut [0; MAX_FRAME]).expect("it fits").to_vec()
}

#[test]
fn nothing_that_is_said_in_clear_ends_a_session_that_lives() {
    let mut pair = Pair::new();
    pair.talk(0);
    let said = [
        DeviceHello { protocol: 1, ..hello(SERIAL, 9) },
        DeviceHello { role: Role::Chips, ..hello(SERIAL, 9) },
        DeviceHello { schema: 7, ..hello(SERIAL, 9) },
        DeviceHello { oldest: 0, ..hello(SERIAL, 9) },
        hello("\x1b[2J", 9),
        hello("SH-2", 9),
        hello(SERIAL, 9),
    ];
    for hello in said {
        assert_eq!(pair.host_gets(1, &clear(&ToHost::Hello(hello.clone()))), [], "{hello:?}");
        assert!(pair.host.online(), "{hello:?}");
    }
    // the last of them was worth a challenge; a false answer to it ends nothing either
    let mut out = [0; MAX_FRAME];
    let challenge = pair.host.transmit(1, &mut out).expect("a challenge").to_vec();
    let to = Nonce(challenge[4..20].try_into().expect("16 bytes"));
    let false_answer = ToHost::Answer { to, nonce: Nonce([3; 16]), proof: [4; 16] };
    assert_eq!(pair.host_gets(1, &clear(&false_answer)), []);
    assert_eq!(pair.host_gets(1, &clear(&ToHost::Unpaired)), []);
    pair.shoe.observe(2, &drawn(7)).expect("room");
    assert_eq!(cards(&pair.talk(2).0), [7]);
}

#[test]
fn a_hello_that_anybody_may_say_is_no_restart_until_it_is_proved() {
    let mut pair = Pair::new();
    pair.talk(0);
    assert_eq!(pair.host_gets(1, &clear(&ToHost::Hello(hello(SERIAL, 9)))), []);
    pair.shoe.observe(1, &drawn(7)).expect("room");
    let reports = pair.talk(2).0;
    let is_restart = |report: &Report| matches!(report, Report::Online { .. });
    assert!(cards(&reports) == [7] && !reports.iter().any(is_restart), "the same start goes on: {reports:?}");
    pair.restart_shoe(true, 2, 101);
    assert!(matches!(pair.talk(3).0[..], [Report::Online { .. }, ..]), "and this one is proved");
}

#[test]
fn a_handshake_that_never_ends_does_not_silence_the_alarm() {
    let mut pair = Pair::new();
    pair.talk(0);
    pair.host_gets(1, &clear(&ToHost::Hello(hello(SERIAL, 9))));
    assert!(pair.host.transmit(1, &mut [0; MAX_FRAME]).is_some(), "a challenge, which nobody hears");
    let reports: Vec<_> = (2..10).flat_map(|now| pair.host_gets(now, &invented())).collect();
    assert_eq!(reports, [Report::Forged]);
    assert_eq!((pair.host.counters().forged, pair.host.counters().ignored), (7, 1), "one may be of a lost answer");
}

#[test]
fn strangers_cost_one_report_however_often_and_under_whatever_names_they_say_hello() {
    #[derive(Debug)]
    struct Nobody;
    impl Keyring for Nobody {
        fn key(&self, _: &str) -> Option<Key> {
            None
        }
    }
    let mut host = Host::new(any_shoe(), Nobody, &[0; 32], None);
    host.opened(0);
    let mut reports = Vec::new();
    for n in 0..10_000_u32 {
        let line = clear(&ToHost::Hello(hello(&format!("SH-{n}"), n)));
        reports.extend(host.receive(n.into(), &mut &line[..]));
    }
    assert_eq!(reports, [Report::Refused(Refusal::Unpaired { serial: serial("SH-0") })]);
    // another cable, another day
    host.closed();
    host.opened(20_000);
    let line = clear(&ToHost::Hello(hello("SH-7", 1)));
    assert!(matches!(host.receive(20_000, &mut &line[..]), Some(Report::Refused(_))));
}

#[test]
fn what_a_device_calls_itself_can_be_shown() {
    for name in ["\x1b[2JSH-1", "SH\n1", "SH\u{202e}1", "", "\u{7f}"] {
        let mut host = Host::new(any_shoe(), key(1), &[0; 32], None);
        host.opened(0);
        let line = clear(&ToHost::Hello(hello(name, 1)));
        let Some(Report::Refused(refusal)) = host.receive(0, &mut &line[..]) else { panic!("{name:?} was taken") };
        let words = refusal.to_string();
        assert!(refusal == Refusal::Name && words.bytes().all(|byte| (b' '..0x7f).contains(&byte)), "{words:?}");
    }
    let started = Started::Panic { file: "\x1b[2Jshoe.rs".try_into().expect("short"), line: 7 };
    let (ring, _) = Ring::restore(vec![0; 1500], 100).expect("large enough");
    let mut pair = Pair::new();
    pair.shoe = Device::speaking(VERSION, sabot_wire::device::Identity { started, ..identity(1, Some(key(1))) }, ring);
    let reports = pair.talk(0).0;
    let [Report::Online { started: Started::Panic { file, .. }, .. }, ..] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!(file, "?[2Jshoe.rs");
}

#[test]
fn what_the_line_gives_back_is_known_as_the_hosts_own() {
    let mut pair = Pair::new();
    let mut out = [0; MAX_FRAME];
    let mut now = 0;
    let mut echoed = 0;
    while now < HANDSHAKE_MS {
        while let Some(frame) = pair.shoe.transmit(now as u32, &mut out) {
            let frame = frame.to_vec();
            assert!(!pair.host_gets(now, &frame).contains(&Report::Forged));
        }
        while let Some(frame) = pair.host.transmit(now, &mut out) {
            let frame = frame.to_vec();
            assert_eq!(pair.host_gets(now, &frame), [], "its own frame");
            echoed += 1;
            pair.shoe_gets(now, &frame);
        }
        now += 50;
    }
    let counters = pair.host.counters();
    assert!(pair.host.online() && echoed > 4);
    assert_eq!((counters.echoes, counters.bad_frames, counters.forged), (echoed, 0, 0));
}

#[test]
fn a_frame_that_is_played_again_at_once_is_counted_as_that_and_not_as_an_event_sent_again() {
    let mut pair = Pair::new();
    pair.talk(0);
    pair.shoe.observe(1, &drawn(7)).expect("room");
    let up = pair.shoe_sends(1).line;
    assert_eq!(cards(&pair.host_gets(1, &up)), [7]);
    assert_eq!(pair.host_gets(1, &up), []);
    assert_eq!((pair.host.counters().replayed, pair.host.counters().repeats), (1, 0));
}

/// A checksum over a body and its own checksum is the same for every body of one length.
#[test]
fn frames_of_one_length_are_not_taken_for_each_other() {
    let mut pair = Pair::new();
    pair.talk(0);
    for n in 0..200_u8 {
        let now = u64::from(n) * 7;
        pair.shoe.observe(now as u32, &drawn(n % 52)).expect("room");
        assert_eq!(cards(&pair.talk(now).0), [n % 52]);
        pair.host.durable(100, u32::from(n) + 1);
    }
    assert_eq!((pair.host.counters().echoes, pair.host.counters().gaps), (0, 0));
}
