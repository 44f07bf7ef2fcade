//! Gaming days: a record is closed, packed and put away, and the next one begins where it ended.
//!
//! The folder `FILE.days` holds the closed ones, each a gzip file by the time at which it was begun, with its
//! checkpoints beside it. The first line of a record tells how many lines the one before has and the chain of the last
//! of them, so that the first line's own chain stands for everything since the first day.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::audit::{Trust, audit};
use super::chain::{Chain, Verified, verify};
use super::checkpoint::{checkpoints_of, witnessed_of};
use super::clock::utc;
use super::files::{self, PRIVATE, beside, sync_folder, unix_ms};
use super::mark::state_of;
use super::note::PublicKey;
use super::packed::read;
use super::record::{AddedFields, After, header_line};
use super::synced::synced_of;
use sabot_law::table::{Header, LineNo, Name};

const SUFFIX: &str = ".jsonl.gz";
const DAY_MS: u64 = 86_400_000;

/// When the house's day begins, by universal time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GamingDay {
    /// Minutes after midnight.
    pub begins: u32,
}

impl GamingDay {
    fn number(self, unix_ms: u64) -> u64 {
        (unix_ms + DAY_MS - u64::from(self.begins) * 60_000) / DAY_MS
    }

    /// The day in which a record was begun is over.
    #[must_use]
    pub fn is_over(self, began_ms: u64) -> bool {
        self.number(began_ms) < self.number(unix_ms())
    }
}

/// The folder of a record's closed days.
#[must_use]
pub fn days_of(record: &Path) -> PathBuf {
    beside(record, ".days")
}

/// The closed days of a record, the oldest first.
///
/// # Errors
/// When the folder cannot be read; without one there is none.
pub fn closed(record: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = match fs::read_dir(days_of(record)) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        folder => folder?,
    };
    let mut days = folder.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    days.retain(|path| path.to_str().is_some_and(|name| name.ends_with(SUFFIX)));
    days.sort();
    Ok(days)
}

/// What a record's first line says of when it was begun, and of the record before it.
///
/// # Errors
/// When it cannot be read.
pub fn beginning(record: &Path) -> io::Result<(u64, Option<After>)> {
    let mut first = Vec::new();
    read(record)?.take(1 << 20).read_until(b'\n', &mut first)?;
    Ok(beginning_of(first.trim_ascii_end()))
}

/// The same, of the first line itself.
#[must_use]
pub fn beginning_of(first: &[u8]) -> (u64, Option<After>) {
    let AddedFields { began, after, .. } = serde_json::from_slice(first).unwrap_or_default();
    (began, after)
}

/// Puts a record away that nobody writes any more, and begins the next one, which tells where each device stood
/// (`last`). Interrupted anywhere, the next call ends it; nothing of the record is removed before all of it is packed,
/// durable and read back. The closed day's file.
///
/// # Errors
/// When a file cannot be used, or the record is not whole.
pub fn close(record: &Path, header: &Header, last: BTreeMap<Name, (u32, u32)>) -> io::Result<PathBuf> {
    let whole = verify(read(record)?, |_, _| ControlFlow::Continue(()))?;
    let after = &After { lines: whole.lines, chain: whole.chain, last };
    let folder = days_of(record);
    match DirBuilder::new().mode(0o700).create(&folder) {
        Err(why) if why.kind() != io::ErrorKind::AlreadyExists => return Err(why),
        _ => sync_folder(&folder)?,
    }
    let (began, _) = beginning(record)?;
    let day = folder.join(format!("{}{SUFFIX}", utc(began).replace(':', "")));
    pack(record, &day, whole)?;
    for of in [checkpoints_of, witnessed_of] {
        put_away(&of(record), &of(&day))?;
    }
    let next = beside(record, ".next");
    let mut first = Vec::new();
    let _ = Chain::default().append(&header_line(header, unix_ms(), Some(after))?, &mut first);
    replace(&next, &first, |_| Ok(()))?;
    for beside in [synced_of(record), state_of(record), beside(record, ".blocks")] {
        absent(fs::remove_file(beside))?;
    }
    fs::rename(&next, record)?;
    sync_folder(record)?;
    Ok(day)
}

fn absent(done: io::Result<()>) -> io::Result<()> {
    done.or_else(|why| if why.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(why) })
}

/// Packs a record, durably, and reads it back.
fn pack(record: &Path, day: &Path, whole: Verified) -> io::Result<()> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    io::copy(&mut File::open(record)?, &mut packed)?;
    let is_the_same = |new: &Path| {
        let packed = verify(read(new)?, |_, _| ControlFlow::Continue(()))?;
        if packed == whole && whole.torn == 0 && whole.fault.is_none() {
            return Ok(());
        }
        Err(io::Error::other(format!("{}: it does not read back as the record", new.display())))
    };
    replace(day, &packed.finish()?, is_the_same)
}

/// Puts a file beside a closed day. Where closing was interrupted, some of it is there already.
fn put_away(from: &Path, to: &Path) -> io::Result<()> {
    let read = |path: &Path| match fs::read(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some),
    };
    let Some(mut bytes) = read(from)? else { return Ok(()) };
    if let Some(there) = read(to)?.filter(|there| !bytes.starts_with(there)) {
        bytes.splice(..0, there);
    }
    replace(to, &bytes, |_| Ok(()))?;
    fs::remove_file(from)
}

/// Writes a file anew, durably, so that a power cut leaves the old or the new one.
fn replace(path: &Path, bytes: &[u8], is_good: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let new = beside(path, ".new");
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(PRIVATE).open(&new)?;
    files::write(&file, bytes)?;
    files::sync(&file)?;
    is_good(&new)?;
    fs::rename(&new, path)?;
    sync_folder(path)
}

/// Why a closed day is kept.
#[derive(Debug, thiserror::Error)]
pub enum Kept {
    /// It cannot be read, or removed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Nobody else has seen it.
    #[error("no witness has cosigned all of its {0} lines: `sabot journal witness` first")]
    Unseen(LineNo),
    /// It is not what was signed.
    #[error("it is not what was signed: {0}")]
    Faulty(String),
}

/// Removes a closed day that a witness has seen to its end. Its checkpoints stay: they bear out copies of it elsewhere.
///
/// # Errors
/// When nobody has seen it whole, or it is not what was signed; it is then left as it is.
pub fn remove(day: &Path, stations: &[PublicKey], witnesses: &[PublicKey]) -> Result<(), Kept> {
    let beside = [checkpoints_of(day), witnessed_of(day)];
    let mut lines = 0;
    for witness in witnesses {
        let trust = Trust { stations: stations.to_vec(), witnesses: vec![witness.clone()], closed: true };
        let report = audit(day, &beside, &trust)?;
        lines = report.verified.lines;
        let seen = report.seen.first().and_then(|(_, seen)| *seen).map_or(0, |(lines, _)| lines);
        match report.faults.first() {
            None if seen == lines => {
                fs::remove_file(day)?;
                return Ok(sync_folder(day)?);
            }
            Some(fault) if seen > 0 => return Err(Kept::Faulty(fault.to_string())),
            _ => {}
        }
    }
    Err(Kept::Unseen(lines))
}

/// The closed days of a record that ended so many days ago: when the next one was begun.
///
/// # Errors
/// When one cannot be read.
pub fn older(record: &Path, days: u64) -> io::Result<Vec<PathBuf>> {
    let (closed, mut older) = (closed(record)?, Vec::new());
    let next = closed.iter().skip(1).map(PathBuf::as_path).chain([record]);
    for (day, next) in closed.iter().zip(next) {
        if beginning(next)?.0.saturating_add(days.saturating_mul(DAY_MS)) < unix_ms() {
            older.push(day.clone());
        }
    }
    Ok(older)
}
