//! A new program beside the one that runs: what it answers otherwise, before it takes its place. A station's backup,
//! made and restored as its page says.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sabot_stall_guard::PATIENCE;

use crate::process::{Ended, Process, dealt, run, sabot, station};

/// A program that answers as this one does, changed by a command of sed.
fn other_program(folder: &Path, sed: &str) -> PathBuf {
    let (path, ours) = (folder.join("old-sabot"), env!("CARGO_BIN_EXE_sabot"));
    fs::write(&path, format!("#!/bin/sh\n{ours} \"$@\" >\"$0.said\" || exit\nsed '{sed}' \"$0.said\"\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn checked(old: &Path, record: &Path) -> Ended {
    run(sabot(["upgrade-check"]).arg(old).arg(record))
}

#[test]
fn a_new_program_tells_what_it_answers_otherwise_than_the_old_one_before_it_is_switched() {
    let folder = tempfile::tempdir().unwrap();
    dealt(folder.path(), &["--passes", "2", "--irregularity", "C7"]);
    let record = folder.path().join("record");
    let before = fs::read(&record).unwrap();
    let Ended { status, out, err } = checked(Path::new(env!("CARGO_BIN_EXE_sabot")), &record);
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.ends_with(" are answered alike, 0 otherwise\n") && out.lines().count() == 1, "{out}");
    // the old one found under another article, and missed one answer
    let Ended { status, out, .. } = checked(&other_program(folder.path(), "s/\"C7\"/\"C8\"/"), &record);
    assert_eq!(status, 1, "{out}");
    let line = out.lines().find(|line| line.starts_with("line ")).unwrap();
    let (minus, plus) = out.split_once(line).unwrap().1.split_once("\n+ ").unwrap();
    assert!(minus.contains("\n- ") && minus.contains("\"C8\"") && plus.contains("\"C7\""), "{out}");
    assert_eq!(fs::read(&record).unwrap(), before, "nothing is written");
    let gone = checked(&other_program(folder.path(), "/\"finding\"/d"), &record);
    assert!(gone.status == 1 && gone.out.contains("\n+ ") && !gone.out.contains("\n- "), "{}", gone.out);
}

#[test]
fn a_program_that_cannot_be_run_and_a_record_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    fs::write(&record, "{\"ev\":\"table\"}\n").unwrap();
    let ours = Path::new(env!("CARGO_BIN_EXE_sabot"));
    let Ended { status, err, .. } = checked(&folder.path().join("none"), &record);
    assert!(status == 2 && err.contains("none: ") && err.contains("  = name a program"), "{err}");
    let Ended { status, err, .. } = checked(ours, &record);
    assert!(status == 2 && err.contains("sabot replay: "), "{err}");
    // it says something else for ever
    let endless = folder.path().join("endless");
    fs::write(&endless, "#!/bin/sh\nexec yes\n").unwrap();
    fs::set_permissions(&endless, fs::Permissions::from_mode(0o755)).unwrap();
    let Ended { status, err, .. } = checked(&endless, &record);
    assert!(status == 2 && err.contains("` is no answer\n  = name a program"), "{err}");
}

/// The commands of docs/upgrade.md that begin so, for a root of one's own.
fn commands_of_the_page(root: &Path, begins: &str) -> Vec<String> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/upgrade.md")).unwrap();
    let lines = page.lines().filter_map(|line| line.strip_prefix("sudo ").filter(|line| line.starts_with(begins)));
    let here = |line: &str| line.replace("--directory /", &format!("--directory {}", root.display()));
    lines.map(here).collect()
}

#[test]
fn a_station_is_backed_up_in_mid_shift_and_restored_as_the_page_says() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    let (etc, lib) = (root.join("etc/sabot"), root.join("var/lib/sabot"));
    fs::create_dir_all(&etc).unwrap();
    fs::create_dir_all(&lib).unwrap();
    assert_eq!(run(sabot(["journal", "key", "--name", "T-1"]).arg(lib.join("T-1.key"))).status, 0);
    let config = etc.join("station.toml");
    let own = |name: &str| lib.join(name).display().to_string();
    let text = format!(
        "table = \"T-1\"\nregulation = \"sala-8\"\nlimits = {{ min = 1, max = 100000000 }}\nlisten = \"127.0.0.1:0\"\n\
         journal = \"{}\"\njournal_key = \"{}\"\nkeys = \"{}\"\n[[device]]\nrole = \"shoe\"\nport = \"{}\"\n",
        own("record"),
        own("T-1.key"),
        own("keys.toml"),
        own("shoe")
    );
    fs::write(&config, text).unwrap();
    let mut twin = sabot(["twin", "shoe", "--stay"]);
    let twin = twin.arg(lib.join("shoe")).arg("--keys").arg(lib.join("keys.toml")).stdin(Stdio::piped());
    let mut twin = Process::start(twin);
    let mut shoe = twin.stdin();
    let record = || fs::read_to_string(lib.join("record")).unwrap_or_default();
    let until = |what: &str, so: &dyn Fn(&str) -> bool| {
        let until = Instant::now() + PATIENCE;
        while !so(&record()) {
            assert!(Instant::now() < until, "still not so: {what}\n{}", record());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let (mut running, _) = station(&config, "warn");
    writeln!(shoe, "{{\"Shoe\":{{\"Loaded\":{{\"cards\":416,\"cut_card\":52}}}}}}\n{{\"Shoe\":{{\"Drawn\":\"KS\"}}}}")
        .unwrap();
    until("the first card is recorded", &|record| record.contains("\"KS\""));
    let shell = |command: &str| run(Command::new("sh").args(["-c", command]).current_dir(folder.path()));
    let [backup] = commands_of_the_page(&root, "tar --create").try_into().unwrap();
    let backed = record();
    assert_eq!(shell(&backup).status, 0, "{backup}");
    // the machine is lost: what the record has more than the backup is lost with it
    running.kill();
    fs::remove_file(lib.join("record")).unwrap();
    fs::remove_file(&config).unwrap();
    let [restore] = commands_of_the_page(&root, "tar --extract").try_into().unwrap();
    let restored = shell(&restore);
    assert_eq!(restored.status, 0, "{restore}: {}", restored.err);
    assert!(record().starts_with(&backed), "the backup has what was recorded before it");
    let checked = run(sabot(["check"]).arg(&config));
    assert!(!checked.out.contains("WRONG record") && !checked.out.contains("WRONG conf"), "{}", checked.out);
    let (mut running, _) = station(&config, "warn");
    writeln!(shoe, "{{\"Shoe\":{{\"Drawn\":\"7D\"}}}}").unwrap();
    until("the shift goes on", &|record| record.contains("\"7D\""));
    running.signal("-TERM");
    assert!(running.ends().success());
    let mut verify = sabot(["journal", "verify"]);
    let verified = run(verify.arg(lib.join("record")));
    assert_eq!(verified.status, 0, "{}{}", verified.out, verified.err);
}
