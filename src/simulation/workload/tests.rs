use std::collections::HashSet;

use super::*;
use sabot_law::regulation;
use sabot_law::table::Answer;
use sabot_law::validator::Validator;

/// Deals passes to a validator; the log of the first pass in which anything is found.
fn first_finding(settings: Settings, passes: u64) -> Option<String> {
    let mut dealer = Dealer::new(settings.clone());
    let mut validator = Validator::new(dealer.header().clone()).unwrap();
    let (mut events, mut answers, mut line) = (Vec::new(), Vec::new(), 1);
    for pass in 1..=passes {
        dealer.next_pass(&mut events);
        for event in &events {
            line += 1;
            validator.step(line, event, &mut answers);
        }
        let found = answers.iter().find(|answer| matches!(answer, Answer::Finding(_)));
        if let Some(found) = found {
            let first = line + 1 - events.len() as u64;
            let log =
                (first..).zip(&events).map(|(n, event)| format!("{n} {}\n", serde_json::to_string(event).unwrap()));
            let found = serde_json::to_string(found).unwrap();
            let header = serde_json::to_string(dealer.header()).unwrap();
            return Some(format!("seed {} pass {pass}\n{header}\n{}{found}", settings.seed, log.collect::<String>()));
        }
        answers.clear();
    }
    None
}

#[test]
fn a_legal_pass_of_any_house_has_no_finding() {
    for house in HOUSES {
        for boxes in 3..=7 {
            let settings = Settings { seed: u64::from(boxes), boxes, ..Settings::of(house) };
            if let Some(log) = first_finding(settings, 600) {
                panic!("{}: {log}", house.id);
            }
        }
    }
}

/// Other figures than a house's own, one setting each.
const OTHERS: &str = include_str!("others.txt");

/// The settings that articles of a house name.
fn named_by(house: &House) -> Vec<&'static str> {
    let articles = regulation::find(house.id).unwrap().articles.iter();
    articles.flat_map(|article| article.settings.iter().copied()).collect()
}

#[test]
fn other_figures_are_dealt_by_alone_and_together() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let read = |text: &str| -> Changes { serde_json::from_str(&format!("{{{text}}}")).unwrap() };
    for house in HOUSES {
        let named = named_by(house);
        let known = |name: &&str| named.contains(name) && house.heeds(name);
        let mut all: Vec<Changes> = OTHERS.lines().map(read).collect();
        all.retain(|changes| changes.names().iter().all(known));
        let together = (0..100).map(|_| {
            let one = |_| all[rng.random_range(0..all.len())].clone();
            (0..4).map(one).fold(Changes::default(), |changes, other| changes.then(&other))
        });
        let together: Vec<Changes> = together.collect();
        for changes in all.iter().chain(&together) {
            let settings = Settings { changes: changes.clone(), ..Settings::of(house) };
            if let Some(log) = first_finding(settings, 40) {
                panic!("{} {}: {log}", house.id, serde_json::to_string(changes).unwrap());
            }
        }
    }
}

#[test]
fn passes_of_every_sort_are_dealt() {
    for house in HOUSES {
        let mut dealer = Dealer::new(Settings::of(house));
        let (mut seen, mut events) = (HashSet::new(), Vec::new());
        for _ in 0..4000 {
            dealer.next_pass(&mut events);
            let bank = dealer.book.bank_total(&dealer.bank);
            seen.insert(format!("a bank of {} in {} cards", bank.min(22), dealer.bank.len().clamp(2, 3)));
            seen.insert(format!("{} hands", dealer.hands.len().min(7)));
            for hand in &dealer.hands {
                seen.insert(format!("hand {}", hand.id.hand + 1));
                let bettors = dealer.hands.iter().filter(|other| other.bettor == hand.bettor && !other.split).count();
                let marks = [
                    (hand.double > 0, "a double"),
                    (hand.double > 0 && hand.split, "a double of a split"),
                    (hand.split && hand.insurance > 0 && hand.id.hand == 1, "a second ace insured"),
                    (hand.split && cards::is_black_jack(&hand.cards), "an ace with a ten of a split"),
                    (hand.insurance > 0, "insurance"),
                    (hand.surrendered, "surrender"),
                    (hand.even_money, "even money"),
                    (bettors > 1, "several boxes of one player"),
                ];
                seen.extend(marks.iter().filter(|(is, _)| *is).map(|(_, what)| (*what).to_owned()));
            }
            for event in &events {
                match event {
                    Event::Bank { how, .. } => seen.insert(format!("bank {how}")),
                    Event::Share { what, .. } => seen.insert(format!("share {what}")),
                    Event::Authorize { what, .. } => seen.insert(format!("authorize {what}")),
                    event => seen.insert(format!("{:?}", event.kind())),
                };
            }
        }
        let max = house.book.max_hands;
        let mut wanted: Vec<String> = (17..=22).map(|bank| format!("a bank of {bank} in 3 cards")).collect();
        wanted.extend((17..=21).map(|bank| format!("a bank of {bank} in 2 cards")));
        wanted.extend((1..=max).map(|hand| format!("hand {hand}")));
        wanted.extend(["CutCard", "Leave", "Load", "Pay", "Collect"].map(String::from));
        wanted.extend(RICH.iter().find(|(id, _)| *id == house.id).unwrap().1.iter().map(|&what| what.to_owned()));
        for what in wanted {
            assert!(seen.contains(&what), "{}: never dealt: {what}", house.id);
        }
    }
}

/// What passes of each house have among them.
const RICH: &[(&str, &[&str])] = &[
    (
        "sala-8",
        &[
            "a double",
            "a second ace insured",
            "an ace with a ten of a split",
            "insurance",
            "several boxes of one player",
            "authorize deck_change",
            "Request",
            "Ace",
            "Reveal",
        ],
    ),
    (
        "talla",
        &[
            "a double",
            "an ace with a ten of a split",
            "insurance",
            "surrender",
            "even money",
            "several boxes of one player",
            "bank drawn",
            "bank taken",
            "bank left",
            "bank given",
            "bank sold",
            "bank returned",
        ],
    ),
    (
        "club",
        &[
            "a double",
            "a double of a split",
            "an ace with a ten of a split",
            "insurance",
            "bank turn",
            "share advance",
            "share dividend",
            "OfferCut",
            "Device",
        ],
    ),
    ("croupier-6", &["several boxes of one player", "Request"]),
];

#[test]
fn one_seed_deals_one_log_and_another_seed_another() {
    for house in HOUSES {
        let log = |seed| {
            let mut dealer = Dealer::new(Settings { seed, ..Settings::of(house) });
            let deal = |_| {
                let mut events = Vec::new();
                dealer.next_pass(&mut events);
                events
            };
            (0..60).flat_map(deal).collect::<Vec<Event>>()
        };
        assert_eq!(log(7), log(7));
        assert_ne!(log(7), log(8));
    }
}
