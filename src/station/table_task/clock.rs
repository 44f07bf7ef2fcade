//! The clock of a record.

use std::time::Duration;

use sabot_drivers::When;
use sabot_journal::SeenAt;
use tokio::time::Instant;

/// Milliseconds since the record was begun.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    base: u64,
    started: Instant,
}

impl Clock {
    pub(crate) fn starting_at(base: u64) -> Self {
        Self { base, started: Instant::now() }
    }

    pub(super) fn now(&self) -> u64 {
        self.base + millis(self.started.elapsed())
    }

    pub(super) fn at(&self, ms: u64) -> Instant {
        self.started + Duration::from_millis(ms.saturating_sub(self.base))
    }

    /// When a device saw something, by this clock.
    pub(super) fn seen_at(&self, when: &When) -> SeenAt {
        let received = self.base + millis(when.received.saturating_duration_since(self.started));
        let at_ms = i64::try_from(received).unwrap_or(i64::MAX).saturating_sub_unsigned(when.age_ms.into());
        SeenAt { at_ms, error_ms: when.error_ms }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
