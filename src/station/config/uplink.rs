//! `[uplink]`: the record is shipped to the house's floor.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::broker::{BrokerConfig, RawBroker, name};
use super::key_examples::{TABLE, example};
use super::mistake::Fault;
use super::pit::StationAddress;

/// Where a table's record is shipped, and under which names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UplinkConfig {
    /// The broker.
    pub broker: BrokerConfig,
    /// The house.
    pub house: String,
    /// The pit.
    pub pit: String,
    /// The table.
    pub table: String,
    /// Files of the public keys of the sinks whose receipts count.
    pub sinks: Vec<PathBuf>,
    /// The JetStream domain of the streams.
    pub domain: Option<String>,
    /// Where people reach the table's page, as those are told who look at many tables.
    pub page: Option<StationAddress>,
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
    page: Option<Spanned<String>>,
}

pub(super) fn uplink(raw: RawUplink, table: &Spanned<String>, folder: &Path) -> Result<UplinkConfig, Fault> {
    let RawUplink { broker, credentials, authority, certificate, certificate_key, .. } = raw;
    if raw.sinks.get_ref().is_empty() {
        return Err(Fault::at(raw.sinks.span(), "nobody's receipts would count", example(TABLE, "sinks")));
    }
    let broker = RawBroker { broker: &broker, credentials, authority, certificate, certificate_key };
    let page = raw.page.map(|page| {
        let what = format!("`{}` is no address of a station's page, over TLS or on this machine", page.get_ref());
        let at = StationAddress::of(page.get_ref()).filter(StationAddress::is_private);
        at.ok_or_else(|| Fault::at(page.span(), what, example(TABLE, "page")))
    });
    Ok(UplinkConfig {
        broker: broker.check(folder, TABLE)?,
        house: name(&raw.house, TABLE, "house")?,
        pit: name(&raw.pit, TABLE, "pit")?,
        table: name(raw.name.as_ref().unwrap_or(table), TABLE, "name")?,
        sinks: raw.sinks.get_ref().iter().map(|file| folder.join(file)).collect(),
        domain: raw.domain,
        page: page.transpose()?,
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
        let page = uplink.page.unwrap().to_string();
        assert_eq!(page, "https://bj-07.casino.example:8443");
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
        assert!(named.contains("broker = \"nats://****") && named.contains("*@") && !named.contains("hush"), "{named}");
        assert!(after("pit =", "certificate = \"c\"\npit =").contains("belong together"));
        let page = after("page = \"https://", "page = \"javascript:");
        assert!(
            page.contains("no address of a station's page") && page.contains("write for example `page ="),
            "{page}"
        );
        assert!(after("page = \"https://", "page = \"http://").contains("over TLS or on this machine"));
        assert!(after("house =", "hose =").contains("unknown key `hose`"));
    }
}
