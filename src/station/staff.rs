//! The people who may act on a table: a file that needs no network. The record knows them by the names that it gives
//! them; a PIN is kept as a hash that costs time to try (Argon2id), and appears nowhere.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use sabot_law::table::Name;
use serde::Deserialize;
use toml::Spanned;

/// Digits of a PIN, at the least and at the most.
const PIN_DIGITS: std::ops::RangeInclusive<usize> = 6..=12;
/// Most characters of a person's name.
const NAME_CHARS: usize = 24;

sabot_words::words! {
    "an office";
    /// What somebody is in the house.
    pub enum Office {
        /// Deals.
        Dealer = "dealer",
        /// Watches several tables.
        Inspector = "inspector",
        /// Is over the inspectors of a pit.
        TableChief = "table_chief",
        /// Decides for the house.
        Room = "room",
        /// Watches the cameras.
        Surveillance = "surveillance",
        /// Reads records.
        Auditor = "auditor",
        /// Minds the equipment.
        Technician = "technician",
    }
}

/// Why a file of people cannot be used. A line is never quoted: a PIN may stand in it by mistake.
#[derive(Debug, thiserror::Error)]
pub enum StaffError {
    /// It cannot be read.
    #[error("{}: {why}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// It has a mistake.
    #[error("{}:{line}: {what}", path.display())]
    Mistake {
        /// Which.
        path: PathBuf,
        /// Where.
        line: usize,
        /// What, and the way out.
        what: String,
    },
}

/// Why a PIN is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadPin {
    /// Too short, too long, or other characters.
    #[error("a PIN is 6 to 12 digits")]
    Digits,
    /// Easily guessed.
    #[error("digits that are all the same or follow each other are guessed first: take others")]
    Guessed,
    /// The system gives no random numbers.
    #[error("the system gives no random numbers")]
    NoSalt,
}

/// The hash of a PIN, in PHC's format.
#[derive(Clone, PartialEq, Eq)]
pub struct PinHash(String);

impl fmt::Debug for PinHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PinHash")
    }
}

impl PinHash {
    /// Of a new PIN.
    ///
    /// # Errors
    /// When it is no PIN, or one that is guessed first.
    pub fn of(pin: &str) -> Result<Self, BadPin> {
        let digits = pin.as_bytes();
        if !PIN_DIGITS.contains(&digits.len()) || !digits.iter().all(u8::is_ascii_digit) {
            return Err(BadPin::Digits);
        }
        let steps: Vec<i16> = digits.windows(2).map(|two| i16::from(two[1]) - i16::from(two[0])).collect();
        if steps.iter().all(|step| *step == steps[0]) && steps[0].abs() <= 1 {
            return Err(BadPin::Guessed);
        }
        let hash = Argon2::default().hash_password(digits).map_err(|_| BadPin::NoSalt)?;
        Ok(Self(hash.to_string()))
    }

    /// As it stands in a file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Takes its time: as long for a wrong PIN as for the right one.
    #[must_use]
    pub fn is_of(&self, pin: &str) -> bool {
        PasswordHash::new(&self.0).is_ok_and(|hash| Argon2::default().verify_password(pin.as_bytes(), &hash).is_ok())
    }
}

/// Somebody who may act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Known by, in the record and on the page: a pseudonym, such as `I-4`.
    pub name: Name,
    /// What he is.
    pub roles: Vec<Office>,
    /// What he signs in with.
    pub pin: PinHash,
    /// The number of his badge, as the keypad reads or is told it.
    pub badge: Option<u16>,
}

/// Everybody who may act.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Staff(Vec<Person>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    person: Vec<RawPerson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPerson {
    name: Spanned<String>,
    roles: Spanned<Vec<String>>,
    pin: Spanned<toml::Value>,
    badge: Option<Spanned<u16>>,
}

impl Person {
    /// Whether an office of that name is his.
    pub(crate) fn holds(&self, office: &str) -> bool {
        self.roles.iter().any(|role| role.word() == office)
    }
}

impl Staff {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or with its first mistake.
    pub fn load(path: &Path) -> Result<Self, StaffError> {
        let text = std::fs::read_to_string(path).map_err(|why| StaffError::Read { path: path.to_path_buf(), why })?;
        Self::parse(path, &text)
    }

    /// Reads a text as if it stood in `path`.
    ///
    /// # Errors
    /// With the first mistake.
    pub fn parse(path: &Path, text: &str) -> Result<Self, StaffError> {
        let at = |start: usize, what: String| {
            let line = text.bytes().take(start).filter(|byte| *byte == b'\n').count() + 1;
            StaffError::Mistake { path: path.to_path_buf(), line, what }
        };
        let raw: Raw = toml::from_str(text).map_err(|error| {
            let what = "this is no list of people: write [[person]], then name, roles and pin, a line each";
            at(error.span().map_or(0, |span| span.start), what.to_owned())
        })?;
        let mut people: Vec<Person> = Vec::new();
        for one in raw.person {
            let name = one.name.get_ref();
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if name.is_empty() || name.chars().count() > NAME_CHARS || !name.chars().all(is_word) {
                let what = format!("`name` is 1 to {NAME_CHARS} letters, digits, - or _, such as I-4: a pseudonym");
                return Err(at(one.name.span().start, what));
            }
            if people.iter().any(|person| person.name == name.as_str()) {
                return Err(at(one.name.span().start, format!("{name} is there already: names are given once")));
            }
            let roles: Option<Vec<Office>> = one.roles.get_ref().iter().map(|word| word.parse().ok()).collect();
            let Some(roles) = roles.filter(|roles| !roles.is_empty()) else {
                let all: Vec<&str> = Office::ALL.iter().map(|role| role.word()).collect();
                return Err(at(one.roles.span().start, format!("`roles` are some of {}", all.join(", "))));
            };
            let hash = one.pin.get_ref().as_str().filter(|text| PasswordHash::new(text).is_ok());
            let Some(hash) = hash else {
                let what =
                    "`pin` is no hash of a PIN: make one with `sabot staff hash`, and never write the PIN itself";
                return Err(at(one.pin.span().start, what.to_owned()));
            };
            let badge = one.badge.as_ref().map(|badge| *badge.get_ref());
            if let Some(twice) = &one.badge
                && people.iter().any(|person| person.badge == badge)
            {
                let what = format!("badge {} is somebody's already: badges are given once", twice.get_ref());
                return Err(at(twice.span().start, what));
            }
            people.push(Person { name: Name::new(name), roles, pin: PinHash(hash.to_owned()), badge });
        }
        Ok(Self(people))
    }

    /// Everybody, in the order of the file.
    pub fn people(&self) -> impl Iterator<Item = &Person> {
        self.0.iter()
    }

    /// Whose badge it is.
    #[must_use]
    pub fn with_badge(&self, badge: u16) -> Option<&Person> {
        self.0.iter().find(|person| person.badge == Some(badge))
    }

    /// Who is known by that name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Person> {
        self.0.iter().find(|person| person.name == name)
    }
}

/// A file of people, read again when it has changed.
#[derive(Debug)]
pub struct StaffFile {
    path: PathBuf,
    /// When it was last changed, and its length, as it was read; and who stood in it.
    read: Option<(SystemTime, u64, Arc<Staff>)>,
}

impl StaffFile {
    /// The file at `path`.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        Self { path, read: None }
    }

    /// The people as the file has them now.
    ///
    /// # Errors
    /// When it cannot be used: nobody is known then.
    pub fn now(&mut self) -> Result<Arc<Staff>, StaffError> {
        let stands = std::fs::metadata(&self.path).and_then(|file| Ok((file.modified()?, file.len())));
        let (changed, len) = stands.map_err(|why| StaffError::Read { path: self.path.clone(), why })?;
        if let Some((read, length, staff)) = &self.read
            && (*read, *length) == (changed, len)
        {
            return Ok(Arc::clone(staff));
        }
        self.read = None;
        let staff = Arc::new(Staff::load(&self.path)?);
        self.read = Some((changed, len, Arc::clone(&staff)));
        Ok(staff)
    }
}

/// Somebody, as a file has him.
#[must_use]
pub fn entry(name: &str, roles: &[Office], pin: &PinHash, badge: Option<u16>) -> String {
    let roles: Vec<String> = roles.iter().map(|role| format!("\"{}\"", role.word())).collect();
    let badge = badge.map(|badge| format!("badge = {badge}\n")).unwrap_or_default();
    format!("[[person]]\nname = \"{name}\"\nroles = [{}]\npin = \"{}\"\n{badge}", roles.join(", "), pin.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> String {
        entry("I-4", &[Office::Inspector], &PinHash::of("402913").unwrap(), Some(4))
            + "\n"
            + &entry("S-1", &[Office::Room, Office::Inspector], &PinHash::of("771204").unwrap(), Some(9))
    }

    fn mistake(text: &str) -> String {
        Staff::parse(Path::new("staff.toml"), text).unwrap_err().to_string()
    }

    #[test]
    fn people_read_back_with_what_they_are_and_know_their_own_pin_alone() {
        let staff = Staff::parse(Path::new("staff.toml"), &file()).unwrap();
        let (inspector, room) = (staff.named("I-4").unwrap(), staff.named("S-1").unwrap());
        assert_eq!(
            (&inspector.roles[..], &room.roles[..]),
            (&[Office::Inspector][..], &[Office::Room, Office::Inspector][..])
        );
        assert!(inspector.pin.is_of("402913") && !inspector.pin.is_of("771204") && !inspector.pin.is_of(""));
        assert_eq!((staff.named("I-5"), staff.people().count()), (None, 2));
        assert_eq!((staff.with_badge(9), staff.with_badge(5)), (Some(room), None));
        assert!(!file().contains("402913"), "no PIN stands in a file");
        let twice = [PinHash::of("402913").unwrap(), PinHash::of("402913").unwrap()];
        assert_ne!(twice[0], twice[1], "equal PINs do not look equal");
    }

    #[test]
    fn a_pin_that_is_guessed_first_is_none() {
        for pin in ["", "1234", "40291", "4029134029134", "40291a", " 402913", "４０２９１３"] {
            assert_eq!(PinHash::of(pin).err(), Some(BadPin::Digits), "{pin}");
        }
        for pin in ["000000", "123456", "987654", "11111111"] {
            assert_eq!(PinHash::of(pin).err(), Some(BadPin::Guessed), "{pin}");
        }
    }

    #[test]
    fn a_mistake_is_told_by_its_line_and_never_with_what_stands_there() {
        let good = file();
        for (from, to, line) in [
            ("name = \"S-1\"", "name = \"I-4\"", 8),
            ("name = \"S-1\"", "name = \"a person\"", 8),
            ("name = \"S-1\"", "name = \"\"", 8),
            ("[\"room\", \"inspector\"]", "[\"boss\"]", 9),
            ("[\"room\", \"inspector\"]", "[]", 9),
            ("roles = [\"room\"", "rolls = [\"room\"", 9),
            ("badge = 9", "badge = 4", 11),
            ("badge = 9", "badge = 70000", 11),
        ] {
            let changed = good.replace(from, to);
            assert_ne!(changed, good);
            let told = mistake(&changed);
            assert!(told.starts_with(&format!("staff.toml:{line}: ")), "{told}");
        }
        for pin in ["402913", "\"402913\"", "\"402913", "[402913]"] {
            let told = mistake(&format!("[[person]]\nname = \"I-4\"\nroles = [\"room\"]\npin = {pin}\n"));
            assert!(told.starts_with("staff.toml:4: ") && !told.contains("402913"), "{told}");
        }
    }
}
