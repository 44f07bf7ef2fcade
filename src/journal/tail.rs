//! Following a record while it is written: its lines on disk from any of the newest on, and those that come.
//!
//! What is read must follow from what was read before it, by the chain; a file that somebody has put in the record's
//! place, or changed, gives nothing.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use memchr::{memchr_iter, memrchr};
use tokio::sync::watch;

use super::chain::Chain;
use super::clock::Anchor;
use super::record::After;
use super::writer::Durable;
use sabot_law::table::{LineNo, line};

/// Bytes that are read at a time; a longer line is read whole.
const PIECE: u64 = 1 << 14;
/// How far back a line may lie.
pub const MOST_BACK: LineNo = 100_000;
/// Digits of a line's chain in its mark.
const DIGITS: usize = 8;
/// What stands after the chain of a line: `"}`, and the line's end.
const CHAINED: u64 = 64 + 2 + 1;
/// How a line of the station's own begins.
const OF_THE_STATION: &[u8] = br#"{"ev":"device","device":"station","#;

/// A record that is followed.
#[derive(Debug, Clone)]
pub struct Tail {
    path: PathBuf,
    durable: watch::Receiver<Durable>,
    /// Kept open: a closed day takes another name, and is read to its end.
    file: Arc<OnceLock<File>>,
}

/// By what a line is known to those who follow: its number, and the first digits of its chain. As text `482-3f9a12bc`;
/// `482` is the line of that number, whatever it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineMark {
    /// Its number; 0 before the first.
    pub line: LineNo,
    chain: Option<String>,
}

impl LineMark {
    /// Whether it can mean the last line of a record.
    #[must_use]
    pub fn is_last_of(&self, After { lines, chain, .. }: &After) -> bool {
        self.line == *lines && self.chain.as_ref().is_some_and(|digits| chain.to_string().starts_with(digits))
    }
}

impl FromStr for LineMark {
    type Err = NotThere;

    fn from_str(text: &str) -> Result<Self, NotThere> {
        let (line, chain) = text.split_once('-').map_or((text, None), |(line, chain)| (line, Some(chain)));
        let is_chain = |chain: &str| chain.len() == DIGITS && chain.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_mark = line.bytes().all(|byte| byte.is_ascii_digit()) && chain.is_none_or(is_chain);
        let line = line.parse().ok().filter(|_| is_mark).ok_or(NotThere::NoMark)?;
        Ok(Self { line, chain: chain.map(str::to_ascii_lowercase) })
    }
}

impl fmt::Display for LineMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.line)?;
        self.chain.iter().try_for_each(|chain| write!(f, "-{chain}"))
    }
}

/// Why a record is not read from a line on.
#[derive(Debug, thiserror::Error)]
pub enum NotThere {
    /// What names the line names none.
    #[error("a line of the record is named by its number, as 482, or by its id, as 482-3f9a12bc")]
    NoMark,
    /// The record has not come so far.
    #[error("the record has no line {line}: its last line on disk is {last}")]
    Ahead {
        /// Which was named.
        line: LineNo,
        /// The last.
        last: LineNo,
    },
    /// The record has another line there.
    #[error("line {line} of the record is another one: this is not the record that was followed before; begin anew")]
    Other {
        /// Which was named.
        line: LineNo,
    },
    /// It lies too far back.
    #[error(
        "line {line} lies more than {MOST_BACK} lines back; the nearest is {first}. The record's file has them all"
    )]
    Behind {
        /// Which was named.
        line: LineNo,
        /// After which line one can begin.
        first: LineNo,
    },
    /// The file cannot be read, or is not what was written.
    #[error("the record cannot be read: {0}")]
    File(#[from] io::Error),
}

/// How far somebody has read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reached {
    /// The last line read.
    pub line: LineNo,
    bytes: u64,
    /// Its chain.
    pub chain: Chain,
}

/// A line as it stands in the record, without its line end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// By what it is known.
    pub mark: LineMark,
    /// The line.
    pub text: Vec<u8>,
}

impl Tail {
    /// The record in a file, as far as it is durable.
    #[must_use]
    pub fn new(path: PathBuf, durable: watch::Receiver<Durable>) -> Self {
        Self { path, durable, file: Arc::default() }
    }

    /// Of the record that is written now: not the one that somebody followed before.
    #[must_use]
    pub fn is_of(&self, durable: &watch::Receiver<Durable>) -> bool {
        self.durable.same_channel(durable)
    }

    /// The file, once something of the record is on disk.
    fn file(&self) -> io::Result<&File> {
        match self.file.get() {
            Some(file) => Ok(file),
            None => {
                let file = File::open(&self.path)?;
                Ok(self.file.get_or_init(|| file))
            }
        }
    }

    /// Where it ends now, on disk.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn end(&self) -> Result<Reached, NotThere> {
        let line = self.durable.borrow().line;
        self.after(&LineMark { line, chain: None })
    }

    /// The place after a line.
    ///
    /// # Errors
    /// When the line is not there, or is another one.
    pub fn after(&self, mark: &LineMark) -> Result<Reached, NotThere> {
        let (line, durable) = (mark.line, self.durable.borrow().clone());
        let (last, first) = (durable.line, durable.line.saturating_sub(MOST_BACK));
        let back = last.checked_sub(line).ok_or(NotThere::Ahead { line, last })?;
        if line < first {
            return Err(NotThere::Behind { line, first });
        }
        let file = File::open(&self.path)?;
        let bytes = before(&file, durable.bytes, back)?;
        let reached = Reached { line, bytes, chain: chain_before(&file, bytes)? };
        if durable.bytes > 0 {
            self.file()?;
        }
        let is_it = mark.chain.as_ref().is_none_or(|chain| reached.chain.to_string().starts_with(chain));
        if is_it { Ok(reached) } else { Err(NotThere::Other { line }) }
    }

    /// The next lines on disk, some of them where they are many; none where nothing more is there.
    ///
    /// # Errors
    /// When it cannot be read, or is not what was written.
    pub fn next(&self, reached: &mut Reached) -> io::Result<Vec<Told>> {
        let (until, mut told) = (self.durable.borrow().bytes, Vec::new());
        let mut length = PIECE;
        while told.is_empty() && reached.bytes < until {
            let piece = read(self.file()?, reached.bytes, until.min(reached.bytes.saturating_add(length)))?;
            let whole = memrchr(b'\n', &piece).map_or(0, |end| end + 1);
            for line in piece.get(..whole).unwrap_or_default().split_inclusive(|byte| *byte == b'\n') {
                let text = line.strip_suffix(b"\n").unwrap_or(line);
                reached.chain = reached.chain.follow(text).map_err(|_| changed())?;
                (reached.line, reached.bytes) = (reached.line + 1, reached.bytes + line.len() as u64);
                told.push(Told { mark: reached.mark(), text: text.to_vec() });
            }
            length *= 2;
        }
        Ok(told)
    }

    /// What the clock on the wall showed last, up to a place; none where no line tells it. One does each minute.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn anchor(&self, reached: Reached) -> io::Result<Option<Anchor>> {
        let mut from = reached.bytes;
        while from > 0 {
            let length = PIECE.max(2 * (reached.bytes - from));
            from = reached.bytes.saturating_sub(length);
            let piece = read(self.file()?, from, reached.bytes)?;
            // where it does not begin the record its first line is cut as a rule
            let whole = piece.split(|byte| *byte == b'\n').skip(usize::from(from > 0));
            if let Some(anchor) = whole.filter_map(anchor).last() {
                return Ok(Some(anchor));
            }
        }
        Ok(None)
    }

    /// Whether more is on disk than has been read.
    #[must_use]
    pub fn has_more(&self, reached: Reached) -> bool {
        self.durable.borrow().bytes > reached.bytes
    }

    /// Returns when more is on disk than has been read, or never will be: `false`.
    pub async fn grown(&mut self, reached: Reached) -> bool {
        self.durable.wait_for(|durable| durable.bytes > reached.bytes).await.is_ok()
    }
}

impl Reached {
    fn mark(&self) -> LineMark {
        let chain = self.chain.to_string().get(..DIGITS).map(str::to_owned);
        LineMark { line: self.line, chain }
    }
}

/// What a line says that the clock on the wall showed.
fn anchor(text: &[u8]) -> Option<Anchor> {
    let (event, t) = line::timed(text.starts_with(OF_THE_STATION).then_some(text)?).ok()?;
    Anchor::told(&event, t?)
}

fn changed() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "it is not what was written")
}

/// The bytes from one place to another, all of them.
fn read(file: &File, from: u64, to: u64) -> io::Result<Vec<u8>> {
    let mut piece = vec![0; usize::try_from(to - from).map_err(io::Error::other)?];
    file.read_exact_at(&mut piece, from)?;
    Ok(piece)
}

/// How many bytes there are before the last `back` lines of so many bytes.
fn before(file: &File, end: u64, back: LineNo) -> io::Result<u64> {
    if back == 0 {
        return Ok(end);
    }
    // the first line end from the back is that of the last line
    let (mut at, mut ends) = (end, back);
    while at > 0 {
        let from = at.saturating_sub(PIECE);
        for end in memchr_iter(b'\n', &read(file, from, at)?).rev() {
            match ends.checked_sub(1) {
                Some(left) => ends = left,
                None => return Ok(from + end as u64 + 1),
            }
        }
        at = from;
    }
    if ends == 0 { Ok(0) } else { Err(changed()) }
}

/// The chain of the line that ends there.
fn chain_before(file: &File, bytes: u64) -> io::Result<Chain> {
    if bytes == 0 {
        return Ok(Chain::default());
    }
    let end = read(file, bytes.checked_sub(CHAINED).ok_or_else(changed)?, bytes)?;
    let said = end.strip_suffix(b"\n").map(Chain::said);
    said.and_then(Result::ok).ok_or_else(changed)
}

#[cfg(test)]
#[path = "tail_tests.rs"]
mod tests;
