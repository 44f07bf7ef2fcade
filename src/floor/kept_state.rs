//! Small files that tell where one stood: written anew, whole, and never believed where they do not read.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What stands in the file; none where there is none, or it does not read.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Writes it. It is not synced: what is lost is found out again.
pub(crate) fn write<T: Serialize>(path: &Path, state: &T) -> io::Result<()> {
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
    file.write_all(&serde_json::to_vec(state)?)?;
    drop(file);
    fs::rename(&fresh, path)
}
