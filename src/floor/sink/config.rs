//! The configuration of a sink: a TOML file, described key by key in `docs/sink.toml`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sabot_journal::note::PublicKey;
use serde::Deserialize;

use crate::broker::Broker;
use crate::subjects::TableId;

/// Days that the broker keeps what came where the file does not say.
const KEEP_DAYS: u64 = 7;

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {why}", file.display())]
    Read {
        /// Which.
        file: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// It is not written as it should be. The line itself is not shown: a password may stand in it.
    #[error("{}: line {line}, column {column}: {what}\n  = docs/sink.toml explains every key", file.display())]
    Toml {
        /// Which.
        file: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// The character there, from 1.
        column: usize,
        /// What is wrong.
        what: String,
    },
    /// The broker's address tells who logs in.
    #[error(
        "{}: `broker`: an address with a name or a password in it would stand in the log\n  = leave them out, and name \
         a file of credentials as `nsc` writes it (credentials = \"sink.creds\"), or `certificate` and \
         `certificate_key`",
        .0.display()
    )]
    Login(PathBuf),
    /// A table is not named as it should be, or its key is none.
    #[error("{}: `{table}`: {why}\n  = write for example \"casino/planta-1/BJ-07\" = [\"casino.example/BJ-07+…+…\"]", file.display())]
    Table {
        /// In which file.
        file: PathBuf,
        /// Which.
        table: String,
        /// Why not.
        why: String,
    },
    /// A certificate without its key, or the other way round.
    #[error("{}: `certificate` and `certificate_key` belong together: name both, or none", .0.display())]
    Certificate(PathBuf),
}

/// Where a database is and who logs in there, perhaps with a password: shown to nobody.
#[derive(Clone)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// As PostgreSQL's own programs take it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DatabaseUrl(..)")
    }
}

/// A sink, as its file describes it.
#[derive(Debug, Clone)]
pub struct SinkConfig {
    /// Where lines come from.
    pub broker: Broker,
    /// The sink's private key.
    pub key: PathBuf,
    /// The database, as PostgreSQL's own programs take it.
    pub database: Option<DatabaseUrl>,
    /// The certificate of the authority that signed the database's, in PEM.
    pub database_authority: Option<PathBuf>,
    /// How long the broker keeps what came.
    pub keep: Duration,
    /// The tables and their stations' public keys.
    pub tables: BTreeMap<TableId, Vec<PublicKey>>,
    /// Tables that are not listed are kept too, unsigned.
    pub takes_others: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    broker: String,
    credentials: Option<PathBuf>,
    authority: Option<PathBuf>,
    certificate: Option<PathBuf>,
    certificate_key: Option<PathBuf>,
    domain: Option<String>,
    key: PathBuf,
    database: Option<String>,
    database_authority: Option<PathBuf>,
    keep_days: Option<u64>,
    #[serde(default)]
    others: Others,
    #[serde(default)]
    tables: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Others {
    #[default]
    Refuse,
    Keep,
}

impl SinkConfig {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or with its first mistake.
    pub fn load(file: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(file).map_err(|why| ConfigError::Read { file: file.to_path_buf(), why })?;
        Self::parse(file, &text)
    }

    /// Reads a text as if it stood in `file`.
    ///
    /// # Errors
    /// With its first mistake.
    pub fn parse(file: &Path, text: &str) -> Result<Self, ConfigError> {
        let raw: Raw = toml::from_str(text).map_err(|why| not_toml(file, text, &why))?;
        if raw.broker.contains('@') {
            return Err(ConfigError::Login(file.to_path_buf()));
        }
        let folder = file.parent().unwrap_or(Path::new(""));
        let mut tables = BTreeMap::new();
        for (table, keys) in raw.tables {
            let wrong = |why: String| ConfigError::Table { file: file.to_path_buf(), table: table.clone(), why };
            let id: TableId = table.parse().map_err(|why: crate::subjects::BadName| wrong(why.to_string()))?;
            let keys = keys.iter().map(|key| key.parse()).collect::<Result<Vec<PublicKey>, _>>();
            tables.insert(id, keys.map_err(|why| wrong(why.to_string()))?);
        }
        let certificate = match (raw.certificate, raw.certificate_key) {
            (None, None) => None,
            (Some(certificate), Some(key)) => Some((folder.join(certificate), folder.join(key))),
            _ => return Err(ConfigError::Certificate(file.to_path_buf())),
        };
        let broker = Broker {
            url: raw.broker,
            credentials: raw.credentials.map(|path| folder.join(path)),
            authority: raw.authority.map(|path| folder.join(path)),
            certificate,
            domain: raw.domain,
        };
        Ok(Self {
            broker,
            key: folder.join(raw.key),
            database: raw.database.map(DatabaseUrl),
            database_authority: raw.database_authority.map(|path| folder.join(path)),
            keep: Duration::from_secs(raw.keep_days.unwrap_or(KEEP_DAYS).saturating_mul(86_400)),
            tables,
            takes_others: raw.others == Others::Keep,
        })
    }
}

/// The reader's words, with the place.
fn not_toml(file: &Path, text: &str, why: &toml::de::Error) -> ConfigError {
    let before = why.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let (line, what) = (before.matches('\n').count() + 1, without_value(why.message()));
    ConfigError::Toml { file: file.to_path_buf(), line, column, what }
}

/// Its words without what was found, which may be a password.
fn without_value(message: &str) -> String {
    let begins =
        ["invalid type: ", "invalid value: ", "unknown variant "].iter().any(|begin| message.starts_with(begin));
    // what was found may have these words in it too
    match message.rsplit_once(", expected ").filter(|_| begins) {
        Some((found, expected)) => {
            let kind = found.split(['"', '`']).next().unwrap_or_default().trim_end();
            format!("{kind}, expected {expected}")
        }
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_where_something_else_belongs_is_not_shown() {
        let text = include_str!("../../../docs/sink.toml").to_owned() + "\ndatabase = \"host=db password=hush7\"\n";
        let told = SinkConfig::parse(Path::new("sink.toml"), &text).unwrap_err().to_string();
        assert!(told.contains("invalid type: string, expected") && !told.contains("hush7"), "{told}");
    }

    #[test]
    fn the_example_reads_and_paths_begin_at_its_folder() {
        let text = include_str!("../../../docs/sink.toml");
        let config = SinkConfig::parse(Path::new("/etc/sabot/sink.toml"), text).unwrap();
        assert_eq!(config.key, Path::new("/etc/sabot/sink.key"));
        assert!(!config.takes_others);
        assert_eq!(config.tables.len(), 2);
        // every key that is optional reads as well
        let all: String = text
            .lines()
            .map(|line| format!("{}\n", line.strip_prefix("# ").filter(|line| line.contains(" = ")).unwrap_or(line)))
            .collect();
        let config = SinkConfig::parse(Path::new("sink.toml"), &all).unwrap();
        assert!(config.broker.certificate.is_some() && config.broker.domain.is_some() && config.database.is_some());
    }

    #[test]
    fn a_mistake_is_named_with_its_place() {
        let wrong = |text: &str| SinkConfig::parse(Path::new("s.toml"), text).unwrap_err().to_string();
        assert!(wrong("brokr = \"x\"").contains("line 1"), "{}", wrong("brokr = \"x\""));
        let head = "broker = \"nats://127.0.0.1\"\nkey = \"k\"\n";
        assert!(wrong(&format!("{head}[tables]\n\"BJ-07\" = []")).contains("`BJ-07`"));
        assert!(wrong(&format!("{head}[tables]\n\"a/b/c\" = [\"x\"]")).contains("this is no key"));
        assert!(wrong(&format!("{head}certificate = \"c\"")).contains("belong together"));
    }

    #[test]
    fn no_mistake_shows_a_password_and_none_stands_in_the_brokers_address() {
        let wrong = |text: &str| SinkConfig::parse(Path::new("s.toml"), text).unwrap_err().to_string();
        let key = "key = \"k\"\n";
        let login = wrong(&format!("broker = \"nats://127.0.0.1,nats://hall:hush7@nats.example\"\n{key}"));
        assert!(login.contains("credentials = ") && !login.contains("hush7"), "{login}");
        let head = format!("broker = \"nats://127.0.0.1\"\n{key}");
        for line in [
            "databse = \"host=db password=hush7\"",
            "database = [\"postgres://hall:hush7@db/sabot\"]",
            "database = \"password=hush7\" x",
            "keep_days = \"x, expected \\\"hush7\"",
            "others = \"hush7\"",
            "others = \"x`, expected `hush7\"",
        ] {
            let told = wrong(&format!("{head}{line}\n"));
            assert!(told.starts_with("s.toml: line 3, column ") && !told.contains("hush7"), "{told}");
        }
        // the database's own may need one
        let config = SinkConfig::parse(Path::new("s.toml"), &format!("{head}database = \"password=hush7\"\n")).unwrap();
        assert!(!format!("{config:?}").contains("hush7"), "{config:?}");
    }
}
