//! The gate: every provision of `sala-8` stands in the code, in both handbooks and in the examples, under its name.

use std::collections::BTreeSet;
use std::fs;

use sabot::regulation::sala8::SALA_8;

use crate::{examples, pages};

/// The provisions of `sala-8`, as the catalogue lists them.
const PROVISIONS: &[&str] = &[
    "M1", "M2", "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D14", "F1", "F2",
    "O1", "O2", "O3", "O4", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C13", "C14",
    "C15", "C16", "C17", "C18", "C19", "C20",
];

/// What the gate looks at.
#[derive(Clone)]
struct Found {
    /// Articles in code: identifier and source file.
    articles: Vec<(String, String)>,
    /// The handbook's pages: name and text.
    pages: Vec<(&'static str, String)>,
    /// Example logs, such as `C7/violating.jsonl`.
    examples: BTreeSet<String>,
}

impl Found {
    fn here() -> Self {
        let article = |article: &&sabot::regulation::Article| (article.id.to_string(), article.file.to_string());
        let example = |path: std::path::PathBuf| {
            path.strip_prefix(examples::EXAMPLES).unwrap().to_string_lossy().replace('\\', "/")
        };
        Self {
            articles: SALA_8.articles.iter().map(article).collect(),
            pages: ["es", "en"].map(|lang| (lang, fs::read_to_string(pages::path(lang)).unwrap_or_default())).into(),
            examples: examples::logs().into_iter().map(example).collect(),
        }
    }
}

/// What is missing, a line each; nothing when the gate is open.
fn gate(provisions: &[&str], found: &Found) -> Vec<String> {
    let mut missing = Vec::new();
    for id in provisions {
        match found.articles.iter().find(|(article, _)| article == id) {
            None => missing.push(format!("{id}: no article in the code")),
            Some((_, file)) if !is_named(file, id) => missing.push(format!("{id}: its file is named {file}")),
            Some(_) => {}
        }
        for (lang, page) in &found.pages {
            if !page.contains(&format!("\n## {id} · ")) {
                missing.push(format!("{id}: no section in the handbook ({lang})"));
            }
        }
        for kind in ["compliant", "violating"] {
            if !found.examples.iter().any(|example| example.starts_with(&format!("{id}/{kind}"))) {
                missing.push(format!("{id}: no {kind} example"));
            }
        }
    }
    for (article, _) in &found.articles {
        if !provisions.contains(&article.as_str()) {
            missing.push(format!("{article}: in the code, but no provision"));
        }
    }
    missing
}

/// Whether a source file is named by its article: `c07_….rs` for C7.
fn is_named(file: &str, id: &str) -> bool {
    let (letter, number) = id.split_at(1);
    let prefix = format!("{}{:02}_", letter.to_lowercase(), number.parse::<u32>().unwrap());
    file.rsplit(['/', '\\']).next().is_some_and(|name| name.starts_with(&prefix) && name.ends_with(".rs"))
}

#[test]
fn every_provision_is_in_the_code_in_both_handbooks_and_in_the_examples() {
    assert_eq!(PROVISIONS.len(), 42);
    let missing = gate(PROVISIONS, &Found::here());
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn the_gate_fails_when_anything_is_missing() {
    let whole = Found::here();
    let missing = |tamper: fn(&mut Found)| {
        let mut found = whole.clone();
        tamper(&mut found);
        gate(PROVISIONS, &found)
    };
    assert_eq!(missing(|found| found.articles.retain(|(id, _)| id != "C7")), ["C7: no article in the code"]);
    assert_eq!(
        missing(|found| found.articles[0].1 = "src/regulation/sala8/decks.rs".into()),
        ["M1: its file is named src/regulation/sala8/decks.rs"]
    );
    assert_eq!(
        missing(|found| found.pages[1].1 = found.pages[1].1.replace("## D11 · ", "## D1 ")),
        ["D11: no section in the handbook (en)"]
    );
    assert_eq!(
        missing(|found| found.examples.retain(|example| !example.starts_with("C17/violating"))),
        ["C17: no violating example"]
    );
    assert_eq!(
        missing(|found| found.examples.retain(|example| !example.starts_with("O3/compliant"))),
        ["O3: no compliant example"]
    );
    assert_eq!(gate(&PROVISIONS[1..], &whole), ["M1: in the code, but no provision"]);
    let more: Vec<&str> = PROVISIONS.iter().copied().chain(["C21"]).collect();
    assert_eq!(gate(&more, &whole).len(), 5);
}
