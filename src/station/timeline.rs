//! When what the record tells was seen, and where an entry belongs that its cable told late, or chips of which a reader
//! was sure late.
//!
//! A frame that a bad line loses is sent again a quarter of a second later. The card that the entry asked for may be
//! told before it. Whoever pressed the key in time is not to be accused for that, and the record only grows: so the
//! entry is told as a correction, by the station, where the house gives `station` the right to correct (`may_correct`).
//!
//! A reader that misses tags needs seconds to be sure of a high stack, and tells since when it lies. Cards that were
//! drawn meanwhile, and what was entered on a screen, may be told before it: such chips are put into their place too.

use std::collections::VecDeque;

use super::placement::is_before;
use sabot_journal::SeenAt;
use sabot_law::table::{Event, LineNo, Name, Sight};

/// In whose office the station corrects.
pub(super) const STATION: &str = "station";

/// Lines that are kept in mind: more than a table tells while a device is taken to be there and is not.
const KEPT: usize = 64;

/// How wrong the time may be of what was told at once, by a scanner or on a screen, milliseconds.
const AT_ONCE_MS: u32 = 200;

/// When something was seen that is told at once, by what has no clock of its own.
pub(super) fn at_once(now: u64) -> SeenAt {
    SeenAt { at_ms: i64::try_from(now).unwrap_or(i64::MAX), error_ms: AT_ONCE_MS }
}

/// A line of a pass of which it is known when it was seen, by the line before it.
#[derive(Debug)]
struct Told {
    after: LineNo,
    seen: SeenAt,
}

/// What was told last, in order.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    told: VecDeque<Told>,
    /// The newest line that is no correction: a correction stands elsewhere than it was told.
    newest: Option<LineNo>,
}

impl Timeline {
    /// An event is told, on the line behind `before`.
    pub(super) fn told(&mut self, event: &Event, before: LineNo, seen: Option<SeenAt>) {
        if matches!(event, Event::Correct { .. }) {
            return;
        }
        let after = self.newest.replace(before + 1);
        if matches!(event, Event::End {}) {
            self.told.clear();
        } else if let (Some(after), Some(seen), false) = (after, seen, matches!(event, Event::Device { .. })) {
            if self.told.len() == KEPT {
                self.told.pop_front();
            }
            self.told.push_back(Told { after, seen });
        }
    }

    /// What the dealer entered, or the correction that puts it before what was certainly seen after it.
    pub(super) fn in_its_place(&self, event: Event, seen: Option<SeenAt>) -> Event {
        let is_word = matches!(event.sight(), Some(Sight::Asks | Sight::Decisions | Sight::Announcements));
        if is_word { self.before_later(event, seen) } else { event }
    }

    /// An event, or the correction that puts it before what was certainly seen after it.
    pub(super) fn before_later(&self, event: Event, seen: Option<SeenAt>) -> Event {
        let later = self.told.iter().rev().take_while(|told| is_before(seen, Some(told.seen), 0)).last();
        match later {
            Some(Told { after, .. }) => Event::Correct {
                by: Name::new_static(STATION),
                role: Name::new_static(STATION),
                line: None,
                after: Some(*after),
                event: Some(Box::new(event)),
            },
            None => event,
        }
    }
}
