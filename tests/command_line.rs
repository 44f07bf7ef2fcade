//! The `sabot` command as its user meets it: what it prints, and its exit status.
#![allow(clippy::unwrap_used)] // a test may

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn sabot(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sabot")).args(args).output().unwrap()
}

fn error_of(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
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
        let mut child = Command::new(env!("CARGO_BIN_EXE_sabot"))
            .args(["run", "--config", &config])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = out.next().unwrap().unwrap();
        assert!(line.starts_with("table BJ-07: http://127.0.0.1:"), "{line}");
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert!(child.wait().unwrap().success(), "{signal}");
        assert!(out.next().is_none(), "one line and no more");
    }
    let record = folder.path().join("BJ-07.jsonl");
    let verified = sabot(&["journal", "verify", record.to_str().unwrap()]);
    assert!(verified.status.success(), "{}", error_of(&verified));
    assert!(String::from_utf8(verified.stdout).unwrap().contains("the chain holds; last chain "));
    assert!(sabot(&["replay", record.to_str().unwrap()]).status.success());
}

#[test]
fn a_configuration_mistake_ends_run_with_status_2_and_says_where_and_what_instead() {
    let folder = tempfile::tempdir().unwrap();
    let config = configured(folder.path());
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replacen("port =", "prot =", 1)).unwrap();
    let output = sabot(&["run", "--config", &config]);
    assert_eq!(output.status.code(), Some(2));
    let error = error_of(&output);
    assert!(error.starts_with(&format!("sabot run: {config}:")), "{error}");
    assert!(error.contains("unknown key `prot`") && error.contains("write `port`"), "{error}");
    assert!(output.stdout.is_empty());
    assert_eq!(sabot(&["run", "--config", "/nowhere.toml"]).status.code(), Some(2));
}

#[test]
fn a_page_that_cannot_be_served_names_its_address_and_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = sabot(&["run", "--config", &configured(folder.path()), "--listen", &address]);
    assert_eq!(output.status.code(), Some(1));
    let error = error_of(&output);
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
        assert_eq!(output.status.code(), Some(1));
        assert!(error_of(&output).contains("line 1: no chain"), "{}", error_of(&output));
    }
    assert_eq!(sabot(&["journal", "verify", "/nowhere.jsonl"]).status.code(), Some(2));
}

#[test]
fn every_subcommand_and_option_explains_itself() {
    for args in [&["--help"][..], &["run", "--help"], &["journal", "--help"], &["journal", "verify", "--help"]] {
        let help = String::from_utf8(sabot(args).stdout).unwrap();
        assert!(help.contains("Usage: sabot"), "{help}");
        let lines: Vec<&str> = help.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            if line.trim_start().starts_with("--") || line.trim_start().starts_with("-c,") {
                let here = line.trim().split("  ").count() > 1;
                assert!(here || lines.get(at + 1).is_some_and(|next| !next.trim().is_empty()), "{line} in {help}");
            }
        }
    }
}
