//! A witness: somebody who remembers, away from the station, the last checkpoint of a record, and cosigns the next one
//! only if the record still holds every line that it held then. A folder is enough, such as one on a USB stick.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::chain::{Fault, verify};
use super::checkpoint::{Checkpoint, Checkpoints, Stated, checkpoints_of, origin, witnessed_of};
use super::files::{PRIVATE, sync_folder};
use super::note::{PrivateKey, PublicKey, Signed};
use super::offer::Offer;
use super::packed;
use super::record::AddedFields;
use super::tree::{Tree, leaf};
use sabot_law::table::LineNo;

/// Why a witness does not cosign.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// A file cannot be used.
    #[error("{}: {why}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// Nothing to cosign.
    #[error("{}: there is no checkpoint of the key {key}; the station signs one at each pass's end", path.display())]
    NoCheckpoint {
        /// The file of checkpoints.
        path: PathBuf,
        /// Whose.
        key: String,
    },
    /// The chain.
    #[error("the record is not whole: {0}")]
    Broken(#[from] Fault),
    /// A closed day ends in the middle of a line.
    #[error("the closed day ends in {0} bytes that are no whole line")]
    Torn(u64),
    /// Of another record.
    #[error("its checkpoint is that of another record, {0}")]
    OtherRecord(String),
    /// The record does not lead to its own checkpoint.
    #[error("its {found} lines do not lead to its own checkpoint of {signed} lines")]
    Unborne {
        /// Lines there.
        found: LineNo,
        /// Lines signed.
        signed: LineNo,
    },
    /// Lines are gone.
    #[error("A SHORTER RECORD: this witness saw {seen} lines, and its last checkpoint has {signed}")]
    Shorter {
        /// Lines that the witness saw.
        seen: LineNo,
        /// Lines of the last checkpoint.
        signed: LineNo,
    },
    /// Lines are others.
    #[error(
        "A FORK: the first {seen} lines are not those that this witness saw; the record was rewritten and signed anew"
    )]
    Fork {
        /// Lines that the witness saw.
        seen: LineNo,
    },
    /// Nothing that can be cosigned is offered.
    #[error("what is offered is no checkpoint with its proof: {0}")]
    Offered(&'static str),
    /// What the witness remembers was changed.
    #[error("{}: this is not what the witness wrote down; it was changed", .0.display())]
    Memory(PathBuf),
}

/// What a witness has cosigned.
#[derive(Debug)]
pub struct Witnessed {
    /// The checkpoint with both signatures.
    pub stated: Stated,
    /// Lines that the witness had seen before; none where it meets this record for the first time.
    pub before: Option<LineNo>,
}

/// Where the witness in `folder` remembers a record.
fn memory(folder: &Path, origin: &str) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let digest: String = Sha256::digest(origin).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    folder.join(format!("{}-{digest}.checkpoint", origin.chars().map(plain).collect::<String>()))
}

/// Holds the record against what the witness remembers in `folder`, and cosigns its last checkpoint. The cosigned
/// checkpoint is remembered there first, then added to the record's [`witnessed_of`].
///
/// # Errors
/// When it does not cosign. Nothing is then written.
pub fn cosign(
    record: &Path,
    folder: &Path,
    station: &PublicKey,
    witness: &PrivateKey,
    unix_seconds: u64,
) -> Result<Witnessed, WitnessError> {
    let checkpoints = checkpoints_of(record);
    let mut stated = last_of(&checkpoints, station)?
        .ok_or_else(|| WitnessError::NoCheckpoint { path: checkpoints.clone(), key: station.name().to_owned() })?;
    let memory = memory(folder, &stated.checkpoint.origin);
    let before = remembered(&memory, station, witness.public(), &stated.checkpoint.origin)?;
    compare(record, station, &stated.checkpoint, before.as_ref())?;
    stated.note.signatures.push(witness.sign(&stated.note.text, unix_seconds));
    let note = stated.note.to_string();
    replace(&memory, &note).map_err(|why| WitnessError::Io { path: memory.clone(), why })?;
    let witnessed = witnessed_of(record);
    remember(&witnessed, &note).map_err(|why| WitnessError::Io { path: witnessed.clone(), why })?;
    Ok(Witnessed { stated, before: before.map(|checkpoint| checkpoint.size) })
}

/// How many lines a witness has seen of the record of an offer; 0 of one that it does not know.
///
/// # Errors
/// When what it remembers was changed, or cannot be read.
pub fn seen(folder: &Path, of: &Offer, station: &PublicKey, witness: &PublicKey) -> Result<LineNo, WitnessError> {
    let origin = &of.checkpoint.origin;
    let before = remembered(&memory(folder, origin), station, witness, origin)?;
    Ok(before.map_or(0, |before| before.size))
}

/// Holds what is offered against what the witness remembers in `folder`, and cosigns it; it is remembered there.
/// Nothing of the record is seen.
///
/// # Errors
/// When it does not cosign. Nothing is then written.
pub fn cosign_offer(
    offer: Offer,
    folder: &Path,
    station: &PublicKey,
    witness: &PrivateKey,
    unix_seconds: u64,
) -> Result<Witnessed, WitnessError> {
    match offer.note.signed_by(station) {
        Signed::Yes(_) => {}
        Signed::No => return Err(WitnessError::Offered("the station's key has not signed it")),
        Signed::Forged => return Err(WitnessError::Offered("its signature is not good")),
    }
    let origin = offer.checkpoint.origin.clone();
    if origin.rsplit_once('/').is_none_or(|(name, _)| name != station.name()) {
        return Err(WitnessError::OtherRecord(origin));
    }
    let memory = memory(folder, &origin);
    let before = remembered(&memory, station, witness.public(), &origin)?;
    if let Some(before) = &before {
        let (seen, signed) = (before.size, offer.checkpoint.size);
        if seen > signed {
            return Err(WitnessError::Shorter { seen, signed });
        }
        if offer.old != seen {
            return Err(WitnessError::Offered("its proof begins elsewhere"));
        }
        if !offer.goes_on_from(before) {
            return Err(WitnessError::Fork { seen });
        }
    }
    let Offer { checkpoint, mut note, .. } = offer;
    note.signatures.push(witness.sign(&note.text, unix_seconds));
    replace(&memory, &note.to_string()).map_err(|why| WitnessError::Io { path: memory.clone(), why })?;
    Ok(Witnessed { stated: Stated { checkpoint, note, at: 1 }, before: before.map(|before| before.size) })
}

/// The last checkpoint that the station has signed.
fn last_of(path: &Path, station: &PublicKey) -> Result<Option<Stated>, WitnessError> {
    let io = |why| WitnessError::Io { path: path.to_path_buf(), why };
    let mut file = Checkpoints::new(BufReader::new(File::open(path).map_err(io)?));
    file.last(|stated| matches!(stated.note.signed_by(station), Signed::Yes(_))).map_err(io)
}

fn remembered(
    path: &Path,
    station: &PublicKey,
    witness: &PublicKey,
    origin: &str,
) -> Result<Option<Checkpoint>, WitnessError> {
    if !path.exists() {
        return Ok(None);
    }
    let stated = last_of(path, station)?.filter(|stated| matches!(stated.note.signed_by(witness), Signed::Yes(_)));
    match stated {
        Some(stated) if stated.checkpoint.origin == origin => Ok(Some(stated.checkpoint)),
        _ => Err(WitnessError::Memory(path.to_path_buf())),
    }
}

/// One pass over the record: it must lead to its own checkpoint, and on the way to the one that the witness saw.
fn compare(
    record: &Path,
    station: &PublicKey,
    last: &Checkpoint,
    before: Option<&Checkpoint>,
) -> Result<(), WitnessError> {
    if let Some(before) = before.filter(|before| before.size > last.size) {
        return Err(WitnessError::Shorter { seen: before.size, signed: last.size });
    }
    let io = |why| WitnessError::Io { path: record.to_path_buf(), why };
    let (mut tree, mut named, mut same) = (Tree::default(), String::new(), before.is_none());
    let file = packed::read(record).map_err(io)?;
    let is_packed = packed::is_packed(record).map_err(io)?;
    let verified = verify(file, |number, text| {
        if number > last.size {
            return ControlFlow::Continue(());
        }
        if number == 1 {
            let began = serde_json::from_slice(text).unwrap_or_else(|_| AddedFields::default()).began;
            named = origin(station, began);
        }
        tree.push(leaf(text));
        if let Some(before) = before.filter(|before| before.size == number) {
            same = before.root == tree.root();
        }
        if number < last.size || is_packed { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
    .map_err(io)?;
    if let Some(fault) = verified.fault {
        return Err(fault.into());
    }
    if is_packed && verified.torn > 0 {
        return Err(WitnessError::Torn(verified.torn));
    }
    if named != last.origin {
        return Err(WitnessError::OtherRecord(last.origin.clone()));
    }
    let seen = before.map_or(0, |before| before.size);
    if tree.size() >= seen && !same {
        return Err(WitnessError::Fork { seen });
    }
    if (tree.size(), tree.root()) != (last.size, last.root) {
        return Err(WitnessError::Unborne { found: tree.size(), signed: last.size });
    }
    Ok(())
}

/// Writes a file anew, so that a power cut leaves the old or the new one.
fn replace(path: &Path, note: &str) -> io::Result<()> {
    let fresh = path.with_extension("new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(PRIVATE).open(&fresh)?;
    file.write_all(note.as_bytes())?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    sync_folder(path)
}

/// Adds a cosigned checkpoint to the file of them.
///
/// # Errors
/// When it cannot be written.
pub fn remember(path: &Path, note: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).create(true).mode(PRIVATE).open(path)?;
    file.write_all(format!("{note}\n").as_bytes())?;
    file.sync_all()?;
    sync_folder(path)
}
