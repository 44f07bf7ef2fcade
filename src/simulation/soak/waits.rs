//! How long the threads of the station, and those of its devices, waited for a processor, as the system counts it: of a
//! time that came out long this says whether the machine was the cause.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Between two looks.
const LOOK: Duration = Duration::from_millis(50);

/// A long time: which it was, when it ended, and how much of it one thread of the station waited for a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Longest {
    /// The time itself.
    pub took: Duration,
    /// The most that one thread of the station, or of a device or thief, waited for a processor meanwhile.
    pub waited: Duration,
}

impl Longest {
    /// What the machine did not take of it.
    #[must_use]
    pub fn own(&self) -> Duration {
        self.took.saturating_sub(self.waited)
    }
}

/// What the threads of this process are called that are a device, or a thief at its cable.
const AT_THE_CABLE: [&str; 2] = ["twin-", "thief-"];

/// What every thread has waited so far, by its number, in nanoseconds.
type Waited = BTreeMap<u32, u64>;

/// Looks at a process again and again.
#[derive(Debug)]
pub(super) struct Waits {
    looks: Arc<Mutex<Vec<(Instant, Waited)>>>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Waits {
    /// Of the process with that number, and of the devices in this one.
    pub(super) fn of(process: u32) -> std::io::Result<Self> {
        let (looks, ended) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (seen, until) = (Arc::clone(&looks), Arc::clone(&ended));
        let look = move || {
            while !until.load(Ordering::Relaxed) {
                let mut waits = waited(process, |_| true);
                let of_cables = |name: &str| AT_THE_CABLE.iter().any(|of| name.starts_with(of));
                waits.extend(waited(std::process::id(), of_cables));
                seen.lock().unwrap_or_else(PoisonError::into_inner).push((Instant::now(), waits));
                std::thread::sleep(LOOK);
            }
        };
        let thread = Some(std::thread::Builder::new().name("waits".to_owned()).spawn(look)?);
        Ok(Self { looks, ended, thread })
    }

    /// The most that one thread waited in a time that ended then.
    pub(super) fn longest(&self, took: Duration, ended: Instant) -> Longest {
        let looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        let began = ended.checked_sub(took).unwrap_or(ended);
        let before = looks.iter().rev().find(|(at, _)| *at <= began).or(looks.first());
        let after = looks.iter().find(|(at, _)| *at >= ended).or(looks.last());
        let most = before.zip(after).and_then(|((_, before), (_, after))| {
            after.iter().map(|(thread, waited)| waited - before.get(thread).copied().unwrap_or(0).min(*waited)).max()
        });
        Longest { took, waited: Duration::from_nanos(most.unwrap_or(0)) }
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Of the threads with such a name. None of a process that has ended, or where the system does not count it.
fn waited(process: u32, is_asked: impl Fn(&str) -> bool) -> Waited {
    let Ok(tasks) = fs::read_dir(format!("/proc/{process}/task")) else { return Waited::new() };
    tasks
        .filter_map(|task| {
            let task = task.ok()?;
            fs::read_to_string(task.path().join("comm")).ok().filter(|name| is_asked(name))?;
            let counted = fs::read_to_string(task.path().join("schedstat")).ok()?;
            let waited = counted.split(' ').nth(1)?.parse().ok()?;
            Some((task.file_name().to_str()?.parse().ok()?, waited))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_waits_for_a_processor_is_noticed() {
        let (began, over) = (Instant::now(), AtomicBool::new(false));
        let waits = Waits::of(std::process::id()).unwrap();
        let many = 8 * std::thread::available_parallelism().map_or(1, usize::from);
        let longest = std::thread::scope(|scope| {
            (0..many).for_each(|_| {
                drop(scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                }))
            });
            let until = Instant::now() + Duration::from_secs(60);
            let longest = loop {
                std::thread::sleep(LOOK);
                let longest = waits.longest(began.elapsed(), Instant::now());
                if longest.waited > Duration::from_millis(20) || Instant::now() > until {
                    break longest;
                }
            };
            over.store(true, Ordering::Relaxed);
            longest
        });
        assert!(longest.waited > Duration::from_millis(20) && longest.waited <= began.elapsed(), "{longest:?}");
        // nothing is known of a time before the first look
        let before = began.checked_sub(Duration::from_secs(9)).unwrap();
        assert_eq!(waits.longest(Duration::from_secs(1), before).waited, Duration::ZERO);
    }
}
