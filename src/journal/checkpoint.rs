//! Checkpoints (c2sp.org/tlog-checkpoint): a signed note of how many lines a record has, and the root of the tree over
//! them. They stand one after another in a file beside the record, an empty line after each.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use base64ct::{Base64, Encoding};

use super::files::beside;
use super::note::{DASH, Note, PublicKey};
use super::tree::Hash;
use sabot_law::table::LineNo;

/// A note that is longer is none.
const LONGEST: usize = 1 << 16;
/// More lines no record has.
const MOST_LINES: LineNo = 1 << 48;

/// What is signed: so many lines of this record have this root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Which record: see [`origin`].
    pub origin: String,
    /// Its lines, the header included.
    pub size: LineNo,
    /// The root of the tree over them.
    pub root: Hash,
}

/// How the checkpoints of a record name it: the station's key, and when the record was begun (milliseconds since 1970),
/// since one key signs one record after another.
#[must_use]
pub fn origin(key: &PublicKey, began_ms: u64) -> String {
    format!("{}/{began_ms}", key.name())
}

/// The file of a record's checkpoints.
#[must_use]
pub fn checkpoints_of(record: &Path) -> PathBuf {
    beside(record, ".checkpoints")
}

/// The file of those that witnesses have cosigned.
#[must_use]
pub fn witnessed_of(record: &Path) -> PathBuf {
    beside(record, ".witnessed")
}

impl Checkpoint {
    /// Reads the text of a note.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.split_terminator('\n');
        let (origin, size, root) = (lines.next()?, lines.next()?, lines.next()?);
        let number: LineNo = size.parse().ok()?;
        let root = Base64::decode_vec(root).ok()?.try_into().ok()?;
        let extensions = lines.all(|line| !line.is_empty());
        let canonical = number.to_string() == size && number <= MOST_LINES && !origin.is_empty() && extensions;
        canonical.then(|| Self { origin: origin.to_owned(), size: number, root })
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.origin, self.size, Base64::encode_string(&self.root))
    }
}

/// A checkpoint as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// What it says.
    pub checkpoint: Checkpoint,
    /// With its signatures.
    pub note: Note,
    /// The line of the file at which it begins, from 1.
    pub at: u64,
}

/// The next thing in a file of checkpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// A checkpoint.
    Stated(Box<Stated>),
    /// Something else begins at this line.
    Wrong(u64),
    /// The file ends in part of a note: a write that was cut short.
    Torn,
    /// The file ends.
    End,
}

/// Reads a file of checkpoints one by one.
#[derive(Debug)]
pub struct Checkpoints<R> {
    file: R,
    line: u64,
    read: u64,
    /// Bytes up to and with the last whole note and its empty line.
    whole: u64,
    /// Only that empty line is missing.
    unended: bool,
}

impl<R: BufRead> Checkpoints<R> {
    /// From the beginning.
    pub fn new(file: R) -> Self {
        Self { file, line: 0, read: 0, whole: 0, unended: false }
    }

    /// Bytes up to and with the last whole note and the empty line after it; true where that line is still missing.
    #[must_use]
    pub fn whole(&self) -> (u64, bool) {
        (self.whole, self.unended)
    }

    /// Reads on.
    ///
    /// # Errors
    /// When the file cannot be read.
    #[allow(clippy::should_implement_trait, reason = "its end has several forms")]
    pub fn next(&mut self) -> io::Result<Next> {
        let (at, mut note, mut blank) = (self.line + 1, Vec::new(), 0);
        // a note is text, an empty line, signatures, and an empty line again
        while blank < 2 {
            let from = note.len();
            let read = self.file.by_ref().take(LONGEST as u64).read_until(b'\n', &mut note)?;
            self.read += read as u64;
            self.line += 1;
            match note.get(from..) {
                Some([]) if note.is_empty() => return Ok(Next::End),
                Some([]) => break,
                Some(b"\n") => blank += 1,
                _ => {}
            }
            if note.len() > LONGEST {
                return Ok(Next::Wrong(at));
            }
        }
        if blank == 2 {
            note.pop();
        }
        let stated = std::str::from_utf8(&note).ok().and_then(Note::parse).and_then(|note| {
            let checkpoint = Checkpoint::parse(&note.text)?;
            Some(Stated { checkpoint, note, at })
        });
        Ok(match (stated, blank) {
            (Some(stated), _) => {
                (self.whole, self.unended) = (self.read, blank < 2);
                Next::Stated(Box::new(stated))
            }
            (None, 2) => Next::Wrong(at),
            (None, _) => Next::Torn,
        })
    }

    /// Reads on to where a checkpoint begins, from anywhere in a file; the bytes before that.
    pub(super) fn to_the_next(file: &mut R) -> io::Result<u64> {
        let (mut line, mut is_after_blank) = (Vec::new(), false);
        // what is read first may be the end of a line
        let mut skipped = file.by_ref().take(LONGEST as u64).read_until(b'\n', &mut line)? as u64;
        loop {
            line.clear();
            let ahead = file.fill_buf()?;
            // after an empty line come signatures, or the next checkpoint
            if ahead.is_empty() || (is_after_blank && !ahead.starts_with(DASH.as_bytes())) {
                return Ok(skipped);
            }
            skipped += file.by_ref().take(LONGEST as u64).read_until(b'\n', &mut line)? as u64;
            is_after_blank = line == b"\n";
        }
    }

    /// Reads to the end; the last checkpoint for which `wanted` holds.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn last(&mut self, mut wanted: impl FnMut(&Stated) -> bool) -> io::Result<Option<Stated>> {
        let mut last = None;
        loop {
            match self.next()? {
                Next::Stated(stated) if wanted(&stated) => last = Some(*stated),
                Next::Stated(_) | Next::Wrong(_) => {}
                Next::Torn | Next::End => return Ok(last),
            }
        }
    }
}
