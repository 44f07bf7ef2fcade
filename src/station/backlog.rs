//! What devices kept while no station was there, told in the order in which it was seen.
//!
//! After a start each device tells its whole ring. One ring after the other, a pass by the book would read as its
//! cards, then its keys, then its chips. So what they tell waits here until the earliest of all is known: until each
//! device that keeps what it sees has something to tell, or has told all. A device whose clock is not trusted does not
//! wait.

use std::collections::VecDeque;

use sabot_drivers::{Saw, Seen};
use sabot_journal::SeenAt;
use sabot_wire::message::{ChipsSaw, Observation, Role, ShoeSaw};

use super::config::{DeviceConfig, Driver};

/// How long a device is waited for that does not come, or that tells no more, milliseconds.
pub(super) const WAIT_MS: u64 = 3000;
/// Most events that wait of one device: more than a device of ours tells before it is acknowledged.
const MOST: usize = 64;

#[derive(Debug)]
struct Waits {
    seen: Seen,
    /// Before what it goes, milliseconds of the record's clock. Never less than that of the device's event before.
    at_ms: i64,
}

#[derive(Debug)]
struct Ring {
    role: Role,
    /// It has something to tell, as far as is known.
    is_awaited: bool,
    waiting: VecDeque<Waits>,
}

/// What waits for its order.
#[derive(Debug)]
pub(super) struct Backlog {
    rings: Vec<Ring>,
    /// Until when the devices are waited for.
    until: u64,
}

impl Backlog {
    /// For the devices of a table whose record goes on.
    pub(super) fn new(configs: &[DeviceConfig], now: u64) -> Self {
        let keeps = |role| {
            let of_role = |device: &&DeviceConfig| device.role == role && role != Role::Display;
            configs.iter().filter(of_role).any(|device| matches!(device.driver, Driver::Own(_)))
        };
        let ring = |role| Ring { role, is_awaited: keeps(role), waiting: VecDeque::new() };
        Self { rings: Role::ALL.into_iter().map(ring).collect(), until: now + WAIT_MS }
    }

    /// A device tells of an event.
    pub(super) fn push(&mut self, role: Role, seen: Seen, at: Option<SeenAt>, now: u64) {
        let Some(ring) = self.rings.iter_mut().find(|ring| ring.role == role) else { return };
        if ring.is_awaited {
            self.until = now + WAIT_MS;
        }
        // equipment without a clock tells at once, and so does what was kept where nothing says when it was seen
        let at_once = if ring.is_awaited { i64::MIN } else { i64::try_from(now).unwrap_or(i64::MAX) };
        let at_ms = at.map_or(at_once, |at| at.at_ms);
        let at_ms = ring.waiting.back().map_or(at_ms, |last| last.at_ms.max(at_ms));
        ring.waiting.push_back(Waits { seen, at_ms });
    }

    /// A device has told all that it kept, or is not waited for.
    pub(super) fn has_told(&mut self, role: Role) {
        self.rings.iter_mut().filter(|ring| ring.role == role).for_each(|ring| ring.is_awaited = false);
    }

    /// Something of the device waits.
    pub(super) fn holds(&self, role: Role) -> bool {
        self.rings.iter().any(|ring| ring.role == role && !ring.waiting.is_empty())
    }

    /// Nothing waits, and nobody is waited for.
    pub(super) fn is_over(&self) -> bool {
        self.rings.iter().all(|ring| !ring.is_awaited && ring.waiting.is_empty())
    }

    /// Until when the devices are waited for, milliseconds of the record's clock.
    pub(super) const fn deadline(&self) -> u64 {
        self.until
    }

    /// Nobody is waited for any longer.
    pub(super) fn give_up(&mut self) {
        self.rings.iter_mut().for_each(|ring| ring.is_awaited = false);
    }

    /// The event that was seen first of all, once that is known; at once where somebody acts and `waits` is false.
    /// `holds` says of which devices an event is taken already and waits for another's.
    pub(super) fn next(&mut self, waits: bool, holds: impl Fn(Role) -> bool) -> Option<(Role, Seen)> {
        let first_at = |ring: &Ring| ring.waiting.front().map(|first| first.at_ms);
        let first = self.rings.iter().filter(|ring| first_at(ring).is_some()).min_by_key(|ring| first_at(ring))?;
        let (role, first) = (first.role, first.waiting.front()?);
        // a card and the antenna that saw it wait for each other
        let awaited_by = pair_of(first.seen.saw.as_ref()).filter(|role| holds(*role));
        let opens = |ring: &Ring| ring.is_awaited && ring.waiting.is_empty() && awaited_by != Some(ring.role);
        let is_full = self.rings.iter().any(|ring| ring.waiting.len() >= MOST);
        if waits && !is_full && first.at_ms > i64::MIN && self.rings.iter().any(opens) {
            return None;
        }
        let ring = self.rings.iter_mut().find(|ring| ring.role == role)?;
        Some((role, ring.waiting.pop_front()?.seen))
    }
}

/// Whose observation belongs to this one.
const fn pair_of(saw: Option<&Saw>) -> Option<Role> {
    match saw {
        Some(Saw::Link(Observation::Shoe(ShoeSaw::Drawn(_)))) => Some(Role::Chips),
        Some(Saw::Link(Observation::Chips(ChipsSaw::CardArrived { .. }))) => Some(Role::Shoe),
        _ => None,
    }
}
