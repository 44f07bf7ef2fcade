//! Who may use whom: crates, the law's layers, the houses.

use crate::source::{Crate, code, is_test, paths, without_tests};
use crate::tree::{Tree, hold, is_under};

/// Every package, and the packages of ours that its code may use. Tests of a package may use more.
const CRATES: &[(&str, &[&str])] = &[
    ("sabot-auditor", &[]),
    ("sabot-words", &[]),
    ("sabot-wire", &["sabot-words"]),
    ("sabot-camera", &["sabot-words"]),
    ("sabot-law", &["sabot-words"]),
    ("sabot-handbook", &["sabot-law"]),
    ("sabot-journal", &["sabot-law", "sabot-words"]),
    ("sabot-drivers", &["sabot-camera", "sabot-wire", "sabot-words"]),
    ("sabot-firmware", &["sabot-wire", "sabot-words"]),
    ("sabot-floor", &["sabot-journal", "sabot-law"]),
    ("sabot-web", &["sabot-law"]),
    (
        "sabot-station",
        &["sabot-camera", "sabot-drivers", "sabot-journal", "sabot-law", "sabot-web", "sabot-wire", "sabot-words"],
    ),
    ("sabot-pit", &["sabot-floor", "sabot-journal", "sabot-law", "sabot-station", "sabot-web"]),
    (
        "sabot-simulation",
        &["sabot-camera", "sabot-drivers", "sabot-firmware", "sabot-journal", "sabot-law", "sabot-wire", "sabot-words"],
    ),
    (
        "sabot-cli",
        &[
            "sabot-auditor",
            "sabot-camera",
            "sabot-drivers",
            "sabot-firmware",
            "sabot-floor",
            "sabot-handbook",
            "sabot-journal",
            "sabot-law",
            "sabot-pit",
            "sabot-simulation",
            "sabot-station",
            "sabot-web",
            "sabot-wire",
            "sabot-words",
        ],
    ),
    ("sabot", &["sabot-cli"]),
    ("sabot-stall-guard", &[]),
    ("sabot-house-rules", &[]),
    ("sabot-mutants", &[]),
    ("sabot-hil-tests", ANY),
    ("sabot-fuzz", ANY),
    ("sabot-board", &["sabot-firmware"]),
    ("sabot-lm3s6965evb", &["sabot-board", "sabot-firmware"]),
    ("sabot-nucleo-f446re", &["sabot-board", "sabot-firmware"]),
    ("sabot-mps2-an385", &["sabot-law"]),
];

const ANY: &[&str] = &["any"];

fn crates(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in tree.ending("Cargo.toml") {
        let manifest: toml::Table = text.parse().unwrap();
        let Some(name) = manifest.get("package").and_then(|package| package["name"].as_str()) else { continue };
        let Some((_, allowed)) = CRATES.iter().find(|(known, _)| *known == name) else {
            faults.push(format!("{path}: {name} stands in no line of CRATES"));
            continue;
        };
        let groups = ["dependencies", "build-dependencies"].into_iter().filter_map(|group| manifest.get(group));
        for used in groups.filter_map(toml::Value::as_table).flat_map(toml::Table::keys) {
            if used.starts_with("sabot") && *allowed != ANY && !allowed.contains(&used.as_str()) {
                let line = text.lines().position(|line| line.starts_with(used.as_str())).map_or(0, |at| at + 1);
                faults.push(format!("{path}:{line}: {name} may not use {used}"));
            }
        }
    }
    faults
}

/// The law's layers, and those that each may use besides itself.
const LAYERS: &[(&str, &[&str])] = &[
    ("table", &[]),
    ("procedure", &["table"]),
    ("regulation", &["procedure", "table"]),
    ("felt", &["procedure", "table"]),
    ("offers", &["procedure", "table"]),
    ("validator", &["felt", "offers", "regulation", "procedure", "table"]),
    ("replay", &["validator", "felt", "regulation", "procedure", "table"]),
];

const HOUSES: &[&str] = &["club", "croupier6", "sala8", "talla"];

const LAW: &str = "src/law";

/// The law's files without its tests, and what each uses.
fn law(tree: &Tree) -> impl Iterator<Item = (&str, usize, String)> {
    let law = Crate::of(tree, LAW);
    let files = tree.ending(".rs").filter(|(path, _)| is_under(path, LAW) && !is_test(path));
    files.flat_map(move |(path, text)| law.uses(path, text).into_iter().map(move |(line, used)| (path, line, used)))
}

/// The part of a file's path below the law, or below a folder of it.
fn part<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let inside = path.strip_prefix(folder)?.strip_prefix('/')?;
    inside.split('/').next().map(|part| part.trim_end_matches(".rs"))
}

fn layers(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, line, used) in law(tree) {
        let (Some(from), Some(to)) = (part(path, LAW), part(&used, LAW)) else { continue };
        let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == from) else {
            if from != "lib" {
                faults.push(format!("{path}: {from} stands in no line of LAYERS"));
            }
            continue;
        };
        if to != from && !allowed.contains(&to) {
            faults.push(format!("{path}:{line}: the law's {from} may not use its {to}"));
        }
    }
    faults
}

fn houses(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, line, used) in law(tree) {
        let (Some(from), Some(to)) = (part(path, "src/law/regulation"), part(&used, "src/law/regulation")) else {
            continue;
        };
        if to != from && HOUSES.contains(&to) && (HOUSES.contains(&from) || from == "shared") {
            faults.push(format!("{path}:{line}: {from} may not use {to}"));
        }
    }
    faults
}

/// Folders of the station, and those that each may not use: what is read and configured knows no page.
const STATION: &[(&str, &[&str])] = &[
    ("src/station/history", &["src/station/console"]),
    ("src/station/config", &["src/station/console", "src/station/history"]),
];

fn station(tree: &Tree) -> Vec<String> {
    let crate_ = Crate::of(tree, "src/station");
    let mut faults = Vec::new();
    for (folder, forbidden) in STATION {
        for (path, text) in tree.ending(".rs").filter(|(path, _)| is_under(path, folder) && !is_test(path)) {
            for (line, used) in crate_.uses(path, text) {
                if forbidden.iter().any(|other| is_under(&used, other)) {
                    faults.push(format!("{path}:{line}: uses {used}"));
                }
            }
        }
    }
    faults
}

/// Words that belong to an operating system, or whose order differs from run to run.
const NOT_IN_THE_LAW: &[&str] = &["std", "Instant", "SystemTime", "thread", "File", "HashMap", "HashSet"];

fn system_in_the_law(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| is_under(path, LAW) && !is_test(path)) {
        for (number, line) in without_tests(&code(text)).lines().enumerate() {
            for word in line.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
                if NOT_IN_THE_LAW.contains(&word) {
                    faults.push(format!("{path}:{}: {word}", number + 1));
                }
            }
        }
    }
    faults
}

/// What the simulation uses of the law beyond its nouns. A simulated dealer that asked the law what to do would prove
/// nothing.
fn simulation(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| is_under(path, "src/simulation") && !is_test(path)) {
        for (line, used) in paths(&without_tests(&code(text))) {
            if used[0] == "sabot_law" && used[1] != "table" {
                faults.push(format!("{path}:{line}: {}", used.join("::")));
            }
        }
    }
    faults
}

#[test]
fn no_crate_uses_one_that_it_may_not() {
    hold(&crates(&Tree::here()), "Move what is needed to a crate that both may use, or change CRATES with a reason.");
}

#[test]
fn no_layer_of_the_law_uses_one_above_it() {
    hold(&layers(&Tree::here()), "Move what is needed down, or hand it in as an argument.");
}

#[test]
fn no_house_uses_another() {
    hold(&houses(&Tree::here()), "Move what both need to src/law/regulation/shared.");
}

#[test]
fn the_law_knows_no_operating_system() {
    hold(&system_in_the_law(&Tree::here()), "The law takes what it needs as arguments, and keeps order with BTreeMap.");
}

#[test]
fn the_simulation_uses_nothing_of_the_law_but_its_nouns() {
    hold(
        &simulation(&Tree::here()),
        "The simulated table plays by its own reading: use `sabot_law::table`, or a test.",
    );
}

#[test]
fn what_the_station_reads_knows_no_page() {
    hold(&station(&Tree::here()), "Move what both need into a file of the station, or let the page add it.");
    let tree = Tree::of(&[
        ("src/station/lib.rs", "mod console; mod history;"),
        ("src/station/history/mod.rs", "use crate::console::Ui;"),
        ("src/station/console/mod.rs", "use crate::history::Record;"),
    ]);
    assert_eq!(station(&tree), ["src/station/history/mod.rs:1: uses src/station/console/mod.rs"]);
}

#[test]
fn a_forbidden_crate_is_reported() {
    let manifest =
        |name: &str, used: &str| format!("[package]\nname = \"{name}\"\n[dependencies]\n{used}.workspace = true\n");
    let texts = [
        manifest("sabot-words", "sabot-law"),
        manifest("sabot-simulation", "sabot-station"),
        manifest("sabot-station", "sabot-law"),
        manifest("sabot-newcomer", "serde"),
    ];
    let tree = Tree::of(&[
        ("a/Cargo.toml", &texts[0]),
        ("b/Cargo.toml", &texts[1]),
        ("c/Cargo.toml", &texts[2]),
        ("d/Cargo.toml", &texts[3]),
    ]);
    assert_eq!(
        crates(&tree),
        [
            "a/Cargo.toml:4: sabot-words may not use sabot-law",
            "b/Cargo.toml:4: sabot-simulation may not use sabot-station",
            "d/Cargo.toml: sabot-newcomer stands in no line of CRATES",
        ]
    );
}

#[test]
fn a_wrong_arrow_in_the_law_is_reported() {
    let tree = Tree::of(&[
        ("src/law/lib.rs", "pub mod table;"),
        ("src/law/table/mod.rs", "use crate::{validator::Validator, procedure};"),
        ("src/law/procedure/mod.rs", "use crate::table;\n#[cfg(test)]\nmod tests { use crate::validator; }"),
        ("src/law/validator.rs", "use crate::table; use std::collections::HashMap;"),
        ("src/law/regulation/mod.rs", "mod sala8;"),
        ("src/law/regulation/shared/mod.rs", "use super::talla;"),
        ("src/law/regulation/sala8/mod.rs", "use super::talla::x; use crate::regulation::shared;"),
        ("src/law/regulation/talla/mod.rs", ""),
        ("src/law/other.rs", "use crate::table;"),
    ]);
    assert_eq!(
        layers(&tree),
        [
            "src/law/other.rs: other stands in no line of LAYERS",
            "src/law/table/mod.rs:1: the law's table may not use its validator",
            "src/law/table/mod.rs:1: the law's table may not use its procedure",
        ]
    );
    assert_eq!(
        houses(&tree),
        [
            "src/law/regulation/sala8/mod.rs:1: sala8 may not use talla",
            "src/law/regulation/shared/mod.rs:1: shared may not use talla",
        ]
    );
    assert_eq!(system_in_the_law(&tree), ["src/law/validator.rs:1: std", "src/law/validator.rs:1: HashMap"]);
}

#[test]
fn a_simulation_that_asks_the_law_is_reported() {
    let text = "use sabot_law::{table::{Card, event::Event}, regulation::ALL};\n// sabot_law::validator";
    let tree = Tree::of(&[("src/simulation/a.rs", text), ("src/simulation/a_tests.rs", text)]);
    assert_eq!(simulation(&tree), ["src/simulation/a.rs:1: sabot_law::regulation::ALL"]);
}
