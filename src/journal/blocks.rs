//! The roots of the record's lines, 256 by 256, and where each block of them ends, in a file beside the record: so that
//! a proof reads some hundred lines and not the whole record. It is a help and no more: nobody believes it, for a proof
//! must lead to the signed root, and without it the record itself is read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::files::{PRIVATE, beside};
use super::tree::{Hash, Tree};

/// A block has two to the power of so many lines.
pub(super) const LEVEL: u32 = 8;
/// Lines of a block.
pub(super) const LINES: u64 = 1 << LEVEL;
/// An entry is where the block ends in the record, and its root.
const END: usize = 8;
const ENTRY: usize = END + 32;
const SUFFIX: &str = ".blocks";

/// The blocks of a record, as they were written down.
#[derive(Debug, Default)]
pub struct Blocks(Vec<u8>);

impl Blocks {
    /// Those beside the record at `record`; none where they cannot be read.
    #[must_use]
    pub fn of(record: &Path) -> Self {
        Self(fs::read(beside(record, SUFFIX)).unwrap_or_default())
    }

    fn entry(&self, block: u64) -> Option<(&[u8; END], &[u8])> {
        let at = usize::try_from(block).ok()?.checked_mul(ENTRY)?;
        self.0.get(at..at.checked_add(ENTRY)?)?.split_first_chunk()
    }

    /// The root of a block, from 0.
    pub(super) fn root(&self, block: u64) -> Option<Hash> {
        self.entry(block)?.1.try_into().ok()
    }

    /// Where a block begins in the record, bytes.
    pub(super) fn start(&self, block: u64) -> Option<u64> {
        match block.checked_sub(1) {
            None => Some(0),
            Some(before) => self.entry(before).map(|(end, _)| u64::from_be_bytes(*end)),
        }
    }
}

/// Writes the blocks down while the record is read and written.
#[derive(Debug)]
pub(super) struct BlockWriter {
    file: File,
    block: Tree,
    end: u64,
    pending: Vec<u8>,
}

impl BlockWriter {
    /// Goes on after the lines of a tree, which have so many bytes; all others are taken when the record is opened.
    /// Entries that are missing are empty ones, which lead nowhere.
    pub(super) fn open(record: &Path, tree: &Tree, bytes: u64) -> io::Result<Self> {
        let path = beside(record, SUFFIX);
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).mode(PRIVATE).open(path)?;
        let written = (tree.size() >> LEVEL) * ENTRY as u64;
        file.set_len(written)?;
        file.seek(SeekFrom::Start(written))?;
        Ok(Self { file, block: tree.since(LEVEL), end: bytes, pending: Vec::new() })
    }

    /// Takes the next line, of so many bytes with its line end.
    pub(super) fn take(&mut self, leaf: Hash, bytes: u64) {
        self.block.push(leaf);
        self.end += bytes;
        if self.block.size() == LINES {
            self.pending.extend_from_slice(&self.end.to_be_bytes());
            self.pending.extend_from_slice(&std::mem::take(&mut self.block).root());
        }
    }

    /// Writes down what was taken. What cannot be written is no loss but of time.
    pub(super) fn flush(&mut self) {
        if let Err(why) = self.file.write_all(&self.pending) {
            tracing::debug!("the blocks of the record cannot be written: {why}");
        }
        self.pending.clear();
    }
}
