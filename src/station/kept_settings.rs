//! The configuration files that a table was run with, beside its record: the last ten, each under the hash that the
//! record's start has.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// So many are kept.
const KEPT: usize = 10;

/// The folder beside a record.
fn folder(record: &Path) -> PathBuf {
    PathBuf::from(format!("{}.settings", record.display()))
}

/// Keeps a file's text under its hash. One that was kept before is the newest again.
pub(super) fn keep(record: &Path, digest: &str, text: &str) -> io::Result<()> {
    let folder = folder(record);
    DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
    let file = folder.join(format!("{digest}.toml"));
    if file.exists() {
        File::options().append(true).open(&file)?.set_modified(SystemTime::now())?;
        return Ok(());
    }
    let fresh = file.with_extension("new");
    let mut written = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
    written.write_all(text.as_bytes())?;
    written.sync_all()?;
    fs::rename(&fresh, &file)?;
    let mut all = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let entry = entry?;
        all.push((entry.metadata()?.modified()?, entry.path()));
    }
    all.sort();
    let old = all.len().saturating_sub(KEPT);
    all[..old].iter().try_for_each(|(_, path)| fs::remove_file(path))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_last_ten_are_kept_and_one_that_is_used_again_is_the_newest() {
        let home = tempfile::tempdir().unwrap();
        let record = home.path().join("record");
        let at = |n: u64| folder(&record).join(format!("{n}.toml"));
        let now = SystemTime::now();
        for n in 0..10 {
            keep(&record, &n.to_string(), &format!("boxes = {n}\n")).unwrap();
            let file = File::options().append(true).open(at(n)).unwrap();
            file.set_modified(now - Duration::from_secs(100 - n)).unwrap();
        }
        keep(&record, "0", "boxes = 0\n").unwrap();
        keep(&record, "10", "boxes = 10\n").unwrap();
        let there: Vec<u64> = (0..=10).filter(|n| at(*n).exists()).collect();
        assert_eq!(there, [0, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(fs::read_to_string(at(10)).unwrap(), "boxes = 10\n");
    }
}
