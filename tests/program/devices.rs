//! `sabot devices` as its user meets it: twins on pseudo-terminals and TCP ports, stations that run and do not, and
//! what can be wrong with a device.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::process::{self, Ended, Process, run, sabot};
use sabot_stall_guard::PATIENCE;
use sabot_wire::frame::{MAX_FRAME, encode};
use sabot_wire::message::{DeviceHello, Role, ToHost};
use serde_json::Value;

/// Ends a twin so that it takes its link with it: the number of its terminal may be another test's the next moment.
fn unplug(twin: &mut Process) {
    twin.signal("-TERM");
    twin.ends();
}

fn eventually<T>(what: &str, mut happens: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(it) = happens() {
            return it;
        }
        assert!(Instant::now() < until, "still not so: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A folder with ports, a configuration and whatever runs on them.
struct Table {
    folder: tempfile::TempDir,
}

impl Table {
    fn new(devices: &str) -> Self {
        let table = Self { folder: tempfile::tempdir().unwrap() };
        let head = "table = \"T-1\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100000000 }\n\
                    listen = \"127.0.0.1:0\"\njournal = \"record\"\n";
        fs::write(table.path("station.toml"), format!("{head}{devices}")).unwrap();
        table
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn config(&self) -> String {
        self.path("station.toml").to_str().unwrap().to_owned()
    }

    /// A twin of a device of ours, at its port.
    fn twin(&self, role: &str, port: &str) -> Process {
        let link = self.path(port);
        let keys = self.path("keys.toml");
        let twin = Process::start(sabot(["twin", role, "--stay"]).arg(&link).arg("--keys").arg(keys));
        eventually("the twin has its port", || link.exists().then_some(()));
        twin
    }

    /// Any other twin, once it says where it is.
    fn twin_of(&self, args: &[&str]) -> (Process, String) {
        let mut twin = Process::start(sabot(args).stdin(Stdio::piped()).stderr(Stdio::piped()));
        let said = twin.error_lines().next().unwrap();
        (twin, said)
    }

    fn devices(&self, more: &[&str]) -> Ended {
        run(sabot(["devices", "--config", &self.config()]).args(more))
    }

    /// The configured devices, as a machine is told of them.
    fn told(&self, more: &[&str]) -> (i32, Value) {
        let Ended { status, out, .. } = self.devices(&[more, &["--json"]].concat());
        (status, serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}")))
    }

    /// The station of the table, and where it serves its page.
    fn station(&self) -> (Process, String) {
        process::station(&self.path("station.toml"), "info")
    }
}

fn device(role: &str) -> String {
    format!("[[device]]\nrole = \"{role}\"\nport = \"{role}\"\n")
}

fn of<'a>(told: &'a Value, role: &str) -> &'a Value {
    told["devices"].as_array().unwrap().iter().find(|device| device["role"] == role).unwrap()
}

fn wrong(told: &Value, role: &str) -> String {
    let why = of(told, role)["wrong"].as_array().unwrap();
    why.iter().map(|why| why.as_str().unwrap()).collect::<Vec<_>>().join("; ")
}

/// A pseudo-terminal with a device by hand behind it.
fn by_hand(link: &Path, mut says: impl FnMut(&mut dyn Write) + Send + 'static) -> nix::pty::OpenptyResult {
    let pair = nix::pty::openpty(None, None).unwrap();
    let mut raw = nix::sys::termios::tcgetattr(&pair.slave).unwrap();
    nix::sys::termios::cfmakeraw(&mut raw);
    nix::sys::termios::tcsetattr(&pair.slave, nix::sys::termios::SetArg::TCSANOW, &raw).unwrap();
    std::os::unix::fs::symlink(nix::unistd::ttyname(&pair.slave).unwrap(), link).unwrap();
    let mut master = fs::File::from(pair.master.try_clone().unwrap());
    std::thread::spawn(move || {
        let mut buffer = [0; 256];
        while let Ok(1..) = master.read(&mut buffer) {
            says(&mut master);
        }
    });
    pair
}

#[test]
fn what_is_fine_is_fine_and_nothing_is_taken_from_a_device_by_asking_it() {
    let roles = ["shoe", "shuffler", "chips", "keypad", "display"];
    let table = Table::new(&roles.map(device).concat());
    let _twins = roles.map(|role| table.twin(role, role));
    for _ in 0..2 {
        let Ended { status, out: text, err } = table.devices(&[]);
        assert_eq!(status, 0, "{text}{err}");
        for role in roles {
            let line = text.lines().find(|line| line.starts_with(&format!("{role} "))).unwrap();
            assert!(line.contains(" fine ") && line.contains(&format!("TWIN-{}", role.to_uppercase())), "{line}");
        }
        // columns stand under each other
        let column = |line: &str, what: &str| line.find(what).unwrap();
        let head = text.lines().find(|line| line.starts_with("ROLE")).unwrap();
        let shoe = text.lines().find(|line| line.starts_with("shoe ")).unwrap();
        assert_eq!(column(head, "STATE"), column(shoe, "fine"));
        assert_eq!(column(head, "WHAT IT SAYS"), column(shoe, "TWIN-SHOE"));
    }
    let (status, told) = table.told(&[]);
    assert_eq!((status, told["table"].as_str()), (0, Some("T-1")));
    let shoe = of(&told, "shoe");
    assert_eq!((shoe["state"].as_str(), shoe["kind"].as_str()), (Some("fine"), Some("pty")));
    assert!(shoe["at"].as_str().unwrap().starts_with("/dev/pts/"), "{shoe}");
    // no lock is left behind, and a station begins with them as if nobody had asked
    let (_station, address) = table.station();
    eventually("the station has all five", || (table.told(&["--listen", &address]).0 == 0).then_some(()));
}

#[test]
fn what_is_wrong_is_told_in_words_with_a_way_out() {
    let serial = "[[device]]\nrole = \"shoe\"\nport = \"shoe\"\nserial = \"SH-0001\"\n";
    let by_usb = "[[device]]\nrole = \"keypad\"\nport = \"usb:NOSUCH\"\n";
    let table = Table::new(&(serial.to_owned() + &device("shuffler") + &device("chips") + by_usb + &device("display")));
    let _other_serial = table.twin("shoe", "shoe");
    let _other_role = table.twin("keypad", "shuffler");
    let _silent = by_hand(&table.path("chips"), |_| {});
    fs::write(table.path("display"), "not a port").unwrap();
    let (status, told) = table.told(&[]);
    assert_eq!(status, 1, "{told}");
    assert_eq!(
        wrong(&told, "shoe"),
        "the device with serial number TWIN-SHOE answers where the configuration pins SH-0001"
    );
    assert!(of(&told, "shoe")["says"].as_str().unwrap().starts_with("TWIN-SHOE"), "{told}");
    assert_eq!(
        wrong(&told, "shuffler"),
        "a keypad answers where the configuration names a shuffler: swap the cables or the ports"
    );
    assert_eq!(wrong(&told, "chips"), "nothing answers, though the port is open: check power and cable");
    assert!(wrong(&told, "keypad").starts_with("no USB device with the serial number NOSUCH is attached"));
    assert!(wrong(&told, "display").contains("an ordinary file, not a serial port"));
    fs::remove_file(table.path("display")).unwrap();
    let text = table.devices(&[]).out;
    assert!(text.contains("no such port: ") && text.contains("is the device plugged in and switched on?"), "{text}");
}

#[test]
fn firmware_of_another_version_or_schema_and_a_wrong_speed_are_told() {
    let table = Table::new(&["shoe", "keypad", "chips"].map(device).concat());
    let says = |protocol, schema, role| {
        let serial = heapless::String::try_from("OLD-7").unwrap();
        let hello = DeviceHello { protocol, role, serial, firmware: [0, 9, 0], schema, boots: 1, epoch: 1, oldest: 1 };
        move |line: &mut dyn Write| {
            let mut frame = [0; MAX_FRAME];
            let _ = line.write_all(encode(&ToHost::Hello(hello.clone()), &mut frame).unwrap());
        }
    };
    let _shoe = by_hand(&table.path("shoe"), says(sabot_wire::PROTOCOL + 1, sabot_wire::SCHEMA_4, Role::Shoe));
    let _keypad = by_hand(&table.path("keypad"), says(sabot_wire::PROTOCOL, 0xDEAD_BEEF, Role::Keypad));
    let _chips = by_hand(&table.path("chips"), |line| drop(line.write_all(&[0xF8, 0x1E, 0, 0x80, 0xFE])));
    let (status, told) = table.told(&[]);
    assert_eq!(status, 1);
    assert!(wrong(&told, "shoe").contains("speaks version") && wrong(&told, "shoe").contains("update the older one"));
    assert!(wrong(&told, "keypad").contains("message schema deadbeef"), "{told}");
    assert!(wrong(&told, "chips").contains("makes no sense: check the speed"), "{told}");
    assert!(of(&told, "shoe")["says"].as_str().unwrap().starts_with("OLD-7, firmware 0.9.0"), "{told}");
}

#[test]
fn a_running_station_is_believed_and_not_disturbed_and_one_that_does_not_answer_is_named() {
    let table = Table::new(&["shoe", "keypad"].map(device).concat());
    let mut shoe = table.twin("shoe", "shoe");
    let _keypad = table.twin("keypad", "keypad");
    let (station, address) = table.station();
    let fine = || Some(table.told(&["--listen", &address])).filter(|(status, _)| *status == 0);
    let (_, told) = eventually("all is fine", fine);
    assert_eq!(told["station"], Value::from(address.clone()));
    let shoe_told = of(&told, "shoe");
    assert!(shoe_told["says"].as_str().unwrap().starts_with("TWIN-SHOE, firmware "), "{told}");
    assert_eq!(shoe_told["holder"]["pid"], Value::from(station.0.id()), "{told}");
    assert_eq!(shoe_told["holder"]["name"], "sabot");
    // named from where the file lies, ports are the same ports
    let mut here = sabot(["devices", "--config", "station.toml", "--listen", &address]);
    let ended = run(here.current_dir(table.folder.path()));
    assert_eq!(ended.status, 0, "{}", ended.out);
    // its page is not where the configuration says: the holder is all that is known
    let (status, told) = table.told(&[]);
    assert_eq!((status, &told["station"]), (1, &Value::Null));
    let why = wrong(&told, "shoe");
    assert!(why.contains(&format!("is in use by `sabot` (process {})", station.0.id())), "{why}");
    assert!(why.contains("is that this table's station?") && why.contains("--listen"), "{why}");
    assert!(!fs::read_to_string(table.path("log")).unwrap().contains("not there"), "the station was disturbed");
    unplug(&mut shoe);
    let gone = || Some(table.told(&["--listen", &address])).filter(|(status, _)| *status == 1);
    let (_, told) = eventually("the station misses its shoe", gone);
    assert!(!wrong(&told, "shoe").is_empty() && of(&told, "keypad")["state"] == "fine", "{told}");
    // the station of another table at that address is not believed
    let text = fs::read_to_string(table.config()).unwrap().replace("T-1", "T-2");
    fs::write(table.config(), text).unwrap();
    let (_, told) = table.told(&["--listen", &address]);
    assert!(told["notes"].to_string().contains("the station of another table answers: T-1"), "{told}");
    assert!(wrong(&told, "keypad").contains("in use by `sabot`"), "{told}");
}

#[test]
fn third_party_equipment_is_asked_its_own_question_or_none() {
    let spots =
        "[[device]]\nrole = \"chips\"\ndriver = \"feig\"\nport = \"feig\"\nvalue_block = 4\nspots = [{ box = 1 }]\n";
    let tower = "[[signal]]\ndriver = \"patlite-pns\"\naddress = \"127.0.0.1:PORT\"\n";
    let pole = "[[signal]]\ndriver = \"escpos\"\nport = \"pole\"\n";
    let table = Table::new("");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let head = fs::read_to_string(table.config()).unwrap();
    let devices = format!("{head}{spots}{}{pole}", tower.replace("PORT", &free.port().to_string()));
    fs::write(table.config(), devices).unwrap();
    let (status, told) = table.told(&[]);
    assert_eq!(status, 1);
    assert!(wrong(&told, "patlite-pns").contains("nothing answers at 127.0.0.1"), "{told}");
    let (feig, pole) = (table.path("feig"), table.path("pole"));
    let _feig = table.twin_of(&["twin", "feig", "--port", feig.to_str().unwrap(), "--stay"]);
    let _pole = table.twin_of(&["twin", "pole", "--protocol", "escpos", "--port", pole.to_str().unwrap()]);
    let _tower = table.twin_of(&["twin", "patlite", "--listen", &free.to_string()]);
    eventually("the pole twin has its port", || pole.exists().then_some(()));
    let (status, told) = table.told(&[]);
    assert_eq!(status, 0, "{told}");
    assert!(of(&told, "chips")["says"].as_str().unwrap().starts_with("FEIG-"), "{told}");
    assert_eq!(of(&told, "patlite-pns")["kind"], "tcp");
    assert!(of(&told, "escpos")["says"].as_str().unwrap().contains("answers nothing"), "{told}");
}

/// A table with three lines of readers, one each, whose serial numbers follow from these seeds.
fn on_three_lines(seeds: [&str; 3]) -> (Table, [(Process, String); 3]) {
    let line = |nth: usize| {
        let head = "[[device]]\nrole = \"chips\"\ndriver = \"feig\"\nvalue_block = 4\n";
        format!("{head}port = \"feig-{nth}\"\nspots = [{{ box = {nth} }}]\n")
    };
    let table = Table::new(&[1, 2, 3].map(line).concat());
    let readers = [1, 2, 3].map(|nth| {
        let port = table.path(&format!("feig-{nth}"));
        table.twin_of(&["twin", "feig", "--port", port.to_str().unwrap(), "--seed", seeds[nth - 1], "--stay"])
    });
    (table, readers)
}

#[test]
fn a_reader_that_answers_on_two_lines_is_named_with_both_and_no_record_begins_with_it() {
    let (table, _readers) = on_three_lines(["1", "2", "1"]);
    let is_named = |told: &str| {
        let [first, third] = ["feig-1", "feig-3"].map(|line| table.path(line).display().to_string());
        for what in [&format!("FEIG-00C0FFE0 answers on {first} and on {third}"), "a reader of its own"] {
            assert!(told.contains(what), "{what}: {told}");
        }
        assert!(!told.contains("feig-2 and"), "{told}");
    };
    let Ended { status, out, .. } = table.devices(&[]);
    assert_eq!(status, 1);
    is_named(&out);
    let Ended { status, out, .. } = run(&mut sabot(["check", &table.config()]));
    assert_ne!(status, 0);
    is_named(&out);
    let Ended { status, err, .. } = run(&mut sabot(["run", "--config", &table.config()]));
    assert_eq!(status, 2);
    is_named(&err);
}

#[test]
fn several_lines_of_readers_are_told_by_the_word_of_the_running_station_each_by_itself() {
    let (table, _readers) = on_three_lines(["1", "2", "3"]);
    let (station, address) = table.station();
    let fine = || Some(table.told(&["--listen", &address])).filter(|(status, _)| *status == 0);
    let (_, told) = eventually("all is fine", fine);
    assert_eq!(told["station"], Value::from(address.clone()));
    let lines: Vec<&Value> =
        told["devices"].as_array().unwrap().iter().filter(|device| device["role"] == "chips").collect();
    assert_eq!(lines.len(), 3, "{told}");
    for line in lines {
        assert_eq!((&line["state"], &line["holder"]["pid"]), (&"fine".into(), &station.0.id().into()), "{told}");
        assert!(line["says"].as_str().unwrap().starts_with("FEIG-"), "{told}");
    }
}

/// Run by a user who may not open the port: by nobody where the test is root, else on a port of one's own that is shut.
#[test]
fn a_port_that_may_not_be_opened_is_told_with_its_group_and_the_command_that_helps() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let table = Table::new(&device("keypad"));
    let pair = by_hand(&table.path("keypad"), |_| {});
    let port = nix::unistd::ttyname(&pair.slave).unwrap();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(table.folder.path(), 0o755);
    let copy = table.path("sabot");
    fs::copy(env!("CARGO_BIN_EXE_sabot"), &copy).unwrap();
    let mut command = Command::new(copy);
    command.args(["devices", "--json", "--config", &table.config()]).env("TMPDIR", table.folder.path());
    if fs::metadata(table.config()).unwrap().uid() == 0 {
        mode(&port, 0o660);
        command.uid(65_534).gid(65_534);
    } else {
        mode(&port, 0o060);
    }
    let output = command.output().unwrap();
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let why = wrong(&told, "keypad");
    assert!(why.starts_with("permission denied for ") && why.contains("usermod -aG "), "{why}");
}

#[test]
fn a_device_that_was_never_paired_is_told_with_the_command_that_pairs_it() {
    let table = Table::new(&device("keypad"));
    let port = table.path("keypad");
    let (_twin, _) = table.twin_of(&["twin", "keypad", port.to_str().unwrap(), "--stay"]);
    eventually("the twin has its port", || port.exists().then_some(()));
    let (status, told) = table.told(&[]);
    assert_eq!(status, 1);
    assert!(wrong(&told, "keypad").contains("is not paired with this station: run `sabot device pair`"), "{told}");
}

/// Lines of a process as they come.
fn lines_of(process: &mut Process) -> Arc<Mutex<Vec<String>>> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let (printed, kept) = (process.lines(), Arc::clone(&lines));
    std::thread::spawn(move || printed.for_each(|line| kept.lock().unwrap().push(line)));
    lines
}

#[test]
fn watch_tells_each_change_and_ends_by_ctrl_c() {
    let table = Table::new(&["shoe", "keypad"].map(device).concat());
    let mut shoe = table.twin("shoe", "shoe");
    let mut keypad = table.twin("keypad", "keypad");
    let mut watch = sabot(["devices", "--config", &table.config(), "--watch"]);
    let mut watch = Process::start(watch.stdout(Stdio::piped()));
    let lines = lines_of(&mut watch);
    let mut from = 0;
    let mut comes = |what: &str| {
        eventually(what, || {
            let lines = lines.lock().unwrap();
            let at = lines.iter().skip(from).position(|line| line.contains(what))?;
            from += at + 1;
            Some(())
        });
    };
    comes("TWIN-KEYPAD, firmware");
    unplug(&mut shoe);
    comes("shoe (");
    let _shoe = table.twin("shoe", "shoe");
    comes(": fine: TWIN-SHOE");
    // a station that takes the ports is told of, by who has them
    let (mut station, _) = table.station();
    comes("in use by `sabot`");
    station.signal("-TERM");
    station.ends();
    comes(": fine: TWIN-");
    comes(": fine: TWIN-");
    unplug(&mut keypad);
    comes("WRONG: no such port: ");
    watch.signal("-INT");
    let status = eventually("it ends", || watch.0.try_wait().unwrap());
    assert_eq!(status.code(), Some(1), "the keypad is away: {:?}", lines.lock().unwrap());
    let lines = lines.lock().unwrap();
    assert!(lines.len() < 60, "a line a change, and no more: {lines:#?}");
}

#[test]
fn watch_for_machines_is_an_object_a_line() {
    let table = Table::new(&device("keypad"));
    let mut watch = sabot(["devices", "--config", &table.config(), "--watch", "--json"]);
    let mut watch = Process::start(watch.stdout(Stdio::piped()));
    let lines = lines_of(&mut watch);
    eventually("the first picture", || (!lines.lock().unwrap().is_empty()).then_some(()));
    let _keypad = table.twin("keypad", "keypad");
    let is_fine = |line: &String| {
        let told: Value = serde_json::from_str(line).unwrap();
        of(&told, "keypad")["state"] == "fine"
    };
    eventually("the keypad is fine", || lines.lock().unwrap().last().is_some_and(is_fine).then_some(()));
    drop(watch);
}

#[test]
fn without_a_configuration_it_lists_and_with_a_mistake_it_ends_with_status_2() {
    let ended = run(&mut sabot(["devices"]));
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(ended.out.contains("ttached"));
    let table = Table::new("[[device]]\nrole = \"shoe\"\nport = \"usb:\"\n");
    let Ended { status, err: error, .. } = table.devices(&[]);
    assert_eq!(status, 2, "{error}");
    assert!(error.starts_with("sabot devices: ") && error.contains("without a serial number"), "{error}");
    assert!(error.contains("usb:A10KZ4QP"), "{error}");
}
