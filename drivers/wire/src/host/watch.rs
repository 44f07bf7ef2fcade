//! Whether a device of version 3 is heard whole. It says in each answer to a ping what its newest event is; where that
//! does not come, or no answer does while other frames come, somebody withholds it.

use super::report::Withheld;
use crate::{LATE_MS, NOISY_MS, PING_MS, UNANSWERED, WATCH_MS, WITHHELD_MS};

/// Answers that must have named what is missing: a device or host that stood still tells one.
const NAMED: u32 = 3;

/// What is known of the events that should have come.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// What the device has and has not come, where there is something.
    behind: Option<Behind>,
    /// Pings since the last answer, when the first and the last of them went out, and whether anything else came since.
    unanswered: u32,
    unanswered_since: u64,
    pinged_at: u64,
    /// Damaged frames so far.
    bad: u64,
    is_heard: bool,
    told: bool,
    /// An event came late, and none in time since.
    is_late: bool,
    /// Lateness that is the host's own doing, milliseconds.
    held_ms: u32,
}

/// An event that the device has named and that has not come.
#[derive(Debug, Clone, Copy)]
struct Behind {
    /// When it was named first.
    first: u64,
    /// Since when it is missing though no frame was damaged.
    since: u64,
    /// Answers that named it.
    named: u32,
}

impl Watch {
    /// A session begins.
    pub(super) const fn begin(&mut self) {
        (self.behind, self.unanswered, self.is_heard, self.told) = (None, 0, false, false);
    }

    /// A ping goes out.
    pub(super) const fn pinged(&mut self, now_ms: u64) {
        if self.unanswered == 0 {
            self.unanswered_since = now_ms;
        }
        self.unanswered = self.unanswered.saturating_add(1);
        self.pinged_at = now_ms;
    }

    /// So many frames were damaged by now. What is missing may have been in the last of them: a bad cable withholds
    /// nothing. Whoever damages frames to hide that he does has so long.
    pub(super) fn damaged(&mut self, now_ms: u64, bad: u64) {
        if core::mem::replace(&mut self.bad, bad) == bad {
            return;
        }
        if let Some(behind) = self.behind.as_mut().filter(|behind| now_ms < behind.first + NOISY_MS) {
            behind.since = now_ms;
        }
        if now_ms < self.unanswered_since + NOISY_MS {
            self.unanswered = self.unanswered.min(1);
        }
    }

    /// Something has come, whatever it is.
    pub(super) const fn hears(&mut self) {
        self.is_heard = self.unanswered > 0;
    }

    /// When the next ping is due, after the one at `ping_at`.
    pub(super) const fn ping_at(&self, ping_at: u64) -> u64 {
        ping_at + if self.unanswered > 0 { PING_MS } else { WATCH_MS }
    }

    /// A ping was answered: the newest event of the device is `newest`, and the last one taken `delivered`. Whether it
    /// is to be asked for what is missing, and what is withheld where that is news.
    pub(super) fn answered(&mut self, now_ms: u64, newest: u32, delivered: u32) -> (bool, Option<Withheld>) {
        (self.unanswered, self.is_heard) = (0, false);
        if newest <= delivered {
            (self.behind, self.told) = (None, false);
            return (false, None);
        }
        // it may be on its way, right behind the answer
        let Some(behind) = &mut self.behind else {
            self.behind = Some(Behind { first: now_ms, since: now_ms, named: 1 });
            return (false, None);
        };
        let is_news = behind.since + WITHHELD_MS <= now_ms && behind.named >= NAMED && !self.told;
        behind.named = behind.named.saturating_add(1);
        self.told |= is_news;
        (true, is_news.then_some(Withheld::Events { from: delivered.saturating_add(1), to: newest }))
    }

    /// The next event has come, or the device may send none.
    pub(super) const fn moves(&mut self) {
        self.behind = None;
    }

    /// What is withheld, where so many pings were not answered though something else has come.
    pub(super) fn overdue(&mut self, now_ms: u64) -> Option<Withheld> {
        let is_news = self.overdue_at().is_some_and(|at| at <= now_ms);
        self.told |= is_news;
        is_news.then_some(Withheld::Answers)
    }

    /// When it is.
    pub(super) fn overdue_at(&self) -> Option<u64> {
        let is_due = self.unanswered >= UNANSWERED && self.is_heard && !self.told;
        is_due.then_some(self.pinged_at + PING_MS)
    }

    /// The host stood still for so long.
    pub(super) fn stood_still(&mut self, ms: u64) {
        self.held_ms = self.held_ms.saturating_add(u32::try_from(ms).unwrap_or(u32::MAX));
    }

    /// The device holds events back until the host calls the last ones durable.
    pub(super) const fn holds_up(&mut self) {
        self.held_ms = u32::MAX;
    }

    /// An event has come that was seen in session, so long ago. Whether it is to be told that this was late.
    pub(super) const fn came(&mut self, age_ms: u32) -> bool {
        if age_ms <= LATE_MS {
            (self.is_late, self.held_ms) = (false, 0);
            return false;
        }
        let is_news = !self.is_late && age_ms > LATE_MS.saturating_add(self.held_ms);
        self.is_late |= is_news;
        is_news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_asked_for_and_told_once() {
        let mut watch = Watch::default();
        assert_eq!(watch.answered(0, 3, 3), (false, None));
        assert_eq!(watch.answered(500, 4, 3), (false, None), "it may be right behind");
        assert_eq!(watch.answered(750, 4, 3), (true, None));
        assert_eq!(watch.answered(1000, 4, 3), (true, None));
        let told = Some(Withheld::Events { from: 4, to: 5 });
        assert_eq!(watch.answered(1700, 5, 3), (true, told));
        assert_eq!(watch.answered(1900, 5, 3), (true, None));
        assert_eq!(watch.answered(2100, 5, 5), (false, None));
        assert_eq!(watch.answered(2600, 6, 5), (false, None));
        watch.moves();
        assert_eq!(watch.answered(4000, 7, 6), (false, None), "what came proves that something does");
        assert_eq!(watch.answered(5300, 7, 6), (true, None), "one of the two stood still");
        watch.answered(5400, 7, 6);
        assert!(watch.answered(5500, 7, 6).1.is_some(), "and again");
    }

    #[test]
    fn answers_that_do_not_come_are_told_though_other_frames_do() {
        let mut watch = Watch::default();
        assert_eq!(watch.ping_at(100), 100 + WATCH_MS);
        for n in 0..u64::from(UNANSWERED) {
            assert_eq!(watch.overdue_at(), None);
            watch.pinged(100 + n * PING_MS);
        }
        assert_eq!((watch.ping_at(350), watch.overdue_at()), (350 + PING_MS, None), "silence is another matter");
        watch.hears();
        let at = 100 + u64::from(UNANSWERED) * PING_MS;
        assert_eq!((watch.overdue(at - 1), watch.overdue_at()), (None, Some(at)));
        assert_eq!(watch.overdue(at), Some(Withheld::Answers));
        assert_eq!((watch.overdue(at + 1), watch.overdue_at()), (None, None));
    }

    #[test]
    fn a_bad_cable_is_not_taken_for_a_thief_and_a_thief_does_not_hide_behind_one_for_long() {
        let mut watch = Watch::default();
        watch.answered(0, 4, 3);
        let mut told_at = None;
        for (bad, now) in (1..).zip((250..15_000).step_by(250)) {
            watch.damaged(now, bad);
            if watch.answered(now, 4, 3).1.is_some() {
                told_at = Some(now);
                break;
            }
        }
        assert_eq!(told_at, Some(NOISY_MS + 1000), "{told_at:?}");
        let mut watch = Watch::default();
        for (bad, n) in (1..).zip(0..u64::from(UNANSWERED) * 2) {
            watch.pinged(n * PING_MS);
            watch.hears();
            watch.damaged(n * PING_MS, bad);
            assert_eq!(watch.overdue(n * PING_MS + PING_MS), None);
        }
    }

    #[test]
    fn lateness_is_told_once_until_something_comes_in_time_and_not_where_the_host_held_it_up() {
        let mut watch = Watch::default();
        assert!(!watch.came(LATE_MS) && watch.came(LATE_MS + 1) && !watch.came(LATE_MS + 9));
        assert!(!watch.came(10));
        watch.stood_still(500);
        assert!(!watch.came(LATE_MS + 400) && watch.came(LATE_MS + 501));
        watch.came(0);
        watch.holds_up();
        assert!(!watch.came(90_000));
    }
}
