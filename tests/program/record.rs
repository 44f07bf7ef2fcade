//! A signed record as its users have it: keys, a table that is dealt, verification, proofs and a witness, by the
//! program alone; and a verifier in another language, with libraries that are not ours.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sabot_stall_guard::PATIENCE;
use tempfile::TempDir;

use crate::process::{Ended, Process, dealt, run, sabot};

/// A table that was dealt and signed, with the files that belong to it.
struct Signed(TempDir);

impl Signed {
    fn new() -> Self {
        let signed = Self(tempfile::tempdir().unwrap());
        signed.key(&["key", "--name", "casino.example/BJ-07"], "vkey");
        dealt(signed.0.path(), &["--passes", "3", "--journal-key", "key"]);
        fs::create_dir(signed.path("stick")).unwrap();
        signed
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn sabot(&self, args: &[&str]) -> Ended {
        run(sabot(args).current_dir(self.0.path()).env("TMPDIR", self.0.path()))
    }

    fn journal(&self, args: &[&str]) -> Ended {
        self.sabot(&[&["journal"], args].concat())
    }

    /// Prints a public key into a file.
    fn key(&self, args: &[&str], to: &str) {
        let made = self.journal(&[&["key"], args].concat());
        assert_eq!((made.status, made.err.as_str()), (0, ""));
        fs::write(self.path(to), made.out).unwrap();
    }

    fn verify(&self, args: &[&str]) -> Ended {
        self.journal(&[&["verify", "record", "--key", "vkey"], args].concat())
    }

    fn witness(&self) {
        let seen = self.journal(&["witness", "record", "stick", "--key", "vkey", "--name", "stick-1"]);
        assert_eq!(seen.status, 0, "{}", seen.err);
        assert!(seen.out.contains("stick-1 has cosigned") && seen.out.contains("for the first time"), "{}", seen.out);
        self.key(&["stick/witness.key"], "stick.vkey");
    }

    fn check_proof(&self, line: &str, args: &[&str]) -> Ended {
        let path = self.path("line");
        fs::write(&path, line).unwrap();
        let mut check = sabot([&["journal", "check-proof", "proof", "--key", "vkey"], args].concat());
        run(check.current_dir(self.0.path()).stdin(File::open(path).unwrap()))
    }
}

/// Whoever reads a command's text may have had enough: it ends as if all had been read, and says nothing of it.
#[test]
fn a_command_whose_text_nobody_reads_ends_quietly() {
    let signed = Signed::new();
    fs::write(signed.path("staff.toml"), "").unwrap();
    fs::write(signed.path("decks.csv"), "uid,deck,card\nE004015000000001,A,2C\n").unwrap();
    let said: [&[&str]; 17] = [
        &["journal", "key", "key"],
        &["journal", "witness", "record", "stick", "--key", "vkey", "--name", "stick-1"],
        &["journal", "verify", "record"],
        &["journal", "verify", "record", "--key", "vkey"],
        &["journal", "checkpoint", "record"],
        &["journal", "prove", "record", "4"],
        &["journal", "days", "record"],
        &["journal", "show", "record", "1"],
        &["journal", "export", "passes", "record"],
        &["staff", "check", "staff.toml"],
        &["decks", "import", "decks.csv", "--registry", "decks.jsonl"],
        &["decks", "list", "--registry", "decks.jsonl"],
        &["tls", "make", "tls", "--for", "t-1.example"],
        &["replay", "record"],
        &["regulation", "list"],
        &["faults", "--passes", "2"],
        &["simulate", "--passes", "2", "--log", "-"],
    ];
    for args in said {
        let (_, unread) = std::io::pipe().unwrap();
        let mut command = sabot(args);
        let command = command.current_dir(signed.0.path()).stdout(unread).stderr(Stdio::piped());
        let ended = command.output().unwrap();
        let error = String::from_utf8(ended.stderr).unwrap();
        assert!(!error.contains("panicked") && !error.contains("Broken pipe"), "{args:?}: {error}");
        // a deck of one card is not whole
        assert_eq!(ended.status.code(), Some(i32::from(args[..2] == ["decks", "list"])), "{args:?}: {error}");
    }
}

#[test]
fn a_table_is_dealt_signed_verified_witnessed_and_a_line_of_it_proven() {
    let signed = Signed::new();
    let verified = signed.verify(&["--closed"]);
    assert_eq!(verified.status, 0, "{}", verified.err);
    assert!(verified.out.contains("signed by casino.example/BJ-07: lines 1 to "), "{}", verified.out);
    let unseen = signed.verify(&["--witness", "vkey"]);
    assert_eq!(unseen.status, 1, "nobody has seen it");

    signed.witness();
    let verified = signed.verify(&["--closed", "--witness", "stick.vkey"]);
    assert_eq!(verified.status, 0, "{}", verified.err);
    assert!(verified.out.contains("seen by stick-1: lines 1 to "), "{}", verified.out);
    let again = signed.journal(&["witness", "record", "stick", "--key", "vkey"]);
    assert!(again.out.contains("lines seen before"), "{}{}", again.out, again.err);

    let record = fs::read_to_string(signed.path("record")).unwrap();
    for witnessed in [&[][..], &["--witnessed"]] {
        let proof = signed.journal(&[&["prove", "record", "4"], witnessed].concat());
        assert_eq!(proof.status, 0, "{}", proof.err);
        fs::write(signed.path("proof"), proof.out).unwrap();
        let held = signed.check_proof(record.lines().nth(3).unwrap(), &[]);
        assert!(held.out.starts_with("this is line 4 of the record casino.example/BJ-07/"), "{}{}", held.out, held.err);
        assert_eq!(signed.check_proof(record.lines().nth(4).unwrap(), &[]).status, 1, "another line");
        let by_witness = signed.check_proof(record.lines().nth(3).unwrap(), &["--witness", "stick.vkey"]);
        assert_eq!(by_witness.status, if witnessed.is_empty() { 1 } else { 0 }, "{}", by_witness.err);
    }
    let beyond = signed.journal(&["prove", "record", "999999"]);
    assert!(beyond.status == 1 && beyond.err.contains("no checkpoint that covers line 999999"), "{}", beyond.err);

    let checkpoint = signed.journal(&["checkpoint", "record"]);
    fs::write(signed.path("noted"), checkpoint.out).unwrap();
    assert_eq!(signed.verify(&["--checkpoints", "noted"]).status, 0);
    let none = signed.verify(&["--checkpoints", "nowhere"]);
    assert!(none.status == 2 && none.err.contains("nowhere"), "{}", none.err);
}

#[test]
fn a_signed_record_that_was_cut_or_rewritten_is_refused_with_its_lines() {
    let signed = Signed::new();
    signed.witness();
    let record = fs::read_to_string(signed.path("record")).unwrap();
    let half: String = record.split_inclusive('\n').take(20).collect();
    fs::write(signed.path("record"), half).unwrap();
    let cut = signed.verify(&[]);
    assert_eq!(cut.status, 1);
    assert!(cut.err.contains("the record ends at line 20: lines were removed at its end"), "{}", cut.err);
    assert_eq!(signed.journal(&["verify", "record"]).status, 0, "the chain alone does not show it");
    let seen = signed.journal(&["witness", "record", "stick", "--key", "vkey"]);
    assert!(seen.status == 1 && seen.err.contains("A FORK") | seen.err.contains("do not lead"), "{}", seen.err);
}

#[test]
fn the_private_key_is_written_once_for_its_owner_and_never_shown() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let key = |args: &[&str]| run(sabot([&["journal", "key", "key"], args].concat()).current_dir(folder.path()));
    let made = key(&["--name", "a"]);
    let path = folder.path().join("key");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let secret = fs::read_to_string(&path).unwrap();
    let secret = secret.trim().splitn(5, '+').nth(4).unwrap();
    assert!(!made.out.contains(secret) && made.out.starts_with("a+"), "{}", made.out);
    assert_eq!(key(&[]).out, made.out);
    let again = key(&["--name", "b"]);
    assert!(again.status == 1 && again.err.contains("exists"), "{}", again.err);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(key(&[]).err.contains("chmod 600"));
    assert!(run(sabot(["journal", "key", "x", "--name", "a b"]).current_dir(folder.path())).err.contains("no spaces"));
}

/// Where Debian puts them.
const GO_LIBRARIES: &str = "/usr/share/gocode";

/// Go's own verifier of checksum databases, where Go and its libraries are.
fn in_go(folder: &Path) -> Command {
    let mut go = Command::new("go");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/verifier/main.go");
    go.args(["run"]).arg(source).current_dir(folder).stdin(Stdio::null());
    go.env("GO111MODULE", "off").env("GOPATH", GO_LIBRARIES);
    go.env("GOCACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-cache"));
    go
}

#[test]
#[ignore = "needs golang-go and golang-golang-x-mod-dev"]
fn another_verifier_agrees_with_every_checkpoint_cosignature_and_proof() {
    let signed = Signed::new();
    signed.witness();
    let vkey = |name: &str| fs::read_to_string(signed.path(name)).unwrap().trim().to_owned();
    let mut checked = 0;
    let lines = fs::read_to_string(signed.path("record")).unwrap().lines().count();
    for line in [1, lines / 2, lines] {
        let proof = signed.journal(&["prove", "record", &line.to_string()]);
        fs::write(signed.path("proof"), proof.out).unwrap();
        let agreed = run(in_go(signed.0.path()).args(["record", &vkey("vkey"), &vkey("stick.vkey"), "proof"]));
        assert_eq!(agreed.status, 0, "{}", agreed.err);
        assert!(agreed.out.ends_with(&format!(" 1 cosigned, line {line} proven\n")), "{}", agreed.out);
        checked += 1;
    }
    assert_eq!(checked, 3);
    // and it sees what we say is wrong
    for (file, from, to) in
        [("record", "\"draw\"", "\"DRAW\""), ("record.checkpoints", "BJ-07/", "BJ-08/"), ("proof", "index ", "index 1")]
    {
        let whole = fs::read_to_string(signed.path(file)).unwrap();
        let changed = whole.replacen(from, to, 1);
        assert_ne!(changed, whole, "{file}");
        fs::write(signed.path(file), changed).unwrap();
        let refused = run(in_go(signed.0.path()).args(["record", &vkey("vkey"), &vkey("stick.vkey"), "proof"]));
        assert_ne!(refused.status, 0, "{file}: {}", refused.out);
        fs::write(signed.path(file), whole).unwrap();
    }
}

/// A station whose only device is not there.
const STATION: &str = r#"table = "T"
regulation = "talla"
limits = { min = 1, max = 9 }
journal = "record"
listen = "127.0.0.1:0"

[[device]]
role = "shoe"
port = "none"
"#;

/// What `sha256sum` says of a file.
fn sha256sum(path: &Path) -> String {
    let sum = run(Command::new("sha256sum").arg(path));
    assert_eq!(sum.status, 0, "{}", sum.err);
    sum.out.split(' ').next().unwrap().to_owned()
}

#[test]
fn a_record_tells_which_program_kept_it_by_which_settings_and_when() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("station.toml");
    // what is tried out stands in a record of its own
    let tried = format!("test_mode = true\n{}", STATION.replace("\"record\"", "\"tried\""));
    for (text, mode, record) in [(tried, " test-mode offices-claimed", "tried"), (STATION.to_owned(), "", "record")] {
        fs::write(&config, text).unwrap();
        let (mut station, _) = crate::process::station(&config, "warn");
        station.signal("-TERM");
        assert!(station.ends().success());
        let record = fs::read_to_string(folder.path().join(record)).unwrap();
        let of = |line: &str| -> serde_json::Value { serde_json::from_str(line).unwrap() };
        let own = record.lines().map(of).filter(|line| line["device"] == "station");
        let (shown, own): (Vec<_>, Vec<_>) = own.partition(|line| line["status"] == "verdict");
        assert!(!shown.is_empty(), "which face the page showed: {record}");
        let [.., start, stop] = own.as_slice() else { panic!("{record}") };
        assert_eq!((&start["status"], &stop["status"]), (&"start".into(), &"stop".into()), "{record}");
        let detail = start["detail"].as_str().unwrap();
        let begins = format!(
            "sabot {} program {} regulation ",
            env!("CARGO_PKG_VERSION"),
            sha256sum(Path::new(env!("CARGO_BIN_EXE_sabot")))
        );
        assert!(detail.starts_with(&begins), "{detail}");
        assert!(detail.contains(&format!(" settings {} zone UTC{mode} answers at 20", sha256sum(&config))), "{detail}");
        assert!(stop["detail"].as_str().unwrap().starts_with("at 20"), "{stop}");
    }
    let verified = run(sabot(["journal", "verify", "record"]).current_dir(folder.path()));
    assert!(verified.status == 0 && !verified.out.contains("to be known"), "{}{}", verified.out, verified.err);
    let replayed = run(sabot(["replay", "record"]).current_dir(folder.path()));
    assert_eq!((replayed.status, replayed.out.lines().count()), (0, 1), "the law answers its summary alone");
}

#[test]
fn what_is_tried_out_is_never_recorded_where_money_is_played_for_nor_the_other_way_round() {
    for (first, second, told) in [
        (STATION.to_owned(), format!("test_mode = true\n{STATION}"), "was begun without `test_mode`"),
        (format!("test_mode = true\n{STATION}"), STATION.to_owned(), "was begun with `test_mode`"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (config, record) = (folder.path().join("station.toml"), folder.path().join("record"));
        fs::write(&config, &first).unwrap();
        let (mut station, _) = crate::process::station(&config, "warn");
        station.signal("-TERM");
        assert!(station.ends().success());
        let before = fs::read(&record).unwrap();
        fs::write(&config, &second).unwrap();
        let refused = run(sabot(["run", "--config"]).arg(&config));
        assert_eq!(refused.status, 1, "{}", refused.err);
        assert!(refused.err.contains(told) && refused.err.contains("name another record"), "{}", refused.err);
        assert_eq!(fs::read(&record).unwrap(), before, "nothing of it is in the record");
    }
}

#[test]
fn a_station_whose_log_cannot_be_written_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("station.toml");
    fs::write(&config, STATION).unwrap();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut station = sabot(["run", "--config"]);
    station.arg(&config).env("RUST_LOG", "info").stdout(Stdio::piped()).stderr(full);
    let mut station = Process::start(&mut station);
    let serves = station.lines().next().unwrap();
    assert!(serves.contains("http://127.0.0.1:"), "{serves}");
    let record = || fs::read_to_string(folder.path().join("record")).unwrap_or_default();
    let began = Instant::now();
    while !record().contains("\"status\":\"start\"") {
        assert!(began.elapsed() < PATIENCE && station.0.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    station.signal("-TERM");
    assert_eq!(station.ends().code(), Some(0));
    assert!(record().contains("\"status\":\"stop\""));
}

#[test]
fn a_station_that_was_killed_is_told_by_verify() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("station.toml");
    fs::write(&config, STATION).unwrap();
    let record = folder.path().join("record");
    for _ in 0..2 {
        let before = fs::read_to_string(&record).unwrap_or_default().len();
        let (mut station, _) = crate::process::station(&config, "warn");
        let started = || fs::read_to_string(&record).unwrap_or_default()[before..].contains("\"status\":\"start\"");
        while !started() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        station.kill();
    }
    let verified = run(sabot(["journal", "verify", "record"]).current_dir(folder.path()));
    assert_eq!(verified.status, 0, "{}", verified.err);
    assert!(
        verified.out.contains("to be known: line ") && verified.out.contains("had not stopped"),
        "{}",
        verified.out
    );
}
