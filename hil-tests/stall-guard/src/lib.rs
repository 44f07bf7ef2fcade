//! For tests: times without those in which the machine stood still, and failures that are the machine's.

mod stalls;

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use stalls::Core;

/// What has not happened after so long will not; longer than a machine stands still.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How often a test may run whose failures are the machine's.
const RUNS: u32 = 5;
/// A run in which the machine stood still for no longer than this counts. It is less than any time that a test or the
/// station waits for.
const TOLERATED: Duration = Duration::from_millis(100);

/// The environment's name for the file to which each void run is added as a line.
pub const VOID_RUNS: &str = "SABOT_VOID_RUNS";

/// Time that passes while the machine runs.
#[derive(Debug, Clone)]
pub struct Stopwatch {
    began: Instant,
    before: Vec<Core>,
}

impl Stopwatch {
    /// From now on.
    #[must_use]
    pub fn start() -> Self {
        let before = stalls::look();
        Self { began: Instant::now(), before }
    }

    /// What has passed since then, without the time for which the machine stood still. Takes a moment, as that does.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let elapsed = self.began.elapsed();
        elapsed.saturating_sub(self.stalled())
    }

    /// For how long the machine stood still since then. Takes a moment: what has just been is to be seen.
    #[must_use]
    fn stalled(&self) -> Duration {
        std::thread::sleep(2 * stalls::EVERY);
        stalls::between(&self.before, &stalls::look())
    }
}

/// Runs a test. A failure while the machine stood still is void: it is shown, written down where [`VOID_RUNS`] says,
/// and the test runs again.
///
/// # Panics
/// As the test does, on a machine that ran, or for the fifth time.
pub fn rerun_if_stalled(name: &str, run: impl Fn()) {
    let file = std::env::var_os(VOID_RUNS);
    until_it_counts(name, &run, &|watch| watch.stalled(), &|line| write_down(line, file.as_deref()));
}

/// Shows what is told of a void run, and adds it to the file.
fn write_down(line: &str, file: Option<&OsStr>) {
    eprintln!("{line}");
    let opened = file.map(|path| OpenOptions::new().create(true).append(true).open(path));
    if let Some(Err(why)) = opened.map(|file| file.and_then(|mut file| writeln!(file, "{line}"))) {
        eprintln!("{VOID_RUNS}: {why}");
    }
}

fn until_it_counts(name: &str, run: &dyn Fn(), stalled: &dyn Fn(&Stopwatch) -> Duration, tell: &dyn Fn(&str)) {
    for number in 1.. {
        let watch = Stopwatch::start();
        let Err(failure) = catch_unwind(AssertUnwindSafe(run)) else { break };
        let stall = stalled(&watch);
        if stall <= TOLERATED || number == RUNS {
            resume_unwind(failure);
        }
        let words = failure.downcast_ref::<String>().map(String::as_str).or(failure.downcast_ref::<&str>().copied());
        let first = words.unwrap_or_default().lines().next().unwrap_or_default();
        tell(&format!("{name}: run {number} of {RUNS} is void, the machine stood still for {stall:.1?}: {first}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    /// How often a test runs that fails so many times, on a machine that stands still for so long in each run, whether
    /// it passes, and what is told.
    fn runs(failures: u32, stalled: Duration) -> (u32, bool, Vec<String>) {
        let (count, told) = (Cell::new(0), RefCell::new(Vec::new()));
        let run = || {
            count.set(count.get() + 1);
            assert!(count.get() > failures, "a failure that the test wants");
        };
        let tell = |line: &str| told.borrow_mut().push(line.to_string());
        let passed = catch_unwind(AssertUnwindSafe(|| until_it_counts("a test", &run, &|_| stalled, &tell))).is_ok();
        (count.get(), passed, told.take())
    }

    #[test]
    fn a_failure_is_void_only_while_the_machine_stood_still_and_not_for_ever() {
        let counted = |failures, stalled| {
            let (count, passed, _) = runs(failures, stalled);
            (count, passed)
        };
        assert_eq!(counted(0, Duration::ZERO), (1, true));
        assert_eq!(counted(0, 2 * TOLERATED), (1, true));
        assert_eq!(counted(1, TOLERATED), (1, false));
        assert_eq!(counted(1, 2 * TOLERATED), (2, true));
        assert_eq!(counted(RUNS - 1, 2 * TOLERATED), (RUNS, true));
        assert_eq!(counted(RUNS, 2 * TOLERATED), (RUNS, false));
    }

    #[test]
    fn a_void_run_is_told_with_its_test_and_its_failure() {
        let (_, _, told) = runs(1, Duration::from_millis(250));
        let words = "a test: run 1 of 5 is void, the machine stood still for 250.0ms: a failure that the test wants";
        assert_eq!(told, [words]);
        assert!(runs(1, Duration::ZERO).2.is_empty(), "one that counts is the test's own to tell");
    }

    #[test]
    fn each_void_run_is_a_line_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("void-runs");
        write_down("one", Some(file.as_os_str()));
        write_down("two", Some(file.as_os_str()));
        write_down("three", None);
        assert_eq!(std::fs::read_to_string(file).unwrap(), "one\ntwo\n");
    }

    #[test]
    fn time_passes_and_no_more_of_it_is_left_out_than_the_machine_stood_still() {
        let (watch, began) = (Stopwatch::start(), Instant::now());
        std::thread::sleep(Duration::from_millis(100));
        let slept = began.elapsed();
        assert!(watch.elapsed() + watch.stalled() >= slept);
        assert!(watch.elapsed() <= began.elapsed());
    }
}
