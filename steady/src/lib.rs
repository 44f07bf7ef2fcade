//! Times that a test may judge.
//!
//! A machine that is shared with others stands still at times, a core of it or all, and for seconds; no time that is measured
//! then is that of what is tested. Threads that do nothing else, one on each core, want to run every ten milliseconds, and
//! tell how late they were.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// What has not happened after so long will not; longer than a machine stands still.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How often each core is asked for.
const EVERY: Duration = Duration::from_millis(10);
/// A core that comes later than this was not only at work for somebody else's turn.
const TURN: Duration = Duration::from_millis(50);

/// How often a test may run whose failures are the machine's.
const RUNS: u32 = 5;
/// For so long the machine may stand still in a run that counts: less than any time that a test or the station waits for.
const STEADY: Duration = Duration::from_millis(100);

/// For how long the cores have stood still, all together.
static LOST_MS: AtomicU64 = AtomicU64::new(0);

/// For how long cores of this machine have stood still so far, added up; seen from the first call on.
fn stood_still() -> Duration {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        for core in cores() {
            std::thread::spawn(move || watch(core));
        }
    });
    Duration::from_millis(LOST_MS.load(Ordering::Relaxed))
}

/// The cores that this process may use, each by itself.
fn cores() -> Vec<CpuSet> {
    let own = sched_getaffinity(Pid::from_raw(0)).unwrap_or_default();
    let only = |core| {
        let mut set = CpuSet::new();
        set.set(core).ok().map(|()| set)
    };
    (0..CpuSet::count()).filter(|core| own.is_set(*core).unwrap_or(false)).filter_map(only).collect()
}

fn watch(core: CpuSet) {
    // where the system does not allow it, the thread runs wherever there is room
    let _ = sched_setaffinity(Pid::from_raw(0), &core);
    loop {
        let asleep = Instant::now();
        std::thread::sleep(EVERY);
        let late = asleep.elapsed().saturating_sub(EVERY);
        if late > TURN {
            LOST_MS.fetch_add(late.as_millis() as u64, Ordering::Relaxed);
        }
    }
}

/// Time that passes while the machine runs.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    began: Instant,
    before: Duration,
}

impl Stopwatch {
    /// From now on.
    #[must_use]
    pub fn start() -> Self {
        let before = stood_still();
        Self { began: Instant::now(), before }
    }

    /// What has passed since then, without the time for which the machine stood still. Takes a moment, as that does.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let elapsed = self.began.elapsed();
        elapsed.saturating_sub(self.stood_still())
    }

    /// For how long the machine stood still since then. Takes a moment: what has just been is to be told.
    #[must_use]
    fn stood_still(&self) -> Duration {
        std::thread::sleep(2 * EVERY);
        stood_still().saturating_sub(self.before)
    }
}

/// Runs a test. A failure while the machine stood still is void: it is shown, and the test runs again.
///
/// # Panics
/// As the test does, on a machine that ran, or for the fifth time.
pub fn steadily(name: &str, run: impl Fn()) {
    until_it_counts(name, &run, &|watch| watch.stood_still());
}

fn until_it_counts(name: &str, run: &dyn Fn(), stood_still: &dyn Fn(&Stopwatch) -> Duration) {
    for number in 1.. {
        let watch = Stopwatch::start();
        let Err(failure) = catch_unwind(AssertUnwindSafe(run)) else { break };
        let stood = stood_still(&watch);
        if stood <= STEADY || number == RUNS {
            resume_unwind(failure);
        }
        eprintln!("{name}: void, for the machine stood still for {stood:?} meanwhile; run {number} of {RUNS}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// How often a test runs that fails so many times, on a machine that stands still for so long in each run; and whether
    /// it passes.
    fn runs(failures: u32, stands_still: Duration) -> (u32, bool) {
        let count = Cell::new(0);
        let run = || {
            count.set(count.get() + 1);
            assert!(count.get() > failures, "a failure that the test wants");
        };
        let passed = catch_unwind(AssertUnwindSafe(|| until_it_counts("a test", &run, &|_| stands_still))).is_ok();
        (count.get(), passed)
    }

    #[test]
    fn a_failure_is_void_only_while_the_machine_stood_still_and_not_for_ever() {
        assert_eq!(runs(0, Duration::ZERO), (1, true));
        assert_eq!(runs(0, 2 * STEADY), (1, true));
        assert_eq!(runs(1, STEADY), (1, false));
        assert_eq!(runs(1, 2 * STEADY), (2, true));
        assert_eq!(runs(RUNS - 1, 2 * STEADY), (RUNS, true));
        assert_eq!(runs(RUNS, 2 * STEADY), (RUNS, false));
    }

    #[test]
    fn time_passes_and_no_more_of_it_is_left_out_than_the_cores_were_late() {
        let (watch, began) = (Stopwatch::start(), Instant::now());
        std::thread::sleep(Duration::from_millis(100));
        let slept = began.elapsed();
        assert!(watch.elapsed() + watch.stood_still() >= slept);
        assert!(watch.elapsed() <= began.elapsed());
        assert!(!cores().is_empty(), "this test runs on a core");
    }
}
