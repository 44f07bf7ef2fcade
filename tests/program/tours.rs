//! The tours of `docs/tours.md`, walked as they stand there.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::run;

/// Each tour's name and commands.
fn tours() -> Vec<(String, String)> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tours.md")).unwrap();
    let tours = page.split("\n## ").skip(1).map(|tour| {
        let (name, rest) = tour.split_once('\n').unwrap();
        let commands: Vec<&str> =
            rest.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
        (name.to_owned(), commands.concat())
    });
    tours.collect()
}

#[test]
fn every_command_of_every_tour_does_what_the_page_says() {
    let tours = tours();
    let names: Vec<&str> = tours.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["The dealer", "The inspector", "The auditor", "The technician", "The engineer"]);
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_sabot")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    for (name, commands) in &tours {
        assert!(commands.lines().count() >= 2, "{name}: {commands}");
        for command in commands.lines() {
            let mut shell = Command::new("bash");
            shell.args(["-o", "pipefail", "-c", command]).current_dir(folder.path()).env("PATH", &path);
            let ended = run(shell.env("TMPDIR", folder.path()));
            assert_eq!(ended.status, 0, "{name}: {command}\n{}{}", ended.out, ended.err);
            assert!(!ended.err.contains("panicked"), "{name}: {command}\n{}", ended.err);
        }
    }
    for page in ["dossier.html", "report.html", "table/station.toml"] {
        assert!(fs::metadata(folder.path().join(page)).unwrap().len() > 200, "{page}");
    }
}

#[test]
fn the_pictures_that_the_tours_name_are_those_that_the_command_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/tours.md")).unwrap();
    let drawn = fs::read_to_string(root.join("tests/program/browser.rs")).unwrap();
    let named: Vec<&str> = page.split('`').filter(|word| word.ends_with(".png")).collect();
    assert!(named.len() >= 5, "{named:?}");
    for name in named {
        let (what, rest) = name.split_once('-').unwrap();
        let (lang, size) = rest.trim_end_matches(".png").split_once('-').unwrap();
        assert!(["es", "en"].contains(&lang) && size == "1024x768", "{name}");
        assert!(
            drawn.contains(&format!("(\"{what}\", ")) || drawn.contains(&format!("\"{name}\"")),
            "{name} is drawn nowhere"
        );
    }
}
