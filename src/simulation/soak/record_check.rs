//! The record as it grows, held against what the twins saw: each observation once, in the order of its device.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sabot_wire::message::Role;
use serde::Deserialize;

use super::owed::Owed;
use crate::twin::RingLost;
use sabot_journal::Origin;
use sabot_journal::clock::{SEALS_LOST, STATION};
use sabot_law::table::{Card, Name};

/// Between two looks at a record that has not grown.
const LOOK: Duration = Duration::from_millis(2);
/// Faults that are kept in words; all are counted.
const WORDS: usize = 10;

/// When a device's coming and going was last on the page and on record, and how often it was on record.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Presence {
    /// Whether the page shows it as there, and since when.
    pub(super) shown: Option<(bool, Instant)>,
    pub(super) gone: u64,
    pub(super) gone_at: Option<Instant>,
    pub(super) back: u64,
    pub(super) back_at: Option<Instant>,
}

/// What the record tells of one device.
#[derive(Debug, Clone, Default)]
struct DeviceRecord {
    epoch: Option<u32>,
    last: u32,
    /// Numbers that it gave out in rings that were lost with the power.
    before: u32,
    /// Those rings, of which the record has no later one yet.
    cuts: VecDeque<RingLost>,
    /// Observations that went with them, as they were seen: from which to which.
    lost: Vec<(u32, u32)>,
    /// How often the record says that a ring is lost, and how often one was.
    rings: (u32, u32),
    /// Events that no sensor saw: the device says that its ring is full, or has room again.
    of_its_ring: u32,
    presence: Presence,
    owed: Owed,
    /// What its sensors were told to see.
    queued: u32,
}

/// What is wrong with the record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// Observations that are not on record.
    pub lost: u64,
    /// Observations that are on record more than once, or out of order.
    pub doubled: u64,
    /// Whatever else is not as it was seen.
    pub wrong: u64,
    /// The first of them in words.
    pub words: Vec<String>,
}

impl Faults {
    fn say(&mut self, words: String) {
        if self.words.len() < WORDS {
            self.words.push(words);
        }
    }
}

#[derive(Debug, Default)]
struct State {
    told: [DeviceRecord; Role::ALL.len()],
    /// Cards drawn and not on record yet, each with its place among what the shoe saw.
    cards: VecDeque<(u32, Card)>,
    /// Cards that lie covered, by the line that has them sealed.
    covered: BTreeMap<u64, Card>,
    lines: u64,
    faults: Faults,
    /// Somebody stands in between: that is to be told, and is no fault of the record.
    has_thief: bool,
    /// Rings go with the power: that is to be told, and is no fault of the record.
    loses_rings: bool,
    /// What was told of devices, and how often.
    words: BTreeMap<Name, u64>,
}

/// What was seen and what is on record.
#[derive(Debug, Default)]
pub(super) struct RecordCheck {
    state: Mutex<State>,
    grown: Condvar,
}

#[derive(Deserialize)]
struct Line {
    ev: Name,
    device: Option<Name>,
    status: Option<Name>,
    card: Option<Name>,
    origin: Option<Origin>,
    paired: Option<Origin>,
    #[serde(default)]
    seal: Seal,
}

/// What a line seals, and which lines it opens. A shoe's keys are left to `sabot journal verify`.
#[derive(Debug, Default, Deserialize)]
struct Seal {
    card: Option<String>,
    #[serde(default)]
    opens: Vec<(u64, Name, String)>,
}

impl RecordCheck {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A check of a record of devices with somebody at their cables.
    pub(super) fn with_thief() -> Self {
        let check = Self::default();
        check.state().has_thief = true;
        check
    }

    /// A check of a record of devices that lose their rings with their power.
    pub(super) fn of_lost_rings() -> Self {
        let check = Self::default();
        check.state().loses_rings = true;
        check
    }

    /// A device has lost its ring with its power.
    pub(super) fn lost(&self, role: Role, ring: RingLost) {
        let told = &mut self.state().told[role as usize];
        told.cuts.push_back(ring);
        told.rings.1 += 1;
    }

    /// A sensor of the device is about to see something.
    pub(super) fn sees(&self, role: Role) {
        self.state().told[role as usize].owed.sees(Instant::now());
    }

    /// The sensor has been told.
    pub(super) fn is_told(&self, role: Role) {
        self.state().told[role as usize].queued += 1;
    }

    /// What the sensors of a device were told to see.
    pub(super) fn queued(&self, role: Role) -> u32 {
        self.state().told[role as usize].queued
    }

    /// Waits until so many events of a device are on record, at most so long; how many of them are not.
    pub(super) fn missing(&self, role: Role, events: u32, timeout: Duration) -> u32 {
        let state = self.wait_while(timeout, |state| state.told[role as usize].last < events);
        events.saturating_sub(state.told[role as usize].last)
    }

    /// The longest that what a device saw was neither on record nor told as missing, by device; and when that ended.
    pub(super) fn unsaid(&self) -> Vec<(Role, Duration, Option<Instant>)> {
        let state = self.state();
        let of = |role: Role| {
            let owed = &state.told[role as usize].owed;
            (role, owed.longest(), owed.longest_at())
        };
        Role::ALL.into_iter().map(of).collect()
    }

    /// Every time of more than a second in which that was so, by device, and when it ended.
    pub(super) fn long_unsaid(&self) -> Vec<(Role, Vec<(Duration, Instant)>)> {
        let state = self.state();
        Role::ALL.into_iter().map(|role| (role, state.told[role as usize].owed.long().to_vec())).collect()
    }

    /// What was told of devices, and how often.
    pub(super) fn words(&self) -> BTreeMap<Name, u64> {
        self.state().words.clone()
    }

    /// The shoe is about to see a card.
    pub(super) fn drawn(&self, card: Card) {
        let mut state = self.state();
        let nth = state.told[Role::Shoe as usize].queued + 1;
        state.cards.push_back((nth, card));
    }

    pub(super) fn presence(&self, role: Role) -> Presence {
        self.state().told[role as usize].presence
    }

    /// Lines on record.
    pub(super) fn lines(&self) -> u64 {
        self.state().lines
    }

    /// Waits until the record has a line, at most so long; whether it has.
    pub(super) fn begins(&self, timeout: Duration) -> bool {
        self.wait_while(timeout, |state| state.lines == 0).lines > 0
    }

    /// Waits until `found` finds something in how the device is, at most so long.
    pub(super) fn wait<T>(&self, role: Role, timeout: Duration, found: impl Fn(&Presence) -> Option<T>) -> Option<T> {
        let state = self.wait_while(timeout, |state| found(&state.told[role as usize].presence).is_none());
        found(&state.told[role as usize].presence)
    }

    /// What is known once something holds no longer, or that time is over.
    fn wait_while(&self, timeout: Duration, holds: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let holds = |state: &mut State| holds(state);
        let (state, _) =
            self.grown.wait_timeout_while(self.state(), timeout, holds).unwrap_or_else(PoisonError::into_inner);
        state
    }

    /// The page shows a device as there, or as not there.
    pub(super) fn shows(&self, role: Role, there: bool, at: Instant) {
        let shown = &mut self.state().told[role as usize].presence.shown;
        if shown.is_none_or(|(before, _)| before != there) {
            *shown = Some((there, at));
            self.grown.notify_all();
        }
    }

    /// Reads the record as it grows, until `ended`; then once more, to its end.
    pub(super) fn follow(&self, path: &Path, ended: &AtomicBool) -> io::Result<()> {
        // a station serves its page a moment before it begins its record
        while !path.exists() && !ended.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
        }
        let mut record = BufReader::new(File::open(path)?);
        let mut line = Vec::new();
        loop {
            let last = ended.load(Ordering::Relaxed);
            while record.read_until(b'\n', &mut line)? > 0 {
                if line.ends_with(b"\n") {
                    self.read(&line, Instant::now());
                } else if let Ok(part) = i64::try_from(line.len()) {
                    // a station that is killed while it writes leaves a part of a line, which the next one takes away
                    record.seek(SeekFrom::Current(-part))?;
                    line.clear();
                    break;
                }
                line.clear();
            }
            if last {
                return Ok(());
            }
            std::thread::sleep(LOOK);
        }
    }

    fn read(&self, text: &[u8], at: Instant) {
        let mut state = self.state();
        state.lines += 1;
        match serde_json::from_slice::<Line>(text) {
            Ok(line) => state.take(&line, at),
            Err(error) => {
                state.faults.wrong += 1;
                let line = state.lines;
                state.faults.say(format!("line {line} of the record: {error}"));
            }
        }
        drop(state);
        self.grown.notify_all();
    }

    /// What is wrong, now that the twins have seen `seen` (by role) and all of it should be on record.
    pub(super) fn settle(&self, seen: &[u32; Role::ALL.len()]) -> Faults {
        let state = self.state();
        let mut faults = state.faults.clone();
        for role in Role::ALL {
            let told = state.told[role as usize].at_the_end(role, &mut faults);
            let expected = seen[role as usize].saturating_add(told.of_its_ring);
            let last = told.before + told.last;
            // a chip reader that has lost what it told of its spots tells it again
            let tells_again = role == Role::Chips && told.rings.1 > 0;
            if last < expected || last > expected && !tells_again {
                faults.lost += u64::from(expected.saturating_sub(last));
                faults.wrong += u64::from(last.saturating_sub(expected));
                faults.say(format!("the {role}: {expected} observations, and the last on record is {last}"));
            }
            if told.rings.0 != told.rings.1 {
                faults.wrong += 1;
                let (words, rings) = told.rings;
                faults.say(format!("the {role} lost its ring {rings} times, and the record says so {words} times"));
            }
        }
        let shoe = state.told[Role::Shoe as usize].at_the_end(Role::Shoe, &mut Faults::default());
        let is_lost = |nth: u32| shoe.lost.iter().any(|(from, to)| (*from..=*to).contains(&nth));
        let missing = state.cards.iter().filter(|(nth, _)| !is_lost(*nth)).count();
        if missing > 0 {
            faults.say(format!("{missing} drawn cards are not on record"));
            faults.wrong += missing as u64;
        }
        faults
    }

    /// Observations that went with rings, as the record says.
    pub(super) fn lost_with_rings(&self) -> u64 {
        let state = self.state();
        let lost = |role: Role| state.told[role as usize].at_the_end(role, &mut Faults::default()).lost;
        Role::ALL.into_iter().flat_map(lost).map(|(from, to)| u64::from(to + 1 - from)).sum()
    }
}

impl DeviceRecord {
    /// As it is once nothing more comes.
    fn at_the_end(&self, role: Role, faults: &mut Faults) -> Self {
        let mut end = self.clone();
        end.lose_rings(None, role, faults);
        end
    }

    /// Nothing more comes of the rings that were lost before this one: what they held, and the record has not, is lost.
    fn lose_rings(&mut self, epoch: Option<u32>, role: Role, faults: &mut Faults) {
        while let Some(&ring) = self.cuts.front().filter(|ring| Some(ring.epoch) != epoch) {
            self.cuts.pop_front();
            if self.last < ring.acknowledged {
                faults.lost += u64::from(ring.acknowledged - self.last);
                faults.say(format!("of the {role} {} was acknowledged and is not on record", ring.acknowledged));
            }
            if self.last > ring.last || self.epoch.is_some_and(|epoch| epoch != ring.epoch) {
                faults.wrong += 1;
                faults.say(format!("of the {role} {} is on record of a ring that held {}", self.last, ring.last));
            }
            if self.last < ring.last {
                self.lost.push((self.before + self.last + 1, self.before + ring.last));
            }
            (self.before, self.last, self.epoch) = (self.before + ring.last, 0, None);
        }
    }
}

impl State {
    fn take(&mut self, line: &Line, at: Instant) {
        let is_of_its_ring = line.status.as_deref().is_some_and(|status| matches!(status, "ring_full" | "ring_free"));
        for origin in [&line.origin, &line.paired].into_iter().flatten() {
            self.event(origin, is_of_its_ring, at);
        }
        match (line.ev.as_str(), &line.device, &line.status) {
            ("device", Some(device), Some(status)) => self.device(device, status, at),
            ("draw", ..) => self.draw(line),
            _ => {}
        }
        for (sealed, card, _) in &line.seal.opens {
            let seen = self.covered.remove(sealed);
            self.compare(seen, Some(card), *sealed);
        }
    }

    fn event(&mut self, Origin(serial, epoch, number): &Origin, is_of_its_ring: bool, at: Instant) {
        let faults = &mut self.faults;
        let Some(role) = Role::ALL.into_iter().find(|role| *serial == super::serial(*role)) else {
            faults.wrong += 1;
            return faults.say(format!("`{serial}` is no device of this table"));
        };
        let told = &mut self.told[role as usize];
        told.lose_rings(Some(*epoch), role, faults);
        if *told.epoch.get_or_insert(*epoch) != *epoch {
            faults.wrong += 1;
            return faults.say(format!("the {role} has lost its ring"));
        }
        let next = told.last + 1;
        if *number < next {
            faults.doubled += 1;
            faults.say(format!("observation {number} of the {role} comes after its {}", told.last));
        } else if *number > next {
            faults.lost += u64::from(number - next);
            faults.say(format!("observations {next} to {} of the {role} are not on record", number - 1));
        }
        if *number == next && !is_of_its_ring {
            told.owed.recorded(at);
        }
        told.last = told.last.max(*number);
    }

    fn device(&mut self, device: &str, status: &str, at: Instant) {
        if device == STATION && status == SEALS_LOST {
            self.faults.wrong += 1;
            self.faults.say("covered cards are lost".to_owned());
        }
        let Some(role) = Role::ALL.into_iter().find(|role| role.name() == device) else { return };
        let told = &mut self.told[role as usize];
        *self.words.entry(status.into()).or_default() += 1;
        match status {
            "offline" => {
                told.presence.gone += 1;
                told.presence.gone_at = Some(at);
                self.owed(role, |owed, other| owed.gone(at, other));
            }
            "online" => {
                told.presence.back += 1;
                told.presence.back_at = Some(at);
                self.owed(role, |owed, other| owed.back(at, other));
            }
            "ring_full" | "ring_free" => told.of_its_ring += 1,
            "withheld" if self.has_thief => self.owed(role, |owed, _| owed.word(at)),
            "refused" | "unpaired" | "swapped" if self.has_thief => {
                self.owed(role, |owed, other| owed.gone(at, other));
            }
            "forged" if self.has_thief => {}
            "ring_lost" if self.loses_rings => told.rings.0 += 1,
            "ring_lost" | "events_missed" | "refused" | "unpaired" | "swapped" | "downgraded" | "forged"
            | "withheld" => {
                self.faults.wrong += 1;
                self.faults.say(format!("the {role}: {status}"));
            }
            _ => {}
        }
    }

    /// Something is said of a device: what is owed of it, and of the other whose observations wait for its own.
    fn owed(&mut self, role: Role, mut said: impl FnMut(&mut Owed, bool)) {
        said(&mut self.told[role as usize].owed, false);
        let other = match role {
            Role::Shoe => Role::Chips,
            Role::Chips => Role::Shoe,
            _ => return,
        };
        said(&mut self.told[other as usize].owed, true);
    }

    fn draw(&mut self, line: &Line) {
        let shoe = &self.told[Role::Shoe as usize];
        let nth = line.origin.as_ref().map_or(0, |Origin(.., number)| shoe.before + number);
        // those before it went with a ring, or are missing on record and counted as that
        while shoe.rings.1 > 0 && self.cards.front().is_some_and(|(seen, _)| *seen < nth) {
            self.cards.pop_front();
        }
        let seen = self.cards.pop_front().map(|(_, card)| card);
        match (seen, &line.seal.card) {
            (Some(seen), Some(_)) => drop(self.covered.insert(self.lines, seen)),
            _ => self.compare(seen, line.card.as_deref(), self.lines),
        }
    }

    /// A covered card is in no message.
    fn compare(&mut self, seen: Option<Card>, told: Option<&str>, line: u64) {
        if seen.map(|seen| seen.to_string()).as_deref() != told {
            self.faults.wrong += 1;
            self.faults.say(format!("line {line}: another card than the one that was drawn"));
        }
    }
}

#[cfg(test)]
#[path = "record_check_tests.rs"]
mod tests;
