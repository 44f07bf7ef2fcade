//! How the files of a record are made.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A record knows covered cards, and a key signs: nobody but its owner reads either.
pub(super) const PRIVATE: u32 = 0o600;

/// A new name is durable only once its folder is.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// The file beside `path` that is called as it is and `suffix`.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
