//! How long, how wide, and which forms are not used.

use crate::source::{code, is_test, without_literals, without_tests};
use crate::tree::{Tree, hold};

const WIDTH: usize = 120;
const LINES: usize = 600;

/// Lines that are too wide. What stands in a literal is not counted: words for people stay together, so that they are
/// found. Nor is a table's line.
fn wide(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in tree.ending(".rs").filter(|(_, text)| text.lines().any(|line| line.len() > WIDTH)) {
        for (number, line) in without_literals(text).lines().enumerate() {
            let width = line.chars().count();
            let is_table = line.trim_start().trim_start_matches(['/', '!']).trim_start().starts_with('|');
            if width > WIDTH && !is_table {
                faults.push(format!("{path}:{}: {width} characters", number + 1));
            }
        }
    }
    faults
}

fn long(tree: &Tree) -> Vec<String> {
    tree.ending(".rs")
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|&(_, lines)| lines > LINES)
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect()
}

/// A form that a plainer one replaces.
struct Form {
    text: &'static str,
    instead: &'static str,
    /// How many there still are. The number may only fall.
    known: usize,
}

const FORMS: &[Form] = &[
    Form { text: "use super::*", instead: "name what is used", known: 33 },
    Form { text: "pub(in super::", instead: "`pub(crate)`, or move the item to where it is used", known: 114 },
    Form { text: " Deref for ", instead: "a named field", known: 3 },
    Form { text: " DerefMut for ", instead: "a named field", known: 2 },
    Form { text: "match () {", instead: "`if … else if …`", known: 0 },
];

/// Every use of a form outside tests.
fn uses(tree: &Tree, form: &Form) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| !is_test(path)) {
        for (number, line) in without_tests(&code(text)).lines().enumerate() {
            if line.contains(form.text) {
                found.push(format!("{path}:{}: `{}`: {}", number + 1, form.text.trim(), form.instead));
            }
        }
    }
    found
}

#[test]
fn no_line_of_rust_is_wider_than_120_characters() {
    hold(&wide(&Tree::here()), "Break the line; rustfmt leaves comments, macros and matches with long texts to you.");
}

#[test]
fn no_file_of_rust_is_longer_than_600_lines() {
    hold(&long(&Tree::here()), "Give a part of it a file of its own.");
}

#[test]
fn no_function_is_longer_than_70_lines() {
    let tree = Tree::here();
    assert!(
        tree.text("clippy.toml").unwrap().contains("too-many-lines-threshold = 70"),
        "clippy.toml holds the number"
    );
    assert!(tree.text("Cargo.toml").unwrap().contains("too_many_lines = \"warn\""), "Cargo.toml turns the lint on");
}

#[test]
fn forms_that_hide_something_do_not_come_back() {
    let tree = Tree::here();
    for form in FORMS {
        let found = uses(&tree, form);
        if found.len() > form.known {
            hold(&found, &format!("{} are known of, and none may be added.", form.known));
        }
    }
}

#[test]
fn what_is_too_long_or_too_wide_is_reported() {
    let wide_line = "ñ".repeat(WIDTH + 1);
    let tall = "\n".repeat(LINES + 1);
    let told = format!("say(\"{wide_line}\");\n//! | {wide_line} |\n// {wide_line}");
    let tree = Tree::of(&[
        ("a.rs", &wide_line),
        ("e.rs", &told),
        ("b.rs", &tall),
        ("c.rs", &"ñ".repeat(WIDTH)),
        ("d.md", &wide_line),
    ]);
    assert_eq!(wide(&tree), ["a.rs:1: 121 characters", "e.rs:3: 124 characters"]);
    assert_eq!(long(&tree), ["b.rs: 601 lines"]);
}

#[test]
fn a_form_is_reported_outside_tests_alone() {
    let text = "use super::*;\n// use super::*\n#[cfg(test)]\nmod tests {\n    use super::*;\n}\n";
    let tree = Tree::of(&[("a.rs", text), ("a_tests.rs", text)]);
    assert_eq!(uses(&tree, &FORMS[0]), ["a.rs:1: `use super::*`: name what is used"]);
}
