//! What a process takes of the machine, as the system counts it.

use std::fs;
use std::io;
use std::time::Duration;

/// What a process holds and has used, at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Memory of its own that is resident, KiB: without the program's file, which the system reads again at will.
    pub memory_kib: u64,
    /// The most that was resident so far, KiB, without what of the program's file is resident now.
    pub peak_kib: u64,
    /// Open handles.
    pub handles: usize,
    /// Processor time since it began, its threads' and its own.
    pub processor: Duration,
}

impl Usage {
    /// Of the process with that number.
    ///
    /// # Errors
    /// When it is not there, or the system tells none of this.
    pub fn of(process: u32) -> io::Result<Self> {
        let folder = format!("/proc/{process}");
        let status = fs::read_to_string(format!("{folder}/status"))?;
        let stat = fs::read_to_string(format!("{folder}/stat"))?;
        let file_kib = kib(&status, "RssFile:")?;
        Ok(Self {
            memory_kib: kib(&status, "VmRSS:")?.saturating_sub(file_kib),
            peak_kib: kib(&status, "VmHWM:")?.saturating_sub(file_kib),
            handles: fs::read_dir(format!("{folder}/fd"))?.count(),
            processor: processor_time(&stat)?,
        })
    }

    /// Part of one core used between `before` and now, in per cent.
    #[must_use]
    pub fn share_since(&self, before: &Self, elapsed: Duration) -> f64 {
        let used = self.processor.saturating_sub(before.processor);
        if elapsed.is_zero() { 0.0 } else { 100.0 * used.as_secs_f64() / elapsed.as_secs_f64() }
    }
}

fn unknown(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the system does not tell {what} of the station"))
}

fn kib(status: &str, name: &str) -> io::Result<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).ok_or_else(|| unknown(name))
}

/// The 14th and 15th field, in ticks; the second is the program's name in brackets and may hold anything.
fn processor_time(stat: &str) -> io::Result<Duration> {
    let after_name = stat.rsplit_once(") ").map(|(_, rest)| rest);
    let ticks = after_name.and_then(|rest| {
        let mut fields = rest.split(' ').skip(11);
        let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(user + system)
    });
    let ticks = ticks.ok_or_else(|| unknown("the processor time"))?;
    let a_second = nix::unistd::sysconf(nix::unistd::SysconfVar::CLK_TCK)?;
    let a_second = a_second.and_then(|ticks| u64::try_from(ticks).ok()).filter(|ticks| *ticks > 0);
    Ok(Duration::from_millis(ticks * 1000 / a_second.ok_or_else(|| unknown("its clock"))?))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn this_process_is_measured() {
        let me = std::process::id();
        let (before, since) = (Usage::of(me).unwrap(), Instant::now());
        assert!(before.memory_kib > 500 && before.peak_kib >= before.memory_kib, "{before:?}");
        let files: Vec<_> = (0..20).map(|_| fs::File::open("/proc/self/stat").unwrap()).collect();
        let mut sum = 0_u64;
        while since.elapsed() < Duration::from_millis(120) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        let after = Usage::of(me).unwrap();
        // other tests open and close files meanwhile
        assert!(after.handles + 10 >= before.handles + files.len(), "{before:?} {after:?}");
        assert!(after.share_since(&before, since.elapsed()) > 0.0, "{before:?} {after:?}");
    }

    #[test]
    fn a_programs_name_may_hold_anything() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 100 0 0 0 30 12 0 0 20 0 4 0 100 1 1";
        assert_eq!(processor_time(stat).unwrap(), Duration::from_millis(420));
        assert!(processor_time("7 (a").is_err());
    }
}
