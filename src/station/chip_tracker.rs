//! Where each chip lies, compared with the house's registry.

use std::collections::HashSet;

use sabot_wire::message as wire;
use smol_str::format_smolstr;

use super::lying::{DOUBLED_MS, Lying};
use super::registry::{Chip, Registry, State, parse_uid};
use sabot_law::table::{BetSpot, Event, HandId, Name};

/// A spot of the felt.
type Spot = (HandId, BetSpot);

/// What is reported of a chip: the status of a `device` event, and its detail.
pub(super) type ChipStatus = (&'static str, Name);

/// Where each chip lies, compared with the registry. Without I/O; time is an argument.
#[derive(Debug)]
pub(super) struct ChipTracker {
    registry: Registry<Chip>,
    table: Name,
    lying: Lying<Spot>,
    reported: HashSet<(&'static str, u64)>,
}

impl ChipTracker {
    pub(super) fn new(registry: Registry<Chip>, table: Name) -> Self {
        Self { registry, table, lying: Lying::default(), reported: HashSet::new() }
    }

    /// The registry has changed. What lies where, and what was reported, stays.
    pub(super) fn goes_by(&mut self, registry: Registry<Chip>) {
        self.registry = registry;
    }

    /// Takes note of an event of a record that is continued, or of the end of a pass.
    pub(super) fn recall(&mut self, event: &Event) {
        match event {
            Event::Bet { hand, spot, chips, .. } => {
                let uids: Vec<u64> = chips.iter().filter_map(|chip| parse_uid(&chip.id)).collect();
                self.lying.only(&uids, (*hand, *spot), 0);
            }
            Event::End {} => self.reported.clear(),
            Event::Device { status, detail: Some(detail), .. } => {
                let known = STATUSES.iter().find(|known| *known == status);
                let uid = detail.rsplit(' ').next().and_then(parse_uid);
                self.reported.extend(known.copied().zip(uid));
            }
            _ => {}
        }
    }

    /// What is to be kept of it at the end of a pass.
    pub(super) fn kept(&self) -> Vec<(u64, Vec<Spot>)> {
        self.lying.kept()
    }

    /// Goes on from that.
    pub(super) fn restore(&mut self, kept: Vec<(u64, Vec<Spot>)>) {
        self.lying = Lying::restored(kept);
    }

    /// These chips lie there now; what is to be said of them.
    pub(super) fn found(&mut self, at: Spot, chips: &[wire::Chip], now: u64) -> Vec<ChipStatus> {
        let uids: Vec<u64> = chips.iter().map(|chip| chip.uid).collect();
        self.lying.only(&uids, at, now);
        let mut statuses = Vec::new();
        for chip in chips {
            let status = match self.registry.get(chip.uid) {
                None => UNKNOWN,
                Some(entry) if entry.state == State::Cancelled => CANCELLED,
                Some(entry) if entry.what.value != chip.value => VALUE,
                Some(entry) if entry.table.as_ref().is_some_and(|table| *table != self.table) => OTHER_TABLE,
                Some(_) => continue,
            };
            if self.reported.insert((status, chip.uid)) {
                statuses.push((status, detail(at, chip.uid)));
            }
        }
        statuses
    }

    /// Chips on two spots at once that were not reported: the spot where each came last, and when.
    fn doubled(&self) -> impl Iterator<Item = (u64, Spot, u64)> {
        self.lying.doubled().filter(|(uid, ..)| !self.reported.contains(&(DOUBLED, *uid)))
    }

    /// When [`ChipTracker::tick`] has something to say, at the earliest.
    pub(super) fn deadline(&self) -> Option<u64> {
        self.doubled().map(|(_, _, at)| at + DOUBLED_MS).min()
    }

    /// Time has passed.
    pub(super) fn tick(&mut self, now: u64) -> Vec<ChipStatus> {
        let mut due: Vec<_> = self.doubled().filter(|(_, _, at)| at + DOUBLED_MS <= now).collect();
        due.sort_unstable_by_key(|(uid, _, at)| (*at, *uid));
        self.reported.extend(due.iter().map(|&(uid, ..)| (DOUBLED, uid)));
        due.into_iter().map(|(uid, place, _)| (DOUBLED, detail(place, uid))).collect()
    }
}

const UNKNOWN: &str = "chip_unknown";
const CANCELLED: &str = "chip_cancelled";
const DOUBLED: &str = "chip_doubled";
const VALUE: &str = "chip_value";
const OTHER_TABLE: &str = "chip_other_table";
const STATUSES: [&str; 5] = [UNKNOWN, CANCELLED, DOUBLED, VALUE, OTHER_TABLE];

fn detail((hand, spot): Spot, uid: u64) -> Name {
    format_smolstr!("{hand} {spot} {uid:016X}")
}

#[cfg(test)]
#[path = "chip_tracker_tests.rs"]
mod tests;
