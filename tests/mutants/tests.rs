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

#[test]
fn a_fault_that_no_test_notices_is_named_and_all_others_are_caught() {
    let folder = tempfile::tempdir().unwrap();
    written(folder.path(), "src/lib.rs", LIBRARY);
    written(folder.path(), "Cargo.toml", "[package]\nname = \"small\"\nedition = \"2024\"\n[workspace]\n");
    written(folder.path(), ".gitignore", "target\n");
    let git = Command::new("git").current_dir(folder.path()).args(["init", "--quiet"]).status().unwrap();
    assert!(git.success());
    let told = Command::new(env!("CARGO_BIN_EXE_mutants")).current_dir(folder.path()).arg("small").output().unwrap();
    let (text, errors) = (String::from_utf8(told.stdout).unwrap(), String::from_utf8(told.stderr).unwrap());
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
    assert!(text.contains("11 faults: 8 caught, 0 without an end, 1 missed, 2 where no test comes"), "{text}");
    assert_eq!(told.status.code(), Some(2));
}
