//! No circles between the files of a crate.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Crate, is_test};
use crate::tree::{Tree, hold, is_under};

/// The crates' roots.
const ROOTS: &[&str] = &[
    "src/words",
    "src/law",
    "src/auditor",
    "src/handbook",
    "src/journal",
    "src/pit",
    "src/station",
    "src/web",
    "src/simulation",
    "src/cli",
    "drivers/src",
    "drivers/wire/src",
    "firmware/src",
    "hil-tests/src",
];

type Arrows = BTreeMap<String, BTreeMap<String, usize>>;

/// Who uses whom, with the first line that says so.
fn arrows(tree: &Tree, root: &str) -> Arrows {
    let inside = Crate::of(tree, root);
    let mut arrows = Arrows::new();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| is_under(path, root) && !is_test(path)) {
        let from = arrows.entry(path.to_owned()).or_default();
        for (line, used) in inside.uses(path, text) {
            // a module names what lies in it, and holds what that shares
            let is_own = is_inside(path, &used) || is_inside(&used, path);
            if !is_own && !used.ends_with("/lib.rs") && !path.ends_with("/lib.rs") {
                from.entry(used).or_insert(line);
            }
        }
    }
    arrows
}

/// Whether a file's module lies in another's.
fn is_inside(file: &str, module: &str) -> bool {
    let inside = module.strip_suffix("/mod.rs").or(module.strip_suffix(".rs")).unwrap_or(module);
    is_under(file, inside)
}

fn reached<'a>(arrows: &'a Arrows, from: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for next in arrows.get(file).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    reached
}

/// Each arrow that leads back to where it comes from.
fn circles(tree: &Tree, root: &str) -> Vec<String> {
    let arrows = arrows(tree, root);
    let all: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|file| (file.as_str(), reached(&arrows, file))).collect();
    let mut faults = Vec::new();
    for (file, used) in &arrows {
        for (used, line) in used {
            if all.get(used.as_str()).is_some_and(|back| back.contains(file.as_str())) {
                faults.push(format!("{file}:{line}: uses {used}, which leads back to it"));
            }
        }
    }
    faults
}

#[test]
fn no_file_uses_one_that_uses_it() {
    let tree = Tree::here();
    let faults: Vec<String> = ROOTS.iter().flat_map(|root| circles(&tree, root)).collect();
    hold(&faults, "Move what both need into a file of its own, or hand it in as an argument.");
}

#[test]
fn a_circle_is_reported() {
    let tree = Tree::of(&[
        ("r/lib.rs", "mod a; mod b; mod c;"),
        ("r/a.rs", "use crate::b::B;"),
        ("r/b.rs", "use crate::c::C;"),
        ("r/c.rs", "fn f() { super::a::g() }"),
        ("r/d.rs", "use crate::a::A; mod e;"),
        ("r/d/e.rs", "use super::D;"),
    ]);
    let faults = circles(&tree, "r");
    assert_eq!(faults.len(), 3);
    assert_eq!(faults[0], "r/a.rs:1: uses r/b.rs, which leads back to it");
}
