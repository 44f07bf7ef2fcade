//! The validator's settlement held against the naive second reading of the regulation (`sabot::simulate::naive`), on every
//! small case: bettor's and bank's hands of two and three cards by rank, aces declared both ways and not at all, opened
//! pairs, doubled elevens, insurance.
//!
//! A ten-value card is the ten, jack, queen or king by where it lies; `SABOT_ALL_RANKS=1` takes each of them everywhere
//! (five times as many cases).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sabot::simulate::naive::{self, Owed};
use sabot::table::answer::Settle;
use sabot::table::event::{Choice, Face};
use sabot::table::{Answer, BetSpot, Card, Cents, Event, HandId, LineNo, Place, line};
use sabot::validator::Validator;

/// Odd, so that half of it is not whole.
const STAKE: Cents = 1_001;
const BOX: HandId = HandId::first(1);
const SECOND_HAND: HandId = HandId { box_no: 1, hand: 1 };
const LINE: LineNo = 9;

/// A card of each rank for a place on the felt.
fn ranks(place: u8) -> impl Iterator<Item = Card> {
    let all = std::env::var_os("SABOT_ALL_RANKS").is_some();
    let of_ten = 9 + place % 4;
    (0..13).filter(move |&rank| all || rank < 9 || rank == of_ten).filter_map(Card::from_index)
}

fn draw(card: Card, to: impl Into<Place>) -> Event {
    Event::Draw { card, to: Some(to.into()), face: None }
}

fn decide(hand: HandId, choice: Choice) -> Event {
    Event::Decide { hand, choice, by: None }
}

fn bet(spot: BetSpot, amount: Cents) -> Event {
    Event::Bet { hand: BOX, spot, amount, player: None, chips: Vec::new() }
}

fn after(table: &Validator, events: &[Event]) -> Validator {
    let mut table = table.clone();
    events.iter().for_each(|event| table.step(LINE, event, &mut Vec::new()));
    table
}

/// A table with one bet.
fn opened(stake: Cents) -> Validator {
    let header = r#"{"ev":"table","v":1,"table":"T","regulation":"sala-8","boxes":1,"limits":{"min":1,"max":9999}}"#;
    let table = Validator::new(line::header(header.as_bytes()).unwrap()).unwrap();
    after(&table, &[Event::Load { cards: 416, cut_card: 52 }, bet(BetSpot::Main, stake), Event::CloseBets {}])
}

/// What each bet is owed when the pass ends here.
fn ended(table: &Validator) -> Vec<Settle> {
    let mut answers = Vec::new();
    table.clone().step(LINE, &Event::End {}, &mut answers);
    let settles =
        answers.into_iter().filter_map(|answer| if let Answer::Settle(settle) = answer { Some(settle) } else { None });
    settles.collect()
}

fn agree(settles: &[Settle], hand: HandId, spot: BetSpot, owed: Owed, case: impl Fn() -> String) {
    let found = settles.iter().find(|settle| (settle.hand, settle.spot) == (hand, spot));
    let found = found.unwrap_or_else(|| panic!("{}: not settled", case()));
    let found = Owed { outcome: found.outcome, stake: found.stake, pay: found.pay, lost: found.lost };
    assert_eq!(found, owed, "the validator's reading, then the naive one: {}", case());
}

/// A hand that has been played, as the naive reading needs it.
struct Played {
    hand: HandId,
    cards: Vec<Card>,
    declared: Option<u8>,
    split_ace: bool,
    stake: Cents,
}

/// Uncovers the bank, lets it draw one card of every rank where it must, and compares; how many cases.
fn against_every_bank(table: &Validator, bank: [Card; 2], played: &Played) -> u64 {
    let Played { hand, ref cards, declared, split_ace, stake } = *played;
    let compare = |table: &Validator, bank: &[Card]| {
        let owed = naive::main_owed(cards, declared, split_ace, stake, bank);
        let case = || format!("{cards:?} declared {declared:?}, split ace {split_ace}, against {bank:?}");
        agree(&ended(table), hand, BetSpot::Main, owed, case);
    };
    let table = after(table, &[Event::Reveal { at: Place::Bank, card: None }]);
    if naive::bank_total(&bank) >= 17 || naive::bettor_total(cards, declared) > 21 {
        compare(&table, &bank);
        return 1;
    }
    let mut cases = 0;
    for third in ranks(2) {
        // below 17 still, the bank is taken as it lies: two readings of that as well
        compare(&after(&table, &[draw(third, Place::Bank)]), &[bank[0], bank[1], third]);
        cases += 1;
    }
    cases
}

/// Ways to declare the ace of a hand's first two cards.
fn declarations(cards: &[Card]) -> &'static [Option<u8>] {
    let ace = cards.iter().any(|&card| naive::is_ace(card));
    if ace && !naive::is_black_jack(cards) { &[None, Some(1), Some(11)] } else { &[None] }
}

/// Plays a hand of two cards on: declared each way, stood on, and with a third card of every rank.
fn played_every_way(table: &Validator, bank: [Card; 2], hand: HandId, two: [Card; 2], split: bool) -> u64 {
    let split_ace = split && naive::is_ace(two[0]);
    let mut cases = 0;
    for &declared in declarations(&two) {
        let ace = declared.map(|value| Event::Ace { hand, value, by: None });
        let asked = after(table, ace.as_slice());
        let played = |cards: Vec<Card>| Played { hand, cards, declared, split_ace, stake: STAKE };
        let stood = after(&asked, &[decide(hand, Choice::Stand)]);
        cases += against_every_bank(&stood, bank, &played(two.to_vec()));
        if naive::bettor_total(&two, declared) >= 21 {
            continue;
        }
        for third in ranks(3) {
            let cards = vec![two[0], two[1], third];
            let mut events = vec![decide(hand, Choice::Hit), draw(third, hand)];
            if naive::bettor_total(&cards, declared) < 21 {
                events.push(decide(hand, Choice::Stand));
            }
            cases += against_every_bank(&after(&asked, &events), bank, &played(cards));
        }
    }
    cases
}

/// Every two cards of the bank, with the table dealt so far.
fn dealt(first: Card, second: Card, mut then: impl FnMut(Validator, [Card; 2])) {
    let table = after(&opened(STAKE), &[draw(first, BOX)]);
    for up in ranks(0) {
        for down in ranks(1) {
            let events = [draw(up, Place::Bank), draw(second, BOX), draw(down, Place::Bank)];
            then(after(&table, &events), [up, down]);
        }
    }
}

#[test]
fn every_hand_of_two_or_three_cards_is_owed_the_same_by_both_readings() {
    let mut cases = 0;
    for first in ranks(0) {
        for second in ranks(1) {
            dealt(first, second, |table, bank| {
                cases += played_every_way(&table, bank, BOX, [first, second], false);
            });
        }
    }
    println!("{cases} hands of a bettor against one of the bank");
    assert!(cases > 500_000, "{cases}");
}

#[test]
fn every_hand_of_an_opened_pair_is_owed_the_same_by_both_readings() {
    let mut cases = 0;
    for one in ranks(2) {
        dealt(one, one, |table, bank| {
            let split = [decide(BOX, Choice::Split), bet(BetSpot::Split, STAKE)];
            let table = after(&table, &split);
            for second in ranks(1) {
                let first = after(&table, &[draw(second, BOX)]);
                cases += played_every_way(&first, bank, BOX, [one, second], true);
                let ten = Card::from_index(9).unwrap();
                let other = [draw(ten, BOX), decide(BOX, Choice::Stand), draw(second, SECOND_HAND)];
                cases += played_every_way(&after(&table, &other), bank, SECOND_HAND, [one, second], true);
            }
        });
    }
    println!("{cases} hands of opened pairs against one of the bank");
    assert!(cases > 100_000, "{cases}");
}

#[test]
fn every_doubled_eleven_is_owed_the_same_by_both_readings() {
    let mut cases = 0;
    for first in ranks(0) {
        for second in ranks(1).filter(|&second| naive::is_eleven(&[first, second])) {
            dealt(first, second, |table, bank| {
                for third in ranks(3) {
                    let chips = [decide(BOX, Choice::Double), bet(BetSpot::Double, STAKE)];
                    let card = Event::Draw { card: third, to: Some(BOX.into()), face: Some(Face::Down) };
                    let table = after(&after(&table, &chips), &[card]);
                    let cards = vec![first, second, third];
                    let played = Played { hand: BOX, cards, declared: None, split_ace: false, stake: 2 * STAKE };
                    cases += against_every_bank(&table, bank, &played);
                }
            });
        }
    }
    println!("{cases} doubled elevens against one of the bank");
    assert!(cases > 30_000, "{cases}");
}

#[test]
fn every_insured_ace_is_owed_the_same_by_both_readings() {
    let ace = Card::from_index(0).unwrap();
    let half = 500;
    for second in (0..52).filter_map(Card::from_index) {
        for up in ranks(0) {
            let insured = [
                draw(ace, BOX),
                draw(up, Place::Bank),
                decide(BOX, Choice::Insure),
                bet(BetSpot::Insurance, half),
                draw(second, BOX),
                draw(up, Place::Bank),
            ];
            let table = after(&opened(2 * half), &insured);
            let owed = naive::insurance_owed(second, half);
            agree(&ended(&table), BOX, BetSpot::Insurance, owed, || format!("AS {second}, bank {up}"));
        }
    }
}
