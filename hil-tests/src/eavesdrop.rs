//! Reading along on a sealed line of a station in this process, by somebody who has the device's key.

use sabot_wire::frame::{Decoder, Got};
use sabot_wire::message::{Key, Nonce, Point, Role, ToDevice, ToHost};
use sabot_wire::seal::{Keys, Parties};
use sabot_wire::{Version, tap};
use serde::de::DeserializeOwned;

/// What was said in the clear to begin a session.
#[derive(Default)]
struct Beginnings {
    serial: String,
    answers: Vec<(Nonce, Nonce)>,
    of_host: Vec<(Nonce, Point)>,
    of_device: Vec<(Nonce, Point)>,
}

impl Beginnings {
    fn on(mut inward: &[u8], mut outward: &[u8]) -> Self {
        let mut found = Self::default();
        let (mut up, mut down) = (Decoder::new(), Decoder::new());
        while let Some(got) = up.next::<ToHost>(&mut inward, None) {
            match got {
                Got::Clear(ToHost::Hello(hello)) => hello.serial.as_str().clone_into(&mut found.serial),
                Got::Clear(ToHost::Answer { to, nonce, .. }) => found.answers.push((to, nonce)),
                Got::Clear(ToHost::Exchange { to, share, .. }) => found.of_device.push((to, share)),
                _ => {}
            }
        }
        while let Some(got) = down.next::<ToDevice>(&mut outward, None) {
            if let Got::Clear(ToDevice::Exchange { to, share, .. }) = got {
                found.of_host.push((to, share));
            }
        }
        found
    }

    /// The keys of the session with this answer of the device.
    fn keys(&self, key: &Key, role: Role, answer: &Nonce) -> Option<Keys> {
        let share = |of: &[(Nonce, Point)]| of.iter().find(|(to, _)| to == answer).map(|(_, share)| *share);
        let (challenge, _) = self.answers.iter().find(|(_, nonce)| nonce == answer)?;
        let parties = Parties { version: Version::NEWEST, role, serial: &self.serial, challenge, answer };
        tap::keys_of(key, &parties, [&share(&self.of_host)?, &share(&self.of_device)?])
    }

    /// What was said one way, in order, with what each session's beginning names on that way.
    fn said<M: DeserializeOwned>(
        &self,
        mut line: &[u8],
        mut begins: impl FnMut(&M) -> Option<Keys>,
        to_host: bool,
    ) -> Vec<M> {
        let (mut decoder, mut channel, mut said) = (Decoder::new(), None, Vec::new());
        while let Some(got) = decoder.next::<M>(&mut line, channel.as_mut()) {
            if let Got::Clear(message) | Got::Sealed(message) = got {
                if let Some(keys) = begins(&message) {
                    channel = Some(if to_host { keys.host_end() } else { keys.device_end() });
                }
                said.push(message);
            }
        }
        said
    }
}

/// Everything that a station has said to a device, in order; both ways of the line from its beginning.
pub(crate) fn said_to_device(key: &Key, role: Role, inward: &[u8], outward: &[u8]) -> Vec<ToDevice> {
    let found = Beginnings::on(inward, outward);
    let mut last = None;
    let begins = |said: &ToDevice| match said {
        // it may be said twice
        ToDevice::Exchange { to, .. } if last.replace(*to) != Some(*to) => found.keys(key, role, to),
        _ => None,
    };
    found.said(outward, begins, false)
}

/// The last event that a device has told so far, by its number; 0: none. Both ways of the line from its beginning.
pub(crate) fn last_event_told(key: &Key, role: Role, inward: &[u8], outward: &[u8]) -> u32 {
    let found = Beginnings::on(inward, outward);
    let mut last = None;
    let begins = |said: &ToHost| match said {
        ToHost::Exchange { to, .. } if last.replace(*to) != Some(*to) => found.keys(key, role, to),
        _ => None,
    };
    let events = found.said(inward, begins, true);
    events.into_iter().fold(0, |last, said| if let ToHost::Event { seq, .. } = said { seq } else { last })
}
