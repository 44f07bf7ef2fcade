//! `systemctl reload`: what a station takes over without a restart, in mid-shift.

use std::fs;
use std::io::Write;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use sabot_stall_guard::PATIENCE;

use crate::process::{Process, run, sabot, station, station_by};

fn until(what: &str, mut so: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !so() {
        assert!(Instant::now() < until, "still not so: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn import(folder: &Path, state: &str) {
    let table = format!("uid,value,state\n0000000000000001,50000,{state}\n");
    fs::write(folder.join("chips.csv"), table).unwrap();
    let imported = run(sabot(["chips", "import", "chips.csv", "--registry", "chips.jsonl"]).current_dir(folder));
    assert_eq!(imported.status, 0, "{}", imported.err);
}

#[test]
fn a_chip_is_cancelled_in_mid_shift_by_a_signal_and_a_bad_registry_leaves_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    import(folder.path(), "valid");
    let head = "table = \"T-1\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100000000 }\n\
                listen = \"127.0.0.1:0\"\njournal = \"record\"\nchip_registry = \"chips.jsonl\"\n";
    fs::write(at("station.toml"), format!("{head}[[device]]\nrole = \"chips\"\nport = \"chips\"\n")).unwrap();
    let mut twin = sabot(["twin", "chips", "--stay"]);
    let twin = twin.arg(at("chips")).arg("--keys").arg(at("keys.toml")).stdin(Stdio::piped());
    let mut twin = Process::start(twin);
    until("the twin has its port", || at("chips").exists());
    let (mut running, _) = station(&at("station.toml"), "warn");
    let text = |name: &str| fs::read_to_string(at(name)).unwrap_or_default();
    let (record, log) = (|| text("record"), || text("log"));
    let mut chips = twin.stdin();
    let mut lies = |uids: &[u64]| {
        let chips_there: Vec<_> = uids.iter().map(|uid| format!("{{\"uid\":{uid},\"value\":50000}}")).collect();
        let there = chips_there.join(",");
        writeln!(chips, "{{\"Chips\":{{\"Spot\":{{\"box_no\":1,\"hand\":0,\"spot\":\"main\",\"chips\":[{there}]}}}}}}")
            .unwrap();
    };
    lies(&[1]);
    until("the chip lies there", || record().contains("\"amount\":50000"));
    assert!(!record().contains("chip_cancelled"), "{}", record());
    // a file that is none changes nothing, and the station goes on
    let good = fs::read(at("chips.jsonl")).unwrap();
    fs::write(at("chips.jsonl"), "no registry\n").unwrap();
    running.signal("-HUP");
    until("the bad file is told", || log().contains("the station goes on with the registry before"));
    fs::write(at("chips.jsonl"), good).unwrap();
    import(folder.path(), "cancelled");
    running.signal("-HUP");
    until("the registry is read", || log().contains("1 chips, 1 cancelled"));
    lies(&[]);
    lies(&[1]);
    until("the chip is found", || record().contains("\"chip_cancelled\""));
    running.signal("-TERM");
    assert!(running.ends().success());
}

#[test]
fn the_systems_manager_is_told_that_the_station_serves_lives_and_stops() {
    let folder = tempfile::tempdir().unwrap();
    let text = "table = \"T-1\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100 }\nlisten = \"127.0.0.1:0\"\n\
                journal = \"record\"\n[[device]]\nrole = \"shoe\"\nport = \"nowhere\"\n";
    let config = folder.path().join("station.toml");
    fs::write(&config, text).unwrap();
    let socket = UnixDatagram::bind(folder.path().join("notify")).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let told = |what: &str| loop {
        let mut bytes = [0; 4096];
        let length = socket.recv(&mut bytes).unwrap_or_else(|why| panic!("{what} is not told: {why}"));
        if std::str::from_utf8(&bytes[..length]).unwrap().lines().any(|line| line == what) {
            return;
        }
    };
    let mut run = sabot(["run", "--config"]);
    run.arg(&config).env("NOTIFY_SOCKET", folder.path().join("notify")).env("WATCHDOG_USEC", "6000000");
    let (mut running, _) = station_by(&mut run, &config);
    told("READY=1");
    told("WATCHDOG=1");
    told("WATCHDOG=1");
    running.signal("-TERM");
    told("STOPPING=1");
    assert!(running.ends().success());
}
