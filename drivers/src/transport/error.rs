//! Why a port could not be opened, in words that say what to do about it.

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::name::BadName;
use super::process::{self, Holder};
use super::sysfs::NoPort;

/// Why a port could not be opened. The text is for the person at the table and ends in a way out.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Nothing is there under that name.
    #[error("no such port: {place} (is the device plugged in and switched on?)")]
    Missing {
        /// The port.
        place: String,
    },
    /// The name is a link to a port that is not there now.
    #[error("{place} points to {target}, which is not there (is the device plugged in and switched on?)")]
    Dangling {
        /// The link.
        place: String,
        /// Where it points.
        target: String,
    },
    /// Something is there, and it is no serial port.
    #[error("{place} is {what}, not a serial port; name the device's port in the configuration")]
    NotAPort {
        /// The path.
        place: String,
        /// What it is instead.
        what: &'static str,
    },
    /// The user may not open it.
    #[error("permission denied for {place}: it belongs to {owner}{way_out}")]
    Denied {
        /// The port.
        place: String,
        /// Its user and group.
        owner: String,
        /// What to do.
        way_out: String,
    },
    /// No port of that USB serial number.
    #[error(transparent)]
    Usb(#[from] NoPort),
    /// No name of a port.
    #[error(transparent)]
    Name(#[from] BadName),
    /// Nothing answers at a network address.
    #[error("nothing answers at {place}: {why} (is the device switched on, and the address right?)")]
    Unreachable {
        /// The address.
        place: String,
        /// The system's words.
        why: String,
    },
    /// Another process has it.
    #[error("{place} is in use by {holder}; end that program, or configure another port")]
    InUse {
        /// The port.
        place: String,
        /// Who has it.
        holder: Holder,
    },
    /// This program has not finished closing it: the system waits for what was sent before.
    #[error(
        "{place} is still being closed: the device does not take what was sent to it (unplug it, and plug it in again)"
    )]
    Closing {
        /// The port.
        place: String,
    },
    /// The system gave another reason.
    #[error("{place} cannot be opened: {why}")]
    Other {
        /// The port.
        place: String,
        /// The system's words.
        why: String,
    },
}

impl OpenError {
    /// Puts what the serial library said about `path` into words; `None` of its kinds is enough alone, so the file
    /// system is asked too.
    pub(crate) fn from_serial(path: &Path, error: &tokio_serial::Error) -> Self {
        let place = path.display().to_string();
        match error.kind {
            tokio_serial::ErrorKind::Io(io::ErrorKind::NotFound) => Self::missing(path),
            tokio_serial::ErrorKind::Io(io::ErrorKind::PermissionDenied) => Self::denied(path),
            tokio_serial::ErrorKind::NoDevice => {
                let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
                let holder = process::holder_of(&real).unwrap_or(Holder::UNKNOWN);
                Self::InUse { place, holder }
            }
            _ => Self::Other { place, why: error.description.clone() },
        }
    }

    /// Looks at the path before it is opened: opening a file or a pipe as a port would give odd words, or hang.
    pub(crate) fn before_opening(path: &Path) -> Result<PathBuf, Self> {
        let place = || path.display().to_string();
        let kind = match fs::metadata(path) {
            Ok(metadata) => metadata.file_type(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Self::missing(path)),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Err(Self::denied(path)),
            Err(error) => return Err(Self::Other { place: place(), why: error.to_string() }),
        };
        if !kind.is_char_device() {
            let what = if kind.is_dir() {
                "a directory"
            } else if kind.is_file() {
                "an ordinary file"
            } else if kind.is_socket() {
                "a socket"
            } else if kind.is_fifo() {
                "a named pipe"
            } else {
                "a block device"
            };
            return Err(Self::NotAPort { place: place(), what });
        }
        fs::canonicalize(path).map_err(|error| Self::Other { place: place(), why: error.to_string() })
    }

    fn missing(path: &Path) -> Self {
        let place = path.display().to_string();
        match fs::read_link(path) {
            Ok(target) => Self::Dangling { place, target: target.display().to_string() },
            Err(_) => Self::Missing { place },
        }
    }

    fn denied(path: &Path) -> Self {
        let place = path.display().to_string();
        let Ok(metadata) = fs::metadata(path) else {
            let way_out = "; a directory on the way to it may not be entered".to_owned();
            return Self::Denied { place, owner: "an unknown user".to_owned(), way_out };
        };
        let user = super::process::user_name(metadata.uid());
        let group = super::process::group_name(metadata.gid());
        let way_out = if metadata.mode() & 0o060 == 0o060 {
            format!("; add the station's user to the group: `usermod -aG {group} USER`, then start it anew")
        } else {
            "; its group may not open it either: a udev rule must say MODE=\"0660\" and GROUP=\"dialout\"".to_owned()
        };
        Self::Denied { place, owner: format!("user `{user}`, group `{group}`"), way_out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_no_port_is_told_apart_and_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "x").unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(dir.path().join("gone"), &link).unwrap();
        let why = |path: &Path| OpenError::before_opening(path).unwrap_err().to_string();
        assert!(why(&file).contains("an ordinary file, not a serial port"), "{}", why(&file));
        assert!(why(dir.path()).contains("a directory, not a serial port"));
        assert!(why(&link).contains("points to") && why(&link).contains("gone, which is not there"));
        assert!(why(&dir.path().join("none")).starts_with("no such port: "));
    }

    #[test]
    fn a_denied_port_names_its_group_and_the_command_that_helps() {
        let dir = tempfile::tempdir().unwrap();
        let port = dir.path().join("port");
        fs::write(&port, "").unwrap();
        let mode = |mode| fs::set_permissions(&port, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        let group = crate::transport::process::group_name(fs::metadata(&port).unwrap().gid());
        mode(0o660);
        let why = OpenError::denied(&port).to_string();
        assert!(why.contains(&format!("usermod -aG {group} USER")), "{why}");
        mode(0o600);
        assert!(OpenError::denied(&port).to_string().contains("udev rule"));
    }

    #[test]
    fn a_holder_is_named_as_well_as_it_is_known() {
        let named = Holder { pid: Some(1), name: Some("init".to_owned()) };
        assert_eq!(named.to_string(), "`init` (process 1)");
        assert_eq!(Holder { pid: Some(1), name: None }.to_string(), "process 1");
        assert_eq!(Holder::UNKNOWN.to_string(), "another process");
        let own = Holder { pid: Some(std::process::id()), name: None };
        assert!(own.to_string().contains("two devices"));
    }
}
