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

/// Until when the end waits that is told now. What somebody on the line held back has had its wait on the way: with
/// another one, more than two seconds would pass in which nobody hears of it.
fn waits_until(seen: SeenAt, now: u64) -> u64 {
    u64::try_from(seen.at_ms).unwrap_or(0).saturating_add(EARLY_MS).clamp(now, now + EARLY_MS)
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
        if let Some(seen) = source.seen.filter(|_| self.has_antennas && table.would_find(&Event::End {})) {
            self.held_end = Some(HeldEnd { source: source.clone(), until: waits_until(seen, now) });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_waits_from_when_it_was_pressed_and_not_from_when_it_was_told() {
        let until = |at_ms| waits_until(SeenAt { at_ms, error_ms: 0 }, 5000);
        assert_eq!(until(5000), 5900);
        assert_eq!(until(4700), 5600);
        for told_late in [3300, 0, -1, i64::MIN] {
            assert_eq!(until(told_late), 5000, "{told_late}");
        }
        for of_a_wrong_clock in [5001, i64::MAX] {
            assert_eq!(until(of_a_wrong_clock), 5900, "{of_a_wrong_clock}");
        }
    }
}
