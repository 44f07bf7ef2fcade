//! The validator and the auditor on logs that people wrote: the handbook's examples and the scenario tables of the
//! law's tests, as they stand, and with one line doubled, left out, moved or taken from another log.
//!
//! `SABOT_CHANGED=N` changes each log N times.

use std::fs;
use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_handbook::examples;
use sabot_handbook::scenario::Notation;
use sabot_law::regulation;
use sabot_law::table::{Name, Rules};

use crate::logs::number;
use crate::otherwise::held;

/// A log that somebody wrote.
struct Written {
    house: String,
    name: String,
    log: String,
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The house whose regulation a log's header names; of a house's own, itself.
fn house(log: &str) -> String {
    let header: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    header["regulation"].as_str().unwrap().to_owned()
}

/// The examples of the handbook.
fn from_the_handbook() -> impl Iterator<Item = (String, String)> {
    let articles = regulation::ALL.iter().flat_map(|house| house.articles.iter().map(move |article| (house, article)));
    articles.flat_map(|(house, article)| {
        let named =
            move |case: examples::Case| (format!("{} {} {}", house.id, article.id, case.name), case.scenario.log());
        examples::cases(article).unwrap().into_iter().map(named)
    })
}

/// The scenario tables, of which some are of `docs/house.toml`.
fn from_the_tables() -> Vec<(String, String)> {
    let mut own: toml::Table =
        toml::from_str(&fs::read_to_string(Path::new(ROOT).join("docs/house.toml")).unwrap()).unwrap();
    let id = Name::from(own.remove("id").unwrap().as_str().unwrap());
    let rules: Rules = own.try_into().unwrap();
    let mut files: Vec<_> = fs::read_dir(Path::new(ROOT).join("src/law/tests/scenarios/tables"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let mut all = Vec::new();
    for path in files {
        let file = path.file_name().unwrap().to_str().unwrap();
        let scenarios = Notation { file, house: "sala-8", own: &[(id.clone(), rules.clone())] }
            .read(&fs::read_to_string(&path).unwrap())
            .unwrap();
        all.extend(
            scenarios
                .into_iter()
                .map(|scenario| (format!("{file}:{} {}", scenario.line, scenario.name), scenario.log())),
        );
    }
    all
}

fn named(logs: impl Iterator<Item = (String, String)>) -> Vec<Written> {
    logs.map(|(name, log)| Written { house: house(&log), name, log }).collect()
}

fn written() -> Vec<Written> {
    named(from_the_handbook().chain(from_the_tables()))
}

/// The logs of each house against what is known.
fn held_by_house(what: &str, known: [(&'static str, usize); 5], logs: &[Written]) {
    held(what, known, |house| {
        logs.iter().filter(move |one| one.house == house).map(|one| (one.name.clone(), one.log.clone()))
    });
}

#[test]
fn what_people_wrote_is_answered_alike_but_for_logs_that_are_counted() {
    let known = [("sala-8", 45), ("talla", 15), ("club", 16), ("croupier-6", 12), ("casa-sur", 0)];
    held_by_house("written by people", known, &written());
}

/// A number that follows from a text alone, the same everywhere (FNV-1a).
fn number_of(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The log with one line changed: doubled, left out, moved, or one of another log put in.
///
/// What is changed, and which of the others is taken, follows from the log and each of the others alone: a log more
/// among those that are changed changes no other one, and an example more among the others hardly any.
fn changed(log: &str, others: &[&Written], seed: u64) -> String {
    let mut lines: Vec<&str> = log.lines().collect();
    let mut rng = ChaCha8Rng::seed_from_u64(number_of(log) ^ seed);
    let at = rng.random_range(1..lines.len());
    let to = rng.random_range(1..lines.len());
    match rng.random_range(0..4) {
        0 => lines.insert(at, lines[at]),
        1 => drop(lines.remove(at)),
        2 => {
            let line = lines.remove(at);
            lines.insert(to, line);
        }
        _ => {
            let own = number_of(log) ^ seed;
            let other = others.iter().min_by_key(|other| number_of(&format!("{own} {}", other.log))).unwrap();
            let others: Vec<&str> = other.log.lines().skip(1).collect();
            lines.insert(at, others[rng.random_range(0..others.len())]);
        }
    }
    lines.into_iter().map(|line| line.to_owned() + "\n").collect()
}

#[test]
fn what_people_wrote_with_one_line_changed_is_answered_alike_but_for_logs_that_are_counted() {
    let examples: Vec<Written> = named(from_the_handbook());
    // a house of its own has no handbook: the examples of the house that it begins with
    let of_house = |house: &str| {
        let house = if house == "casa-sur" { "sala-8" } else { house };
        examples.iter().filter(|one| one.house == house).collect::<Vec<_>>()
    };
    let mut logs = Vec::new();
    for seed in 0..number("SABOT_CHANGED", 1) {
        for Written { house, name, log } in written() {
            let log = changed(&log, &of_house(&house), seed);
            logs.push(Written { house, name: format!("{name}, changed with seed {seed}"), log });
        }
    }
    let known = [("sala-8", 89), ("talla", 49), ("club", 65), ("croupier-6", 19), ("casa-sur", 4)];
    held_by_house("one line changed", known, &logs);
}
