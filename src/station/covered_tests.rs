//! The record of a table with its covered cards sealed, against the same events in clear.

use std::io::Read;

use sabot_journal::{Covering, Record, Unsealed};
use sabot_law::replay::{Replay, Stream};
use sabot_law::table::answer::Lang;
use sabot_law::table::event::Face;
use sabot_law::table::header::FirstLine;
use sabot_law::table::{Event, Header, Place};
use sabot_law::validator::Validator;
use sabot_simulation::workload::{HOUSES, House};
use serde_json::Value;

use crate::dealt::dealt;
use crate::findings::Findings;
use crate::live_table::{Judged, LiveTable};

/// The record of these events, sealed as a station seals it.
fn sealed(header: &Header, events: &[Event]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record");
    let (mut journal, _) = sabot_journal::open(&path, header, |_, _, _| {}).unwrap();
    let mut table = LiveTable::new(Validator::new(header.clone()).unwrap().in_language(Lang::En), Findings::default());
    for event in events {
        let Judged { covering, answers, .. } = table.step(journal.lines() + 1, event);
        journal.append(Record { covering, answers, ..Record::of(event.clone(), 0) });
    }
    assert_eq!(journal.close().fault, None);
    std::fs::read_to_string(path).unwrap()
}

fn in_clear(header: &Header, events: &[Event]) -> Vec<String> {
    let first = serde_json::to_string(&FirstLine::of(header)).unwrap();
    let events = events.iter().map(|event| serde_json::to_string(event).unwrap());
    [first].into_iter().chain(events).map(|line| line + "\n").collect()
}

fn answers(log: &str) -> String {
    let (mut stream, mut answers) = (Stream::new(Replay::new(Lang::En, None)), Vec::new());
    stream.feed(log.as_bytes(), &mut answers).unwrap();
    stream.finish(&mut answers).unwrap();
    String::from_utf8(answers).unwrap()
}

/// Answers, without the summary, which no record has.
fn values(answers: &str) -> Vec<Value> {
    let values = answers.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    values.filter(|answer| answer["out"] != "summary").collect()
}

/// The answers that stand in a record, on the lines that they are to.
fn recorded(record: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for (number, line) in (1_u64..).zip(record.lines()) {
        let mut line: Value = serde_json::from_str(line).unwrap();
        if let Value::Array(answers) = line["answers"].take() {
            assert!(!answers.is_empty() && answers.iter().all(|answer| answer["line"] == number), "line {number}");
            all.extend(answers);
        }
    }
    all
}

fn opened(record: &str) -> String {
    let mut log = String::new();
    Unsealed::new(record.as_bytes()).read_to_string(&mut log).unwrap();
    log
}

#[test]
fn a_sealed_record_gives_the_answers_of_the_clear_one_wherever_it_ends() {
    let mut seals = 0;
    for house in HOUSES {
        for seed in 0..3 {
            let (header, events) = dealt(house, seed, 6, Some(3));
            let (record, clear) = (sealed(&header, &events), in_clear(&header, &events));
            seals += record.matches(r#""seal":{"card":"#).count();
            let lines: Vec<&str> = record.split_inclusive('\n').collect();
            assert_eq!(lines.len(), clear.len());
            for end in (1..=lines.len()).step_by(3) {
                let (there, here) = (answers(&opened(&lines[..end].concat())), answers(&clear[..end].concat()));
                assert_eq!(there, here, "{}, seed {seed}, the first {end} lines", house.id);
            }
            let replayed = answers(&clear.concat());
            assert_eq!(answers(&opened(&record)), replayed, "{}, seed {seed}", house.id);
            assert_eq!(recorded(&record), values(&replayed), "{}, seed {seed}", house.id);
        }
    }
    assert!(seals > 20, "{seals} cards were sealed");
}

/// Deals a log up to a covered card's way into the burn tray, then another like it, open, to where it lay: how often,
/// and that this uncovers nothing.
fn another_like_a_burned_one(header: &Header, events: &[Event]) -> usize {
    let mut count = 0;
    for (nth, event) in events.iter().enumerate() {
        let Event::Move { from, to: Place::Burn, .. } = event else { continue };
        let mut table = LiveTable::new(Validator::new(header.clone()).unwrap(), Findings::default());
        let mut covered = Vec::new();
        for (line, event) in (2..).zip(&events[..=nth]) {
            let Covering { covers, uncovers, .. } = table.step(line, event).covering;
            covered.extend(covers.map(|card| (line, card)));
            covered.retain(|of| !uncovers.contains(of));
        }
        for (more, (line, card)) in (3..).zip(covered) {
            let alike = Event::Draw { card, to: Some(*from), face: Some(Face::Up) };
            let uncovers = table.step(nth as u64 + more, &alike).covering.uncovers;
            assert_eq!(uncovers, [], "line {line} was burned");
            count += 1;
        }
    }
    count
}

#[test]
fn a_burned_card_is_not_uncovered_by_one_like_it() {
    let mut burned = 0;
    for house in HOUSES {
        for seed in 0..12 {
            let (header, events) = dealt(house, seed, 6, Some(3));
            burned += another_like_a_burned_one(&header, &events);
        }
    }
    assert!(burned > 3, "{burned} covered cards were burned");
}

/// Burns each card that is dealt covered at once, though nobody has to, and deals another like it, open, to where it
/// lay: how often, and that neither this nor the end of the pass uncovers it.
fn burned_without_need(header: &Header, events: &[Event]) -> usize {
    let mut count = 0;
    for (nth, event) in events.iter().enumerate() {
        let Event::Draw { card, to: Some(place), .. } = event else { continue };
        let mut table = LiveTable::new(Validator::new(header.clone()).unwrap(), Findings::default());
        let covered = (2..).zip(&events[..=nth]).map(|(line, event)| table.step(line, event).covering.covers).last();
        if covered.flatten() != Some(*card) {
            continue;
        }
        let line = nth as u64 + 2;
        let alike = Event::Draw { card: *card, to: Some(*place), face: Some(Face::Up) };
        let burn = Event::Move { from: *place, to: Place::Burn, cards: None };
        for (more, event) in (1..).zip([burn, alike, Event::End {}]) {
            let uncovers = table.step(line + more, &event).covering.uncovers;
            assert!(uncovers.iter().all(|(of, _)| *of != line), "line {line} was burned: {uncovers:?}");
        }
        count += 1;
    }
    count
}

#[test]
fn a_card_that_is_burned_without_need_is_not_uncovered_either() {
    let of_house = |house: &'static House| {
        let (header, events) = dealt(house, 2, 3, None);
        burned_without_need(&header, &events)
    };
    let burned: usize = HOUSES.iter().copied().map(of_house).sum();
    assert!(burned > 3, "{burned} covered cards were burned");
}
