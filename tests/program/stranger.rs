//! A device that nobody knows, at a real port: it says hello as fast as the line takes it, and is unplugged and plugged
//! in. What the station writes of it to log and record stays small, and what others tell stays to be seen.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use sabot_simulation::twin::pty::PtyPair;
use sabot_stall_guard::PATIENCE;
use sabot_wire::frame::{MAX_FRAME, encode};
use sabot_wire::message::{DeviceHello, Role, ToHost};
use sabot_wire::{PROTOCOL, SCHEMA_4};

use crate::process::{Process, sabot, station_by};

/// Plugged in so often.
const PLUGGED: u32 = 28;
/// So many words a time.
const WORDS: u32 = 2_000;

/// One kind of nonsense after the other: of no key, another role, no known version, of starts that never were.
fn word(n: u32) -> ToHost {
    let (role, protocol) = (if n % 3 == 1 { Role::Chips } else { Role::Shoe }, if n % 5 == 2 { 200 } else { PROTOCOL });
    let (serial, schema) = (format!("XX-{}", n % 7).as_str().try_into().unwrap(), SCHEMA_4.wrapping_add(n % 2));
    match n % 4 {
        3 => ToHost::Unpaired,
        _ => ToHost::Hello(DeviceHello {
            protocol,
            role,
            serial,
            firmware: [9, 9, 9],
            schema,
            boots: n,
            epoch: n.max(1),
            oldest: 1,
        }),
    }
}

/// Speaks until the station has let go, or all is said; gives how many frames went out.
fn shouts(master: OwnedFd) -> u32 {
    fcntl(&master, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).unwrap();
    let (mut line, mut heard, mut said) = (File::from(master), [0; 4096], 0);
    let began = Instant::now();
    while said < WORDS {
        assert!(began.elapsed() < PATIENCE, "the station takes nothing");
        let _ = line.read(&mut heard);
        let mut frame = [0; MAX_FRAME];
        if line.write_all(encode(&word(said), &mut frame).unwrap()).is_ok() {
            said += 1;
        } else {
            std::thread::yield_now();
        }
    }
    said
}

#[test]
fn a_stranger_that_shouts_and_is_plugged_in_again_and_again_fills_neither_log_nor_record() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let text = |name: &str| fs::read_to_string(at(name)).unwrap_or_default();
    let plug = |link: &Path| {
        let pair = PtyPair::open().unwrap();
        let fresh = link.with_extension("new");
        std::os::unix::fs::symlink(&pair.port, &fresh).unwrap();
        fs::rename(fresh, link).unwrap();
        pair
    };
    let config = at("station.toml");
    let head = "table = \"T-1\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100 }\nlisten = \"127.0.0.1:0\"\n\
                journal = \"record\"\n[[device]]\nrole = \"shoe\"\nport = \"shoe\"\n";
    fs::write(&config, head).unwrap();
    let mut run = sabot(["run", "--with-unpaired", "--config"]);
    let (mut running, _) = station_by(run.arg(&config).env_remove("RUST_LOG"), &config);
    let mut said = 0;
    for _ in 0..PLUGGED {
        let PtyPair { master, slave, .. } = plug(&at("shoe"));
        // the station has opened it once it speaks
        fcntl(&master, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).unwrap();
        let (began, mut ear) = (Instant::now(), File::from(master.try_clone().unwrap()));
        while !ear.read(&mut [0; 256]).is_ok_and(|count| count > 0) {
            assert!(began.elapsed() < PATIENCE, "the station opens no port: {}", text("log"));
            std::thread::sleep(Duration::from_millis(2));
        }
        drop((slave, ear));
        said += shouts(master);
    }
    assert_eq!(said, PLUGGED * WORDS);
    running.signal("-TERM");
    assert!(running.ends().success());
    let (log, record) = (text("log"), text("record"));
    eprintln!("{said} words: {} bytes of log, {} bytes of record", log.len(), record.len());
    // four kinds of nonsense are refused each time; so many lines are told at once, and one more in half a minute
    let told = log.matches("device is refused").count();
    assert!((100..108).contains(&told) && log.len() < 32 * 1024, "{told} lines, {} bytes: {log}", log.len());
    assert!(record.lines().count() < PLUGGED as usize * 10, "{} lines: {record}", record.lines().count());
}

#[test]
fn a_device_that_goes_leaves_one_line_and_one_when_it_is_back_where_nobody_asked_for_more() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let head = "table = \"T-1\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100 }\nlisten = \"127.0.0.1:0\"\n\
                journal = \"record\"\n[[device]]\nrole = \"shoe\"\nport = \"shoe\"\n";
    fs::write(at("station.toml"), head).unwrap();
    let twin = || {
        let mut twin = sabot(["twin", "shoe", "--stay"]);
        let twin = twin.arg(at("shoe")).arg("--keys").arg(at("keys.toml")).stdin(Stdio::piped());
        Process::start(twin)
    };
    let log = || fs::read_to_string(at("log")).unwrap_or_default();
    let until = |what: &str| {
        let began = Instant::now();
        while !log().contains(what) {
            assert!(began.elapsed() < PATIENCE, "not told: {what}\n{}", log());
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    let mut first = twin();
    let began = Instant::now();
    while !at("shoe").exists() {
        assert!(began.elapsed() < PATIENCE, "the twin makes no port");
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut run = sabot(["run", "--config"]);
    let (mut running, _) = station_by(run.arg(at("station.toml")).env_remove("RUST_LOG"), &at("station.toml"));
    until("device is there");
    first.kill();
    until("device is not there");
    let _second = twin();
    until("device is back");
    running.signal("-TERM");
    assert!(running.ends().success());
    let lines = ["not there", "is back"].map(|what| log().matches(what).count());
    assert_eq!(lines, [1, 1], "{}", log());
}
