//! The chain of hashes through a record, and its verification.

use std::fmt;
use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::hex::Hex;
use sabot_law::table::LineNo;

const KEY: &[u8] = b",\"chain\":\"";
const END: &[u8] = b"\"}";
const DIGITS: usize = 64;

/// The hash that stands for a line and all before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Hex", into = "Hex")]
pub struct Chain([u8; 32]);

impl From<Hex> for Chain {
    fn from(hex: Hex) -> Self {
        Self(hex.into())
    }
}

impl From<Chain> for Hex {
    fn from(Chain(hash): Chain) -> Self {
        hash.into()
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Chain {
    type Err = FaultKind;

    fn from_str(digits: &str) -> Result<Self, FaultKind> {
        Hex::parse(digits).map(Self::from).ok_or(FaultKind::NoChain)
    }
}

impl Chain {
    /// The chain of the line that follows, `line` being a JSON object without chain and line end.
    #[must_use]
    pub fn next(self, line: &[u8]) -> Self {
        self.over(line, &[])
    }

    /// The same, of a line in two parts.
    fn over(self, line: &[u8], end: &[u8]) -> Self {
        Self(Sha256::new_with_prefix(self.0).chain_update(line).chain_update(end).finalize().into())
    }

    fn hex(self) -> [u8; DIGITS] {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let mut digits = [0; DIGITS];
        for (digits, byte) in digits.as_chunks_mut().0.iter_mut().zip(self.0) {
            *digits = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
        }
        digits
    }

    /// Chains `line` and appends it with its chain and line end to `out`; the chain now reached.
    #[must_use]
    pub fn append(self, line: &[u8], out: &mut Vec<u8>) -> Self {
        let next = self.next(line);
        out.extend_from_slice(line.strip_suffix(b"}").unwrap_or(line));
        out.extend_from_slice(KEY);
        out.extend_from_slice(&next.hex());
        out.extend_from_slice(END);
        out.push(b'\n');
        next
    }

    /// The chain that a line says that it has.
    ///
    /// # Errors
    /// When it says none.
    pub fn said(line: &[u8]) -> Result<Self, FaultKind> {
        let digits = line.strip_suffix(END).and_then(|line| line.last_chunk::<DIGITS>()).ok_or(FaultKind::NoChain)?;
        std::str::from_utf8(digits).map_err(|_| FaultKind::NoChain)?.parse()
    }

    /// The chain after `line` (as it stands in the file, without its line end), where the line's own chain says so too.
    ///
    /// # Errors
    /// When the line has no chain, or another.
    pub fn follow(self, line: &[u8]) -> Result<Self, FaultKind> {
        let at = line.len().checked_sub(KEY.len() + DIGITS + END.len()).ok_or(FaultKind::NoChain)?;
        let (body, tail) = line.split_at(at);
        let digits = tail
            .strip_prefix(KEY)
            .and_then(|rest| rest.strip_suffix(END))
            .filter(|digits| digits.iter().all(|d| matches!(d, b'0'..=b'9' | b'a'..=b'f')))
            .ok_or(FaultKind::NoChain)?;
        let next = self.over(body, b"}");
        if next.hex() == digits { Ok(next) } else { Err(FaultKind::Broken) }
    }
}

/// Where a record is not what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct Fault {
    /// Line, from 1.
    pub line: LineNo,
    /// What is wrong with it.
    pub kind: FaultKind,
}

/// What is wrong with a line of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// It does not end in a chain.
    #[error("no chain: this line was not written by a station, or was cut")]
    NoChain,
    /// Its chain is another.
    #[error("the chain breaks: this line was changed, or lines before it were changed, removed, added or moved")]
    Broken,
}

/// Holds lines that follow one another in a record against their chain; the first of those that it bears out. That is
/// the second, or line 1: what any other was chained to is not known.
///
/// # Errors
/// With the first line that does not follow the one before it.
pub fn follows(first: LineNo, lines: &[&[u8]]) -> Result<LineNo, Fault> {
    let unborne = usize::from(first > 1);
    let start = lines.first().filter(|_| first > 1).map(|line| Chain::said(line)).transpose();
    let mut chain = start.map_err(|kind| Fault { line: first, kind })?.unwrap_or_default();
    let from = first + unborne as LineNo;
    for (line, text) in (from..).zip(lines.iter().skip(unborne)) {
        chain = chain.follow(text).map_err(|kind| Fault { line, kind })?;
    }
    Ok(from)
}

/// What a verification found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// Whole lines with a good chain, the header included.
    pub lines: LineNo,
    /// Bytes of them.
    pub bytes: u64,
    /// The chain of the last of them.
    pub chain: Chain,
    /// Bytes after them that make no whole line: a write that was cut short.
    pub torn: u64,
    /// The first line whose chain does not hold; what follows it was not looked at.
    pub fault: Option<Fault>,
}

/// Reads a record to its first fault, or until `each` breaks off; every good line (number, bytes without line end) goes
/// to `each`. Memory does not grow with its length.
///
/// # Errors
/// When it cannot be read.
pub fn verify(file: impl BufRead, each: impl FnMut(LineNo, &[u8]) -> ControlFlow<()>) -> io::Result<Verified> {
    verify_from(Verified { lines: 0, bytes: 0, chain: Chain::default(), torn: 0, fault: None }, file, each)
}

/// [`verify`], of what follows.
pub(super) fn verify_from(
    mut so_far: Verified,
    mut file: impl BufRead,
    mut each: impl FnMut(LineNo, &[u8]) -> ControlFlow<()>,
) -> io::Result<Verified> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = file.read_until(b'\n', &mut line)? as u64;
        if read == 0 {
            return Ok(so_far);
        }
        if line.pop_if(|end| *end == b'\n').is_none() {
            so_far.torn = read;
            return Ok(so_far);
        }
        match so_far.chain.follow(&line) {
            Ok(chain) => so_far.chain = chain,
            Err(kind) => {
                so_far.fault = Some(Fault { line: so_far.lines + 1, kind });
                return Ok(so_far);
            }
        }
        so_far.lines += 1;
        so_far.bytes += read;
        if each(so_far.lines, &line).is_break() {
            return Ok(so_far);
        }
    }
}
