//! Frames of the link as a fuzzer makes them: sound on the outside, anything inside.

use sabot_wire::Version;
use sabot_wire::device::{Device, Identity};
use sabot_wire::frame::{MAX_FRAME, crc32c, encode_sealed};
use sabot_wire::host::{Expect, Host, Resume};
use sabot_wire::message::{Image, Key, Nonce, Role, Started};
use sabot_wire::ring::{MIN_RING, Ring};
use sabot_wire::seal::{Channel, Parties};
use serde::Serialize;

/// Serial number of the device under test.
pub const SERIAL: &str = "SH-1";

/// The key both ends hold.
#[must_use]
pub fn key() -> Key {
    Key::new(*b"the link's key!!")
}

/// A frame with that body and a checksum that fits.
#[must_use]
pub fn framed(body: &[u8]) -> Vec<u8> {
    let mut inside = body.to_vec();
    inside.extend(crc32c(body).to_le_bytes());
    let mut out = vec![0];
    out.extend(cobs::encode_vec(&inside));
    out.push(0);
    out
}

/// A message sealed for the other end.
#[must_use]
pub fn sealed<M: Serialize>(message: &M, channel: &mut Channel) -> Vec<u8> {
    let mut out = [0; MAX_FRAME];
    encode_sealed(message, channel, &mut out).expect("every message fits").to_vec()
}

/// Both ends of the session that a challenge and its answer begin: the device's and the host's, and the proof.
#[must_use]
pub fn ends(challenge: &Nonce, answer: &Nonce) -> (Channel, Channel, [u8; 16]) {
    let parties = Parties { version: Version::NEWEST, role: Role::Shoe, serial: SERIAL, challenge, answer };
    let (device, proof) = Channel::of_device(&key(), &parties);
    (device, Channel::of_host(&key(), &parties).0, proof)
}

/// The host's session, its port open.
#[must_use]
pub fn host(life: u8, resume: Option<Resume>) -> Host<Key> {
    let mut host = Host::new(Expect { role: Role::Shoe, serial: None }, key(), &[life; 32], resume);
    host.opened(0);
    host
}

/// Memory for a device's ring.
#[must_use]
pub fn memory() -> Vec<u8> {
    vec![0; MIN_RING + 800]
}

/// A device that has just started on that memory.
#[must_use]
pub fn device(memory: Vec<u8>, boots: u32, paired: bool) -> Device<Vec<u8>> {
    let (ring, _) = Ring::restore(memory, 1000 + boots).expect("there is room");
    let serial = sabot_wire::heapless::String::try_from(SERIAL).expect("short enough");
    let (key, started, entropy) = (paired.then(key), Started::Power, [boots as u8; 16]);
    let (role, firmware, image) = (Role::Shoe, [0, 1, 0], Image([0; 32]));
    Device::new(Identity { role, serial, firmware, image, boots, started, key, entropy }, ring)
}
