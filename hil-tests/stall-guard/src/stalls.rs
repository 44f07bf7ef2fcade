//! For how long the machine stood still.
//!
//! A virtual machine is stopped at times, one of its processors or all, for as long as seconds. A thread on each core
//! asks to be woken every ten milliseconds and adds up how late that was. Being late is not yet a stall: the core may
//! have been busy with this very test. So what the thread spent waiting for its turn on the core is taken off, unless
//! the hypervisor says that it took the core away in that time.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// How often each core is asked for.
pub(crate) const EVERY: Duration = Duration::from_millis(10);
/// A core that comes no later than this may only have given others their turn.
const TURN: Duration = Duration::from_millis(50);
/// One unit of `/proc/stat`.
const TICK: Duration = Duration::from_millis(10);

/// What was seen of a core since the first look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Core {
    /// How late its thread was woken, in all.
    pub(crate) late: Duration,
    /// Of that, how long the thread was ready and others had the core.
    pub(crate) waited: Duration,
    /// How long the hypervisor says that it took the core away.
    pub(crate) stolen: Duration,
}

impl Core {
    fn since(self, before: Self) -> Self {
        Self {
            late: self.late.saturating_sub(before.late),
            waited: self.waited.saturating_sub(before.waited),
            stolen: self.stolen.saturating_sub(before.stolen),
        }
    }

    /// For how long it stood still: late without waiting for others, or late and taken away.
    fn stalled(self) -> Duration {
        self.late.saturating_sub(self.waited).max(self.stolen.min(self.late))
    }
}

/// For how long the machine stood still between two looks: as long as the core that did so longest, for cores that
/// stand still at the same time do not make the time longer.
pub(crate) fn between(before: &[Core], after: &[Core]) -> Duration {
    after.iter().zip(before).map(|(after, before)| after.since(*before).stalled()).max().unwrap_or_default()
}

/// All cores as they are now; they are watched from the first call on.
pub(crate) fn look() -> Vec<Core> {
    static WATCHED: OnceLock<Vec<Watched>> = OnceLock::new();
    let stolen = fs::read_to_string("/proc/stat").unwrap_or_default();
    WATCHED.get_or_init(watch_all).iter().map(|core| core.seen(&stolen)).collect()
}

struct Watched {
    number: usize,
    times: Arc<Times>,
}

/// What the thread on a core adds to, in microseconds.
#[derive(Default)]
struct Times {
    late: AtomicU64,
    waited: AtomicU64,
}

impl Watched {
    fn seen(&self, stat: &str) -> Core {
        let micros = |of: &AtomicU64| Duration::from_micros(of.load(Ordering::Relaxed));
        Core { late: micros(&self.times.late), waited: micros(&self.times.waited), stolen: stolen(stat, self.number) }
    }
}

/// A thread on each core that this process may use.
fn watch_all() -> Vec<Watched> {
    let own = sched_getaffinity(Pid::from_raw(0)).unwrap_or_default();
    let cores = (0..CpuSet::count()).filter(|core| own.is_set(*core).unwrap_or(false));
    let watched = cores.map(|number| {
        let times = Arc::new(Times::default());
        let added = Arc::clone(&times);
        std::thread::spawn(move || watch(number, &added));
        Watched { number, times }
    });
    watched.collect()
}

fn watch(number: usize, times: &Times) {
    let mut only = CpuSet::new();
    // where the system does not allow it, the thread runs wherever there is room
    let _ = only.set(number).and_then(|()| sched_setaffinity(Pid::from_raw(0), &only));
    let mut before = waited();
    loop {
        let asleep = Instant::now();
        std::thread::sleep(EVERY);
        let late = asleep.elapsed().saturating_sub(EVERY);
        let now = waited();
        if late > TURN {
            let waited = now.saturating_sub(before).min(late);
            times.waited.fetch_add(waited.as_micros() as u64, Ordering::Relaxed);
            times.late.fetch_add(late.as_micros() as u64, Ordering::Relaxed);
        }
        before = now;
    }
}

/// How long this thread has been ready in its life while others had the core; nothing where the system does not say.
fn waited() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// How long a core was taken away by the hypervisor, from the text of `/proc/stat`.
fn stolen(stat: &str, core: usize) -> Duration {
    let name = format!("cpu{core} ");
    let ticks = stat.lines().find_map(|line| line.strip_prefix(&name)?.split_whitespace().nth(7)?.parse().ok());
    TICK * ticks.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn core(late: u64, waited: u64, stolen: u64) -> Core {
        let ms = Duration::from_millis;
        Core { late: ms(late), waited: ms(waited), stolen: ms(stolen) }
    }

    fn stalled(cores: &[Core]) -> u128 {
        between(&vec![Core::default(); cores.len()], cores).as_millis()
    }

    #[test]
    fn cores_that_stand_still_together_count_once() {
        assert_eq!(stalled(&[core(800, 0, 0), core(800, 0, 0)]), 800);
        assert_eq!(stalled(&[core(300, 0, 0), core(800, 0, 0)]), 800);
        assert_eq!(between(&[core(700, 0, 0)], &[core(800, 0, 0)]).as_millis(), 100);
        assert_eq!(stalled(&[]), 0);
    }

    #[test]
    fn a_core_that_was_busy_with_others_did_not_stand_still() {
        assert_eq!(stalled(&[core(800, 800, 0)]), 0);
        assert_eq!(stalled(&[core(800, 500, 0)]), 300);
        assert_eq!(stalled(&[core(800, 800, 800)]), 800, "they were ready, and the hypervisor had the core");
        assert_eq!(stalled(&[core(0, 0, 800)]), 0, "nobody was late for it");
    }

    #[test]
    fn time_taken_by_the_hypervisor_is_read_for_the_core_that_it_was_taken_from() {
        let stat = "cpu  9 9 9 9 9 9 9 99 0 0\ncpu0 1 0 2 3 4 0 0 12 0 0\ncpu1 1 0 2 3 4 0 0 7 0 0\ncpu10 0 0 0 0 0 0 0 1 0 0\n";
        assert_eq!([0, 1, 10, 2].map(|core| stolen(stat, core).as_millis()), [120, 70, 10, 0]);
    }

    /// The machine may really stand still meanwhile, but hardly each time.
    #[test]
    fn threads_of_this_process_that_keep_every_core_busy_are_no_stall() {
        let tries = (0..5).map(|_| {
            let before = look();
            let end = Instant::now() + Duration::from_millis(400);
            let busy = || while Instant::now() < end {};
            std::thread::scope(|threads| (0..96).for_each(|_| drop(threads.spawn(busy))));
            between(&before, &look())
        });
        let stalls: Vec<Duration> = tries.collect();
        assert!(stalls.iter().any(|stall| *stall < Duration::from_millis(50)), "{stalls:?}");
    }
}
