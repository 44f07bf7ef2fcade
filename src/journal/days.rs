//! Gaming days: a record is closed, packed and put away, and the next one begins where it ended.
//!
//! The folder `FILE.days` holds the closed ones, each by the time at which it was begun, with its checkpoints beside
//! it. A day is put there as it is, which takes milliseconds, and packed by gzip under the same name after that. The
//! first line of a record tells how many lines the one before has and the chain of the last of them, so that the first
//! line's own chain stands for everything since the first day.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::audit::{Trust, audit};
use super::chain::{Chain, verify};
use super::checkpoint::{checkpoints_of, witnessed_of};
use super::clock::utc;
use super::files::{self, PRIVATE, beside, sync_folder, unix_ms};
use super::mark::state_of;
use super::note::PublicKey;
use super::packed::{is_packed, read};
use super::record::{AddedFields, After, header_line};
use super::synced::synced_of;
use sabot_law::table::{Header, LineNo};

const SUFFIX: &str = ".jsonl.gz";
const DAY_MS: u64 = 86_400_000;

/// The folder of a record's closed days.
#[must_use]
pub fn days_of(record: &Path) -> PathBuf {
    beside(record, ".days")
}

/// The folder of the pictures that are kept of a record's cards: of one that was begun then, or of a closed day, which
/// are beside the record that it is a day of.
#[must_use]
pub fn pictures_of(record: &Path, began: u64) -> PathBuf {
    pictures(record).join(utc(began).replace(':', ""))
}

fn pictures(record: &Path) -> PathBuf {
    let folder = record.parent().and_then(Path::to_str).and_then(|folder| folder.strip_suffix(".days"));
    beside(folder.map_or(record, Path::new), ".pictures")
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
    // where closing was interrupted, the record has a second name there
    let number = |path: &Path| fs::metadata(path).map(|file| (file.dev(), file.ino())).ok();
    let open = number(record);
    days.retain(|day| open.is_none() || number(day) != open);
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

/// The first of the closed days of a record that are not before it: a record that was put back from a backup is older
/// than they are. None where it follows the last of them, or begins one that closing has left unfinished.
///
/// # Errors
/// When a file cannot be read.
pub fn superseding(record: &Path) -> io::Result<Option<PathBuf>> {
    let (began, after) = match beginning(record) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        beginning => beginning?,
    };
    let folder = match fs::read_dir(days_of(record)) {
        Err(why) if matches!(why.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(None),
        folder => folder?,
    };
    let own = day_of(record, began);
    let mut later = BTreeSet::new();
    for entry in folder {
        let name = entry?.file_name().into_string().unwrap_or_default();
        // the checkpoints of a day that was removed stay
        let day = name.strip_suffix(".checkpoints").unwrap_or(&name);
        let day = days_of(record).join(day);
        if began > 0 && day.to_str().is_some_and(|name| name.ends_with(SUFFIX)) && day >= own {
            later.insert(day);
        }
    }
    for day in &later {
        // of clocks that were set back, a day may have begun after the one that follows it
        let ends_before = |after: &After| Ok::<_, io::Error>(day.exists() && end(day)? == after.chain);
        if after.as_ref().map(ends_before).transpose()?.unwrap_or(false) {
            return Ok(None);
        }
    }
    later
        .into_iter()
        .find_map(|day| begins_with(record, &day).map(|begins| (!begins).then_some(day)).transpose())
        .transpose()
}

/// The day that an interrupted closing has begun to make of a record.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn unfinished(record: &Path) -> io::Result<Option<PathBuf>> {
    let (began, _) = match beginning(record) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        beginning => beginning?,
    };
    let day = day_of(record, began);
    begins_with(record, &day).map(|begins| begins.then_some(day))
}

/// Where a record that was begun then is closed as a day.
fn day_of(record: &Path, began: u64) -> PathBuf {
    days_of(record).join(format!("{}{SUFFIX}", utc(began).replace(':', "")))
}

/// The chain of the last line of a closed day.
fn end(day: &Path) -> io::Result<Chain> {
    verify(read(day)?, |_, _| ControlFlow::Continue(())).map(|whole| whole.chain)
}

/// Whether a record holds all that is in a closed day, from its first byte on.
fn begins_with(record: &Path, day: &Path) -> io::Result<bool> {
    if !day.exists() {
        return Ok(false);
    }
    let (mut record, mut day) = (read(record)?, read(day)?);
    loop {
        let (there, here) = (day.fill_buf()?, record.fill_buf()?);
        let both = there.len().min(here.len());
        if there.is_empty() {
            return Ok(true);
        } else if both == 0 || there.get(..both) != here.get(..both) {
            return Ok(false);
        }
        day.consume(both);
        record.consume(both);
    }
}

/// Puts a record away to which no line is added any more, and begins the next one at a time, which tells where the one
/// before ended. How long that takes does not depend on its length: the closed day is [packed](pack) later. Interrupted
/// anywhere, the next call ends it; no line is ever without a name.
///
/// # Errors
/// When a file cannot be used.
pub fn close(record: &Path, header: &Header, after: &After, began: u64) -> io::Result<()> {
    let (begun, before) = beginning(record)?;
    if before.is_some_and(|before| before == *after) {
        return sync_folder(record); // all but that is done
    }
    let folder = days_of(record);
    match DirBuilder::new().mode(0o700).create(&folder) {
        Err(why) if why.kind() != io::ErrorKind::AlreadyExists => return Err(why),
        _ => sync_folder(&folder)?,
    }
    let day = day_of(record, begun);
    link(record, &day)?;
    for of in [checkpoints_of, witnessed_of] {
        put_away(&of(record), &of(&day))?;
    }
    let next = beside(record, ".next");
    let mut first = Vec::new();
    let _ = Chain::default().append(&header_line(header, began, Some(after))?, &mut first);
    replace(&next, |file| files::write(file, &first), |_| Ok(()))?;
    for beside in [synced_of(record), state_of(record), beside(record, ".blocks")] {
        absent(fs::remove_file(beside))?;
    }
    fs::rename(&next, record)?;
    sync_folder(record)
}

/// Gives a record a second name, durably, in the place of what an interrupted closing left there. A day that holds
/// anything else is never overwritten.
fn link(record: &Path, day: &Path) -> io::Result<()> {
    if day.exists() && !begins_with(record, day)? {
        let why = format!("{} is another day that was closed before, and is not overwritten", day.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    }
    let new = beside(day, ".new");
    absent(fs::remove_file(&new))?;
    fs::hard_link(record, &new)?;
    files::sync(&File::open(&new)?)?;
    fs::rename(&new, day)?;
    // where both were names of one file already, renaming has left them
    absent(fs::remove_file(&new))?;
    sync_folder(day)
}

fn absent(done: io::Result<()>) -> io::Result<()> {
    done.or_else(|why| if why.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(why) })
}

/// Packs a closed day, durably, and reads it back before what is not packed goes; `false` where it is packed already.
///
/// # Errors
/// When a file cannot be used, or the day is not whole; it is then left as it is.
pub fn pack(day: &Path) -> io::Result<bool> {
    if is_packed(day)? {
        return Ok(false);
    }
    let whole = verify(read(day)?, |_, _| ControlFlow::Continue(()))?;
    let packed = |file: &File| {
        let mut packed = GzEncoder::new(BufWriter::with_capacity(1 << 16, Into(file)), Compression::default());
        io::copy(&mut File::open(day)?, &mut packed)?;
        packed.finish()?.flush()
    };
    let is_the_same = |new: &Path| {
        let packed = verify(read(new)?, |_, _| ControlFlow::Continue(()))?;
        if packed == whole && whole.torn == 0 && whole.fault.is_none() {
            return Ok(());
        }
        Err(io::Error::other(format!("{}: it does not read back as the day that was closed", new.display())))
    };
    replace(day, packed, is_the_same).map(|()| true)
}

/// Writes into a file as all of a record's files are written.
struct Into<'a>(&'a File);

impl Write for Into<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        files::write(self.0, bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
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
    replace(to, |file| files::write(file, &bytes), |_| Ok(()))?;
    fs::remove_file(from)
}

/// Writes a file anew, durably, so that a power cut leaves the old or the new one.
fn replace(
    path: &Path,
    write: impl FnOnce(&File) -> io::Result<()>,
    is_good: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let new = beside(path, ".new");
    // what an interrupted closing left there may be the record itself, by another name
    absent(fs::remove_file(&new))?;
    let file = OpenOptions::new().write(true).create_new(true).mode(PRIVATE).open(&new)?;
    write(&file)?;
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

/// Removes a closed day that a witness has seen to its end, and its pictures. Its checkpoints stay: they bear out
/// copies of it elsewhere.
///
/// # Errors
/// When nobody has seen it whole, or it is not what was signed; it is then left as it is.
pub fn remove(day: &Path, stations: &[PublicKey], witnesses: &[PublicKey]) -> Result<(), Kept> {
    let signed = [checkpoints_of(day), witnessed_of(day)];
    let mut lines = 0;
    for witness in witnesses {
        let trust = Trust { stations: stations.to_vec(), witnesses: vec![witness.clone()], closed: true };
        let report = audit(day, &signed, &trust)?;
        lines = report.verified.lines;
        let seen = report.seen.first().and_then(|(_, seen)| *seen).map_or(0, |(lines, _)| lines);
        match report.faults.first() {
            None if seen == lines => {
                // what fails here is tried again as long as the day itself is there
                let stamp = day.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(SUFFIX));
                if let Some(stamp) = stamp {
                    absent(fs::remove_dir_all(pictures(day).join(stamp)))?;
                }
                for copied in [".index", ".index-journal", ".new"] {
                    absent(fs::remove_file(beside(day, copied)))?;
                }
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
