//! The house's chips: a registry that says what each is worth and whether it is good, and a tracker that compares the
//! chips on the felt with it.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use sabot_wire::message as wire;
use serde::{Deserialize, Serialize};
use smol_str::{SmolStr, format_smolstr};

use sabot_law::table::{BetSpot, Event, HandId, Name};

mod csv;
pub use csv::{CsvMistake, read as read_csv};

/// A chip that lies on two spots for so long is two chips, milliseconds: longer than it takes to carry one across and
/// for both antennas to be asked twice.
const DOUBLED_MS: u64 = 1500;
/// First line of the registry's file.
const HEAD: &str = r#"{"chips":1}"#;

/// Whether a chip is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChipState {
    /// It is worth its value.
    Valid,
    /// It was withdrawn, and is worth nothing.
    Cancelled,
}

/// What the registry says of a chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Value in the smallest unit of the currency.
    pub value: u32,
    /// Whether it is good.
    pub state: ChipState,
    /// The table it belongs to, where it belongs to one.
    pub table: Option<Name>,
}

/// Why there is no registry.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// The file cannot be read.
    #[error("{}: {why}\n  = `sabot chips import FILE.csv --registry {}` makes it", path.display(), path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// The file cannot be written.
    #[error("{}: {why}", path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// A line of it is none of a registry.
    #[error("{}:{line}: {what}\n  = import the chips anew: sabot chips import FILE.csv", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Line {
    uid: SmolStr,
    value: u32,
    state: ChipState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    table: Option<Name>,
}

/// Every chip of the house, by the identifier of its tag.
#[derive(Default, Clone, PartialEq, Eq)]
pub struct Registry(HashMap<u64, Entry>);

/// Chips' identifiers are in no log.
impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Registry({} chips)", self.0.len())
    }
}

impl Registry {
    /// Reads the file.
    ///
    /// # Errors
    /// When it cannot be read, or with its first line that is none of a registry.
    pub fn load(path: &Path) -> Result<Self, RegistryError> {
        let text =
            std::fs::read_to_string(path).map_err(|why| RegistryError::Read { path: path.to_path_buf(), why })?;
        let wrong = |line, what| RegistryError::Line { path: path.to_path_buf(), line, what };
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err(wrong(1, "this is no registry of chips".to_owned()));
        }
        let mut chips = HashMap::new();
        for (nth, text) in lines.enumerate() {
            let line: Line = serde_json::from_str(text).map_err(|error| wrong(nth + 2, error.to_string()))?;
            let uid = parse_uid(&line.uid).ok_or_else(|| wrong(nth + 2, "`uid` is no identifier".to_owned()))?;
            chips.insert(uid, Entry { value: line.value, state: line.state, table: line.table });
        }
        Ok(Self(chips))
    }

    /// Writes the file, in one step: a reader finds the old one or the new one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), RegistryError> {
        let mut text = format!("{HEAD}\n");
        let mut uids: Vec<&u64> = self.0.keys().collect();
        uids.sort_unstable();
        for uid in uids {
            let Some(Entry { value, state, table }) = self.0.get(uid).cloned() else { continue };
            let line = Line { uid: format_smolstr!("{uid:016X}"), value, state, table };
            let _ = writeln!(text, "{}", serde_json::to_string(&line).unwrap_or_default());
        }
        let mut fresh = path.to_path_buf().into_os_string();
        fresh.push(".new");
        let write = || {
            let mut file = std::fs::File::create(&fresh)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&fresh, path)
        };
        write().map_err(|why| RegistryError::Write { path: path.to_path_buf(), why })
    }

    /// Takes over chips: new ones are added, known ones changed. Gives how many of each.
    pub fn merge(&mut self, chips: impl IntoIterator<Item = (u64, Entry)>) -> (usize, usize) {
        let (mut added, mut changed) = (0, 0);
        for (uid, entry) in chips {
            match self.0.insert(uid, entry.clone()) {
                None => added += 1,
                Some(before) => changed += usize::from(before != entry),
            }
        }
        (added, changed)
    }

    /// Chips in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that were withdrawn.
    #[must_use]
    pub fn cancelled(&self) -> usize {
        self.0.values().filter(|entry| entry.state == ChipState::Cancelled).count()
    }

    /// What each chip is worth, as its tag's reader needs it: a withdrawn one nothing.
    #[must_use]
    pub fn values(&self) -> HashMap<u64, u32> {
        let good = self.0.iter().filter(|(_, entry)| entry.state == ChipState::Valid);
        good.map(|(&uid, entry)| (uid, entry.value)).collect()
    }
}

/// The identifier of a tag: sixteen hexadecimal digits.
fn parse_uid(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok().filter(|_| text.len() == 16)
}

/// A spot of the felt.
type Spot = (HandId, BetSpot);

/// What is reported of a chip: the status of a `device` event, and its detail.
pub(super) type ChipStatus = (&'static str, Name);

/// Where each chip lies, compared with the registry. Without I/O; time is an argument.
#[derive(Debug)]
pub(super) struct ChipTracker {
    registry: Registry,
    table: Name,
    /// Of each chip, the spots where it lies and since when.
    lying: HashMap<u64, Vec<(Spot, u64)>>,
    reported: HashSet<(&'static str, u64)>,
}

impl ChipTracker {
    pub(super) fn new(registry: Registry, table: Name) -> Self {
        Self { registry, table, lying: HashMap::new(), reported: HashSet::new() }
    }

    /// Takes note of an event of a record that is continued, or of the end of a pass.
    pub(super) fn recall(&mut self, event: &Event) {
        match event {
            Event::Bet { hand, spot, chips, .. } => {
                let uids: Vec<u64> = chips.iter().filter_map(|chip| parse_uid(&chip.id)).collect();
                self.lay((*hand, *spot), &uids, 0);
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

    /// These chips lie there now; what is to be said of them.
    pub(super) fn found(&mut self, at: Spot, chips: &[wire::Chip], now: u64) -> Vec<ChipStatus> {
        let uids: Vec<u64> = chips.iter().map(|chip| chip.uid).collect();
        self.lay(at, &uids, now);
        let mut statuses = Vec::new();
        for chip in chips {
            let status = match self.registry.0.get(&chip.uid) {
                None => UNKNOWN,
                Some(entry) if entry.state == ChipState::Cancelled => CANCELLED,
                Some(entry) if entry.value != chip.value => VALUE,
                Some(entry) if entry.table.as_ref().is_some_and(|table| *table != self.table) => OTHER_TABLE,
                Some(_) => continue,
            };
            if self.reported.insert((status, chip.uid)) {
                statuses.push((status, detail(at, chip.uid)));
            }
        }
        statuses
    }

    fn lay(&mut self, at: Spot, uids: &[u64], now: u64) {
        for (uid, places) in &mut self.lying {
            if !uids.contains(uid) {
                places.retain(|(place, _)| *place != at);
            }
        }
        self.lying.retain(|_, places| !places.is_empty());
        for &uid in uids {
            let places = self.lying.entry(uid).or_default();
            if !places.iter().any(|(place, _)| *place == at) {
                places.push((at, now));
            }
        }
    }

    /// Chips on two spots at once that were not reported: the spot where each came last, and when.
    fn doubled(&self) -> impl Iterator<Item = (u64, Spot, u64)> {
        let twice =
            self.lying.iter().filter(|(uid, places)| places.len() > 1 && !self.reported.contains(&(DOUBLED, **uid)));
        twice.filter_map(|(&uid, places)| places.iter().max_by_key(|(_, at)| *at).map(|&(place, at)| (uid, place, at)))
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
#[path = "chip_registry/tests.rs"]
mod tests;
