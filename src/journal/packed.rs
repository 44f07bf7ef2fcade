//! Reads records, packed by gzip or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::MultiGzDecoder;

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

/// Whether a record is packed.
///
/// # Errors
/// When it cannot be read.
pub fn is_packed(path: &Path) -> io::Result<bool> {
    Ok(BufReader::new(File::open(path)?).fill_buf()?.starts_with(&GZIP))
}
