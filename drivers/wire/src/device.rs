//! The device's side of a session: bytes and milliseconds in, frames out. No port, no clock, no allocation.

use crate::frame::{
    Decoder, Got, MAX_CHECKED, MAX_FRAME, encode, encode_pairing, encode_sealed, encode_stored, encode_witness,
};
use crate::message::{
    DeviceHello, DeviceState, Image, Key, Nonce, Observation, Point, Ready, Role, SERIAL_BYTES, Show, Started,
    ToDevice, ToHost,
};
use crate::pairing::{Code, DevicePairing, is_proof};
use crate::ring::{HEADROOM, Memory, Ring, RingIsFull};
use crate::seal::{Channel, Keys, Nonces, Parties, mark_of};
use crate::witness::Checkpoint;
use crate::{DEVICE_HELLO_MS, RESEND_MAX_MS, RESEND_MS, Version, WINDOW};

/// Who a device is: fixed while it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Role.
    pub role: Role,
    /// Serial number, as printed on the housing.
    pub serial: heapless::String<SERIAL_BYTES>,
    /// Firmware version, major minor patch.
    pub firmware: [u8; 3],
    /// Hash of the program that it runs.
    pub image: Image,
    /// Times the device has started, this one included. Where its ring counts more, it has started so often.
    pub boots: u32,
    /// Why it has started.
    pub started: Started,
    /// The key it was given, if ever one was.
    pub key: Option<Key>,
    /// Something that differs at each start, even where the count of starts was lost: noise of a sensor, a random
    /// number. It need not be secret where nobody may take the key and read what was recorded before. It is used once,
    /// and wiped.
    pub entropy: [u8; 16],
}

/// What the host wants of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Show this.
    Show(Show),
    /// Keep this key where a power cut does not reach it. The session uses it already.
    Keep(Key),
}

/// A sealed session, and what is due in it.
#[derive(Debug)]
struct Session {
    challenge: Nonce,
    answer: Nonce,
    proof: [u8; 16],
    /// The host's share, the device's, and the proof that goes with it; none in versions 2 and 3.
    exchange: Option<(Point, Point, [u8; 16])>,
    channel: Channel,
    answer_due: bool,
    exchange_due: bool,
    ready_due: bool,
    kept_due: bool,
    ping: Option<u32>,
}

/// A challenge that was answered: anybody may have sent it. Nothing is computed for it, and the session that lives goes
/// on, before a host has proved with its share that it holds the key.
#[derive(Debug)]
struct Asked {
    challenge: Nonce,
    answer: Nonce,
    greeting: Keys,
    answer_due: bool,
    share: Option<Point>,
}

/// A device's session, over a ring of events in memory `M`.
///
/// The caller hands what it receives to [`Device::receive`], sends what [`Device::transmit`] gives, and enters what its
/// sensors see with [`Device::observe`] while [`Device::ready`] says so. `now_ms` is the device's clock in milliseconds
/// since its start; it may wrap.
#[derive(Debug)]
pub struct Device<M> {
    version: Version,
    identity: Identity,
    ring: Ring<M>,
    decoder: Decoder,
    nonces: Nonces,
    session: Option<Session>,
    /// The session that follows, once something of it was opened: anybody may have sent its challenge.
    next: Option<Session>,
    /// In version 4, before there is a session that follows.
    asked: Option<Asked>,
    /// Nothing has come over the session since it was to be followed by another: its host may be gone.
    waits: bool,
    /// The host has acknowledged this ring in this session: events may go out.
    open: bool,
    full: bool,
    /// First event of this start.
    fresh: u32,
    /// A new key may be given though there is one.
    pairing: bool,
    by_code: DevicePairing,
    unpaired_due: bool,
    damaged: bool,
    unopened: u64,
    hello_due: bool,
    hello_at_ms: u32,
    /// Next event to send.
    cursor: u32,
    /// When an event was last sent or acknowledged.
    moved_at_ms: u32,
    patience_ms: u32,
}

impl<M: Memory> Device<M> {
    /// A device that has just started.
    #[must_use]
    pub fn new(identity: Identity, ring: Ring<M>) -> Self {
        Self::speaking(Version::NEWEST, identity, ring)
    }

    /// A device that has just started and speaks this version.
    #[must_use]
    pub fn speaking(version: Version, mut identity: Identity, mut ring: Ring<M>) -> Self {
        identity.boots = ring.starts(identity.boots);
        let full = ring.free() < HEADROOM;
        let (cursor, fresh) = (ring.oldest(), ring.next());
        let key = identity.key.as_ref().map(Key::bytes).map_or(&[][..], |key| key);
        let nonces = Nonces::new(&[key, &identity.entropy, &identity.boots.to_le_bytes()]);
        zeroize::Zeroize::zeroize(&mut identity.entropy);
        Self {
            version,
            identity,
            ring,
            decoder: Decoder::new(),
            nonces,
            session: None,
            next: None,
            asked: None,
            waits: false,
            open: false,
            full,
            fresh,
            pairing: false,
            by_code: DevicePairing::default(),
            unpaired_due: false,
            damaged: false,
            unopened: 0,
            hello_due: true,
            hello_at_ms: 0,
            cursor,
            moved_at_ms: 0,
            patience_ms: RESEND_MS,
        }
    }

    /// The same device, with the code that stands on its housing, where one does: it takes no key in the clear then.
    #[must_use]
    pub fn with_code(mut self, code: Option<Code>) -> Self {
        self.by_code = DevicePairing::by(code);
        self
    }

    /// Whether the next observation, of whatever kind, has a place. While it has none, sensors must not be read and
    /// people must be told to wait.
    #[must_use]
    pub const fn ready(&self) -> bool {
        !self.full
    }

    /// The events not yet acknowledged.
    #[must_use]
    pub const fn ring(&self) -> &Ring<M> {
        &self.ring
    }

    /// Whether a host that holds the key has acknowledged this device.
    #[must_use]
    pub const fn in_session(&self) -> bool {
        self.open
    }

    /// Whether the device was given a key.
    #[must_use]
    pub const fn paired(&self) -> bool {
        self.identity.key.is_some()
    }

    /// While `allowed`, a host may give the device another key than it has: a switch that only a technician reaches.
    pub const fn allow_pairing(&mut self, allowed: bool) {
        self.pairing = allowed;
    }

    /// Whether the ring's memory was found damaged: the board must start anew, which gives the ring up.
    #[must_use]
    pub const fn damaged(&self) -> bool {
        self.damaged
    }

    /// Frames received that came undamaged and did not open: replayed, invented, or of a host with another key.
    #[must_use]
    pub const fn unopened_frames(&self) -> u64 {
        self.unopened
    }

    /// Frames received that were damaged or made no sense.
    #[must_use]
    pub const fn bad_frames(&self) -> u64 {
        self.decoder.bad()
    }

    /// Gives the ring's memory back, as a reset leaves it.
    #[must_use]
    pub fn into_memory(self) -> M {
        self.ring.into_memory()
    }

    /// Keeps an observation until the host has acknowledged it, and gives its sequence number. The observation that
    /// leaves no room for another is followed by [`DeviceState::RingFull`].
    ///
    /// # Errors
    /// When the ring is full: never while [`Device::ready`] says true. The observation is still the caller's.
    pub fn observe(&mut self, now_ms: u32, saw: &Observation) -> Result<u32, RingIsFull> {
        if self.full {
            return Err(RingIsFull);
        }
        let seq = self.ring.push(now_ms, saw)?;
        if self.ring.free() < HEADROOM {
            self.ring.push(now_ms, &Observation::Device(DeviceState::RingFull))?;
            self.full = true;
        }
        Ok(seq)
    }

    /// Takes received bytes: answers them by what [`Device::transmit`] sends next, and gives what the board must do.
    /// Call it until it gives `None`; `input` is used up then.
    pub fn receive(&mut self, now_ms: u32, input: &mut &[u8]) -> Option<Order> {
        loop {
            let channels = [&mut self.session, &mut self.next].map(|of| of.as_mut().map(|of| &mut of.channel));
            let order = match self.decoder.next_of(input, channels, |_| false)? {
                Got::Clear(message) => self.clear_message(message),
                Got::Pairing(said) => {
                    let key = self.takes_keys().then(|| self.by_code.said(&said)).flatten();
                    key.map(|key| self.paired_by(key))
                }
                Got::Sealed(message) => {
                    self.follow();
                    self.sealed_message(now_ms, message)
                }
                Got::Witness(shown) => {
                    self.follow();
                    self.witnesses(shown.last.as_ref());
                    None
                }
                Got::Repeated | Got::Senseless { .. } => None,
                Got::Unopened => {
                    self.unopened = self.unopened.saturating_add(1);
                    None
                }
            };
            if order.is_some() {
                return order;
            }
        }
    }

    /// A message in clear: anybody may have sent it.
    fn clear_message(&mut self, message: ToDevice) -> Option<Order> {
        match message {
            ToDevice::Hello { .. } => self.hello_due = true,
            ToDevice::Challenge(challenge) => self.challenged(challenge),
            ToDevice::Pair(key) if self.takes_keys() && !self.by_code.has_code() => return Some(self.takes(key)),
            ToDevice::Exchange { to, share, proof } => self.exchanges(to, share, proof),
            _ => {}
        }
        None
    }

    /// Whether a host may give it a key: it has none, or somebody holds its switch.
    const fn takes_keys(&self) -> bool {
        self.pairing || self.identity.key.is_none()
    }

    fn takes(&mut self, key: Key) -> Order {
        self.nonces = Nonces::new(&[key.bytes(), &self.nonces.next().0, &self.nonces.next().0]);
        self.identity.key = Some(key.clone());
        (self.session, self.next, self.asked) = (None, None, None);
        self.open = false;
        Order::Keep(key)
    }

    /// Both ends have proved that they know the code. What the device saw for the host of its last key is not told to
    /// another.
    fn paired_by(&mut self, key: Key) -> Order {
        let order = self.takes(key);
        let [a, b, c, d, ..] = self.nonces.next().0;
        self.ring.begin_anew(u32::from_le_bytes([a, b, c, d]));
        (self.fresh, self.full, self.hello_due) = (self.ring.next(), false, true);
        self.rewind();
        order
    }

    /// Something was opened. Where it is of the session that follows, its host holds the key: it lives from here on.
    fn follow(&mut self) {
        self.waits = false;
        if let Some(next) = self.next.take_if(|next| next.channel.opened() > 0) {
            self.session = Some(next);
            self.begin();
        }
    }

    /// A session begins: nothing is sent in it before the host has named the ring's epoch.
    fn begin(&mut self) {
        self.open = false;
        self.rewind();
        self.patience_ms = RESEND_MS;
    }

    /// A sealed message: only the host can have sent it.
    fn sealed_message(&mut self, now_ms: u32, message: ToDevice) -> Option<Order> {
        match message {
            ToDevice::Ack { epoch, seq } => self.acknowledged(now_ms, epoch, seq),
            ToDevice::Hello { .. } => {
                if let Some(session) = &mut self.session {
                    session.ready_due = true;
                }
                self.rewind();
                self.patience_ms = RESEND_MS;
            }
            ToDevice::Ping(number) => {
                if let Some(session) = &mut self.session {
                    session.ping = Some(number);
                }
            }
            ToDevice::Show(show) => return Some(Order::Show(show)),
            ToDevice::Challenge(_) | ToDevice::Pair(_) | ToDevice::Exchange { .. } => {}
        }
        None
    }

    /// The host shows a checkpoint of its record, or asks for the one that is kept.
    fn witnesses(&mut self, shown: Option<&Checkpoint>) {
        if let Some(shown) = shown {
            self.ring.witness(shown);
        }
        if let Some(session) = &mut self.session {
            session.kept_due = true;
        }
    }

    fn challenged(&mut self, challenge: Nonce) {
        let Some(key) = &self.identity.key else {
            self.unpaired_due = true;
            return;
        };
        let sessions = [&mut self.session, &mut self.next].into_iter().flatten();
        if let Some(session) = sessions.into_iter().find(|session| session.challenge == challenge) {
            // the answer was lost: the same again, or the two ends would part
            (session.answer_due, session.ready_due) = (true, session.exchange.is_none());
            return;
        }
        if let Some(asked) = self.asked.as_mut().filter(|asked| asked.challenge == challenge) {
            asked.answer_due = true;
            return;
        }
        let mut answer = self.nonces.next();
        if let Some(living) = &self.session
            && living.channel.mark() == mark_of(self.version, &answer)
        {
            answer.0[0] ^= 1; // so that a frame says which of the two it is of
        }
        let Identity { role, serial, .. } = &self.identity;
        let parties = Parties { version: self.version, role: *role, serial, challenge: &challenge, answer: &answer };
        let greeting = Keys::of(key, &parties);
        if self.version == Version::Four {
            self.asked = Some(Asked { challenge, answer, greeting, answer_due: true, share: None });
            return;
        }
        let (proof, channel) = (greeting.proof(), greeting.device_end());
        let session = Session {
            challenge,
            answer,
            proof,
            exchange: None,
            channel,
            answer_due: true,
            exchange_due: false,
            ready_due: true,
            kept_due: false,
            ping: None,
        };
        if self.version == Version::Two || self.session.is_none() {
            self.session = Some(session);
            self.begin();
        } else {
            self.next = Some(session);
            self.waits = true;
        }
    }

    /// A host says its share. Who has not proved that he holds the key costs nothing.
    fn exchanges(&mut self, to: Nonce, share: Point, proof: [u8; 16]) {
        if let Some(asked) = self.asked.as_mut().filter(|asked| asked.answer == to) {
            if is_proof(&proof, &asked.greeting.turn(&share)) {
                asked.share = Some(share);
            }
            return;
        }
        let sessions = [&mut self.session, &mut self.next].into_iter().flatten();
        if let Some(session) = sessions.into_iter().find(|session| session.answer == to) {
            // the device's share was lost: the same again
            let is_same = session.exchange.is_some_and(|(host, ..)| host == share);
            session.exchange_due |= is_same;
            session.ready_due |= is_same;
        }
    }

    /// The session begins whose host has proved itself: two multiplications, some tens of milliseconds on a board.
    // not inlined: what it needs of a board's stack is not needed while a frame is put together
    #[inline(never)]
    fn follow_asked(&mut self) {
        let Some(Asked { challenge, answer, greeting, answer_due, share: Some(host) }) =
            self.asked.take_if(|asked| asked.share.is_some())
        else {
            return;
        };
        let once = self.nonces.once();
        let own = once.share();
        let Some(keys) = greeting.exchanged([&host, &own], &once.with(&host)) else { return };
        let session = Session {
            challenge,
            answer,
            proof: greeting.proof(),
            exchange: Some((host, own, keys.proof())),
            channel: keys.device_end(),
            answer_due,
            exchange_due: true,
            ready_due: true,
            kept_due: false,
            ping: None,
        };
        match &self.session {
            // the mark was drawn when another session lived: its host asks again
            Some(living) if living.channel.mark() == session.channel.mark() => {}
            Some(_) => (self.next, self.waits) = (Some(session), true),
            None => {
                self.session = Some(session);
                self.begin();
            }
        }
    }

    fn acknowledged(&mut self, now_ms: u32, epoch: u32, seq: u32) {
        if epoch != self.ring.epoch() {
            return;
        }
        self.open = true;
        if self.ring.forget(epoch, seq) == 0 {
            return;
        }
        self.cursor = self.cursor.max(self.ring.oldest());
        self.moved_at_ms = now_ms;
        self.patience_ms = RESEND_MS;
        if self.full && self.ring.free() >= self.ring.capacity() / 2 {
            // There is room: half the ring is more than the headroom.
            self.full = self.ring.push(now_ms, &Observation::Device(DeviceState::RingFree)).is_err();
        }
    }

    fn rewind(&mut self) {
        self.cursor = self.ring.oldest();
    }

    /// The next frame to send, if any is due. Call it again once the frame is on its way, until it gives `None`.
    pub fn transmit<'o>(&mut self, now_ms: u32, out: &'o mut [u8; MAX_FRAME]) -> Option<&'o [u8]> {
        if self.hello_due || (!self.open && now_ms.wrapping_sub(self.hello_at_ms) >= DEVICE_HELLO_MS) {
            self.hello_due = false;
            self.hello_at_ms = now_ms;
            return encode(&ToHost::Hello(hello(self.version, &self.identity, &self.ring)), out).ok();
        }
        if self.unpaired_due {
            self.unpaired_due = false;
            return encode(&ToHost::Unpaired, out).ok();
        }
        let Identity { role, serial, .. } = &self.identity;
        if let Some(said) = self.by_code.next(*role, serial, || [self.nonces.next().0, self.nonces.next().0]) {
            return encode_pairing(&said, out).ok();
        }
        if let Some(asked) = self.asked.as_mut().filter(|asked| asked.answer_due) {
            asked.answer_due = false;
            let (to, nonce, proof) = (asked.challenge, asked.answer, asked.greeting.proof());
            return encode(&ToHost::Answer { to, nonce, proof }, out).ok();
        }
        self.follow_asked();
        self.session_frame(now_ms, out)
    }

    /// The next frame of a session.
    fn session_frame<'o>(&mut self, now_ms: u32, out: &'o mut [u8; MAX_FRAME]) -> Option<&'o [u8]> {
        for session in [&mut self.next, &mut self.session].into_iter().flatten() {
            if session.answer_due {
                session.answer_due = false;
                let Session { challenge: to, answer: nonce, proof, .. } = *session;
                return encode(&ToHost::Answer { to, nonce, proof }, out).ok();
            }
            if let Some((_, share, proof)) = session.exchange.filter(|_| session.exchange_due) {
                session.exchange_due = false;
                return encode(&ToHost::Exchange { to: session.answer, share, proof }, out).ok();
            }
            if session.ready_due {
                session.ready_due = false;
                let hello = hello(self.version, &self.identity, &self.ring);
                let ready = Ready { hello, started: self.identity.started.clone(), fresh: self.fresh, at_ms: now_ms };
                let ready = match self.version {
                    Version::Two | Version::Three => ToHost::Ready(ready),
                    Version::Four => ToHost::Running { ready, image: self.identity.image },
                };
                return encode_sealed(&ready, &mut session.channel, out).ok();
            }
        }
        let session = self.session.as_mut()?;
        if let Some(ping) = session.ping.take() {
            let answer = match self.version {
                Version::Two => ToHost::Time { ping, at_ms: now_ms },
                Version::Three | Version::Four => ToHost::Clock { ping, at_ms: now_ms, newest: self.ring.next() - 1 },
            };
            return encode_sealed(&answer, &mut session.channel, out).ok();
        }
        if core::mem::take(&mut session.kept_due) {
            return encode_witness(&self.ring.keeps(), &mut session.channel, out).ok();
        }
        if !self.open || self.waits || self.damaged {
            return None;
        }
        let under_way = self.cursor.saturating_sub(self.ring.oldest());
        if under_way > 0 && now_ms.wrapping_sub(self.moved_at_ms) >= self.patience_ms {
            self.cursor = self.ring.oldest();
            self.patience_ms = (self.patience_ms * 2).min(RESEND_MAX_MS);
        } else if under_way >= WINDOW {
            return None;
        }
        let mut checked = [0; MAX_CHECKED];
        let length = self.ring.read(self.cursor, &mut checked)?;
        let frame = encode_stored(checked.get(..length)?, &mut session.channel, out);
        // what is not as it was entered must not go out as if the device had seen it
        self.damaged = frame.is_none();
        self.cursor += 1;
        self.moved_at_ms = now_ms;
        frame
    }
}

fn hello<M: Memory>(version: Version, identity: &Identity, ring: &Ring<M>) -> DeviceHello {
    DeviceHello {
        protocol: version.number(),
        role: identity.role,
        serial: identity.serial.clone(),
        firmware: identity.firmware,
        schema: version.schema_of(identity.role),
        boots: identity.boots,
        epoch: ring.epoch(),
        oldest: ring.oldest(),
    }
}
