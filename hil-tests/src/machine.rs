//! Whether the machine under the bench stood still: one that is shared with others does, for seconds at times, and no time that
//! is measured then is that of the devices or of the station.

use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often a thread that does nothing else wants to run.
const EVERY: Duration = Duration::from_millis(10);
/// What it waits longer than this is none of its own scheduler's turns.
const TURN: Duration = Duration::from_millis(50);

/// For how long the machine has stood still so far, seen since the first time that this was asked.
pub(crate) fn stood_still() -> Duration {
    static WATCHED: Once = Once::new();
    static LOST_MS: AtomicU64 = AtomicU64::new(0);
    WATCHED.call_once(|| {
        std::thread::spawn(|| {
            loop {
                let asleep = Instant::now();
                std::thread::sleep(EVERY);
                let late = asleep.elapsed().saturating_sub(EVERY);
                if late > TURN {
                    LOST_MS.fetch_add(late.as_millis() as u64, Ordering::Relaxed);
                }
            }
        });
    });
    Duration::from_millis(LOST_MS.load(Ordering::Relaxed))
}
