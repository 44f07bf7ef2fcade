//! What the host sends, and when: answers to what came, and what time alone makes due.

use super::backlog::Probe;
use super::handshake::Handshake;
use super::{Host, Keyring, State};
use crate::frame::{MAX_FRAME, encode, encode_sealed};
use crate::message::ToDevice;
use crate::{CHALLENGE_MS, CLOCK_MS, GAP_HELLO_MS, HOST_HELLO_MS, PING_MS, SILENCE_MS, Version};

impl<K: Keyring> Host<K> {
    /// The next frame to send, if any is due. Call it again once the frame is written, until it gives `None`: after
    /// [`Host::opened`], after every [`Host::receive`], [`Host::durable`] and [`Host::show`], and at [`Host::wake_at`].
    pub fn transmit<'o>(&mut self, now_ms: u64, out: &'o mut [u8; MAX_FRAME]) -> Option<&'o [u8]> {
        let frame = self.next_frame(now_ms, out)?;
        self.echo.sends(frame);
        Some(frame)
    }

    fn next_frame<'o>(&mut self, now_ms: u64, out: &'o mut [u8; MAX_FRAME]) -> Option<&'o [u8]> {
        if self.challenge_wanted_at().is_some_and(|at| at <= now_ms) {
            return self.challenge(now_ms, out);
        }
        self.probe_backlog(now_ms);
        let Some(message) = self.next_message(now_ms) else { return self.witness_frame(now_ms, out) };
        match &mut self.channel {
            Some(channel) if matches!(self.state, State::Online { .. }) => encode_sealed(&message, channel, out).ok(),
            _ => encode(&message, out).ok(),
        }
    }

    fn next_message(&mut self, now_ms: u64) -> Option<ToDevice> {
        if self.hello_wanted_at().is_some_and(|at| at <= now_ms) {
            self.hello_due = !self.online();
            self.hello_at = Some(now_ms);
            // in clear anybody is asked, and told what is newest
            let version = if self.online() { self.version } else { Version::NEWEST };
            let schema = version.schema_of(self.expect.role);
            return Some(ToDevice::Hello { protocol: version.number(), schema });
        }
        if !self.online() {
            return None;
        }
        if self.ack_due {
            self.ack_due = false;
            if let Some(backlog) = &mut self.backlog {
                backlog.stirs(now_ms); // what waited for it may come now
            }
            let known = self.known.first()?;
            return Some(ToDevice::Ack { epoch: known.epoch, seq: known.durable });
        }
        if let Some(show) = self.display.next(now_ms) {
            return Some(ToDevice::Show(show));
        }
        if now_ms >= self.ping_wanted_at() {
            self.ping_at = now_ms;
            self.asked_at.get_or_insert(now_ms);
            self.pings = self.pings.wrapping_add(1);
            self.watch.pinged(now_ms, self.pings, self.losses());
            if let (Some(delivered), Some(backlog)) = (self.all_durable(), &mut self.backlog) {
                backlog.pinged(self.pings, now_ms, delivered);
            }
            return Some(ToDevice::Ping(self.pings));
        }
        None
    }

    /// The last event taken, where every event taken is acknowledged.
    fn all_durable(&self) -> Option<u32> {
        let known = self.known.first().filter(|_| self.online() && !self.ack_due)?;
        (known.durable == known.delivered).then_some(known.delivered)
    }

    /// The next question whether the device has told all it kept: when, and which.
    fn backlog_probe(&self) -> Option<(u64, Probe)> {
        let (backlog, delivered) = (self.backlog.as_ref()?, self.all_durable()?);
        Some((backlog.probe_at()?, backlog.probe(delivered)))
    }

    fn probe_backlog(&mut self, now_ms: u64) {
        if let Some((at, Probe::Hello)) = self.backlog_probe()
            && at <= now_ms
            && let Some(backlog) = &mut self.backlog
        {
            backlog.stirs(now_ms);
            self.hello_due = true;
        }
    }

    /// The key first, where the device is to be given one; then the challenge, until the device is ready, and after
    /// each answer the share.
    fn challenge<'o>(&mut self, now_ms: u64, out: &'o mut [u8; MAX_FRAME]) -> Option<&'o [u8]> {
        let handshake = self.handshake.as_mut()?;
        if let Some(pair) = self.pair.as_ref().filter(|_| handshake.pair_due) {
            return pair.next(handshake, now_ms, out);
        }
        handshake.sent_at = Some(now_ms);
        if let Some(turn) = handshake.turn.as_ref().filter(|_| core::mem::take(&mut handshake.exchange_due)) {
            return encode(&turn.says(), out).ok();
        }
        handshake.excused = handshake.excused.saturating_add(1);
        // the share too, where the device has answered: less must come through at once
        handshake.exchange_due = handshake.turn.is_some();
        encode(&ToDevice::Challenge(handshake.challenge), out).ok()
    }

    fn challenge_wanted_at(&self) -> Option<u64> {
        let handshake = self.handshake.as_ref()?;
        Some(handshake.sent_at.filter(|_| !handshake.exchange_due).map_or(0, |at| at + CHALLENGE_MS))
    }

    fn hello_wanted_at(&self) -> Option<u64> {
        if !self.hello_due || self.state == State::Closed || self.handshake.is_some() {
            return None;
        }
        if !self.online() {
            return Some(self.hello_at.map_or(0, |at| at + HOST_HELLO_MS));
        }
        // a device that is sending what it holds would begin with the oldest again, and never come to what is missing
        Some(self.hello_at.max(self.sends_at).map_or(0, |at| at + GAP_HELLO_MS))
    }

    /// When the device is gone if nothing comes until then. A ping must have had its time: a host that was itself held
    /// up has not asked.
    pub(super) fn silent_at(&self) -> Option<u64> {
        self.asked_at.map(|asked| (self.heard_at + SILENCE_MS).max(asked + PING_MS))
    }

    fn ping_wanted_at(&self) -> u64 {
        let whatever_comes = if self.is_watched() { self.watch.ping_at(self.ping_at) } else { self.ping_at + CLOCK_MS };
        let usual = (self.ping_at.max(self.heard_at) + PING_MS).min(whatever_comes);
        match self.backlog_probe() {
            Some((at, Probe::Ping)) => at.min(usual),
            _ => usual,
        }
    }

    /// When [`Host::tick`] and [`Host::transmit`] next have something to do by themselves; `None` while the port is
    /// closed.
    #[must_use]
    pub fn wake_at(&self) -> Option<u64> {
        let handshake = self.handshake.as_ref().map(Handshake::over_at);
        let asking = [self.hello_wanted_at(), self.challenge_wanted_at(), handshake].into_iter().flatten().min();
        if !self.online() {
            return asking;
        }
        let mut at = self.ping_wanted_at();
        for due in [self.silent_at(), self.watch.overdue_at().filter(|_| self.is_watched())].into_iter().flatten() {
            at = at.min(due);
        }
        for due in [self.display.refresh_at(), self.witness_at()].into_iter().flatten() {
            at = at.min(due);
        }
        if let Some((probe, _)) = self.backlog_probe() {
            at = at.min(probe);
        }
        Some(asking.map_or(at, |asking| asking.min(at)))
    }
}
