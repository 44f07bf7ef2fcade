//! What is known of a device's absence: whether everything it saw meanwhile has been told, as it happened.
//!
//! A device that keeps what it sees tells it when it is back. That is the whole of it where the device did not restart,
//! had room all the time and is not said to have lost an event. It is in the order in which things happened where no
//! other device has told of something later before. What is told in another order would accuse the innocent.

use sabot_journal::SeenAt;
use sabot_law::table::{Event, Name};

/// A device that the record calls away, or that no station has heard for a while.
#[derive(Debug, Default)]
pub(super) struct Absence {
    /// The station itself was away, and the record does not call the device so.
    unsaid: bool,
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

    /// One that is known from the station's own alone: it was not there.
    pub(super) fn unsaid() -> Self {
        Self { unsaid: true, ..Self::default() }
    }

    /// The record does not call the device away.
    pub(super) const fn is_unsaid(&self) -> bool {
        self.unsaid
    }

    /// Where something is lost of an absence that the record does not know, it is to be told now: true once.
    pub(super) const fn say_if_broken(&mut self) -> bool {
        let says = self.unsaid && self.broken;
        self.unsaid &= !says;
        says
    }

    /// Something of it is lost, and the record says that of itself.
    pub(super) const fn breaks(&mut self) {
        self.broken |= !self.unsaid;
    }

    /// It is in session again, and says this of itself.
    pub(super) fn is_back(&mut self, detail: Name, restarted: bool) {
        self.broken |= restarted; // nobody has looked while it started
        (self.back, self.caught_up) = (Some(detail), false);
    }

    /// It sees nothing, and the record says so.
    pub(super) const fn takes_no_more(&mut self) {
        (self.unsaid, self.broken) = (false, true);
    }

    /// It sees again. Where it was in session all the time, it has nothing more to tell.
    pub(super) fn is_here(&mut self, detail: Name) {
        if self.back.is_none() {
            (self.back, self.caught_up) = (Some(detail), true);
        }
    }

    /// It has gone again; `said` where the record calls it away now.
    pub(super) fn goes_again(&mut self, said: bool) {
        self.unsaid &= !said;
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
        self.looks_at(seen);
    }

    /// What it tells was seen then.
    pub(super) fn looks_at(&mut self, seen: Option<SeenAt>) {
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
