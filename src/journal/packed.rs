//! Reads records, packed by gzip or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::chain::Chain;

/// Bytes that are read at once.
const READ: usize = 1 << 16;
/// What a gzip file begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads a record, packed or not, with what follows it.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    let mut file = BufReader::with_capacity(READ, File::open(path)?);
    let is_packed = file.fill_buf()?.starts_with(&GZIP);
    Ok(if is_packed { Box::new(BufReader::with_capacity(READ, MultiGzDecoder::new(file))) } else { Box::new(file) })
}

/// Reads a record, packed or not, from a byte of its text on.
///
/// # Errors
/// When it cannot be read.
pub fn read_from(path: &Path, from: u64) -> io::Result<Box<dyn BufRead + Send>> {
    if is_packed(path)? {
        let mut text = read(path)?;
        io::copy(&mut text.by_ref().take(from), &mut io::sink())?;
        return Ok(text);
    }
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    Ok(Box::new(BufReader::with_capacity(READ, file)))
}

/// Reads the whole lines of a log. The last line of a record that has no line feed is none yet: a write under way, or
/// somebody else's, which its chain does not say. In a packed day it is damage. A log that nobody has chained is read
/// to its end.
///
/// # Errors
/// When it cannot be read.
pub fn whole_lines(path: &Path) -> io::Result<WholeLines> {
    whole_lines_from(path, 0)
}

/// The same from a byte of its text on; after the first line it is a record's.
///
/// # Errors
/// When it cannot be read.
pub fn whole_lines_from(path: &Path, from: u64) -> io::Result<WholeLines> {
    let (is_packed, file) = (is_packed(path)?, read_from(path, from)?);
    Ok(WholeLines { file, line: Vec::new(), at: 0, is_packed, is_first: from == 0, is_record: from > 0 })
}

/// The whole lines of a log.
pub struct WholeLines {
    file: Box<dyn BufRead + Send>,
    line: Vec<u8>,
    at: usize,
    is_packed: bool,
    is_first: bool,
    is_record: bool,
}

impl BufRead for WholeLines {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.line.len() {
            self.line.clear();
            self.at = 0;
            self.file.read_until(b'\n', &mut self.line)?;
            if std::mem::take(&mut self.is_first) {
                self.is_record = Chain::said(self.line.trim_ascii_end()).is_ok();
            }
            let is_whole = self.line.is_empty() || self.line.ends_with(b"\n");
            if self.is_record && !is_whole {
                self.line.clear();
                if self.is_packed {
                    let why = "its last line has no line feed: the closed day is damaged, or somebody else's";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, why));
                }
            }
        }
        Ok(self.line.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, read: usize) {
        self.at = (self.at + read).min(self.line.len());
    }
}

impl Read for WholeLines {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(to)?;
        self.consume(read);
        Ok(read)
    }
}

/// Whether a record is packed.
///
/// # Errors
/// When it cannot be read.
pub fn is_packed(path: &Path) -> io::Result<bool> {
    Ok(BufReader::new(File::open(path)?).fill_buf()?.starts_with(&GZIP))
}
