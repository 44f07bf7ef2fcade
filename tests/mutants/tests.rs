//! The faults that are found in a small crate, and which of them its tests catch.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::Command;

const LIBRARY: &str = r#"
pub const fn most() -> u32 { 7 }
const MOST: u32 = most();

pub fn is_allowed(amount: u32, is_open: bool) -> bool {
    is_open && amount <= MOST
}

pub fn paid(amounts: &[u32]) -> u32 {
    let mut all = 0;
    for amount in amounts {
        all += amount;
    }
    all
}

pub fn name(rank: u32) -> &'static str {
    match rank {
        1 => "ace",
        _ => "pip",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_and_little_is_allowed() {
        assert!(is_allowed(3, true) && !is_allowed(3, false) && !is_allowed(8, true));
    }

    #[test]
    fn all_is_paid() {
        assert_eq!(paid(&[1, 2]), 3);
    }
}
"#;

fn written(folder: &Path, file: &str, text: &str) {
    std::fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
    std::fs::write(folder.join(file), text).unwrap();
}

/// The small crate, in which some faults are explained.
fn small(explained: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    written(folder.path(), "src/lib.rs", LIBRARY);
    written(folder.path(), "Cargo.toml", "[package]\nname = \"small\"\nedition = \"2024\"\n[workspace]\n");
    written(folder.path(), ".gitignore", "target\n");
    written(folder.path(), "tests/mutants/explained.txt", explained);
    let git = Command::new("git").current_dir(folder.path()).args(["init", "--quiet"]).status().unwrap();
    assert!(git.success());
    folder
}

/// What is told on standard output and standard error, and with which code it ends.
fn mutants(folder: &Path, options: &[&str]) -> (String, String, Option<i32>) {
    let mut mutants = Command::new(env!("CARGO_BIN_EXE_mutants"));
    let told = mutants.current_dir(folder).arg("small").args(options).output().unwrap();
    (String::from_utf8(told.stdout).unwrap(), String::from_utf8(told.stderr).unwrap(), told.status.code())
}

#[test]
fn a_fault_that_no_test_notices_is_named_and_all_others_are_caught() {
    let folder = small("");
    let (text, errors, code) = mutants(folder.path(), &[]);
    let mut missed: Vec<&str> = text.lines().filter(|line| line.contains("src/lib.rs")).collect();
    missed.sort_unstable();
    assert_eq!(
        missed,
        [
            "MISSED src/lib.rs:6:16 is_allowed: `amount <= MOST` with < for <=",
            "NO TEST COMES TO src/lib.rs:17:8 name: gives back `\"\"`",
            "NO TEST COMES TO src/lib.rs:19:9 name: without the arm `1`",
        ],
        "{text}{errors}"
    );
    let counted = "11 faults: 8 caught, 0 without an end, 0 explained, 1 missed, 2 where no test comes";
    assert!(text.contains(counted), "{text}");
    assert_eq!(code, Some(2));
    explained_faults_are_not_missed(folder.path());
}

/// Goes on in a folder where all is built.
fn explained_faults_are_not_missed(folder: &Path) {
    let all = "# a remark
src/lib.rs
is_allowed: `amount <= MOST` with <
    the most is never bet
name:
    a word for people
";
    written(folder, "tests/mutants/explained.txt", all);
    let (text, errors, code) = mutants(folder, &[]);
    assert!(text.contains("8 caught, 0 without an end, 3 explained, 0 missed, 0 where"), "{text}{errors}");
    assert_eq!(code, Some(0), "{text}{errors}");

    written(
        folder,
        "tests/mutants/explained.txt",
        "src/lib.rs
name:
    a word for people
paid: gives back `0`
    a test notices that
is_paid:
    there is no such function
src/other.rs
unknown:
    no such file
elsewhere/lib.rs
unknown:
    another crate
",
    );
    let idle = |options: &[&str]| {
        let (text, _, code) = mutants(folder, options);
        let idle = text.lines().filter_map(|line| line.strip_prefix("EXPLAINS NOTHING tests/mutants/explained.txt:"));
        (idle.map(String::from).collect::<Vec<_>>(), code)
    };
    let gone = ["6 src/lib.rs is_paid:", "9 src/other.rs unknown:"];
    let (told, code) = idle(&[]);
    assert_eq!(
        (&told[..1], &told[1..]),
        (&["4 src/lib.rs paid: gives back `0`".to_string()][..], &gone.map(String::from)[..])
    );
    assert_eq!(code, Some(2), "one is missed");
    // the first fault alone: the function that gives back 0 was not tried
    assert_eq!(idle(&["--most", "1"]).0, gone);
}

#[test]
fn an_explanation_that_cannot_be_read_is_told_with_its_line() {
    for (text, why) in [
        ("src/lib.rs\nname:\nis_allowed:\n    why\n", "2: the reason is missing"),
        ("src/lib.rs\nname:\n", "2: the reason is missing"),
        ("name:\n    why\n", "1: the file's name is missing"),
        ("src/lib.rs\n    why\n", "2: a reason belongs"),
        ("src/lib.rs\nname:\n    why\n    and why\n", "4: a reason belongs"),
        ("src/lib.rs\nname:\n    why\nname:\n    why\n", "4: this stands above already"),
    ] {
        let (told, errors, code) = mutants(small(text).path(), &[]);
        assert!(errors.starts_with(&format!("mutants: tests/mutants/explained.txt:{why}")), "{told}{errors}");
        assert_eq!(code, Some(1));
    }
}
