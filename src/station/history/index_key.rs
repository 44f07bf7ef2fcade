//! The key by which a program knows an index again that it has written for the same user: 32 random bytes of his own,
//! in `$XDG_STATE_HOME/sabot/index.key`, or `~/.local/state/sabot/index.key`.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Bytes of a key, and of what it seals with.
pub(super) const BYTES: usize = 32;

/// A user's key.
pub(super) struct IndexKey([u8; BYTES]);

impl IndexKey {
    /// That of whoever runs this program; made where he has none.
    pub(super) fn of_user() -> io::Result<Self> {
        let none = || io::Error::other("nobody says where this user keeps his state: neither XDG_STATE_HOME nor HOME");
        Self::in_folder(&state().ok_or_else(none)?)
    }

    fn in_folder(folder: &Path) -> io::Result<Self> {
        let path = folder.join("index.key");
        match Self::load(&path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => {}
            read => return read,
        }
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        // it has its name once it is whole, and never takes another's
        let new = folder.join(format!("index.key.{}.new", std::process::id()));
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?.write_all(&bytes)?;
        let named = fs::hard_link(&new, &path);
        fs::remove_file(&new)?;
        match named {
            Err(why) if why.kind() != io::ErrorKind::AlreadyExists => Err(why),
            _ => Self::load(&path),
        }
    }

    fn load(path: &Path) -> io::Result<Self> {
        let of = fs::metadata(path)?;
        if of.mode() & 0o077 != 0 || of.uid() != nix::unistd::geteuid().as_raw() {
            return Err(io::Error::other(format!("{} is not this user's alone: delete it", path.display())));
        }
        let bytes = fs::read(path)?.try_into();
        bytes.map(Self).map_err(|_| io::Error::other(format!("{} is no key: delete it", path.display())))
    }

    /// Seals these bytes.
    pub(super) fn seal(&self, bytes: &[u8]) -> io::Result<[u8; BYTES]> {
        Ok(self.over(bytes)?.finalize().into_bytes().into())
    }

    /// Whether it was this key that sealed them so.
    pub(super) fn has_sealed(&self, bytes: &[u8], seal: &[u8]) -> bool {
        self.over(bytes).is_ok_and(|mac| mac.verify_slice(seal).is_ok())
    }

    fn over(&self, bytes: &[u8]) -> io::Result<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).map_err(io::Error::other)?;
        mac.update(bytes);
        Ok(mac)
    }
}

/// Where the user keeps what programs remember.
fn state() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = named("XDG_STATE_HOME").or_else(|| Some(named("HOME")?.join(".local/state")))?;
    Some(folder.join("sabot"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_user_has_one_key_which_nobody_else_reads_and_knows_his_seal_again() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("a/b");
        let seal = IndexKey::in_folder(&folder).unwrap().seal(b"findings").unwrap();
        let again = IndexKey::in_folder(&folder).unwrap();
        assert!(again.has_sealed(b"findings", &seal) && !again.has_sealed(b"no findings", &seal));
        assert!(!again.has_sealed(b"findings", &seal[..31]));
        let other = IndexKey::in_folder(&home.path().join("other")).unwrap();
        assert!(!other.has_sealed(b"findings", &seal));
        let file = folder.join("index.key");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(IndexKey::in_folder(&folder).is_err_and(|why| why.to_string().contains("alone")));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(&file, b"short").unwrap();
        assert!(IndexKey::in_folder(&folder).is_err_and(|why| why.to_string().contains("no key")));
    }
}
