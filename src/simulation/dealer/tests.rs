use std::collections::HashSet;

use super::sala8::{HOUSE, kinds};
use super::*;

fn dealer(house: &'static House, seed: u64, rate: f64, kinds: &[Kind]) -> SimulatedDealer {
    let rhythm = Rhythm::Chance(rate);
    SimulatedDealer::new(Settings { seed, rhythm, kinds: kinds.to_vec(), ..Settings::of(house) })
}

/// Deals passes; for each its events and the number of its first line.
fn deal(dealer: &mut SimulatedDealer, passes: usize, mut look: impl FnMut(&SimulatedDealer, &[Event], LineNo)) {
    let mut events = Vec::new();
    let mut line = 2;
    for _ in 0..passes {
        dealer.next_pass(&mut events);
        look(dealer, &events, line);
        line += events.len() as LineNo;
    }
}

#[test]
fn one_seed_deals_one_log_and_another_seed_another() {
    for house in HOUSES {
        let log = |seed| {
            let mut all = Vec::new();
            deal(&mut dealer(house, seed, 0.5, house.kinds), 60, |_, events, _| all.extend_from_slice(events));
            all
        };
        assert_eq!(log(7), log(7));
        assert_ne!(log(7), log(8));
    }
}

#[test]
fn by_the_book_nothing_is_expected_to_be_found() {
    for house in HOUSES {
        deal(&mut dealer(house, 2, 0.0, house.kinds), 400, |dealer, _, _| assert_eq!(dealer.expected(), []));
    }
}

#[test]
fn no_card_comes_out_more_often_than_there_are_decks() {
    for house in HOUSES {
        let mut out = [0; DECK];
        let mut decks = 0;
        deal(&mut dealer(house, 3, 0.0, house.kinds), 400, |_, events, _| {
            for event in events {
                match event {
                    Event::Shuffle { decks: shuffled, .. } => decks = *shuffled,
                    Event::Load { .. } => out = [0; DECK],
                    Event::Draw { card, .. } => {
                        let count = &mut out[card.index().unwrap()];
                        *count += 1;
                        assert!(*count <= decks, "{}: {card}", house.id);
                    }
                    _ => {}
                }
            }
        });
    }
}

#[test]
fn every_event_of_every_house_is_read_back_as_it_is_written() {
    for house in HOUSES {
        deal(&mut dealer(house, 8, 1.0, house.kinds), 300, |_, events, _| {
            for event in events {
                let text = serde_json::to_vec(event).unwrap();
                let read = sabot_law::table::line::event(&text).unwrap();
                assert_eq!(&read, event, "{}", String::from_utf8_lossy(&text));
            }
        });
    }
}

#[test]
fn passes_of_every_sort_are_dealt() {
    let mut seen = HashSet::new();
    deal(&mut dealer(&HOUSE, 4, 0.0, HOUSE.kinds), 3000, |dealer, events, _| {
        seen.insert(format!("{} boxes", dealer.hands.iter().filter(|hand| hand.id.hand == 0).count()));
        for hand in &dealer.hands {
            if hand.split_ace && naive::is_black_jack(&hand.cards) {
                seen.insert("Black Jack on a split ace".into());
            }
            if hand.id.hand == 1 && hand.insurance > 0 {
                seen.insert("insured second ace".into());
            }
            if hand.double > 0 {
                seen.insert("double".into());
            }
        }
        let over = dealer.hands.iter().all(|hand| hand.double == 0 && hand.is_over());
        if over && dealer.bank.len() == 2 {
            seen.insert("all over".into());
        }
        for event in events {
            let sort = match event {
                Event::CutCard {} => "cut card",
                Event::Leave { .. } => "leaves",
                Event::Request { t: Some(_), .. } => "asked at once",
                Event::Authorize { what: Permit::DeckChange, .. } => "deck change",
                Event::Ace { value: 1, .. } => "low ace",
                Event::Ace { .. } => "high ace",
                Event::Pay { spot: BetSpot::Insurance, .. } => "insurance won",
                Event::Collect { spot: BetSpot::Insurance, .. } => "insurance lost",
                _ => continue,
            };
            seen.insert(sort.into());
        }
    });
    let boxes = (3..=7).map(|boxes| format!("{boxes} boxes"));
    let others = [
        "Black Jack on a split ace",
        "insured second ace",
        "double",
        "all over",
        "cut card",
        "leaves",
        "asked at once",
        "deck change",
        "low ace",
        "high ace",
        "insurance won",
        "insurance lost",
    ];
    for sort in boxes.chain(others.map(String::from)) {
        assert!(seen.contains(&sort), "never dealt: {sort}");
    }
}

#[test]
fn each_kind_is_broken_where_it_alone_is_asked_for() {
    for (house, &kind) in HOUSES.iter().flat_map(|house| house.kinds.iter().map(move |kind| (*house, kind))) {
        let mut table = dealer(house, 5, 0.8, &[kind]);
        let passes = if is_own(kind) { 1500 } else { 150 };
        let mut rows = 0;
        deal(&mut table, passes, |dealer, events, first| {
            let lines = first..first + events.len() as LineNo;
            for row in dealer.expected() {
                assert!(lines.contains(&row.line), "{row:?} is not in its pass");
                if let Ends::Cleared { at } | Ends::Breach { at } = row.ends {
                    assert!(lines.contains(&at) && at >= row.line, "{row:?}");
                }
                rows += usize::from(row.kind == kind);
            }
        });
        let broken: u64 = table.breaks().map(|(_, count)| count).sum();
        assert!(broken > 0, "{} was never broken", kind.clause());
        assert_eq!(rows as u64, broken, "{}: a row for each break", kind.clause());
    }
}

/// Whether only its house can tell when a break is possible.
fn is_own(kind: Kind) -> bool {
    matches!(kind.plan().when, When::Own | When::Later)
}

/// Whether a house has breaks whose time may not come in the pass that was meant for them.
fn waits(house: &House) -> bool {
    house.kinds.iter().any(|&kind| is_own(kind))
}

#[test]
fn breaks_are_shared_out_evenly() {
    for house in HOUSES {
        let mut table = dealer(house, 6, 1.0, house.kinds);
        let passes = 37 * house.kinds.len();
        deal(&mut table, passes, |_, _, _| {});
        let counts = |own: bool| {
            let those = table.breaks().filter(move |(kind, _)| is_own(*kind) == own);
            those.map(|(_, count)| count).collect::<Vec<u64>>()
        };
        let (least, most) = (*counts(false).iter().min().unwrap(), *counts(false).iter().max().unwrap());
        let even = least >= if waits(house) { 28 } else { 35 } && most - least <= 6;
        assert!(
            counts(true).iter().all(|&count| count >= 20),
            "{}: {:?}",
            house.id,
            table.breaks().collect::<Vec<_>>()
        );
        assert!(even, "{}: from {least} to {most}: {:?}", house.id, table.breaks().collect::<Vec<_>>());
    }
}

#[test]
fn no_break_is_waited_for_that_a_small_table_cannot_have() {
    for (house, boxes) in HOUSES.iter().flat_map(|house| (3..=7).map(move |boxes| (*house, boxes))) {
        let mut table = SimulatedDealer::new(Settings { boxes, ..dealer(house, 7, 1.0, house.kinds).settings });
        deal(&mut table, 1200, |_, _, _| {});
        let broken: u64 = table.breaks().map(|(_, count)| count).sum();
        let least = if waits(house) { 750 } else { 1000 };
        assert!(broken > least, "{}, {boxes} boxes: {broken} of 1200 passes were broken", house.id);
    }
}

#[test]
fn a_clause_and_a_provision_are_both_names_of_breaks() {
    assert_eq!(HOUSE.meant_by("C5/stood"), Ok(vec![kinds::C5_STOOD]));
    assert_eq!(HOUSE.meant_by("C7"), Ok(vec![kinds::C7]));
    assert!(HOUSE.meant_by("C4").unwrap().len() == 3);
    assert!(HOUSE.meant_by("D11").unwrap_err().to_string().contains("sabot simulate --list"));
    assert!(croupier6::HOUSE.meant_by("C7").unwrap_err().to_string().contains("croupier-6"));
    let clauses: HashSet<_> = HOUSES.iter().flat_map(|house| house.kinds).map(|kind| kind.clause()).collect();
    assert_eq!(clauses.len(), HOUSES.iter().map(|house| house.kinds.len()).sum::<usize>());
}

#[test]
fn a_house_nobody_deals_for_is_answered_with_those_there_are() {
    let unknown = House::named("bingo").unwrap_err().to_string();
    assert!(HOUSES.iter().all(|house| unknown.contains(house.id)), "{unknown}");
}
