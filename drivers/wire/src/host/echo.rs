//! What the host has sent itself: a line with two wires (RS-485) gives it back.

use crate::frame::crc32c;

/// Frames that are known again.
const SENT: usize = 32;

/// The frames that were sent last, and how many came back.
#[derive(Debug, Default)]
pub(super) struct Echo {
    sent: [Option<u32>; SENT],
    next: usize,
    heard: u64,
}

impl Echo {
    /// This frame goes out, its zeros included.
    pub(super) fn sends(&mut self, frame: &[u8]) {
        let inside = frame.get(1..frame.len().saturating_sub(1)).unwrap_or_default();
        if let Some(place) = self.sent.get_mut(self.next) {
            *place = Some(crc32c(inside));
        }
        self.next = (self.next + 1) % SENT;
    }

    /// Whether what has come between two zeros went out before. Each frame comes back once.
    pub(super) fn is_own(&mut self, inside: &[u8]) -> bool {
        let came = Some(crc32c(inside));
        let Some(place) = self.sent.iter_mut().find(|sent| **sent == came) else { return false };
        *place = None;
        self.heard += 1;
        true
    }

    /// Frames that came back.
    pub(super) const fn heard(&self) -> u64 {
        self.heard
    }
}
