//! What is on its way to a device's port.

use std::time::Duration;

use tokio::time::Instant;

/// Bytes not taken for so long: nobody reads at the other end.
const WRITE_WITHIN: Duration = Duration::from_secs(1);

/// Bytes of which the port has taken the first so many.
#[derive(Debug)]
pub(crate) struct Outgoing {
    bytes: Vec<u8>,
    taken: usize,
    since: Instant,
}

impl Outgoing {
    pub(crate) fn new() -> Self {
        Self { bytes: Vec::new(), taken: 0, since: Instant::now() }
    }

    /// Whether the port has not taken all of it.
    pub(crate) fn waiting(&self) -> bool {
        self.taken < self.bytes.len()
    }

    /// What the port has not taken.
    pub(crate) fn rest(&self) -> &[u8] {
        self.bytes.get(self.taken..).unwrap_or_default()
    }

    /// The port has taken so many bytes more.
    pub(crate) const fn took(&mut self, count: usize) {
        self.taken += count;
    }

    /// Room for what goes out next, empty; for when nothing waits.
    pub(crate) fn refill(&mut self) -> &mut Vec<u8> {
        self.bytes.clear();
        (self.taken, self.since) = (0, Instant::now());
        &mut self.bytes
    }

    /// By when the port must have taken it, where something waits.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.waiting().then(|| self.since + WRITE_WITHIN)
    }
}
