//! How a session begins: a challenge, its answer, and from version 4 on the shares that its keys are drawn from.

use heapless::String;

use super::{Host, Keyring, Refusal, Report, State};
use crate::message::{Key, Nonce, Point, SERIAL_BYTES, ToDevice};
use crate::pairing::is_proof;
use crate::seal::{Channel, Keys, Once, Parties};
use crate::{EXCHANGE_MS, HANDSHAKE_MS, Version};

/// How far a device has come on its way into a session: why it is not there, where it goes no further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// Nothing came of it.
    Nothing,
    /// It has said hello.
    Hello,
    /// It has said hello, and was offered a key by its code.
    Offered,
    /// It has proved that it holds its key.
    Answered,
    /// It has said its share: what is sealed can be opened.
    Exchanged,
}

/// A device that was challenged.
#[derive(Debug)]
pub(super) struct Handshake {
    pub(super) version: Version,
    pub(super) serial: String<SERIAL_BYTES>,
    pub(super) key: Key,
    pub(super) challenge: Nonce,
    /// When it was begun, or the device did something new for it.
    pub(super) begun_at: u64,
    /// When it was last challenged, once it was.
    pub(super) sent_at: Option<u64>,
    pub(super) pair_due: bool,
    /// It has answered with the key that was kept beside its own.
    pub(super) by_next: bool,
    /// What the host says once the device has proved that it knows the code.
    pub(super) confirm: Option<[u8; 16]>,
    /// The device has answered: what its host has to say before there is a session. None in versions 2 and 3.
    pub(super) turn: Option<Turn>,
    pub(super) exchange_due: bool,
    /// The device's nonce, once there is a session.
    pub(super) answer: Option<Nonce>,
    /// Frames that may come without opening: each challenge may have been answered, and the answer lost.
    pub(super) excused: u8,
}

impl Handshake {
    /// When it is begun anew. What the device has done of it is not given up so soon: over a bad line much must come
    /// through for it.
    pub(super) const fn over_at(&self) -> u64 {
        self.begun_at + if self.turn.is_some() { EXCHANGE_MS } else { HANDSHAKE_MS }
    }

    /// Whether one more frame that does not open is to be expected.
    pub(super) const fn excuses(&mut self) -> bool {
        let excuses = self.excused > 0;
        self.excused = self.excused.saturating_sub(1);
        excuses
    }
}

/// What a host has to say to a device that has answered, and what it knows.
#[derive(Debug)]
pub(super) struct Turn {
    answer: Nonce,
    greeting: Keys,
    once: Once,
    share: Point,
}

impl Turn {
    fn new(answer: Nonce, greeting: Keys, once: Once) -> Self {
        let share = once.share();
        #[cfg(feature = "tap")]
        crate::tap::note(&share, once.bytes());
        Self { answer, greeting, once, share }
    }

    /// The host's share, and that it holds the key.
    pub(super) fn says(&self) -> ToDevice {
        ToDevice::Exchange { to: self.answer, share: self.share, proof: self.greeting.turn(&self.share) }
    }

    /// The session's keys, where this is the device's share to it.
    fn keys_with(&self, to: Nonce, share: &Point, proof: &[u8; 16]) -> Option<Keys> {
        if self.answer != to {
            return None;
        }
        let keys = self.greeting.exchanged([&self.share, share], &self.once.with(share))?;
        if !is_proof(proof, &keys.proof()) {
            return None;
        }
        Some(keys)
    }
}

impl<K: Keyring> Host<K> {
    /// Whether a clear frame has come whole, be it a message or not.
    #[must_use]
    pub const fn is_spoken_to(&self) -> bool {
        self.decoder.spoke()
    }

    /// Whether the device has proved that it holds the key, and has yet to say that it is ready.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.handshake.as_ref().is_some_and(|handshake| handshake.turn.is_some())
    }

    pub(super) fn answered(&mut self, now_ms: u64, to: Nonce, nonce: Nonce, proof: [u8; 16]) -> Option<Report> {
        let is_news = |begun: &&mut Handshake| begun.version == Version::Four || begun.answer != Some(nonce);
        let expected = self.handshake.as_mut().filter(|begun| begun.challenge == to).filter(is_news);
        let Some(handshake) = expected else {
            self.counters.ignored += 1;
            return None;
        };
        let (Handshake { serial, key, .. }, version) = (&*handshake, handshake.version);
        let parties = Parties { version, role: self.expect.role, serial, challenge: &to, answer: &nonce };
        let next = self.keys.next(serial).map(|next| Keys::of(&next, &parties));
        let next = next.filter(|keys| is_proof(&proof, &keys.proof()));
        let by_next = next.is_some();
        let keys = next.unwrap_or_else(|| Keys::of(key, &parties));
        if !is_proof(&proof, &keys.proof()) {
            let serial = serial.clone();
            if matches!(&self.pair, Some(pair) if pair.is_by_code()) {
                self.counters.ignored += 1; // it has not heard yet that it is to take the key
                return None;
            }
            if matches!(self.state, State::Online { .. }) {
                self.handshake = None;
                self.counters.ignored += 1; // nor does a false answer end a session
                return None;
            }
            return self.refuse(Refusal::Key { serial });
        }
        handshake.by_next = by_next;
        self.reached = self.reached.max(Reached::Answered);
        if version == Version::Four {
            handshake.exchange_due = true;
            if handshake.turn.as_ref().is_none_or(|turn| turn.answer != nonce) {
                handshake.turn = Some(Turn::new(nonce, keys, self.nonces.once()));
                handshake.begun_at = now_ms;
            }
            return None;
        }
        handshake.answer = Some(nonce);
        (self.version, self.challenged_at) = (version, handshake.begun_at);
        self.begins(keys.host_end());
        None
    }

    /// A device says its share: where it proves that it holds the key, the session's own keys are these.
    pub(super) fn exchanged(&mut self, now_ms: u64, to: Nonce, share: &Point, proof: &[u8; 16]) {
        let expected = self.handshake.as_mut().filter(|begun| begun.answer != Some(to));
        let turned =
            expected.and_then(|handshake| Some((handshake.turn.as_ref()?.keys_with(to, share, proof)?, handshake)));
        let Some((keys, handshake)) = turned else {
            self.counters.ignored += 1;
            return;
        };
        (handshake.answer, handshake.exchange_due) = (Some(to), false);
        self.reached = self.reached.max(Reached::Exchanged);
        (self.version, self.challenged_at) = (handshake.version, handshake.begun_at);
        handshake.begun_at = now_ms;
        self.begins(keys.host_end());
    }

    /// How far the device has come since it was last asked from the beginning.
    #[must_use]
    pub const fn reached(&self) -> Reached {
        self.reached
    }

    /// The device is refused. Each kind of refusal is told once: strangers may say hello as often as they like.
    pub(super) fn refuse(&mut self, refusal: Refusal) -> Option<Report> {
        let news = self.told & refusal.kind() == 0;
        self.told |= refusal.kind();
        self.state = State::Refused(refusal.clone());
        (self.handshake, self.channel, self.backlog) = (None, None, None);
        self.hello_due = true;
        news.then_some(Report::Refused(refusal))
    }

    /// A sealed frame has opened in the session that was begun, whatever it says: where the key that was kept beside
    /// the device's own made that session, it has taken it.
    pub(super) fn has_taken(&mut self) {
        if let Some(begun) = self.handshake.as_mut().filter(|begun| begun.answer.is_some() && begun.by_next) {
            begun.by_next = false;
            self.keys.took_next(&begun.serial);
        }
    }

    /// A sealed frame that is no message: the device's program is wrong. Where it should have said that it is ready, it
    /// never will.
    pub(super) fn senseless(&mut self, now_ms: u64, event: Option<(u32, u32)>) -> Option<Report> {
        (self.heard_at, self.asked_at) = (now_ms, None);
        self.count_opened();
        self.counters.senseless += 1;
        if let Some((seq, at_ms)) = event {
            return if self.is_ready() { self.event(now_ms, seq, at_ms, None) } else { None };
        }
        let begun = self.handshake.as_ref().filter(|begun| begun.answer.is_some() && self.unready)?;
        let serial = begun.serial.clone();
        self.refuse(Refusal::Senseless { serial })
    }

    /// What is sealed is sealed by this from here on; the device has yet to say that it is ready.
    fn begins(&mut self, channel: Channel) {
        (self.channel, self.unready, self.opened) = (Some(channel), true, 0);
    }
}
