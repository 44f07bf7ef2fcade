//! How long the threads of the station, and those of its devices, waited for a processor, as the system counts it, and
//! how long the disk took to keep a byte: of a time that came out long this says whether the machine was the cause.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Between two looks.
const LOOK: Duration = Duration::from_millis(50);

/// What the disk is asked to keep a byte in, beside the record.
const PROBE: &str = "disk.probe";

/// A long time, and how much of it the machine took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Longest {
    /// The time itself.
    pub took: Duration,
    /// The most that one thread of the station, or of a device or thief, waited for a processor meanwhile.
    pub waited: Duration,
    /// The most that the disk took meanwhile to keep one byte.
    pub disk: Duration,
}

impl Longest {
    /// What the machine took of it.
    #[must_use]
    pub fn machine(&self) -> Duration {
        (self.waited + self.disk).min(self.took)
    }

    /// What the machine did not take of it.
    #[must_use]
    pub fn own(&self) -> Duration {
        self.took.saturating_sub(self.machine())
    }
}

/// What the threads of this process are called that are a device, or a thief at its cable.
const AT_THE_CABLE: [&str; 2] = ["twin-", "thief-"];

/// What every thread has waited so far, by its number, in nanoseconds.
type Waited = BTreeMap<u32, u64>;

/// When the disk was asked to keep a byte, and when it had.
type Syncs = Vec<(Instant, Instant)>;

/// Looks at a process, and at a disk, again and again.
#[derive(Debug)]
pub(super) struct Waits {
    looks: Arc<Mutex<Vec<(Instant, Waited)>>>,
    syncs: Arc<Mutex<Syncs>>,
    ended: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Waits {
    /// Of the process with that number, of the devices in this one, and of the disk that folder is on.
    pub(super) fn of(process: u32, folder: &Path) -> std::io::Result<Self> {
        let mut waits =
            Self { looks: Arc::default(), syncs: Arc::default(), ended: Arc::default(), threads: Vec::new() };
        let looks = Arc::clone(&waits.looks);
        waits.again_and_again("waits", move || {
            let mut seen = waited(process, |_| true);
            let of_cables = |name: &str| AT_THE_CABLE.iter().any(|of| name.starts_with(of));
            seen.extend(waited(std::process::id(), of_cables));
            looks.lock().unwrap_or_else(PoisonError::into_inner).push((Instant::now(), seen));
        })?;
        let (syncs, mut probe) = (Arc::clone(&waits.syncs), File::create(folder.join(PROBE))?);
        waits.again_and_again("disk", move || {
            let asked = Instant::now();
            // a disk that refuses says so in the station's own record
            let _ = probe.write_all(b".").and_then(|()| probe.sync_data());
            syncs.lock().unwrap_or_else(PoisonError::into_inner).push((asked, Instant::now()));
        })?;
        Ok(waits)
    }

    fn again_and_again(&mut self, name: &str, mut look: impl FnMut() + Send + 'static) -> std::io::Result<()> {
        let until = Arc::clone(&self.ended);
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            while !until.load(Ordering::Relaxed) {
                look();
                std::thread::sleep(LOOK);
            }
        })?;
        self.threads.push(thread);
        Ok(())
    }

    /// What the machine took of a time that ended then.
    pub(super) fn longest(&self, took: Duration, ended: Instant) -> Longest {
        let looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        let began = ended.checked_sub(took).unwrap_or(ended);
        let before = looks.iter().rev().find(|(at, _)| *at <= began).or(looks.first());
        let after = looks.iter().find(|(at, _)| *at >= ended).or(looks.last());
        let most = before.zip(after).and_then(|((_, before), (_, after))| {
            after.iter().map(|(thread, waited)| waited - before.get(thread).copied().unwrap_or(0).min(*waited)).max()
        });
        let syncs = self.syncs.lock().unwrap_or_else(PoisonError::into_inner);
        let disk =
            syncs.iter().map(|(asked, kept)| (*kept).min(ended).saturating_duration_since((*asked).max(began))).max();
        Longest { took, waited: Duration::from_nanos(most.unwrap_or(0)), disk: disk.unwrap_or_default() }
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
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
        let folder = tempfile::tempdir().unwrap();
        let waits = Waits::of(std::process::id(), folder.path()).unwrap();
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
        let unknown = waits.longest(Duration::from_secs(1), before);
        assert_eq!((unknown.waited, unknown.disk), (Duration::ZERO, Duration::ZERO));
    }

    #[test]
    fn of_a_time_the_disk_took_what_falls_into_it() {
        let (at, ms) = (Instant::now(), Duration::from_millis);
        let waits = Waits {
            looks: Arc::default(),
            syncs: Arc::new(Mutex::new(vec![
                (at, at + ms(5)),
                (at + ms(40), at + ms(740)),
                (at + ms(780), at + ms(784)),
            ])),
            ended: Arc::default(),
            threads: Vec::new(),
        };
        let disk = |from: u64, upto: u64| waits.longest(ms(upto - from), at + ms(upto)).disk;
        assert_eq!(disk(0, 800), ms(700), "the longest one");
        assert_eq!(disk(100, 300), ms(200), "no more of it than the time is long");
        assert_eq!(disk(700, 1000), ms(40));
        assert_eq!(disk(10, 30), ms(0), "before the time, and after it");
        let long = Longest { took: ms(2300), waited: ms(100), disk: ms(700) };
        assert_eq!((long.machine(), long.own()), (ms(800), ms(1500)));
        assert_eq!(Longest { took: ms(300), ..long }.own(), ms(0), "both may be of the same moment");
    }
}
