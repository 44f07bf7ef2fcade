//! A table from nothing: what is asked, and the files that come of the answers. `sabot setup` asks on the terminal, the
//! [`page`] in a browser; both ask the same, and what an answer may be is said by the configuration's own reader.

pub mod page;
mod words;

use std::collections::BTreeMap;
use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};
use sabot_journal::note::{KeyFileError, PrivateKey, Purpose};
use sabot_law::regulation::Equipment;
use sabot_law::table::answer::Lang;
use sabot_law::table::{Observes, Sight};

use crate::config::{Config, ConfigError};
use crate::staff::{BadPin, Office, PinHash, Staff, StaffError, entry};

/// The configuration's name in its folder.
pub const CONFIG: &str = "station.toml";

/// Stands where no device is named yet.
const STAND_IN: &str = "\n[[device]]\nrole = \"shoe\"\nport = \"/dev/sabot-shoe\"\n";

/// What an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    Text,
    /// A whole number.
    Number,
    /// Two whole numbers.
    Limits,
    /// A serial port, or nothing where there is no such device.
    Port,
}

/// A question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The key in the configuration; of a port the device's role.
    pub key: &'static str,
    /// What the answer is.
    pub kind: Kind,
    es: &'static str,
    en: &'static str,
    default: &'static str,
}

impl Field {
    /// The question in words.
    #[must_use]
    pub const fn words(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::Es => self.es,
            Lang::En => self.en,
        }
    }

    /// What counts where nothing is answered: of a port that of its role, where the udev rules have made one.
    #[must_use]
    pub fn default(&self) -> &'static str {
        if self.kind != Kind::Port || Path::new(self.default).exists() { self.default } else { "" }
    }
}

const fn field(key: &'static str, kind: Kind, es: &'static str, en: &'static str, default: &'static str) -> Field {
    Field { key, kind, es, en, default }
}

/// Everything that is asked, in order.
pub const FIELDS: [Field; 11] = [
    field("table", Kind::Text, "Nombre de la mesa", "Name of the table", "BJ-01"),
    field(
        "regulation",
        Kind::Text,
        "Reglamento: sala-8, talla, club, croupier-6, o el archivo de la casa",
        "Regulation: sala-8, talla, club, croupier-6, or the house's own file",
        "sala-8",
    ),
    field("boxes", Kind::Number, "Casillas de apuesta, 1 a 7", "Betting boxes, 1 to 7", "7"),
    field(
        "limits",
        Kind::Limits,
        "Apuesta mínima y máxima, en céntimos",
        "Least and greatest bet, in cents",
        "50000 5000000",
    ),
    field("lang", Kind::Text, "Idioma del display: es o en", "Language of the display: es or en", "es"),
    field("listen", Kind::Text, "Dirección de la página", "Address of the page", "127.0.0.1:8080"),
    field("shoe", Kind::Port, "Puerto del sabot", "Port of the shoe", "/dev/sabot-shoe"),
    field("shuffler", Kind::Port, "Puerto de la barajadora", "Port of the shuffler", "/dev/sabot-shuffler"),
    field("chips", Kind::Port, "Puerto del lector de fichas", "Port of the chip reader", "/dev/sabot-chips"),
    field("keypad", Kind::Port, "Puerto del teclado", "Port of the keypad", "/dev/sabot-keypad"),
    field("display", Kind::Port, "Puerto del display", "Port of the display", "/dev/sabot-display"),
];

/// Somebody who may act on the page.
#[derive(Debug)]
pub struct Member {
    /// What the record calls him.
    pub name: String,
    /// What he is.
    pub office: Office,
    /// The hash of his PIN.
    pub pin: PinHash,
}

/// Where a table's files go.
#[derive(Debug, Clone)]
pub struct Place {
    /// The configuration.
    pub folder: PathBuf,
    /// Record and keys.
    pub records: PathBuf,
}

impl Place {
    /// The configuration's file.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.folder.join(CONFIG)
    }

    /// That nothing is there yet.
    ///
    /// # Errors
    /// When there is a configuration.
    pub fn is_free(&self) -> Result<(), NotSetUp> {
        if self.config().exists() {
            return Err(NotSetUp::There(self.config()));
        }
        [&self.folder, &self.records].into_iter().try_for_each(|folder| may_write(folder))
    }

    /// That these people can stand in one file.
    ///
    /// # Errors
    /// When somebody's name will not do, or is another's too.
    pub fn can_have(&self, people: &[Member]) -> Result<(), NotSetUp> {
        self.staff(people)?;
        Ok(())
    }

    /// The text of the file of people.
    fn staff(&self, people: &[Member]) -> Result<String, StaffError> {
        let members: Vec<String> =
            people.iter().map(|member| entry(&member.name, &[member.office], &member.pin, None)).collect();
        let members = members.join("\n");
        Staff::parse(&self.people(), &members)?;
        Ok(members)
    }

    fn people(&self) -> PathBuf {
        self.folder.join("staff.toml")
    }
}

/// That a folder, or the first above it that is there, takes files: told before anything is asked.
fn may_write(folder: &Path) -> Result<(), NotSetUp> {
    let there = folder.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("."));
    let failed = |why: io::Error| NotSetUp::File { path: there.to_path_buf(), why };
    if !there.is_dir() {
        return Err(failed(io::ErrorKind::NotADirectory.into()));
    }
    access(there, AccessFlags::W_OK | AccessFlags::X_OK).map_err(|why| failed(why.into()))
}

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum NotSetUp {
    /// An answer will not do.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A person's name will not do.
    #[error(transparent)]
    Staff(#[from] StaffError),
    /// A PIN will not do.
    #[error(transparent)]
    Pin(#[from] BadPin),
    /// A role is none.
    #[error("`{0}` is no role: dealer, inspector, table_chief, room, surveillance, auditor or technician")]
    Role(String),
    /// The key that signs the record cannot be made.
    #[error(transparent)]
    Key(#[from] KeyFileError),
    /// There is a table already.
    #[error("{} is there already, and is left as it is\n  = change it by hand (docs/station.toml), or name another folder", .0.display())]
    There(PathBuf),
    /// A file cannot be written.
    #[error("{}: {why}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
}

/// What was answered so far; the rest is as it is where nothing is answered.
#[derive(Debug, Default)]
pub struct Answers(BTreeMap<&'static str, String>);

impl Answers {
    /// An answer; an empty one is that which counts where nothing is answered.
    pub fn set(&mut self, field: &Field, answer: &str) {
        let answer = answer.trim();
        let counts = if answer.is_empty() { field.default() } else { answer };
        self.0.insert(field.key, if counts == "-" { String::new() } else { counts.to_owned() });
    }

    /// What stands for a field now.
    #[must_use]
    pub fn of(&self, field: &Field) -> &str {
        self.0.get(field.key).map_or_else(|| field.default(), String::as_str)
    }

    /// The configuration that they make, with people or without.
    fn text(&self, place: &Place, has_people: bool) -> String {
        let beside = |name: &str| quoted(&place.records.join(name).to_string_lossy());
        let mut text =
            "# Made by `sabot setup`; docs/station.toml explains these keys and what else there is.\n".to_owned();
        let mut devices = String::new();
        let mut there = Vec::new();
        for field in &FIELDS {
            let (key, answer) = (field.key, self.of(field));
            match field.kind {
                Kind::Text => text.push_str(&format!("{key} = {}\n", quoted(answer))),
                Kind::Number => text.push_str(&format!("{key} = {}\n", number(answer))),
                Kind::Limits => {
                    let (min, max) = answer.split_once(char::is_whitespace).unwrap_or((answer, ""));
                    text.push_str(&format!("{key} = {{ min = {}, max = {} }}\n", number(min), number(max.trim())));
                }
                Kind::Port if answer.is_empty() => {}
                Kind::Port => {
                    there.push(key);
                    devices.push_str(&format!("\n[[device]]\nrole = \"{key}\"\nport = {}\n", quoted(answer)));
                }
            }
        }
        let sees = Equipment::seeing(Observes::ALL).with_devices_only(&there).observes();
        let sees: Vec<String> =
            Sight::ALL.iter().filter(|sight| sees.sees(**sight)).map(|s| quoted(s.word())).collect();
        text.push_str(&format!("observes = [{}]\n", sees.join(", ")));
        text.push_str(&format!("journal = {}\njournal_key = {}\n", beside("record.jsonl"), beside("record.key")));
        text.push_str(&format!("keys = {}\n", beside("keys.toml")));
        if has_people {
            text.push_str("staff = \"staff.toml\"\n");
        }
        text + &devices
    }

    /// Whether the answers so far make a configuration; that no device is named yet is no mistake.
    ///
    /// # Errors
    /// With the first that will not do, in the configuration's own words.
    pub fn check(&self, place: &Place) -> Result<(), NotSetUp> {
        let mut text = self.text(place, false);
        if !self.has_device() {
            text.push_str(STAND_IN);
        }
        Config::parse(&place.config(), &text)?;
        Ok(())
    }

    /// Whether the port of any device is named.
    #[must_use]
    pub fn has_device(&self) -> bool {
        FIELDS.iter().any(|field| field.kind == Kind::Port && !self.of(field).is_empty())
    }

    /// Writes configuration, people and the key that signs the record. What is there already is left as it is.
    ///
    /// # Errors
    /// When an answer will not do, or a file cannot be written; the configuration is written last.
    pub fn write(&self, place: &Place, people: &[Member]) -> Result<Written, NotSetUp> {
        place.is_free()?;
        let (config, staff) = (place.config(), place.people());
        let text = self.text(place, !people.is_empty());
        Config::parse(&config, &text)?;
        let members = place.staff(people)?;
        for folder in [&place.folder, &place.records] {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.map_err(|why| NotSetUp::File { path: folder.clone(), why })?;
        }
        let key = place.records.join("record.key");
        let signer = if key.exists() {
            PrivateKey::load(&key, Purpose::Station)?
        } else {
            let table: String = self
                .of(&FIELDS[0])
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' })
                .collect();
            PrivateKey::create(&key, &format!("sabot/{table}"), Purpose::Station)?
        };
        if !people.is_empty() {
            fresh(&staff, &members)?;
        }
        fresh(&config, &text)?;
        Ok(Written { config, key, public: signer.public().to_string() })
    }
}

/// What was written.
#[derive(Debug)]
pub struct Written {
    /// The configuration.
    pub config: PathBuf,
    /// The private key that signs the record.
    pub key: PathBuf,
    /// The public key that verifies it.
    pub public: String,
}

/// What it means that nobody may act.
#[must_use]
pub const fn nobody(lang: Lang) -> &'static str {
    match lang {
        Lang::Es => {
            "Sin nadie, la página solo muestra y el teclado no acepta autorizaciones, decisiones, informes ni \
             correcciones: `sabot staff add` agrega personas después."
        }
        Lang::En => {
            "With nobody the page only shows, and the keypad takes no authorisation, ruling, report or correction: \
             `sabot staff add` adds people later."
        }
    }
}

/// Somebody by what was typed of him.
///
/// # Errors
/// When role or PIN will not do.
pub fn member(name: &str, role: &str, pin: &str) -> Result<Member, NotSetUp> {
    Ok(Member { name: name.trim().to_owned(), office: office(role)?, pin: PinHash::of(pin.trim())? })
}

/// An office by its word.
///
/// # Errors
/// When there is none.
pub fn office(role: &str) -> Result<Office, NotSetUp> {
    role.trim().parse().map_err(|_| NotSetUp::Role(role.trim().to_owned()))
}

/// Writes a file that is not there yet, for its owner alone.
fn fresh(path: &Path, text: &str) -> Result<(), NotSetUp> {
    let failed = |why: io::Error| match why.kind() {
        io::ErrorKind::AlreadyExists => NotSetUp::There(path.to_path_buf()),
        _ => NotSetUp::File { path: path.to_path_buf(), why },
    };
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)
}

/// As a string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A number of TOML; whatever else was typed stands there as a string, and the reader of the configuration refuses it.
fn number(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() { text.to_owned() } else { quoted(text) }
}

/// The file's folder as others name it.
///
/// # Errors
/// When it cannot be looked up.
pub fn absolute(folder: &Path) -> Result<PathBuf, NotSetUp> {
    std::path::absolute(folder).map_err(|why| NotSetUp::File { path: folder.to_path_buf(), why })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn place(home: &Path) -> Place {
        Place { folder: home.join("etc"), records: home.join("var") }
    }

    #[test]
    fn answers_make_a_configuration_that_is_read_back_and_no_pin_stands_in_a_file() {
        let home = tempfile::tempdir().unwrap();
        let (place, mut answers) = (place(home.path()), Answers::default());
        for (key, answer) in [("table", "BJ \"7\""), ("limits", "100  2000"), ("shoe", "usb:1"), ("keypad", "/dev/x")] {
            answers.set(FIELDS.iter().find(|field| field.key == key).unwrap(), answer);
        }
        answers.check(&place).unwrap();
        let people = [member("I-4", "inspector", "739154").unwrap()];
        let written = answers.write(&place, &people).unwrap();
        let config = Config::load(&written.config).unwrap();
        assert_eq!((config.header.table.as_str(), config.header.limits.max), ("BJ \"7\"", 2000));
        assert_eq!(config.devices.len(), 2);
        assert!(config.header.observes.sees(Sight::Asks) && !config.header.observes.sees(Sight::Places));
        assert_eq!(Staff::load(&config.staff.unwrap()).unwrap().people().count(), 1);
        PrivateKey::load(&config.journal_key.unwrap(), Purpose::Station).unwrap();
        for file in fs::read_dir(&place.folder).unwrap().chain(fs::read_dir(&place.records).unwrap()) {
            let file = file.unwrap();
            assert_eq!(std::os::unix::fs::PermissionsExt::mode(&file.metadata().unwrap().permissions()) & 0o077, 0);
            assert!(!fs::read_to_string(file.path()).unwrap().contains("739154"));
        }
        assert!(matches!(answers.write(&place, &[]), Err(NotSetUp::There(_))), "nothing is written twice");
    }

    #[test]
    fn what_will_not_do_is_refused_in_the_words_of_the_configuration_and_nothing_is_written() {
        let home = tempfile::tempdir().unwrap();
        let place = place(home.path());
        for (key, answer, told) in [
            ("boxes", "9", "boxes"),
            ("boxes", "7\nlisten = \"0.0.0.0:1\"", "boxes"),
            ("limits", "5000 20", "limits"),
            ("listen", "0.0.0.0:8080", "tls"),
            ("regulation", "sala-9", "sala-8"),
        ] {
            let mut answers = Answers::default();
            answers.set(FIELDS.iter().find(|field| field.key == key).unwrap(), answer);
            let refused = answers.check(&place).unwrap_err().to_string();
            assert!(refused.contains(told), "{answer}: {refused}");
            assert!(answers.write(&place, &[]).is_err() && !place.folder.exists());
        }
        let guessed = member("I-4", "inspector", "123456").unwrap_err();
        assert!(!guessed.to_string().contains("123456"));
        assert!(matches!(member("I-4", "king", "739154"), Err(NotSetUp::Role(_))));
    }
}
