//! Lock files of serial ports: `LCK..ttyUSB0`, which other serial programs know and respect too.
//!
//! A port in exclusive mode still opens for root, so the file is what keeps two stations, or a station and a terminal
//! program, off one port. It holds the process number as text (the format of old UUCP, which those programs read), and
//! is itself locked while it is held: the lock of a process that was killed is free at once.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::process;
use super::process::Holder;

/// Where lock files are kept, in the order tried; after these the directory for temporary files.
const DIRS: [&str; 2] = ["/run/lock", "/var/lock"];
/// Times the file may be replaced under our hands before we give up on it, and times a port is asked for that is held.
const TRIES: usize = 8;
/// How long whoever holds a port is waited for each time. A port's name goes to the next device as soon as the port is
/// closed, and the lock a moment later.
const PAUSE: Duration = Duration::from_millis(25);

/// A port's lock, held until dropped.
#[derive(Debug)]
pub struct PortLock {
    path: PathBuf,
    // the system's lock on the file lives as long as this
    _file: File,
}

impl PortLock {
    /// Takes the lock of `port` (a path without links). `Ok(None)` where no lock file can be kept on this machine: the
    /// port's exclusive mode must do then. Waits a fifth of a second for whoever is about to let go.
    ///
    /// # Errors
    /// Who has the port.
    pub fn take(port: &Path) -> Result<Option<Self>, Holder> {
        for _ in 1..TRIES {
            if let Ok(taken) = Self::take_now(port) {
                return Ok(taken);
            }
            thread::sleep(PAUSE);
        }
        Self::take_now(port)
    }

    fn take_now(port: &Path) -> Result<Option<Self>, Holder> {
        let dirs = DIRS.iter().map(PathBuf::from).chain([std::env::temp_dir()]);
        for dir in dirs {
            match Self::take_in(&dir, port) {
                Ok(lock) => return Ok(Some(lock)),
                Err(Taking::Held(holder)) => return Err(holder),
                Err(Taking::NoFile(error)) => tracing::debug!(dir = %dir.display(), %error, "no lock file here"),
            }
        }
        Ok(None)
    }

    /// Who has the lock of `port` (a path without links), as its file tells. Nothing is taken, and nobody disturbed.
    #[must_use]
    pub fn holder(port: &Path) -> Option<Holder> {
        let mut dirs = DIRS.iter().map(PathBuf::from).chain([std::env::temp_dir()]);
        dirs.find_map(|dir| living(&dir.join(file_name(port))))
    }

    fn take_in(dir: &Path, port: &Path) -> Result<Self, Taking> {
        let path = dir.join(file_name(port));
        for _ in 0..TRIES {
            let mut file = match OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path) {
                Ok(file) => file,
                Err(error) => return Err(living(&path).map_or(Taking::NoFile(error), Taking::Held)),
            };
            let mut text = String::new();
            let read = file.read_to_string(&mut text);
            let named = read.ok().and_then(|_| text.split_whitespace().next()?.parse::<u32>().ok());
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(Taking::Held(holder(named))),
                Err(TryLockError::Error(error)) => return Err(Taking::NoFile(error)),
            }
            // a holder that has just let go has removed the file we opened: begin again with the new one
            if !same_file(&file, &path) {
                continue;
            }
            // a program that only writes the file and does not lock it
            if let Some(pid) = named
                && pid != std::process::id()
                && process::lives(pid) == Some(true)
            {
                return Err(Taking::Held(holder(named)));
            }
            write_holder(&mut file).map_err(Taking::NoFile)?;
            return Ok(Self { path, _file: file });
        }
        Err(Taking::Held(Holder::UNKNOWN))
    }
}

impl Drop for PortLock {
    fn drop(&mut self) {
        // removed while still locked: whoever waits for it looks again whether the name is still the same file
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::debug!(path = %self.path.display(), %error, "the lock file could not be removed");
        }
    }
}

enum Taking {
    Held(Holder),
    NoFile(io::Error),
}

fn holder(pid: Option<u32>) -> Holder {
    Holder { pid, name: pid.and_then(process::name_of) }
}

/// Whom a lock file names, while that process lives: all there is to go by where the file belongs to another user.
fn living(path: &Path) -> Option<Holder> {
    let pid = fs::read_to_string(path).ok()?.split_whitespace().next()?.parse().ok()?;
    (process::lives(pid) == Some(true)).then(|| holder(Some(pid)))
}

fn same_file(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(named)) => (ours.dev(), ours.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

fn write_holder(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{:>10}", std::process::id())?;
    file.flush()
}

/// `/dev/ttyUSB0` has `LCK..ttyUSB0`, `/dev/pts/3` has `LCK..pts_3`, as other serial programs name them.
fn file_name(port: &Path) -> String {
    let name = port.strip_prefix("/dev").unwrap_or(port).to_string_lossy();
    format!("LCK..{}", name.trim_matches('/').replace('/', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(dir: &tempfile::TempDir) -> Result<PortLock, Taking> {
        PortLock::take_in(dir.path(), Path::new("/dev/ttyX7"))
    }

    fn held_by(taking: Result<PortLock, Taking>) -> Holder {
        match taking {
            Err(Taking::Held(holder)) => holder,
            Err(Taking::NoFile(error)) => panic!("no file: {error}"),
            Ok(_) => panic!("the lock was given twice"),
        }
    }

    #[test]
    fn a_lock_names_its_holder_and_is_given_to_one_only() {
        let dir = tempfile::tempdir().unwrap();
        let lock = take(&dir).ok().unwrap();
        let text = fs::read_to_string(dir.path().join("LCK..ttyX7")).unwrap();
        assert_eq!(text.trim().parse(), Ok(std::process::id()));
        assert_eq!(held_by(take(&dir)).pid, Some(std::process::id()));
        drop(lock);
        assert!(!dir.path().join("LCK..ttyX7").exists());
        assert!(take(&dir).is_ok());
    }

    #[test]
    fn whoever_is_about_to_let_go_is_waited_for() {
        let port = PathBuf::from(format!("/dev/none-{}", std::process::id()));
        let lock = PortLock::take(&port).unwrap();
        let letting_go = thread::spawn(move || {
            thread::sleep(2 * PAUSE);
            drop(lock);
        });
        assert!(PortLock::take(&port).is_ok());
        letting_go.join().unwrap();
    }

    #[test]
    fn the_lock_of_a_living_program_that_only_writes_the_file_counts() {
        let dir = tempfile::tempdir().unwrap();
        // process 1 always lives
        fs::write(dir.path().join("LCK..ttyX7"), "         1\n").unwrap();
        assert_eq!(held_by(take(&dir)).pid, Some(1));
    }

    #[test]
    fn the_lock_of_a_dead_process_and_a_torn_one_are_free() {
        let dir = tempfile::tempdir().unwrap();
        for text in ["4294967294\n", "", "nonsense", "\u{fffd}"] {
            fs::write(dir.path().join("LCK..ttyX7"), text).unwrap();
            assert!(take(&dir).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn a_directory_that_takes_no_files_is_no_error() {
        let dir = tempfile::tempdir().unwrap();
        let none = PortLock::take_in(&dir.path().join("none"), Path::new("/dev/ttyX7"));
        assert!(matches!(none, Err(Taking::NoFile(_))));
    }

    #[test]
    fn names_are_those_other_serial_programs_use() {
        assert_eq!(file_name(Path::new("/dev/ttyUSB0")), "LCK..ttyUSB0");
        assert_eq!(file_name(Path::new("/dev/pts/3")), "LCK..pts_3");
    }
}
