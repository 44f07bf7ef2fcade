//! The device's side of a session: bytes and milliseconds in, frames out. No port, no clock, no allocation.

use crate::frame::{Decoder, MAX_FRAME, MAX_SEALED, encode, wrap};
use crate::message::{DeviceHello, DeviceState, Observation, Role, SERIAL_BYTES, Show, ToDevice, ToHost};
use crate::ring::{HEADROOM, Ring, RingIsFull};
use crate::{DEVICE_HELLO_MS, PROTOCOL, RESEND_MAX_MS, RESEND_MS, SCHEMA, WINDOW};

/// Who a device is: fixed while it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Role.
    pub role: Role,
    /// Serial number, as printed on the housing.
    pub serial: heapless::String<SERIAL_BYTES>,
    /// Firmware version, major minor patch.
    pub firmware: [u8; 3],
    /// Times the device has started, this one included.
    pub boots: u32,
}

/// A device's session, over a ring of events in memory `M`.
///
/// The caller hands what it receives to [`Device::receive`], sends what [`Device::transmit`] gives, and enters what its
/// sensors see with [`Device::observe`] while [`Device::ready`] says so. `now_ms` is the device's clock in milliseconds
/// since its start; it may wrap.
#[derive(Debug)]
pub struct Device<M> {
    identity: Identity,
    ring: Ring<M>,
    decoder: Decoder,
    /// The host has acknowledged this ring since the device started: events may go out.
    open: bool,
    full: bool,
    hello_due: bool,
    hello_at_ms: u32,
    pong: Option<u32>,
    /// Next event to send.
    cursor: u32,
    /// When an event was last sent or acknowledged.
    moved_at_ms: u32,
    patience_ms: u32,
}

impl<M: AsRef<[u8]> + AsMut<[u8]>> Device<M> {
    /// A device that has just started.
    #[must_use]
    pub fn new(identity: Identity, ring: Ring<M>) -> Self {
        let full = ring.free() < HEADROOM;
        let cursor = ring.oldest();
        Self {
            identity,
            ring,
            decoder: Decoder::new(),
            open: false,
            full,
            hello_due: true,
            hello_at_ms: 0,
            pong: None,
            cursor,
            moved_at_ms: 0,
            patience_ms: RESEND_MS,
        }
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

    /// Whether the host has acknowledged this device since it started.
    #[must_use]
    pub const fn in_session(&self) -> bool {
        self.open
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

    /// Takes received bytes: answers them by what [`Device::transmit`] sends next, and gives what is to be shown.
    /// Call it until it gives `None`; `input` is used up then.
    pub fn receive(&mut self, now_ms: u32, input: &mut &[u8]) -> Option<Show> {
        while let Some(message) = self.decoder.next(input) {
            match message {
                ToDevice::Ack { epoch, seq } => self.acknowledged(now_ms, epoch, seq),
                ToDevice::Hello { .. } => {
                    self.hello_due = true;
                    self.rewind();
                    self.patience_ms = RESEND_MS;
                }
                ToDevice::Ping(number) => self.pong = Some(number),
                ToDevice::Show(show) => return Some(show),
            }
        }
        None
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
            return encode(&ToHost::Hello(self.hello()), out).ok();
        }
        if let Some(number) = self.pong.take() {
            return encode(&ToHost::Pong(number), out).ok();
        }
        if !self.open {
            return None;
        }
        let under_way = self.cursor.saturating_sub(self.ring.oldest());
        if under_way > 0 && now_ms.wrapping_sub(self.moved_at_ms) >= self.patience_ms {
            self.rewind();
            self.patience_ms = (self.patience_ms * 2).min(RESEND_MAX_MS);
        } else if under_way >= WINDOW {
            return None;
        }
        let mut sealed = [0; MAX_SEALED];
        let length = self.ring.read(self.cursor, &mut sealed)?;
        self.cursor += 1;
        self.moved_at_ms = now_ms;
        wrap(sealed.get(..length)?, out).ok()
    }

    fn hello(&self) -> DeviceHello {
        DeviceHello {
            protocol: PROTOCOL,
            role: self.identity.role,
            serial: self.identity.serial.clone(),
            firmware: self.identity.firmware,
            schema: SCHEMA,
            boots: self.identity.boots,
            epoch: self.ring.epoch(),
            oldest: self.ring.oldest(),
        }
    }
}
