//! `[uplink]`: the record is shipped to the house's floor.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::key_examples::{TABLE, example};
use super::mistake::Fault;

/// Where a table's record is shipped, and under which names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UplinkConfig {
    /// The broker.
    pub broker: String,
    /// The house.
    pub house: String,
    /// The pit.
    pub pit: String,
    /// The table.
    pub table: String,
    /// Files of the public keys of the sinks whose receipts count.
    pub sinks: Vec<PathBuf>,
    /// Who the station is before the broker.
    pub credentials: Option<PathBuf>,
    /// The certificate of the authority that signed the broker's.
    pub authority: Option<PathBuf>,
    /// A certificate of the station's own and its private key.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// The JetStream domain of the streams.
    pub domain: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawUplink {
    broker: Spanned<String>,
    house: Spanned<String>,
    pit: Spanned<String>,
    name: Option<Spanned<String>>,
    sinks: Spanned<Vec<PathBuf>>,
    credentials: Option<PathBuf>,
    authority: Option<PathBuf>,
    certificate: Option<Spanned<PathBuf>>,
    certificate_key: Option<Spanned<PathBuf>>,
    domain: Option<String>,
}

/// A name that can stand in a subject of the broker.
fn name(raw: &Spanned<String>, key: &str) -> Result<String, Fault> {
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let name = raw.get_ref();
    if !name.is_empty() && name.len() <= 64 && name.chars().all(plain) {
        return Ok(name.clone());
    }
    let what = format!("`{name}` cannot be told to the broker: one to 64 letters, digits, `-` or `_`");
    Err(Fault::at(raw.span(), what, example(TABLE, key)))
}

pub(super) fn uplink(raw: RawUplink, table: &Spanned<String>, folder: &Path) -> Result<UplinkConfig, Fault> {
    if raw.sinks.get_ref().is_empty() {
        return Err(Fault::at(raw.sinks.span(), "nobody's receipts would count", example(TABLE, "sinks")));
    }
    let schemes = ["nats://", "tls://"];
    if raw.broker.get_ref().split(',').any(|url| !schemes.iter().any(|scheme| url.trim().starts_with(scheme))) {
        return Err(Fault::at(raw.broker.span(), "this is no address of a broker", example(TABLE, "broker")));
    }
    if raw.broker.get_ref().contains('@') {
        let what = "an address with a name or a password in it would stand on the page and in the log";
        let instead = "leave them out of `broker`, and name their file: `credentials = \"station.creds\"`";
        return Err(Fault::at(raw.broker.span(), what, instead));
    }
    let certificate = match (raw.certificate, raw.certificate_key) {
        (None, None) => None,
        (Some(certificate), Some(key)) => Some((folder.join(certificate.get_ref()), folder.join(key.get_ref()))),
        (Some(alone), None) | (None, Some(alone)) => {
            let what = "`certificate` and `certificate_key` belong together";
            return Err(Fault::at(alone.span(), what, "name both, or none"));
        }
    };
    Ok(UplinkConfig {
        broker: raw.broker.get_ref().clone(),
        house: name(&raw.house, "house")?,
        pit: name(&raw.pit, "pit")?,
        table: raw.name.as_ref().map_or_else(|| name(table, "name"), |raw| name(raw, "name"))?,
        sinks: raw.sinks.get_ref().iter().map(|file| folder.join(file)).collect(),
        credentials: raw.credentials.map(|file| folder.join(file)),
        authority: raw.authority.map(|file| folder.join(file)),
        certificate,
        domain: raw.domain,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::tests::{TEXT, with_section};
    use super::super::{Config, ConfigError};

    /// The example with its section of the uplink.
    fn documented() -> String {
        with_section("[uplink]")
    }

    #[test]
    fn the_documented_section_reads_and_without_it_there_is_none() {
        let path = Path::new("/etc/sabot/station.toml");
        let config = Config::parse(path, &documented()).unwrap_or_else(|error| panic!("{error}"));
        let uplink = config.uplink.unwrap();
        assert_eq!((uplink.house.as_str(), uplink.table.as_str()), ("casino", "BJ-07"));
        assert_eq!(uplink.sinks, [Path::new("/etc/sabot/sink.vkey")]);
        assert_eq!(Config::parse(path, TEXT).unwrap().uplink, None);
    }

    #[test]
    fn a_mistake_of_the_uplink_is_told_with_its_line() {
        let after = |from: &str, to: &str| {
            let text = documented();
            assert!(text.contains(from), "{from}");
            match Config::parse(Path::new("station.toml"), &text.replacen(from, to, 1)) {
                Err(ConfigError::Mistake(mistake)) => format!("{mistake}"),
                other => panic!("{other:?}"),
            }
        };
        assert!(after("pit = \"planta-1\"", "pit = \"planta 1\"").contains("`planta 1` cannot be told"));
        assert!(after("table = \"BJ-07\"", "table = \"BJ.07\"").contains("`name = \"BJ-07\"`"));
        assert!(after("sinks = [\"sink.vkey\"]", "sinks = []").contains("nobody's receipts"));
        assert!(after("broker = \"nats://", "broker = \"http://").contains("no address of a broker"));
        let named = after("broker = \"nats://", "broker = \"nats://127.0.0.1, nats://station:hush@");
        assert!(named.contains("`credentials = ") && named.contains("name or a password"), "{named}");
        assert!(named.contains("nats://127.0.0.1, nats://************@") && !named.contains("hush"), "{named}");
        assert!(after("pit =", "certificate = \"c\"\npit =").contains("belong together"));
        assert!(after("house =", "hose =").contains("unknown key `hose`"));
    }
}
