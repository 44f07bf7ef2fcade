//! Under `sala-8`.

use sabot_law::table::event::Face;
use sabot_simulation::workload::cards::{is_ace, is_black_jack, points};

use super::*;

const HOUSE: &str = "sala-8";

/// Every hand that begins with these two cards: declared each way, stood on, and with a third card of every rank.
fn hands_of(two: [Card; 2], split: bool) -> Vec<Hand> {
    let ace = two.iter().any(|&card| is_ace(card)) && !is_black_jack(&two);
    let declarations: &[Option<u8>] = if ace { &[None, Some(1), Some(11)] } else { &[None] };
    let mut hands = Vec::new();
    for &declared in declarations {
        let stood = Hand { cards: two.to_vec(), declared, split, stake: STAKE };
        if stood.total() < 21 {
            hands.extend(ranks(3).map(|third| Hand { cards: vec![two[0], two[1], third], ..stood.clone() }));
        }
        hands.push(stood);
    }
    hands
}

/// Uncovers the bank, lets it draw one card of every rank where it must, and compares; how many cases.
fn against_every_bank(table: &Validator, bank: [Card; 2], hands: &[(HandId, &Hand)]) -> usize {
    let compare = |table: Validator, bank: &[Card]| {
        let settles = ended(table);
        for &(id, hand) in hands {
            let case = || format!("{:?} declared {:?} against {bank:?}", hand.cards, hand.declared);
            agree(&settles, id, BetSpot::Main, hand.owed(book(HOUSE), bank), case);
        }
        hands.len()
    };
    let table = after(table, &[Event::Reveal { at: Place::Bank, card: None }]);
    if book(HOUSE).bank_total(&bank) >= 17 || hands.iter().all(|(_, hand)| hand.total() > 21) {
        return compare(table, &bank);
    }
    // below 17 still, the bank lacks a card, and nothing can be told of the account
    let stands = |third: &Card| book(HOUSE).bank_total(&[bank[0], bank[1], *third]) >= 17;
    ranks(2)
        .filter(stands)
        .map(|third| compare(after(&table, &[draw(third, Place::Bank)]), &[bank[0], bank[1], third]))
        .sum()
}

/// Deals these two cards to every box, and every two cards to the bank.
fn dealt(boxes: u8, two: [Card; 2], mut then: impl FnMut(Validator, [Card; 2])) {
    let hands = |card| (1..=boxes).map(move |box_no| draw(card, HandId::first(box_no)));
    let table = after(&opened(HOUSE, boxes, STAKE), &hands(two[0]).collect::<Vec<_>>());
    for up in ranks(0) {
        let table = after(&after(&table, &[draw(up, Place::Bank)]), &hands(two[1]).collect::<Vec<_>>());
        for down in ranks(1) {
            then(after(&table, &[draw(down, Place::Bank)]), [up, down]);
        }
    }
}

#[test]
fn every_hand_of_two_or_three_cards_is_owed_the_same_by_both_readings() {
    let mut cases = 0;
    for two in ranks(0).flat_map(|first| ranks(1).map(move |second| [first, second])) {
        for hands in hands_of(two, false).chunks(7) {
            let hands: Vec<(HandId, &Hand)> = (1..).map(HandId::first).zip(hands).collect();
            let events: Vec<Event> = hands.iter().flat_map(|&(id, hand)| hand.play(id)).collect();
            dealt(hands.len() as u8, two, |table, bank| {
                cases += against_every_bank(&after(&table, &events), bank, &hands);
            });
        }
    }
    println!("{cases} hands of a bettor against one of the bank");
    assert!(cases > 500_000, "{cases}");
}

#[test]
fn every_hand_of_an_opened_pair_is_owed_the_same_by_both_readings() {
    let mut cases = 0;
    let pairs = ranks(2).filter(|&card| all_ranks() || [1, 8, 10].contains(&points(card)));
    for (one, second) in pairs.flat_map(|one| ranks(1).map(move |second| (one, second))) {
        for chunk in hands_of([one, second], true).chunks(7) {
            let mut hands: Vec<(HandId, &Hand)> = Vec::new();
            let mut events = Vec::new();
            for (box_no, hand) in (1..).zip(chunk) {
                let both = [HandId::first(box_no), HandId { box_no, hand: 1 }];
                events.extend([decide(both[0], Choice::Split), bet(box_no, BetSpot::Split, STAKE)]);
                for id in both {
                    events.push(draw(second, id));
                    events.extend(hand.play(id));
                    hands.push((id, hand));
                }
            }
            dealt(chunk.len() as u8, [one, one], |table, bank| {
                cases += against_every_bank(&after(&table, &events), bank, &hands);
            });
        }
    }
    println!("{cases} hands of opened pairs against one of the bank");
    assert!(cases > 400_000, "{cases}");
}

#[test]
fn every_doubled_eleven_is_owed_the_same_by_both_readings() {
    let mut cases = 0;
    let all = ranks(0).flat_map(|first| ranks(1).map(move |second| [first, second]));
    for two in all.filter(|two| book(HOUSE).may_double(two) && !two.iter().any(|&card| is_ace(card))) {
        for third in ranks(3) {
            let hand = Hand { cards: vec![two[0], two[1], third], declared: None, split: false, stake: 2 * STAKE };
            let id = HandId::first(1);
            let covered = Event::Draw { card: third, to: Some(id.into()), face: Some(Face::Down) };
            let events = [decide(id, Choice::Double), bet(1, BetSpot::Double, STAKE), covered];
            dealt(1, two, |table, bank| {
                cases += against_every_bank(&after(&table, &events), bank, &[(id, &hand)]);
            });
        }
    }
    println!("{cases} doubled elevens against one of the bank");
    assert!(cases > 30_000, "{cases}");
}

#[test]
fn every_insured_ace_is_owed_the_same_by_both_readings() {
    let ace = Card::from_index(0).unwrap();
    let (id, half) = (HandId::first(1), 500);
    for second in (0..52).filter_map(Card::from_index) {
        for up in ranks(0) {
            let insured = [
                draw(ace, id),
                draw(up, Place::Bank),
                decide(id, Choice::Insure),
                bet(1, BetSpot::Insurance, half),
                draw(second, id),
                draw(up, Place::Bank),
            ];
            let table = after(&opened(HOUSE, 1, 2 * half), &insured);
            let owed = insurance(points(second) == 10, half);
            agree(&ended(table), id, BetSpot::Insurance, owed, || format!("AS {second}, bank {up}"));
        }
    }
}
