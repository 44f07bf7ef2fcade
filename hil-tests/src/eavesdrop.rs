//! Reading along on a sealed line, by somebody who has the key.

use std::collections::HashMap;

use sabot_wire::Version;
use sabot_wire::frame::{Decoder, Got};
use sabot_wire::message::{Key, Nonce, Role, ToDevice, ToHost};
use sabot_wire::seal::{Channel, Parties};

/// Everything that a station has said to a device, in order; both ways of the line from its beginning.
pub(crate) fn said_to_device(key: &Key, role: Role, mut inward: &[u8], mut outward: &[u8]) -> Vec<ToDevice> {
    let mut answers: HashMap<[u8; 16], Nonce> = HashMap::new();
    let mut serial = String::new();
    let mut decoder = Decoder::new();
    while let Some(got) = decoder.next::<ToHost>(&mut inward, None) {
        match got {
            Got::Clear(ToHost::Hello(hello)) => hello.serial.as_str().clone_into(&mut serial),
            Got::Clear(ToHost::Answer { to, nonce, .. }) => drop(answers.insert(to.0, nonce)),
            _ => {}
        }
    }
    let (mut decoder, mut channel) = (Decoder::new(), None);
    let mut said = Vec::new();
    while let Some(got) = decoder.next(&mut outward, channel.as_mut()) {
        match got {
            Got::Clear(ToDevice::Challenge(challenge)) => {
                let parties =
                    |answer| Parties { version: Version::NEWEST, role, serial: &serial, challenge: &challenge, answer };
                channel = answers.get(&challenge.0).map(|answer| Channel::of_device(key, &parties(answer)).0);
            }
            Got::Clear(message) | Got::Sealed(message) => said.push(message),
            Got::Pairing(_) | Got::Senseless { .. } | Got::Repeated | Got::Unopened => {}
        }
    }
    said
}

/// The last event that a device has told so far, by its number; 0: none. Both ways of the line from its beginning.
pub(crate) fn last_event_told(key: &Key, role: Role, mut inward: &[u8], mut outward: &[u8]) -> u32 {
    let mut challenges: Vec<Nonce> = Vec::new();
    let mut asked = Decoder::new();
    while let Some(got) = asked.next::<ToDevice>(&mut outward, None) {
        if let Got::Clear(ToDevice::Challenge(challenge)) = got {
            challenges.push(challenge);
        }
    }
    let (mut decoder, mut channel) = (Decoder::new(), None);
    let (mut serial, mut last) = (String::new(), 0);
    while let Some(got) = decoder.next(&mut inward, channel.as_mut()) {
        match got {
            Got::Clear(ToHost::Hello(hello)) => hello.serial.as_str().clone_into(&mut serial),
            Got::Clear(ToHost::Answer { to, nonce, .. }) => {
                let challenge = challenges.iter().find(|challenge| challenge.0 == to.0);
                channel = challenge.map(|challenge| {
                    let parties =
                        Parties { version: Version::NEWEST, role, serial: &serial, challenge, answer: &nonce };
                    Channel::of_host(key, &parties).0
                });
            }
            Got::Sealed(ToHost::Event { seq, .. }) => last = seq,
            _ => {}
        }
    }
    last
}
