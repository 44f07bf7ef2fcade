//! What time it was at the host when a device's clock showed so many milliseconds.

/// Samples of which the best counts.
const SAMPLES: usize = 8;
/// Samples so far apart show how fast a clock goes.
const APART_MS: u64 = 1000;

/// A device's clock beside the host's: at the host's `host_ms` it showed `device_ms`, within `within_ms` either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Milliseconds of the host's clock.
    pub host_ms: i64,
    /// Milliseconds of the device's, since its start; it wraps.
    pub device_ms: u32,
    /// How wrong this can be, milliseconds: half of the time that question and answer took.
    pub within_ms: u32,
    /// How much faster or slower than the host's it goes, as far as its answers show it: parts of a million.
    pub strays_ppm: u32,
}

impl Clock {
    /// A question that left at `sent_ms` was answered at `now_ms` by a device that showed `device_ms`.
    #[must_use]
    pub const fn sampled(sent_ms: u64, now_ms: u64, device_ms: u32) -> Self {
        let took = now_ms.saturating_sub(sent_ms);
        let within_ms = if took / 2 >= u32::MAX as u64 { u32::MAX } else { took.div_ceil(2) as u32 };
        Self { host_ms: (sent_ms + took / 2) as i64, device_ms, within_ms, strays_ppm: 0 }
    }

    /// The same, where the host's clock stood still for so long between question and answer: the device has answered at
    /// some time in that, too.
    #[must_use]
    pub const fn while_standing(self, ms: u64) -> Self {
        let half = ms.div_ceil(2);
        let half_ms = if half >= u32::MAX as u64 { u32::MAX } else { half as u32 };
        let host_ms = self.host_ms.saturating_sub_unsigned(ms / 2);
        Self { host_ms, within_ms: self.within_ms.saturating_add(half_ms), ..self }
    }

    /// The device's zero at the host, milliseconds: what is added to its clock.
    #[must_use]
    pub const fn offset_ms(&self) -> i64 {
        self.host_ms - self.device_ms as i64
    }

    /// How far the device's clock has strayed between this sample and another, beyond what both may be wrong: parts of
    /// a million. Samples that are close together show nothing.
    fn strays_from(&self, other: &Self) -> u32 {
        let device = i64::from(other.device_ms.wrapping_sub(self.device_ms) as i32);
        let apart = (other.host_ms - self.host_ms).unsigned_abs();
        let excused = u64::from(self.within_ms) + u64::from(other.within_ms) + 2;
        let strayed = (other.host_ms - self.host_ms - device).unsigned_abs().saturating_sub(excused);
        let ppm = if apart < APART_MS { 0 } else { strayed.saturating_mul(1_000_000) / device.unsigned_abs().max(1) };
        u32::try_from(ppm).unwrap_or(u32::MAX)
    }

    /// How long before `now_ms` the device showed `device_ms`: 24 days at the most, and not in the future.
    #[must_use]
    pub const fn age_ms(&self, now_ms: u64, device_ms: u32) -> u32 {
        let then = self.host_ms + (device_ms.wrapping_sub(self.device_ms) as i32) as i64;
        let age = now_ms as i64 - then;
        if age < 0 {
            0
        } else if age > u32::MAX as i64 {
            u32::MAX
        } else {
            age as u32
        }
    }
}

/// Whether a clock that wraps showed `this` before it showed `that`.
const fn is_before(this: u32, that: u32) -> bool {
    (this.wrapping_sub(that) as i32) < 0
}

/// The clock of the device in session, by the quickest of the last few answers, and of its start before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clocks {
    samples: [Option<Clock>; SAMPLES],
    next: usize,
    /// The clock of the start before this one, where this host knew it.
    before: Option<Clock>,
    /// First event of this start.
    fresh: u32,
    /// The clock of the last event of this start, and of the last answer.
    last: [Option<u32>; 2],
    /// It has gone back within this start: its times are not believed.
    went_back: bool,
}

/// What the device's clock was told with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    Event,
    Answer,
}

impl Clocks {
    /// A session begins, and the device shows `device_ms`. It has started so often since the one before, which was with
    /// the same device. There is a sample where it is known when it was asked.
    pub(crate) fn begin(&mut self, starts: u32, fresh: u32, device_ms: u32, sample: Option<Clock>) {
        let before = match starts {
            0 => self.before,
            1 => self.now(),
            _ => None,
        };
        let same_start = if starts == 0 { (self.last, self.went_back) } else { Default::default() };
        *self = Self { before, fresh, last: same_start.0, went_back: same_start.1, ..Self::default() };
        // of the same start it may have been said while the session before went on, and kept back by the line
        if !self.has_restarted(device_ms, 0) {
            self.told(Told::Answer, device_ms);
        }
        if let Some(sample) = sample {
            self.take(sample);
        }
    }

    /// The device has told its clock. Events come in order, and so do answers; one may overtake the other. Whether it
    /// has gone back just now, for the first time in this start.
    pub(crate) fn told(&mut self, with: Told, device_ms: u32) -> bool {
        let Some(last) = self.last.get_mut(with as usize) else { return false };
        let is_back = last.is_some_and(|last| is_before(device_ms, last));
        *last = Some(device_ms);
        let is_news = is_back && !self.went_back;
        self.went_back |= is_back;
        is_news
    }

    /// Whether a clock that showed this so long ago at the most has gone back since it was last heard: it has started
    /// again.
    pub(crate) fn has_restarted(&self, device_ms: u32, ago_ms: u64) -> bool {
        let now_ms = device_ms.wrapping_add(u32::try_from(ago_ms).unwrap_or(u32::MAX));
        self.last.iter().flatten().any(|last| is_before(now_ms, *last))
    }

    /// Whether a device has been in session.
    pub(crate) fn is_begun(&self) -> bool {
        self.last.iter().any(Option::is_some)
    }

    /// First event of this start.
    pub(crate) const fn fresh(&self) -> u32 {
        self.fresh
    }

    pub(crate) fn take(&mut self, sample: Clock) {
        if let Some(place) = self.samples.get_mut(self.next) {
            *place = Some(sample);
        }
        self.next = (self.next + 1) % SAMPLES;
    }

    pub(crate) fn now(&self) -> Option<Clock> {
        let trusted = self.samples.iter().flatten().filter(|_| !self.went_back);
        let best = trusted.min_by_key(|sample| sample.within_ms)?;
        let strays_ppm = self.samples.iter().flatten().map(|other| best.strays_from(other)).max().unwrap_or(0);
        Some(Clock { strays_ppm, ..*best })
    }

    /// The clock by which an event was timed.
    pub(crate) fn of(&self, seq: u32) -> Option<Clock> {
        if seq >= self.fresh { self.now() } else { self.before }
    }

    /// The host's clock stood still for so long, and the device's did not.
    pub(crate) fn shift(&mut self, ms: u64) {
        for clock in self.samples.iter_mut().chain([&mut self.before]).flatten() {
            clock.host_ms -= ms as i64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_as_old_as_the_quickest_answer_says() {
        let mut clocks = Clocks::default();
        clocks.begin(0, 1, 7200, Some(Clock::sampled(1000, 1400, 7200)));
        clocks.take(Clock::sampled(2000, 2010, 8005));
        clocks.take(Clock::sampled(3000, 3900, 9100));
        let clock = clocks.now().expect("samples");
        assert_eq!((clock.offset_ms(), clock.within_ms), (-6000, 5));
        assert_eq!((clock.age_ms(5000, 10_000), clock.age_ms(5000, 12_000)), (1000, 0));
    }

    #[test]
    fn a_clock_that_wraps_is_followed() {
        let clock = Clock::sampled(500, 500, u32::MAX - 9);
        assert_eq!(clock.age_ms(1500, 490), 500);
    }

    #[test]
    fn events_of_an_earlier_start_have_that_starts_clock_or_none() {
        let mut clocks = Clocks::default();
        clocks.begin(0, 1, 100, Some(Clock::sampled(0, 0, 100)));
        clocks.begin(1, 8, 0, Some(Clock::sampled(5000, 5000, 0)));
        assert_eq!(clocks.of(7).map(|clock| clock.age_ms(5000, 3100)), Some(2000));
        assert_eq!(clocks.of(8).map(|clock| clock.age_ms(5000, 0)), Some(0));
        let mut strange = Clocks::default();
        strange.begin(0, 8, 0, Some(Clock::sampled(5000, 5000, 0)));
        assert_eq!(strange.of(7), None);
        clocks.begin(2, 12, 0, Some(Clock::sampled(9000, 9000, 0)));
        assert_eq!(clocks.of(11), None);
    }

    #[test]
    fn a_clock_that_goes_back_is_believed_no_more_until_the_next_start() {
        let mut clocks = Clocks::default();
        clocks.begin(0, 1, 500, Some(Clock::sampled(1000, 1000, 500)));
        assert!(!clocks.told(Told::Event, 700) && !clocks.told(Told::Answer, 690) && !clocks.told(Told::Event, 700));
        assert!(
            clocks.of(1).is_some()
                && !clocks.has_restarted(701, 0)
                && clocks.has_restarted(0, 0)
                && !clocks.has_restarted(0, 700)
        );
        assert!(clocks.told(Told::Event, 699) && !clocks.told(Told::Event, 698), "told once");
        assert_eq!(clocks.of(1), None);
        clocks.begin(1, 9, 0, Some(Clock::sampled(5000, 5000, 0)));
        assert!(clocks.of(9).is_some() && clocks.of(8).is_none());
    }

    #[test]
    fn how_fast_a_clock_goes_is_known_by_its_answers() {
        for (pace, ppm) in [(1000, 0), (960, 41_666), (500, 1_000_000), (1200, 166_666)] {
            let mut clocks = Clocks::default();
            clocks.begin(0, 1, 0, None);
            for n in 0..8_u64 {
                let (sent, device_ms) = (n * 400, (n * 400 * pace / 1000) as u32);
                clocks.take(Clock::sampled(sent, sent + 1, device_ms));
            }
            let strays = clocks.now().expect("samples").strays_ppm;
            assert!(strays <= ppm && strays >= ppm * 19 / 20, "{pace}: {strays}");
        }
    }

    #[test]
    fn a_host_that_stood_still_does_not_know_when_in_that_it_was_answered() {
        let clock = Clock::sampled(1000, 1010, 500).while_standing(4000);
        assert_eq!((clock.host_ms, clock.within_ms), (1005 - 2000, 2005));
    }

    #[test]
    fn while_the_host_stood_still_the_device_went_on() {
        let mut clocks = Clocks::default();
        clocks.begin(0, 1, 0, Some(Clock::sampled(1000, 1000, 0)));
        clocks.shift(4000);
        // the host's 1500 is the device's 4500
        assert_eq!(clocks.now().map(|clock| clock.age_ms(1500, 4200)), Some(300));
    }
}
