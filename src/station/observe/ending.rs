//! The end of a pass, as the keypad tells it.
//!
//! A frame that a bad line loses is sent again a quarter of a second later. The last cards that were cleared may so be
//! told after the key that ended the pass. Where that key would accuse the dealer, it waits for what was seen before it
//! as long as a frame may need. By the book it waits for nothing.

use sabot_wire::message::{KeypadSaid, Observation, Role};

use super::{Observer, Table};
use crate::placement::{EARLY_MS, is_before};
use crate::sourced_event::{EventSource, device_event};
use sabot_journal::SeenAt;
use sabot_law::table::Event;

/// Two touches of one key that are one, where the second comes within so long: milliseconds.
const DOUBLE_MS: i64 = 1000;
/// The status of a key that was touched twice.
const TOUCHED_TWICE: &str = "touched_twice";

/// The end of a pass that waits.
#[derive(Debug)]
pub(super) struct HeldEnd {
    source: EventSource,
    pub(super) until: u64,
}

impl Observer {
    /// Whether the keypad's end of the pass waits, or was the same touch as the one before; else it is told as any
    /// entry.
    pub(super) fn ends(&mut self, saw: &Observation, source: &EventSource, now: u64, table: &mut impl Table) -> bool {
        if !matches!(saw, Observation::Keypad(KeypadSaid::EndPass)) || self.correcting.is_some() {
            return false;
        }
        self.give_way_to(Role::Keypad, source.seen, now, table);
        let since_end = source.seen.zip(self.ended_at).map(|(seen, ended)| seen.at_ms.saturating_sub(ended));
        if since_end.is_some_and(|since_end| (0..DOUBLE_MS).contains(&since_end)) {
            self.tell(device_event(Role::Keypad, TOUCHED_TWICE, None), Some(source.clone()), table);
            return true;
        }
        if self.has_antennas && source.seen.is_some() && table.would_find(&Event::End {}) {
            self.held_end = Some(HeldEnd { source: source.clone(), until: now + EARLY_MS });
        }
        self.held_end.is_some()
    }

    /// Something else is about to be told: what was certainly seen before the end that waits goes before it.
    pub(super) fn end_gives_way(&mut self, role: Role, seen: Option<SeenAt>, now: u64, table: &mut impl Table) {
        self.has_antennas |= role == Role::Chips;
        let held = self.held_end.as_ref().filter(|held| !is_before(seen, held.source.seen, 0));
        if held.is_some() {
            self.tell_end(now, table);
        }
    }

    /// Nothing is lacking any more of what the end waited for.
    pub(super) fn end_may_be_told(&mut self, now: u64, table: &mut impl Table) {
        if self.held_end.is_some() && !table.would_find(&Event::End {}) {
            self.tell_end(now, table);
        }
    }

    /// The end that waits is told.
    pub(crate) fn tell_end(&mut self, now: u64, table: &mut impl Table) {
        if let Some(HeldEnd { source, .. }) = self.held_end.take() {
            self.keypad(&KeypadSaid::EndPass, source, now, table);
        }
    }

    /// Takes note of what is told, for the next touch.
    pub(super) fn note_touch(&mut self, event: &Event, seen: Option<SeenAt>) {
        match event {
            Event::End {} => self.ended_at = seen.map(|seen| seen.at_ms),
            Event::Device { .. } => {}
            _ => self.ended_at = None,
        }
    }
}
