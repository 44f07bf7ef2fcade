//! Articles that comments and documents speak of are there.

use std::collections::BTreeSet;

use crate::source::is_test;
use crate::tree::{Tree, hold, is_under};

/// How the houses number their articles, where nothing else is called so: a Cortex-M3 is no article.
const FAMILIES: &[&str] = &["C", "D", "O", "G", "K", "T-B", "T-N", "T-P", "T-Q", "T-R", "T-S", "T-T", "T-X"];

/// Pages that speak of bytes, and one that invents an article.
const ELSEWHERE: &[&str] =
    &["docs/wire-protocol.md", "docs/firmware.md", "docs/drivers.md", "docs/adding-an-article.md"];

/// Where comments speak of articles.
const CODE: &[&str] = &["src/law", "src/handbook", "src/station", "src/simulation", "src/cli"];

/// The articles of all houses.
fn articles(tree: &Tree) -> BTreeSet<&str> {
    let files = tree.ending(".rs").filter(|(path, _)| is_under(path, "src/law/regulation") && !is_test(path));
    files.flat_map(|(_, text)| text.split("id: \"").skip(1)).filter_map(|rest| rest.split('"').next()).collect()
}

/// Whether a word is written like an article's identifier.
fn is_identifier(word: &str) -> bool {
    let family = word.trim_end_matches(|c: char| c.is_ascii_digit());
    FAMILIES.contains(&family) && (1..=2).contains(&(word.len() - family.len()))
}

fn unknown(tree: &Tree) -> Vec<String> {
    let articles = articles(tree);
    let mut faults = Vec::new();
    for (path, text) in tree.files() {
        let is_page = path.ends_with(".md") && !ELSEWHERE.contains(&path);
        let is_code = path.ends_with(".rs") && CODE.iter().any(|folder| is_under(path, folder));
        if !is_page && !is_code {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let said = if is_page { Some(line) } else { line.split_once("//").map(|(_, comment)| comment) };
            for word in said.unwrap_or_default().split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')) {
                if is_identifier(word) && !articles.contains(word) {
                    faults.push(format!("{path}:{}: {word}", number + 1));
                }
            }
        }
    }
    faults
}

#[test]
fn every_article_that_a_comment_or_a_document_speaks_of_is_there() {
    let tree = Tree::here();
    assert!(articles(&tree).len() > 100, "the articles are found by their `id`");
    hold(&unknown(&tree), "No house has this article: give the one that is meant.");
}

#[test]
fn an_article_that_no_house_has_is_reported() {
    let tree = Tree::of(&[
        ("src/law/regulation/sala8/c07.rs", "// as C8, C9 and 0xC9\nstatic A: Article = Article { id: \"C7\" };"),
        ("src/law/regulation/talla/b01.rs", "    id: \"T-B1\", id: \"C8\""),
        ("docs/p.md", "C7, T-B1, T-B2; a Cortex-M3"),
    ]);
    assert_eq!(unknown(&tree), ["docs/p.md:1: T-B2", "src/law/regulation/sala8/c07.rs:1: C9"]);
}
