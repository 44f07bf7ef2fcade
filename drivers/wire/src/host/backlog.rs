//! Whether a device has told everything that it kept while nobody heard it.
//!
//! No message says so, but an event that the device saw since it was ready does: events come in order. Where there is
//! none the host finds out. A device sends what it holds as soon as it may: when everything told is acknowledged,
//! nothing has come for a while, a ping is answered and no frame of that time was lost, it holds nothing more. A device
//! that has not heard an acknowledgement is held up by that. So it is first asked to be ready once more: it says then
//! what its oldest event is, and is acknowledged again.

use crate::BACKLOG_MS;

/// What is known of the events that a device kept, from its [`Ready`](crate::message::Ready) on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Backlog {
    /// The first event of its present start, and that start's clock when it was ready.
    ready: (u32, u32),
    /// The oldest event that it holds, or the next to come, as it said when it was asked.
    oldest: Option<u32>,
    /// Since when nothing has come that it kept.
    quiet_since: u64,
    /// The ping that is to end the wait.
    ping: Option<u32>,
    /// A frame was lost since.
    lost: bool,
}

/// What the host does next to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Probe {
    /// Ask it to say once more that it is ready.
    Hello,
    /// Ask for its clock.
    Ping,
}

impl Backlog {
    /// The device has said that it is ready.
    pub(super) const fn since(now_ms: u64, fresh: u32, at_ms: u32) -> Self {
        Self { ready: (fresh, at_ms), oldest: None, quiet_since: now_ms, ping: None, lost: false }
    }

    /// It has said so once more, and which event it will send first.
    pub(super) const fn ready_again(self, now_ms: u64, oldest: u32) -> Self {
        let Self { ready: (fresh, at_ms), .. } = self;
        Self { oldest: Some(oldest), ..Self::since(now_ms, fresh, at_ms) }
    }

    /// Whether it saw this event since it was ready.
    pub(super) fn is_over_at(&self, seq: u32, at_ms: u32) -> bool {
        let (fresh, ready_ms) = self.ready;
        seq >= fresh && (1..=u32::MAX / 2).contains(&at_ms.wrapping_sub(ready_ms))
    }

    /// Something has come, or something was said after which more may come.
    pub(super) const fn stirs(&mut self, now_ms: u64) {
        (self.quiet_since, self.ping) = (now_ms, None);
    }

    /// An event has come; where it is the next, none before it was lost.
    pub(super) const fn came(&mut self, now_ms: u64, is_next: bool) {
        self.stirs(now_ms);
        self.lost &= !is_next;
    }

    /// A frame was lost: it may have been an event.
    pub(super) const fn lost(&mut self) {
        self.lost = true;
    }

    /// When the next probe is due, where everything up to `delivered` is acknowledged.
    pub(super) fn probe_at(&self) -> Option<u64> {
        self.ping.is_none().then_some(self.quiet_since + BACKLOG_MS)
    }

    /// How to find out.
    pub(super) const fn probe(&self, delivered: u32) -> Probe {
        let holds_none = matches!(self.oldest, Some(oldest) if oldest == delivered.saturating_add(1));
        if holds_none && !self.lost { Probe::Ping } else { Probe::Hello }
    }

    /// A ping goes out.
    pub(super) fn pinged(&mut self, number: u32, now_ms: u64, delivered: u32) {
        let is_quiet = self.quiet_since + BACKLOG_MS <= now_ms && self.probe(delivered) == Probe::Ping;
        self.ping = is_quiet.then_some(number);
    }

    /// The answer to a ping has come; whether the device holds nothing more.
    pub(super) fn answered(&mut self, number: u32, now_ms: u64) -> bool {
        if self.lost {
            self.stirs(now_ms);
        }
        self.ping == Some(number)
    }
}
