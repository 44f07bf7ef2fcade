//! A house by other figures: the validator and the auditor, which share no code, on logs dealt under changed settings.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_handbook::scenario::write;
use sabot_law::table::settings::Changes;
use sabot_simulation::deviations::{Deviation, Scene, apply};
use sabot_simulation::readings::{compare, shortest};
use sabot_simulation::workload::{Dealer, HOUSES, House, Settings};
use serde_json::Value;

use crate::logs::{log, number, validator};

/// Other figures than a house's own, one setting a line.
const OTHERS: &str = include_str!("../workload/others.txt");

fn auditor(log: &str) -> Result<Vec<Value>, String> {
    sabot_auditor::audit(log).map_err(|why| why.to_string())
}

/// What may be changed of a house: settings that its dealer deals by, one at a time, then some together.
fn changes(house: &House) -> Vec<Changes> {
    let read = |text: &str| -> Changes { serde_json::from_str(&format!("{{{text}}}")).unwrap() };
    let mut all: Vec<Changes> = OTHERS.lines().map(read).collect();
    all.retain(|changes| changes.names().iter().all(|name| house.heeds(name)));
    let mut rng = ChaCha8Rng::seed_from_u64(number("SABOT_SEED", 1));
    let together = (0..number("SABOT_TOGETHER", 12)).map(|_| {
        let one = |_| all[rng.random_range(0..all.len())].clone();
        (0..4).map(one).fold(Changes::default(), |changes, other| changes.then(&other))
    });
    let together: Vec<Changes> = together.collect();
    all.into_iter().chain(together).collect()
}

/// The log of a seed: passes by the book of the changed house, with so many deviations.
fn dealt(house: &'static House, changes: &Changes, seed: u64, deviations: usize) -> String {
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
    log(header, &events)
}

/// Whether nothing is found in a log by the book: a setting of which the house's articles do not speak changes the deal
/// and not the law.
fn is_legal(log: &str) -> bool {
    validator(log).unwrap().iter().all(|answer| answer["out"] != "finding")
}

/// How many of a house's logs the two read otherwise, each told on standard error.
fn otherwise(house: &'static House, deviations: usize, logs: u64) -> (u64, u64) {
    let (mut differing, mut all) = (0, 0);
    let shown = number("SABOT_SHOWN", 1);
    for (nth, changes) in (1..).zip(changes(house)) {
        let mut first = shown;
        for seed in (1..=logs).map(|log| nth * 1000 + log) {
            let log = dealt(house, &changes, seed, deviations);
            if !is_legal(&dealt(house, &changes, seed, 0)) {
                continue;
            }
            let differences = compare(&log, validator, auditor).unwrap();
            all += 1;
            if let Some(difference) = differences.first() {
                differing += 1;
                if first > 0 {
                    let short = write::scenario("shortest", &shortest(&log, validator, auditor)).unwrap();
                    let changes = serde_json::to_string(&changes).unwrap();
                    eprintln!("{} {changes} seed {seed}\n{difference}{short}", house.id);
                    first -= 1;
                }
            }
        }
    }
    (differing, all)
}

fn houses() -> impl Iterator<Item = &'static House> {
    let only = std::env::var("SABOT_HOUSE").ok();
    HOUSES.iter().copied().filter(move |house| only.as_ref().is_none_or(|id| id == house.id))
}

#[test]
fn both_readings_answer_passes_by_the_book_of_a_changed_house_alike() {
    for house in houses() {
        let (differing, all) = otherwise(house, 0, number("SABOT_READ", 3));
        println!("{}: {differing} of {all} read otherwise", house.id);
        assert_eq!(differing, 0, "{}: of {all} logs", house.id);
    }
}

/// How many of a house's logs with one deviation are read otherwise, of a hundred, when its figures are changed.
const READ_OTHERWISE: [(&str, u64); 4] = [("sala-8", 7), ("talla", 7), ("club", 12), ("croupier-6", 8)];

#[test]
fn both_readings_answer_passes_of_a_changed_house_that_deviate_alike_but_for_those_that_are_counted() {
    for house in houses() {
        let most = READ_OTHERWISE.iter().find(|(id, _)| *id == house.id).map_or(0, |(_, most)| *most);
        let (differing, all) = otherwise(house, 1, number("SABOT_READ", 3));
        println!("{}: {differing} of {all} with a deviation read otherwise", house.id);
        assert!(differing * 100 <= most * all, "{}: {differing} of {all}", house.id);
    }
}
