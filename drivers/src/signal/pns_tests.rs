use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::signal::model::tower::TowerModel;
use crate::signal::{Attention, Level};

fn alarm() -> SignalContent {
    SignalContent::new(Level::Integrity, Attention::New, [])
}

/// Lets a host and a tower speak until nothing more is sent, at one moment.
fn talk(host: &mut Pns, tower: &mut TowerModel, now: u64) -> Vec<u8> {
    let mut sent = Vec::new();
    loop {
        let mut out = Vec::new();
        host.transmit(now, &mut out).unwrap();
        if out.is_empty() {
            return sent;
        }
        host.receive(now, &tower.receive(&out)).unwrap();
        sent.extend(out);
    }
}

fn joined(long: bool) -> (Pns, TowerModel) {
    let (mut host, mut tower) = (Pns::new(Look::default()), TowerModel::new(long));
    host.opened(0);
    let asked = talk(&mut host, &mut tower, 0);
    assert_eq!(asked[..6], [0x41, 0x42, 0x47, 0, 0, 0], "nothing is set before the state was read");
    talk(&mut host, &mut tower, SETTLE_MS);
    assert!(host.there());
    (host, tower)
}

#[test]
fn the_requests_are_the_facts_bytes() {
    let bytes = |request: Request| {
        let mut out = Vec::new();
        request.write(&mut out);
        out
    };
    assert_eq!(bytes(Request::Set([1, 0, 9, 2, 4, 1])), [0x41, 0x42, 0x53, 0, 0, 6, 1, 0, 9, 2, 4, 1]);
    assert_eq!(bytes(Request::Clear), [0x41, 0x42, 0x43, 0, 0, 0]);
    assert_eq!(bytes(Request::Get), [0x41, 0x42, 0x47, 0, 0, 0]);
}

#[test]
fn what_is_asked_is_set_and_read_back_on_both_kinds_of_models() {
    for long in [false, true] {
        let (mut host, mut tower) = joined(long);
        assert_eq!(tower.shows(), [0, 0, 1, 0, 0, 0], "calm is green");
        host.show(&alarm());
        let sent = talk(&mut host, &mut tower, 200);
        assert_eq!(sent, [b"AB\x53\0\0\x06\x02\0\0\0\0\x01".as_slice(), b"AB\x47\0\0\0"].concat());
        assert_eq!(tower.shows(), [2, 0, 0, 0, 0, 1]);
        assert_eq!((host.fault(), host.corrected()), (None, 0));
        assert_eq!(talk(&mut host, &mut tower, 201), [], "nothing more is to be said");
    }
}

#[test]
fn a_dark_picture_clears() {
    let dark = Look { lights: [crate::signal::Lights::default(); 5], ..Look::default() };
    let (mut host, mut tower) = (Pns::new(dark), TowerModel::new(true));
    tower.set([1, 1, 1, 1, 1, 1]);
    host.opened(0);
    let sent = talk(&mut host, &mut tower, 0);
    assert_eq!(&sent[6..12], b"AB\x43\0\0\0");
    assert_eq!(tower.shows(), [0; 6]);
}

#[test]
fn what_somebody_else_changes_is_seen_and_set_right() {
    let (mut host, mut tower) = joined(false);
    tower.set([0, 0, 0, 4, 0, 0]);
    talk(&mut host, &mut tower, 1000);
    assert_eq!((tower.shows(), host.corrected()), ([0, 0, 1, 0, 0, 0], 1));
}

#[test]
fn a_tower_that_acknowledges_and_shows_something_else_is_told_again_and_then_faulty() {
    let (mut host, _) = joined(false);
    host.show(&alarm());
    let mut now = 1000;
    let mut sets = 0;
    while host.fault().is_none() {
        let mut out = Vec::new();
        host.transmit(now, &mut out).unwrap();
        match out.get(2) {
            Some(b'S') => {
                sets += 1;
                host.receive(now, &[ACK]).unwrap();
            }
            Some(_) => host.receive(now, &[0, 0, 1, 0, 0, 0]).unwrap(),
            None => now += 50,
        }
        assert!(now < 10_000);
    }
    assert_eq!(sets, PATIENCE);
    let differs = DeviceFault::Differs { told: [2, 0, 0, 0, 0, 1], shows: [0, 0, 1, 0, 0, 0] };
    assert_eq!((host.fault(), host.corrected()), (Some(differs), u64::from(PATIENCE)));
    // and is sound again once it does as it is told
    let mut tower = TowerModel::new(false);
    talk(&mut host, &mut tower, now + AGAIN_MS);
    assert_eq!((host.fault(), tower.shows()), (None, [2, 0, 0, 0, 0, 1]));
}

#[test]
fn a_tower_that_refuses_is_faulty_and_not_asked_without_rest() {
    let (mut host, _) = joined(false);
    host.show(&alarm());
    let mut sets = 0;
    for now in 1000..2000 {
        let mut out = Vec::new();
        host.transmit(now, &mut out).unwrap();
        match out.get(2) {
            Some(b'S') => {
                sets += 1;
                host.receive(now, &[NAK]).unwrap();
            }
            Some(_) => host.receive(now, &[0, 0, 1, 0, 0, 0]).unwrap(),
            None => {}
        }
    }
    assert_eq!(host.fault(), Some(DeviceFault::Refused));
    assert!((3..=4).contains(&sets), "{sets} in a second");
}

#[test]
fn silence_ends_the_session_and_so_does_what_is_no_answer() {
    let (mut host, _) = joined(false);
    host.show(&alarm());
    let mut out = Vec::new();
    host.transmit(1000, &mut out).unwrap();
    assert_eq!(host.wake_at(), 1000 + ANSWER_MS);
    assert!(host.transmit(1000 + ANSWER_MS - 1, &mut out).is_ok());
    assert_eq!(host.transmit(1000 + ANSWER_MS, &mut out), Err(LineFault::Silent(ANSWER_MS).into()));

    let (mut host, _) = joined(false);
    assert_eq!(host.receive(500, &[ACK]), Err(ProtocolFault::Unasked.into()));
    let (mut host, _) = joined(false);
    host.show(&alarm());
    host.transmit(1000, &mut out).unwrap();
    assert_eq!(host.receive(1000, &[0x41]), Err(ProtocolFault::NoAcknowledgement(0x41).into()));
    // an http server at the address is told nothing but the question
    let mut host = Pns::new(Look::default());
    host.opened(0);
    out.clear();
    host.transmit(0, &mut out).unwrap();
    assert_eq!(out, b"AB\x47\0\0\0");
    assert_eq!(host.receive(1, b"HTTP/1.1 400 Bad"), Err(ProtocolFault::NoState(15).into()));
    assert!(!host.there());
}

#[test]
fn no_bytes_make_it_panic_or_grow() {
    let mut generator = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..3000 {
        let (mut host, mut now) = (Pns::new(Look::default()), 0);
        host.opened(now);
        for _ in 0..8 {
            let mut out = Vec::new();
            if host.transmit(now, &mut out).is_err() {
                break;
            }
            assert!(out.len() <= 12);
            let random: u64 = generator.random();
            let bytes = (random >> 8).to_le_bytes();
            let mild = bytes.map(|byte| byte % 5);
            let some = if random >> 63 == 0 { &bytes } else { &mild };
            if host.receive(now, &some[..(random >> 56) as usize % 8]).is_err() {
                break;
            }
            assert!(host.answer.len() <= LONG);
            now += random >> 60 << 5;
        }
    }
}
