//! What the files of a record have in common.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

#[cfg(test)]
use super::simulated_disk;

/// A record knows covered cards, and a key signs: nobody but its owner reads either.
pub(super) const PRIVATE: u32 = 0o600;

/// Writes all of it where the file stands, or fails after some.
pub(super) fn write(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    #[cfg(test)]
    if let Some(disk) = simulated_disk::under(file) {
        return disk.write(file, bytes);
    }
    file.write_all(bytes)
}

/// Makes a file end there, or fails.
pub(super) fn cut(file: &File, len: u64) -> io::Result<()> {
    #[cfg(test)]
    if let Some(disk) = simulated_disk::under(file) {
        return disk.cut(file, len);
    }
    file.set_len(len)
}

/// Returns once what the file holds survives a power cut.
pub(super) fn sync(file: &File) -> io::Result<()> {
    #[cfg(test)]
    if let Some(disk) = simulated_disk::under(file) {
        return disk.sync(file);
    }
    file.sync_data()
}

/// Brings to the disk what a start has found in a file. A program that ended before its sync leaves bytes in memory
/// alone, and where a sync has failed no later one brings them to the disk: from one place to another they are written
/// again.
pub(super) fn settle(mut file: &File, from: u64, to: u64) -> io::Result<()> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.take(to.saturating_sub(from)).read_to_end(&mut bytes)?;
    file.seek(SeekFrom::Start(from))?;
    write(file, &bytes)?;
    sync(file)
}

/// Moves what follows the last good byte to `<file>.torn`, durably, before it is cut off; where to, and how many bytes.
/// There `end` follows it.
pub(super) fn put_aside(path: &Path, mut file: &File, whole: u64, end: &[u8]) -> io::Result<(PathBuf, u64)> {
    let (aside, mut torn) = (beside(path, ".torn"), Vec::new());
    file.seek(SeekFrom::Start(whole))?;
    let bytes = file.read_to_end(&mut torn)? as u64;
    torn.extend_from_slice(end);
    let kept = OpenOptions::new().append(true).create(true).mode(PRIVATE).open(&aside)?;
    write(&kept, &torn)?;
    sync(&kept)?;
    sync_folder(path)?;
    cut(file, whole)?;
    sync(file)?;
    Ok((aside, bytes))
}

/// When a file was last changed: seconds and nanoseconds. Nobody can set this back but whoever sets the system's clock.
pub(super) fn changed(now: &Metadata) -> (i64, i64) {
    (now.ctime(), now.ctime_nsec())
}

/// A new name is durable only once its folder is.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = File::open(folder)?;
    #[cfg(test)]
    if let Some(disk) = simulated_disk::under(&folder) {
        return disk.sync_folder();
    }
    folder.sync_all()
}

/// The file beside `path` that is called as it is and `suffix`.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Milliseconds since 1970, by the system's clock.
pub(super) fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
