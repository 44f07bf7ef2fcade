//! What a record says to a checkpoint that somebody keeps who can neither read nor sign: the devices of the table.

use std::fmt;
use std::io::{self, BufRead};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::checkpoint::{Checkpoint, Stated};
use super::days::closed;
use super::offer::{Offer, last};
use super::packed::read;
use super::tree::{Hash, Tree, leaf};
use sabot_law::table::LineNo;

/// Bytes of a record's name that are kept.
pub const NAME_BYTES: usize = 16;

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
    /// When they cannot be read.
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
    /// days: what they say, and of which of both. That is of the last, unless only the one before is contradicted: a
    /// closed day that is not here any more is no contradiction.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn both_against(last: Option<Self>, before: Option<Self>, record: &Path) -> io::Result<(Word, Option<Self>)> {
        let word = last.map_or(Ok(Word::BorneOut), |kept| kept.against(record))?;
        if let Some(kept) = before.filter(|_| matches!(word, Word::BorneOut | Word::Other))
            && let of_before @ (Word::Shorter { .. } | Word::Rewritten { .. }) = kept.against(record)?
        {
            return Ok((of_before, before));
        }
        Ok((word, last))
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
        for day in closed(record)?.iter().rev() {
            let Some(Stated { checkpoint, .. }) = last(day)? else { continue };
            if name_of(&checkpoint.origin) == self.record {
                return self.found_in(day, checkpoint.size);
            }
        }
        Ok(Word::Other)
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

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BorneOut => f.write_str("the record begins as it was"),
            Self::Other => f.write_str("it is of a record that is not here"),
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

/// The root of a record's first lines; none where it has not so many.
fn root_of(record: &Path, lines: LineNo) -> io::Result<Option<Hash>> {
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
