//! What a station of the version before has written is read by this program, and goes on: a record of version 1 in
//! mid-shift with what stands beside it, its key, people, chips and configuration, as the program of commit 4f477f9b
//! left them in `version_before`.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::process::{Ended, Process, recorded, recorded_until, run, sabot, station};
use crate::reload::get;

/// The files that it left, but for the settings of its start.
const LEFT: [&str; 9] = [
    "BJ-07.key",
    "BJ-07.vkey",
    "cards.toml",
    "chips.jsonl",
    "record",
    "record.checkpoints",
    "record.synced",
    "staff.toml",
    "station.toml",
];
/// The folder of the settings of each start, which are called by their hashes.
const SETTINGS: &str = "record.settings";

/// A copy of the station's folder, which only its owner reads.
struct Left(tempfile::TempDir);

impl Left {
    fn copied() -> Self {
        let left = Self(tempfile::tempdir().unwrap());
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/version_before");
        fs::create_dir(left.path(SETTINGS)).unwrap();
        let settings = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/version_before/record.settings");
        let settings = fs::read_dir(settings).unwrap().map(|file| file.unwrap().file_name());
        let settings = settings.map(|name| format!("{SETTINGS}/{}", name.to_str().unwrap()));
        for name in LEFT.iter().map(|&name| name.to_owned()).chain(settings) {
            fs::copy(from.join(&name), left.path(&name)).unwrap();
            fs::set_permissions(left.path(&name), fs::Permissions::from_mode(0o600)).unwrap();
        }
        left
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn journal(&self, args: &[&str]) -> Ended {
        run(sabot([&["journal"], args].concat()).current_dir(self.0.path()).env("TMPDIR", self.0.path()))
    }
}

#[test]
fn a_record_of_the_version_before_verifies_and_what_is_answered_otherwise_today_is_told() {
    let left = Left::copied();
    let verified = left.journal(&["verify", "record", "--key", "BJ-07.vkey", "--closed"]);
    assert_eq!(verified.status, 0, "{}{}", verified.out, verified.err);
    assert!(verified.out.contains("signed by casino.example/BJ-07: lines 1 to 10"), "{}", verified.out);
    let compared = left.journal(&["compare", "record"]);
    // cards came out while chips were seen and none lay on the felt: C5 for this version, nothing for the one before
    assert_eq!(compared.status, 1, "{}{}", compared.out, compared.err);
    assert!(compared.out.contains("2 of lines 2 to 10 are answered otherwise"), "{}", compared.out);
    let told: Vec<_> = compared.out.lines().filter(|line| line.starts_with("line ")).collect();
    assert!(told.len() == 2 && told[0].starts_with("line 6, ") && told[1].starts_with("line 9, "), "{told:?}");
    assert_eq!(compared.out.matches("today:    finding C5 [-]").count(), 2, "{}", compared.out);
    assert_eq!(compared.out.matches("= another program: ").count(), 2, "{}", compared.out);
}

#[test]
fn a_station_goes_on_with_what_the_version_before_left_once_its_list_says_what_it_meant() {
    let left = Left::copied();
    let config = left.path("station.toml");
    let before = fs::read(left.path("record")).unwrap();
    // as the changelog says of this version: the list named nothing, and meant what no word stood for
    let refused = run(sabot(["run", "--config"]).arg(&config));
    assert!(refused.err.contains("observes [\"turns\",\"moves\",\"bets\"] there, [] here"), "{}", refused.err);
    assert_eq!(fs::read(left.path("record")).unwrap(), before, "nothing was written");
    let text = fs::read_to_string(&config).unwrap();
    let means = text.replace("observes = []", "observes = [\"turns\", \"moves\", \"bets\"]");
    assert_ne!(means, text);
    fs::write(&config, means).unwrap();
    let checked = run(sabot(["check"]).arg(&config)).out;
    for well in ["ok    configuration", "ok    record", "ok    keys", "ok    registry", "ok    staff"] {
        assert!(checked.lines().any(|line| line.starts_with(well)), "{well}: {checked}");
    }
    let mut twin = sabot(["twin", "scanner", "--stay", "--protocol", "lines", "--port"]);
    let mut twin = Process::start(twin.arg(left.path("scanner")).stdin(Stdio::piped()));
    let (mut running, address) = station(&config, "warn");
    let been = |status: &'static str| {
        move |lines: &[serde_json::Value]| lines[10..].iter().any(|line| line["status"] == status)
    };
    recorded_until(left.0.path(), "the scanner is there", |lines| lines.len() > 10 && been("online")(lines));
    writeln!(twin.stdin(), "scan KS-G2").unwrap();
    recorded_until(left.0.path(), "the shift goes on", |lines| lines.iter().any(|line| line["card"] == "KS"));
    // what was reported to the version before is on this one's pages, behind a finding that only this one has
    assert!(get(&address, "/findings/3?lang=en").contains("C17"));
    running.signal("-TERM");
    assert!(running.ends().success());
    let lines = recorded(&left.path("record"));
    let versions: Vec<&serde_json::Value> =
        lines.iter().filter(|line| line["ev"] == "table").map(|line| &line["v"]).collect();
    assert_eq!(versions, [1], "one record, in the version in which it was begun");
    assert!(fs::read(left.path("record")).unwrap().starts_with(&before));
    let verified = left.journal(&["verify", "record", "--key", "BJ-07.vkey", "--closed"]);
    assert_eq!(verified.status, 0, "{}{}", verified.out, verified.err);
}
