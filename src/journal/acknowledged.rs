//! What a record says to a checkpoint that somebody keeps who can neither read nor sign: the devices of the table.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::Metadata;
use std::io::{self, BufRead};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::checkpoint::{Checkpoint, Stated};
use super::days::closed;
use super::offer::{Offer, last};
use super::packed::read;
use super::tree::{Hash, Tree, leaf};
use sabot_law::table::LineNo;

/// Bytes of a record's name that are kept.
pub const NAME_BYTES: usize = 16;
/// Files of which a root is remembered.
const REMEMBERED: usize = 8;

/// A checkpoint without its signature, its record named by the first bytes of the SHA-256 of its origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Which record.
    pub record: [u8; NAME_BYTES],
    /// Its lines.
    pub lines: LineNo,
    /// The root of the tree over them.
    pub root: Hash,
}

impl Kept {
    /// What is kept of a checkpoint.
    #[must_use]
    pub fn of(checkpoint: &Checkpoint) -> Self {
        Self { record: name_of(&checkpoint.origin), lines: checkpoint.size, root: checkpoint.root }
    }

    /// What is kept of the last checkpoint of a record; none where nothing of it is signed.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn last_of(record: &Path) -> io::Result<Option<Self>> {
        Ok(last(record)?.map(|Stated { checkpoint, .. }| Self::of(&checkpoint)))
    }

    /// Holds it against a record, or the closed day beside that which it is of.
    ///
    /// # Errors
    /// When the record cannot be read. A closed day that cannot is [`Word::Unread`].
    pub fn against(&self, record: &Path) -> io::Result<Word> {
        loop {
            let before = last_name(record)?;
            let word = self.held_against(record)?;
            // where a day was closed meanwhile, two records were read as one
            if word == Word::BorneOut || last_name(record)? == before {
                return Ok(word);
            }
        }
    }

    /// Holds what somebody keeps of the last record that he saw, and of the one before, against a record and its closed
    /// days: what they say, and of which of both. That is of the last, unless only the one before is contradicted, or
    /// cannot be read: a closed day that is not here any more is no contradiction.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn both_against(last: Option<Self>, before: Option<Self>, record: &Path) -> io::Result<(Word, Option<Self>)> {
        let word = last.map_or(Ok(Word::BorneOut), |kept| kept.against(record))?;
        let Some(kept) = before.filter(|_| !word.is_contradiction()) else { return Ok((word, last)) };
        let of_before = kept.against(record)?;
        let is_unread = matches!(of_before, Word::Unread { .. }) && !matches!(word, Word::Unread { .. });
        Ok(if of_before.is_contradiction() || is_unread { (of_before, before) } else { (word, last) })
    }

    fn held_against(&self, record: &Path) -> io::Result<Word> {
        let own = last(record)?.map(|stated| stated.checkpoint);
        if let Some(checkpoint) = own.filter(|checkpoint| name_of(&checkpoint.origin) == self.record) {
            if self.lines > checkpoint.size {
                // a power cut may have taken the checkpoint, and not its lines
                return self.found_in(record, checkpoint.size);
            }
            let kept = Checkpoint { origin: checkpoint.origin, size: self.lines, root: self.root };
            let offer = Offer::of(record, self.lines)?;
            return Ok(self.word(offer.is_some_and(|offer| offer.goes_on_from(&kept))));
        }
        let mut is_unread = false;
        for day in closed(record)?.iter().rev() {
            let word = match last(day) {
                Ok(Some(Stated { checkpoint, .. })) if name_of(&checkpoint.origin) == self.record => {
                    self.found_in(day, checkpoint.size)
                }
                Ok(_) => continue,
                Err(why) => Err(why),
            };
            match word {
                // it has just been packed
                Err(why) if why.kind() == io::ErrorKind::NotFound => return Err(why),
                Err(_) => is_unread = true,
                Ok(word) => return Ok(word),
            }
        }
        Ok(if is_unread { Word::Unread { kept: self.lines } } else { Word::Other })
    }

    fn found_in(&self, file: &Path, found: LineNo) -> io::Result<Word> {
        Ok(match root_of(file, self.lines)? {
            Some(root) => self.word(root == self.root),
            None => Word::Shorter { kept: self.lines, found },
        })
    }

    fn word(&self, is_borne_out: bool) -> Word {
        if is_borne_out { Word::BorneOut } else { Word::Rewritten { kept: self.lines } }
    }
}

/// What a record says to what is kept of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// It begins with the same lines.
    BorneOut,
    /// It is of another record, which is not here.
    Other,
    /// It is of another record, and a closed day that may be that cannot be read.
    Unread {
        /// Lines of what is kept.
        kept: LineNo,
    },
    /// The record ends before.
    Shorter {
        /// Lines of what is kept.
        kept: LineNo,
        /// Lines that the record has signed.
        found: LineNo,
    },
    /// The record has so many lines, and they are others.
    Rewritten {
        /// Lines of what is kept.
        kept: LineNo,
    },
}

impl Word {
    const fn is_contradiction(self) -> bool {
        matches!(self, Self::Shorter { .. } | Self::Rewritten { .. })
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BorneOut => f.write_str("the record begins as it was"),
            Self::Other => f.write_str("it is of a record that is not here"),
            Self::Unread { kept } => write!(f, "it has seen {kept} lines of a closed day, and one cannot be read"),
            Self::Shorter { kept, found } => write!(f, "it has seen {kept} lines, of which the record has {found}"),
            Self::Rewritten { kept } => write!(f, "the first {kept} lines of the record are not those it has seen"),
        }
    }
}

/// The name of the record that is there, where it is signed.
fn last_name(record: &Path) -> io::Result<Option<[u8; NAME_BYTES]>> {
    Ok(last(record)?.map(|stated| name_of(&stated.checkpoint.origin)))
}

fn name_of(origin: &str) -> [u8; NAME_BYTES] {
    let hash: Hash = Sha256::digest(origin).into();
    hash.first_chunk().copied().unwrap_or_default()
}

/// A file as it was read: whoever changes it changes its times, and cannot set the last of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    bytes: u64,
    changed: (i64, i64),
}

impl Stamp {
    fn of(file: &Metadata) -> Self {
        let changed = (file.ctime(), file.ctime_nsec());
        Self { file: (file.dev(), file.ino()), bytes: file.len(), changed }
    }
}

/// Roots of first lines, by file: each device that comes asks for that of the same closed day.
static ROOTS: Mutex<BTreeMap<PathBuf, (Stamp, LineNo, Hash)>> = Mutex::new(BTreeMap::new());

/// The root of a record's first lines; none where it has not so many.
fn root_of(record: &Path, lines: LineNo) -> io::Result<Option<Hash>> {
    let stamp = Stamp::of(&std::fs::metadata(record)?);
    let roots = || ROOTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&(of, size, root)) = roots().get(record)
        && (of, size) == (stamp, lines)
    {
        return Ok(Some(root));
    }
    let root = read_root(record, lines)?;
    if let Some(root) = root {
        let mut roots = roots();
        if roots.len() >= REMEMBERED {
            roots.clear();
        }
        roots.insert(record.to_path_buf(), (stamp, lines, root));
    }
    Ok(root)
}

fn read_root(record: &Path, lines: LineNo) -> io::Result<Option<Hash>> {
    let (mut file, mut tree, mut text) = (read(record)?, Tree::default(), Vec::new());
    while tree.size() < lines {
        text.clear();
        if file.read_until(b'\n', &mut text)? == 0 {
            return Ok(None);
        }
        tree.push(leaf(text.strip_suffix(b"\n").unwrap_or(&text)));
    }
    Ok(Some(tree.root()))
}

#[cfg(test)]
#[path = "acknowledged_tests.rs"]
mod tests;
