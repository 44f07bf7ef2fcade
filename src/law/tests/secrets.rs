//! Two logs that differ in nothing but a covered card are answered alike, and the same is due, until the event that
//! uncovers it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sabot_law::table::answer::Lang;
use sabot_law::table::{Card, Event, Header, Observes, Place, line};
use sabot_law::validator::Validator;

use crate::matrix;
use crate::scenarios::{steps, tables};

const RANKS: [char; 13] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'];

/// A log, read: its header and its events.
struct Log {
    header: Header,
    events: Vec<Event>,
}

impl Log {
    fn of<'a>(mut lines: impl Iterator<Item = &'a str>) -> Self {
        let header = line::header(lines.next().unwrap().as_bytes()).unwrap();
        Self { header, events: lines.map(|json| line::event(json.as_bytes()).unwrap()).collect() }
    }

    fn table(&self) -> Validator {
        Validator::new(self.header.clone()).unwrap().in_language(Lang::En)
    }

    /// The events that cover a card, each with the place and until which event it stays so.
    fn covers(&self) -> Vec<(usize, Place, usize)> {
        // where a sight is missing, cards are taken to be turned up at other events
        if self.header.observes != Observes::default() {
            return Vec::new();
        }
        let mut table = self.table();
        let mut covers = Vec::new();
        for (n, event) in self.events.iter().enumerate() {
            table.step(n as u64 + 2, event, &mut Vec::new());
            let Event::Draw { to: Some(place), card, .. } = event else { continue };
            // whether a card could be read is no secret
            if *card != Card::UNREAD && table.state().pass.lying_at(*place).last().is_some_and(|held| held.down) {
                let after = self.events[n..].iter().position(|event| uncovers(event, *place));
                covers.push((n, *place, after.map_or(self.events.len(), |more| n + more)));
            }
        }
        covers
    }

    /// The same with another card at one of its draws.
    fn with_card(&self, at: usize, rank: char) -> Self {
        let mut events = self.events.clone();
        if let Event::Draw { card, .. } = &mut events[at] {
            *card = format!("{rank}S").parse::<Card>().unwrap();
        }
        Self { header: self.header.clone(), events }
    }
}

/// Whether a card covered at a place is turned up, or the pass ends.
fn uncovers(event: &Event, place: Place) -> bool {
    matches!(event, Event::End {}) || matches!(event, Event::Reveal { at, .. } if *at == place)
}

/// All that anybody is told by an event: the answers, the felt, what is due, what may be entered next.
fn told(table: &mut Validator, line: u64, event: &Event) -> String {
    let mut answers = Vec::new();
    table.step(line, event, &mut answers);
    let mut text = String::new();
    for answer in &answers {
        writeln!(text, "{}", serde_json::to_string(answer).unwrap()).unwrap();
    }
    writeln!(text, "{:?}\n{}", table.felt(), serde_json::to_string(&table.due(line)).unwrap()).unwrap();
    writeln!(text, "{}", serde_json::to_string(&table.offers()).unwrap()).unwrap();
    text
}

/// Where a log tells something of a covered card.
fn leaks(name: &str, log: &Log) -> String {
    let mut text = String::new();
    for (at, place, until) in log.covers() {
        let mut known = log.table();
        let mut others: Vec<_> = RANKS
            .map(|rank| (rank, log.with_card(at, rank)))
            .into_iter()
            .map(|(rank, log)| (rank, log.table(), log))
            .collect();
        for n in 0..until {
            let line = n as u64 + 2;
            let is_told = told(&mut known, line, &log.events[n]);
            for (rank, table, other) in &mut others {
                if told(table, line, &other.events[n]) != is_told {
                    writeln!(text, "{name}: `{rank}` at {place} is told by {:?}", log.events[n]).unwrap();
                }
            }
        }
    }
    text
}

/// Passes in which a card lies covered while much is done rightly and wrongly.
const SCRIPTS: &[(&str, &str)] = &[
    (
        "sala-8",
        "open\nbets 1 2 3\ndeal 8H 5C TD 9S TC 9D QH 8D\nstand 1, 2, 3\ncollect 2 50\npay 1 50, 3 75\nreveal bank\nend",
    ),
    (
        "sala-8",
        "open\nbets 1 2 3\ndeal 8H 5C TD 9S TC 9D QH 8D\nstand 1, 2, 3\ncollect 1 50, 2 50, 3 50\ndiscard 1, 2, 3, bank\nend",
    ),
    (
        "sala-8",
        "open\nbets 1 2 3\ndeal AH 5C TD AS\nask 1 insurance\ndecline 1\ndraw TC 1, 9D 2, QH 3, TS bank\npay 1 75\ndiscard 1\nhit 2\ndraw KD 2\ncollect 2 50\ndiscard 2\nstand 3\nannounce\nreveal bank\nend",
    ),
    (
        "sala-8",
        "open\nbets 1 2 3\ndeal 8H 5C TD 9S TC 6D QH 8D\nstand 1\nask 2 double\ndouble 2\nbet 2 double 50\ndraw 9H 2 down\nstand 3\nreveal bank\ncollect 2 100\npay 1 50, 2 100\ndiscard 1, 2\npay 3 50\nreveal 2\nend",
    ),
    (
        "sala-8",
        "open\nbets 1 2 3\ndeal 8H 5C TD 9S TC 6D QH 8D\nstand 1\nask 2 double\ndouble 2\ndraw 9H 2 down\nbet 2 double 50\ndraw 2C 2 down\nburn 2 1\nstand 3\ndraw 3C bank\nburn bank 1\ndevice shoe empty\nreveal bank\nend",
    ),
    (
        "sala-8",
        "open\nbets 1 2 3\ndeal 8H 5C TD 9S TC 9D QH 8D\ndiscard bank 1\nauthorize next\nsay next\ndraw 7C bank\nstand 1\ndiscard 2\nstand 3\ncollect 2 50\npay 1 50, 3 50\nburn bank 1\nend",
    ),
    (
        "sala-8",
        "open\nbets 1 2 3\ndraw 8H 1 down, 5C 2, TD 3, 9S bank down, TC 1, 9D 2 down, QH 3, 8D bank\nask 1 card\nhit 1\ndraw 2C 1\nstand 1\nace 2 1\nstand 2\nsplit 3\nbet 3 split 50\ndraw 4C 3\ndevice shoe empty\nend",
    ),
    (
        "sala-8",
        "open\nbets 1 2 3\ndeal 8H 5C TD 9S TC 9D QH\ndraw 8D bank up\ndraw 8C bank\nstand 1, 2, 3\ncollect 2 50\nreveal bank\nend",
    ),
    (
        "talla",
        "open\nbets 2 1\ndeal 8C TD 6S\ndraw 8D 2 down, QH 1\nask 2 card\ndouble 2\nbet 2 double 50\nstand 2, 1\ndraw TC bank down\ndraw 2D bank\ncollect 2 50\npay 1 50\ndiscard 2, 1\nend",
    ),
    (
        "talla",
        "open\nbets 2 1\ndraw 8C 2 down\ndraw TD 1\ndraw AS bank down\ndraw 8D 2, QH 1\nstand 2, 1\nask 2 insurance\nbet 2 insurance 25\ndraw TC bank\ncollect 2 50\npay 1 50\nend",
    ),
    (
        "club",
        "bank turn P3\nopen\nbets 1 2\ndraw 8C 2 down\ndraw TD 1, 6S bank down, 8D 2, AH 1\nstand 2\npay 1 75\nstand 1\ndraw TC bank\ncollect 2 50\ndiscard 2\nend",
    ),
    (
        "croupier-6",
        "open\nbets 1 2 3\ndraw 8H 1 down, 5C 2, TD 3, 9S bank down, TC 1, 9D 2 down, QH 3\nstand 1\nhit 2\ndraw KC 2\ncollect 2 50\nstand 3\ndraw 7C bank\npay 1 50, 3 50\ndiscard 1\nend",
    ),
    (
        "croupier-6",
        "open\nbets 1 2 3\ndraw 8H 1 down, 5C 2, TD 3, 9S bank, TC 1, 9D 2, QH 3\nhit 1\ndraw 2C 1\nstand 1, 2, 3\ndraw 7C bank\nend",
    ),
    ("club", "bank turn P3\nopen\nbets 1\ndraw 6H 1, QD bank, 4S 1 down\nhit 1\ndraw KD 1\nstand 1\ndraw 4H bank\nend"),
    ("talla", "open\nbets 1\ndraw QC 1 down, 8C bank, 9D 1\nask 1 double\ndouble 1\nbet 1 double 50\ndraw 8H 1\nend"),
    (
        "talla",
        "open\nbets 2 1\ndraw TD 2, 8C 1, 6S bank, 8D 2 down, QH 1\nstand 2\nhit 2\ndraw 9C 2\nhit 2\nstand 1\nend",
    ),
    (
        "sala-8",
        "open\nbets 1 2 3\ndraw 8H 1 down, 5C 2, TD 3, 9S bank, 8C 1, 9D 2, QH 3\ndraw 8D bank\nhit 1\nstand 1\nend",
    ),
];

#[test]
fn a_covered_card_is_told_by_nothing_in_scripted_passes() {
    let mut text = String::new();
    for (n, (house, lines)) in SCRIPTS.iter().enumerate() {
        let lines = lines.replace("announce\n", "total 2 20\n");
        let steps = steps(house, &lines);
        let log = Log::of(steps.iter().map(|step| step.json.as_str()));
        assert!(!log.covers().is_empty(), "{house} {n} covers no card");
        text += &leaks(&format!("{house} {n}"), &log);
    }
    assert!(text.is_empty(), "{} lines\n{text}", text.lines().count());
}

#[test]
fn a_covered_card_is_told_by_nothing_in_any_example_or_table() {
    let mut text = String::new();
    for house in sabot_law::regulation::ALL {
        for article in house.articles.iter() {
            for case in sabot_handbook::examples::cases(article).unwrap() {
                let json = case.scenario.log();
                text += &leaks(&format!("{} {}/{}", house.id, article.id, case.name), &Log::of(json.lines()));
            }
        }
    }
    for (file, scenarios) in tables() {
        for scenario in scenarios {
            text += &leaks(&format!("{file}: {}", scenario.name), &Log::of(scenario.log().lines()));
        }
    }
    assert!(text.is_empty(), "{} lines\n{text}", text.lines().count());
}

/// A state in which a card lies covered.
struct Covered {
    name: String,
    place: Place,
    /// The table by each rank of that card.
    tables: Vec<Validator>,
    /// The number of the next line.
    line: u64,
    /// What may come next and does not uncover it.
    events: Vec<Event>,
}

/// Every card that lies covered in a state of the matrix.
fn covered_in_any_state() -> impl Iterator<Item = Covered> {
    matrix::cells().flat_map(|(name, way, events)| {
        let log = Log::of(way.iter().map(|step| step.json.as_str()));
        let events: Vec<_> = events.iter().map(|event| line::event(event.json.as_bytes()).unwrap()).collect();
        let lasts = log.covers().into_iter().filter(|(.., until)| *until >= log.events.len());
        let covered = lasts.map(|(at, place, _)| Covered {
            name: name.clone(),
            place,
            tables: RANKS.map(|rank| reached(&log.with_card(at, rank))).into(),
            line: log.events.len() as u64 + 2,
            events: events.iter().filter(|event| !uncovers(event, place)).cloned().collect(),
        });
        covered.collect::<Vec<_>>()
    })
}

#[test]
fn a_covered_card_is_told_by_no_event_in_any_state() {
    let mut text = String::new();
    for Covered { name, place, tables, line, events } in covered_in_any_state() {
        for event in &events {
            let all: BTreeSet<_> = tables.iter().map(|table| told(&mut table.clone(), line, event)).collect();
            if all.len() > 1 {
                writeln!(text, "{name}: the card at {place} is told by {event:?}").unwrap();
            }
        }
    }
    assert!(text.is_empty(), "{} lines\n{text}", text.lines().count());
}

/// The ways to clear a covered card from its place: alone or after all others, paid before or not, and perhaps another
/// card drawn there.
fn ways_to_clear(table: &Validator, at: Place) -> impl Iterator<Item = Vec<Event>> {
    let clears = |from: Place| format!(r#"{{"ev":"move","from":"{from}","to":"discard"}}"#);
    let hands: Vec<_> = table.state().pass.hands().map(|(id, _)| id).collect();
    let pays: Vec<_> = hands.iter().map(|id| format!(r#"{{"ev":"pay","box":"{id}","amount":50}}"#)).collect();
    let others: Vec<_> = hands.iter().map(|id| Place::from(*id)).filter(|from| *from != at).map(clears).collect();
    let draw = vec![format!(r#"{{"ev":"draw","card":"4S","to":"{at}"}}"#)];
    let cleared = vec![clears(at)];
    (0..8).map(move |n| {
        let parts = [(n & 1 > 0, &pays), (n & 2 > 0, &others), (true, &cleared), (n & 4 > 0, &draw)];
        let lines = parts.into_iter().filter(|(is_in, _)| *is_in).flat_map(|(_, lines)| lines);
        lines.map(|json| line::event(json.as_bytes()).unwrap()).collect()
    })
}

#[test]
fn a_covered_card_is_told_by_nothing_once_it_has_been_put_away() {
    let mut text = String::new();
    for Covered { name, place, tables: begun, line, events } in covered_in_any_state() {
        for clears in ways_to_clear(&begun[0], place) {
            let mut tables = begun.clone();
            let mut tells = |tables: &mut [Validator], event: &Event| {
                let all: BTreeSet<_> = tables.iter_mut().map(|table| told(table, line, event)).collect();
                if all.len() > 1 {
                    writeln!(text, "{name}: the card at {place} is told by {event:?}, one of {clears:?}").unwrap();
                }
            };
            clears.iter().for_each(|event| tells(&mut tables, event));
            events.iter().for_each(|event| tells(&mut tables.clone(), event));
        }
    }
    assert!(text.is_empty(), "{} lines\n{text}", text.lines().count());
}

/// The table after the whole log.
fn reached(log: &Log) -> Validator {
    let mut table = log.table();
    for (n, event) in log.events.iter().enumerate() {
        table.step(n as u64 + 2, event, &mut Vec::new());
    }
    table
}

const MONEY: [&str; 9] = [
    "collect 1 50",
    "pay 1 50",
    "pay 1 75",
    "collect 2 50",
    "pay 2 100",
    "collect 3 50",
    "pay 3 75",
    "collect 2 100",
    "pay 3 20",
];

/// Where any two of these events tell something of a covered card, after some lines.
fn leaks_of_money(before: &str) -> String {
    let mut text = String::new();
    for one in MONEY {
        let pairs = MONEY.iter().map(|other| format!("{before}\n{one}\n{other}"));
        for lines in pairs.chain([format!("{before}\n{one}\ndiscard 1\ndiscard 2")]) {
            let steps = steps("sala-8", &lines);
            let log = Log::of(steps.iter().map(|step| step.json.as_str()));
            assert!(!log.covers().is_empty(), "{lines} covers no card");
            text += &leaks(&lines, &log);
        }
    }
    text
}

#[test]
fn a_payment_or_collection_tells_nothing_of_the_banks_covered_card() {
    for phase in ["", "stand 1", "stand 1\nhit 3\ndraw 9C 3", "stand 1\nstand 3"] {
        let text = leaks_of_money(&format!("open\nbets 1 2 3\nclose\ndeal 8H AD 7C 9S KH TH 6D 8C\n{phase}"));
        assert!(text.is_empty(), "{text}");
    }
}

#[test]
fn nor_of_a_doubled_hands_card() {
    let double = "open\nbets 1 2 3\nclose\ndeal 8H 5D 7C 9S KH 6H TD 8C\nstand 1\nask 2 double\ndouble 2\nbet 2 double 50\ndraw 9C 2\nstand 3";
    for seen in ["", "reveal bank"] {
        let text = leaks_of_money(&format!("{double}\n{seen}"));
        assert!(text.is_empty(), "{text}");
    }
}
