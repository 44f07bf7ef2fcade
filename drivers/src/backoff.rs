//! Waiting before a device is looked for again: bounded, and never in step with others.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// Wait before the first attempt to open again; doubled with each that fails.
const MIN: Duration = Duration::from_millis(25);
/// Longest wait between two attempts, before the jitter of a quarter either way.
const MAX: Duration = Duration::from_millis(500);

/// The same after a failure of the driver itself, which each time leaves a line in the log.
const MIN_AFTER_FAILURE: Duration = Duration::from_millis(500);
const MAX_AFTER_FAILURE: Duration = Duration::from_secs(30);

/// How long to wait next.
#[derive(Debug)]
pub(crate) struct Backoff {
    due: Duration,
    min: Duration,
    max: Duration,
}

impl Backoff {
    /// Between attempts to find a device.
    pub(crate) const fn new() -> Self {
        Self { due: MIN, min: MIN, max: MAX }
    }

    /// Between failures of its driver.
    pub(crate) const fn after_failure() -> Self {
        Self { due: MIN_AFTER_FAILURE, min: MIN_AFTER_FAILURE, max: MAX_AFTER_FAILURE }
    }

    /// The device was there, or its driver did not fail: the next wait is short again.
    pub(crate) const fn reset(&mut self) {
        self.due = self.min;
    }

    /// The next wait: between three and five quarters of what is due.
    pub(crate) fn next(&mut self) -> Duration {
        let pause = self.due;
        self.due = (pause * 2).min(self.max);
        pause * 3 / 4 + pause / 2 * random_below(1024) / 1024
    }
}

/// A random number below `limit`; keeps devices from trying in step, and decides nothing else.
fn random_below(limit: u32) -> u32 {
    let random = RandomState::new().build_hasher().finish() % u64::from(limit.max(1));
    u32::try_from(random).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_bound_and_jitter() {
        let mut backoff = Backoff::new();
        let waits: Vec<Duration> = (0..40).map(|_| backoff.next()).collect();
        assert!(waits[0] >= MIN * 3 / 4 && waits[0] <= MIN * 5 / 4, "{waits:?}");
        assert!(waits[10..].iter().all(|wait| *wait >= MAX * 3 / 4 && *wait <= MAX * 5 / 4), "{waits:?}");
        assert!(waits[10..].iter().any(|wait| *wait != waits[10]), "all the same: {waits:?}");
        backoff.reset();
        assert!(backoff.next() <= MIN * 5 / 4);
        let mut failing = Backoff::after_failure();
        // a night and more: never longer than a minute, never at once
        let longest =
            (0..100_000).map(|_| failing.next()).inspect(|wait| assert!(*wait >= MIN_AFTER_FAILURE / 2)).max();
        assert!(longest <= Some(MAX_AFTER_FAILURE * 5 / 4), "{longest:?}");
    }
}
