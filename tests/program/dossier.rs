//! The dossier of a finding: one page that stands alone, and its lines checked without the record.

use std::fs::{self, File};

use base64ct::{Base64, Encoding};
use tempfile::TempDir;

use crate::acts::Desk;
use crate::process::{Ended, dealt, run, sabot};

/// A signed record of a table at which C7 was broken in the first pass: finding 1.
pub(crate) struct Signed(pub(crate) TempDir);

impl Signed {
    pub(crate) fn new() -> Self {
        let signed = Self(tempfile::tempdir().unwrap());
        let key = signed.sabot(&["journal", "key", "key", "--name", "casino.example/BJ-07"]);
        fs::write(signed.0.path().join("vkey"), key.out).unwrap();
        dealt(signed.0.path(), &["--passes", "2", "--irregularity", "C7", "--journal-key", "key"]);
        signed
    }

    fn sabot(&self, args: &[&str]) -> Ended {
        run(sabot(args).current_dir(self.0.path()).env("TMPDIR", self.0.path()))
    }

    pub(crate) fn dossier(&self, args: &[&str]) -> Ended {
        self.sabot(&[&["journal", "dossier", "record"], args].concat())
    }

    pub(crate) fn report(&self, args: &[&str]) -> Ended {
        self.sabot(&[&["journal", "report", "record"], args].concat())
    }

    /// Checks lines by a proof, with nothing else than the public key.
    fn checked(&self, lines: &str, proof: &str) -> Ended {
        let path = |name: &str| self.0.path().join(name);
        fs::write(path("lines"), lines).unwrap();
        fs::write(path("proof"), proof).unwrap();
        let mut checks = sabot(["journal", "check-proof", "proof", "--key", "vkey"]);
        run(checks.current_dir(self.0.path()).stdin(File::open(path("lines")).unwrap()))
    }
}

/// A file that the page holds, by the class of its link.
fn held(page: &str, class: &str) -> String {
    let (_, link) = page.split_once(&format!("<a class=\"{class}\"")).unwrap();
    let (_, data) = link.split_once(";base64,").unwrap();
    String::from_utf8(Base64::decode_vec(data.split('"').next().unwrap()).unwrap()).unwrap()
}

/// The page without the files that it holds.
fn shown(page: &str) -> String {
    let mut parts = page.split(";base64,");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |shown, part| shown + part.split_once('"').unwrap().1)
}

#[test]
fn a_dossier_stands_alone_and_its_lines_are_proven_without_the_record() {
    let signed = Signed::new();
    let camera = "https://vms.example/play?from={from}&to={to}";
    let dossier = signed.dossier(&["1", "--lang", "en", "--camera", camera, "--camera-ahead", "-3600000"]);
    assert_eq!((dossier.status, dossier.err.as_str()), (0, ""));
    let page = shown(&dossier.out);
    for told in ["C7", "second card uncovered", "burn 1 card of the bank", "Cleared", "box 1: ", "is paid"] {
        assert!(page.to_lowercase().contains(&told.to_lowercase()), "{told}: {page}");
    }
    assert!(page.contains("https://vms.example/play?from=20") && !page.contains("{from}"), "{page}");
    // nothing is fetched
    for fetches in ["<script", "<link", "<img", " src=", "url(", "@import", "/assets/"] {
        assert!(!page.contains(fetches), "{fetches}");
    }

    let (lines, proof) = (held(&dossier.out, "lines"), held(&dossier.out, "proof"));
    let record = fs::read_to_string(signed.0.path().join("record")).unwrap();
    assert!(record.contains(&lines) && lines.ends_with('\n') && lines.contains(r#""provision":"C7""#), "{lines}");
    // another machine, without the record
    fs::remove_file(signed.0.path().join("record")).unwrap();
    let checked = signed.checked(&lines, &proof);
    assert_eq!(checked.status, 0, "{}", checked.err);
    assert!(
        checked.out.starts_with("these are lines ") && checked.out.contains(" of the record casino.example/BJ-07/")
    );
    let all: Vec<&str> = lines.split_inclusive('\n').collect();
    for (changed, why) in [
        (lines.replacen("\"box\":\"1\"", "\"box\":\"2\"", 1), "the chain breaks"),
        ([&all[..5], &all[6..]].concat().concat(), "the chain breaks"),
        (all[..all.len() - 1].concat(), "this is not line"),
        (format!("{}{lines}", lines.repeat(9)), "this is not line"),
    ] {
        let refused = signed.checked(&changed, &proof);
        assert!(refused.status == 1 && refused.err.contains(why), "{why}: {}{}", refused.out, refused.err);
    }
    assert_eq!(signed.dossier(&["1"]).status, 2, "the record is not there");
}

#[test]
fn a_record_that_is_not_the_signed_one_gives_no_dossier_and_neither_does_a_finding_it_has_not() {
    let signed = Signed::new();
    let none = signed.dossier(&["99"]);
    assert!(none.status == 1 && none.err.contains("it has no finding 99"), "{}", none.err);
    let script = signed.dossier(&["1", "--camera", "javascript:alert(1)"]);
    assert!(script.status == 2 && script.err.contains("begins with http"), "{}", script.err);
    let path = signed.0.path().join("record");
    let record = fs::read_to_string(&path).unwrap();
    let changed = record.replacen("\"card\":\"", "\"card\" :\"", 1);
    assert_ne!(changed, record);
    fs::write(&path, changed).unwrap();
    let refused = signed.dossier(&["1"]);
    assert!(refused.status == 1 && refused.out.is_empty(), "{}", refused.out);
    assert!(refused.err.contains("does not lead to its checkpoint"), "{}", refused.err);
}

#[test]
fn a_dossier_tells_who_acted_shows_no_covered_card_and_says_that_it_is_not_signed() {
    let mut desk = Desk::in_play();
    desk.draws(r#"{"ev":"draw","card":"3S","to":"1"}"#);
    let taken = desk.posts("/findings/1", &desk.as_one("I-4"), "act=take");
    assert!(taken.starts_with("HTTP/1.1 303"), "{taken}");
    desk.table.until("it is on disk", || desk.record().iter().any(|line| line["status"] == "taken"));
    let dossier = run(sabot(["journal", "dossier"]).arg(desk.table.path("record")).args(["1", "--lang", "en"]));
    assert_eq!(dossier.status, 0, "{}", dossier.err);
    let page = shown(&dossier.out);
    assert!(page.contains("<td><b>I-4</b></td>") && page.contains("Taken by I-4"), "{page}");
    assert!(page.contains("not signed, or not yet") && !page.contains("check-proof"), "{page}");
    assert!(page.contains("box 1: a card, 3S") && page.contains("bank: a covered card"), "{page}");
    assert!(page.contains("covered card\"") && !page.contains("7D") && !page.contains("7 of diamonds"), "{page}");
    assert!(!held(&dossier.out, "lines").contains("7D"));
}
