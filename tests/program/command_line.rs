//! The `sabot` command as its user meets it: what it prints, and its exit status.
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::process::{self, Ended, Process, run};

fn sabot(args: &[&str]) -> Ended {
    run(&mut process::sabot(args))
}

/// A station, and the line that it prints first.
fn station(config: &str) -> (Process, impl Iterator<Item = String>, String) {
    let mut station = Process::start(process::sabot(["run", "--config", config]).stdout(Stdio::piped()));
    let mut lines = station.lines();
    let first = lines.next().unwrap();
    (station, lines, first)
}

/// A configuration whose devices are not there, and whose page gets any free port.
fn configured(folder: &Path) -> String {
    let example = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/station.toml")).unwrap();
    let path = folder.join("station.toml");
    std::fs::write(&path, example.replace("127.0.0.1:8080", "127.0.0.1:0")).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn run_prints_the_pages_address_and_ends_cleanly_at_ctrl_c_and_its_record_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let config = configured(folder.path());
    for signal in ["-INT", "-TERM"] {
        let (mut station, mut more, line) = station(&config);
        assert!(line.starts_with("table BJ-07: http://127.0.0.1:"), "{line}");
        station.signal(signal);
        assert!(station.ends().success(), "{signal}");
        assert!(more.next().is_none(), "one line and no more");
    }
    let record = folder.path().join("BJ-07.jsonl");
    let verified = sabot(&["journal", "verify", record.to_str().unwrap()]);
    assert_eq!(verified.status, 0, "{}", verified.err);
    assert!(verified.out.contains("the chain holds; last chain "));
    assert!(sabot(&["replay", record.to_str().unwrap()]).status == 0);
}

#[test]
fn a_configuration_mistake_ends_run_with_status_2_and_says_where_and_what_instead() {
    let folder = tempfile::tempdir().unwrap();
    let config = configured(folder.path());
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replacen("port =", "prot =", 1)).unwrap();
    let output = sabot(&["run", "--config", &config]);
    assert_eq!(output.status, 2);
    let error = output.err;
    assert!(error.starts_with(&format!("sabot run: {config}:")), "{error}");
    assert!(error.contains("unknown key `prot`") && error.contains("write `port`"), "{error}");
    assert!(output.out.is_empty());
    assert_eq!(sabot(&["run", "--config", "/nowhere.toml"]).status, 2);
}

#[test]
fn a_page_that_cannot_be_served_names_its_address_and_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = sabot(&["run", "--config", &configured(folder.path()), "--listen", &address]);
    assert_eq!(output.status, 1);
    let error = output.err;
    assert!(error.contains(&address) && error.contains("--listen"), "{error}");
}

#[test]
fn a_changed_record_is_refused_by_verify_and_by_run_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let config = configured(folder.path());
    let record = folder.path().join("BJ-07.jsonl");
    std::fs::write(&record, "{\"ev\":\"table\"}\n").unwrap();
    for args in [&["journal", "verify", record.to_str().unwrap()][..], &["run", "--config", &config]] {
        let output = sabot(args);
        assert_eq!(output.status, 1);
        assert!(output.err.contains("line 1: no chain"), "{}", output.err);
    }
    assert_eq!(sabot(&["journal", "verify", "/nowhere.jsonl"]).status, 2);
}

/// Subcommands whose help has an example and tells the exit status.
const WITH_EXAMPLE: &[&str] = &[
    "demo",
    "run",
    "replay",
    "journal verify",
    "journal key",
    "journal checkpoint",
    "journal prove",
    "journal check-proof",
    "journal witness",
    "simulate",
    "score",
    "twin",
    "chips import",
    "deck learn",
    "decks import",
    "decks list",
    "devices",
    "commission",
    "twin patlite",
    "twin pole",
    "twin scanner",
];

/// Those whose help has none: what leads to others, and twins that are told by their group.
const OTHERS: &[&str] = &[
    "",
    "journal",
    "regulation",
    "regulation list",
    "regulation show",
    "regulation settings",
    "chips",
    "deck",
    "decks",
    "twin camera",
];

#[test]
fn every_subcommand_and_option_explains_itself() {
    for command in WITH_EXAMPLE.iter().chain(OTHERS) {
        let args: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let help = sabot(&args[..]).out;
        assert!(help.contains("Usage: sabot"), "{help}");
        if WITH_EXAMPLE.contains(command) {
            assert!(help.contains(&format!("\nExample: sabot {command} ")), "{help}");
            assert!(help.contains("Exit status: "), "{help}");
        }
        let lines: Vec<&str> = help.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            if line.trim_start().starts_with("--") || line.trim_start().starts_with("-c,") {
                let here = line.trim().split("  ").count() > 1;
                assert!(here || lines.get(at + 1).is_some_and(|next| !next.trim().is_empty()), "{line} in {help}");
            }
        }
    }
}

#[test]
fn every_observation_the_documentation_types_at_a_twin_is_one_its_device_sees() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/drivers.md")).unwrap();
    let blocks = text.split("```observations\n").skip(1).map(|block| block.split("```").next().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut roles = std::collections::BTreeMap::<&str, String>::new();
    for line in blocks.flat_map(str::lines) {
        let (role, observation) = line.split_once(char::is_whitespace).unwrap();
        roles.entry(role).or_default().push_str(&format!("{}\n", observation.trim()));
    }
    assert_eq!(roles.keys().copied().collect::<Vec<_>>(), ["chips", "keypad", "shoe", "shuffler"]);
    for (role, lines) in roles {
        let mut twin = twin(folder.path(), role);
        let mut told = twin.error_lines();
        assert!(told.next().unwrap().starts_with(&format!("the {role} twin is at ")));
        let mut stdin = twin.stdin();
        // the mistake at the end is complained of only after all lines before it
        stdin.write_all(format!("{lines}mistake\n").as_bytes()).unwrap();
        let complaint = told.next().unwrap();
        assert!(complaint.contains(&format!("line {}: ", lines.lines().count() + 1)), "{complaint}");
        assert!(folder.path().join(role).is_symlink());
        twin.signal("-INT");
        assert_eq!(twin.ends().code(), Some(1), "what nobody took is said to be lost");
        assert!(told.next().unwrap().contains("before the host had acknowledged"));
        assert!(!folder.path().join(role).is_symlink(), "the link is gone with the twin");
    }
}

fn twin(folder: &Path, role: &str) -> Process {
    let mut twin = process::sabot(["twin", role, folder.join(role).to_str().unwrap(), "--stay"]);
    Process::start(twin.stdin(Stdio::piped()).stderr(Stdio::piped()))
}

#[test]
fn a_twin_that_saw_nothing_ends_well_at_every_signal_and_leaves_no_link() {
    let folder = tempfile::tempdir().unwrap();
    for signal in ["-INT", "-TERM", "-HUP"] {
        let mut twin = twin(folder.path(), "display");
        let mut told = twin.error_lines();
        told.next().unwrap();
        twin.signal(signal);
        assert!(twin.ends().success(), "{signal}");
        assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "{signal}");
    }
}

#[test]
fn a_log_is_read_whatever_its_line_ends_and_refused_with_a_way_out_when_it_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let good =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/logs/worked-example.jsonl")).unwrap();
    let replay = |bytes: &[u8], args: &[&str]| {
        let path = folder.path().join("log");
        std::fs::write(&path, bytes).unwrap();
        sabot(&[&["replay", path.to_str().unwrap()], args].concat())
    };
    let answers = replay(&good, &[]);
    assert_eq!(answers.status, 0);
    let carriage = String::from_utf8(good.clone()).unwrap().replace('\n', "\r\n");
    assert_eq!(replay(carriage.as_bytes(), &[]).out, answers.out);
    for (bytes, words) in [
        (&[b"\xEF\xBB\xBF", &good[..]].concat()[..], "line 1: it begins with a byte order mark"),
        (b"", "line 1: no header"),
        (b"\0\0\0\n", "line 1: "),
        (b"{\"ev\":\"end\"}\n", "line 1: field `ev`: no header"),
        (&[&good[..], b"{\"ev\":\"report\",\"by\":\"\xff\"}\n"].concat()[..], "line 31: field `by`: no UTF-8 text"),
        (&[&good[..], b"{\"ev\":\"draw\",\"card\""].concat()[..], "line 31: field `card`: the line ends too soon"),
    ] {
        let output = replay(bytes, &[]);
        assert_eq!(output.status, 2, "{words}");
        assert!(output.err.contains(words), "{words}: {}", output.err);
    }
    let output = replay(&good, &["--settings", "/nowhere.toml"]);
    assert_eq!(output.status, 2);
    assert!(output.err.starts_with("sabot replay: --settings: /nowhere.toml: "), "{}", output.err);
    for path in [folder.path().to_str().unwrap(), "/nowhere.jsonl"] {
        assert_eq!(sabot(&["replay", path]).status, 2);
    }
}

#[test]
fn a_record_of_another_table_is_refused_with_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    let config = configured(folder.path());
    let record = folder.path().join("BJ-07.jsonl");
    let (mut station, _lines, _) = station(&config);
    while std::fs::read(&record).map_or(true, |bytes| !bytes.contains(&b'\n')) {
        std::thread::yield_now();
    }
    station.signal("-INT");
    assert!(station.ends().success());
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replacen("min = 50000", "min = 60000", 1)).unwrap();
    let output = sabot(&["run", "--config", &config]);
    assert_eq!(output.status, 1);
    let error = output.err;
    let (there, here) = error.split_once(" there, ").unwrap();
    assert!(there.contains("limits {") && there.contains("50000"), "{error}");
    assert!(here.contains("60000"), "{error}");
    assert!(!error.contains("boxes"), "what is the same is not told: {error}");
}

#[test]
fn a_file_of_settings_overrides_the_header_and_a_mistake_in_it_names_line_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let (log, good, bad) =
        (folder.path().join("log.jsonl"), folder.path().join("good.toml"), folder.path().join("bad.toml"));
    let header = r#"{"ev":"table","v":1,"table":"T","regulation":"sala-8","boxes":3,"limits":{"max":9}}"#;
    std::fs::write(&log, format!("{header}\n{}\n", r#"{"ev":"cut","depth":55,"by":"P1"}"#)).unwrap();
    std::fs::write(&good, "cut_deeper_than = 60\n").unwrap();
    std::fs::write(&bad, "min_decks = 8\ncut_deper_than = 60\n").unwrap();
    let replay = |settings: &std::path::Path| {
        run(process::sabot(["replay", "--strict"]).arg(&log).arg("--settings").arg(settings))
    };
    assert_eq!(replay(&good).status, 1, "a cut at 55 is not deeper than 60");
    let refused = replay(&bad);
    let words = &refused.err;
    assert_eq!(refused.status, 2);
    assert!(
        words.contains("bad.toml:2:1: unknown key `cut_deper_than`") && words.contains("cut_deeper_than"),
        "{words}"
    );
}

/// A mistake that a command tells where nobody is left to read it. With panics its status would be another.
#[test]
fn a_mistake_that_nobody_reads_ends_a_command_as_one_that_is_read() {
    for args in [&["run", "--config", "/nowhere.toml"][..], &["replay", "/nowhere.jsonl"], &["check", "/nowhere.toml"]]
    {
        let (reads, writes) = std::io::pipe().unwrap();
        drop(reads);
        let heard = sabot(args).status;
        let unheard = process::sabot(args).stdout(Stdio::null()).stderr(writes).status().unwrap();
        assert_eq!((unheard.code(), heard), (Some(2), 2), "{args:?}");
    }
}

#[test]
fn help_says_first_what_the_program_is() {
    let help = run(&mut process::sabot(["--help"]));
    assert!(help.out.starts_with("The controller of a dealer's station at a blackjack table"), "{}", help.out);
}
