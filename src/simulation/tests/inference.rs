//! Nothing tells one covered card from another: the same log with another card in its place is answered the same, and
//! shows the same felt, until the card is uncovered. At every step everything that could happen instead is tried too.
//!
//! Two answers are allowed to depend on a covered card: M1 when a card comes out oftener than there are decks (a
//! matter of the decks; the answer names no card), and what is answered to the settling of a bet against a bank that
//! still lies covered (a fact cannot be refused, and is judged by the cards).

use sabot_law::table::event::{Announcement, Authority, Choice, Face, Permit, Question, Ruling, Taken};
use sabot_law::table::{Answer, BetSpot, Card, Event, Felt, HandId, Moved, Place};
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Options};
use sabot_simulation::workload::{HOUSES, House, Settings};

use crate::logs::number;

/// What anybody can read after an event.
#[derive(Debug, PartialEq)]
struct Told {
    answers: String,
    felt: Felt,
}

fn step(table: &mut Validator, line: u64, event: &Event) -> Told {
    let mut answers: Vec<Answer> = Vec::new();
    table.step(line, event, &mut answers);
    let answers = answers.iter().map(|answer| serde_json::to_string(answer).unwrap() + "\n").collect();
    Told { answers, felt: table.felt() }
}

fn told_m1(told: &Told) -> bool {
    told.answers.contains(r#""provision":"M1""#)
}

/// The covered cards at every place.
fn covered(table: &Validator) -> Vec<(Place, usize)> {
    let hands = (1..=7).flat_map(|box_no| (0..2).map(move |hand| Place::Hand(HandId { box_no, hand })));
    hands
        .chain([Place::Bank])
        .map(|place| (place, table.state().pass.lying_at(place).iter().filter(|held| held.down).count()))
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// Where this draw has just laid a covered card.
fn laid_covered(before: &[(Place, usize)], after: &[(Place, usize)]) -> Option<Place> {
    after.iter().find(|now| !before.contains(now)).map(|(place, _)| *place)
}

/// From this event on the card at `place` may show in what is told.
fn uncovers(event: &Event, place: Place, table: &Validator) -> bool {
    let bank_covered = table.state().pass.bank.is_covered();
    match event {
        Event::Reveal { at, .. } => *at == place,
        Event::Move { from, .. } => *from == place,
        Event::End {} => true,
        Event::Collect { .. } | Event::Pay { .. } => place == Place::Bank || bank_covered,
        _ => false,
    }
}

/// Whatever else could happen at this moment.
fn probes() -> Vec<Event> {
    let mut all = vec![
        Event::CloseBets {},
        Event::CutCard {},
        Event::Shuffle { decks: 8, cards: 416 },
        Event::Load { cards: 416, cut_card: 52 },
        Event::Device { device: "shoe".into(), status: "empty".into(), detail: None, complete: false },
        Event::Announce { what: Announcement::NextCardsForBank, place: None, value: None },
        Event::Reveal { at: Place::Bank, card: None },
        Event::Report { by: "I-1".into(), role: "inspector".into(), provision: None, place: None, note: "n".into() },
    ];
    for what in Permit::ALL {
        all.push(Event::Authorize { by: "I-1".into(), role: Authority::Inspector, what: *what });
    }
    for decision in Ruling::ALL {
        all.push(Event::Rule { by: "R-1".into(), role: "room".into(), decision: *decision, finding: None });
    }
    let hands = [(1, 0), (2, 0), (3, 0), (1, 1), (2, 1)].map(|(box_no, hand)| HandId { box_no, hand });
    for place in hands.map(Place::from).into_iter().chain([Place::Bank]) {
        let seven: Card = "7S".parse().unwrap();
        all.extend([None, Some(Face::Up), Some(Face::Down)].map(|face| Event::Draw {
            card: seven,
            to: Some(place),
            face,
        }));
        for total in [10, 17, 21, 22] {
            let (place, value) = (Some(place), Some(total));
            all.push(Event::Announce { what: Announcement::Total, place, value });
        }
        all.push(Event::Reveal { at: place, card: None });
        all.push(Event::Move { from: place, to: Place::Discard, cards: None });
        all.push(Event::Move { from: place, to: Place::Burn, cards: Some(Moved::Count(1)) });
    }
    for hand in hands {
        all.extend(Question::ALL.iter().map(|about| Event::Ask { hand, about: *about }));
        all.extend(Choice::ALL.iter().map(|choice| Event::Decide { hand, choice: *choice, by: None }));
        all.extend([1, 11].map(|value| Event::Ace { hand, value, by: None }));
        all.extend([true, false].map(|yes| Event::Consent { hand, yes }));
        all.extend(Taken::ALL.iter().map(|option| Event::Choose { hand, option: *option }));
        for (spot, amount) in [(BetSpot::Main, 50_000), (BetSpot::Double, 50_000), (BetSpot::Insurance, 25_000)] {
            all.push(Event::Bet { hand, spot, amount, player: None, chips: Vec::new() });
            all.push(Event::Collect { hand, amount, spot });
            all.push(Event::Pay { hand, amount, spot });
        }
    }
    all.push(Event::Draw { card: "7S".parse().unwrap(), to: None, face: None });
    all
}

/// How much was looked at, and what told cards apart: one line a way, with an example.
#[derive(Default)]
struct Inquiry {
    cards: u64,
    steps: u64,
    probes: u64,
    leaks: std::collections::BTreeMap<String, (u64, String)>,
}

impl Inquiry {
    fn leak(&mut self, way: String, example: impl FnOnce() -> String) {
        self.leaks.entry(way).or_insert_with(|| (0, example())).0 += 1;
    }

    /// Goes through one pass; `table` stands where it begins, and where it ends afterwards.
    fn pass(&mut self, table: &mut Validator, first: u64, events: &[Event], alternatives: &[Card], probes: &[Event]) {
        for (n, event) in events.iter().enumerate() {
            let before = covered(table);
            let world = table.clone();
            step(table, first + n as u64, event);
            if let Event::Draw { card, to, face } = event
                && let Some(place) = laid_covered(&before, &covered(table))
                && *card != Card::UNREAD
                && !world.state().supply.exceeds_decks(*card)
            {
                for other in alternatives.iter().filter(|other| !world.state().supply.exceeds_decks(**other)) {
                    let instead = Event::Draw { card: *other, to: *to, face: *face };
                    self.cards += 1;
                    self.both(&world, first + n as u64, place, &events[n..], &instead, probes);
                }
            }
        }
    }

    /// The events from a covered draw on, in two worlds.
    fn both(
        &mut self,
        start: &Validator,
        line: u64,
        place: Place,
        events: &[Event],
        instead: &Event,
        probes: &[Event],
    ) {
        let (mut here, mut there) = (start.clone(), start.clone());
        for (n, event) in events.iter().enumerate() {
            if n > 0 && uncovers(event, place, &here) {
                return;
            }
            let line = line + n as u64;
            let (a, b) = (step(&mut here, line, event), step(&mut there, line, if n == 0 { instead } else { event }));
            if told_m1(&a) || told_m1(&b) {
                return;
            }
            self.steps += 1;
            if a != b {
                let way = way(&a, &b, event, place);
                return self.leak(way, || example(&events[..=n], instead, &a, &b));
            }
            for probe in probes.iter().filter(|probe| !uncovers(probe, place, &here)) {
                self.probes += 1;
                let (a, b) = (step(&mut here.clone(), line + 1, probe), step(&mut there.clone(), line + 1, probe));
                if a != b && !told_m1(&a) && !told_m1(&b) {
                    let way = format!("instead: {}", way(&a, &b, probe, place));
                    self.leak(way, || {
                        let happened: Vec<Event> = events[..=n].iter().chain([probe]).cloned().collect();
                        example(&happened, instead, &a, &b)
                    });
                }
            }
        }
    }
}

fn way(a: &Told, b: &Told, event: &Event, place: Place) -> String {
    let kind = serde_json::to_value(event).unwrap()["ev"].to_string();
    let whose = if place == Place::Bank { "the bank's" } else { "a box's" };
    let words = |told: &Told| {
        let due: Vec<&str> =
            told.felt.due.iter().map(|due| due.en.split([':', '(']).next().unwrap_or("").trim()).collect();
        let due: Vec<String> = due.iter().map(|due| due.replace(|c: char| c.is_ascii_digit(), "_")).collect();
        due.join(" · ")
    };
    let provisions = |told: &Told| {
        let lines = told.answers.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let ids: Vec<String> = lines.map(|answer| format!("{}{}", answer["out"], answer["provision"])).collect();
        ids.join(",")
    };
    if a.answers != b.answers {
        format!("{whose} card by answers to {kind}: {} / {}", provisions(a), provisions(b))
    } else if a.felt.due != b.felt.due {
        format!("{whose} card by what is due after {kind}: {} / {}", words(a), words(b))
    } else {
        format!("{whose} card by the felt after {kind}: phase {:?} / {:?}", a.felt.phase, b.felt.phase)
    }
}

fn example(events: &[Event], instead: &Event, a: &Told, b: &Told) -> String {
    let log: Vec<String> = events.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    let due = |told: &Told| told.felt.due.iter().map(|due| due.en.clone()).collect::<Vec<_>>().join(" · ");
    let instead = serde_json::to_string(instead).unwrap();
    let differs: Vec<String> =
        a.felt.boxes.iter().zip(&b.felt.boxes).filter(|(a, b)| a != b).map(|(a, b)| format!("{a:?} / {b:?}")).collect();
    format!(
        "{}\n    with {instead} instead:\n    {}    / {}\n    due {} / {}\n    {differs:?}",
        log.join("\n    "),
        a.answers,
        b.answers,
        due(a),
        due(b)
    )
}

/// A share of the passes deviates. SABOT_PASSES=500 looks at so many.
fn inquire(house: &'static House, rate: f64, passes: u64, seed: u64) -> Inquiry {
    let passes = number("SABOT_PASSES", passes);
    let settings = Settings { seed, boxes: 3, ..Settings::of(house) };
    let mut dealt = Deviating::new(Options { rate, blind: 0.0, ..Options::of(settings) });
    let (mut judge, mut table) =
        (Validator::new(dealt.header().clone()).unwrap(), Validator::new(dealt.header().clone()).unwrap());
    let alternatives = ["AS", "2H", "6D", "9C", "KS"].map(|card| card.parse().unwrap());
    let (probes, mut inquiry, mut events, mut line) = (probes(), Inquiry::default(), Vec::new(), 2);
    for pass in 0..passes {
        dealt.next_pass(&mut events, |line, event, answers| judge.step(line, event, answers));
        // probing is dear: every sixth pass
        let probes = if pass % 6 == 0 { probes.as_slice() } else { &[] };
        inquiry.pass(&mut table, line, &events, &alternatives, probes);
        line += events.len() as u64;
    }
    inquiry
}

fn report(inquiry: &Inquiry, house: &str, seed: u64) {
    let Inquiry { cards, steps, probes, leaks } = inquiry;
    println!("{house}, seed {seed}: {cards} other cards, {steps} steps, {probes} things tried instead");
    for (way, (times, example)) in leaks {
        eprintln!("{times} times {way}\n    {example}\n");
    }
    assert!(leaks.is_empty(), "{house}, seed {seed}: a covered card can be told in {} ways", leaks.len());
}

#[test]
fn passes_by_the_book_do_not_tell_a_covered_card() {
    let inquiry = inquire(House::named("sala-8").unwrap(), 0.0, 13, 3);
    report(&inquiry, "sala-8", 3);
    assert!(inquiry.cards > 50 && inquiry.steps > 500 && inquiry.probes > 10_000, "too little was looked at");
}

#[test]
fn passes_that_deviate_do_not_tell_a_covered_card() {
    for house in HOUSES {
        let inquiry = inquire(house, 1.0, 100, 4);
        report(&inquiry, house.id, 4);
        assert!(inquiry.cards > 10 && inquiry.steps > 50, "too little was looked at");
    }
}
