//! A message as JSON and its frame as hexadecimal digits, held against the code in both directions.
//!
//! The JSON names every variant and writes a card as its code: what a format for machines gets. `serde_json` is a
//! format for people, so the text goes through a value of CBOR.

use sabot_wire::frame::{Decoder, Got, MAX_FRAME, encode};
use sabot_wire::message::{ToDevice, ToHost};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

fn message<M: DeserializeOwned>(json: &str) -> M {
    let value: ciborium::Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"));
    value.deserialized().unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// The frame of a message given as JSON. `direction`: H to the host, D to the device.
pub(crate) fn frame_of(direction: &str, json: &str) -> String {
    fn framed<M: Serialize + DeserializeOwned>(json: &str) -> String {
        let message: M = message(json);
        let mut out = [0; MAX_FRAME];
        encode(&message, &mut out).expect("it fits").iter().map(|byte| format!("{byte:02x}")).collect()
    }
    match direction {
        "H" => framed::<ToHost>(json),
        "D" => framed::<ToDevice>(json),
        other => panic!("{other} is neither H nor D"),
    }
}

/// Panics unless the message encodes to the frame and the frame decodes to the message.
pub(crate) fn check(direction: &str, json: &str, hex: &str) {
    fn decodes<M: DeserializeOwned + PartialEq + Debug>(json: &str, frame: &[u8]) {
        let message: M = message(json);
        let mut decoder = Decoder::new();
        let mut input = frame;
        assert_eq!(decoder.next::<M>(&mut input, None), Some(Got::Clear(message)), "{json}");
        assert_eq!((decoder.next::<M>(&mut input, None), decoder.bad()), (None, 0), "{json}");
    }
    let hex: String = hex.split_whitespace().collect();
    assert_eq!(frame_of(direction, json), hex, "the frame of {json}");
    let frame: Vec<u8> = hex.as_bytes().chunks(2).map(byte).collect();
    match direction {
        "H" => decodes::<ToHost>(json, &frame),
        _ => decodes::<ToDevice>(json, &frame),
    }
}

pub(crate) fn byte(pair: &[u8]) -> u8 {
    let text = std::str::from_utf8(pair).expect("ASCII");
    u8::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{text} is no byte in hexadecimal digits"))
}
