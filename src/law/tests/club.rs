//! The club's bank and shoe: what a bank owned in common holds adds up to the last unit, misdealt cards keep their
//! order through any number of returns, and the next thing to do is told while the shoe is empty.

use proptest::prelude::*;
use proptest::sample::Index;
use sabot_law::table::event::{BankChange, Share};
use sabot_law::table::{Answer, BetSpot, Card, Cents, Event, HandId, Name, Place, Severity, line};
use sabot_law::validator::Validator;

const HEADER: &str = r#"{"ev":"table","v":1,"table":"T","regulation":"club","boxes":7,"limits":{"min":10,"max":500}}"#;

/// A table, and what was found at it.
struct Table {
    validator: Validator,
    found: Vec<(&'static str, Severity)>,
    line: u64,
}

impl Table {
    fn new() -> Self {
        let validator = Validator::new(line::header(HEADER.as_bytes()).unwrap()).unwrap();
        Self { validator, found: Vec::new(), line: 1 }
    }

    fn step(&mut self, event: &Event) -> &mut Self {
        self.line += 1;
        let mut answers = Vec::new();
        self.validator.step(self.line, event, &mut answers);
        self.found.extend(answers.into_iter().filter_map(|answer| match answer {
            Answer::Finding(finding) => Some((finding.provision, finding.severity)),
            _ => None,
        }));
        self
    }

    fn read(&mut self, lines: &[&str]) -> &mut Self {
        lines.iter().for_each(|text| {
            self.step(&line::event(text.as_bytes()).unwrap());
        });
        self
    }

    fn seated(seats: &[u8]) -> Self {
        let mut table = Self::new();
        for &seat in seats {
            table.step(&Event::Seat { seat, player: player(seat) });
        }
        table
    }

    fn share(&mut self, seat: u8, what: Share, amount: Cents) -> &mut Self {
        self.step(&Event::Share { player: player(seat), what, amount })
    }

    fn holds(&self) -> i128 {
        self.validator.state().account.holds()
    }

    fn count(&self, id: &str) -> usize {
        self.found.iter().filter(|(provision, _)| *provision == id).count()
    }

    /// The next thing to do.
    fn due(&self) -> Vec<String> {
        self.validator.felt().due.into_iter().map(|due| due.en).collect()
    }
}

fn player(seat: u8) -> Name {
    format!("P{seat}").into()
}

fn pay(amount: Cents) -> Event {
    Event::Pay { hand: HandId::first(1), amount, spot: BetSpot::Main }
}

fn collect(amount: Cents) -> Event {
    Event::Collect { hand: HandId::first(1), amount, spot: BetSpot::Insurance }
}

/// One to seven seats, each once.
fn seats() -> impl Strategy<Value = Vec<u8>> {
    prop::sample::subsequence((1u8..=7).collect::<Vec<_>>(), 1..=7)
}

/// Something that moves the bank's money, right or wrong.
#[derive(Debug, Clone)]
enum Move {
    Advance(u8, Cents),
    Dividend(u8, Cents),
    Pay(Cents),
    Collect(Cents),
}

fn any_move() -> impl Strategy<Value = Move> {
    let amount = || prop_oneof![4 => 0u64..1_000, 1 => any::<u64>()];
    prop_oneof![
        3 => (1u8..=7, amount()).prop_map(|(seat, amount)| Move::Advance(seat, amount)),
        1 => (1u8..=7, amount()).prop_map(|(seat, amount)| Move::Dividend(seat, amount)),
        4 => amount().prop_map(Move::Pay),
        4 => amount().prop_map(Move::Collect),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// What went in less what went out, whether it should have or not.
    #[test]
    fn the_bank_holds_what_went_into_it_less_what_went_out(
        seats in seats(),
        moves in prop::collection::vec(any_move(), 0..60),
    ) {
        let mut table = Table::seated(&seats);
        let (mut holds, mut told, mut divided) = (0i128, false, false);
        for of in moves {
            match of {
                Move::Advance(seat, amount) => {
                    if divided {
                        (holds, divided) = (holds.max(0), false);
                    }
                    told = true;
                    holds += i128::from(amount);
                    table.share(seat, Share::Advance, amount);
                }
                Move::Dividend(seat, amount) => {
                    divided = true;
                    holds -= i128::from(amount);
                    table.share(seat, Share::Dividend, amount);
                }
                Move::Pay(amount) => {
                    holds -= if told { i128::from(amount) } else { 0 };
                    table.step(&pay(amount));
                }
                Move::Collect(amount) => {
                    holds += if told { i128::from(amount) } else { 0 };
                    table.step(&collect(amount));
                }
            }
            if told {
                prop_assert_eq!(table.holds(), holds);
            } else {
                holds = table.holds();
            }
        }
    }

    /// A whole session by the book: nothing is found, and what is divided is all there is.
    #[test]
    fn a_session_by_the_book_is_divided_to_the_last_unit(
        seats in seats(),
        advance in 1u64..5_000,
        money in prop::collection::vec((any::<bool>(), 1u64..3_000), 0..40),
        order in any::<[Index; 7]>(),
    ) {
        let mut table = Table::seated(&seats);
        let mut put_in = 0u64;
        let mut round = |table: &mut Table| {
            let mut left = seats.clone();
            for pick in &order[..seats.len()] {
                let seat = left.remove(pick.index(left.len()));
                table.share(seat, Share::Advance, advance);
                put_in += advance;
            }
        };
        round(&mut table);
        let mut turnover = 0i128;
        for (pays, amount) in money {
            if table.holds() == 0 {
                round(&mut table);
            }
            if pays {
                let amount = amount.min(u64::try_from(table.holds()).unwrap());
                turnover -= i128::from(amount);
                table.step(&pay(amount));
            } else {
                turnover += i128::from(amount);
                table.step(&collect(amount));
            }
        }
        let pot = u64::try_from(i128::from(put_in) + turnover).unwrap();
        prop_assert_eq!(table.holds(), i128::from(pot));
        let (share, over) = (pot / seats.len() as u64, pot as usize % seats.len());
        let from_the_right: Vec<u8> = seats.iter().rev().copied().collect();
        let mut left: Vec<(u8, u64)> =
            (0..).zip(&from_the_right).map(|(n, seat)| (*seat, share + u64::from(n < over))).collect();
        prop_assert_eq!(left.iter().map(|(_, part)| part).sum::<u64>(), pot);
        for pick in &order[..seats.len()] {
            let (seat, part) = left.remove(pick.index(left.len()));
            table.share(seat, Share::Dividend, part);
        }
        prop_assert_eq!(table.holds(), 0);
        prop_assert_eq!(table.count("A7"), 0, "{:?}", table.found);
        table.share(seats[0], Share::Dividend, 1);
        prop_assert_eq!(table.count("A7"), 1, "nobody has a second part");
    }

    /// Two units more, or one less, for anybody is found.
    #[test]
    fn a_part_that_differs_from_the_others_is_found(
        seats in seats(),
        advance in 1u64..5_000,
        collected in 0u64..100,
        who in any::<Index>(),
        more in any::<bool>(),
    ) {
        let mut table = Table::seated(&seats);
        seats.iter().for_each(|seat| { table.share(*seat, Share::Advance, advance); });
        table.step(&collect(collected));
        let seat = seats[who.index(seats.len())];
        let part = table.validator.state().division().part();
        table.share(seat, Share::Dividend, if more { part + 2 } else { part - 1 });
        prop_assert_eq!(table.count("A7"), 1);
    }
}

/// Where a misdealt card may go in the delivery of boxes 1 to 3.
const WRONG: [Place; 4] = [Place::Hand(HandId { box_no: 7, hand: 0 }), Place::Shoe, Place::Discard, Place::Burn];

fn opened() -> Table {
    let mut table = Table::seated(&[1, 2, 3, 4]);
    table.step(&Event::Bank { how: BankChange::Turn, player: Some(player(4)), by: None, amount: None });
    for n in 1..=3 {
        let (player, chips) = (Some(player(n)), Vec::new());
        table.step(&Event::Bet { hand: HandId::first(n), spot: BetSpot::Main, amount: 50, player, chips });
    }
    table.step(&Event::CloseBets {});
    assert!(table.found.is_empty(), "{:?}", table.found);
    table
}

fn draw(table: &mut Table, card: Card, to: Option<Place>) {
    table.step(&Event::Draw { card, to, face: None });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Misdealt cards that go back where they were come out in the order of the shoe, however many they are, wherever
    /// they lay and whichever went back first; one that does not is found once.
    #[test]
    fn misdealt_cards_come_out_again_in_their_order(
        shoe in Just((0..52).map(|n| Card::from_index(n).unwrap()).collect::<Vec<_>>()).prop_shuffle(),
        mistakes in prop::collection::vec(prop::collection::vec(prop::sample::select(&WRONG[..]), 0..4), 7),
        backwards in any::<bool>(),
        misplaced in prop::option::of(0usize..7),
    ) {
        let mut table = opened();
        let mut shoe = shoe;
        let (mut misdealt, mut moved) = (0, 0);
        for (n, places) in mistakes.into_iter().enumerate() {
            for (card, to) in shoe.iter().zip(&places) {
                draw(&mut table, *card, Some(*to));
                misdealt += 1;
            }
            let mut back = places.clone();
            if backwards {
                back.reverse();
            }
            for from in back {
                table.step(&Event::Move { from, to: Place::Shoe, cards: None });
            }
            if misplaced == Some(n) && !places.is_empty() {
                shoe.swap(0, places.len());
                moved += 1;
            }
            draw(&mut table, shoe.remove(0), None);
        }
        let put_back = table.found.iter().filter(|(_, severity)| *severity == Severity::Integrity).count();
        prop_assert_eq!(put_back, moved);
        prop_assert_eq!(table.count("G24"), misdealt + moved);
    }
}

#[test]
fn the_bank_passes_to_the_next_lower_seat_and_the_cut_goes_to_the_lowest_that_is_not_the_bankers() {
    for (seats, banker, next, left) in [
        (&[2, 4, 6][..], 4, 2, 2),
        (&[2, 4, 6], 2, 6, 4),
        (&[2, 4, 6], 6, 4, 2),
        (&[1, 7], 1, 7, 7),
        (&[1, 7], 7, 1, 1),
    ] {
        let mut table = Table::seated(seats);
        table.step(&Event::Bank { how: BankChange::Turn, player: Some(player(banker)), by: None, amount: None });
        let state = table.validator.state();
        assert_eq!(state.seating.banks_after(&player(banker)), Some(&player(next)), "{seats:?} {banker}");
        assert_eq!(state.at_bankers_left(), Some(&player(left)), "{seats:?} {banker}");
    }
}

#[test]
fn the_next_thing_to_do_leads_through_an_empty_shoe_and_to_the_next_banker() {
    let mut table = Table::seated(&[1, 2]);
    assert_eq!(table.due(), ["shuffle all the cards"]);
    table.read(&[r#"{"ev":"bank","how":"turn","player":"P2"}"#, r#"{"ev":"shuffle","decks":2,"cards":104}"#]);
    for (due, then) in [
        ("offer the cut", r#"{"ev":"offer_cut","player":"P1"}"#),
        ("a bettor cuts", r#"{"ev":"cut","depth":40,"by":"P1"}"#),
        ("load the shoe", r#"{"ev":"load","cards":104,"cut_card":6}"#),
        ("bets are open", r#"{"ev":"bet","box":"1","amount":50,"player":"P1"}"#),
        ("bets are open", r#"{"ev":"close_bets"}"#),
        ("card for box 1", r#"{"ev":"draw","card":"TD","to":"1"}"#),
        ("card for the bank", r#"{"ev":"device","device":"shoe","status":"empty"}"#),
        ("shuffle the retired cards", r#"{"ev":"shuffle","decks":2,"cards":0}"#),
        ("offer the cut", r#"{"ev":"offer_cut","player":"P1"}"#),
        ("a bettor cuts", r#"{"ev":"cut","depth":1,"by":"P1"}"#),
        ("load the shoe", r#"{"ev":"load","cards":4,"cut_card":0}"#),
        ("card for the bank", r#"{"ev":"draw","card":"9S","to":"bank"}"#),
        ("card for box 1", r#"{"ev":"draw","card":"9D","to":"1"}"#),
        ("ask: card or stand? box 1", r#"{"ev":"decide","box":"1","choice":"stand"}"#),
        ("card for the bank", r#"{"ev":"draw","card":"8D","to":"bank"}"#),
        ("pay box 1: 0.50", r#"{"ev":"pay","box":"1","amount":50}"#),
        ("clear the cards of box 1", r#"{"ev":"move","from":"1","to":"discard"}"#),
        ("clear the cards of the bank", r#"{"ev":"move","from":"bank","to":"discard"}"#),
        ("end of the pass", r#"{"ev":"end"}"#),
        ("shuffle all the cards", r#"{"ev":"shuffle","decks":2,"cards":104}"#),
        ("offer the cut", r#"{"ev":"offer_cut","player":"P1"}"#),
        ("a bettor cuts", r#"{"ev":"cut","depth":40,"by":"P1"}"#),
        ("load the shoe", r#"{"ev":"load","cards":104,"cut_card":6}"#),
        ("pass the bank on to the next player", r#"{"ev":"bank","how":"turn","player":"P1"}"#),
        ("bets are open", r#"{"ev":"bet","box":"2","amount":50,"player":"P2"}"#),
        ("bets are open", r#"{"ev":"cut_card"}"#),
        ("shuffle all the cards", r#"{"ev":"bet","box":"2","amount":0}"#),
    ] {
        assert_eq!(table.due(), [due], "before {then}");
        table.read(&[then]);
    }
    assert!(table.found.is_empty(), "{:?}", table.found);
}

#[test]
fn a_card_to_be_put_back_is_due_before_any_other() {
    let mut table = opened();
    table.read(&[r#"{"ev":"draw","card":"TD","to":"3"}"#, r#"{"ev":"draw","card":"4C","to":"3"}"#]);
    assert_eq!(table.due()[0], "put 1 card of box 3 back into the shoe in its place");
    let felt = serde_json::to_string(&table.validator.felt()).unwrap();
    assert!(!felt.contains("4C"), "a misdealt card is nobody's to see: {felt}");
    table.read(&[r#"{"ev":"move","from":"3","to":"shoe"}"#]);
    assert_eq!(table.due(), ["card for box 2"]);
}
