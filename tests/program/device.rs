//! `sabot device pair`, and what a station says of devices that are not paired with it: real ports, real processes.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::process::{Ended, Process, run, sabot};
use sabot_stall_guard::PATIENCE;

/// A folder with a station's file for a shoe and a display.
struct Bench(tempfile::TempDir);

impl Bench {
    fn new(shoe: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = format!(
            "table = \"P\"\nregulation = \"sala-8\"\nlimits = {{ min = 1, max = 100 }}\nlisten = \"127.0.0.1:0\"\n\
             journal = \"record\"\n[[device]]\nrole = \"shoe\"\nport = \"shoe\"\n{shoe}"
        );
        fs::write(folder.path().join("station.toml"), config).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A shoe's twin at the station's port.
    fn twin(&self, more: &[&str]) -> Process {
        let port = self.path("shoe");
        let mut command = sabot(["twin", "shoe", port.to_str().unwrap(), "--stay"]);
        let twin = Process(command.args(more).stdin(Stdio::piped()).spawn().unwrap());
        wait("the twin's port", || port.exists());
        twin
    }

    fn pair(&self) -> Ended {
        let config = self.path("station.toml");
        let args = ["device", "pair", "--in-clear", "--config", config.to_str().unwrap(), "--wait", "5", "shoe"];
        run(&mut sabot(args))
    }

    /// By a code: as an option, or as it is typed when it is asked for.
    fn pair_by(&self, code: &str, typed: bool) -> Ended {
        let config = self.path("station.toml");
        let mut command = sabot(["device", "pair", "--config", config.to_str().unwrap(), "--wait", "5", "shoe"]);
        if typed {
            let line = self.path("typed");
            fs::write(&line, format!("{code}\n")).unwrap();
            command.stdin(fs::File::open(line).unwrap());
        } else {
            command.args(["--code", code]);
        }
        run(&mut command)
    }

    fn station(&self) -> Process {
        self.station_with(&[])
    }

    fn station_with(&self, more: &[&str]) -> Process {
        let config = self.path("station.toml");
        Process(sabot(["run", "--config", config.to_str().unwrap()]).args(more).spawn().unwrap())
    }

    fn record(&self) -> String {
        fs::read_to_string(self.path("record")).unwrap_or_default()
    }

    fn recorded(&self, what: &str) {
        wait(&format!("{what} in the record"), || self.record().contains(what));
    }

    /// What an auditor's replay of the record answers.
    fn replay(&self) -> String {
        run(sabot(["replay", "--lang", "en"]).arg(self.path("record"))).out
    }
}

fn wait(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "{what}: not in time");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn says(ended: &Ended) -> String {
    format!("{}{}", ended.out, ended.err)
}

/// No run of digits that could be a key of the file.
fn tells_no_key(keys: &Path, text: &str) {
    let keys = fs::read_to_string(keys).unwrap();
    let digits = keys.lines().filter_map(|line| line.split('"').rev().nth(1)).filter(|digits| digits.len() == 32);
    assert!(digits.clone().count() > 0 && digits.into_iter().all(|digits| !text.contains(digits)), "{text}");
}

#[test]
fn a_device_is_paired_and_speaks_with_its_station_and_only_a_held_switch_pairs_it_anew() {
    let bench = Bench::new("");
    let mut twin = bench.twin(&[]);
    let paired = bench.pair();
    assert_eq!(paired.status, 0, "{}", says(&paired));
    assert!(says(&paired).contains("the shoe TWIN-SHOE is paired"), "{}", says(&paired));
    assert!(says(&paired).contains("whoever tapped the cable has it too"), "{}", says(&paired));
    let keys = bench.path("keys.toml");
    assert_eq!(fs::metadata(&keys).unwrap().permissions().mode() & 0o777, 0o600);
    tells_no_key(&keys, &says(&paired));

    let station = bench.station();
    writeln!(twin.0.stdin.as_mut().unwrap(), "{{\"Shoe\":{{\"Drawn\":\"KS\"}}}}").unwrap();
    bench.recorded("\"ev\":\"draw\"");
    drop(station);
    tells_no_key(&keys, &bench.record());

    let again = bench.pair();
    assert_eq!(again.status, 1, "{}", says(&again));
    assert!(says(&again).contains("while its pairing switch is held"), "{}", says(&again));
    writeln!(twin.0.stdin.as_mut().unwrap(), "pair").unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let anew = bench.pair();
    assert_eq!(anew.status, 0, "{}", says(&anew));
    assert!(!fs::read_to_string(&keys).unwrap().is_empty());
}

#[test]
fn a_device_with_a_code_is_paired_by_it_and_in_no_other_way_and_tells_nobody_else_what_it_saw_before() {
    const CODE: &str = "7K2M-0QXV-93TD-HB5E";
    let bench = Bench::new("");
    let mut twin = bench.twin(&["--code", CODE]);
    writeln!(twin.0.stdin.as_mut().unwrap(), "{{\"Shoe\":{{\"Drawn\":\"2C\"}}}}").unwrap();
    let clear = bench.pair();
    assert_eq!(clear.status, 1, "{}", says(&clear));
    assert!(says(&clear).contains("= a device with a code on its housing"), "{}", says(&clear));
    let config = bench.path("station.toml");
    let mut nowhere = sabot(["device", "pair", "shoe", "--port", "nope", "--wait", "1", "--code", CODE, "--config"]);
    let nowhere = run(nowhere.arg(config));
    assert_eq!(nowhere.status, 1, "{}", says(&nowhere));
    assert!(says(&nowhere).contains("nope: no such port: nope"), "{}", says(&nowhere));
    assert!(says(&nowhere).contains("  = `sabot devices` lists the ports"), "{}", says(&nowhere));
    assert!(!says(&nowhere).contains("answer to a code"), "{}", says(&nowhere));
    let wrong = bench.pair_by("7K2M-0QXV-93TD-HB5F", false);
    assert_eq!(wrong.status, 1, "{}", says(&wrong));
    assert!(says(&wrong).contains("does not know the code"), "{}", says(&wrong));
    let kept = fs::read_to_string(bench.path("keys.toml")).unwrap_or_default();
    assert!(!kept.contains("TWIN-SHOE"), "nothing was kept of either: {kept}");
    let short = bench.pair_by("7K2M", true);
    assert_eq!((short.status, says(&short).contains("16 digits and letters")), (2, true), "{}", says(&short));

    let paired = bench.pair_by("7k2m 0qxv 93td hb5e", true);
    assert_eq!(paired.status, 0, "{}", says(&paired));
    assert!(says(&paired).contains("the shoe TWIN-SHOE is paired by its code"), "{}", says(&paired));
    let keys = bench.path("keys.toml");
    tells_no_key(&keys, &says(&paired));
    assert!(!fs::read_to_string(&keys).unwrap().contains("[next]"));
    let station = bench.station();
    writeln!(twin.0.stdin.as_mut().unwrap(), "{{\"Shoe\":{{\"Drawn\":\"KS\"}}}}").unwrap();
    bench.recorded("\"ev\":\"draw\"");
    drop(station);
    let drawn = bench.record().lines().filter(|line| line.contains("\"ev\":\"draw\"")).count();
    assert_eq!((drawn, bench.record().contains("2C")), (1, false), "{}", bench.record());

    // one that has a key does not answer until its switch is held
    let again = bench.pair_by(CODE, false);
    assert_eq!(again.status, 1, "{}", says(&again));
    assert!(says(&again).contains("hold its pairing switch"), "{}", says(&again));
    writeln!(twin.0.stdin.as_mut().unwrap(), "pair").unwrap();
    let before = fs::read_to_string(&keys).unwrap();
    wait("the switch is held", || bench.pair_by(CODE, false).status == 0);
    assert_ne!(fs::read_to_string(&keys).unwrap(), before);
}

#[test]
fn a_pairing_that_was_cut_off_once_the_device_had_its_key_is_found_again_by_every_command() {
    const CODE: &str = "7K2M-0QXV-93TD-HB5E";
    let bench = Bench::new("");
    let _twin = bench.twin(&["--code", CODE]);
    assert_eq!(bench.pair_by(CODE, false).status, 0);
    let keys = bench.path("keys.toml");
    let paired = fs::read_to_string(&keys).unwrap();
    let cut_off = || fs::write(&keys, paired.replace("[keys]\n", "[keys]\n\n[next]\n")).unwrap();
    cut_off();
    let again = bench.pair_by(CODE, false);
    assert_eq!((again.status, fs::read_to_string(&keys).unwrap()), (0, paired.clone()), "{}", says(&again));
    cut_off();
    let listed = run(sabot(["devices", "--config"]).arg(bench.path("station.toml")));
    assert!(!says(&listed).contains("not paired"), "{}", says(&listed));
    let _station = bench.station();
    bench.recorded("\"status\":\"online\"");
    wait("its key is its own", || fs::read_to_string(&keys).unwrap() == paired);
}

#[test]
fn an_unpaired_device_is_refused_with_a_finding_and_its_cards_stay_with_it() {
    let bench = Bench::new("");
    let mut twin = bench.twin(&[]);
    writeln!(twin.0.stdin.as_mut().unwrap(), "{{\"Shoe\":{{\"Drawn\":\"KS\"}}}}").unwrap();
    let _station = bench.station_with(&["--with-unpaired"]);
    bench.recorded("\"status\":\"unpaired\"");
    let findings = bench.replay();
    assert!(
        findings.contains("\"provision\":\"C20\"") && findings.contains("\"severity\":\"integrity\""),
        "{findings}"
    );
    assert!(findings.contains("not the device it must be"), "{findings}");
    assert!(!bench.record().contains("\"ev\":\"draw\""));
}

#[test]
fn no_record_begins_with_a_device_that_is_not_paired_until_it_is_or_until_that_is_wanted() {
    let bench = Bench::new("");
    let twin = bench.twin(&[]);
    let config = bench.path("station.toml");
    let refused = run(sabot(["run", "--config"]).arg(&config));
    assert_eq!(refused.status, 2, "{}", says(&refused));
    for what in ["shoe at ", "TWIN-SHOE", "not paired", "sabot commission --config", "sabot device pair --config"] {
        assert!(refused.err.contains(what), "{what}: {}", refused.err);
    }
    assert!(!bench.path("record").exists());
    assert_eq!(bench.pair().status, 0);
    let station = bench.station();
    bench.recorded("\"status\":\"online\"");
    assert_eq!(bench.replay().matches("\"provision\"").count(), 0, "{}", bench.replay());
    drop(station);
    // the record has begun: who takes the key away then is told of in it
    drop(twin);
    fs::write(bench.path("keys.toml"), "[keys]\n").unwrap();
    wait("the first twin is gone", || !bench.path("shoe").exists() || fs::remove_file(bench.path("shoe")).is_ok());
    let _stranger = bench.twin(&[]);
    let _station = bench.station();
    bench.recorded("\"status\":\"unpaired\"");
}

impl Bench {
    /// A twin of which the station's keys know another key than it holds.
    fn impostor(&self) -> Process {
        drop(self.twin(&["--keys", self.path("keys.toml").to_str().unwrap()]));
        wait("the first twin is gone", || !self.path("shoe").exists() || fs::remove_file(self.path("shoe")).is_ok());
        self.twin(&["--keys", self.path("foreign.toml").to_str().unwrap()])
    }
}

#[test]
fn no_record_begins_with_a_device_that_holds_another_key_until_it_is_paired_anew() {
    let bench = Bench::new("");
    let mut impostor = bench.impostor();
    writeln!(impostor.0.stdin.as_mut().unwrap(), "{{\"Shoe\":{{\"Drawn\":\"KS\"}}}}").unwrap();
    let config = bench.path("station.toml");
    let refused = run(sabot(["run", "--config"]).arg(&config));
    assert_eq!(refused.status, 2, "{}", says(&refused));
    for what in ["shoe at ", "TWIN-SHOE", "holds another key", "pairing switch", "sabot device pair --config"] {
        assert!(refused.err.contains(what), "{what}: {}", refused.err);
    }
    tells_no_key(&bench.path("keys.toml"), &says(&refused));
    assert!(!bench.path("record").exists());
    let listed = run(sabot(["devices", "--config"]).arg(&config));
    assert!(says(&listed).contains("does not hold the key of TWIN-SHOE"), "{}", says(&listed));

    writeln!(impostor.0.stdin.as_mut().unwrap(), "pair").unwrap();
    wait("the switch is held", || bench.pair().status == 0);
    let _station = bench.station();
    bench.recorded("\"ev\":\"draw\"");
    assert_eq!(
        bench.record().lines().filter(|line| line.contains("\"ev\":\"draw\"")).count(),
        1,
        "asking took nothing"
    );
    assert!(!bench.replay().contains("integrity"), "{}", bench.replay());
}

#[test]
fn no_record_begins_with_a_device_of_another_serial_number_than_is_pinned_until_that_is_wanted() {
    let bench = Bench::new("serial = \"SH-0001\"\n");
    // paired as it is, it is still another one
    let _twin = bench.twin(&["--keys", bench.path("keys.toml").to_str().unwrap()]);
    let config = bench.path("station.toml");
    let refused = run(sabot(["run", "--config"]).arg(&config));
    assert_eq!(refused.status, 2, "{}", says(&refused));
    for what in ["shoe at ", "TWIN-SHOE", "pins SH-0001", "plug in the device", "`serial` in", "--with-unpaired"] {
        assert!(refused.err.contains(what), "{what}: {}", refused.err);
    }
    assert!(!refused.err.contains("sabot device pair"), "its key is not what is wrong: {}", refused.err);
    assert!(!bench.path("record").exists());
    let station = bench.station_with(&["--with-unpaired"]);
    bench.recorded("\"status\":\"swapped\"");
    drop(station);
    assert!(bench.replay().contains("\"severity\":\"integrity\""), "{}", bench.replay());

    // the way out that is told: that device belongs there now, and a new record is named
    let other = fs::read_to_string(&config).unwrap().replace("SH-0001", "TWIN-SHOE").replace("\"record\"", "\"next\"");
    fs::write(&config, other).unwrap();
    let _station = bench.station();
    let next = || fs::read_to_string(bench.path("next")).unwrap_or_default();
    wait("it is online", || next().contains("\"status\":\"online\""));
}

#[test]
fn no_record_begins_with_a_device_of_another_role_and_no_pairing_is_offered() {
    let bench = Bench::new("");
    let (port, keys) = (bench.path("shoe"), bench.path("keys.toml"));
    let twin = sabot(["twin", "shuffler"]).arg(&port).arg("--stay").arg("--keys").arg(&keys).spawn().unwrap();
    let _twin = Process(twin);
    wait("the twin's port", || port.exists());
    let refused = run(sabot(["run", "--config"]).arg(bench.path("station.toml")));
    assert_eq!(refused.status, 2, "{}", says(&refused));
    for what in ["no record begins yet", "shoe at ", "TWIN-SHUFFLER", "put right what is refused", "--with-unpaired"] {
        assert!(refused.err.contains(what), "{what}: {}", refused.err);
    }
    assert!(!refused.err.contains("sabot device pair"), "no key helps it: {}", refused.err);
    assert!(!bench.path("record").exists());
    let _station = bench.station_with(&["--with-unpaired"]);
    bench.recorded("\"status\":\"refused\"");
}

#[test]
fn a_swapped_device_is_refused_with_a_finding_until_the_right_one_is_back() {
    let bench = Bench::new("");
    let impostor = bench.impostor();
    let ours = bench.path("keys.toml");
    let _station = bench.station_with(&["--with-unpaired"]);
    bench.recorded("\"status\":\"swapped\"");
    assert!(bench.replay().contains("\"severity\":\"integrity\""), "{}", bench.replay());
    drop(impostor);
    let _ = fs::remove_file(bench.path("shoe"));
    let mut twin = bench.twin(&["--keys", ours.to_str().unwrap()]);
    writeln!(twin.0.stdin.as_mut().unwrap(), "{{\"Shoe\":{{\"Drawn\":\"KS\"}}}}").unwrap();
    bench.recorded("\"ev\":\"draw\"");
}

#[test]
fn a_device_of_another_role_or_serial_number_or_no_device_is_not_paired() {
    let bench = Bench::new("serial = \"SH-0001\"\n");
    let nobody = bench.pair();
    assert_eq!(nobody.status, 1, "{}", says(&nobody));
    assert!(says(&nobody).contains("no such port"), "{}", says(&nobody));
    let _twin = bench.twin(&[]);
    let other = bench.pair();
    assert_eq!(other.status, 1, "{}", says(&other));
    assert!(says(&other).contains("TWIN-SHOE") && says(&other).contains("SH-0001"), "{}", says(&other));
    assert!(!bench.path("keys.toml").exists());
}

#[test]
fn keys_that_others_can_read_stop_the_station_in_words() {
    let bench = Bench::new("");
    fs::write(bench.path("keys.toml"), "[keys]\n").unwrap();
    fs::set_permissions(bench.path("keys.toml"), fs::Permissions::from_mode(0o644)).unwrap();
    let config = bench.path("station.toml");
    let output = run(sabot(["run", "--config"]).arg(config));
    assert_eq!(output.status, 1);
    assert!(says(&output).contains("chmod 600"), "{}", says(&output));
    assert_eq!(bench.pair().status, 2);
}
