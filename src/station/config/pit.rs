//! The configuration of a pit: the tables that one page shows, described key by key in `docs/pit.toml`.

use std::collections::BTreeSet;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use hyper::Uri;
use serde::Deserialize;
use toml::Spanned;

use super::broker::{BrokerConfig, RawBroker, name};
use super::key_examples::{PIT, example};
use super::listen;
use super::mistake::{ConfigError, Fault, FileKind, SourceFile, utf8};
use crate::house_time::{HouseTime, NoTimeZone};
use sabot_law::table::Name;

/// Where the page is served when the file does not say.
const PORT: u16 = 8090;
/// The same of the page of all records.
const HISTORY_PORT: u16 = 8091;

/// A pit, as its file describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PitConfig {
    /// Where the page is served.
    pub listen: SocketAddr,
    /// Names under which the page is asked for, beside its address.
    pub hosts: Vec<String>,
    /// The folder of the page's certificate, which `sabot tls make` makes.
    pub tls: Option<PathBuf>,
    /// The certificate of the authority that signed the stations'.
    pub authority: Option<PathBuf>,
    /// Where the pit is a witness of its tables' records.
    pub witness: Option<PitWitness>,
    /// Where all records are searched.
    pub history: Option<PitHistory>,
    /// Where the tables of the floor are heard.
    pub live: Option<PitLive>,
    /// The tables, each with another name.
    pub tables: Vec<PitTable>,
}

/// A witness of records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PitWitness {
    /// Where its key stands, and what it saw.
    pub folder: PathBuf,
    /// Its name, where its key is made.
    pub name: String,
}

/// A page of all records that sinks keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PitHistory {
    /// Where it is served: a place of its own, for it names people.
    pub listen: SocketAddr,
    /// Where the records are kept.
    pub kept: KeptIn,
    /// As whose clocks it shows times.
    pub house: HouseTime,
}

/// Tables that are heard by the house's broker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PitLive {
    /// The broker.
    pub broker: BrokerConfig,
    /// The house whose tables are shown; all where none is named.
    pub house: Option<String>,
    /// The pit whose tables are shown; all where none is named.
    pub pit: Option<String>,
    /// The file of the tables that were heard once: one of them that says nothing is shown as not seen.
    pub known: PathBuf,
}

/// Where sinks keep records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptIn {
    /// PostgreSQL.
    Database {
        /// As PostgreSQL's own programs take it.
        url: String,
        /// The certificate of the authority that signed the database's, in PEM.
        authority: Option<PathBuf>,
    },
    /// A file of SQLite.
    Sqlite(PathBuf),
}

/// A table of a pit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PitTable {
    /// Its name, as its station's configuration has it.
    pub name: Name,
    /// Where its station serves its page.
    pub at: StationAddress,
    /// The file of the public key that signs its record, where the pit is a witness of that.
    pub key: Option<PathBuf>,
}

/// Where a station serves its page. In clear it is on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StationAddress {
    /// Over TLS.
    pub tls: bool,
    /// A name or an address; one of IPv6 without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl StationAddress {
    /// The address that a text is, as `https://bj-07.casino.example:8443`; none where it is more, or something else.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let uri: Uri = text.trim().parse().ok()?;
        let (tls, port) = match uri.scheme_str()? {
            "https" => (true, 443),
            "http" => (false, 80),
            _ => return None,
        };
        let is_page =
            matches!(uri.path(), "" | "/") && uri.query().is_none() && !uri.authority()?.as_str().contains('@');
        let host = uri.host()?.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        (is_page && !host.is_empty()).then(|| Self { tls, host, port: uri.port_u16().unwrap_or(port) })
    }

    /// Whether nobody on the way reads what people enter there: it is over TLS, or on this machine.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.tls || self.host == "localhost" || self.host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    /// Host and port, as a request names them.
    #[must_use]
    pub fn authority(&self) -> String {
        let Self { host, port, .. } = self;
        if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
    }
}

impl fmt::Display for StationAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.tls { "https" } else { "http" }, self.authority())
    }
}

impl PitConfig {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or with its first mistake.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let bytes = std::fs::read(path).map_err(|why| ConfigError::ReadPit { path: path.to_path_buf(), why })?;
        Self::parse(path, utf8(path, &bytes)?)
    }

    /// Reads a text as if it stood in `path`.
    ///
    /// # Errors
    /// With the first mistake.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let file = SourceFile { path, text, kind: FileKind::Pit };
        let raw = toml::from_str::<Raw>(text).map_err(|error| file.mistake(file.from_toml(&error)))?;
        raw.check(path.parent().unwrap_or(Path::new("")), text.len()).map_err(|fault| file.mistake(fault))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    listen: Option<Spanned<String>>,
    #[serde(default)]
    hosts: Vec<String>,
    tls: Option<PathBuf>,
    authority: Option<PathBuf>,
    witness: Option<RawWitness>,
    history: Option<Spanned<RawHistory>>,
    live: Option<RawLive>,
    #[serde(default)]
    table: Vec<RawTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWitness {
    folder: PathBuf,
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHistory {
    listen: Option<Spanned<String>>,
    database: Option<String>,
    database_authority: Option<PathBuf>,
    sqlite: Option<PathBuf>,
    time_zone: Option<Spanned<String>>,
}

impl RawHistory {
    fn check(raw: Spanned<Self>, folder: &Path, has_tls: bool) -> Result<PitHistory, Fault> {
        let span = raw.span();
        let Self { listen: at, database, database_authority, sqlite, time_zone } = raw.into_inner();
        let authority = database_authority.map(|path| folder.join(path));
        let kept = match (database, sqlite) {
            (Some(url), None) => KeptIn::Database { url, authority },
            (None, Some(file)) if authority.is_none() => KeptIn::Sqlite(folder.join(file)),
            _ => {
                let what = "records are kept in a `database` or in a file (`sqlite`): one of the two is named here";
                return Err(Fault::at(span, what, example(PIT, "database")));
            }
        };
        let house = time_zone.as_ref().map(|name| {
            let unknown = |why: NoTimeZone| Fault::at(name.span(), why.to_string(), example(PIT, "time_zone"));
            name.get_ref().parse::<HouseTime>().map_err(unknown)
        });
        let listen = listen(at.as_ref(), HISTORY_PORT, has_tls)?;
        Ok(PitHistory { listen, kept, house: house.transpose()?.unwrap_or_default() })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLive {
    broker: Spanned<String>,
    house: Option<Spanned<String>>,
    pit: Option<Spanned<String>>,
    known: PathBuf,
    credentials: Option<PathBuf>,
    authority: Option<PathBuf>,
    certificate: Option<Spanned<PathBuf>>,
    certificate_key: Option<Spanned<PathBuf>>,
}

impl RawLive {
    fn check(self, folder: &Path) -> Result<PitLive, Fault> {
        let Self { broker, house, pit, known, credentials, authority, certificate, certificate_key } = self;
        let broker = RawBroker { broker: &broker, credentials, authority, certificate, certificate_key };
        let named = |raw: Option<Spanned<String>>, key| raw.map(|raw| name(&raw, PIT, key)).transpose();
        let broker = broker.check(folder, PIT)?;
        Ok(PitLive { broker, house: named(house, "house")?, pit: named(pit, "pit")?, known: folder.join(known) })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    name: Spanned<String>,
    address: Spanned<String>,
    key: Option<PathBuf>,
}

impl Raw {
    fn check(self, folder: &Path, end: usize) -> Result<PitConfig, Fault> {
        if self.table.is_empty() && self.live.is_none() {
            return Err(Fault::at(end..end, "no table is named", example(PIT, "table").replacen("write", "add", 1)));
        }
        let mut names = BTreeSet::new();
        let mut tables = Vec::new();
        for RawTable { name, address, key } in &self.table {
            let is_new = names.insert(name.get_ref().trim());
            if name.get_ref().trim().is_empty() {
                return Err(Fault::at(name.span(), "the table has no name", example(PIT, "name")));
            }
            if !is_new {
                let what = format!("`{}` stands here twice", name.get_ref());
                return Err(Fault::at(name.span(), what, "give each table its own name, or remove one of them"));
            }
            let at = station(address, self.authority.is_some())?;
            let key = key.as_ref().map(|key| folder.join(key));
            tables.push(PitTable { name: Name::from(name.get_ref().trim()), at, key });
        }
        Ok(PitConfig {
            listen: listen(self.listen.as_ref(), PORT, self.tls.is_some())?,
            hosts: self.hosts,
            history: self.history.map(|raw| RawHistory::check(raw, folder, self.tls.is_some())).transpose()?,
            live: self.live.map(|raw| raw.check(folder)).transpose()?,
            tls: self.tls.map(|path| folder.join(path)),
            authority: self.authority.map(|path| folder.join(path)),
            witness: self.witness.map(|RawWitness { folder: of, name }| PitWitness { folder: folder.join(of), name }),
            tables,
        })
    }
}

/// Where a station is. What it says in clear comes from this machine, or it could be anybody's.
fn station(raw: &Spanned<String>, has_authority: bool) -> Result<StationAddress, Fault> {
    let text = raw.get_ref();
    let fault = |what: String, instead: String| Err(Fault::at(raw.span(), what, instead));
    let Some(at) = StationAddress::of(text) else {
        return fault("this is no address of a station's page".to_owned(), example(PIT, "address"));
    };
    match at.is_private() {
        false => fault(
            format!("what the station says would cross the network in clear from {}", at.authority()),
            format!("serve its page over TLS (`sabot tls make`) and write `address = \"https://{}\"`", at.authority()),
        ),
        true if at.tls && !has_authority => {
            let what = format!("nothing says who signed the certificate of {}", at.authority());
            fault(what, example(PIT, "authority").replacen("write", "add", 1))
        }
        _ => Ok(at),
    }
}

#[cfg(test)]
mod tests {
    use super::{KeptIn, PitConfig, StationAddress};
    use std::path::{Path, PathBuf};

    const EXAMPLE: &str = include_str!("../../../docs/pit.toml");

    fn told(text: &str) -> String {
        PitConfig::parse(Path::new("/house/pit.toml"), text).unwrap_err().to_string()
    }

    #[test]
    fn the_example_is_read_and_paths_begin_at_its_folder() {
        let pit = PitConfig::parse(Path::new("/house/pit.toml"), EXAMPLE).unwrap();
        assert_eq!(pit.authority, Some(PathBuf::from("/house/authority.crt")));
        let tables: Vec<String> = pit.tables.iter().map(|table| format!("{} {}", table.name, table.at)).collect();
        let history = pit.history.unwrap();
        assert_eq!((history.listen.port(), history.house.name()), (8444, "Europe/Madrid"));
        let url = "host=127.0.0.1 user=office dbname=sabot".to_owned();
        assert_eq!(history.kept, KeptIn::Database { url, authority: None });
        assert_eq!(tables, ["BJ-07 https://bj-07.casino.example:8443", "BJ-08 https://10.20.0.8:443"]);
    }

    #[test]
    fn an_address_is_that_of_a_page_and_nothing_else() {
        let at = |text| StationAddress::of(text).map(|at| at.to_string());
        assert_eq!(at("https://BJ-07.casino.example/").as_deref(), Some("https://bj-07.casino.example:443"));
        assert_eq!(at("http://[::1]:8081").as_deref(), Some("http://[::1]:8081"));
        for wrong in [
            "",
            "bj-07",
            "bj-07:8080",
            "/x",
            "ftp://bj-07",
            "https://",
            "https://i4@bj-07",
            "https://a/x",
            "https://a/?b",
        ] {
            assert_eq!(at(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn each_mistake_is_told_with_its_line_and_a_way_out() {
        let table = |name: &str, address: &str| format!("[[table]]\nname = \"{name}\"\naddress = \"{address}\"\n");
        let signed = "authority = \"a.crt\"\n";
        for (text, line, wrong, way_out) in [
            (String::new(), 1, "no table is named", "add for example `[[table]]`"),
            (table(" ", "https://a"), 2, "no name", "name = \"BJ-07\""),
            (format!("{signed}{}{}", table("A", "https://a"), table("A", "https://b")), 6, "twice", "its own name"),
            (table("A", "bj-07"), 3, "this is no address", "https://bj-07.casino.example:8443"),
            (table("A", "http://10.20.0.7:8080"), 3, "in clear from 10.20.0.7:8080", "https://10.20.0.7:8080"),
            (table("A", "https://a"), 3, "who signed", "authority = \"authority.crt\""),
            (format!("listen = \"0.0.0.0:1\"\n{}", table("A", "http://[::1]")), 1, "in clear", "sabot tls make"),
            (format!("listens = \"x\"\n{}", table("A", "http://[::1]")), 1, "unknown key", "`listen`"),
            ("[[table]]\nname = \"A\"\n".to_owned(), 1, "`address` is missing", "add for example"),
            (format!("[history]\n{}", table("A", "http://[::1]")), 1, "a `database` or in a file", "database = "),
            ("[live]\nbroker = \"nats://h\"\n".into(), 1, "`known` is missing", "tables.known"),
            (
                "[live]\nbroker = \"nats://me:hush@h\"\nknown = \"k\"\n".into(),
                2,
                "name or a password",
                "credentials = \"pit.creds\"",
            ),
            ("[live]\nbroker = \"nats://h\"\nknown = \"k\"\nhouse = \"*\"\n".into(), 4, "`*` cannot", "casino"),
            (
                format!("[history]\nsqlite = \"a\"\ntime_zone = \"M\"\n{}", table("A", "http://[::1]")),
                3,
                "`M`",
                "Madrid",
            ),
            ("[table]\nname = \"A\"\naddress = \"http://[::1]\"\n".to_owned(), 1, "", "`[[table]]`, in two brackets"),
            (
                format!("[history]\ndatabse = \"user=a password = 'hush 7' host=db\"\n{}", table("A", "http://[::1]")),
                2,
                "unknown key",
                "`database`",
            ),
            ("history = \"host=db password=hush\"\n".into(), 1, "a text where", ""),
            ("history = \"postgres://me:hush@db\"\n".into(), 1, "a text where", ""),
            ("history = 'x\", expected hush'\n".into(), 1, "a text where", ""),
            ("  history = 'x\", expected hush'\n".into(), 1, "a text where", ""),
            ("history = '`hush` is not : x'\n".into(), 1, "a text where", ""),
            (table("A", "me:hush@bj-07"), 3, "this is no address", "https://bj-07"),
            (table("A", "https://me:hu,hush@bj-07"), 3, "this is no address", "https://bj-07"),
            (table("A", "https://me:hu'hush@bj-07"), 3, "this is no address", "https://bj-07"),
        ] {
            let told = told(&text);
            let place = format!("/house/pit.toml:{line}:");
            assert!(told.starts_with(&place) && told.contains(wrong) && told.contains(way_out), "{text}\n{told}");
            assert!(!told.contains("hush"), "{told}");
        }
    }
}
