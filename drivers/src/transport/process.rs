//! Who is who on this machine, as `/proc` and `/etc` tell. Where they do not, nothing is guessed.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The process that has a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Its process number, where it is known.
    pub pid: Option<u32>,
    /// Its name, where it is known.
    pub name: Option<String>,
}

impl Holder {
    /// Somebody, nobody knows who.
    pub const UNKNOWN: Self = Self { pid: None, name: None };
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.pid, &self.name) {
            (Some(pid), _) if pid == std::process::id() => {
                f.write_str("this very process (is one port configured for two devices?)")
            }
            (Some(pid), Some(name)) => write!(f, "`{name}` (process {pid})"),
            (Some(pid), None) => write!(f, "process {pid}"),
            (None, _) => f.write_str("another process"),
        }
    }
}

/// The process that has `real` open (a path without links), another one than this where there are several.
pub(crate) fn holder_of(real: &Path) -> Option<Holder> {
    let mut own = None;
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        if !has_open(&entry.path().join("fd"), real) {
            continue;
        }
        let holder = Holder { pid: Some(pid), name: name_of(pid) };
        if pid != std::process::id() {
            return Some(holder);
        }
        own = Some(holder);
    }
    own
}

fn has_open(fds: &Path, real: &Path) -> bool {
    // another user's descriptors may not be read: then it is not known, and not an error
    let Ok(fds) = fs::read_dir(fds) else { return false };
    fds.flatten().any(|fd| fs::read_link(fd.path()).is_ok_and(|target| target == real))
}

/// Whether a process of that number lives; `None` where the system does not tell.
pub(crate) fn lives(pid: u32) -> Option<bool> {
    Path::new("/proc/self").exists().then(|| PathBuf::from(format!("/proc/{pid}")).exists())
}

/// The name of a process.
pub(crate) fn name_of(pid: u32) -> Option<String> {
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(name.trim_end().to_owned())
}

/// A user's name, or its number where it has none.
pub(crate) fn user_name(uid: u32) -> String {
    name_in("/etc/passwd", uid)
}

/// A group's name, or its number where it has none.
pub(crate) fn group_name(gid: u32) -> String {
    name_in("/etc/group", gid)
}

/// Both files hold `name:password:number:…`.
fn name_in(file: &str, number: u32) -> String {
    let named = fs::read_to_string(file).ok().and_then(|text| {
        let line = text.lines().find(|line| line.split(':').nth(2).is_some_and(|n| n.parse() == Ok(number)))?;
        line.split(':').next().map(str::to_owned)
    });
    named.unwrap_or_else(|| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_file_is_found_at_its_process() {
        let dir = tempfile::tempdir().unwrap();
        let path = fs::canonicalize(dir.path()).unwrap().join("held");
        let file = fs::File::create(&path).unwrap();
        assert_eq!(holder_of(&path).unwrap().pid, Some(std::process::id()));
        drop(file);
        assert_eq!(holder_of(&path), None);
    }

    #[test]
    fn users_and_groups_have_names_or_numbers() {
        assert_eq!(user_name(0), "root");
        assert_eq!(group_name(u32::MAX - 7), (u32::MAX - 7).to_string());
    }
}
