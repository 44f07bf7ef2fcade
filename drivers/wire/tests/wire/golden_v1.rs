//! DO NOT EDIT: REVERT YOUR CHANGE.
//!
//! The bytes of version 1 of the link as devices in the field send and expect them. When a test here fails, the wire
//! format was changed: take the change back, or make a new version beside this one.
use crate::common::vectors::{byte, check};
use sabot_wire::host::{Expect, Host, Refusal, Report};
use sabot_wire::message::{Key, Role};

/// Every variant of every message at least once: direction (H to the host, D to the device), message, frame.
const GOLDEN: &str = include_str!("../golden_v1.txt");

/// The same of what was added for tables where players bank; nothing before it moved.
const BANKS: &str = include_str!("../golden_v1_banks.txt");

fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    GOLDEN.lines().chain(BANKS.lines()).map(|line| {
        let (head, hex) = line.rsplit_once(" = ").expect("message = frame");
        let (direction, message) = head.split_once(' ').expect("direction message");
        (direction, message, hex)
    })
}

#[test]
fn every_frame_of_version_1_is_encoded_and_decoded_as_ever() {
    assert_eq!(rows().count(), 79 + 12);
    for (direction, message, hex) in rows() {
        check(direction, message, hex);
    }
}

#[test]
fn a_device_of_version_1_is_refused_as_such() {
    let (_, _, hex) =
        rows().find(|(_, message, _)| message.contains("\"Hello\":{\"protocol\":1,\"role\":\"Shoe\"")).expect("a shoe");
    let hex: String = hex.split_whitespace().collect();
    let frame: Vec<u8> = hex.as_bytes().chunks(2).map(byte).collect();
    let expect = Expect { role: Role::Shoe, serial: None };
    let mut host = Host::new(expect, Key::new([1; 16]), &[0; 32], None);
    host.opened(0);
    let report = host.receive(0, &mut &frame[..]);
    assert_eq!(report, Some(Report::Refused(Refusal::Protocol { found: 1 })));
}

#[test]
fn the_golden_file_itself_is_untouched() {
    assert_eq!(sabot_wire::frame::crc32c(GOLDEN.as_bytes()), 0xa405_4f54);
    assert_eq!(sabot_wire::frame::crc32c(BANKS.as_bytes()), 0x187d_8242);
}
