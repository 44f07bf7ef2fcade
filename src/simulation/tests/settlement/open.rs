//! Under the regulations without a covered card.

use sabot_simulation::workload::cards::{best, is_ace, is_black_jack, points};

use super::*;

const HOUSES: [&str; 3] = ["croupier-6", "talla", "club"];

/// Every two cards. No ace is declared: which came first is nothing to the total.
fn twos() -> impl Iterator<Item = [Card; 2]> {
    let all = ranks(0).flat_map(|first| ranks(1).map(move |second| [first, second]));
    all.filter(|two| all_ranks() || points(two[0]) <= points(two[1]))
}

/// Third cards: an ace, some that leave a hand below 21 and some that take it over.
fn thirds() -> impl Iterator<Item = Card> {
    ranks(3).filter(|&card| all_ranks() || [1, 4, 6, 10].contains(&points(card)))
}

/// Every hand that begins with these two cards: stood on, and with a third card.
fn hands_of(two: [Card; 2]) -> Vec<Hand> {
    let stood = Hand { cards: two.to_vec(), declared: None, stake: STAKE, split: false };
    let mut hands = vec![stood.clone()];
    if best(&two) < 21 {
        hands.extend(thirds().map(|third| Hand { cards: vec![two[0], two[1], third], ..stood.clone() }));
    }
    hands
}

/// Serves the bank every second card, and a third of every rank where it must draw; how many cases were compared.
fn against_every_bank(house: &str, table: &Validator, up: Card, hands: &[(HandId, Hand)]) -> usize {
    let compare = |table: Validator, bank: &[Card]| {
        let settles = ended(table);
        for (id, hand) in hands {
            let case = || format!("{}: {:?} against {bank:?}", house, hand.cards);
            agree(&settles, *id, BetSpot::Main, hand.owed(book(house), bank), case);
        }
        hands.len()
    };
    if hands.iter().all(|(_, hand)| best(&hand.cards) > 21) {
        return compare(table.clone(), &[up]);
    }
    let mut cases = 0;
    for second in ranks(1) {
        let table = after(table, &[draw(second, Place::Bank)]);
        if best(&[up, second]) >= 17 {
            cases += compare(table, &[up, second]);
            continue;
        }
        // below 17 still, the bank lacks a card, and nothing can be told of the account
        cases += ranks(2)
            .filter(|third| best(&[up, second, *third]) >= 17)
            .map(|third| compare(after(&table, &[draw(third, Place::Bank)]), &[up, second, third]))
            .sum::<usize>();
    }
    cases
}

/// Deals these two cards to every box, and every first card to the bank.
fn dealt(house: &str, boxes: u8, two: [Card; 2], mut then: impl FnMut(Validator, Card)) {
    let hands = |card| (1..=boxes).map(move |box_no| draw(card, HandId::first(box_no)));
    let table = after(&opened(house, boxes, STAKE), &hands(two[0]).collect::<Vec<_>>());
    for up in ranks(0) {
        let table = after(&table, &[draw(up, Place::Bank)]);
        then(after(&table, &hands(two[1]).collect::<Vec<_>>()), up);
    }
}

#[test]
fn every_hand_of_two_or_three_cards_is_owed_the_same_by_both_readings_in_every_house() {
    let mut cases = 0;
    for house in HOUSES {
        for two in twos() {
            for hands in hands_of(two).chunks(7) {
                let hands: Vec<(HandId, Hand)> = (1..).map(HandId::first).zip(hands.iter().cloned()).collect();
                let events: Vec<Event> = hands.iter().flat_map(|(id, hand)| hand.play(*id)).collect();
                dealt(house, hands.len() as u8, two, |table, up| {
                    cases += against_every_bank(house, &after(&table, &events), up, &hands);
                });
            }
        }
    }
    println!("{cases} hands of a bettor against one of the bank");
    assert!(cases > 300_000, "{cases}");
}

#[test]
fn every_doubled_hand_is_owed_the_same_by_both_readings_in_every_house() {
    let mut cases = 0;
    let id = HandId::first(1);
    for house in HOUSES {
        for two in twos().filter(|two| book(house).may_double(two)) {
            for third in thirds() {
                let hand = Hand { cards: vec![two[0], two[1], third], declared: None, stake: 2 * STAKE, split: false };
                let events = [decide(id, Choice::Double), bet(1, BetSpot::Double, STAKE), draw(third, id)];
                let hands = [(id, hand)];
                dealt(house, 1, two, |table, up| {
                    cases += against_every_bank(house, &after(&table, &events), up, &hands);
                });
            }
        }
    }
    println!("{cases} doubled hands against one of the bank");
    assert!(cases > 100_000, "{cases}");
}

#[test]
fn every_split_pair_is_owed_the_same_by_both_readings_in_every_house() {
    let mut cases = 0;
    let both = [HandId::first(1), HandId { box_no: 1, hand: 1 }];
    for house in ["talla", "club"] {
        for (one, second) in ranks(2).flat_map(|one| ranks(1).map(move |second| (one, second))) {
            let mut events = vec![decide(both[0], Choice::Split), bet(1, BetSpot::Split, STAKE)];
            let hand = Hand { cards: vec![one, second], declared: None, stake: STAKE, split: true };
            for id in both {
                events.push(draw(second, id));
                // two aces get one card each
                if !is_ace(one) {
                    events.extend(hand.play(id));
                }
            }
            let hands = both.map(|id| (id, hand.clone()));
            dealt(house, 1, [one, one], |table, up| {
                cases += against_every_bank(house, &after(&table, &events), up, &hands);
            });
        }
    }
    println!("{cases} hands of split pairs against one of the bank");
    assert!(cases > 100_000, "{cases}");
}

#[test]
fn every_insurance_is_owed_the_same_by_both_readings_in_every_house() {
    let ace = Card::from_index(0).unwrap();
    let [eight, ten] = [7, 9].map(|index| Card::from_index(index).unwrap());
    let (id, half) = (HandId::first(1), 500);
    for house in ["talla", "club"] {
        for second in (0..52).filter_map(Card::from_index) {
            let insured = [
                draw(ten, id),
                draw(ace, Place::Bank),
                draw(eight, id),
                decide(id, Choice::Stand),
                decide(id, Choice::Insure),
                bet(1, BetSpot::Insurance, half),
                draw(second, Place::Bank),
            ];
            let table = after(&opened(house, 1, 2 * half), &insured);
            let owed = insurance(is_black_jack(&[ace, second]), half);
            agree(&ended(table), id, BetSpot::Insurance, owed, || format!("{}: bank AS {second}", house));
        }
    }
}

#[test]
fn what_is_given_up_is_owed_the_same_by_both_readings() {
    let chip = 100;
    let id = HandId::first(1);
    for stake in (1..20).map(|chips| chips * chip) {
        for (up, second) in ranks(0).flat_map(|up| ranks(1).map(move |second| (up, second))) {
            let [seven, nine] = [6, 8].map(|index| Card::from_index(index).unwrap());
            let given_up = [
                draw(seven, id),
                draw(up, Place::Bank),
                draw(nine, id),
                decide(id, Choice::Surrender),
                draw(second, Place::Bank),
            ];
            let table = after(&opened("talla", 1, stake), &given_up);
            let owed = Owed { outcome: Outcome::Surrender, stake, pay: 0, lost: book("talla").half(stake) };
            agree(&ended(table), id, BetSpot::Main, owed, || format!("{stake} against {up} {second}"));
        }
    }
}
