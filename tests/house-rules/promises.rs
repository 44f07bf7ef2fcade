//! Each sentence that the contract promises has a test that is there: `docs/promises.md`.

use std::collections::BTreeSet;

use crate::tree::{Tree, hold, is_under, name};

const PAGE: &str = "docs/promises.md";

/// A sentence, its line, and what is said to prove it.
struct Promise {
    line: usize,
    proofs: Vec<String>,
}

/// A page's items, and below each the items that are proofs; what runs on belongs to the item before.
fn promises(page: &str) -> Vec<Promise> {
    let mut promises: Vec<Promise> = Vec::new();
    for (line, text) in (1..).zip(page.lines()) {
        let last = promises.last_mut();
        if text.starts_with("- ") {
            promises.push(Promise { line, proofs: Vec::new() });
        } else if let (Some(proof), Some(promise)) = (text.strip_prefix("  - "), last) {
            promise.proofs.push(proof.to_owned());
        } else if let (Some(more), Some(promise)) = (text.strip_prefix("    "), promises.last_mut()) {
            let proof = promise.proofs.last_mut().expect("only a proof runs on so far in");
            *proof = format!("{proof} {more}");
        }
    }
    promises
}

/// Every test that a promise may name: scenarios, examples of articles and functions.
fn proofs(tree: &Tree) -> BTreeSet<String> {
    let mut proofs = BTreeSet::new();
    for (path, text) in tree.ending(".txt") {
        let titles = text.lines().filter_map(|line| line.strip_prefix("== "));
        if is_under(path, "src/law/tests/scenarios/tables") {
            proofs.extend(titles.map(|title| format!("{}: {title}", name(path))));
        } else if is_under(path, "docs/handbook") {
            let case = |title: &str| title.split_once(": ").map_or(title, |(_, case)| case).to_owned();
            proofs.extend(titles.map(|title| format!("{}/{}", name(path).trim_end_matches(".txt"), case(title))));
        }
    }
    for (path, text) in tree.ending(".rs") {
        for test in text.replace("#[tokio::test]", "#[test]").split("#[test]").skip(1) {
            let function = test.split_once("fn ").and_then(|(_, rest)| rest.split_once('('));
            proofs.extend(function.map(|(function, _)| format!("{path}: {function}")));
        }
    }
    proofs
}

/// A sentence of which nothing is proven says why.
fn is_open(proof: &str) -> bool {
    proof.strip_prefix("open question: ").is_some_and(|reason| !reason.is_empty())
}

fn unproven(tree: &Tree) -> Vec<String> {
    let proofs = proofs(tree);
    let mut faults = Vec::new();
    for promise in promises(tree.text(PAGE).unwrap_or_default()) {
        if promise.proofs.is_empty() {
            faults.push(format!("{PAGE}:{}: nothing proves it", promise.line));
        }
        let gone = promise.proofs.iter().filter(|proof| !is_open(proof) && !proofs.contains(*proof));
        faults.extend(gone.map(|proof| format!("{PAGE}:{}: {proof}", promise.line)));
    }
    faults
}

#[test]
fn every_promise_of_the_contract_is_proven_by_tests_that_are_there() {
    let tree = Tree::here();
    assert!(promises(tree.text(PAGE).unwrap()).len() > 100, "the promises are the items of the page");
    hold(
        &unproven(&tree),
        "Give the scenario as `rulings.txt: its name`, the example as `C7/replaced`, the test as `path/of.rs: its_name`, \
         or `open question: ` and why.",
    );
}

#[test]
fn a_promise_without_a_test_that_is_there_is_reported() {
    let page = "# Promises\n\n- A card\n  counts.\n  - a.txt: a name that\n    runs on\n  - C7/replaced\n- It is burned.\n\
                - Its test is gone.\n  - a.txt: gone\n  - C7/gone\n  - src/b.rs: gone\n  - src/b.rs: holds\n\
                - Nobody knows.\n  - open question: the text bears both\n- Why?\n  - open question: \n";
    let tree = Tree::of(&[
        (PAGE, page),
        ("src/law/tests/scenarios/tables/a.txt", "== a name that runs on\nopen\n"),
        ("docs/handbook/sala-8/C7.txt", "== violating: replaced\n"),
        ("src/b.rs", "#[test]\nfn holds() {}\nfn gone() {}\n"),
    ]);
    assert_eq!(
        unproven(&tree),
        [
            "docs/promises.md:8: nothing proves it",
            "docs/promises.md:9: a.txt: gone",
            "docs/promises.md:9: C7/gone",
            "docs/promises.md:9: src/b.rs: gone",
            "docs/promises.md:16: open question: "
        ]
    );
}
