//! `systemctl reload`: what a station takes over without a restart, in mid-shift.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
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

pub(crate) fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
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
    until("the bad file is told", || log().contains("the station goes on with what it had"));
    until("the record has it", || record().contains("\"status\":\"not_reloaded\",\"detail\":\"registry at "));
    fs::write(at("chips.jsonl"), good).unwrap();
    import(folder.path(), "cancelled");
    running.signal("-HUP");
    until("the registry is read", || log().contains("read again: 1 chips, 1 cancelled, 1 keys, 0 signals; settings "));
    until("the record has it", || {
        record().contains("\"reloaded\",\"detail\":\"1 chips, 1 cancelled, 1 keys, 0 signals")
    });
    lies(&[]);
    lies(&[1]);
    until("the chip is found", || record().contains("\"chip_cancelled\""));
    running.signal("-TERM");
    assert!(running.ends().success());
}

/// The tower of the old address goes, the one of the new address comes; what cannot be used leaves all as it was.
#[test]
fn signals_come_and_go_at_a_reload_and_a_wrong_file_leaves_those_before() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (text, config) = (|name: &str| fs::read_to_string(at(name)).unwrap_or_default(), at("station.toml"));
    let people = sabot(["staff", "add", "staff.toml", "--name", "I-4", "--role", "inspector"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .spawn();
    let mut people = Process(people.unwrap());
    writeln!(people.stdin(), "739154").unwrap();
    assert!(people.ends().success());
    let tower = || {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut twin = sabot(["twin", "patlite", "--listen", &free.to_string()]);
        let mut twin = Process::start(twin.stderr(Stdio::piped()));
        assert!(twin.error_lines().next().unwrap().contains("listens at"));
        (twin, free)
    };
    let ((_first, first), (_second, second)) = (tower(), tower());
    let head = "table = \"T-1\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100 }\nlisten = \"127.0.0.1:0\"\n\
                journal = \"record\"\nstaff = \"staff.toml\"\n[[device]]\nrole = \"shoe\"\nport = \"nowhere\"\n";
    let signal = |at: &dyn std::fmt::Display| format!("[[signal]]\ndriver = \"patlite-pns\"\naddress = \"{at}\"\n");
    fs::write(&config, format!("{head}{}", signal(&first))).unwrap();
    let (mut running, page) = station(&config, "warn");
    let up = |address: &dyn std::fmt::Display| {
        let metrics = get(&page, "/metrics");
        let line = format!("port=\"{address}\"}} 1\n");
        metrics.split("sabot_device_up{").skip(1).any(|sample| sample.contains(&line))
    };
    until("the first tower shows", || up(&first));
    let reloads = |what: &str| {
        let told = format!("\"status\":\"{what}\"");
        let before = text("record").matches(&told).count();
        running.signal("-HUP");
        until(what, || text("record").matches(&told).count() > before);
    };
    fs::write(&config, format!("{head}{}{}", signal(&first), signal(&second))).unwrap();
    reloads("reloaded");
    until("both show", || up(&first) && up(&second));
    // an address that is none, and people who are none: in words, and nothing of it counts
    let wrong = signal(&"10.0.0.300");
    fs::write(&config, format!("{head}{wrong}")).unwrap();
    reloads("not_reloaded");
    assert!(text("log").contains("`10.0.0.300` is no network address"), "{}", text("log"));
    let people = text("staff.toml");
    fs::write(at("staff.toml"), "[[person]]\nname = 4\n").unwrap();
    fs::write(&config, format!("{head}{}", signal(&second))).unwrap();
    reloads("not_reloaded");
    assert!(up(&first) && up(&second) && text("record").contains("\"detail\":\"staff at "), "{}", text("log"));
    fs::write(at("staff.toml"), people).unwrap();
    // limits count from the next start, and both say so
    fs::write(&config, format!("{head}{}", signal(&second)).replace("max = 100", "max = 200")).unwrap();
    reloads("reloaded");
    until("the first is let go", || !get(&page, "/metrics").contains(&first.to_string()) && up(&second));
    let digest = run(Command::new("sha256sum").arg(&config)).out;
    let told = format!("1 people, 0 keys, 1 signals; settings {} in part", digest.split(' ').next().unwrap());
    assert!(text("record").contains(&told) && text("log").contains(&told), "{}", text("log"));
    running.signal("-TERM");
    assert!(running.ends().success());
    assert!(at("record.settings").join(format!("{}.toml", digest.split(' ').next().unwrap())).exists());
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
