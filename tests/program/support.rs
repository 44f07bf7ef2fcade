//! `sabot support`: the archive somebody sends who wants help, and what must not be in it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use crate::process::{Process, run, sabot, station};

#[test]
fn one_file_has_what_help_needs_and_no_key_and_no_pin_though_a_log_holds_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let made = run(sabot(["journal", "key", "--name", "BJ-07.example"]).arg(at("record.key")));
    assert_eq!(made.status, 0, "{}", made.err);
    assert_eq!(run(sabot(["tls", "make"]).arg(at("tls")).args(["--for", "bj-07.example"])).status, 0);
    let mut add = sabot(["staff", "add", "staff.toml", "--name", "I-4", "--role", "inspector"]);
    let mut add = Process::start(add.current_dir(folder.path()).stdin(Stdio::piped()));
    std::io::Write::write_all(&mut add.stdin(), b"402913\n").unwrap();
    assert!(add.ends().success());
    let mut twin = sabot(["twin", "keypad", "--stay"]);
    let _twin = Process::start(twin.arg(at("keypad")).arg("--keys").arg(at("keys.toml")));
    let until = std::time::Instant::now() + sabot_stall_guard::PATIENCE;
    while !(at("keypad").exists() && at("keys.toml").exists()) {
        assert!(std::time::Instant::now() < until, "the twin is not there");
    }
    let text = "table = \"T-1\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100 }\nlisten = \"127.0.0.1:0\"\n\
                journal = \"record\"\njournal_key = \"record.key\"\nstaff = \"staff.toml\"\ntls = \"tls\"\n\
                [[webhook]]\nname = \"w\"\nurl = \"http://127.0.0.1:1/?token=hush7\"\nsecret = \"w.secret\"\n\
                [[device]]\nrole = \"keypad\"\nport = \"keypad\"\n";
    fs::write(at("station.toml"), text).unwrap();
    fs::write(at("w.secret"), "0".repeat(32)).unwrap();
    fs::set_permissions(at("w.secret"), fs::Permissions::from_mode(0o600)).unwrap();
    let (_running, address) = station(&at("station.toml"), "info");
    fs::write(at("station.toml"), text.replace("127.0.0.1:0", &address)).unwrap();
    crate::check::until_fine(&at("station.toml"));
    // somebody has pasted every secret there is into the log
    let files = ["record.key", "keys.toml", "staff.toml", "tls/station.key"];
    let secrets: String = files.map(|file| fs::read_to_string(at(file)).unwrap()).concat();
    fs::write(at("pasted"), format!("before\n{secrets}\nafter\n")).unwrap();
    let archive = at("support.tar.gz");
    let mut support = sabot(["support"]);
    let packed = run(support.arg(at("station.toml")).arg(&archive).arg("--log").arg(at("pasted")));
    assert_eq!((packed.status, packed.out.trim()), (0, archive.to_str().unwrap()), "{}", packed.err);
    assert_eq!(fs::metadata(&archive).unwrap().permissions().mode() & 0o777, 0o600);
    let all = run(Command::new("tar").args(["--extract", "--gzip", "--to-stdout", "--file"]).arg(&archive)).out;
    for part in
        ["sabot 0.", "\nsala-8 ", "table = \"T-1\"", "ok    disk", "sabot_device_up{", "\nbefore\n", "\nafter\n"]
    {
        assert!(all.contains(part), "{part} is not in\n{all}");
    }
    let long = |word: &&str| word.len() >= 16 && !word.starts_with("-----");
    let words: Vec<&str> = secrets.split([' ', '\n', '"', '-']).filter(long).collect();
    assert!(words.len() > 4, "{words:?}");
    for word in words.into_iter().chain(["402913", "PRIVATE+KEY", "hush7"]) {
        assert!(!all.contains(word), "{word} is in the archive");
    }
    // a file that is there stays
    let again = run(sabot(["support"]).arg(at("station.toml")).arg(&archive));
    assert!(again.status == 1 && again.err.contains("= name another file"), "{}", again.err);
}
