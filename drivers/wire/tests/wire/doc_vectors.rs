//! `docs/wire-protocol.md` says what the code does: its vectors, its schema, its numbers.
use ascon_aead::AsconAead128;
use ascon_aead::aead::array::Array;
use ascon_aead::aead::{AeadInOut, KeyInit};
use ascon_xof128::{AsconXof128, ExtendableOutput, Update, XofReader};
use sabot_wire::frame::{Decoder, Got, MAX_BODY, MAX_DRAWN_FRAME, MAX_FRAME, crc32c, encode};
use sabot_wire::message::ToDevice;
use sabot_wire::seal::{LENGTHS, SEAL_BYTES};
use serde::Serialize;
use serde::ser::SerializeTuple;

use crate::common::vectors::{byte, check};

const DOC: &str = include_str!("../../../../docs/wire-protocol.md");

/// The inside of the fenced block of this name.
fn block(name: &str) -> &'static str {
    let (_, rest) = DOC.split_once(&format!("```{name}\n")).expect("the block begins");
    rest.split_once("```").expect("the block ends").0
}

#[test]
fn the_vectors_of_the_document_are_what_the_code_sends_and_reads() {
    let rows: Vec<_> = block("vectors").lines().collect();
    assert_eq!(rows.len(), 26);
    for row in rows {
        let (head, hex) = row.rsplit_once(" = ").expect("message = frame");
        let (direction, message) = head.split_once(' ').expect("direction message");
        check(direction, message, hex);
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    if hex == "-" { Vec::new() } else { hex.as_bytes().chunks(2).map(byte).collect() }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Ciphertext and tag.
fn encrypted(key: &str, nonce: &[u8], plain: &str) -> String {
    let cipher = AsconAead128::new_from_slice(&bytes(key)).expect("16 bytes");
    let (nonce, mut text) = (Array::try_from(nonce).expect("16 bytes"), bytes(plain));
    let tag = cipher.encrypt_inout_detached(&nonce, &[], text[..].as_mut().into()).expect("it fits");
    hex(&text) + &hex(&tag)
}

/// A body that is written as it is.
#[derive(Serialize)]
struct Body(#[serde(serialize_with = "each")] Vec<u8>);

fn each<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let mut tuple = serializer.serialize_tuple(bytes.len())?;
    bytes.iter().try_for_each(|byte| tuple.serialize_element(byte))?;
    tuple.end()
}

#[test]
fn the_primitives_of_the_document_are_those_of_the_link() {
    for row in block("primitives").lines() {
        let (left, right) = row.split_once(" = ").expect("what = bytes");
        let found = match left.split(' ').collect::<Vec<_>>()[..] {
            ["crc32c", data] => format!("{:08x}", crc32c(&bytes(data))),
            ["xof", data] => {
                let mut xof = AsconXof128::default();
                xof.update(&bytes(data));
                let mut out = [0; 48];
                xof.finalize_xof().read(&mut out);
                hex(&out)
            }
            ["aead", key, nonce, plain] => encrypted(key, &bytes(nonce), plain),
            ["filled", key, mark, counter, plain] => {
                let counter: u64 = counter.parse().expect("a number");
                let mut nonce = [0; 16];
                nonce[..8].copy_from_slice(&counter.to_le_bytes());
                let length = LENGTHS.into_iter().find(|length| 2 * length >= plain.len()).expect("one is long enough");
                let filled = format!("{plain:0<width$}", width = 2 * length);
                format!("{mark}{}{}", hex(&counter.to_le_bytes()[..2]), encrypted(key, &nonce, &filled))
            }
            ["secrets", key, challenge, answer, role, serial] => {
                let mut xof = AsconXof128::default();
                xof.update(b"sabot-link-3");
                [key, challenge, answer, role].iter().for_each(|part| xof.update(&bytes(part)));
                xof.update(&[serial.len() as u8 / 2]);
                xof.update(&bytes(serial));
                let mut out = [0; 48];
                xof.finalize_xof().read(&mut out);
                hex(&out)
            }
            ["frame", body] => hex(encode(&Body(bytes(body)), &mut [0; MAX_FRAME]).expect("it fits")),
            ["refused", frame] => {
                let (mut decoder, frame) = (Decoder::new(), bytes(frame));
                let got = decoder.next::<ToDevice>(&mut &frame[..], None);
                assert!(got.is_none() && decoder.bad() == 1, "{row}: {got:?}");
                continue;
            }
            _ => panic!("{row}"),
        };
        assert_eq!(found, right, "{left}");
    }
}

#[test]
fn a_last_01_after_a_full_block_is_taken() {
    let body = [&[0x53], &[1; 249][..]].concat();
    let mut frame = encode(&Body(body), &mut [0; MAX_FRAME]).expect("it fits").to_vec();
    let got = |frame: &[u8]| Decoder::new().next::<ToDevice>(&mut &frame[..], None);
    assert_eq!((frame.len(), got(&frame)), (257, Some(Got::Unopened)), "one full block");
    frame.insert(256, 1);
    assert_eq!(got(&frame), Some(Got::Unopened));
}

#[test]
fn the_session_of_the_document_is_the_golden_one() {
    assert_eq!(block("session"), include_str!("../golden_v3_session.txt"));
}

#[test]
fn the_schema_of_the_document_is_the_schema() {
    assert_eq!(block("schema"), sabot_wire::SCHEMA_3_TEXT);
    assert!(DOC.contains(&format!("`{:08x}`", sabot_wire::SCHEMA_3)));
}

#[test]
fn the_tags_of_the_document_are_those_of_the_schema() {
    for (kind, part) in [
        ("Shoe", "ShoeSaw"),
        ("Shuffler", "ShufflerSaw"),
        ("Chips", "ChipsSaw"),
        ("Keypad", "KeypadSaid"),
        ("Device", "DeviceState"),
    ] {
        let row = DOC.lines().find(|line| line.starts_with(&format!("| `{kind}` | "))).expect("a row of tags");
        let listed = row.rsplit_once(" | `").expect("variants").1;
        let shape = sabot_wire::SCHEMA_3_TEXT
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{part} = ")))
            .expect("a type of the schema");
        let names = shape.split(" | ").map(|variant| variant.split([' ', '(']).next().expect("a name"));
        let expected: Vec<_> = names.enumerate().map(|(tag, name)| format!("{name}` {tag}")).collect();
        assert_eq!(listed.trim_end_matches(" |"), expected.join(", `"), "{kind}");
    }
}

#[test]
fn the_numbers_of_the_document_are_the_constants() {
    use sabot_wire as wire;
    let flat = DOC.split_whitespace().collect::<Vec<_>>().join(" ");
    let says = |text: String| assert!(flat.contains(&text), "the document does not say: {text}");
    says(format!("The longest body is {MAX_BODY} bytes"));
    says(format!("the longest frame with its zeros {MAX_FRAME}"));
    says(format!("More than {} bytes collected", MAX_FRAME - 2));
    says(format!("at most {MAX_DRAWN_FRAME} bytes on the wire"));
    says(format!("and every {} ms until `open`", wire::DEVICE_HELLO_MS));
    says(format!("at most {} that are not acknowledged", wire::WINDOW));
    says(format!("for {} ms after the last event", wire::RESEND_MS));
    says(format!("up to {} ms; an acknowledgement or a hello", wire::RESEND_MAX_MS));
    says(format!("and again every {} ms until a device answers", wire::HOST_HELLO_MS));
    says(format!("at most every {} ms", wire::GAP_HELLO_MS));
    says(format!("After {} ms of silence** ping; after {} ms", wire::PING_MS, wire::SILENCE_MS));
    says(format!("all of it every {} ms", wire::REFRESH_MS));
    says(format!("sealed {}, the longest frame", MAX_BODY + SEAL_BYTES));
    says(format!("and every {} ms whatever comes, every {} ms while", wire::WATCH_MS, wire::PING_MS));
    says(format!("where no event has come for {} ms since", wire::WITHHELD_MS).replace("where", "Where"));
    says(format!("none of {} pings in a row was answered", wire::UNANSWERED));
    says(format!("more than {} ms before it came", wire::LATE_MS));
    let lengths = LENGTHS.map(|length| length.to_string()).join(", ");
    let (most, last) = lengths.rsplit_once(", ").expect("several lengths");
    says(format!("the next of the lengths {most} and {last} bytes"));
    says(format!("and every {} ms for its clock", wire::CLOCK_MS));
    says(format!("challenge every {} ms; after {} ms begin anew", wire::CHALLENGE_MS, wire::HANDSHAKE_MS));
}
