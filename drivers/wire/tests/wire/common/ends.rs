//! The two ends of a sealed session.

use super::VERSION;
use sabot_wire::message::{Key, Nonce, Role};
use sabot_wire::seal::{Channel, Parties};

/// A key for tests.
pub(crate) fn key(byte: u8) -> Key {
    Key::new([byte; 16])
}

/// The device's end with one key and the host's with another.
pub(crate) fn ends(device: &Key, host: &Key) -> (Channel, Channel) {
    let (challenge, answer) = (Nonce([0xC4; 16]), Nonce([0xA5; 16]));
    let parties =
        Parties { version: VERSION, role: Role::Shoe, serial: "SH-0001", challenge: &challenge, answer: &answer };
    (Channel::of_device(device, &parties).0, Channel::of_host(host, &parties).0)
}
