//! `sabot check` as a technician meets it, and the clocks that a station does not start with.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sabot_journal::clock::{at, utc};
use sabot_journal::{Record, open};
use sabot_law::table::{Event, Name};
use sabot_stall_guard::PATIENCE;
use sabot_station::config::Config;
use serde_json::Value;

use crate::process::{Ended, Process, run, sabot, station};

/// A table with a keypad, and what its configuration says beside that.
fn table(folder: &Path, more: &str) -> PathBuf {
    let path = folder.join("station.toml");
    let head = "table = \"T-1\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100 }\nlisten = \"127.0.0.1:0\"\n";
    fs::write(&path, format!("{head}journal = \"record\"\n{more}{KEYPAD}")).unwrap();
    path
}

const KEYPAD: &str = "[[device]]\nrole = \"keypad\"\nport = \"keypad\"\n";

/// The keypad's twin, once it is there.
fn keypad(folder: &Path) -> Process {
    let link = folder.join("keypad");
    let twin =
        Process::start(sabot(["twin", "keypad", "--stay"]).arg(&link).arg("--keys").arg(folder.join("keys.toml")));
    let until = Instant::now() + PATIENCE;
    while !link.exists() {
        assert!(Instant::now() < until, "the twin has no port");
        std::thread::sleep(Duration::from_millis(20));
    }
    twin
}

fn checked(config: &Path) -> (i32, Vec<Value>) {
    let Ended { status, out, err } = run(sabot(["check", "--json"]).arg(config));
    let report: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    (status, report["lines"].as_array().unwrap().clone())
}

/// One of the lines on something is so, and says that, with its place and the way out.
fn is(lines: &[Value], what: &str, state: &str, says: &str) {
    let said = |line: &&Value| {
        let text = ["place", "found", "way_out"].map(|key| line[key].as_str().unwrap_or_default()).join(" = ");
        line["what"] == what && line["state"] == state && text.contains(says)
    };
    assert!(lines.iter().any(|line| said(&line)), "no {state} line on {what} with `{says}`: {lines:#?}");
}

/// Looks until nothing is wrong.
pub(crate) fn until_fine(config: &Path) -> Vec<Value> {
    let until = Instant::now() + PATIENCE;
    loop {
        let (status, lines) = checked(config);
        if status == 0 {
            return lines;
        }
        assert!(Instant::now() < until, "{lines:#?}");
    }
}

#[test]
fn a_table_that_is_in_order_is_told_line_by_line_and_nothing_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let config = table(folder.path(), "");
    let _keypad = keypad(folder.path());
    let Ended { status, out, err } = run(sabot(["check"]).arg(&config));
    assert_eq!(status, 0, "{out}{err}");
    for line in [
        "ok    configuration",
        "ok    page",
        "ok    device",
        "ok    disk",
        "ok    record",
        "not there yet",
        "warn  staff",
        "nobody is known: the page only shows, an authorisation",
    ] {
        assert!(out.contains(line), "{line} in\n{out}");
    }
    assert!(out.contains("writes and holds (fdatasync in ") && out.contains("GB free"), "{out}");
    assert!(out.contains("warn  keys") && out.contains("= `sabot journal key` makes a key"), "{out}");
    assert!(out.ends_with(" 0 wrong\n"), "{out}");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(left.iter().all(|file| file != "record" && !file.to_string_lossy().starts_with(".sabot")), "{left:?}");
    // while the station runs, its record and its page are not disturbed
    let (mut running, address) = station(&config, "info");
    fs::write(&config, fs::read_to_string(&config).unwrap().replace("127.0.0.1:0", &address)).unwrap();
    let lines = until_fine(&config);
    is(&lines, "page", "ok", "the table's station runs");
    is(&lines, "record", "ok", "each follows from the one before");
    let (record, moved) = (folder.path().join("record"), folder.path().join("moved"));
    fs::rename(&record, &moved).unwrap();
    is(&checked(&config).1, "record", "wrong", "gone while the table's station runs");
    fs::rename(&moved, &record).unwrap();
    running.signal("-TERM");
    assert!(running.ends().success());
    // what a power cut left is mended by a start; a record that is gone is not
    let whole = fs::read(&record).unwrap();
    fs::write(&record, [&whole[..], &[0; 64], b"\n"].concat()).unwrap();
    is(&checked(&config).1, "record", "warn", "start the station");
    fs::write(&record, whole).unwrap();
    fs::rename(&record, &moved).unwrap();
    is(&checked(&config).1, "record", "wrong", "put it back");
    let refused = run(sabot(["run", "--config"]).arg(&config));
    assert!(refused.status != 0 && !record.exists(), "{}", refused.err);
}

#[test]
fn a_station_starts_with_the_program_that_its_configuration_names_and_with_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let told = run(std::process::Command::new("sha256sum").arg(env!("CARGO_BIN_EXE_sabot")));
    let hash = told.out.split(' ').next().unwrap();
    let named = |hash: &str| table(folder.path(), &format!("program = \"{hash}\"\n"));
    let config = named(hash);
    let (mut running, _) = station(&config, "info");
    running.signal("-TERM");
    assert!(running.ends().success());
    is(&checked(&config).1, "program", "ok", hash);
    let (other, runs) = ("0".repeat(64), |config: &Path| run(sabot(["run", "--config"]).arg(config)));
    let refused = runs(&named(&other));
    assert!(refused.status != 0 && refused.err.contains(hash) && refused.err.contains(&other), "{}", refused.err);
    is(&checked(&config).1, "program", "wrong", "writes its hash");
    let wrong = runs(&named("latest"));
    assert!(wrong.status == 2 && wrong.err.contains("64 hexadecimal digits"), "{}", wrong.err);
}

#[test]
fn whatever_is_wrong_is_named_with_its_place_and_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let more = "keys = \"keys.toml\"\njournal_key = \"key\"\nchip_registry = \"chips\"\nstaff = \"staff.toml\"\n\
                tls = \"tls\"\n[[device]]\nrole = \"shoe\"\nport = \"/dev/sabot-nothing\"\n";
    let config = table(folder.path(), more);
    fs::write(at("staff.toml"), "[[person]]\nname = \"I-4\"\n").unwrap();
    fs::write(at("chips"), "none\n").unwrap();
    fs::write(at("record"), "{\"ev\":\"table\"}\n").unwrap();
    fs::create_dir(at("tls")).unwrap();
    let (status, lines) = checked(&config);
    assert_eq!(status, 1);
    is(&lines, "device", "wrong", "/dev/sabot-nothing");
    is(&lines, "record", "wrong", "name another `journal`");
    is(&lines, "registry", "wrong", "this is no registry of chips");
    is(&lines, "staff", "wrong", "staff.toml:1");
    is(&lines, "certificate", "wrong", "`sabot tls make`");
    is(&lines, "keys", "wrong", "station.toml:7 names it");
    for line in &lines {
        assert!(line["state"] == "ok" || line["way_out"].as_str().is_some_and(|way| !way.is_empty()), "{line}");
    }
    // files that others may change or read
    let (config, writes) =
        (table(folder.path(), "staff = \"staff.toml\"\ntls = \"tls\"\n"), fs::Permissions::from_mode(0o646));
    fs::write(at("staff.toml"), "").unwrap();
    fs::set_permissions(at("staff.toml"), writes.clone()).unwrap();
    assert_eq!(run(sabot(["tls", "make"]).arg(at("tls")).args(["--for", "t-1.example"])).status, 0);
    is(&checked(&config).1, "certificate", "ok", "tls");
    fs::set_permissions(at("tls/station.key"), writes).unwrap();
    let lines = checked(&config).1;
    is(&lines, "staff", "warn", "chmod go-w ");
    is(&lines, "certificate", "wrong", "chmod o= ");
    let refused = run(sabot(["run", "--config"]).arg(&config));
    assert!(refused.status != 0 && refused.err.contains("others may read it"), "{}", refused.err);
    // a page's address that is taken, and a configuration that is none
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let config = table(folder.path(), "");
    let address = taken.local_addr().unwrap().to_string();
    fs::write(&config, fs::read_to_string(&config).unwrap().replace("127.0.0.1:0", &address)).unwrap();
    is(&checked(&config).1, "page", "wrong", "name another address as `listen`");
    fs::write(&config, "tabel = 1\n").unwrap();
    let (status, lines) = checked(&config);
    assert_eq!(status, 2);
    is(&lines, "configuration", "wrong", "unknown key `tabel`");
}

#[test]
fn certificates_and_people_that_are_good_are_told_with_how_many_and_how_long() {
    let folder = tempfile::tempdir().unwrap();
    let tls = folder.path().join("tls");
    let made = run(sabot(["tls", "make"]).arg(&tls).args(["--for", "bj-07.casino.example"]));
    assert_eq!(made.status, 0, "{}", made.err);
    let config = table(folder.path(), "tls = \"tls\"\n");
    let _keypad = keypad(folder.path());
    let (status, lines) = checked(&config);
    assert_eq!(status, 0, "{lines:?}");
    is(&lines, "certificate", "ok", "good until 20");
}

#[test]
fn the_clock_is_told_as_the_kernel_has_it_and_goes_into_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let config = table(folder.path(), "");
    // a program of that name stands in for the machine's, which may have no service to ask
    for (says, state, word) in [("no", "warn", "not-synchronised"), ("yes", "ok", "synchronised")] {
        let program = folder.path().join("timedatectl");
        fs::write(&program, format!("#!/bin/sh\necho {says}\n")).unwrap();
        fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
        let Ended { out, .. } = run(sabot(["check", "--json"]).arg(&config).env("PATH", &path));
        let report: Value = serde_json::from_str(&out).unwrap();
        let synchronised = &report["lines"].as_array().unwrap().iter().filter(|line| line["what"] == "clock").nth(1);
        assert_eq!(synchronised.unwrap()["state"], state, "{out}");
        let mut run = sabot(["run", "--config"]);
        let (mut running, _) = crate::process::station_by(run.arg(&config).env("PATH", &path), &config);
        running.signal("-TERM");
        assert!(running.ends().success());
        let record = fs::read_to_string(folder.path().join("record")).unwrap();
        let last = record.lines().last().unwrap();
        assert!(last.contains(&format!("Z {word}\"")), "{last}");
    }
}

#[test]
fn a_clock_that_shows_less_than_the_record_was_told_is_refused_until_somebody_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = table(folder.path(), "");
    let config = Config::load(&path).unwrap();
    let (mut journal, _) = open(&config.journal, &config.header, |_, _, _| {}).unwrap();
    let ahead = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + Duration::from_secs(86_400);
    let ahead_ms = u64::try_from(ahead.as_millis()).unwrap();
    let event = Event::Device {
        device: Name::new("station"),
        status: Name::new("clock"),
        detail: Some(Name::new(at(ahead_ms))),
        complete: false,
    };
    journal.append(Record::of(event, 10));
    assert!(journal.close().fault.is_none());
    let before = fs::read(&config.journal).unwrap();
    let Ended { status, err, .. } = run(sabot(["run", "--config"]).arg(&path));
    assert_eq!(status, 1, "{err}");
    assert!(err.contains(&utc(ahead_ms)[..19]) && err.contains("--accept-clock"), "{err}");
    assert_eq!(fs::read(&config.journal).unwrap(), before, "the record is left as it is");
    is(&checked(&path).1, "clock", "wrong", "--accept-clock");
    let mut accepting = sabot(["run", "--accept-clock", "--config"]);
    let (mut running, _): (Process, _) = crate::process::station_by(accepting.arg(&path), &path);
    running.signal("-TERM");
    assert!(running.ends().success());
    // the record was told of the right time meanwhile
    let (mut running, _) = station(&path, "warn");
    running.signal("-TERM");
    assert!(running.ends().success());
}

#[test]
fn the_version_tells_the_commit_and_the_regulations_as_a_record_has_them() {
    let Ended { status, out, .. } = run(&mut sabot(["--version"]));
    assert_eq!(status, 0);
    assert!(out.starts_with(&format!("sabot {} (commit ", env!("CARGO_PKG_VERSION"))), "{out}");
    let folder = tempfile::tempdir().unwrap();
    let (mut running, _) = station(&table(folder.path(), ""), "warn");
    running.signal("-TERM");
    assert!(running.ends().success());
    let record = fs::read_to_string(folder.path().join("record")).unwrap();
    let start = record.lines().nth(1).unwrap();
    let hash = start.split(" regulation ").nth(1).unwrap().split(' ').next().unwrap();
    let line = out.lines().find(|line| line.starts_with("sala-8 ")).unwrap();
    assert!(line.ends_with(hash) && hash.len() == 64, "{line}\n{start}");
    let short = run(&mut sabot(["-V"])).out;
    assert_eq!(short.lines().count(), 1, "{short}");
}
