//! The keys of the devices that a station may use: a file that only its owner can read.
//!
//! ```toml
//! [keys]
//! "SH-0001" = "5f3c…"    # 32 hexadecimal digits
//!
//! [next]                 # keys whose devices were told to take them, and were not heard to have done so
//! "SH-0002" = "a107…"
//!
//! [roles]                # what they are: no two may have one serial number
//! "SH-0001" = "Shoe"
//! ```

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sabot_wire::host::Keyring;
use sabot_wire::message::{KEY_BYTES, Key, Role};
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// Where keys are kept when the configuration does not say.
pub const DEFAULT_KEYS: &str = "keys.toml";

/// Before the keys in the file.
const HEAD: &str =
    "# Keys of paired devices, written by `sabot device pair`. Who reads them can speak as those devices.\n";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    keys: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    next: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    roles: BTreeMap<String, Role>,
}

#[derive(Serialize)]
struct Written<'a> {
    keys: BTreeMap<&'a str, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    next: BTreeMap<&'a str, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    roles: &'a BTreeMap<String, Role>,
}

/// What a file holds.
#[derive(Debug, Default)]
struct Held {
    keys: BTreeMap<String, Key>,
    next: BTreeMap<String, Key>,
    /// What each device is, where it was told in pairing.
    roles: BTreeMap<String, Role>,
}

/// Why keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// The file cannot be read or written.
    #[error("the keys in {}: {why}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// Others than its owner can read it.
    #[error("others than its owner can read the keys in {0}: chmod 600 {0}", path.display())]
    Open {
        /// Which file.
        path: PathBuf,
    },
    /// A line is no key.
    #[error("{}:{line}: {what}; a key is written by `sabot device pair`", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong there. Nothing of a key is in it.
        what: &'static str,
    },
    /// Another key is kept beside the device's own, and it may have taken that one.
    #[error("{serial} was told before to take another key, and may hold that: pair it once more while it is there")]
    Waits {
        /// Its serial number.
        serial: String,
    },
    /// The system gives no random numbers.
    #[error("the system gives no random numbers: {0}")]
    Random(getrandom::Error),
}

impl Held {
    fn is(&mut self, serial: &str, role: Option<Role>) {
        self.roles.extend(role.map(|role| (serial.to_owned(), role)));
    }
}

/// The serial numbers of a table's devices, by role: each is one device's.
#[derive(Debug, Clone, Default)]
pub struct Met(Arc<Mutex<BTreeMap<Role, String>>>);

impl Met {
    /// The device of this role goes by this serial number. Where another role's does, that role.
    fn is(&self, serial: &str, role: Role) -> Option<Role> {
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let other = met.iter().find(|(other, held)| **other != role && *held == serial).map(|(other, _)| *other);
        if other.is_none() {
            met.insert(role, serial.to_owned());
        }
        other
    }
}

/// The keys in a file. It is read each time a key is asked for, so that a device paired meanwhile is known at once.
#[derive(Debug)]
pub struct KeyFile {
    path: PathBuf,
    met: Met,
    /// What the device is whose key is kept.
    role: Option<Role>,
    /// What was last complained of, so that it is said once.
    complaint: Mutex<Option<String>>,
}

impl KeyFile {
    /// The keys in the file at `path`, which need not be there yet.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path, met: Met::default(), role: None, complaint: Mutex::new(None) }
    }

    /// The same, of one of a table's devices, of which no two may go by one serial number.
    #[must_use]
    pub fn among(mut self, met: Met) -> Self {
        self.met = met;
        self
    }

    /// The same, to keep the keys of devices of this role.
    #[must_use]
    pub fn for_role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }

    /// Every key that a device may have, by serial number: its own, or the one that it was told to take where it has no
    /// other. None where there is no file.
    ///
    /// # Errors
    /// When the file cannot be read, others can read it, or a line is no key.
    pub fn load(&self) -> Result<BTreeMap<String, Key>, KeysError> {
        let Held { keys, mut next, .. } = self.held()?;
        next.extend(keys);
        Ok(next)
    }

    fn held(&self) -> Result<Held, KeysError> {
        let failed = |why| KeysError::File { path: self.path.clone(), why };
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Held::default()),
            Err(why) => return Err(failed(why)),
        };
        if file.metadata().map_err(failed)?.permissions().mode() & 0o077 != 0 {
            return Err(KeysError::Open { path: self.path.clone() });
        }
        parse(&self.path, &io::read_to_string(file).map_err(failed)?)
    }

    /// Whether the file holds a key whose device was not heard to have taken it.
    ///
    /// # Errors
    /// As [`KeyFile::load`].
    pub fn waits(&self) -> Result<bool, KeysError> {
        Ok(!self.held()?.next.is_empty())
    }

    /// Whether a key could be added: better known before a device is given one.
    ///
    /// # Errors
    /// As [`KeyFile::add`].
    pub fn can_add(&self) -> Result<(), KeysError> {
        self.load()?;
        self.locked().map(drop)
    }

    fn beside(&self, ending: &str) -> std::ffi::OsString {
        let mut path = self.path.clone().into_os_string();
        path.push(ending);
        path
    }

    /// Held while a key is added: two who add at once must not lose each other's.
    fn locked(&self) -> Result<File, KeysError> {
        let lock = File::create(self.beside(".lock")).and_then(|lock| lock.lock().map(|()| lock));
        lock.map_err(|why| KeysError::File { path: self.path.clone(), why })
    }

    /// Adds a key, or replaces the one of that serial number. A reader finds the old file or the new one.
    ///
    /// # Errors
    /// As [`KeyFile::load`], and when the file cannot be written.
    pub fn add(&self, serial: &str, key: &Key) -> Result<(), KeysError> {
        self.change(|held| {
            held.next.remove(serial);
            held.keys.insert(serial.to_owned(), key.clone());
            held.is(serial, self.role);
        })
    }

    /// Keeps a key beside the one of that serial number: its device is about to take it.
    ///
    /// # Errors
    /// As [`KeyFile::add`], and when another is kept there already, which the device may hold: it must be found by that
    /// key, or have shown that it does not hold it.
    pub fn add_next(&self, serial: &str, key: &Key) -> Result<(), KeysError> {
        let mut waits = false;
        self.change(|held| {
            waits = held.next.get(serial).is_some_and(|kept| kept != key);
            if !waits {
                held.next.insert(serial.to_owned(), key.clone());
                held.is(serial, self.role);
            }
        })?;
        if waits { Err(KeysError::Waits { serial: serial.to_owned() }) } else { Ok(()) }
    }

    /// The device with that serial number has taken the key that was kept beside its own.
    ///
    /// # Errors
    /// As [`KeyFile::add`].
    pub fn took_next(&self, serial: &str) -> Result<(), KeysError> {
        self.change(|held| {
            if let Some(key) = held.next.remove(serial) {
                held.keys.insert(serial.to_owned(), key);
            }
        })
    }

    /// No device has taken this key, which was kept beside its own.
    ///
    /// # Errors
    /// As [`KeyFile::add`].
    pub fn forget_next(&self, key: &Key) -> Result<(), KeysError> {
        self.change(|held| {
            held.next.retain(|_, kept| kept != key);
            let Held { keys, next, roles } = held;
            roles.retain(|serial, _| keys.contains_key(serial) || next.contains_key(serial));
        })
    }

    fn change(&self, change: impl FnOnce(&mut Held)) -> Result<(), KeysError> {
        let failed = |why| KeysError::File { path: self.path.clone(), why };
        let _lock = self.locked()?;
        let mut held = self.held()?;
        change(&mut held);
        let digits = |key: &Key| key.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let [keys, next] = [&held.keys, &held.next]
            .map(|keys| keys.iter().map(|(serial, key)| (serial.as_str(), digits(key))).collect());
        let keys = toml::to_string(&Written { keys, next, roles: &held.roles })
            .map_err(|why| failed(io::Error::other(why)))?;
        let text = format!("{HEAD}{keys}");
        let fresh = self.beside(".new");
        let write = || {
            let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
            file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&fresh, &self.path)
        };
        write().map_err(failed)
    }
}

impl KeyFile {
    /// What it holds; a mistake in it is told once.
    fn told(&self) -> Option<Held> {
        let loaded = self.held();
        let complaint = loaded.as_ref().err().map(ToString::to_string);
        let mut before = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = complaint.as_ref().filter(|_| *before != complaint) {
            tracing::error!("{error}");
        }
        *before = complaint;
        drop(before);
        loaded.ok()
    }
}

impl Keyring for KeyFile {
    fn key(&self, serial: &str) -> Option<Key> {
        self.told()?.keys.remove(serial)
    }

    fn next(&self, serial: &str) -> Option<Key> {
        self.told()?.next.remove(serial)
    }

    fn took_next(&self, serial: &str) {
        if let Err(error) = Self::took_next(self, serial) {
            tracing::error!("{error}");
        }
    }

    fn held_by(&self, serial: &str, role: Role) -> Option<Role> {
        self.told()?.roles.remove(serial).filter(|held_by| *held_by != role)
    }

    fn met(&self, serial: &str, role: Role) -> Option<Role> {
        self.met.is(serial, role)
    }

    fn keeps(&self, serial: &str, key: &Key) -> bool {
        let kept = self.add_next(serial, key);
        if let Err(error) = &kept {
            tracing::error!("{error}");
        }
        kept.is_ok()
    }
}

/// A key that nobody has.
///
/// # Errors
/// When the system gives no random numbers.
pub fn random_key() -> Result<Key, KeysError> {
    let mut bytes = [0; KEY_BYTES];
    getrandom::fill(&mut bytes).map_err(KeysError::Random)?;
    Ok(Key::new(bytes))
}

fn parse(path: &Path, text: &str) -> Result<Held, KeysError> {
    // the parser's own words would show the line, and so the key
    let wrong = |at: usize, what| {
        let line = 1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count();
        KeysError::Line { path: path.to_path_buf(), line, what }
    };
    let read: Read = toml::from_str(text).map_err(|error| {
        wrong(error.span().map_or(0, |span| span.start), "not a table `[keys]` of `\"serial number\" = \"key\"`")
    })?;
    let key = |(serial, digits): (String, Spanned<String>)| {
        let key = of_digits(digits.get_ref());
        Ok((serial, key.ok_or_else(|| wrong(digits.span().start, "the key has not 32 hexadecimal digits"))?))
    };
    let keys = |of: BTreeMap<String, Spanned<String>>| of.into_iter().map(key).collect::<Result<_, _>>();
    Ok(Held { keys: keys(read.keys)?, next: keys(read.next)?, roles: read.roles })
}

fn of_digits(digits: &str) -> Option<Key> {
    let mut bytes = [0; KEY_BYTES];
    if digits.len() != 2 * KEY_BYTES || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (nth, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * nth..2 * nth + 2)?, 16).ok()?;
    }
    Some(Key::new(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (KeyFile, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        (KeyFile::new(folder.path().join("keys.toml")), folder)
    }

    #[test]
    fn what_is_added_is_found_and_only_its_owner_can_read_it() {
        let (keys, _folder) = file();
        assert_eq!(keys.key("SH-1"), None, "no file is no key");
        let (first, second) = (random_key().expect("random"), random_key().expect("random"));
        assert_ne!(first, second);
        keys.add("SH-1", &first).expect("added");
        keys.add("KP \"2\" #", &second).expect("added");
        keys.add("SH-1", &second).expect("replaced");
        assert_eq!((keys.key("SH-1"), keys.key("SH-2")), (Some(second), None));
        let mode = std::fs::metadata(&keys.path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_key_that_a_device_is_about_to_take_stands_beside_its_own_until_it_has_taken_it() {
        let (keys, _folder) = file();
        let [old, new] = [7, 8].map(|n| Key::new([n; 16]));
        keys.add("SH-1", &old).expect("added");
        assert!(keys.keeps("SH-1", &new));
        assert_eq!((keys.key("SH-1"), keys.next("SH-1")), (Some(old), Some(new.clone())));
        keys.add("KP-1", &new).expect("another's changes nothing");
        assert_eq!(keys.next("SH-1"), Some(new.clone()));
        keys.took_next("SH-1").expect("written");
        keys.took_next("SH-1").expect("once more changes nothing");
        assert_eq!((keys.key("SH-1"), keys.next("SH-1")), (Some(new), None));
        std::fs::remove_file(&keys.path).expect("there");
        std::fs::create_dir(&keys.path).expect("in its place");
        assert!(!keys.keeps("SH-1", &Key::new([9; 16])), "what cannot be kept is not to be taken");
    }

    #[test]
    fn a_serial_number_is_of_the_role_that_was_paired_under_it() {
        let (keys, _folder) = file();
        keys.add("SH-1", &Key::new([7; 16])).expect("added");
        assert_eq!(keys.held_by("SH-1", Role::Chips), None, "a file of before says nothing of roles");
        let keys = keys.for_role(Role::Shoe);
        keys.add_next("SH-1", &Key::new([8; 16])).expect("added");
        assert_eq!([Role::Chips, Role::Shoe].map(|role| keys.held_by("SH-1", role)), [Some(Role::Shoe), None]);
        keys.add_next("SH-2", &Key::new([9; 16])).expect("added");
        keys.forget_next(&Key::new([9; 16])).expect("written");
        assert_eq!((keys.next("SH-2"), keys.held_by("SH-2", Role::Chips)), (None, None));
        assert_eq!(keys.next("SH-1"), Some(Key::new([8; 16])), "another's stays");
    }

    #[test]
    fn a_file_that_others_can_read_or_that_is_damaged_gives_no_key_and_says_where() {
        let (keys, _folder) = file();
        keys.add("SH-1", &Key::new([7; 16])).expect("added");
        std::fs::set_permissions(&keys.path, std::fs::Permissions::from_mode(0o644)).expect("changed");
        let error = keys.load().expect_err("readable by all").to_string();
        assert!(error.contains("chmod 600") && keys.key("SH-1").is_none(), "{error}");
        std::fs::set_permissions(&keys.path, std::fs::Permissions::from_mode(0o600)).expect("changed");
        for (text, what) in [
            ("\"SH-1\" = 7070707", "a table `[keys]`"),
            ("\"SH-1\" = \"07070707", "a table `[keys]`"),
            ("\"SH-1\" = \"07070707\"", "32 hexadecimal digits"),
            ("\"SH-1\" = \"+7070707070707070707070707070707\"\n", "32 hexadecimal digits"),
            ("nonsense", "a table `[keys]`"),
        ] {
            std::fs::write(&keys.path, format!("[keys]\n{text}\n")).expect("written");
            let error = keys.load().expect_err(text).to_string();
            assert!(error.contains(":2: ") && error.contains(what) && !error.contains("7070"), "{error}");
        }
    }
}
