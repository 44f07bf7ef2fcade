//! What the station has signed of a record before, and lies beside it: at a start the record is held against all of it
//! before anything more is signed.

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::checkpoint::{Checkpoints, Stated, checkpoints_of, origin, witnessed_of};
use super::clock::{START, STOP};
use super::contradiction::Contradiction;
use super::days;
use super::note::{PublicKey, Signed};
use super::tree::Tree;
use sabot_law::table::LineNo;

/// What a file of checkpoints is read back from its end, bytes.
const END: u64 = 1 << 18;

/// What the end of a file of checkpoints says.
#[derive(Debug, Default)]
pub(super) struct LastOf {
    /// The last one that the key has signed.
    pub(super) stated: Option<Stated>,
    /// Bytes of whole checkpoints, and whether the last of them lacks its empty line.
    pub(super) whole: (u64, bool),
}

impl LastOf {
    /// Of a file, read from its end where that is enough.
    pub(super) fn of(file: &File, key: &PublicKey) -> io::Result<Self> {
        let by_key = |stated: &Stated| stated.note.signed_by(key) == Signed::Yes(None);
        let mut file = BufReader::new(file);
        file.rewind()?;
        let from = file.get_ref().metadata()?.len().saturating_sub(END);
        if from > 0 {
            file.seek(SeekFrom::Start(from))?;
            let skipped = Checkpoints::to_the_next(&mut file)?;
            let mut held = Checkpoints::new(&mut file);
            if let Some(last) = held.last(by_key)? {
                let (bytes, unended) = held.whole();
                return Ok(Self { stated: Some(last), whole: (from + skipped + bytes, unended) });
            }
            file.rewind()?;
        }
        let mut held = Checkpoints::new(file);
        let stated = held.last(by_key)?;
        Ok(Self { stated, whole: held.whole() })
    }

    /// Of a file that may be missing.
    fn at(path: &Path, key: &PublicKey) -> io::Result<Self> {
        match File::open(path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            file => Self::of(&file?, key),
        }
    }
}

/// A checkpoint that the station has signed, and whether the lines so far bear it out.
#[derive(Debug)]
struct Claim {
    stated: Stated,
    is_borne_out: bool,
}

/// Holds a record, while it is read, against what its station has signed.
#[derive(Debug, Default)]
pub(super) struct Claims {
    last: Option<Claim>,
    /// The last one that a witness has cosigned.
    witnessed: Option<Claim>,
    has_stopped: bool,
    /// The first line that no station wrote.
    added: Option<LineNo>,
}

impl Claims {
    /// What lies beside a record.
    pub(super) fn of(record: &Path, key: &PublicKey) -> io::Result<Self> {
        let claim = |stated| Claim { stated, is_borne_out: false };
        // where closing a day was interrupted, they are beside the day already
        let day = days::unfinished(record)?;
        let last = |of: fn(&Path) -> PathBuf| {
            let places = [Some(record), day.as_deref()].into_iter().flatten();
            let stated = places.map(|at| Ok(LastOf::at(&of(at), key)?.stated)).collect::<io::Result<Vec<_>>>()?;
            Ok::<_, io::Error>(stated.into_iter().flatten().max_by_key(|stated| stated.checkpoint.size).map(claim))
        };
        let (last, witnessed) = (last(checkpoints_of)?, last(witnessed_of)?);
        Ok(Self { last, witnessed, ..Self::default() })
    }

    /// The last checkpoint, as far as the record has not been held against it.
    pub(super) fn last(&self) -> Option<&Stated> {
        self.last.as_ref().map(|claim| &claim.stated)
    }

    fn signed(&self) -> LineNo {
        self.last().map_or(0, |last| last.checkpoint.size)
    }

    /// The lines after these are read; the last checkpoint bears out these, and whatever was signed of them.
    pub(super) fn read_from(&mut self, tree: &Tree) {
        let size = tree.size();
        for Claim { stated, is_borne_out } in self.last.iter_mut().chain(&mut self.witnessed) {
            let checkpoint = &stated.checkpoint;
            *is_borne_out = checkpoint.size < size || checkpoint.size == size && checkpoint.root == tree.root();
        }
    }

    /// Takes a line; the tree is over all lines up to and with it.
    pub(super) fn take(&mut self, line: &[u8], tree: &Tree) {
        let number = tree.size();
        for Claim { stated, is_borne_out } in self.last.iter_mut().chain(&mut self.witnessed) {
            if stated.checkpoint.size == number {
                *is_borne_out = stated.checkpoint.root == tree.root();
            }
        }
        if self.has_stopped && number > self.signed() && !tells(line, START) {
            self.added.get_or_insert(number);
        }
        self.has_stopped = tells(line, STOP);
    }

    /// Every line was taken, of a record that was begun then; how many of them are signed.
    pub(super) fn hold(&self, found: LineNo, key: &PublicKey, began_ms: u64) -> Result<LineNo, Contradiction> {
        let origin = origin(key, began_ms);
        if self.last().is_some_and(|last| last.checkpoint.origin != origin) {
            return Err(Contradiction::OtherRecord);
        }
        // a receipt may come when the day is closed already: it is of the record before then
        let witnessed = self.witnessed.as_ref().filter(|claim| claim.stated.checkpoint.origin == origin);
        for Claim { stated, is_borne_out } in self.last.iter().chain(witnessed) {
            let signed = stated.checkpoint.size;
            if signed > found {
                return Err(Contradiction::Shorter { signed, found });
            } else if !is_borne_out {
                return Err(Contradiction::Rewritten { signed });
            }
        }
        match self.added {
            Some(line) => Err(Contradiction::AfterStop { line }),
            None => Ok(self.signed()),
        }
    }
}

/// Whether a line is the station's own, and tells this of it.
pub(super) fn tells(line: &[u8], status: &str) -> bool {
    let rest = line.strip_prefix(br#"{"ev":"device","device":"station","status":""#);
    rest.and_then(|rest| rest.strip_prefix(status.as_bytes())).is_some_and(|rest| rest.starts_with(b"\""))
}
