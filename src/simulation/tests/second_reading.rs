//! The validator and the auditor, which share no code, on dealt logs: the same answers to passes by the book, and to
//! passes that deviate in one way, but for a number of logs that may only fall.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_law::table::{Event, Header, Observes};
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Options};
use sabot_simulation::workload::{Dealer, House, Settings};

use crate::logs::{log, number};
use crate::otherwise::held;

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

#[test]
fn both_readings_answer_passes_by_the_book_alike() {
    held("by the book", [("sala-8", 0), ("talla", 0), ("club", 0), ("croupier-6", 0)], |house| {
        (1..=number("SABOT_READ", 30)).map(move |seed| (format!("seed {seed}"), dealt(house, seed, 4, 0.0, 0.0)))
    });
}

/// The logs of seeds 1 to 400 with one deviation.
fn deviating(house: &'static str, carried_out: f64) -> impl Iterator<Item = (String, String)> {
    (1..=number("SABOT_READ", 400)).map(move |seed| (format!("seed {seed}"), dealt(house, seed, 1, 1.0, carried_out)))
}

#[test]
fn both_readings_answer_passes_that_deviate_alike_but_for_those_that_are_counted() {
    let known = [("sala-8", 7), ("talla", 4), ("club", 19), ("croupier-6", 10)];
    held("deviating, nothing done about it", known, |house| deviating(house, 0.0));
}

#[test]
fn both_readings_answer_passes_that_are_put_right_alike_but_for_those_that_are_counted() {
    let known = [("sala-8", 14), ("talla", 15), ("club", 31), ("croupier-6", 18)];
    held("deviating, and seen to more often than not", known, |house| deviating(house, 0.7));
}

/// The same passes as a table tells them that sees some of it.
fn thinned(header: &Header, events: &[Event], observes: Observes) -> String {
    let told: Vec<Event> = events.iter().filter_map(|event| observes.told(event)).collect();
    log(&Header { v: 2, observes, ..header.clone() }, &told)
}

/// Two passes by the book of a seed, as each set of sights tells them.
fn every_set_of_sights(house: &'static str, seed: u64) -> Vec<(String, String)> {
    let mut dealer = Dealer::new(Settings { seed, ..Settings::of(House::named(house).unwrap()) });
    let (mut events, mut pass) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        dealer.next_pass(&mut pass);
        events.append(&mut pass);
    }
    let seen = |sights: &Observes| format!("seed {seed}, sees {}", serde_json::to_string(sights).unwrap());
    Observes::subsets().map(|sights| (seen(&sights), thinned(dealer.header(), &events, sights))).collect()
}

#[test]
fn both_readings_answer_what_any_table_sees_of_passes_by_the_book_alike() {
    held("any sights", [("sala-8", 0), ("talla", 0), ("club", 0), ("croupier-6", 0)], |house| {
        (1..=number("SABOT_READ", 6)).flat_map(move |seed| every_set_of_sights(house, seed))
    });
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
    held("a device lost", [("sala-8", 5), ("talla", 5), ("club", 9), ("croupier-6", 2)], |house| {
        let log = move |seed: u64| missed(&dealt(house, seed, 2, 0.0, 0.0), seed);
        (1..=number("SABOT_READ", 200)).map(move |seed| (format!("seed {seed}"), log(seed)))
    });
}
