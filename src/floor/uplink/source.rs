//! The record of a table as it is shipped: its closed days, then the one that is written, line by line as they are on
//! disk, each checkpoint after the lines that it covers.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};

use sabot_journal::checkpoint::{Checkpoints, Next, checkpoints_of};
use sabot_journal::{Chain, days, on_disk, packed};
use sabot_law::table::LineNo;
use serde::{Deserialize, Serialize};

/// Checkpoints that are read ahead.
const AHEAD: usize = 256;

/// A place in a record, after a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    /// When the record was begun.
    pub(super) epoch: u64,
    /// The line; 0 before the first.
    pub(super) line: LineNo,
    /// Bytes up to and with it.
    pub(super) bytes: u64,
    /// Its chain.
    pub(super) chain: Chain,
    /// Lines of the last checkpoint that was handed over, or of a place that is kept, signed for.
    pub(super) signed: LineNo,
}

impl Position {
    /// Before the first line of a record.
    pub(super) fn before(epoch: u64) -> Self {
        Self { epoch, line: 0, bytes: 0, chain: Chain::default(), signed: 0 }
    }
}

/// What is shipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// A line, without its line end, and the place after it.
    Line {
        /// As it stands.
        text: Vec<u8>,
        /// After it.
        after: Position,
    },
    /// A checkpoint.
    Checkpoint {
        /// Of which record.
        epoch: u64,
        /// Its lines.
        size: LineNo,
        /// The signed note.
        note: String,
    },
}

/// Why the record is not shipped.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file cannot be read.
    #[error("{}: {why}", file.display())]
    Io {
        /// Which.
        file: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// It is not what was shipped before.
    #[error("{}: line {line} is not the one that was shipped: the record was changed, or is another one", file.display())]
    Other {
        /// Of which record.
        file: PathBuf,
        /// Which.
        line: LineNo,
    },
    /// A line was written by no station.
    #[error("{}: line {line} has no chain", file.display())]
    Unchained {
        /// Of which record.
        file: PathBuf,
        /// Which.
        line: LineNo,
    },
}

enum Lines {
    /// A closed day: all of it is on disk.
    Closed(Box<dyn BufRead + Send>),
    /// The record that is written, to where it is known to be on disk.
    Growing(BufReader<Take<File>>),
}

struct Open {
    path: PathBuf,
    lines: Lines,
    at: Position,
    /// Bytes of the checkpoints' file that were read.
    checkpoints_read: u64,
    pending: VecDeque<(LineNo, String)>,
}

/// Reads a table's records one after another.
pub(super) struct Source {
    record: PathBuf,
    open: Option<Open>,
}

fn io(file: &Path) -> impl FnOnce(io::Error) -> SourceError + '_ {
    move |why| SourceError::Io { file: file.to_path_buf(), why }
}

impl Source {
    pub(super) fn new(record: PathBuf) -> Self {
        Self { record, open: None }
    }

    /// The records that are here, each with when it was begun, the oldest first.
    fn records(&self) -> Result<Vec<(u64, PathBuf)>, SourceError> {
        let mut records = days::closed(&self.record).map_err(io(&self.record))?;
        if self.record.try_exists().map_err(io(&self.record))? {
            records.push(self.record.clone());
        }
        let mut begun = Vec::new();
        for path in records {
            let (epoch, _) = days::beginning(&path).map_err(io(&path))?;
            // a record whose first line is not on disk yet was not begun
            if epoch != 0 {
                begun.push((epoch, path));
            }
        }
        begun.sort();
        Ok(begun)
    }

    /// Goes to a place; where none is named, before the oldest line. A record that is gone gives way to the next one.
    pub(super) fn go(&mut self, to: Option<&Position>) -> Result<(), SourceError> {
        self.open = None;
        let records = self.records()?;
        let wanted = to.map_or(0, |to| to.epoch);
        let Some((epoch, path)) = records.into_iter().find(|(epoch, _)| *epoch >= wanted) else { return Ok(()) };
        let at = to.filter(|to| to.epoch == epoch).cloned().unwrap_or_else(|| Position::before(epoch));
        self.open = Some(Open::new(path == self.record, path, at)?);
        Ok(())
    }

    /// The place after a line of a record that is here; none where that line is not on disk here.
    pub(super) fn place(&self, epoch: u64, line: LineNo) -> Result<Option<Position>, SourceError> {
        let Some((_, path)) = self.records()?.into_iter().find(|(begun, _)| *begun == epoch) else { return Ok(None) };
        let mut open = Open::new(path == self.record, path, Position::before(epoch))?;
        while open.at.line < line {
            if open.line()?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(open.at))
    }

    /// The beginning of the record that is written, once that is the one being shipped.
    pub(super) fn written(&self) -> Option<u64> {
        self.open.as_ref().filter(|open| matches!(open.lines, Lines::Growing(_))).map(|open| open.at.epoch)
    }

    /// Where a witnessed checkpoint of a record belongs: that record's file.
    pub(super) fn file_of(&self, epoch: u64) -> Result<Option<PathBuf>, SourceError> {
        Ok(self.records()?.into_iter().find(|(begun, _)| *begun == epoch).map(|(_, path)| path))
    }

    /// What comes next; none where nothing more is on disk.
    pub(super) fn next(&mut self) -> Result<Option<Item>, SourceError> {
        loop {
            let Some(open) = &mut self.open else {
                self.go(None)?;
                if self.open.is_none() {
                    return Ok(None);
                }
                continue;
            };
            if let Some(item) = open.next()? {
                return Ok(Some(item));
            }
            if matches!(open.lines, Lines::Growing(_)) {
                let (epoch, _) = days::beginning(&self.record).map_err(io(&self.record))?;
                if epoch == open.at.epoch {
                    return Ok(None);
                }
                // the station has closed the day: what is left of it stands among the closed ones
                let at = open.at.clone();
                self.go(Some(&at))?;
                continue;
            }
            let after = Position::before(open.at.epoch + 1);
            let was = open.at.clone();
            self.go(Some(&after))?;
            if self.open.is_none() {
                // the next record is not begun yet
                self.go(Some(&was))?;
                return Ok(None);
            }
        }
    }
}

impl Open {
    fn new(is_growing: bool, path: PathBuf, at: Position) -> Result<Self, SourceError> {
        let (lines, skip) = if is_growing {
            let mut file = File::open(&path).map_err(io(&path))?;
            if at.bytes > 0 && said_before(&mut file, at.bytes).map_err(io(&path))? != Some(at.chain) {
                return Err(SourceError::Other { file: path, line: at.line });
            }
            file.seek(SeekFrom::Start(at.bytes)).map_err(io(&path))?;
            (Lines::Growing(BufReader::with_capacity(1 << 16, file.take(0))), 0)
        } else {
            (Lines::Closed(packed::read(&path).map_err(io(&path))?), at.line)
        };
        let mut open = Self { path, lines, at, checkpoints_read: 0, pending: VecDeque::new() };
        if skip > 0 {
            let wanted = std::mem::replace(&mut open.at, Position::before(0));
            while open.at.line < skip && open.line()?.is_some() {}
            if open.at.chain != wanted.chain {
                return Err(SourceError::Other { file: open.path, line: wanted.line });
            }
            open.at = wanted;
        }
        Ok(open)
    }

    fn next(&mut self) -> Result<Option<Item>, SourceError> {
        if self.pending.is_empty() {
            self.read_checkpoints()?;
        }
        if let Some((size, note)) = self.pending.pop_front_if(|(size, _)| *size <= self.at.line) {
            // whoever goes on from here, as after the day was closed, does not hand it over again
            self.at.signed = size;
            return Ok(Some(Item::Checkpoint { epoch: self.at.epoch, size, note }));
        }
        let Some(text) = self.line()? else { return Ok(None) };
        Ok(Some(Item::Line { text, after: self.at.clone() }))
    }

    /// The next line that is on disk.
    fn line(&mut self) -> Result<Option<Vec<u8>>, SourceError> {
        let mut text = Vec::new();
        let read = match &mut self.lines {
            Lines::Closed(lines) => lines.read_until(b'\n', &mut text),
            Lines::Growing(lines) => {
                if lines.buffer().is_empty() && lines.get_ref().limit() == 0 {
                    let safe = on_disk(&self.path).map_err(io(&self.path))?.unwrap_or(0);
                    lines.get_mut().set_limit(safe.saturating_sub(self.at.bytes));
                }
                lines.read_until(b'\n', &mut text)
            }
        };
        let read = read.map_err(io(&self.path))? as u64;
        if text.pop_if(|end| *end == b'\n').is_none() {
            return Ok(None);
        }
        self.at.line += 1;
        self.at.bytes += read;
        self.at.chain =
            Chain::said(&text).map_err(|_| SourceError::Unchained { file: self.path.clone(), line: self.at.line })?;
        Ok(Some(text))
    }

    /// Reads on in the file of checkpoints, where it has grown.
    fn read_checkpoints(&mut self) -> Result<(), SourceError> {
        let path = checkpoints_of(&self.path);
        let mut file = match File::open(&path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
            file => file.map_err(io(&path))?,
        };
        if file.metadata().map_err(io(&path))?.len() <= self.checkpoints_read {
            return Ok(());
        }
        file.seek(SeekFrom::Start(self.checkpoints_read)).map_err(io(&path))?;
        let mut checkpoints = Checkpoints::new(BufReader::new(file));
        let mut whole = 0;
        while self.pending.len() < AHEAD {
            let next = checkpoints.next().map_err(io(&path))?;
            let (to, unended) = checkpoints.whole();
            match next {
                // its last line is still being written
                Next::Stated(_) if unended => break,
                Next::Stated(stated) => {
                    whole = to;
                    if stated.checkpoint.size > self.at.signed {
                        self.pending.push_back((stated.checkpoint.size, stated.note.to_string()));
                    }
                }
                Next::Wrong(_) => {}
                Next::Torn | Next::End => break,
            }
        }
        self.checkpoints_read += whole;
        Ok(())
    }
}

/// The chain of the line that ends at this byte of a record.
fn said_before(file: &mut File, bytes: u64) -> io::Result<Option<Chain>> {
    // the chain, `"}` and the line's end
    let mut end = [0; 64 + 2 + 1];
    let Some(from) = bytes.checked_sub(end.len() as u64) else { return Ok(None) };
    file.seek(SeekFrom::Start(from))?;
    match file.read_exact(&mut end) {
        Err(why) if why.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    Ok(end.strip_suffix(b"\n").and_then(|line| Chain::said(line).ok()))
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
