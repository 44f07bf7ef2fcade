//! Commands of cargo that documents, comments and scripts give: their packages, targets and tests are there.

use crate::markdown::{is_placeholder, whole};
use crate::tree::{Tree, folder, hold, is_under, name};

/// A package: its name, its folder, and what its targets are called.
struct Package<'t> {
    name: String,
    folder: &'t str,
    targets: Vec<String>,
}

fn packages(tree: &Tree) -> Vec<Package<'_>> {
    let mut packages = Vec::new();
    for (path, text) in tree.ending("Cargo.toml") {
        let manifest: toml::Table = text.parse().unwrap();
        let Some(name) = manifest.get("package").and_then(|package| package["name"].as_str()) else { continue };
        let folder = folder(path);
        let mut targets = vec![name.to_owned()];
        for kind in ["bin", "test", "bench", "example"] {
            let listed = manifest.get(kind).and_then(toml::Value::as_array).into_iter().flatten();
            targets.extend(listed.filter_map(|target| target["name"].as_str()).map(str::to_owned));
        }
        for place in ["src/bin", "tests", "benches", "examples"] {
            targets.extend(tree.ending(".rs").filter_map(|(file, _)| {
                let inside =
                    file.strip_prefix(folder)?.trim_start_matches('/').strip_prefix(place)?.strip_prefix('/')?;
                let inside = inside.strip_suffix("/main.rs").or(inside.strip_suffix(".rs"))?;
                (!inside.contains('/')).then(|| inside.to_owned())
            }));
        }
        packages.push(Package { name: name.to_owned(), folder, targets });
    }
    packages
}

/// A command's words: what follows `cargo` on a line, up to its end.
fn commands(line: &str) -> impl Iterator<Item = Vec<&str>> {
    line.split("cargo ").skip(1).filter_map(|rest| {
        // `a::b` is a test's name; another colon ends a command
        let is_end = |(at, c): (usize, char)| match c {
            ':' => !rest[at + 1..].starts_with(':') && !rest[..at].ends_with(':'),
            c => "`#|&;\"()'\\".contains(c),
        };
        let end = rest.char_indices().find(|&found| is_end(found)).map_or(rest.len(), |(at, _)| at);
        let words: Vec<&str> = rest[..end].split_whitespace().collect();
        matches!(words.first(), Some(&("test" | "bench" | "run"))).then_some(words)
    })
}

/// What in a command is not there.
fn unknown(tree: &Tree, packages: &[Package], words: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    let after = |flags: &[&str]| words.iter().position(|word| flags.contains(word)).and_then(|at| words.get(at + 1));
    let is_open = |word: &str| word.contains(['$', '{', '<', '…']) || is_placeholder(word);
    let asked = after(&["-p", "--package"]);
    if let Some(asked) = asked.filter(|asked| !is_open(asked) && packages.iter().all(|package| package.name != **asked))
    {
        return vec![format!("no package {asked}")];
    }
    let is_every = words.contains(&"--workspace") || asked.is_some_and(|asked| is_open(asked));
    let name = asked.map_or("sabot", |asked| asked);
    let chosen: Vec<&Package> = packages.iter().filter(|package| is_every || package.name == name).collect();
    for flag in ["--test", "--bench", "--example", "--bin"] {
        let target = after(&[flag]).filter(|target| !is_open(target));
        let is_known = |target: &str| chosen.iter().any(|package| package.targets.iter().any(|known| known == target));
        if let Some(target) = target.filter(|target| !is_known(target)) {
            faults.push(format!("{name} has no {flag} {target}"));
        }
    }
    if words[0] == "test" {
        for filter in filters(words).filter(|filter| !is_open(filter)) {
            let is_said = |part: &str| {
                let mut ours = tree.ending(".rs").filter(|(file, _)| {
                    chosen.iter().any(|package| package.folder.is_empty() || is_under(file, package.folder))
                });
                ours.any(|(file, text)| text.contains(part) || file.contains(part))
            };
            if !filter.split("::").all(is_said) {
                faults.push(format!("{name} has no test {filter}"));
            }
        }
    }
    faults
}

/// The words of `cargo test` that choose tests by their names.
fn filters<'w>(words: &'w [&'w str]) -> impl Iterator<Item = &'w str> {
    const WITH_VALUE: &[&str] =
        &["-p", "--package", "--test", "--bench", "--example", "--bin", "--features", "--manifest-path"];
    words[1..]
        .iter()
        .zip(words)
        .filter(|(word, before)| !word.starts_with('-') && !WITH_VALUE.contains(before))
        .map(|(word, _)| *word)
}

fn given(tree: &Tree) -> Vec<String> {
    let packages = packages(tree);
    let mut faults = Vec::new();
    for (file, text) in
        tree.files().filter(|(file, _)| !is_under(file, "tests/house-rules") && name(file) != "Cargo.lock")
    {
        let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        let lines =
            if file.ends_with(".md") { whole(lines) } else { lines.map(|(at, line)| (at, line.to_owned())).collect() };
        for (number, line) in lines {
            for fault in commands(&line).flat_map(|words| unknown(tree, &packages, &words)) {
                faults.push(format!("{file}:{number}: {fault}"));
            }
        }
    }
    faults
}

#[test]
fn every_command_of_cargo_names_what_is_there() {
    hold(&given(&Tree::here()), "Give the package (-p), the target and the test as they are called now.");
}

#[test]
fn a_command_for_what_is_gone_is_reported() {
    let text = "`cargo test --test program browser` `cargo test --test soak`, `cargo test lost::browser`\n\
                cargo test -p sabot-law matrix && cargo test -p sabot-law gone # and more\n\
                cargo run -p sabot-lore; cargo bench -p sabot-law --bench NAME";
    let tree = Tree::of(&[
        ("Cargo.toml", "[package]\nname = \"sabot\"\n"),
        ("tests/program/main.rs", "mod browser;"),
        ("law/Cargo.toml", "[package]\nname = \"sabot-law\"\n"),
        ("law/tests/matrix.rs", ""),
        ("p.md", text),
    ]);
    assert_eq!(
        given(&tree),
        [
            "p.md:1: sabot has no --test soak",
            "p.md:1: sabot has no test lost::browser",
            "p.md:2: sabot-law has no test gone",
            "p.md:3: no package sabot-lore"
        ]
    );
}
