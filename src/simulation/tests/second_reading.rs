//! The validator and the auditor, which share no code, on dealt logs: the same answers to passes by the book, and to
//! passes that deviate in one way, but for a number of logs that may only fall.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_handbook::scenario::write;
use sabot_law::table::{Event, Header, Observes};
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Options};
use sabot_simulation::readings::{Difference, Unread, compare, shortest};
use sabot_simulation::workload::{Dealer, House, Settings};
use serde_json::Value;

use crate::logs::{log, number, validator};

pub(crate) fn auditor(log: &str) -> Result<Vec<Value>, String> {
    sabot_auditor::audit(log).map_err(|why| why.to_string())
}

/// Of the logs of seeds 1 to 400 with one deviation: how many the auditor reads otherwise.
struct Otherwise {
    house: &'static str,
    /// Where nothing is done about findings.
    left: usize,
    /// Where they are seen to, more often than not.
    seen_to: usize,
}

const READ_OTHERWISE: [Otherwise; 4] = [
    Otherwise { house: "sala-8", left: 14, seen_to: 18 },
    Otherwise { house: "talla", left: 8, seen_to: 18 },
    Otherwise { house: "club", left: 23, seen_to: 34 },
    Otherwise { house: "croupier-6", left: 12, seen_to: 22 },
];

/// The log of a table of three to seven boxes.
fn dealt(house: &str, seed: u64, passes: usize, rate: f64, carried_out: f64) -> String {
    let settings = Settings { seed, boxes: 3 + (seed % 5) as u8, ..Settings::of(House::named(house).unwrap()) };
    let options = Options { rate, most: 1, blind: 0.0, carried_out, ..Options::of(settings) };
    let mut table = Deviating::new(options);
    let mut judge = Validator::new(table.header().clone()).unwrap();
    let (mut events, mut pass) = (Vec::new(), Vec::new());
    for _ in 0..passes {
        table.next_pass(&mut pass, |line, event, answers| judge.step(line, event, answers));
        events.append(&mut pass);
    }
    log(table.header(), &events)
}

/// Where the readings differ.
pub(crate) fn differences(log: &str) -> Result<Vec<Difference>, Unread> {
    compare(log, validator, auditor)
}

#[test]
fn both_readings_answer_passes_by_the_book_alike() {
    for Otherwise { house, .. } in READ_OTHERWISE {
        for seed in 1..=number("SABOT_READ", 30) {
            let log = dealt(house, seed, 4, 0.0, 0.0);
            let differences = differences(&log).unwrap();
            let shown = || write::scenario("shortest", &shortest(&log, validator, auditor)).unwrap();
            assert!(differences.is_empty(), "{house}, seed {seed}\n{}{}", differences[0], shown());
        }
    }
}

#[test]
fn both_readings_answer_passes_that_deviate_alike_but_for_those_that_are_counted() {
    let mut more = Vec::new();
    for Otherwise { house, left, seen_to } in READ_OTHERWISE {
        for (carried_out, otherwise) in [(0.0, left), (0.7, seen_to)] {
            let differs = |seed: &u64| !differences(&dealt(house, *seed, 1, 1.0, carried_out)).unwrap().is_empty();
            let seeds: Vec<u64> = (1..=400).filter(differs).collect();
            let many = seeds.len();
            println!("{house}, {carried_out} seen to: {many}");
            more.extend((many > otherwise).then(|| format!("{house}, {carried_out} seen to: {many}, seeds {seeds:?}")));
        }
    }
    assert!(more.is_empty(), "{}", more.join("\n"));
}

/// The same passes as a table tells them that sees some of it.
fn thinned(header: &Header, events: &[Event], observes: Observes) -> String {
    let told: Vec<Event> = events.iter().filter_map(|event| observes.told(event)).collect();
    log(&Header { v: 2, observes, ..header.clone() }, &told)
}

#[test]
fn both_readings_answer_what_any_table_sees_of_passes_by_the_book_alike_but_for_those_that_are_counted() {
    let mut more = Vec::new();
    for (house, otherwise) in [("sala-8", 24), ("talla", 80), ("club", 0), ("croupier-6", 0)] {
        let mut many = 0;
        for seed in 1..=number("SABOT_READ", 2) {
            let mut dealer = Dealer::new(Settings { seed, ..Settings::of(House::named(house).unwrap()) });
            let (mut events, mut pass) = (Vec::new(), Vec::new());
            for _ in 0..2 {
                dealer.next_pass(&mut pass);
                events.append(&mut pass);
            }
            let logs = Observes::subsets().map(|sights| thinned(dealer.header(), &events, sights));
            many += logs.filter(|log| !differences(log).unwrap().is_empty()).count();
        }
        println!("{house}: {many}");
        more.extend((many > otherwise).then(|| format!("{house}: {many}")));
    }
    assert!(more.is_empty(), "{}", more.join("\n"));
}

/// A log in which a device misses something: between two of its lines, of which those that it would have told are left
/// out, or were told late.
fn missed(log: &str, seed: u64) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (device, kinds): (_, &[&str]) = match rng.random_range(0..4) {
        0 => ("shoe", &["draw", "cut_card"]),
        1 => ("chips", &["bet", "pay", "collect", "move", "reveal"]),
        2 => ("keypad", &["ask", "decide", "ace", "announce", "consent", "choose"]),
        _ => ("shuffler", &["shuffle"]),
    };
    let is_told_late = rng.random_bool(0.5);
    let mut lines: Vec<String> = log.lines().map(str::to_owned).collect();
    let from = rng.random_range(1..lines.len());
    let until = rng.random_range(from..lines.len().min(from + 25));
    let is_its = |line: &String| kinds.iter().any(|kind| line.starts_with(&format!("{{\"ev\":\"{kind}\"")));
    let status = |status: &str| format!("{{\"ev\":\"device\",\"device\":\"{device}\",\"status\":\"{status}\"");
    let back = if is_told_late { ",\"complete\":true}" } else { "}" };
    let mut told = lines.split_off(from);
    let after = told.split_off(until - from);
    told.retain(|line| is_told_late || !is_its(line));
    lines.push(status("offline") + "}");
    lines.append(&mut told);
    lines.push(status("online") + back);
    lines.extend(after);
    lines.into_iter().map(|line| line + "\n").collect()
}

#[test]
fn both_readings_answer_passes_of_which_a_device_misses_something_alike_but_for_those_that_are_counted() {
    let mut more = Vec::new();
    for (house, otherwise) in [("sala-8", 9), ("talla", 10), ("club", 11), ("croupier-6", 5)] {
        let log = |seed: u64| missed(&dealt(house, seed, 2, 0.0, 0.0), seed);
        let differs = |seed: &u64| !differences(&log(*seed)).unwrap().is_empty();
        let seeds: Vec<u64> = (1..=200).filter(differs).collect();
        println!("{house}: {}", seeds.len());
        more.extend((seeds.len() > otherwise).then(|| format!("{house}: seeds {seeds:?}")));
    }
    assert!(more.is_empty(), "{}", more.join("\n"));
}
