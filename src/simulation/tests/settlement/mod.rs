//! The validator's settlement held against the workload's own reckoning, on every small case: bettor's and bank's hands
//! of two and three cards by rank, split pairs, doubles, insurance, and what is given up; under `sala-8` aces declared
//! both ways and not at all.
//!
//! A ten-value card is the ten, jack, queen or king by where it lies, and the opened pairs are aces, eights and tens;
//! `SABOT_ALL_RANKS=1` takes every rank everywhere.

mod open;
mod sala8;

use sabot_law::table::answer::{Outcome, Settle};
use sabot_law::table::event::Choice;
use sabot_law::table::{Answer, BetSpot, Card, Cents, Event, HandId, LineNo, Place, line};
use sabot_law::validator::Validator;
use sabot_simulation::workload::{Book, House, cards};

/// Odd, so that half of it is not whole.
const STAKE: Cents = 1_001;
const LINE: LineNo = 9;

fn all_ranks() -> bool {
    std::env::var_os("SABOT_ALL_RANKS").is_some()
}

/// A card of each rank for a place on the felt.
fn ranks(place: u8) -> impl Iterator<Item = Card> {
    let of_ten = 9 + place % 4;
    let all = all_ranks();
    (0..13).filter(move |&rank| all || rank < 9 || rank == of_ten).filter_map(Card::from_index)
}

fn draw(card: Card, to: impl Into<Place>) -> Event {
    Event::Draw { card, to: Some(to.into()), face: None }
}

fn decide(hand: HandId, choice: Choice) -> Event {
    Event::Decide { hand, choice, by: None }
}

fn bet(box_no: u8, spot: BetSpot, amount: Cents) -> Event {
    Event::Bet { hand: HandId::first(box_no), spot, amount, player: None, chips: Vec::new() }
}

fn after(table: &Validator, events: &[Event]) -> Validator {
    let mut table = table.clone();
    events.iter().for_each(|event| table.step(LINE, event, &mut Vec::new()));
    table
}

/// A table under a regulation with so many bets of that size.
fn opened(regulation: &str, boxes: u8, stake: Cents) -> Validator {
    let header = r#"{"ev":"table","v":1,"table":"T","regulation":"@","boxes":7,"limits":{"min":1,"max":9999}}"#;
    let table = Validator::new(line::header(header.replace('@', regulation).as_bytes()).unwrap()).unwrap();
    let mut events = vec![Event::Load { cards: 416, cut_card: 52 }];
    events.extend((1..=boxes).map(|box_no| bet(box_no, BetSpot::Main, stake)));
    events.push(Event::CloseBets {});
    after(&table, &events)
}

/// What each bet is owed when the pass ends here.
fn ended(mut table: Validator) -> Vec<Settle> {
    let mut answers = Vec::new();
    table.step(LINE, &Event::End {}, &mut answers);
    let settles =
        answers.into_iter().filter_map(|answer| if let Answer::Settle(settle) = answer { Some(settle) } else { None });
    settles.collect()
}

/// A hand that has been played.
#[derive(Clone)]
struct Hand {
    cards: Vec<Card>,
    declared: Option<u8>,
    stake: Cents,
    split: bool,
}

impl Hand {
    fn total(&self) -> u8 {
        cards::total(&self.cards, self.declared)
    }

    /// What happens after its second card.
    fn play(&self, hand: HandId) -> Vec<Event> {
        let ace = self.declared.map(|value| Event::Ace { hand, value, by: None });
        let mut events: Vec<Event> = ace.into_iter().collect();
        if let Some(&third) = self.cards.get(2) {
            events.extend([decide(hand, Choice::Hit), draw(third, hand)]);
        }
        if self.total() < 21 {
            events.push(decide(hand, Choice::Stand));
        }
        events
    }

    fn owed(&self, book: &Book, bank: &[Card]) -> Owed {
        let of_aces = cards::is_ace(self.cards[0]);
        let blackjack = book.rate(self.split, of_aces).filter(|_| cards::is_black_jack(&self.cards));
        let cards::Owed { pay, lost } = book.against(bank, self.total(), blackjack, self.stake);
        let outcome = match (pay, lost) {
            (0, 0) => Outcome::Push,
            (0, _) => Outcome::Lose,
            _ if blackjack.is_some() => Outcome::Blackjack,
            _ => Outcome::Win,
        };
        Owed { outcome, stake: self.stake, pay, lost }
    }
}

/// What a bet is owed.
#[derive(Debug, PartialEq)]
struct Owed {
    outcome: Outcome,
    stake: Cents,
    pay: Cents,
    lost: Cents,
}

/// An insurance is paid two for one.
fn insurance(is_won: bool, stake: Cents) -> Owed {
    match is_won {
        true => Owed { outcome: Outcome::Win, stake, pay: 2 * stake, lost: 0 },
        false => Owed { outcome: Outcome::Lose, stake, pay: 0, lost: stake },
    }
}

fn book(house: &str) -> &'static Book {
    House::named(house).unwrap().book()
}

fn agree(settles: &[Settle], hand: HandId, spot: BetSpot, owed: Owed, case: impl Fn() -> String) {
    let found = settles.iter().find(|settle| (settle.hand, settle.spot) == (hand, spot));
    let found = found.unwrap_or_else(|| panic!("{}: not settled", case()));
    let found = Owed {
        outcome: found.outcome,
        stake: found.stake.unwrap_or(0),
        pay: found.pay.unwrap_or(0),
        lost: found.lost.unwrap_or(0),
    };
    assert_eq!(found, owed, "the validator's reading, then the workload's: {}", case());
}
