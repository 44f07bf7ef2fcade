//! Whatever a table's equipment does not see, a pass by the book has no finding: passes of the simulated dealer, told
//! as tables see them that lack some of their sights, and with cards that could not be read.

use std::collections::BTreeMap;

use rand::seq::IteratorRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use sabot_law::table::{Answer, Card, Event, Header, Observes, Remedy};
use sabot_law::validator::Validator;
use sabot_simulation::workload::{Dealer, HOUSES, House, Settings};

use crate::logs::number;

/// A table that sees some of what happens.
struct Thinned {
    observes: Observes,
    table: Validator,
    line: u64,
    /// False findings by provision and text, with how often and the first log that has one.
    false_findings: BTreeMap<String, (u64, String)>,
}

impl Thinned {
    fn new(header: &Header, observes: Observes) -> Self {
        let header = Header { v: 2, observes, ..header.clone() };
        let table = Validator::new(header).unwrap();
        Self { observes, table, line: 1, false_findings: BTreeMap::new() }
    }

    /// Deals it a pass, and keeps what it found.
    fn pass(&mut self, events: &[Event]) {
        let (mut answers, first) = (Vec::new(), self.line + 1);
        let told: Vec<Event> = events.iter().filter_map(|event| self.observes.told(event)).collect();
        for event in &told {
            self.line += 1;
            self.table.step(self.line, event, &mut answers);
        }
        for answer in &answers {
            if let Answer::Finding(finding) = answer
                && !finding.remedy.iter().any(|part| matches!(part, Remedy::Identify { .. }))
            {
                let way =
                    format!("{} {}", finding.provision, finding.text.en.replace(|c: char| c.is_ascii_digit(), "_"));
                let log = || {
                    let lines =
                        (first..).zip(&told).map(|(n, event)| format!("{n} {}", serde_json::to_string(event).unwrap()));
                    format!("{}\n{}", serde_json::to_string(answer).unwrap(), lines.collect::<Vec<_>>().join("\n"))
                };
                self.false_findings.entry(way).or_insert_with(|| (0, log())).0 += 1;
            }
        }
    }
}

/// One card of a pass, and now and then another, that could not be read.
fn unread(rng: &mut ChaCha8Rng, events: &mut [Event]) {
    let count = if rng.random_ratio(1, 4) { 2 } else { 1 };
    let cards = events.iter_mut().filter_map(|event| match event {
        Event::Draw { card, .. } => Some(card),
        _ => None,
    });
    cards.sample(rng, count).into_iter().for_each(|card| *card = Card::UNREAD);
}

/// Every set of sights over the same passes. SABOT_PASSES=1000 deals so many, SABOT_SEED=7 others.
fn thin(house: &'static House, passes: u64, are_all_read: bool) {
    let (passes, seed) = (number("SABOT_PASSES", passes), number("SABOT_SEED", 11));
    let mut dealer = Dealer::new(Settings { seed, ..Settings::of(house) });
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut tables: Vec<Thinned> = Observes::subsets().map(|sights| Thinned::new(dealer.header(), sights)).collect();
    let mut events = Vec::new();
    for _ in 0..passes {
        dealer.next_pass(&mut events);
        if !are_all_read {
            unread(&mut rng, &mut events);
        }
        tables.iter_mut().for_each(|table| table.pass(&events));
    }
    let mut told: BTreeMap<String, (u64, u64, String)> = BTreeMap::new();
    let blamed = tables.iter().filter(|table| !table.false_findings.is_empty()).count();
    for table in &tables {
        for (way, (times, example)) in &table.false_findings {
            let sights = serde_json::to_string(&table.observes).unwrap();
            let row = told.entry(way.clone()).or_insert_with(|| (0, 0, String::new()));
            (row.0, row.1, row.2) = (row.0 + 1, row.1 + times, format!("{sights}\n{example}"));
        }
    }
    for (way, (sets, times, example)) in &told {
        eprintln!("{}: {way}: {times} times under {sets} sets of sights, such as {example}", house.id);
    }
    println!("{}: {passes} passes under 256 sets of sights, {blamed} of them with findings", house.id);
    let all: u64 = told.values().map(|(_, times, _)| times).sum();
    assert_eq!(all, 0, "{}: false findings under {blamed} sets of sights", house.id);
}

fn each_house(passes: u64, are_all_read: bool) {
    let only = std::env::var("SABOT_HOUSE").ok();
    for house in HOUSES.iter().filter(|house| only.as_ref().is_none_or(|id| id == house.id)) {
        thin(house, passes, are_all_read);
    }
}

#[test]
fn whatever_a_table_does_not_see_a_pass_by_the_book_has_no_finding() {
    each_house(60, true);
}

#[test]
fn whatever_a_table_does_not_see_a_card_that_could_not_be_read_accuses_nobody() {
    each_house(60, false);
}
