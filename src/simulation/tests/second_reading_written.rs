//! The validator and the auditor on logs that people wrote: the handbook's examples and the scenario tables of the
//! law's tests, as they stand, and with one line doubled, left out, moved or taken from another log.
//!
//! `SABOT_CHANGED=N` changes each log N times; `SABOT_SHOWN=N` prints the first N that are read otherwise.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_handbook::examples;
use sabot_handbook::scenario::{Notation, write};
use sabot_law::regulation;
use sabot_law::table::{Name, Rules};
use sabot_simulation::readings::shortest;

use crate::logs::{number, validator};
use crate::second_reading::{auditor, differences};

/// A log that somebody wrote.
struct Written {
    house: String,
    name: String,
    log: String,
}

/// How many logs of a house are read otherwise: of those written, and of those changed.
struct Otherwise {
    house: &'static str,
    written: usize,
    changed: usize,
}

const READ_OTHERWISE: [Otherwise; 4] = [
    Otherwise { house: "sala-8", written: 36, changed: 79 },
    Otherwise { house: "talla", written: 35, changed: 52 },
    Otherwise { house: "club", written: 51, changed: 72 },
    Otherwise { house: "croupier-6", written: 12, changed: 14 },
];

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

fn written() -> Vec<Written> {
    let all = from_the_handbook().chain(from_the_tables());
    all.map(|(name, log)| Written { house: house(&log), name, log }).collect()
}

/// How many of these logs are read otherwise, by house. The first of them are printed as far as asked for.
fn read_otherwise(logs: impl Iterator<Item = Written>) -> BTreeMap<String, Vec<String>> {
    let (mut otherwise, mut shown) = (BTreeMap::<String, Vec<String>>::new(), number("SABOT_SHOWN", 0));
    for Written { house, name, log } in logs {
        let Ok(differences) = differences(&log) else { continue };
        let Some(first) = differences.first() else { continue };
        otherwise.entry(house).or_default().push(name.clone());
        if shown > 0 {
            shown -= 1;
            println!("{}\n{first}", write::scenario(&name, &shortest(&log, validator, auditor)).unwrap());
        }
    }
    otherwise
}

fn held_against(otherwise: &BTreeMap<String, Vec<String>>, bound: fn(&Otherwise) -> usize) {
    let mut more = Vec::new();
    for known in &READ_OTHERWISE {
        let names = otherwise.get(known.house).map_or(&[][..], Vec::as_slice);
        println!("{}: {}", known.house, names.len());
        more.extend(names.iter().filter(|_| names.len() > bound(known)).map(String::as_str));
    }
    assert!(more.is_empty(), "{}", more.join("\n"));
}

#[test]
fn what_people_wrote_is_answered_alike_but_for_logs_that_are_counted() {
    held_against(&read_otherwise(written().into_iter()), |known| known.written);
}

/// The log with one line changed: doubled, left out, moved, or one of another log put in.
fn changed(log: &str, other: &str, rng: &mut ChaCha8Rng) -> String {
    let mut lines: Vec<&str> = log.lines().collect();
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
            let others: Vec<&str> = other.lines().skip(1).collect();
            lines.insert(at, others[rng.random_range(0..others.len())]);
        }
    }
    lines.into_iter().map(|line| line.to_owned() + "\n").collect()
}

#[test]
fn what_people_wrote_with_one_line_changed_is_answered_alike_but_for_logs_that_are_counted() {
    let written = written();
    let of_house = |house: &str| written.iter().filter(|one| one.house == house).collect::<Vec<_>>();
    let mut logs = Vec::new();
    for seed in 0..number("SABOT_CHANGED", 1) {
        for Written { house, name, log } in &written {
            // by its name, so that another log changes nothing about this one
            let named = name.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
            let mut rng = ChaCha8Rng::seed_from_u64(named);
            let others = of_house(house);
            let other = &others[rng.random_range(0..others.len())].log;
            let log = changed(log, other, &mut rng);
            logs.push(Written { house: house.clone(), name: format!("{name}, changed with seed {seed}"), log });
        }
    }
    held_against(&read_otherwise(logs.into_iter()), |known| known.changed);
}
