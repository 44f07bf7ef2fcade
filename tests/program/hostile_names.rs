//! Somebody on the cable who is nobody's device: whatever he calls himself and however often, terminal, log, record and
//! page stay clean and short.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::process::{run, sabot, station_by};
use sabot_stall_guard::PATIENCE;
use sabot_wire::frame::{MAX_FRAME, encode};
use sabot_wire::message::{DeviceHello, Role, ToHost};
use sabot_wire::{PROTOCOL, SCHEMA_4};

/// What he calls himself: what would clear a terminal, begin a line of a log, or turn it round; and two names that a
/// device may have, one of which is markup on a page.
const NAMES: [&str; 5] =
    ["\u{1b}[2J\u{1b}]0;x\u{7}", "\r\nERROR forged", "\u{202e}\u{9b}31m", "<img src=x>", "STRANGER-1"];
/// Hellos; some 60 bytes each.
const HELLOS: u32 = 20_000;

fn hello(n: u32) -> Vec<u8> {
    let name = NAMES[n as usize % NAMES.len()];
    let hello = DeviceHello {
        protocol: PROTOCOL,
        role: Role::Shoe,
        serial: name.try_into().unwrap(),
        firmware: [1, 2, 3],
        schema: SCHEMA_4,
        boots: n,
        epoch: n,
        oldest: 1,
    };
    encode(&ToHost::Hello(hello), &mut [0; MAX_FRAME]).unwrap().to_vec()
}

/// A port behind which he says hello without an end, and what the station says is dropped.
fn stranger_at(port: &Path) -> (nix::pty::OpenptyResult, std::thread::JoinHandle<()>) {
    let pair = nix::pty::openpty(None, None).unwrap();
    let mut raw = nix::sys::termios::tcgetattr(&pair.slave).unwrap();
    nix::sys::termios::cfmakeraw(&mut raw);
    nix::sys::termios::tcsetattr(&pair.slave, nix::sys::termios::SetArg::TCSANOW, &raw).unwrap();
    std::os::unix::fs::symlink(nix::unistd::ttyname(&pair.slave).unwrap(), port).unwrap();
    let [mut says, mut hears] = [(); 2].map(|()| File::from(pair.master.try_clone().unwrap()));
    std::thread::spawn(move || while let Ok(1..) = hears.read(&mut [0; 4096]) {});
    let says = std::thread::spawn(move || {
        for n in 0..HELLOS {
            says.write_all(&hello(n)).unwrap();
        }
    });
    (pair, says)
}

/// Nothing in it could do anything to a terminal, and nothing of the names that are none.
fn is_clean(what: &str, text: &str) {
    let unclean = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
    assert!(!text.contains(unclean), "{what}: {text:?}");
    for name in ["[2J", "ERROR forged", "31m"] {
        assert!(!text.contains(name), "{what} has {name:?}: {text}");
    }
}

#[test]
fn a_strangers_hellos_cost_one_line_and_what_he_calls_himself_is_on_no_terminal_log_record_or_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let config = "table = \"T-1\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100 }\nlisten = \"127.0.0.1:0\"\n\
                  journal = \"record\"\n[[device]]\nrole = \"shoe\"\nport = \"shoe\"\n";
    fs::write(path("station.toml"), config).unwrap();
    let (_pty, said) = stranger_at(&path("shoe"));
    let mut command = sabot(["run", "--with-unpaired", "--config"]);
    let (mut station, address) =
        station_by(command.arg(path("station.toml")).env("RUST_LOG", "info"), &path("station.toml"));
    let began = Instant::now();
    while !said.is_finished() {
        assert!(began.elapsed() < PATIENCE, "the station no longer reads");
        std::thread::sleep(Duration::from_millis(20));
    }
    said.join().unwrap();
    let record = || fs::read_to_string(path("record")).unwrap();
    while !record().contains("\"status\":\"unpaired\"") {
        assert!(began.elapsed() < PATIENCE, "{}", record());
        std::thread::sleep(Duration::from_millis(20));
    }
    let page = run(sabot(["devices", "--config"]).arg(path("station.toml")));
    let served = run(std::process::Command::new("curl")
        .args(["-sS", "-N", "--max-time", "2"])
        .arg(format!("http://{address}/")));
    station.signal("-TERM");
    station.ends();
    let (record, log) = (record(), fs::read_to_string(path("log")).unwrap());
    for status in ["unpaired", "refused"] {
        assert_eq!(record.matches(&format!("\"status\":\"{status}\"")).count(), 1, "{record}");
    }
    assert!(
        record.lines().count() < 12 && log.len() < 8000,
        "{} lines, {} bytes: {log}",
        record.lines().count(),
        log.len()
    );
    assert!(log.lines().filter(|line| line.contains("shoe")).count() < 8, "{log}");
    assert!(served.out.contains("</html>"), "{}{}", served.out, served.err);
    for (what, text) in [("record", &record), ("log", &log), ("terminal", &page.out), ("terminal", &page.err)] {
        is_clean(what, text);
    }
    for name in &NAMES[..4] {
        assert!(!served.out.contains(name), "{name:?}");
    }
}
