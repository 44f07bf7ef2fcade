//! How far a record was read, and what came of it: so that a start need not read all of it again.
//!
//! What is kept is written beside the record, in `FILE.state`, and its hash is told by a line of the record itself. The
//! chain from there on, and where the record is signed a checkpoint that covers that line, must bear it out; else
//! everything is read. What lies before is read back by the guard while the station runs.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use memchr::memmem;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::chain::{Chain, Verified, verify_from};
use super::checkpoint::Stated;
use super::clock::{Anchor, STATE_KEPT};
use super::files::{PRIVATE, beside, sync_folder};
use super::hex::Hex;
use super::record::AddedFields;
use super::tree::{Tree, leaf};
use sabot_law::table::{Header, LineNo, Name, line};

/// What is kept in another form is not read.
const FORMAT: u32 = 1;

/// How far a record was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Lines.
    pub lines: LineNo,
    /// Bytes of them.
    pub(super) bytes: u64,
    /// The chain of the last of them.
    pub(super) chain: Chain,
    /// The tree over them.
    pub(super) tree: Tree,
    /// When the record was begun, milliseconds since 1970.
    pub(super) began: u64,
    /// The last `t`.
    pub(super) t: u64,
    /// What the wall showed when it was told last.
    pub(super) anchor: Anchor,
    /// Of each device the last event: epoch and sequence number.
    pub(super) last: BTreeMap<Name, (u32, u32)>,
}

impl Mark {
    /// What the clock on the wall showed when the record was told of it last.
    #[must_use]
    pub const fn told(&self) -> Anchor {
        self.anchor
    }

    /// What a verification begins with that goes on from here.
    pub(super) fn verified(&self) -> Verified {
        Verified { lines: self.lines, bytes: self.bytes, chain: self.chain, torn: 0, fault: None }
    }
}

/// What is kept beside a record.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    format: u32,
    /// SHA-256 of the program: another one may come to something else.
    program: String,
    mark: Mark,
    state: String,
}

/// The file in which it is kept.
#[must_use]
pub fn state_of(record: &Path) -> PathBuf {
    beside(record, ".state")
}

/// Keeps what `program` made of a record up to a mark. The hash is for the record to tell, with [`STATE_KEPT`].
///
/// # Errors
/// When it cannot be written.
pub fn keep(record: &Path, program: &str, mark: Mark, state: String) -> io::Result<String> {
    let kept = Kept { format: FORMAT, program: program.to_owned(), mark, state };
    let text = serde_json::to_vec(&kept)?;
    let (file, new) = (state_of(record), beside(record, ".state.new"));
    let mut to = OpenOptions::new().write(true).create(true).truncate(true).mode(PRIVATE).open(&new)?;
    to.write_all(&text)?;
    to.sync_all()?;
    fs::rename(&new, &file)?;
    sync_folder(&file)?;
    Ok(hash(&text))
}

fn hash(text: &[u8]) -> String {
    Hex::from(<[u8; 32]>::from(Sha256::digest(text))).to_string()
}

/// What was kept beside a record, where the record bears it out; else why it does not, in words.
pub(super) fn believed(
    record: &Path,
    file: &File,
    header: &Header,
    program: &str,
    signed: Option<Option<&Stated>>,
) -> io::Result<Result<(Mark, String), &'static str>> {
    let text = match fs::read(state_of(record)) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Err("nothing is kept")),
        text => text?,
    };
    let Ok(Kept { format, program: by, mark, state }) = serde_json::from_slice(&text) else {
        return Ok(Err("what is kept does not read"));
    };
    if format != FORMAT || by != program {
        return Ok(Err("another version of the program has kept it"));
    }
    let mut file = BufReader::with_capacity(1 << 16, file);
    let mut first = Vec::new();
    file.rewind()?;
    file.read_until(b'\n', &mut first)?;
    let began = serde_json::from_slice(&first).unwrap_or_else(|_| AddedFields::default()).began;
    let is_same_table = line::header(first.trim_ascii_end()).is_ok_and(|found| found.is_same_table(header));
    if !is_same_table || began != mark.began {
        return Ok(Err("it is another record's"));
    }
    file.seek(SeekFrom::Start(mark.bytes))?;
    let found = Tail::read(file, &mark, &hash(&text), signed.flatten())?;
    Ok(match (found, signed) {
        (Tail { is_whole: false, .. } | Tail { told: None, .. }, _) => Err("the record does not tell of it"),
        (Tail { is_signed: false, .. }, Some(_)) => Err("no checkpoint covers the line that tells of it"),
        _ => Ok((mark, state)),
    })
}

/// What the lines after a mark say of what was kept.
struct Tail {
    /// The chain holds.
    is_whole: bool,
    /// The line that tells the hash.
    told: Option<LineNo>,
    /// The last checkpoint covers that line, and lines and mark lead to its root.
    is_signed: bool,
}

impl Tail {
    fn read(file: impl BufRead, mark: &Mark, hash: &str, last: Option<&Stated>) -> io::Result<Self> {
        let (mut tree, mut told, mut is_signed) = (mark.tree.clone(), None, false);
        let says = format!("\"status\":\"{STATE_KEPT}\",\"detail\":\"{hash} ");
        let verified = verify_from(mark.verified(), file, |number, text| {
            if memmem::find(text, says.as_bytes()).is_some() {
                told = Some(number);
            }
            tree.push(leaf(text));
            if let Some(Stated { checkpoint, .. }) = last.filter(|last| last.checkpoint.size == number) {
                is_signed = told.is_some() && checkpoint.root == tree.root();
            }
            ControlFlow::Continue(())
        })?;
        Ok(Self { is_whole: verified.fault.is_none(), told, is_signed })
    }
}
