//! Documents name what is there, and are wrapped alike. Their commands are held in `commands`.

use std::collections::BTreeSet;

use crate::tree::{Tree, folder, hold, is_under, joined, name};

/// Pages that a test writes.
const WRITTEN: &str = "docs/handbook";

/// The prose of a page: its lines outside blocks of code, with their numbers.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Lines of which each is whole: where backticks are left open, the next line belongs to it.
pub(crate) fn whole<'t>(lines: impl Iterator<Item = (usize, &'t str)>) -> Vec<(usize, String)> {
    let mut whole: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    for (number, line) in lines {
        match whole.last_mut().filter(|_| is_open && !line.trim().is_empty()) {
            Some((_, before)) => *before = format!("{before} {}", line.trim_start()),
            None => {
                is_open = false;
                whole.push((number, line.to_owned()));
            }
        }
        let is_fence = line.trim_start().starts_with("```");
        is_open ^= !is_fence && line.matches('`').count() % 2 == 1;
    }
    whole
}

/// Whether a word is written in capitals and stands for another.
pub(crate) fn is_placeholder(word: &str) -> bool {
    let word = word.split('.').next().unwrap_or(word);
    word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// The path that a word in backticks gives, where it gives one of this repository's.
fn path<'w>(tree: &Tree, word: &'w str) -> Option<&'w str> {
    let word = word.split(':').next().unwrap_or_default().trim_end_matches([',', ';', '.']);
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./{},*".contains(c));
    let first = word.split('/').next()?;
    let is_source = [".rs", ".md"].iter().any(|end| word.ends_with(end) && word.len() > end.len());
    let is_ours = word.contains('/') && first != "target" && !first.is_empty() && (is_source || tree.has(first));
    (is_plain && (is_ours || is_source) && !word.starts_with(['-', '/']) && !word.split('/').any(is_placeholder))
        .then_some(word)
}

/// Whether what a path names is there: from the root, or anywhere where it is only a file's name. `{a,b}` are two, and
/// `*` is anything.
fn is_there(tree: &Tree, path: &str) -> bool {
    if let Some((before, rest)) = path.split_once('{') {
        let Some((choices, after)) = rest.split_once('}') else { return false };
        return choices.split(',').all(|choice| is_there(tree, &format!("{before}{choice}{after}")));
    }
    if let Some((before, after)) = path.split_once('*') {
        return tree.files().any(|(file, _)| file.starts_with(before) && file.ends_with(after));
    }
    tree.has(path) || !path.contains('/') && tree.files().any(|(file, _)| name(file) == path)
}

/// What stands in backticks on a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn paths(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for (file, text) in tree.files().filter(|&(file, _)| !is_under(file, "tests/house-rules")) {
        let lines = if file.ends_with(".md") {
            whole(prose(text))
        } else if file.ends_with(".rs") {
            let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
            whole(lines.filter(|(_, line)| line.trim_start().starts_with("//")))
        } else {
            continue;
        };
        for (number, line) in lines {
            for word in quoted(&line).flat_map(str::split_whitespace) {
                // a package's own files may be named from its folder
                let from_package = |path: &str| {
                    let mut above = folder(file);
                    std::iter::from_fn(move || {
                        let here = above;
                        above = folder(here);
                        (!here.is_empty()).then_some(here)
                    })
                    .any(|above| file.ends_with(".rs") && tree.has(&joined(above, path)))
                };
                if let Some(path) = path(tree, word).filter(|path| !is_there(tree, path) && !from_package(path)) {
                    faults.push(format!("{file}:{number}: `{path}`"));
                }
            }
        }
    }
    faults
}

/// Items that a page names by their paths, `a::b`, of which a part is nowhere in the sources.
fn items(tree: &Tree) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = BTreeSet::new();
    for (file, text) in tree.ending(".rs").filter(|(file, _)| !is_under(file, "tests/house-rules")) {
        words.extend(text.split(|c| !is_word(c)).chain(file.trim_end_matches(".rs").split('/')));
    }
    let mut faults = Vec::new();
    for (file, text) in tree.ending(".md") {
        for (number, line) in whole(prose(text)) {
            for item in quoted(&line).flat_map(str::split_whitespace).filter(|word| word.contains("::")) {
                let item = item.trim_end_matches(|c| !is_word(c));
                if item.split("::").any(|part| part.chars().all(is_word) && !part.is_empty() && !words.contains(part)) {
                    faults.push(format!("{file}:{number}: `{item}`"));
                }
            }
        }
    }
    faults
}

/// What a heading is called in a link.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>().replace(' ', "-")
}

fn links(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for (file, text) in tree.ending(".md") {
        for (number, line) in prose(text) {
            for link in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                if link.contains("://") || link.starts_with("mailto:") {
                    continue;
                }
                let (path, section) = link.split_once('#').unwrap_or((link, ""));
                let target = if path.is_empty() { file.to_owned() } else { joined(folder(file), path) };
                let is_section = |text: &str| {
                    let headings = text.lines().filter(|line| line.starts_with('#')).map(anchor);
                    headings.chain(named(text)).any(|known| known == section)
                };
                let is_known = tree.has(&target) && (section.is_empty() || tree.text(&target).is_some_and(is_section));
                if !is_known {
                    faults.push(format!("{file}:{number}: {link}"));
                }
            }
        }
    }
    faults
}

/// Anchors that a page sets itself.
fn named(text: &str) -> impl Iterator<Item = String> {
    ["id=\"", "name=\""]
        .into_iter()
        .flat_map(move |mark| text.split(mark).skip(1))
        .filter_map(|rest| rest.split_once('"').map(|(name, _)| name.to_owned()))
}

const WIDTH: usize = 120;
/// A line is too short when the next one's first word would still have ended before this column.
const LEAST: usize = 100;

/// Whether a line is prose that runs on: no heading, table, quotation or tag.
fn is_running(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with(['#', '|', '>', '<'])
}

/// Whether a line begins an item of a list.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ") || line.starts_with("* ") || digits.len() < line.len() && digits.starts_with(". ")
}

fn wrapped(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for (file, text) in tree.ending(".md").filter(|&(file, _)| !is_under(file, WRITTEN)) {
        let lines: Vec<(usize, &str)> = prose(text).collect();
        for (at, &(number, line)) in lines.iter().enumerate().filter(|(_, (_, line))| is_running(line)) {
            let width = line.chars().count();
            if width > WIDTH && line.trim_start_matches([' ', '-']).contains(' ') {
                faults.push(format!("{file}:{number}: {width} characters"));
            }
            let next =
                lines.get(at + 1).filter(|(next, line)| *next == number + 1 && is_running(line) && !is_item(line));
            let word = next.and_then(|(_, line)| line.split_whitespace().next());
            if !line.ends_with("  ") && word.is_some_and(|word| width + 1 + word.chars().count() <= LEAST) {
                faults.push(format!("{file}:{number}: {width} characters, and the next word would fit"));
            }
        }
    }
    faults
}

#[test]
fn every_path_that_a_document_or_a_comment_names_is_there() {
    hold(&paths(&Tree::here()), "Name it from the repository's root. What stands for another name is in CAPITALS.");
}

#[test]
fn every_item_that_a_document_names_is_in_the_sources() {
    hold(&items(&Tree::here()), "Give the name that the code has now.");
}

#[test]
fn every_link_of_a_document_leads_somewhere() {
    hold(&links(&Tree::here()), "A link goes from its page's own folder; a section is its heading in small letters.");
}

#[test]
fn documents_are_wrapped_at_120_characters() {
    hold(
        &wrapped(&Tree::here()),
        "Wrap paragraphs and items at 120 characters. Tables and blocks of code stay as they are.",
    );
}

#[test]
fn a_path_that_is_gone_is_reported() {
    let text = "See `src/a.rs`, `src/gone.rs`, `gone.rs:4`, `src/{a,c}.rs`, `src/*.rs`, `/etc/x.rs`, `src/NAME/`, `rx/tx`, `of\n\
                more src/lost.rs`.\n\
                ```\n`src/gone.rs`\n```\n";
    let tree = Tree::of(&[
        ("src/a.rs", "// as `b/gone.rs` does, and `src/a.rs`\nlet a = \"`b/gone.rs`\";"),
        ("docs/p.md", text),
    ]);
    assert_eq!(
        paths(&tree),
        [
            "docs/p.md:1: `src/gone.rs`",
            "docs/p.md:1: `gone.rs`",
            "docs/p.md:1: `src/{a,c}.rs`",
            "docs/p.md:1: `src/lost.rs`",
            "src/a.rs:1: `b/gone.rs`"
        ]
    );
}

#[test]
fn an_item_that_is_gone_is_reported() {
    let tree = Tree::of(&[
        ("src/a.rs", "pub enum Kept { One }"),
        ("p.md", "`a::Kept::One`, `Kept::Two`, `b::Kept`, Kept::Two"),
    ]);
    assert_eq!(items(&tree), ["p.md:1: `Kept::Two`", "p.md:1: `b::Kept`"]);
}

#[test]
fn a_link_to_nowhere_is_reported() {
    let text = "# One, two\n[a](#one-two) [b](#three) [c](../src/a.rs) [d](a.rs) [e](https://x.y) [f](p.md#one-two)";
    let tree = Tree::of(&[("src/a.rs", ""), ("docs/p.md", text)]);
    assert_eq!(links(&tree), ["docs/p.md:2: #three", "docs/p.md:2: a.rs"]);
}

#[test]
fn a_page_that_is_wrapped_otherwise_is_reported() {
    let wide = format!("{} b", "a".repeat(WIDTH));
    let text = format!("{wide}\n\nshort\nlines\n\n- an item\n- another\n\n| {wide} |\n\n```\n{wide}\n```\n");
    let tree = Tree::of(&[("p.md", &text), ("docs/handbook/p.md", &wide)]);
    assert_eq!(wrapped(&tree), ["p.md:1: 122 characters", "p.md:3: 5 characters, and the next word would fit"]);
}
