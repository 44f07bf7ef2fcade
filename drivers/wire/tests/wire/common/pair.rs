//! A device and a host on a clean line, and somebody who knows the key and reads along.

use sabot_wire::device::{Device, Identity, Order};
use sabot_wire::frame::{Decoder, Got, MAX_FRAME};
use sabot_wire::host::{Expect, Host, Report, Resume};
use sabot_wire::message::{Image, Key, Nonce, Observation, Point, Role, ShoeSaw, Show, Started, ToDevice, ToHost};
use sabot_wire::ring::Ring;
use sabot_wire::seal::{Channel, Keys, Parties};
use sabot_wire::{Version, tap};
use serde::de::DeserializeOwned;

use super::VERSION;
use super::ends::key;

pub(crate) type Shoe = Device<Vec<u8>>;
pub(crate) const SERIAL: &str = "SH-1";

pub(crate) fn serial(text: &str) -> heapless::String<16> {
    text.try_into().expect("short enough")
}

pub(crate) fn identity(boots: u32, key: Option<Key>) -> Identity {
    let started = Started::Power;
    let (entropy, image) = ([boots as u8; 16], Image([0x1A; 32]));
    Identity { role: Role::Shoe, serial: serial(SERIAL), firmware: [0, 1, 0], image, boots, started, key, entropy }
}

pub(crate) fn shoe_with(memory: Vec<u8>, boots: u32, fresh_epoch: u32, key: Option<Key>) -> Shoe {
    let (ring, _) = Ring::restore(memory, fresh_epoch).expect("large enough");
    Device::speaking(VERSION, identity(boots, key), ring)
}

pub(crate) fn host_with(expect: Expect, key: Key, life: u8, resume: Option<Resume>) -> Host<Key> {
    let mut host = Host::new(expect, key, &[life; 32], resume);
    host.opened(0);
    host
}

pub(crate) fn any_shoe() -> Expect {
    Expect { role: Role::Shoe, serial: None }
}

/// Bytes that were sent, and what they say.
#[derive(Debug)]
pub(crate) struct Sent<M> {
    pub(crate) line: Vec<u8>,
    pub(crate) says: Vec<M>,
}

/// One way of the line, read along.
#[derive(Default)]
struct Tap {
    decoder: Decoder,
    channel: Option<Channel>,
}

impl Tap {
    fn read<M: DeserializeOwned>(&mut self, mut line: &[u8]) -> Vec<M> {
        let mut says = Vec::new();
        while let Some(got) = self.decoder.next(&mut line, self.channel.as_mut()) {
            match got {
                Got::Clear(message) | Got::Sealed(message) => says.push(message),
                Got::Witness(_) => {}
                Got::Pairing(_) => panic!("nobody pairs by a code here"),
                Got::Repeated | Got::Unopened => panic!("a frame that even the key does not open"),
                Got::Senseless { .. } => panic!("a frame of ours that is no message"),
            }
        }
        says
    }
}

pub(crate) struct Pair {
    pub(crate) host: Host<Key>,
    pub(crate) shoe: Shoe,
    up: Tap,
    down: Tap,
    /// The challenge that was answered last, and its answer; the share that the host said to it.
    answered: Option<(Nonce, Nonce)>,
    /// The answer of the session that is read along.
    listens: Option<Nonce>,
    share: Option<Point>,
}

impl Pair {
    pub(crate) fn new() -> Self {
        Self::of(host_with(any_shoe(), key(1), 0, None), shoe_with(vec![0; 1500], 1, 100, Some(key(1))))
    }

    pub(crate) fn of(host: Host<Key>, shoe: Shoe) -> Self {
        tap::listen();
        Self { host, shoe, up: Tap::default(), down: Tap::default(), answered: None, listens: None, share: None }
    }

    /// The shoe starts anew, with its ring or without.
    pub(crate) fn restart_shoe(&mut self, keep: bool, boots: u32, fresh_epoch: u32) {
        let empty = shoe_with(vec![0; 1500], boots, fresh_epoch, Some(key(1)));
        let memory = std::mem::replace(&mut self.shoe, empty).into_memory();
        if keep {
            self.shoe = shoe_with(memory, boots, fresh_epoch, Some(key(1)));
        }
    }

    /// What a frame of the shoe says.
    pub(crate) fn up(&mut self, frame: &[u8]) -> Vec<ToHost> {
        let said = self.up.read(frame);
        match &said[..] {
            [ToHost::Answer { to, nonce, .. }] if VERSION < Version::Four => {
                self.listen(to, nonce, |parties| Keys::of(&key(1), parties));
            }
            [ToHost::Answer { to, nonce, .. }] => self.answered = Some((*to, *nonce)),
            [ToHost::Exchange { share, .. }] => {
                let ((to, nonce), host) = (self.answered.expect("an answer"), self.share.expect("a share"));
                self.listen(&to, &nonce, |parties| tap::keys_of(&key(1), parties, [&host, share]).expect("its secret"));
            }
            _ => {}
        }
        said
    }

    pub(crate) fn shoe_sends(&mut self, now: u64) -> Sent<ToHost> {
        let (mut line, mut says) = (Vec::new(), Vec::new());
        let mut out = [0; MAX_FRAME];
        while let Some(frame) = self.shoe.transmit(now as u32, &mut out) {
            let frame = frame.to_vec();
            let said = self.up(&frame);
            line.extend(frame);
            says.extend(said);
        }
        Sent { line, says }
    }

    fn listen(&mut self, challenge: &Nonce, answer: &Nonce, keys: impl FnOnce(&Parties<'_>) -> Keys) {
        let keys = keys(&Parties { version: VERSION, role: Role::Shoe, serial: SERIAL, challenge, answer });
        let (host, device) = (keys.host_end(), keys.device_end());
        // the same session may be begun once more, where its beginning was lost
        if self.listens.replace(*answer) != Some(*answer) {
            (self.up.channel, self.down.channel) = (Some(host), Some(device));
        }
    }

    pub(crate) fn host_sends(&mut self, now: u64) -> Sent<ToDevice> {
        let mut line = Vec::new();
        let mut out = [0; MAX_FRAME];
        while let Some(frame) = self.host.transmit(now, &mut out) {
            line.extend_from_slice(frame);
        }
        let says: Vec<ToDevice> = self.down.read(&line);
        for said in &says {
            if let ToDevice::Exchange { share, .. } = said {
                self.share = Some(*share);
            }
        }
        Sent { line, says }
    }

    /// The shoe has got a challenge: what it sends when it is ready. Before that, in version 4, it answers.
    pub(crate) fn ready_after_challenge(&mut self, now: u64) -> Sent<ToHost> {
        if VERSION == Version::Four {
            let answer = self.shoe_sends(now).line;
            self.host_gets(now, &answer);
            let share = self.host_sends(now).line;
            self.shoe_gets(now, &share);
        }
        let sent = self.shoe_sends(now);
        let ready = matches!(
            sent.says[..],
            [ToHost::Answer { .. }, ToHost::Ready(_)] | [ToHost::Exchange { .. }, ToHost::Running { .. }]
        );
        assert!(ready, "{sent:?}");
        sent
    }

    pub(crate) fn host_gets(&mut self, now: u64, mut line: &[u8]) -> Vec<Report> {
        std::iter::from_fn(|| self.host.receive(now, &mut line)).collect()
    }

    pub(crate) fn shoe_gets(&mut self, now: u64, mut line: &[u8]) -> Vec<Order> {
        std::iter::from_fn(|| self.shoe.receive(now as u32, &mut line)).collect()
    }

    /// Both sides talk until neither has anything to say; what the host reports and what the shoe is to show.
    pub(crate) fn talk(&mut self, now: u64) -> (Vec<Report>, Vec<Show>) {
        let (mut reports, mut shows) = (Vec::new(), Vec::new());
        loop {
            let up = self.shoe_sends(now).line;
            reports.extend(self.host_gets(now, &up));
            let down = self.host_sends(now).line;
            for order in self.shoe_gets(now, &down) {
                match order {
                    Order::Show(show) => shows.push(show),
                    Order::Keep(_) => panic!("nobody gives out keys here"),
                }
            }
            if up.is_empty() && down.is_empty() {
                return (reports, shows);
            }
        }
    }
}

pub(crate) fn drawn(card: u8) -> Observation {
    Observation::Shoe(ShoeSaw::Drawn(sabot_wire::message::Card::from_code(card)))
}

/// The cards among what a host reports.
pub(crate) fn cards(reports: &[Report]) -> Vec<u8> {
    let card = |report: &Report| match report {
        Report::Saw { saw: Some(Observation::Shoe(ShoeSaw::Drawn(card))), .. } => Some(card.code()),
        _ => None,
    };
    reports.iter().filter_map(card).collect()
}
