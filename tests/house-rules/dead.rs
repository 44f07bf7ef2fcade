//! Files that nothing uses.

use std::collections::BTreeSet;

use crate::source::modules;
use crate::tree::{Tree, folder, hold, is_under, joined, name};

/// The files from which a package's code begins.
fn roots(tree: &Tree, manifest_path: &str, manifest: &toml::Table) -> Vec<String> {
    let package = folder(manifest_path);
    let mut roots = Vec::new();
    let mut add = |path: &str| roots.push(joined(package, path));
    for path in ["src/lib.rs", "src/main.rs", "build.rs"] {
        add(path);
    }
    let build = manifest.get("package").and_then(|package| package.get("build"));
    if let Some(path) = build.and_then(toml::Value::as_str) {
        add(path);
    }
    let library = manifest.get("lib").and_then(|library| library.get("path"));
    if let Some(path) = library.and_then(toml::Value::as_str) {
        add(path);
    }
    for (kind, place) in [("bin", "src/bin"), ("test", "tests"), ("bench", "benches"), ("example", "examples")] {
        for target in manifest.get(kind).and_then(toml::Value::as_array).into_iter().flatten() {
            if let Some(path) = target.get("path").and_then(toml::Value::as_str) {
                add(path);
            } else if let Some(name) = target.get("name").and_then(toml::Value::as_str) {
                add(&format!("{place}/{name}.rs"));
                add(&format!("{place}/{name}/main.rs"));
            }
        }
        let is_found = |flag: &str| manifest["package"].get(flag).and_then(toml::Value::as_bool) != Some(false);
        if is_found(&format!("auto{}", if kind == "bench" { "benches".to_owned() } else { format!("{kind}s") })) {
            let place = joined(package, place);
            for (path, _) in tree.ending(".rs").filter(|(path, _)| is_under(path, &place)) {
                let inside = &path[place.len() + 1..];
                if !inside.contains('/') || inside.ends_with("/main.rs") && inside.matches('/').count() == 1 {
                    add(&path[package.len()..]);
                }
            }
        }
    }
    roots
}

/// Sources that no target of any package leads to.
fn sources(tree: &Tree) -> Vec<String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<(String, bool)> = Vec::new();
    for (path, text) in tree.ending("Cargo.toml") {
        let manifest: toml::Table = text.parse().unwrap();
        if manifest.contains_key("package") {
            open.extend(roots(tree, path, &manifest).into_iter().map(|root| (root, true)));
        }
    }
    while let Some((path, is_root)) = open.pop() {
        let Some(text) = tree.text(&path) else { continue };
        if !reached.insert(path.clone()) {
            continue;
        }
        for (_, places) in modules(&path, text, is_root) {
            open.extend(places.into_iter().map(|place| (place, false)));
        }
    }
    tree.ending(".rs").map(|(path, _)| path).filter(|path| !reached.contains(*path)).map(str::to_owned).collect()
}

/// Files that their tools find by name.
const FOUND_BY_NAME: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "config.toml",
    "clippy.toml",
    "rustfmt.toml",
    ".gitignore",
    "LICENSE",
    "README.md",
    "askama.toml",
    "run",
    "memory.x",
];

/// Files beside the sources that no other file names. A file is named by its name, with or without its ending, or by
/// its whole folder in quotes; a snapshot by its words; a proptest's failures by the test beside them.
fn others(tree: &Tree) -> Vec<String> {
    let sources = tree.ending(".rs").filter(|(path, _)| !is_under(path, "tests/house-rules"));
    let read_whole: BTreeSet<String> = sources.flat_map(|(path, text)| folders(path, text)).collect();
    let mut faults = Vec::new();
    for (path, _) in tree.files().filter(|(path, _)| !path.ends_with(".rs")) {
        let file = name(path);
        let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
        let is_named = |text: &str| text.contains(file) || stem.len() > 4 && quoted(text, stem);
        let snapshot = file.strip_suffix(".snap").and_then(|stem| stem.split_once("__"));
        let is_known = if let Some((_, name)) = snapshot {
            let words = name.replace('_', " ");
            tree.ending(".rs").any(|(_, text)| text.contains(name) || text.contains(&words))
        } else if let Some(test) = path.strip_suffix(".proptest-regressions") {
            tree.has_file(&format!("{test}.rs"))
        } else {
            FOUND_BY_NAME.contains(&file)
                || read_whole.contains(folder(path))
                || tree.files().any(|(from, text)| from != path && is_named(text))
        };
        if !is_known {
            faults.push(path.to_owned());
        }
    }
    faults
}

/// Whether a text has a word in quotes of one kind or another.
fn quoted(text: &str, word: &str) -> bool {
    ["\"", "`", "/"]
        .iter()
        .any(|quote| text.contains(&format!("{quote}{word}\"")) || text.contains(&format!("{quote}{word}`")))
}

/// The folders that a source names in quotes, from the root: its package's or the repository's.
fn folders<'t>(from: &'t str, text: &'t str) -> impl Iterator<Item = String> + 't {
    text.split('"').skip(1).step_by(2).filter(|quoted| quoted.contains('/') && quoted.len() < 80).flat_map(
        move |quoted| {
            let path = quoted.trim_start_matches("$CARGO_MANIFEST_DIR").trim_start_matches('/');
            let mut above = folder(from);
            let mut places = vec![joined(above, path)];
            while !above.is_empty() {
                above = folder(above);
                places.push(joined(above, path));
            }
            places.into_iter().filter(|place| place.contains('/'))
        },
    )
}

#[test]
fn every_source_is_part_of_a_program() {
    hold(&sources(&Tree::here()), "No `mod` leads there: declare the module, or delete the file.");
}

#[test]
fn every_other_file_is_named_somewhere() {
    hold(&others(&Tree::here()), "Nothing names these files: delete them, or say in a document what they are for.");
}

#[test]
fn a_dead_source_is_reported() {
    let tree = Tree::of(&[
        ("p/Cargo.toml", "[package]\nname = \"p\"\n[lib]\npath = \"lib.rs\"\n[[test]]\nname = \"t\"\n"),
        ("p/lib.rs", "mod a;\n#[cfg(test)]\n#[path = \"a_tests.rs\"]\nmod tests;\n// mod ghost;\n"),
        ("p/a.rs", "pub(crate) mod b;"),
        ("p/a/b.rs", ""),
        ("p/a_tests.rs", ""),
        ("p/ghost.rs", ""),
        ("p/tests/t/main.rs", "mod c;"),
        ("p/tests/t/c.rs", ""),
        ("p/tests/t/d.rs", ""),
    ]);
    assert_eq!(sources(&tree), ["p/ghost.rs", "p/tests/t/d.rs"]);
}

#[test]
fn a_dead_file_is_reported() {
    let tree = Tree::of(&[
        ("p/a.rs", "const A: &str = \"/tables/all\"; fn draw() { page(\"front.html\"); } // the bank is final"),
        ("p/tables/all/one.txt", ""),
        ("p/front.html", ""),
        ("p/back.html", ""),
        ("p/x__the_bank_is_final.snap", ""),
        ("p/x__the_bank_is_gone.snap", ""),
    ]);
    assert_eq!(others(&tree), ["p/back.html", "p/x__the_bank_is_gone.snap"]);
}
