//! Registries of tags: what the tag in each chip, or in each card, says, and whether it is good. One mechanism for
//! both: a table of comma-separated values is taken over into a file of JSON lines, and never half of it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use smol_str::{SmolStr, format_smolstr};

use super::config::Config;
use sabot_law::table::Name;

mod cards;
mod chips;
mod csv;
pub use cards::{Deck, DeckCard, decks};
pub use chips::Chip;
pub use csv::{CsvMistake, read as read_csv};

/// What a registry is of.
pub trait Kind: Clone + PartialEq + Serialize + DeserializeOwned {
    /// One of them, in words.
    const ONE: &'static str;
    /// Several; and the name in the first line of the file.
    const MANY: &'static str;
    /// The command that imports them.
    const IMPORT: &'static str;
    /// The columns of the table that are its own.
    const COLUMNS: &'static [&'static str];

    /// Reads its own columns.
    ///
    /// # Errors
    /// With which column is wrong, from 0, and what belongs there.
    fn read(columns: &[&str]) -> Result<Self, (usize, String)>;

    /// What no two good ones have in common.
    fn only_one(&self) -> Option<String> {
        None
    }
}

/// Whether it is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It is what the registry says.
    Valid,
    /// It was withdrawn.
    Cancelled,
}

/// What the registry says of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<K> {
    /// What it is in.
    pub what: K,
    /// Whether that is good.
    pub state: State,
    /// The table it belongs to, where it belongs to one.
    pub table: Option<Name>,
}

/// The registries that a house keeps.
#[derive(Debug, Default)]
pub struct Registries {
    /// Of its chips.
    pub chips: Option<Registry<Chip>>,
    /// Of its decks.
    pub decks: Option<Registry<DeckCard>>,
}

impl Registries {
    /// Those that a table's configuration names.
    ///
    /// # Errors
    /// When one cannot be used.
    pub fn of(config: &Config) -> Result<Self, RegistryError> {
        let chips = config.chip_registry.as_deref().map(Registry::load).transpose()?;
        let decks = config.deck_registry.as_deref().map(Registry::load).transpose()?;
        Ok(Self { chips, decks })
    }

    /// The same, and nothing in them: who only reads the record needs none of what they say.
    pub(super) fn unread(config: &Config) -> Self {
        let chips = config.chip_registry.as_ref().map(|_| Registry::default());
        Self { chips, decks: config.deck_registry.as_ref().map(|_| Registry::default()) }
    }
}

/// Why there is no registry.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// The file cannot be read.
    #[error("{}: {why}\n  = `{import} FILE.csv --registry {}` makes it", path.display(), path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// The command that makes it.
        import: &'static str,
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
    #[error("{}:{line}: {what}\n  = import all of it anew into another file: {import} FILE.csv", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// The command that makes it.
        import: &'static str,
        /// What is wrong.
        what: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Line<K> {
    uid: SmolStr,
    #[serde(flatten)]
    what: K,
    state: State,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    table: Option<Name>,
}

/// Every chip, or every card, of the house, by the identifier of its tag.
#[derive(Clone, PartialEq, Eq)]
pub struct Registry<K>(HashMap<u64, Entry<K>>);

impl<K> Default for Registry<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

/// Identifiers are in no log.
impl<K: Kind> std::fmt::Debug for Registry<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Registry({} {})", self.0.len(), K::MANY)
    }
}

impl<K: Kind> Registry<K> {
    /// First line of the file.
    fn head() -> String {
        format!(r#"{{"{}":1}}"#, K::MANY)
    }

    /// Reads the file.
    ///
    /// # Errors
    /// When it cannot be read, or with its first line that is none of a registry.
    pub fn load(path: &Path) -> Result<Self, RegistryError> {
        let import = K::IMPORT;
        let text = std::fs::read_to_string(path).map_err(|why| RegistryError::Read {
            path: path.to_path_buf(),
            import,
            why,
        })?;
        let wrong = |line, what| RegistryError::Line { path: path.to_path_buf(), line, import, what };
        let mut lines = text.lines();
        if lines.next() != Some(Self::head().as_str()) {
            return Err(wrong(1, format!("this is no registry of {}", K::MANY)));
        }
        let mut known = HashMap::new();
        for (nth, text) in lines.enumerate() {
            let line: Line<K> = serde_json::from_str(text).map_err(|error| wrong(nth + 2, error.to_string()))?;
            let uid = parse_uid(&line.uid).ok_or_else(|| wrong(nth + 2, "`uid` is no identifier".to_owned()))?;
            known.insert(uid, Entry { what: line.what, state: line.state, table: line.table });
        }
        Ok(Self(known))
    }

    /// Writes the file, in one step: a reader finds the old one or the new one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), RegistryError> {
        let mut text = Self::head() + "\n";
        let mut uids: Vec<&u64> = self.0.keys().collect();
        uids.sort_unstable();
        for uid in uids {
            let Some(Entry { what, state, table }) = self.0.get(uid).cloned() else { continue };
            let line = Line { uid: format_smolstr!("{uid:016X}"), what, state, table };
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

    /// Takes over entries: new ones are added, known ones changed. Gives how many of each.
    pub fn merge(&mut self, entries: impl IntoIterator<Item = (u64, Entry<K>)>) -> (usize, usize) {
        let (mut added, mut changed) = (0, 0);
        for (uid, entry) in entries {
            match self.0.insert(uid, entry.clone()) {
                None => added += 1,
                Some(before) => changed += usize::from(before != entry),
            }
        }
        (added, changed)
    }

    /// What two good ones have in common, and may not: the first in the order of words.
    #[must_use]
    pub fn twice(&self) -> Option<String> {
        let mut known: Vec<String> = self.good().filter_map(|(_, what)| what.only_one()).collect();
        known.sort_unstable();
        known
            .windows(2)
            .find_map(|pair| if let [one, other] = pair { (one == other).then(|| one.clone()) } else { None })
    }

    /// Entries in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The tags that it knows, good ones and withdrawn ones.
    pub fn tags(&self) -> impl Iterator<Item = u64> {
        self.0.keys().copied()
    }

    /// Those that were withdrawn.
    #[must_use]
    pub fn cancelled(&self) -> usize {
        self.0.values().filter(|entry| entry.state == State::Cancelled).count()
    }

    /// What it says of a tag.
    #[must_use]
    pub fn get(&self, uid: u64) -> Option<&Entry<K>> {
        self.0.get(&uid)
    }

    /// All that it says, in no order.
    pub fn entries(&self) -> impl Iterator<Item = (u64, &Entry<K>)> {
        self.0.iter().map(|(&uid, entry)| (uid, entry))
    }

    /// Those that are good.
    fn good(&self) -> impl Iterator<Item = (u64, &K)> {
        self.entries().filter(|(_, entry)| entry.state == State::Valid).map(|(uid, entry)| (uid, &entry.what))
    }
}

/// The identifier of a tag: sixteen hexadecimal digits.
pub(super) fn parse_uid(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok().filter(|_| text.len() == 16)
}

#[cfg(test)]
mod tests;
