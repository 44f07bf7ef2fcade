//! The gate: every provision of a house stands in the code, in both handbooks and in the examples, under its name.

use std::collections::BTreeSet;
use std::fs;

use sabot_handbook::book;
use sabot_law::regulation::sala8::SALA_8;
use sabot_law::regulation::{self, Regulation};
use sabot_law::table::answer::Lang;

use crate::houses;

/// What the gate looks at.
#[derive(Clone)]
struct Found {
    /// Articles in code: identifier and source file.
    articles: Vec<(String, String)>,
    /// The handbook's pages: name and text.
    pages: Vec<(&'static str, String)>,
    /// Examples, such as `C7/violating: replaced`.
    examples: BTreeSet<String>,
}

impl Found {
    fn of(regulation: &'static Regulation) -> Self {
        let article = |article: &&regulation::Article| (article.id.to_string(), article.file.to_string());
        let named = |file: houses::File| {
            let article = file.article();
            file.cases.into_iter().map(move |case| format!("{article}/{}", case.scenario.name))
        };
        // pages being written anew are taken as they will be
        let page = |(name, lang)| match houses::updates() {
            true => (name, book(regulation, lang).unwrap()),
            false => (name, fs::read_to_string(houses::page(regulation, name)).unwrap_or_default()),
        };
        Self {
            articles: regulation.articles.iter().map(article).collect(),
            pages: [("es", Lang::Es), ("en", Lang::En)].map(page).into(),
            examples: houses::files_of(regulation).into_iter().flat_map(named).collect(),
        }
    }
}

/// What is missing, a line each; nothing when the gate is open. `provisions` are all that the house has, `demanded`
/// those that must be there.
fn gate(provisions: &[String], demanded: &[String], found: &Found) -> Vec<String> {
    let mut missing = Vec::new();
    for id in demanded {
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
    for (article, _) in found.articles.iter().filter(|(article, _)| !provisions.contains(article)) {
        missing.push(format!("{article}: in the code, but no provision"));
    }
    for example in &found.examples {
        if !found.articles.iter().any(|(article, _)| example.starts_with(&format!("{article}/"))) {
            missing.push(format!("{example}: an example of no article"));
        }
    }
    missing
}

/// Of a house that stands whole everything must be there; of any other, all that belongs to the articles it has.
fn demanded(regulation: &Regulation) -> Vec<String> {
    let mut all = houses::provisions(regulation);
    if !houses::is_whole(regulation) {
        all.retain(|id| regulation.article(id).is_some() && !houses::is_open(regulation, id));
    }
    all
}

/// Whether a source file is named by its article: `c07_….rs` for C7, `b05_….rs` for T-B5.
fn is_named(file: &str, id: &str) -> bool {
    let (letter, number) = id.strip_prefix("T-").unwrap_or(id).split_at(1);
    let prefix = format!("{}{:02}_", letter.to_lowercase(), number.parse::<u32>().unwrap());
    file.rsplit(['/', '\\']).next().is_some_and(|name| name.starts_with(&prefix) && name.ends_with(".rs"))
}

#[test]
fn every_provision_is_in_the_code_in_both_handbooks_and_in_the_examples() {
    for regulation in regulation::ALL {
        let missing = gate(&houses::provisions(regulation), &demanded(regulation), &Found::of(regulation));
        assert!(missing.is_empty(), "{}:\n{}", regulation.id, missing.join("\n"));
    }
}

#[test]
fn a_file_is_named_by_its_article() {
    for (file, id) in [
        ("src/regulation/sala8/c07_bank_card_uncovered.rs", "C7"),
        ("src/regulation/talla/b05_moving_the_bank.rs", "T-B5"),
        ("src/regulation/talla/t00_the_room_decides.rs", "T0"),
        ("src/regulation/club/a03_cut_card.rs", "A3"),
        ("src\\regulation\\croupier6\\k17_hands_off.rs", "K17"),
    ] {
        assert!(is_named(file, id), "{file} {id}");
    }
    assert!(!is_named("src/regulation/talla/t05_moving_the_bank.rs", "T-B5"));
    assert!(!is_named("src/regulation/talla/b15_moving_the_bank.rs", "T-B5"));
}

#[test]
fn articles_stand_in_the_order_of_the_text() {
    for regulation in regulation::ALL {
        let provisions = houses::provisions(regulation);
        let places: Vec<_> =
            regulation.articles.iter().map(|of| provisions.iter().position(|id| id == of.id).unwrap()).collect();
        assert!(places.is_sorted(), "{}: {places:?}", regulation.id);
    }
}

#[test]
fn the_gate_fails_when_anything_is_missing() {
    let whole = Found::of(&SALA_8);
    let provisions = houses::provisions(&SALA_8);
    let missing = |tamper: fn(&mut Found)| {
        let mut found = whole.clone();
        tamper(&mut found);
        gate(&provisions, &provisions, &found)
    };
    assert!(
        missing(|found| found.articles.retain(|(id, _)| id != "C7")).contains(&"C7: no article in the code".into())
    );
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
    assert_eq!(
        missing(|found| found.examples.extend(["C21/violating".to_string()])),
        ["C21/violating: an example of no article"]
    );
    assert_eq!(gate(&provisions[1..], &provisions[1..], &whole), ["M1: in the code, but no provision"]);
    let more: Vec<String> = provisions.iter().cloned().chain(["C21".into()]).collect();
    assert_eq!(gate(&more, &more, &whole).len(), 5);
}
