//! Pads of which a reader is not sure while others are paid, or the bank is topped up.

use sabot_drivers::saw::Unreadable;
use sabot_journal::SeenAt;
use sabot_law::table::event::Share;

use super::*;
use crate::snapshot::{FindingState, FindingView};

/// Two boxes win, and are paid in order. The reader of the first is not sure, and of the second it is read first what
/// lies there; then this is told of the first.
fn paid_in_doubt(told: impl FnOnce(&mut Pads, Stake, TagsSaw)) -> LiveTable {
    let (house, case) = club(
        "table limits=10-1000 stake=50
bets 7 5
deal TS JS 7C 9D 8D
stand 7
stand 5
draw TD bank
",
    );
    let (header, max_hands, events) = read(house, &case);
    let mut pads = Pads::of(&header, max_hands);
    for event in &events {
        pads.happens(event);
        pads.tell();
    }
    let paid = |pads: &mut Pads, box_no| {
        let (hand, spot) = (HandId::first(box_no), BetSpot::Main);
        pads.happens(&Event::Pay { hand, amount: 50, spot });
        let stacks = std::mem::take(&mut pads.waiting).into_iter();
        let mut stacks = stacks.filter_map(|(_, saw)| match saw {
            Observation::Chips(ChipsSaw::Spot { chips, .. }) => Some(chips.to_vec()),
            _ => None,
        });
        let at = Stake { box_no, hand: 0, spot };
        TagsSaw::Stack { at, chips: stacks.next().unwrap() }
    };
    let (first, second) = (paid(&mut pads, 7), paid(&mut pads, 5));
    let at = Stake { box_no: 7, hand: 0, spot: BetSpot::Main };
    pads.reads(&TagsSaw::InDoubt { at });
    pads.reads(&second);
    assert!(!words(&pads.table).contains("\"pay\"") && pads.observer.holds(Role::Chips));
    told(&mut pads, at, first);
    assert!(words(&pads.table).contains("\"ev\":\"pay\",\"box\":\"5\""), "{}", words(&pads.table));
    pads.table
}

#[test]
fn a_payment_waits_for_the_reader_of_an_earlier_one_that_is_not_sure() {
    let table = paid_in_doubt(|pads, _, first| pads.reads(&first));
    assert!(found(&table).is_empty() && !is_missed(&table), "{:?}\n{}", found(&table), words(&table));
    // it was passed over
    let table = paid_in_doubt(|pads, at, _| {
        let chips = pads.told[&(at.box_no, at.spot as u8)].clone();
        pads.reads(&TagsSaw::Stack { at, chips });
    });
    assert_eq!((found(&table), is_missed(&table)), (vec!["G5"], false), "{}", words(&table));
    // seconds, and no longer
    let table = paid_in_doubt(|pads, _, _| {
        let until = pads.observer.deadline().unwrap();
        assert!((1..=10_000).contains(&until), "{until}");
        pads.observer.tick(until, &mut pads.table);
    });
    assert!(accused(&table).is_empty() && is_missed(&table), "{:?}\n{}", found(&table), words(&table));
    // nor past what may not wait
    let table = paid_in_doubt(|pads, _, _| pads.happens(&Event::End {}));
    assert!(!accused(&table).contains(&"G5") && is_missed(&table), "{:?}\n{}", found(&table), words(&table));
    let table = paid_in_doubt(|pads, at, _| {
        pads.reads(&TagsSaw::Unreadable { at: at.into(), why: Unreadable::Reader });
    });
    // that it could not be read is said
    assert!(!found(&table).contains(&"G5") && is_missed(&table), "{:?}\n{}", found(&table), words(&table));
}

/// The first of two boxes that win is paid, and the bank, which can pay the second no more, is topped up before the
/// reader of the first is sure; then this is told of it. What stands of what was found, and what the record was told.
fn advanced_in_doubt(told: impl FnOnce(&mut Pads, Stake)) -> (Vec<&'static str>, String) {
    let (house, case) = club(
        "table limits=1000-20000
seats 3
share P1 advance 2000, P2 advance 2000, P3 advance 2000
bank turn P3
pack P1 9
bets 2 1:4000
close
deal TD 8H 9S 9D QC
stand 2, 1
draw 8D bank
",
    );
    let (header, max_hands, events) = read(house, &case);
    let mut pads = Pads::of(&header, max_hands);
    for event in &events {
        pads.happens(event);
        pads.tell();
    }
    let (hand, spot) = (HandId::first(2), BetSpot::Main);
    pads.happens(&Event::Pay { hand, amount: 5000, spot });
    pads.waiting.clear();
    for player in ["P3", "P2", "P1"] {
        let player = Name::new_static(player);
        pads.happens(&Event::Share { player, what: Share::Advance, amount: 2000 });
    }
    assert_eq!(found(&pads.table), ["A7"; 3], "{}", words(&pads.table));
    told(&mut pads, Stake { box_no: 2, hand: 0, spot });
    let stands = |view: &&FindingView| view.state != FindingState::Withdrawn;
    let found = pads.table.findings.list().filter(stands).map(|view| &view.finding);
    let accused = found.filter(|finding| finding.details.device.is_none()).map(|finding| finding.provision);
    (accused.collect(), words(&pads.table))
}

#[test]
fn an_advance_is_told_anew_after_chips_of_which_a_reader_says_too_late_that_it_is_not_sure() {
    let (accused, words) = advanced_in_doubt(|pads, at| pads.reads(&TagsSaw::InDoubt { at }));
    assert!(accused.is_empty(), "{accused:?}\n{words}");
    assert!(words.contains("events_missed") && words.matches("\"share\"").count() > 6, "{words}");
    // nothing was paid
    let (accused, words) = advanced_in_doubt(|pads, at| {
        let chips = pads.told[&(at.box_no, at.spot as u8)].clone();
        pads.reads(&TagsSaw::Stack { at, chips });
    });
    assert_eq!((accused, words.contains("events_missed")), (vec!["A7"; 3], false), "{words}");
    // or it was paid after that
    let (accused, words) = advanced_in_doubt(|pads, at| {
        let source = EventSource { seen: Some(SeenAt { at_ms: 5000, error_ms: 1 }), ..pads.source() };
        pads.observer.tags(&TagsSaw::InDoubt { at }, source, 5000, &mut pads.table);
    });
    assert_eq!((accused, words.contains("events_missed")), (vec!["A7"; 3], false), "{words}");
}
