//! A house by other figures: the validator and the auditor, which share no code, on logs dealt under changed settings.

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_law::table::settings::Changes;
use sabot_law::table::{Event, Header, Observes};
use sabot_simulation::deviations::{Deviation, Scene, apply};
use sabot_simulation::workload::{Dealer, HOUSES, House, Settings};
use serde_json::Value;

use crate::logs::{log, number, validator};
use crate::otherwise::{Otherwise, auditor, differences, is_asked_for};

/// Other figures than a house's own, one setting a line.
const OTHERS: &str = include_str!("../workload/others.txt");

/// What may be changed of a house: settings that its dealer deals by, one at a time, then some together.
fn changes(house: &House) -> Vec<Changes> {
    let read = |text: &str| -> Changes { serde_json::from_str(&format!("{{{text}}}")).unwrap() };
    let mut all: Vec<Changes> = OTHERS.lines().map(read).collect();
    all.retain(|changes| changes.names().iter().all(|name| house.heeds(name)));
    let mut rng = ChaCha8Rng::seed_from_u64(number("SABOT_SEED", 1));
    let together = (0..number("SABOT_TOGETHER", 40)).map(|_| {
        let one = |_| all[rng.random_range(0..all.len())].clone();
        (0..4).map(one).fold(Changes::default(), |changes, other| changes.then(&other))
    });
    let together: Vec<Changes> = together.collect();
    all.into_iter().chain(together).collect()
}

/// The log of a seed: passes by the book of the changed house, with so many deviations.
fn dealt(house: &'static House, changes: &Changes, seed: u64, deviations: usize) -> String {
    let (header, events) = pass(house, changes, seed, deviations);
    log(&header, &events)
}

fn pass(house: &'static House, changes: &Changes, seed: u64, deviations: usize) -> (Header, Vec<Event>) {
    let boxes = 3 + u8::try_from(seed % 5).unwrap();
    let mut dealer = Dealer::new(Settings { seed, boxes, changes: changes.clone(), ..Settings::of(house) });
    let (mut events, mut pass) = (Vec::new(), Vec::new());
    for _ in 0..number("SABOT_PASSES", if deviations > 0 { 1 } else { 4 }) {
        dealer.next_pass(&mut pass);
        events.append(&mut pass);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let ways = (0..deviations).map(|_| Deviation::ALL[rng.random_range(0..Deviation::ALL.len())]).collect::<Vec<_>>();
    let header = dealer.header();
    if deviations > 0 {
        apply(&mut rng, &ways, Scene { header, first: 2, findings: 0 }, &mut events);
    }
    (header.clone(), events)
}

fn told(changes: &Changes) -> String {
    serde_json::to_string(changes).unwrap()
}

/// The first finding in a log.
fn first_found(log: &str) -> Option<Value> {
    validator(log).unwrap().into_iter().find(|answer| answer["out"] == "finding")
}

/// The logs of a house under each change; those by the book have no finding.
fn otherwise(house: &'static House, deviations: usize, logs: u64) -> Otherwise {
    let mut otherwise = Otherwise::default();
    for (nth, changes) in (1..).zip(changes(house)) {
        for seed in (1..=logs).map(|log| nth * 1000 + log) {
            let name = format!("{} {} seed {seed}", house.id, told(&changes));
            assert_eq!(first_found(&dealt(house, &changes, seed, 0)), None, "{name}, by the book");
            otherwise.read(name, dealt(house, &changes, seed, deviations));
        }
    }
    otherwise
}

fn houses() -> impl Iterator<Item = &'static House> {
    HOUSES.iter().copied().filter(|house| is_asked_for(house.id))
}

#[test]
fn both_readings_answer_passes_by_the_book_of_a_changed_house_alike() {
    for house in houses() {
        let more = otherwise(house, 0, number("SABOT_READ", 3)).more_than(house.id, 0);
        assert_eq!(more, None);
    }
}

/// How many of a house's logs with one deviation are read otherwise, of a hundred, when its figures are changed.
const READ_OTHERWISE: [(&str, usize); 4] = [("sala-8", 6), ("talla", 5), ("club", 7), ("croupier-6", 4)];

/// How many of so many logs of a house may be read otherwise, and so many more of a hundred.
fn most(house: &House, more: usize, all: usize) -> usize {
    let known = READ_OTHERWISE.iter().find(|(id, _)| *id == house.id).map_or(0, |(_, most)| *most);
    (known + more) * all / 100
}

#[test]
fn both_readings_answer_passes_of_a_changed_house_that_deviate_alike_but_for_those_that_are_counted() {
    for house in houses() {
        let otherwise = otherwise(house, 1, number("SABOT_READ", 3));
        let what = format!("{}, changed and deviating", house.id);
        assert_eq!(otherwise.more_than(&what, most(house, 0, otherwise.all())), None);
    }
}

/// The regulation of docs/house.toml, as the first line of a log bears it.
const OWN: &str = r#"{"title":{"es":"Casa","en":"House"},"base":"sala-8","without":["D10"],
    "with":["talla/T-R1","talla/T-R2","talla/T-R3"],"settings":{"min_decks":6,"cut_deeper_than":40,
    "behind_cut_card":[60,90],"ace_is_declared":false,"bank_ace":"best","bank_hits_soft_17":true,
    "double_on":"any","surrender":"late","chip":100}}"#;

/// The log of a house's own regulation: dealt by its figures, which its `rules` then say.
fn own(seed: u64, deviations: usize) -> String {
    let rules: Value = serde_json::from_str(OWN).unwrap();
    let changes: Changes = serde_json::from_value(rules["settings"].clone()).unwrap();
    let log = dealt(House::named("sala-8").unwrap(), &changes, seed, deviations);
    let (first, rest) = log.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(first).unwrap();
    header["regulation"] = "casa-sur".into();
    header["rules"] = rules;
    header.as_object_mut().unwrap().remove("settings");
    format!("{header}\n{rest}")
}

#[test]
fn both_readings_answer_passes_of_a_houses_own_regulation_alike() {
    let (mut found, mut differing) = (BTreeSet::new(), Vec::new());
    let logs = number("SABOT_READ", 40);
    for seed in 1..=logs {
        let log = own(seed, 0);
        assert_eq!(first_found(&log), None, "seed {seed}");
        let read = differences(&log).unwrap();
        assert!(read.is_empty(), "seed {seed}: {}", read[0]);
        let log = own(seed, 1);
        let answers = auditor(&log).unwrap();
        found.extend(answers.iter().filter_map(|answer| answer["provision"].as_str().map(str::to_owned)));
        if !differences(&log).unwrap().is_empty() {
            differing.push(seed);
        }
    }
    assert!(differing.len() as u64 * 10 <= logs, "{differing:?}");
    assert!(!found.contains("D10") && found.contains("D9"), "{found:?}");
}

#[test]
fn what_a_house_leaves_out_and_takes_from_another_is_read_alike() {
    for (from, to) in [
        (r#"without":["D10"]"#, r#"without":["D10","D9"]"#),
        (r#"without":["D10"]"#, r#"without":["D10","C1","D2"]"#),
        (r#""with":["#, r#""with":["croupier-6/K1","#),
    ] {
        for seed in 1..=10 {
            let log = own(seed, 0);
            assert!(log.contains(from), "{from}");
            let log = log.replacen(from, to, 1);
            let differences = differences(&log).unwrap();
            assert!(differences.is_empty(), "{to}, seed {seed}: {}", differences[0]);
        }
    }
    let is_d9 = |answer: &Value| answer["provision"] == "D9";
    let logs: Vec<String> = (1..=100).map(|seed| own(seed, 1)).collect();
    let has = |log: &String| auditor(log).unwrap().iter().any(is_d9);
    let log = logs.into_iter().find(has).unwrap();
    assert!(!has(&log.replacen(r#"without":["D10"]"#, r#"without":["D10","D9"]"#, 1)));
}

/// The log of a seed as a table tells it that does not see some of what happens.
fn without(sights: &[&str], house: &'static House, seed: u64, deviations: usize) -> String {
    let (header, events) = pass(house, &Changes::default(), seed, deviations);
    let mut seen = serde_json::to_value(header.observes).unwrap();
    seen.as_array_mut().unwrap().retain(|sight| !sights.contains(&sight.as_str().unwrap()));
    let observes = Observes::subsets().find(|other| serde_json::to_value(other).unwrap() == seen).unwrap();
    let told: Vec<Event> = events.iter().filter_map(|event| observes.told(event)).collect();
    log(&Header { v: 2, observes, ..header }, &told)
}

#[test]
fn both_readings_answer_alike_where_faces_asks_and_announcements_are_not_seen() {
    const UNSEEN: [&[&str]; 5] =
        [&["faces"], &["asks"], &["announcements"], &["asks", "announcements"], &["faces", "asks", "announcements"]];
    for house in houses() {
        for sights in UNSEEN {
            let mut otherwise = Otherwise::default();
            for seed in 1..=number("SABOT_READ", 24) {
                let log = without(sights, house, seed, 0);
                assert_eq!(first_found(&log), None, "{} without {sights:?}, seed {seed}", house.id);
                let differences = differences(&log).unwrap();
                assert!(differences.is_empty(), "{} without {sights:?}, seed {seed}: {}", house.id, differences[0]);
                otherwise.read(format!("seed {seed}"), without(sights, house, seed, 1));
            }
            let what = format!("{} without {sights:?}", house.id);
            assert_eq!(otherwise.more_than(&what, most(house, 9, otherwise.all())), None);
        }
    }
}
