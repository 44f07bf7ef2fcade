//! Who reaches a table's page: over TLS from other machines, and whatever strangers open and never finish.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tempfile::TempDir;

use crate::process::{Ended, Process, run, sabot, station};
use crate::processes::answered;

/// A table whose shoe is not there, and whose page is served as these lines of its configuration say.
pub(crate) struct Table(TempDir);

impl Table {
    pub(crate) fn with(lines: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = format!(
            "table = \"BJ-07\"\nregulation = \"sala-8\"\nlimits = {{ min = 1000, max = 100000 }}\njournal = \"record\"\n\
             {lines}\n[[device]]\nrole = \"shoe\"\nport = \"shoe\"\n"
        );
        fs::write(folder.path().join("station.toml"), config).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn makes(&self, args: &[&str]) -> Ended {
        run(sabot(["tls", "make"]).arg(self.path("tls")).args(args))
    }

    pub(crate) fn starts(&self) -> (Process, String) {
        station(&self.path("station.toml"), "warn")
    }

    /// What a program of somebody else's gets, which knows the authority alone.
    pub(crate) fn curl(&self, args: &[&str]) -> Ended {
        run(Command::new("curl")
            .args(["-sS", "--max-time", "20", "--cacert"])
            .arg(self.path("tls/authority.crt"))
            .args(args))
    }
}

const OVER_TLS: &str = "listen = \"127.0.0.1:0\"\ntls = \"tls\"\nhosts = [\"bj-07.casino.example\"]";

#[test]
fn a_page_over_tls_is_read_by_who_knows_the_authority_and_under_its_names_alone() {
    let table = Table::with(OVER_TLS);
    let made = table.makes(&["--for", "bj-07.casino.example", "--for", "127.0.0.1"]);
    assert_eq!((made.status, made.err.as_str()), (0, ""), "{}", made.err);
    let (_station, address) = table.starts();
    let health = format!("https://{address}/healthz");
    assert!(!table.curl(&[&health]).out.is_empty(), "by its address");
    let port = address.rsplit(':').next().unwrap();
    let (name, to) = (format!("bj-07.casino.example:{port}"), format!("bj-07.casino.example:{port}:127.0.0.1"));
    let page = table.curl(&["--resolve", &to, &format!("https://{name}/?lang=en")]);
    assert!(page.out.contains("<html lang=\"en\">"), "{} {}", page.out, page.err);
    let other = table.curl(&["--connect-to", &format!("::127.0.0.1:{port}"), &format!("https://bank.example:{port}/")]);
    assert_eq!((other.status, other.out.as_str()), (60, ""), "a name that it was not made for: {}", other.err);
    let stranger = run(Command::new("curl").args(["-sS", "--max-time", "20", &health]));
    assert_eq!((stranger.status, stranger.out.as_str()), (60, ""), "who does not know the authority");
    let authority = table.curl(&[&format!("https://{address}/authority.crt")]);
    assert_eq!(authority.out, fs::read_to_string(table.path("tls/authority.crt")).unwrap());
    let in_clear = run(Command::new("curl").args(["-sS", "--max-time", "20", &format!("http://{address}/")]));
    assert!(in_clear.out.contains("ask for https://"), "{} {}", in_clear.out, in_clear.err);
}

#[test]
fn others_believe_a_certificate_for_whatever_it_was_made() {
    for names in [&["10.20.0.7"][..], &["fd00::7"], &["bj-07.casino.example"], &["bj-07.casino.example", "10.20.0.7"]] {
        let table = Table::with(OVER_TLS);
        table.makes(&names.iter().flat_map(|name| ["--for", name]).collect::<Vec<_>>());
        for name in names {
            let kind = if name.parse::<IpAddr>().is_ok() { "-verify_ip" } else { "-verify_hostname" };
            let mut verify = Command::new("openssl");
            verify.args(["verify", kind, name, "-CAfile"]).arg(table.path("tls/authority.crt"));
            let said = run(verify.arg(table.path("tls/station.crt")));
            assert_eq!(said.status, 0, "{names:?}, {name}: {}{}", said.out, said.err);
        }
    }
}

#[test]
fn a_certificate_is_renewed_while_the_station_runs_and_a_bad_one_leaves_the_one_before() {
    let table = Table::with(OVER_TLS);
    table.makes(&["--for", "127.0.0.1"]);
    let (_station, address) = table.starts();
    let served = || {
        let mut talk = Command::new("openssl");
        talk.args(["s_client", "-connect", &address, "-servername", "127.0.0.1"]).stdin(std::process::Stdio::null());
        let said = run(&mut talk).out;
        let begin = said.find("-----BEGIN CERTIFICATE").unwrap_or_else(|| panic!("{said}"));
        said[begin..].split_once("-----END").unwrap().0.to_owned()
    };
    let first = served();
    assert_eq!(first, served());
    table.makes(&["--for", "127.0.0.1"]);
    let second = served();
    assert_ne!(first, second, "the new one is served");
    fs::write(table.path("tls/station.crt"), "-----BEGIN CERTIFICATE-----\nAAAA\n").unwrap();
    assert_eq!(second, served(), "a file that is none changes nothing");
}

#[test]
fn in_clear_the_page_is_served_to_this_machine_alone() {
    let table = Table::with("listen = \"0.0.0.0:0\"");
    let config = table.path("station.toml");
    let refused = run(sabot(["run", "--config"]).arg(&config));
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("station.toml:5") && refused.err.contains("sabot tls make"), "{}", refused.err);
    let table = Table::with("listen = \"127.0.0.1:0\"");
    let refused = run(sabot(["run", "--listen", "0.0.0.0:0", "--config"]).arg(table.path("station.toml")));
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("--listen") && refused.err.contains("sabot tls make"), "{}", refused.err);
    let table = Table::with("listen = \"0.0.0.0:0\"\ntls = \"tls\"");
    let none = run(sabot(["run", "--config"]).arg(table.path("station.toml")));
    assert!(
        none.status == 2 && none.err.contains("station.toml:6:") && none.err.contains("sabot tls make"),
        "{}",
        none.err
    );
}

#[test]
fn a_tablet_is_shown_a_code_and_the_fingerprint_that_others_compute_too() {
    let table = Table::with(&OVER_TLS.replace(":0\"", ":8443\""));
    let config = table.path("station.toml");
    let early = run(sabot(["tls", "enrol", "--config"]).arg(&config));
    assert!(early.status == 2 && early.err.contains("sabot tls make"), "{}", early.err);
    table.makes(&["--for", "bj-07.casino.example"]);
    let shown = run(sabot(["tls", "enrol", "--config"]).arg(&config));
    assert!(shown.out.contains("https://bj-07.casino.example:8443/authority.crt"), "{}", shown.out);
    let (rows, code) = (shown.out.lines(), ['█', '▀', '▄']);
    assert!(rows.filter(|row| row.contains(code)).count() > 12, "{}", shown.out);
    let others = run(Command::new("openssl")
        .args(["x509", "-noout", "-fingerprint", "-sha256", "-in"])
        .arg(table.path("tls/authority.crt")));
    let (_, others) = others.out.trim().split_once('=').unwrap();
    assert!(shown.out.contains(others), "{others}: {}", shown.out);
    let key = fs::read_to_string(table.path("tls/authority.key")).unwrap();
    assert!(!shown.out.contains(key.lines().nth(1).unwrap()), "no key is shown");
}

#[test]
fn the_devices_of_a_table_are_told_by_its_station_over_tls_and_by_no_other() {
    let table = Table::with(OVER_TLS);
    table.makes(&["--for", "127.0.0.1"]);
    let (_station, address) = table.starts();
    let devices =
        || run(sabot(["devices", "--listen", &address, "--json", "--config"]).arg(table.path("station.toml")));
    assert!(devices().out.contains(&format!("\"station\": \"{address}\"")), "{}", devices().out);
    table.makes(&["--for", "127.0.0.1"]);
    fs::write(table.path("tls/station.key"), "no key").unwrap();
    assert!(!devices().out.contains(&address), "another certificate: it is not asked");
}

/// Handles for as many sockets as a test opens.
pub(crate) fn many_sockets() {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, most.min(8192), most).unwrap();
}

/// A stream of pictures that has brought its first one.
fn live(address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /events HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut lines = BufReader::new(&mut stream).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "HTTP/1.1 200 OK");
    assert!(lines.any(|line| line.starts_with("data: ")), "a picture");
    stream
}

pub(crate) fn resident_kib(station: &Process) -> u64 {
    let status = fs::read_to_string(Path::new("/proc").join(station.0.id().to_string()).join("status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn half_a_thousand_requests_that_never_end_and_as_many_pages_lock_nobody_out() {
    many_sockets();
    let table = Table::with("listen = \"127.0.0.1:0\"");
    let (_station, address) = table.starts();
    let half_open: Vec<TcpStream> = (0..500)
        .map(|_| {
            let mut stream = TcpStream::connect(&address).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHo").unwrap();
            stream
        })
        .collect();
    let live: Vec<TcpStream> = (0..64).map(|_| live(&address)).collect();
    assert!(answered(&address, "/?lang=en").contains("<html lang=\"en\">"));
    for mut stream in half_open {
        let mut rest = Vec::new();
        // it is told that it was too slow, or hung up on
        let _ = stream.read_to_end(&mut rest);
        assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
    }
    drop(live);
}

#[test]
fn a_thousand_pages_that_are_live_take_less_than_200_mib() {
    many_sockets();
    let table = Table::with("listen = \"127.0.0.1:0\"");
    let (station, address) = table.starts();
    let before = resident_kib(&station);
    let live: Vec<TcpStream> = (0..1000).map(|_| live(&address)).collect();
    let with = resident_kib(&station);
    println!("{before} KiB without a page, {with} KiB with {}", live.len());
    assert!(with < 200 * 1024, "{with} KiB");
    assert!(answered(&address, "/?lang=en").contains("<html lang=\"en\">"));
}
