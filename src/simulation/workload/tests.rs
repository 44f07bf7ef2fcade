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
const OTHERS: &[&str] = &[
    r#""min_decks":4,"max_decks":5"#,
    r#""min_bets":2"#,
    r#""min_seated":2"#,
    r#""max_seated":4"#,
    r#""cut_deeper_than":20"#,
    r#""behind_cut_card":[60,70]"#,
    r#""behind_cut_card":[5,12]"#,
    r#""first_box":"right""#,
    r#""first_box":"left""#,
    r#""bank_second_card":"covered""#,
    r#""bank_second_card":"after_play""#,
    r#""bank_stands":16"#,
    r#""bank_stands":18"#,
    r#""bank_hits_soft_17":true"#,
    r#""bank_ace":"kept""#,
    r#""bank_ace":"best""#,
    r#""bank_later_ace":"from_17""#,
    r#""bank_draws_against_blackjacks":false"#,
    r#""ace_is_declared":true"#,
    r#""ace_is_declared":false"#,
    r#""hit_at_21":true"#,
    r#""hit_at_21":false"#,
    r#""losers_first":true"#,
    r#""losers_first":false"#,
    r#""blackjack":"6:5""#,
    r#""blackjack_at_once":true"#,
    r#""blackjack_at_once":false"#,
    r#""blackjack_may_be_early":true"#,
    r#""blackjack_beats_21":false"#,
    r#""even_money":true"#,
    r#""split_blackjack":true"#,
    r#""split_blackjack":false"#,
    r#""split_ten_blackjack":"1:1""#,
    r#""split_ace_blackjack":"2:1""#,
    r#""double_on":"never""#,
    r#""double_on":"eleven""#,
    r#""double_on":"nine_to_eleven""#,
    r#""double_on":"any""#,
    r#""double_after_split":true"#,
    r#""double_card":"up""#,
    r#""double_card":"down""#,
    r#""pairs":"figures""#,
    r#""max_hands":3"#,
    r#""max_hands":8"#,
    r#""split_aces_one_card":true"#,
    r#""split_aces_one_card":false"#,
    r#""split_aces_again":true"#,
    r#""split_aces_again":false"#,
    r#""insurance_when":"never""#,
    r#""insurance_when":"own_ace""#,
    r#""insurance_when":"before_play""#,
    r#""insurance_when":"after_play""#,
    r#""insurance":"3:1""#,
    r#""insurance_part":"1:3""#,
    r#""insurance_may_be_less":true"#,
    r#""surrender":"early""#,
    r#""surrender":"late""#,
    r#""chip":500"#,
    r#""forgotten_bet":true"#,
    r#""forgotten_bet":false"#,
    r#""bet_multiple":25"#,
    r#""insurance_multiple":10"#,
    r#""first_hand_keeps_bank":"session""#,
];

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
        let mut all: Vec<Changes> = OTHERS.iter().map(|text| read(text)).collect();
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
