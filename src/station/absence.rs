//! What is known of a device's absence: whether everything it saw meanwhile has been told, as it happened.
//!
//! A device that keeps what it sees tells it when it is back. That is the whole of it where the device did not restart,
//! had room all the time and is not said to have lost an event. It is in the order in which things happened where no
//! other device has told of something later before. What is told in another order would accuse the innocent.

use sabot_journal::SeenAt;
use sabot_law::table::{Event, Name};

/// A device that the record calls away.
#[derive(Debug, Default)]
pub(super) struct Absence {
    /// Something that it saw was not told, or not where it belongs.
    broken: bool,
    /// When what others told last was seen, at the latest; milliseconds of the record's clock.
    others: Option<i64>,
    /// It is in session again and tells what it kept. What is to be recorded then.
    back: Option<Name>,
    /// It has told all that.
    caught_up: bool,
}

impl Absence {
    /// One that has begun; `broken` where something of it is not known from the first: a device without room for one
    /// more event looks no more.
    pub(super) fn of(broken: bool) -> Self {
        Self { broken, ..Self::default() }
    }

    /// Something of it is lost.
    pub(super) const fn breaks(&mut self) {
        self.broken = true;
    }

    /// It is in session again, and says this of itself.
    pub(super) fn is_back(&mut self, detail: Name, restarted: bool) {
        self.broken |= restarted; // nobody has looked while it started
        (self.back, self.caught_up) = (Some(detail), false);
    }

    /// It has gone again.
    pub(super) fn goes_again(&mut self) {
        (self.back, self.caught_up) = (None, false);
    }

    /// It has told all that it kept.
    pub(super) const fn has_caught_up(&mut self) {
        self.caught_up = self.back.is_some();
    }

    /// It tells of an event.
    pub(super) fn tells(&mut self, event: &Event, seen: Option<SeenAt>) {
        if let Event::Device { status, .. } = event {
            // an antenna whose card was told without its place, or not at all
            self.broken |= matches!(status.as_str(), "late_place" | "unexplained_card");
            return;
        }
        if matches!(event, Event::Correct { .. }) {
            return; // it says itself where it belongs
        }
        let at = seen.map_or(i64::MIN, |seen| seen.at_ms.saturating_sub(seen.error_ms.into()));
        self.broken |= self.others.is_some_and(|others| at <= others);
    }

    /// Another device tells of an event.
    pub(super) fn other_tells(&mut self, event: &Event, seen: Option<SeenAt>) {
        if !matches!(event, Event::Device { .. }) {
            let at = seen.map_or(i64::MAX, |seen| seen.at_ms.saturating_add(seen.error_ms.into()));
            self.others = Some(self.others.map_or(at, |before| before.max(at)));
        }
    }

    /// What is to be recorded now that it is back and has told all, and whether that was everything.
    pub(super) fn end(&mut self) -> Option<(Name, bool)> {
        let detail = self.back.take_if(|_| self.caught_up)?;
        Some((detail, !self.broken))
    }
}
