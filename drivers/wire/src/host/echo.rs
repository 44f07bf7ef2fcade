//! What the host has sent itself: a line with two wires (RS-485) gives it back.

/// Frames that are known again.
const SENT: usize = 32;
/// Bytes at the end of a frame by which it is known: its checksum and, where it is sealed, half of its tag. A checksum
/// of the whole would not do: over a body and its own checksum it is the same for all of one length.
const TAIL: usize = 8;

type Tail = (usize, [u8; TAIL]);

/// The frames that were sent last, and how many came back.
#[derive(Debug, Default)]
pub(super) struct Echo {
    sent: [Option<Tail>; SENT],
    next: usize,
    heard: u64,
}

/// Length and last bytes of what stands between two zeros.
fn tail(inside: &[u8]) -> Tail {
    let mut tail = [0; TAIL];
    tail.iter_mut().rev().zip(inside.iter().rev()).for_each(|(place, byte)| *place = *byte);
    (inside.len(), tail)
}

impl Echo {
    /// This frame goes out, its zeros included.
    pub(super) fn sends(&mut self, frame: &[u8]) {
        let inside = frame.get(1..frame.len().saturating_sub(1)).unwrap_or_default();
        if let Some(place) = self.sent.get_mut(self.next) {
            *place = Some(tail(inside));
        }
        self.next = (self.next + 1) % SENT;
    }

    /// Whether what has come between two zeros went out before. Each frame comes back once.
    pub(super) fn is_own(&mut self, inside: &[u8]) -> bool {
        let came = Some(tail(inside));
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
