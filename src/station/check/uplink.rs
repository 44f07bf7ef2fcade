//! `[uplink]`: the keys of the sinks, the files by which the broker lets the station in, and whether somebody answers
//! where the broker is.

use std::fs;
use std::net::{TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use sabot_journal::note::PublicKey;

use super::Line;
use crate::config::UplinkConfig;

/// Whoever does not answer sooner is not there.
const PATIENCE: Duration = Duration::from_secs(2);
/// Where NATS listens if nobody says otherwise.
const PORT: u16 = 4222;

/// What is to be looked at of it.
pub(super) fn uplink(uplink: &UplinkConfig) -> Vec<Line> {
    let keys = uplink.sinks.iter().map(|file| {
        let read = fs::read_to_string(file).map_err(|why| why.to_string());
        let key =
            read.and_then(|text| text.parse().map_err(|why: <PublicKey as std::str::FromStr>::Err| why.to_string()));
        Line::of("uplink", file, key, |key: PublicKey| format!("lines count as shipped when {} has signed", key.name()))
    });
    let of = &uplink.broker;
    let certificate = of.certificate.iter().flat_map(|(certificate, key)| [certificate, key]);
    let files = of.credentials.iter().chain(&of.authority).chain(certificate);
    let unread = files.filter_map(|file: &PathBuf| {
        fs::read(file).err().map(|why| Line::error("uplink", file.display(), &format!("{}: {why}", file.display())))
    });
    keys.chain(unread).chain([broker(&of.url)]).collect()
}

/// Somebody answers at one of the broker's addresses. That nobody does is no reason to close the table.
fn broker(urls: &str) -> Line {
    let addresses = urls.split(',').map(|url| {
        let url = url.trim();
        let address = url.split_once("://").map_or(url, |(_, address)| address);
        let address = address.rsplit_once('@').map_or(address, |(_, address)| address);
        let has_port = address.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        if has_port { address.to_owned() } else { format!("{address}:{PORT}") }
    });
    let answers = |address: &String| {
        let mut found = address.to_socket_addrs().into_iter().flatten();
        found.any(|address| TcpStream::connect_timeout(&address, PATIENCE).is_ok())
    };
    match addresses.into_iter().find(answers) {
        Some(address) => Line::ok("uplink", urls, format!("somebody answers at {address}")),
        None => Line::warn(
            "uplink",
            urls,
            "nobody answers where the broker is",
            "see whether it runs, and to the network; the record goes on, and is shipped when it is there (docs/floor.md)",
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use tempfile::TempDir;

    use super::super::State;
    use super::*;
    use crate::config::broker::BrokerConfig;

    #[test]
    fn keys_files_and_the_broker_are_looked_at_each_in_a_line() {
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("wrong.vkey"), "no key").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let there = format!("nats://{}", listener.local_addr().unwrap());
        let config = |url: String, sinks: Vec<PathBuf>| UplinkConfig {
            broker: BrokerConfig { url, credentials: Some(at("station.creds")), authority: None, certificate: None },
            house: "casino".into(),
            pit: "p1".into(),
            table: "BJ-07".into(),
            sinks,
            domain: None,
            page: None,
        };
        let lines = uplink(&config(format!("nats://127.0.0.1:1, {there}"), vec![at("wrong.vkey")]));
        let states: Vec<State> = lines.iter().map(|line| line.state).collect();
        assert_eq!(states, [State::Wrong, State::Wrong, State::Ok], "{lines:?}");
        assert!(lines[0].found.contains("no key") && lines[1].place.ends_with("station.creds"), "{lines:?}");
        drop(listener);
        let alone = uplink(&config(there, Vec::new())).pop().unwrap();
        assert_eq!(alone.state, State::Warn, "the table is played at without a broker");
        assert!(alone.way_out.unwrap().contains("the record goes on"));
    }
}
