//! How long a device's observations are missing on record without a word of why.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A time is long from here on: it is kept, to be held against what the machine took of it.
const LONG: Duration = Duration::from_secs(1);

/// What one device saw, and what the record owes for it.
#[derive(Debug, Clone, Default)]
pub(super) struct Owed {
    /// When it saw what is not on record yet, in order.
    seen: VecDeque<Instant>,
    /// Since when a word stands: the record says that the device is not heard, or that something of it is withheld. It
    /// covers what was seen before, and stands until all that has come.
    word: Option<Instant>,
    /// It is not in session; or the other is not, of the two whose observations wait for each other's: shoe and chips.
    is_away: [bool; 2],
    /// Nothing is owed for what was before: a word covered it.
    owed_from: Option<Instant>,
    longest: Duration,
    /// When that ended.
    longest_at: Option<Instant>,
    /// Every long time, and when it ended.
    long: Vec<(Duration, Instant)>,
}

impl Owed {
    /// A sensor of the device moves.
    pub(super) fn sees(&mut self, at: Instant) {
        self.seen.push_back(at);
    }

    /// How long the oldest observation has gone without a word by then, where none stands.
    fn silent(&mut self, at: Instant) {
        if self.word.is_none()
            && let Some(&seen) = self.seen.front()
        {
            let since = self.owed_from.map_or(seen, |from| from.max(seen));
            let silent = at.saturating_duration_since(since);
            if silent > LONG {
                self.long.push((silent, at));
            }
            if silent > self.longest {
                (self.longest, self.longest_at) = (silent, Some(at));
            }
        }
    }

    /// The record says that something is wrong with what the device tells.
    pub(super) fn word(&mut self, at: Instant) {
        self.silent(at);
        self.word = Some(at);
    }

    /// The record says that it is not in session, or the other.
    pub(super) fn gone(&mut self, at: Instant, other: bool) {
        self.word(at);
        self.is_away[usize::from(other)] = true;
    }

    /// And that it is in session again.
    pub(super) fn back(&mut self, at: Instant, other: bool) {
        self.is_away[usize::from(other)] = false;
        if self.is_away == [false; 2] {
            (self.word, self.owed_from) = (None, Some(at));
        }
    }

    /// The oldest observation is on record.
    pub(super) fn recorded(&mut self, at: Instant) {
        self.silent(at);
        self.seen.pop_front();
        let covers = |word: Instant| self.seen.front().is_some_and(|seen| *seen <= word);
        if self.is_away == [false; 2] && self.word.is_some_and(|word| !covers(word)) {
            (self.word, self.owed_from) = (None, Some(at));
        }
    }

    /// The longest that an observation was neither on record nor covered by a word.
    pub(super) const fn longest(&self) -> Duration {
        self.longest
    }

    /// Every time of more than a second, and when it ended.
    pub(super) fn long(&self) -> &[(Duration, Instant)] {
        &self.long
    }

    /// When that ended.
    pub(super) const fn longest_at(&self) -> Option<Instant> {
        self.longest_at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Move = (u64, fn(&mut Owed, Instant));

    fn gone(owed: &mut Owed, at: Instant) {
        owed.gone(at, false);
    }

    fn other_gone(owed: &mut Owed, at: Instant) {
        owed.gone(at, true);
    }

    fn back(owed: &mut Owed, at: Instant) {
        owed.back(at, false);
    }

    fn after(moves: &[Move]) -> u64 {
        let (start, mut owed) = (Instant::now(), Owed::default());
        for (ms, what) in moves {
            what(&mut owed, start + Duration::from_millis(*ms));
        }
        u64::try_from(owed.longest().as_millis()).unwrap()
    }

    #[test]
    fn what_is_on_record_late_is_silent_so_long_and_a_word_ends_that() {
        assert_eq!(after(&[(0, Owed::sees), (40, Owed::recorded)]), 40);
        assert_eq!(after(&[(0, Owed::sees), (1900, Owed::word), (9000, Owed::recorded)]), 1900);
        assert_eq!(after(&[(0, Owed::sees), (900, gone), (8000, back), (8100, Owed::recorded)]), 900);
        // seen while it is away
        assert_eq!(after(&[(0, gone), (50, Owed::sees), (8000, back), (8070, Owed::recorded)]), 70);
        // it waits for the other
        assert_eq!(after(&[(0, gone), (1, other_gone), (2, back), (50, Owed::sees), (8000, Owed::recorded)]), 0);
    }

    #[test]
    fn a_word_covers_what_was_seen_before_it_and_no_more() {
        let told: [Move; 4] = [(0, Owed::sees), (100, Owed::word), (200, Owed::sees), (300, Owed::recorded)];
        assert_eq!(after(&told), 100);
        let later: [Move; 1] = [(2500, Owed::recorded)];
        assert_eq!(
            after(&[&told[..], &later[..]].concat()),
            2200,
            "the second was owed from the first one's coming on"
        );
        let word: [Move; 2] = [(1000, Owed::word), (2500, Owed::recorded)];
        assert_eq!(after(&[&told[..], &word[..]].concat()), 700);
    }
}
