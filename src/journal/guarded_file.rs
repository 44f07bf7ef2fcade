//! The file of a record while a station keeps it: what is found there must be what was written, and nothing else.
//!
//! A look compares the file under the record's name with the one that was opened, its length with what was written, and
//! the time of its last change with that of the station's own last write. Where that time is another, all of it is read
//! back. Whoever changes the file within the resolution of that time is found as well: piece by piece it is read back
//! over and over.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::fault::RecordFault;
use super::files::{self, PRIVATE, beside, changed, sync_folder, unix_ms};
use super::held::Held;
use super::writer::Storage;

/// Bytes that are read back at a time.
const PIECE: u64 = 1 << 16;
/// The same until all was read back once, where the start has not read all of it.
const GREAT_PIECE: u64 = 1 << 22;
/// How often they are.
const READ_BACK_EVERY: Duration = Duration::from_millis(250);

/// The file of a record that is open.
#[derive(Debug)]
pub(super) struct GuardedFile {
    file: File,
    path: PathBuf,
    /// Bytes of it that are the station's own.
    bytes: u64,
    /// When it was last changed, as it was found after the station's own last write.
    changed: (i64, i64),
    back: ReadBack,
    /// Not all of it was read since the start.
    unread: bool,
    read_back: Instant,
    /// A write has failed: what follows the last durable byte is not known.
    unfinished: bool,
    /// What was wrong with its content, and when it was last changed then.
    wrong: Option<((i64, i64), RecordFault)>,
    /// What was deleted has been put aside.
    rescued: bool,
}

impl GuardedFile {
    /// The file at `path`, whose first `bytes` bytes are the record.
    pub(super) fn new(mut file: File, path: &Path, bytes: u64) -> io::Result<Self> {
        let back = ReadBack::new(&file)?;
        file.seek(SeekFrom::Start(bytes))?;
        let (changed, path) = (changed(&file.metadata()?), path.to_path_buf());
        let read_back = Instant::now();
        let (unfinished, wrong, rescued, unread) = (false, None, false, false);
        Ok(Self { file, path, bytes, changed, back, unread, read_back, unfinished, wrong, rescued })
    }

    /// The start has not read all of it: it is read back soon.
    pub(super) fn unread(self, unread: bool) -> Self {
        Self { unread, ..self }
    }

    /// The file that has the record's name is the one that is open.
    fn has_its_name(&self) -> Result<(), RecordFault> {
        let own = self.file.metadata()?;
        match fs::metadata(&self.path) {
            Ok(named) if (named.dev(), named.ino()) == (own.dev(), own.ino()) => Ok(()),
            Ok(_) => Err(RecordFault::Replaced),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Err(RecordFault::Gone),
            Err(why) => Err(why.into()),
        }
    }

    /// Nobody can open a deleted file any more: what the station wrote into it is put aside.
    fn rescue(&mut self, held: &Held) -> io::Result<()> {
        if self.rescued || self.file.metadata()?.nlink() > 0 {
            return Ok(());
        }
        let aside = beside(&self.path, &format!(".rescued-{}", unix_ms()));
        let mut to = OpenOptions::new().write(true).create_new(true).mode(PRIVATE).open(&aside)?;
        let copied = io::copy(&mut ReadAt::new(&self.file)?.take(held.bytes), &mut to).and_then(|_| to.sync_all());
        copied.and_then(|()| sync_folder(&aside)).inspect_err(|_| drop(fs::remove_file(&aside)))?;
        self.rescued = true;
        let (aside, path) = (aside.display(), self.path.display());
        tracing::error!("{path} was deleted; all that was safe is in {aside}: put it back under its name");
        Ok(())
    }

    /// Goes on with another file that holds the same, byte for byte: the record was put back.
    fn take_back(&mut self, held: &Held) -> Result<(), RecordFault> {
        let file = OpenOptions::new().read(true).write(true).open(&self.path)?;
        if file.try_lock().is_err() {
            return Err(RecordFault::Replaced);
        }
        let mut other = Self::new(file, &self.path, held.bytes)?;
        other.back.on(held, u64::MAX).map_err(|_| RecordFault::Replaced)?;
        tracing::warn!("{}: the record is back under its name", self.path.display());
        *self = other;
        Ok(())
    }

    fn is_as_long_as(&self, written: u64) -> Result<Metadata, RecordFault> {
        let now = self.file.metadata()?;
        match now.len() {
            found if found < written => Err(RecordFault::Shorter { written, found }),
            found if found > written => Err(RecordFault::Longer { written, found }),
            _ => Ok(now),
        }
    }

    /// Reads back: all of it where somebody has touched it, else the next piece.
    fn is_what_was_written(&mut self, held: &Held, now: (i64, i64)) -> Result<(), RecordFault> {
        if let Some((when, fault)) = &self.wrong
            && *when == now
        {
            return Err(fault.clone());
        }
        let touched = now != self.changed || self.wrong.is_some();
        if touched {
            self.back.anew()?;
        } else if self.read_back.elapsed() < READ_BACK_EVERY {
            return Ok(());
        }
        let piece = if self.unread { GREAT_PIECE } else { PIECE };
        let read = self.back.on(held, if touched { u64::MAX } else { piece });
        self.unread &= !touched && !self.back.is_at_the_start();
        self.read_back = Instant::now();
        self.wrong = read.as_ref().err().map(|fault| (now, fault.clone()));
        if read.is_ok() {
            self.changed = now;
        }
        read
    }
}

impl Storage for GuardedFile {
    fn look(&mut self, held: &Held) -> Result<(), RecordFault> {
        let named = match self.has_its_name() {
            Err(RecordFault::Replaced) => self.take_back(held),
            named => named,
        };
        if let Err(fault) = named {
            self.rescue(held)?;
            return Err(fault);
        }
        if self.unfinished {
            return Ok(());
        }
        let now = changed(&self.is_as_long_as(held.bytes)?);
        self.is_what_was_written(held, now)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), RecordFault> {
        self.unfinished = true;
        files::write(&self.file, bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    fn sync(&mut self) -> Result<(), RecordFault> {
        files::sync(&self.file)?;
        self.has_its_name()?;
        self.unfinished = false;
        self.changed = changed(&self.is_as_long_as(self.bytes)?);
        Ok(())
    }

    fn cut(&mut self, len: u64) -> Result<(), RecordFault> {
        if !self.unfinished {
            return Ok(()); // what is there is not the station's own
        }
        let found = self.file.metadata()?.len();
        if found < len {
            return Err(RecordFault::Shorter { written: len, found });
        }
        files::cut(&self.file, len)?;
        self.file.seek(SeekFrom::Start(len))?;
        self.bytes = len;
        Ok(())
    }
}

/// Reads a file through a place of its own: where the station writes next is not moved.
#[derive(Debug)]
struct ReadAt {
    file: File,
    at: u64,
}

impl ReadAt {
    fn new(file: &File) -> io::Result<Self> {
        Ok(Self { file: file.try_clone()?, at: 0 })
    }
}

impl Read for ReadAt {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(to, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Reads a record back, piece by piece, from its beginning to its end and again.
#[derive(Debug)]
struct ReadBack {
    file: BufReader<ReadAt>,
    reached: Held,
    line: Vec<u8>,
}

impl ReadBack {
    fn new(file: &File) -> io::Result<Self> {
        Ok(Self { file: BufReader::new(ReadAt::new(file)?), reached: Held::default(), line: Vec::new() })
    }

    fn is_at_the_start(&self) -> bool {
        self.reached.bytes == 0
    }

    fn anew(&mut self) -> io::Result<()> {
        *self = Self::new(&self.file.get_ref().file)?;
        Ok(())
    }

    /// Reads on over at least `bytes` bytes, or to the end of what is held.
    fn on(&mut self, held: &Held, bytes: u64) -> Result<(), RecordFault> {
        let until = self.reached.bytes.saturating_add(bytes).min(held.bytes);
        while self.reached.bytes < until {
            self.line.clear();
            let read = self.file.read_until(b'\n', &mut self.line)?;
            let Held { bytes, lines, chain } = self.reached;
            let whole = self.line.strip_suffix(b"\n").and_then(|line| chain.follow(line).ok());
            let Some(chain) = whole else { return Err(RecordFault::Changed { line: lines + 1 }) };
            self.reached = Held { bytes: bytes + read as u64, lines: lines + 1, chain };
        }
        if self.reached.bytes < held.bytes {
            return Ok(());
        }
        let reached = self.reached;
        self.anew()?;
        if reached == *held { Ok(()) } else { Err(RecordFault::Changed { line: reached.lines }) }
    }
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
