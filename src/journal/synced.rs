//! How much of a record is known to be on disk, in `FILE.synced`: at a start it tells what a power cut has torn from
//! what somebody has changed.
//!
//! After each sync of the record the length that is safe now is written there, over the one before, and not synced: it
//! may lag behind, and is never ahead. It is one sector, which a disk writes whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::chain::Chain;
use super::contradiction::Contradiction;
use super::files::{self, PRIVATE, beside, sync_folder};
use super::held::Held;
use super::hex::Hex;
use super::mark::Mark;
use sabot_law::table::LineNo;

/// The file beside a record.
pub(super) fn synced_of(record: &Path) -> PathBuf {
    beside(record, ".synced")
}

/// Bytes of a record that are known to be on disk: whole lines. None where nothing is known.
///
/// # Errors
/// When the file beside it cannot be read.
pub fn on_disk(record: &Path) -> io::Result<Option<u64>> {
    Ok(synced(record)?.map(|held| held.bytes))
}

/// What the file says; none where it is not there or says nothing.
pub(super) fn synced(record: &Path) -> io::Result<Option<Held>> {
    match fs::read(synced_of(record)) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        text => Ok(parse(&text?)),
    }
}

fn parse(text: &[u8]) -> Option<Held> {
    let text = std::str::from_utf8(text).ok()?.strip_suffix('\n')?;
    let mut words = text.split_ascii_whitespace();
    let (lines, bytes) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let chain = Chain::from(Hex::parse(words.next()?)?);
    words.next().is_none().then_some(Held { bytes, lines, chain })
}

/// Writes it.
#[derive(Debug)]
pub(super) struct Synced(File);

impl Synced {
    /// Beside a record of which so much is on disk; durably.
    pub(super) fn begin(record: &Path, held: &Held) -> io::Result<Self> {
        let path = synced_of(record);
        let options = OpenOptions::new().write(true).create(true).truncate(false).mode(PRIVATE).open(&path);
        let synced = Self(options?);
        synced.write(held)?;
        files::sync(&synced.0)?;
        sync_folder(&path)?;
        Ok(synced)
    }

    /// So much is on disk. Where this cannot be told, what was told before stands, which is no less true.
    pub(super) fn tell(&self, held: &Held) {
        if let Err(why) = self.write(held) {
            tracing::debug!("how much of the record is safe cannot be told: {why}");
        }
    }

    fn write(&self, Held { bytes, lines, chain }: &Held) -> io::Result<()> {
        (&self.0).rewind()?;
        files::write(&self.0, format!("{lines:>20} {bytes:>20} {chain}\n").as_bytes())
    }
}

/// Whether a power cut may have torn this line of a record: nothing says that it was on disk.
#[must_use]
pub fn may_be_torn(record: &Path, line: LineNo) -> bool {
    synced(record).ok().flatten().is_some_and(|held| line > held.lines)
}

/// Holds a record, while it is read, against what is known to be on disk.
#[derive(Debug)]
pub(super) struct Known {
    held: Option<Held>,
    line: LineNo,
    bears_out: bool,
}

impl Known {
    /// What is known of the record at `record`, of which the lines after a mark are read.
    pub(super) fn of(record: &Path, mark: &Mark) -> io::Result<Self> {
        let held = synced(record)?;
        let bears_out =
            held.is_none_or(|held| mark.lines > held.lines || mark.lines == held.lines && mark.chain == held.chain);
        Ok(Self { held, line: mark.lines, bears_out })
    }

    /// Takes a line whose chain holds, without its line end.
    pub(super) fn take(&mut self, text: &[u8]) {
        self.line += 1;
        if let Some(held) = self.held.filter(|held| held.lines == self.line) {
            self.bears_out = Chain::said(text) == Ok(held.chain);
        }
    }

    /// A power cut may have torn this line, of a record of which so many are signed: it was not on disk.
    pub(super) fn may_tear(&self, line: LineNo, signed: LineNo) -> bool {
        self.held.is_some_and(|held| line > held.lines.max(signed))
    }

    /// So many lines were found. Whether all are there that were on disk.
    pub(super) fn recalled(&self, found: LineNo) -> Result<(), Contradiction> {
        match self.held {
            Some(Held { lines: written, .. }) if found < written => Err(Contradiction::Missing { written, found }),
            Some(Held { lines: written, .. }) if !self.bears_out => Err(Contradiction::Other { written }),
            _ => Ok(()),
        }
    }

    /// From where on it is not known to be on disk, bytes; none where nothing is known.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.held.map(|held| held.bytes)
    }
}
