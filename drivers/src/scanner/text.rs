//! The session with a scanner that sends lines. Bytes in, bytes out; time is an argument.
//!
//! Such a scanner cannot be asked anything, and says nothing while nothing passes. That its port is open is all that is
//! known of it.

use sabot_wire::message::Show;

use super::Setup;
use super::line::{Decoder, LineFault};
use super::reads::Reads;
use crate::link::Counters;
use crate::link::machine::{Frame as Buffer, Machine, SessionReport};

/// Understood.
const ACK: u8 = 0x06;
/// Send it again.
const NAK: u8 = 0x15;
/// What a scanner is called that cannot say who it is.
const NAME: &str = "SCANNER";
/// A port is open for so long before its scanner counts as there, milliseconds: one that has gone may open and end at
/// once.
const OPEN_MS: u64 = 250;
/// A scanner that was told to send again does so within this time, milliseconds.
const AGAIN_MS: u64 = 3000;
/// What is sent again so often and cannot be understood is a card unread.
const TRIES: u32 = 3;

/// A line that was not understood, and that is to be sent again.
#[derive(Default)]
struct Refused {
    text: Option<Vec<u8>>,
    tries: u32,
    since: u64,
}

/// A session with a scanner that sends lines.
pub struct TextSession {
    reads: Reads,
    decoder: Decoder,
    ack: bool,
    /// Since when the port is open.
    opened: Option<u64>,
    online: bool,
    now: u64,
    /// The event to be on disk before the scanner is told that its line was understood.
    owed: Option<u32>,
    refused: Option<Refused>,
    send_nak: bool,
}

/// Nothing of what was read is shown.
impl std::fmt::Debug for TextSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { reads, online, owed, .. } = self;
        f.debug_struct("TextSession").field("reads", reads).field("online", online).field("owed", owed).finish()
    }
}

impl TextSession {
    /// A session; it begins with [`Machine::opened`]. With `ack` each line is answered.
    #[must_use]
    pub fn new(setup: Setup, ack: bool) -> Self {
        Self {
            reads: Reads::new(setup),
            decoder: Decoder::default(),
            ack,
            opened: None,
            online: false,
            now: 0,
            owed: None,
            refused: None,
            send_nak: false,
        }
    }

    fn come_online(&mut self) {
        if !self.online {
            self.online = true;
            self.reads.online(NAME);
        }
    }

    fn heard(&mut self, now: u64, line: Result<Vec<u8>, LineFault>) {
        self.come_online();
        let text = line
            .inspect_err(|fault| {
                self.reads.counters.bad_frames += 1;
                tracing::debug!(%fault, "a scanner's line is damaged");
            })
            .ok();
        let known = text.as_ref().is_some_and(|text| self.reads.meaning(text).is_some());
        if self.ack && !known && self.ask_again(now, text.as_ref()) {
            return;
        }
        self.refused = None;
        // a line is a card that has passed, whatever it says
        let again = self.owed.is_some();
        let seq = self.reads.take(now, text.as_deref().unwrap_or_default(), again);
        if self.ack {
            self.owed = Some(seq);
        }
    }

    /// Whether a line that says nothing is to be sent again: until the scanner says the same twice, or has tried
    /// enough.
    fn ask_again(&mut self, now: u64, text: Option<&Vec<u8>>) -> bool {
        let Refused { text: before, tries, .. } = self.refused.take().unwrap_or_default();
        if tries >= TRIES || (text.is_some() && before.as_ref() == text) {
            return false;
        }
        self.refused = Some(Refused { text: text.cloned(), tries: tries + 1, since: now });
        self.send_nak = true;
        true
    }
}

impl Machine for TextSession {
    fn opened(&mut self, now_ms: u64) {
        self.decoder.restart();
        (self.opened, self.now) = (Some(now_ms), now_ms);
    }

    fn closed(&mut self) {
        self.decoder.restart();
        self.reads.lost(self.now);
        (self.opened, self.online, self.owed, self.refused, self.send_nak) = (None, false, None, None, false);
    }

    fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<SessionReport> {
        self.now = now_ms;
        while self.reads.said.is_empty() {
            let line = self.decoder.next_line(now_ms, input)?;
            self.heard(now_ms, line);
        }
        self.reads.said.pop_front()
    }

    fn tick(&mut self, now_ms: u64) -> Option<SessionReport> {
        self.now = now_ms;
        if self.opened.is_some_and(|since| now_ms >= since + OPEN_MS) {
            self.come_online();
        }
        if let Some(fault) = self.decoder.give_up(now_ms) {
            tracing::debug!(%fault, "a scanner's line is damaged");
            self.reads.counters.bad_frames += 1;
            self.come_online();
            self.reads.trouble(now_ms);
        }
        if self.refused.as_ref().is_some_and(|refused| now_ms >= refused.since + AGAIN_MS) {
            self.refused = None;
            self.reads.trouble(now_ms);
        }
        self.reads.said.pop_front()
    }

    fn transmit<'o>(&mut self, now_ms: u64, out: &'o mut Buffer) -> Option<&'o [u8]> {
        let byte = if std::mem::take(&mut self.send_nak) {
            NAK
        } else {
            self.owed.take_if(|seq| self.reads.is_durable(*seq))?;
            self.reads.acknowledged(now_ms);
            ACK
        };
        let place = out.get_mut(..1)?;
        place.copy_from_slice(&[byte]);
        Some(place)
    }

    fn wake_at(&self) -> Option<u64> {
        if !self.reads.said.is_empty() {
            return Some(0);
        }
        let open = self.opened.filter(|_| !self.online).map(|since| since + OPEN_MS);
        let again = self.refused.as_ref().map(|refused| refused.since + AGAIN_MS);
        [open, again, self.decoder.breaks_off_at()].into_iter().flatten().min()
    }

    fn online(&self) -> bool {
        self.online
    }

    fn counters(&self) -> Counters {
        self.reads.counters
    }

    fn durable(&mut self, epoch: u32, seq: u32) {
        self.reads.durable(epoch, seq);
    }

    /// A scanner shows nothing.
    fn show(&mut self, _: Show) {}
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
