//! DO NOT EDIT: REVERT YOUR CHANGE.
//!
//! The bytes of version 2 of the link as devices in the field send and expect them: what it adds to version 1, and a
//! whole session with its keys. When a test here fails, the wire format was changed: take the change back, or make a
//! new version beside this one.
use crate::common::ends::key;
use crate::common::pair::{any_shoe, drawn, host_with, shoe_with};
use crate::common::vectors::check;
use sabot_wire::frame::{MAX_FRAME, crc32c};
use sabot_wire::host::Report;
use sabot_wire::message::{Lamp, Show};

const GOLDEN: &str = include_str!("../golden_v2.txt");
const BEFORE: [&str; 2] = [include_str!("../golden_v1.txt"), include_str!("../golden_v1_banks.txt")];
/// What a keypad has learned to say since.
const KEYPAD: &str = include_str!("../golden_v2_keypad.txt");
/// What it has learned after that: cards.
const CARDS: &str = include_str!("../golden_v2_keypad_cards.txt");
/// H to the host, D to the device: the frames of the session below, one a line.
const SESSION: &str = include_str!("../golden_v2_session.txt");

#[test]
fn every_frame_of_version_2_is_encoded_and_decoded_as_ever() {
    assert_eq!((GOLDEN.lines().count(), KEYPAD.lines().count(), CARDS.lines().count()), (12, 5, 4));
    for line in GOLDEN.lines().chain(KEYPAD.lines()).chain(CARDS.lines()) {
        let (head, hex) = line.rsplit_once(" = ").expect("message = frame");
        let (direction, message) = head.split_once(' ').expect("direction message");
        check(direction, message, hex);
    }
}

#[test]
fn the_golden_files_themselves_are_untouched() {
    assert_eq!(crc32c(GOLDEN.as_bytes()), 0xbe40_4881);
    assert_eq!(crc32c(SESSION.as_bytes()), 0x4a0d_b8e7);
    assert_eq!(crc32c(KEYPAD.as_bytes()), 0x4653_a711);
    assert_eq!(crc32c(CARDS.as_bytes()), 0x7c31_ab37);
}

#[test]
fn every_variant_of_the_schema_has_golden_bytes() {
    for line in
        sabot_wire::SCHEMA_TEXT.lines().chain(sabot_wire::KEYPAD_SCHEMA_TEXTS.iter().flat_map(|text| text.lines()))
    {
        let (_, shape) = line.split_once(" = ").expect("Name = shape");
        for variant in shape.split(" | ").filter(|_| shape.contains(" | ")) {
            let name: String = variant.chars().take_while(char::is_ascii_alphanumeric).collect();
            let quoted = format!("\"{name}\"");
            assert!(
                [GOLDEN, KEYPAD, CARDS, BEFORE[0], BEFORE[1]].iter().any(|file| file.contains(&quoted)),
                "{name} of {line} is missing"
            );
        }
    }
}

/// A shoe with key 0B.. in its third start, which has drawn 9H, and a host that has 0C.. for entropy, until all is
/// acknowledged.
#[test]
fn a_whole_session_has_the_same_bytes_as_ever() {
    let mut host = host_with(any_shoe(), key(0x0B), 0x0C, None);
    let mut shoe = shoe_with(vec![0; 1500], 3, 0xAABB_CCDD, Some(key(0x0B)));
    shoe.observe(40, &drawn(21)).expect("room");
    let mut lines = String::new();
    let mut out = [0; MAX_FRAME];
    let mut note = |way: char, frame: &[u8]| {
        let hex: String = frame.iter().map(|byte| format!("{byte:02x}")).collect();
        lines.push_str(&format!("{way} {hex}\n"));
    };
    for now in 50..60 {
        while let Some(frame) = shoe.transmit(now, &mut out) {
            note('H', frame);
            let mut line = frame;
            while let Some(report) = host.receive(now.into(), &mut line) {
                match report {
                    Report::Saw { epoch, seq, .. } => {
                        host.durable(epoch, seq);
                        host.show(Show::Lamp(Lamp::Green));
                    }
                    Report::Online { .. } => {}
                    other => panic!("{other:?}"),
                }
            }
        }
        while let Some(frame) = host.transmit(now.into(), &mut out) {
            note('D', frame);
            let mut line = frame;
            while shoe.receive(now, &mut line).is_some() {}
        }
    }
    assert!(shoe.ring().is_empty());
    assert_eq!(lines, SESSION, "the session:\n{lines}");
}
