//! The dossier of a finding and the report of a shift, printed into PDF by the command that the documentation names.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::dossier::Signed;
use crate::process::run;

/// Whether the title of a PDF ends so: in ASCII, or in UTF-16 as hexadecimal digits.
fn is_titled(pdf: &str, end: &str) -> bool {
    let digits: String = end.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
    let title = pdf.split("/Title").nth(1).and_then(|title| title.split("/").next()).unwrap_or_default().trim();
    title.ends_with(&format!("{end})")) || title.ends_with(&format!("{digits}>"))
}

/// The documentation's command, with this page; what it made.
fn printed(folder: &Path, page: &str) -> Vec<u8> {
    let documented =
        include_str!("../../../docs/record.md").lines().find(|line| line.starts_with("chromium --headless"));
    let command = documented.expect("docs/record.md names the command").replace("12.html", "page.html");
    let command = command.replace("12.pdf", "page.pdf");
    fs::write(folder.join("page.html"), page).unwrap();
    let mut words = command.split_whitespace();
    let mut chromium = Command::new(words.next().unwrap());
    // root, as in a container, has no sandbox
    let ended =
        run(chromium.args(words).args(["--no-sandbox", "--disable-gpu"]).current_dir(folder).env("HOME", folder));
    assert_eq!(ended.status, 0, "{}", ended.err);
    fs::read(folder.join("page.pdf")).unwrap()
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_dossier_and_a_report_are_printed_into_pdf() {
    let signed = Signed::new();
    let dossier = signed.dossier(&["1", "--lang", "en"]);
    let report = signed.report(&["--lang", "en"]);
    for (page, title) in [(dossier, "C7"), (report, "BJ-01")] {
        assert_eq!(page.status, 0, "{}", page.err);
        let pdf = printed(signed.0.path(), &page.out);
        assert!(pdf.starts_with(b"%PDF-"), "{title}");
        let text = String::from_utf8_lossy(&pdf);
        assert!(is_titled(&text, title), "{title} is in its title");
        assert!(text.contains("/Type /Page\n") || text.contains("/Type /Page "), "{title}: it has pages");
        assert!(text.trim_end().ends_with("%%EOF"), "{title}: it is whole");
    }
}
