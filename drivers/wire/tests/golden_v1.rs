//! DO NOT EDIT: REVERT YOUR CHANGE.
//!
//! The bytes of version 1 of the link as devices in the field send and expect them. When a test here fails, the wire
//! format was changed: take the change back, or make a new version beside this one.
#![allow(clippy::expect_used, reason = "helpers of tests stop at what they do not expect")]

mod common;

use common::vectors::check;

/// Every variant of every message at least once: direction (H to the host, D to the device), message, frame.
const GOLDEN: &str = include_str!("golden_v1.txt");

/// The same of what was added for tables where players bank; nothing before it moved.
const BANKS: &str = include_str!("golden_v1_banks.txt");

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
fn the_golden_file_itself_is_untouched() {
    assert_eq!(sabot_wire::frame::crc32c(GOLDEN.as_bytes()), 0xa405_4f54);
    assert_eq!(sabot_wire::frame::crc32c(BANKS.as_bytes()), 0x187d_8242);
}

#[test]
fn every_variant_of_the_schema_has_golden_bytes() {
    for line in sabot_wire::SCHEMA_TEXT.lines() {
        let (_, shape) = line.split_once(" = ").expect("Name = shape");
        for variant in shape.split(" | ").filter(|_| shape.contains(" | ")) {
            let name: String = variant.chars().take_while(char::is_ascii_alphanumeric).collect();
            let quoted = format!("\"{name}\"");
            assert!(GOLDEN.contains(&quoted) || BANKS.contains(&quoted), "{name} of {line} is missing");
        }
    }
}
