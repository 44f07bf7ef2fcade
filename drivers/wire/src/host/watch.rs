//! Whether a device of version 3 is heard whole. It says in each answer to a ping what its newest event is: where all
//! up to that has come, nothing was missing when the ping went out. Where no answer has shown that for long, somebody
//! keeps something back: events, answers, or so many of either that it comes to the same.
//!
//! A bad cable does the same by chance. So what is missing is asked for so often that chance lets one through, and only
//! a host that has really asked so often tells anything. Where most of what was lost came damaged, it is told as damage
//! and the device counts as gone. That puts nothing off: whoever stands in between can damage as many frames as he
//! likes.

use heapless::{HistoryBuf, Vec};

use super::report::Withheld;
use crate::{
    AGAIN_MOST_MS, AGAIN_MS, ASK_LEAST_MS, ASK_MS, HELD_BACK_MS, LATE_MS, PING_MS, PROOFS, WATCH_MS, WITHHELD_MS,
};

/// While a device tells what it kept in its absence, one event that comes shows that others are on their way: nothing
/// is told for so long.
const MOVES_MS: u64 = 2 * PING_MS;
/// Pings whose time is known. An answer to one before them shows nothing.
const SENT: usize = 40;
/// Times that the host stood still which are remembered.
const STOOD: usize = 16;
/// Those within so long of the first count as one, at its last moment.
const STOOD_APART_MS: u64 = 1000;
const _: () = assert!(SENT as u64 * ASK_MS > WITHHELD_MS);
/// Pings that went out late are made up for, up to so many milliseconds: a host that is held up a little each time asks
/// as often as one that is not.
const BEHIND_MS: u64 = 500;
/// So few damaged frames are no bad cable.
const FEW: u64 = 4;

/// What the line has done to the device's frames, since it was opened.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Losses {
    /// Frames that came damaged.
    pub(super) damaged: u64,
    /// Frames that the device sealed and that did not come as they were, damaged ones among them.
    pub(super) missing: u64,
}

/// What is told of what does not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overdue {
    /// It came damaged, again and again.
    Garbled,
    /// It did not come at all.
    Withheld(Withheld),
}

/// The host stood still once or several times, milliseconds in all.
#[derive(Debug, Clone, Copy)]
struct Stood {
    first_at: u64,
    last_at: u64,
    ms: u64,
}

/// What is known of the events that should have come.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// When the last ping went out whose answer has shown that nothing was missing then.
    whole_at: u64,
    /// The same, or later: what is missing since may have an excuse.
    since: u64,
    /// What the line had done when that ping went out.
    before: Losses,
    /// What an answer has named since, and has not come.
    named: Option<Named>,
    /// The last pings.
    sent: HistoryBuf<Sent, SENT>,
    /// The last ping was not answered.
    is_unanswered: bool,
    /// When the last ping should have gone out.
    due_at: u64,
    /// When an event last came again that is not on disk, and its number: what comes behind those is on its way.
    again: (u64, u32),
    /// When the first of these came.
    again_since: u64,
    /// When something was told as withheld, until all that was missing then has come.
    told_at: Option<u64>,
    /// How many bounds the latest event was beyond, since one came in time.
    lateness: usize,
    /// The device held events back until the last ones were durable, and none has come in time since.
    is_held_up: bool,
    /// When the host stood still.
    stood: Vec<Stood, STOOD>,
}

/// A ping that went out: its number, when, and what the line had done by then.
#[derive(Debug, Clone, Copy)]
struct Sent {
    ping: u32,
    at: u64,
    losses: Losses,
}

/// Events that the device has named and that have not come.
#[derive(Debug, Clone, Copy)]
struct Named {
    /// The ping whose answer named them first.
    asked: Sent,
    /// The newest of that answer, and of the last one.
    first: u32,
    newest: u32,
}

impl Watch {
    /// A device comes into session, or starts.
    pub(super) const fn begin(&mut self, now_ms: u64, losses: Losses) {
        (self.whole_at, self.since, self.named, self.told_at) = (now_ms, now_ms, None, None);
        self.before = losses;
        self.is_unanswered = false;
    }

    /// A ping goes out.
    pub(super) fn pinged(&mut self, now_ms: u64, ping: u32, losses: Losses) {
        let due_at = if self.is_asking() { self.due_at + ASK_MS } else { now_ms };
        self.due_at = due_at.clamp(now_ms.saturating_sub(BEHIND_MS), now_ms);
        self.sent.write(Sent { ping, at: now_ms, losses });
        self.is_unanswered = true;
    }

    /// The last ping was not answered, or what was named has not come.
    const fn is_asking(&self) -> bool {
        self.is_unanswered || self.named.is_some()
    }

    /// When the next ping is due, after the one at `ping_at`.
    pub(super) fn ping_at(&self, ping_at: u64) -> u64 {
        if self.is_asking() { (self.due_at + ASK_MS).max(ping_at + ASK_LEAST_MS) } else { ping_at + WATCH_MS }
    }

    /// When the ping of this number went out, where that is not long ago.
    pub(super) fn sent_at(&self, ping: u32) -> Option<u64> {
        self.sent_as(ping).map(|sent| sent.at)
    }

    fn sent_as(&self, ping: u32) -> Option<Sent> {
        self.sent.iter().find(|sent| sent.ping == ping).copied()
    }

    /// Nothing was missing at `at`, when the line had done so much.
    fn is_whole(&mut self, at: u64, losses: Losses) {
        if at >= self.whole_at {
            self.before = losses;
        }
        self.whole_at = self.whole_at.max(at);
        self.since = self.since.max(at);
        self.told_at = self.told_at.filter(|told_at| *told_at >= at);
    }

    /// A ping was answered: the newest event of the device is `newest`, and the last one taken `delivered`. Whether it
    /// is to be asked for what is missing.
    pub(super) fn answered(&mut self, ping: u32, newest: u32, delivered: u32) -> bool {
        self.is_unanswered = false;
        let Some(asked) = self.sent_as(ping) else { return false };
        if newest <= delivered {
            self.is_whole(asked.at, asked.losses);
            self.named = None;
            return false;
        }
        match &mut self.named {
            Some(named) => {
                named.newest = named.newest.max(newest);
                true
            }
            // it may be on its way, right behind the answer
            None => {
                self.named = Some(Named { asked, first: newest, newest });
                false
            }
        }
    }

    /// The next event has come, and is `delivered`; `was_kept`: not all has come yet that the device kept in its
    /// absence.
    pub(super) fn moves(&mut self, now_ms: u64, delivered: u32, was_kept: bool) {
        if let Some(named) = self.named.take_if(|named| named.first <= delivered) {
            self.is_whole(named.asked.at, named.asked.losses);
        }
        if was_kept {
            self.since = self.since.max((now_ms + MOVES_MS).saturating_sub(WITHHELD_MS));
        }
    }

    /// This event has come again, and is not on disk. A device begins with the oldest of those.
    pub(super) const fn comes_again(&mut self, now_ms: u64, seq: u32) {
        let (_, last) = self.again;
        if seq <= last {
            self.again_since = now_ms;
        }
        self.again = (now_ms, seq);
    }

    /// The device may send nothing: as much as it may is under way.
    pub(super) fn rests(&mut self, now_ms: u64, losses: Losses) {
        self.named = None;
        self.is_whole(now_ms, losses);
    }

    /// What is withheld, where that is news; the last event taken is `delivered`.
    pub(super) fn overdue(&mut self, now_ms: u64, delivered: u32, losses: Losses) -> Option<Overdue> {
        self.overdue_at().filter(|at| *at <= now_ms)?;
        self.told_at = Some(now_ms);
        let damaged = losses.damaged - self.before.damaged;
        if damaged >= FEW && 4 * damaged >= 3 * (losses.missing - self.before.missing) {
            return Some(Overdue::Garbled);
        }
        let named = self.named.filter(|named| named.newest > delivered);
        let events = named.map(|named| Withheld::Events { from: delivered.saturating_add(1), to: named.newest });
        Some(Overdue::Withheld(events.unwrap_or(Withheld::Answers)))
    }

    /// When it is. A host that stood still has not asked since.
    pub(super) fn overdue_at(&self) -> Option<u64> {
        let asked = self.sent.iter().filter(|sent| sent.at > self.whole_at).count();
        let due = self.since + WITHHELD_MS;
        let (again_at, _) = self.again;
        let most = if self.again_since < due { AGAIN_MOST_MS } else { 0 };
        let due = (again_at + AGAIN_MS).clamp(due, due + most);
        (asked >= PROOFS && self.told_at.is_none()).then_some(due)
    }

    /// Whether what was told as withheld still is, as far as the device has said.
    pub(super) const fn stands(&self) -> bool {
        self.told_at.is_some()
    }

    /// The host stood still for so long.
    pub(super) fn stood_still(&mut self, now_ms: u64, ms: u64) {
        if let Some(stood) = self.stood.last_mut()
            && stood.first_at + STOOD_APART_MS > now_ms
        {
            (stood.last_at, stood.ms) = (now_ms, stood.ms.saturating_add(ms));
            return;
        }
        if self.stood.is_full() {
            self.stood.remove(0);
        }
        let _ = self.stood.push(Stood { first_at: now_ms, last_at: now_ms, ms });
    }

    /// For how long it stood still since then.
    pub(super) fn stood_since(&self, at_ms: u64) -> u64 {
        let since = self.stood.iter().filter(|stood| stood.last_at >= at_ms);
        since.fold(0, |sum: u64, stood| sum.saturating_add(stood.ms))
    }

    /// The device holds events back until the host calls the last ones durable.
    pub(super) const fn holds_up(&mut self) {
        self.is_held_up = true;
    }

    /// An event has come that was seen in session, so long ago. Whether it is to be told that this was late.
    pub(super) fn came(&mut self, now_ms: u64, age_ms: u32) -> bool {
        if age_ms <= LATE_MS {
            (self.lateness, self.is_held_up) = (0, false);
            return false;
        }
        // what the host did before the event was seen is no excuse
        let own_ms = self.stood_since(now_ms.saturating_sub(age_ms.into()));
        let late_ms = u64::from(age_ms).saturating_sub(own_ms);
        let lateness = [LATE_MS, HELD_BACK_MS].iter().filter(|bound| late_ms > u64::from(**bound)).count();
        let is_news = !self.is_held_up && lateness > self.lateness;
        if is_news {
            self.lateness = lateness;
        }
        is_news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: Losses = Losses { damaged: 0, missing: 0 };

    /// A ping every 50 ms until `upto`, each answered as `answer` says; when what is withheld, and what.
    fn watched(watch: &mut Watch, upto: u64, answer: impl Fn(u32) -> Option<u32>) -> Option<(u64, Withheld)> {
        for ping in 1..=u32::try_from(upto / ASK_MS).unwrap() {
            let now = u64::from(ping) * ASK_MS;
            match watch.overdue(now, 3, GOOD) {
                Some(Overdue::Withheld(what)) => return Some((now, what)),
                Some(Overdue::Garbled) => panic!("nothing was damaged"),
                None => {}
            }
            watch.pinged(now, ping, GOOD);
            if let Some(newest) = answer(ping) {
                watch.answered(ping, newest, 3);
            }
        }
        None
    }

    #[test]
    fn what_is_missing_is_asked_for_and_told_once_until_nothing_is() {
        let mut watch = Watch::default();
        watch.begin(0, GOOD);
        watch.pinged(500, 1, GOOD);
        assert!(!watch.answered(1, 3, 3));
        watch.pinged(750, 2, GOOD);
        assert!(!watch.answered(2, 4, 3), "it may be right behind");
        assert_eq!(watch.ping_at(750), 800);
        let told = watched(&mut watch, 9000, |ping| (ping > 15).then_some(5));
        let at = (500 + WITHHELD_MS).next_multiple_of(ASK_MS);
        assert_eq!(told, Some((at, Withheld::Events { from: 4, to: 5 })), "since the last good answer");
        assert_eq!(watch.overdue(20_000, 3, GOOD), None, "once");
        assert!(watch.answered(39, 5, 3));
        watch.moves(20_000, 5, false);
        watch.pinged(20_000, 90, GOOD);
        assert!(!watch.answered(90, 5, 5));
        assert_eq!(watch.ping_at(20_000), 20_000 + WATCH_MS);
        assert!(watched(&mut watch, 30_000, |_| Some(9)).is_some(), "and again");
    }

    #[test]
    fn a_host_that_is_late_each_time_asks_as_often_and_is_told_in_time() {
        for late in [0, 7, 24, 30] {
            let mut watch = Watch::default();
            watch.begin(0, GOOD);
            let (mut now, mut last, mut pings) = (0, 0, 0);
            while watch.overdue(now, 3, GOOD).is_none() {
                assert!(now <= WITHHELD_MS + late, "{late}: {pings} pings went out");
                now = watch.ping_at(last).max(now) + late;
                (last, pings) = (now, pings + 1);
                watch.pinged(now, pings, GOOD);
            }
        }
        // one that stood still for long does not make up for all of it
        let mut watch = Watch::default();
        watch.begin(0, GOOD);
        watch.pinged(400, 1, GOOD);
        watch.pinged(9000, 2, GOOD);
        assert_eq!(watch.ping_at(9000), 9000 + ASK_LEAST_MS);
        (3..40).for_each(|ping| watch.pinged(watch.ping_at(9000 + u64::from(ping)), ping, GOOD));
        assert!(watch.ping_at(9000) >= 9000 + ASK_MS);
    }

    #[test]
    fn whoever_lets_an_answer_through_now_and_then_is_told_no_later() {
        for every in 1..9 {
            let mut watch = Watch::default();
            watch.begin(0, GOOD);
            let told = watched(&mut watch, 9000, |ping| (ping % every == 0).then_some(4));
            assert_eq!(told.map(|(at, _)| at), Some(WITHHELD_MS.next_multiple_of(ASK_MS)), "{every}");
        }
        let mut watch = Watch::default();
        watch.begin(0, GOOD);
        assert_eq!(watched(&mut watch, 9000, |_| None).map(|(_, what)| what), Some(Withheld::Answers));
        // an answer to a ping of long ago shows nothing of today
        let mut watch = Watch::default();
        watch.begin(0, GOOD);
        assert!(watched(&mut watch, 9000, |ping| { (ping > 40).then_some(3) }).is_some());
    }

    #[test]
    fn a_host_that_stood_still_and_one_whose_events_come_accuse_nobody() {
        let mut watch = Watch::default();
        watch.begin(0, GOOD);
        watch.pinged(400, 1, GOOD);
        watch.answered(1, 3, 3);
        watch.pinged(800, 2, GOOD);
        assert_eq!((watch.overdue(60_000, 3, GOOD), watch.overdue_at()), (None, None));
        // a hundred events that were kept come one by one
        let mut watch = Watch::default();
        watch.begin(0, GOOD);
        for n in 1..100 {
            let now = u64::from(n) * 50;
            assert_eq!(watch.overdue(now, n, GOOD), None, "{now}");
            watch.pinged(now, n, GOOD);
            watch.answered(n, 200, n);
            watch.moves(now, n + 1, true);
        }
        assert!(watch.overdue(31_000, 100, GOOD).is_some(), "and then no more");
    }

    #[test]
    fn what_came_damaged_is_told_as_damage_and_no_later() {
        let told = |damaged, missing| {
            let mut watch = Watch::default();
            watch.begin(0, Losses { damaged: 70, missing: 90 });
            (1..=PROOFS as u32).for_each(|ping| watch.pinged(u64::from(ping) * ASK_MS, ping, GOOD));
            let losses = Losses { damaged: 70 + damaged, missing: 90 + missing };
            assert_eq!(watch.overdue(WITHHELD_MS - 1, 3, losses), None);
            watch.overdue(WITHHELD_MS, 3, losses)
        };
        let withheld = Some(Overdue::Withheld(Withheld::Answers));
        assert_eq!([told(30, 40), told(FEW, FEW), told(FEW, 0)], [Some(Overdue::Garbled); 3]);
        assert_eq!([told(0, 0), told(FEW - 1, 0), told(29, 40), told(10, 30)], [withheld; 4]);
    }

    #[test]
    fn lateness_is_told_once_until_something_comes_in_time_and_not_where_the_host_held_it_up() {
        let mut watch = Watch::default();
        let now = 90_000;
        assert!(!watch.came(now, LATE_MS) && watch.came(now, LATE_MS + 1) && !watch.came(now, HELD_BACK_MS));
        assert!(watch.came(now, HELD_BACK_MS + 1) && !watch.came(now, HELD_BACK_MS + 9), "once more");
        assert!(!watch.came(now, 10));
        watch.stood_still(now, 500);
        assert!(!watch.came(now, LATE_MS + 400) && watch.came(now, LATE_MS + 501));
        watch.came(now, 0);
        watch.stood_still(now + 9000, 800);
        assert_eq!([now, now + 1, now + 9001].map(|at| watch.stood_since(at)), [1300, 800, 0]);
        assert!(watch.came(now + 20_000, LATE_MS + 400), "that was before it was seen");
        watch.came(now, 0);
        watch.holds_up();
        assert!(!watch.came(now, 90_000));
        // a little each time, without end
        for at in (now + 30_000..now + 40_000).step_by(100) {
            watch.stood_still(at, 10);
        }
        assert_eq!([now + 30_000, now + 39_000].map(|at| watch.stood_since(at)), [1000, 100]);
    }
}
