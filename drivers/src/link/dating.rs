//! When a device saw what it tells: its clock against ours, over its restarts and absences.
//!
//! A device stamps what it sees with milliseconds since its start. The session estimates how far that clock is from
//! ours; here it is decided to which event which estimate belongs:
//!
//! - an event of the device's present start is dated by the present estimate, however long ago it was seen: kept in the
//!   ring through an absence, it was seen long before it came;
//! - an event of the start before, where we were in session then, by the last estimate of that start;
//! - any other is not dated. A time that may be wrong by an unknown amount is none.

use super::machine::DeviceClock;

/// How far two clocks may drift apart, parts of a million: of two crystals, with some to spare.
const DRIFT_PPM: u64 = 200;
/// How far in the future an event may seem to be, milliseconds, beyond what is known of the error: it was seen now.
const SLACK_MS: i64 = 50;

/// How long ago something was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Age {
    /// Milliseconds.
    pub(super) ms: u64,
    /// How wrong that may be, milliseconds either way.
    pub(super) error_ms: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Estimate {
    clock: DeviceClock,
    /// When it was made, milliseconds of our clock.
    at_ms: u64,
}

/// One start of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Start {
    serial: String,
    boots: u32,
    epoch: u32,
    /// Its first event.
    fresh: u32,
    estimate: Option<Estimate>,
}

/// The starts of a device that are known: the present one and the one before.
#[derive(Debug, Default)]
pub(super) struct Dates {
    now: Option<Start>,
    before: Option<Start>,
}

impl Dates {
    /// The device has come into session; `fresh` is the first event of this start.
    pub(super) fn online(&mut self, serial: &str, (boots, epoch): (u32, u32), fresh: u32) {
        let same = |start: &Start| start.serial == serial && start.epoch == epoch;
        match &mut self.now {
            Some(now) if same(now) && now.boots == boots => now.fresh = fresh,
            now => {
                let fresh = Start { serial: serial.to_owned(), boots, epoch, fresh, estimate: None };
                // what was kept through more starts than one may be of any of them
                self.before =
                    now.replace(fresh).filter(|start| same(start) && start.boots.checked_add(1) == Some(boots));
            }
        }
    }

    /// The session's newest estimate: our clock is the device's and `clock.offset_ms`. `now_ms` here and below is our
    /// clock, which never stands still.
    pub(super) fn estimated(&mut self, now_ms: u64, clock: DeviceClock) {
        if let Some(now) = &mut self.now {
            now.estimate = Some(Estimate { clock, at_ms: now_ms });
        }
    }

    /// What is known of the device's clock.
    pub(super) fn clock(&self) -> Option<DeviceClock> {
        Some(self.now.as_ref()?.estimate?.clock)
    }

    /// How long ago the event was seen; `None` where that cannot be known.
    pub(super) fn age(&self, now_ms: u64, seq: u32, at_ms: u32) -> Option<Age> {
        let now = self.now.as_ref()?;
        let start = if seq >= now.fresh { now } else { self.before.as_ref().filter(|start| seq >= start.fresh)? };
        let Estimate { clock, at_ms: estimated_ms } = start.estimate?;
        // the device's clock wraps: of the difference only what fits in it is meant
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_possible_wrap,
            reason = "modulo"
        )]
        let late = (now_ms as i64).wrapping_sub(clock.offset_ms) as u32;
        let age = i64::from(late.wrapping_sub(at_ms).cast_signed());
        if age < -(i64::from(clock.error_ms) + SLACK_MS) {
            return None;
        }
        let ms = u64::try_from(age).unwrap_or(0);
        let drifted = now_ms.saturating_sub(ms).abs_diff(estimated_ms) * DRIFT_PPM / 1_000_000;
        let error = u64::from(clock.error_ms) + drifted + 1;
        Some(Age { ms, error_ms: u32::try_from(error).unwrap_or(u32::MAX) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn clock(offset_ms: i64) -> DeviceClock {
        DeviceClock { offset_ms, error_ms: 3, round_trip_ms: 6 }
    }

    fn ages(dates: &Dates, now_ms: u64, events: &[(u32, u32)]) -> Vec<Option<u64>> {
        events.iter().map(|&(seq, at_ms)| dates.age(now_ms, seq, at_ms).map(|age| age.ms)).collect()
    }

    #[test]
    fn what_was_kept_through_an_absence_is_as_old_as_it_is() {
        let mut dates = Dates::default();
        dates.online("S-1", (4, 7), 1);
        assert_eq!(ages(&dates, 9_000, &[(1, 1000)]), [None], "no estimate yet");
        dates.estimated(10_000, clock(5_000));
        assert_eq!(ages(&dates, 10_000, &[(1, 1_000), (2, 4_990)]), [Some(4_000), Some(10)]);
        // a minute away, and back in the same start: the old estimate holds until there is a new one
        dates.online("S-1", (4, 7), 1);
        let age = dates.age(70_000, 3, 20_000).unwrap();
        assert_eq!((age.ms, age.error_ms), (45_000, 3 + 3 + 1), "15 s of drift, at 200 of a million");
        assert_eq!(dates.age(70_000, 4, 64_990).unwrap().error_ms, 3 + 11 + 1);
        dates.estimated(70_000, clock(5_010));
        assert_eq!(ages(&dates, 70_000, &[(3, 20_000)]), [Some(44_990)]);
    }

    #[test]
    fn a_restart_dates_what_came_before_it_by_the_clock_of_then() {
        let mut dates = Dates::default();
        dates.online("S-1", (4, 7), 1);
        dates.estimated(10_000, clock(5_000));
        // restarted at 60 000; event 9 is the first it saw since, and 8 the last it saw before
        dates.online("S-1", (5, 7), 9);
        assert_eq!(ages(&dates, 61_000, &[(8, 50_000), (9, 500)]), [Some(6_000), None]);
        dates.estimated(61_000, clock(60_000));
        assert_eq!(ages(&dates, 61_000, &[(8, 50_000), (9, 500)]), [Some(6_000), Some(500)]);
        // twice while nobody listened: what is older than the last start cannot be dated
        dates.online("S-1", (7, 7), 12);
        dates.estimated(90_000, clock(89_000));
        assert_eq!(ages(&dates, 90_000, &[(11, 800), (12, 800)]), [None, Some(200)]);
    }

    #[test]
    fn another_device_another_ring_and_nonsense_are_not_dated() {
        let mut dates = Dates::default();
        dates.online("S-1", (4, 7), 1);
        dates.estimated(10_000, clock(5_000));
        dates.online("S-2", (5, 7), 3);
        dates.estimated(20_000, clock(19_000));
        assert_eq!(ages(&dates, 20_000, &[(2, 100), (3, 100)]), [None, Some(900)]);
        dates.online("S-2", (6, 8), 3);
        dates.estimated(30_000, clock(29_000));
        assert_eq!(ages(&dates, 30_000, &[(2, 100), (3, 100)]), [None, Some(900)]);
        // a little in the future is now, and much is wrong
        assert_eq!(ages(&dates, 30_000, &[(3, 1_020), (3, 5_000)]), [Some(0), None]);
    }

    #[test]
    fn the_devices_clock_may_wrap_between() {
        let mut dates = Dates::default();
        dates.online("S-1", (4, 7), 1);
        // it has run for 2^32 ms and 2 s more
        dates.estimated(10_000, clock(10_000 - (1 << 32) - 2_000));
        assert_eq!(ages(&dates, 10_000, &[(1, 500), (2, u32::MAX - 499)]), [Some(1_500), Some(2_500)]);
        dates.estimated(10_000, clock(8_000));
        assert_eq!(ages(&dates, 10_000, &[(1, 500), (2, u32::MAX - 499)]), [Some(1_500), Some(2_500)]);
    }
}
