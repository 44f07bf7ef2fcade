//! Pairing by a code: who reads along learns nothing, who stands in between must know the code, and neither end is left
//! with a key that the other cannot have.

use std::cell::RefCell;
use std::rc::Rc;

use sabot_wire::HANDSHAKE_MS;
use sabot_wire::device::Order;
use sabot_wire::frame::{Decoder, Got, MAX_FRAME, encode, encode_pairing};
use sabot_wire::host::{Host, Keyring, Refusal, Report};
use sabot_wire::message::{Key, ToDevice, ToHost};
use sabot_wire::pairing::{Code, Pairing};

use super::common::ends::key;
use super::common::pair::{SERIAL, Shoe, any_shoe, cards, drawn, serial, shoe_with};

/// The keys of a station: the one of before, and the one that its device may have taken.
#[derive(Debug, Clone, Default)]
struct Keys(Rc<RefCell<(Option<Key>, Option<Key>)>>);

impl Keyring for Keys {
    fn key(&self, _: &str) -> Option<Key> {
        self.0.borrow().0.clone()
    }

    fn next(&self, _: &str) -> Option<Key> {
        self.0.borrow().1.clone()
    }

    fn keeps(&self, name: &str, key: &Key) -> bool {
        assert_eq!(name, SERIAL);
        self.0.borrow_mut().1 = Some(key.clone());
        true
    }
}

fn code(n: u8) -> Code {
    Code::new([n; 10])
}

fn shoe(held: Option<Key>, allowed: bool) -> Shoe {
    let mut shoe = shoe_with(vec![0; 1500], 1, 100, held).with_code(Some(code(7)));
    shoe.allow_pairing(allowed);
    shoe
}

fn pairing(keys: &Keys, typed: u8) -> Host<Keys> {
    let mut host = Host::new(any_shoe(), keys.clone(), &[3; 32], None).pairing_by_code(code(typed), [9; 32]);
    host.opened(0);
    host
}

/// What came of some talk.
#[derive(Debug, Default)]
struct Talked {
    reports: Vec<Report>,
    given: Vec<Key>,
    line: Vec<u8>,
}

/// What passes of a frame on the line: all of it, something else, or nothing.
type Hand<'h> = dyn FnMut(Frame) -> Option<Vec<u8>> + 'h;

enum Frame<'f> {
    Up(&'f [u8]),
    Down(&'f [u8]),
}

impl Frame<'_> {
    fn whole(&self) -> Option<Vec<u8>> {
        let (Self::Up(frame) | Self::Down(frame)) = self;
        Some(frame.to_vec())
    }
}

fn talk<K: Keyring>(host: &mut Host<K>, shoe: &mut Shoe, from: u64, to: u64, hand: &mut Hand<'_>) -> Talked {
    let (mut talked, mut out) = (Talked::default(), [0; MAX_FRAME]);
    for now in (from..to).step_by(10) {
        talked.reports.extend(host.tick(now));
        while let Some(frame) = shoe.transmit(now as u32, &mut out) {
            talked.line.extend_from_slice(frame);
            let passed = hand(Frame::Up(frame)).unwrap_or_default();
            let mut passed = &passed[..];
            talked.reports.extend(std::iter::from_fn(|| host.receive(now, &mut passed)));
        }
        while let Some(frame) = host.transmit(now, &mut out) {
            talked.line.extend_from_slice(frame);
            let passed = hand(Frame::Down(frame)).unwrap_or_default();
            let mut passed = &passed[..];
            for order in std::iter::from_fn(|| shoe.receive(now as u32, &mut passed)) {
                match order {
                    Order::Keep(key) => talked.given.push(key),
                    Order::Show(_) => panic!("nothing is shown"),
                }
            }
        }
    }
    talked
}

fn said(frame: &[u8]) -> Option<Pairing> {
    match Decoder::new().next::<ToHost>(&mut &frame[..], None)? {
        Got::Pairing(said) => Some(said),
        _ => None,
    }
}

fn whole(frame: Frame) -> Option<Vec<u8>> {
    frame.whole()
}

fn is_online(talked: &Talked) -> bool {
    talked.reports.iter().any(|report| matches!(report, Report::Online { .. }))
}

#[test]
fn both_ends_come_to_a_key_that_does_not_cross_the_cable_and_what_was_seen_for_another_host_is_gone() {
    for (held, allowed) in [(None, false), (Some(key(4)), true)] {
        let (keys, mut shoe) = (Keys::default(), shoe(held, allowed));
        shoe.observe(0, &drawn(7)).expect("room");
        let talked = talk(&mut pairing(&keys, 7), &mut shoe, 0, 2000, &mut whole);
        let kept = keys.next(SERIAL).expect("kept before it was taken");
        assert!(is_online(&talked) && talked.given == [kept.clone()], "{talked:?}");
        assert!(cards(&talked.reports).is_empty());
        assert!(!talked.line.windows(8).any(|bytes| bytes == &kept.bytes()[..8]), "in a part of eight bytes");
        assert_ne!(shoe.ring().epoch(), 100);
        // and so the station meets it, which still has the old key first
        let mut station = Host::new(any_shoe(), keys, &[4; 32], None);
        station.opened(5000);
        shoe.observe(5000, &drawn(8)).expect("room");
        assert_eq!(cards(&talk(&mut station, &mut shoe, 5000, 6000, &mut whole).reports), [8]);
    }
}

#[test]
fn a_device_that_has_a_key_and_whose_switch_is_open_does_not_answer() {
    let (keys, mut shoe) = (Keys::default(), shoe(Some(key(4)), false));
    let talked = talk(&mut pairing(&keys, 7), &mut shoe, 0, 3000, &mut whole);
    assert!(talked.reports.is_empty() && talked.given.is_empty() && keys.next(SERIAL).is_none(), "{talked:?}");
}

#[test]
fn a_wrong_code_is_told_and_both_keep_what_they_have() {
    let (keys, mut shoe) = (Keys::default(), shoe(Some(key(4)), true));
    let talked = talk(&mut pairing(&keys, 8), &mut shoe, 0, 1000, &mut whole);
    assert_eq!(talked.reports, [Report::Refused(Refusal::Code { serial: serial(SERIAL) })]);
    assert!(talked.given.is_empty() && keys.next(SERIAL).is_none());
}

/// He has shares of his own for both, and does not know the code.
#[test]
fn who_stands_in_between_is_told_as_a_wrong_code_and_neither_end_takes_a_key_of_his() {
    let (keys, mut shoe) = (Keys::default(), shoe(None, false));
    let other = sabot_wire::pairing::share_of(&[5; 32]);
    let swap = |frame: &[u8]| {
        let mut out = [0; MAX_FRAME];
        let said = match said(frame)? {
            Pairing::Offer(_) => Pairing::Offer(other),
            Pairing::Share { proof, .. } => {
                Pairing::Share { to: sabot_wire::pairing::share_of(&[9; 32]), share: other, proof }
            }
            Pairing::Confirm(_) => Pairing::Confirm([0; 16]),
        };
        Some(encode_pairing(&said, &mut out).expect("it fits").to_vec())
    };
    let mut hand = |frame: Frame| match frame {
        Frame::Up(bytes) | Frame::Down(bytes) => swap(bytes).or(frame.whole()),
    };
    let talked = talk(&mut pairing(&keys, 7), &mut shoe, 0, 1000, &mut hand);
    assert_eq!(talked.reports, [Report::Refused(Refusal::Code { serial: serial(SERIAL) })]);
    assert!(talked.given.is_empty() && !shoe.paired() && keys.next(SERIAL).is_none());
}

#[test]
fn a_device_with_a_code_takes_no_key_in_the_clear_and_no_confirmation_that_is_not_of_its_offer() {
    let mut shoe = shoe(None, true);
    let mut out = [0; MAX_FRAME];
    let clear = encode(&ToDevice::Pair(key(5)), &mut out).expect("it fits").to_vec();
    assert_eq!(shoe.receive(0, &mut &clear[..]), None);
    let offer = encode_pairing(&Pairing::Offer([9; 32]), &mut out).expect("it fits").to_vec();
    assert_eq!(shoe.receive(0, &mut &offer[..]), None);
    while shoe.transmit(0, &mut out).is_some() {}
    for proof in [[0; 16], [0xFF; 16]] {
        let confirm = encode_pairing(&Pairing::Confirm(proof), &mut out).expect("it fits").to_vec();
        assert_eq!(shoe.receive(0, &mut &confirm[..]), None);
    }
    assert!(!shoe.paired());
}

#[test]
fn an_answer_that_the_line_kept_back_is_taken_for_no_wrong_code() {
    let (keys, mut shoe) = (Keys::default(), shoe(None, false));
    let mut kept = Vec::new();
    let mut keep = |frame: Frame| {
        let (Frame::Up(bytes) | Frame::Down(bytes)) = frame;
        match said(bytes) {
            Some(Pairing::Share { .. }) => {
                kept = bytes.to_vec();
                None
            }
            _ => frame.whole(),
        }
    };
    talk(&mut pairing(&keys, 8), &mut shoe, 0, 500, &mut keep);
    let mut host = Host::new(any_shoe(), keys, &[3; 32], None).pairing_by_code(code(7), [10; 32]);
    host.opened(1000);
    let mut hand = |frame: Frame| {
        let (Frame::Up(bytes) | Frame::Down(bytes)) = frame;
        match said(bytes) {
            Some(Pairing::Share { .. }) => Some([std::mem::take(&mut kept), bytes.to_vec()].concat()),
            _ => frame.whole(),
        }
    };
    let talked = talk(&mut host, &mut shoe, 1000, 2000, &mut hand);
    let is_refused = talked.reports.iter().any(|report| matches!(report, Report::Refused(_)));
    assert!(is_online(&talked) && !is_refused, "{talked:?}");
}

/// The line loses, in turn, each frame of the pairing; then all that follow one.
#[test]
fn whatever_the_line_loses_of_it_the_two_find_each_other() {
    for lost in 0..12 {
        for all in [false, true] {
            let (keys, mut shoe) = (Keys::default(), shoe(Some(key(4)), true));
            keys.0.borrow_mut().0 = Some(key(4));
            let mut n = 0;
            let mut hand = |frame: Frame| {
                n += 1;
                let is_lost = if all { n > lost } else { n == lost + 1 };
                if is_lost { None } else { frame.whole() }
            };
            let talked = talk(&mut pairing(&keys, 7), &mut shoe, 0, 4 * HANDSHAKE_MS, &mut hand);
            assert!(all || is_online(&talked), "frame {lost}: {talked:?}");
            // the pairing may have been given up at any moment: the station knows the device all the same
            shoe.allow_pairing(false);
            let mut station = Host::new(any_shoe(), keys, &[4; 32], None);
            station.opened(10_000);
            shoe.observe(10_000, &drawn(8)).expect("room");
            let met = talk(&mut station, &mut shoe, 10_000, 13_000, &mut whole);
            assert_eq!(cards(&met.reports), [8], "frame {lost}, all: {all}: {met:?}");
        }
    }
}
