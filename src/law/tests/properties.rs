//! Invariants that hold whatever happens on the felt, nonsense included: random events, and a small table explored
//! exhaustively.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use proptest::prelude::*;
use sabot_law::procedure::pass::Stage;
use sabot_law::procedure::state::State;
use sabot_law::regulation;
use sabot_law::table::event::Ruling;
use sabot_law::table::{Answer, Card, Event, Header, Observes, Outcome, Place, Sight, line};
use sabot_law::validator::Validator;

use crate::nonsense::{event, of};

fn header(house: &str, boxes: u8, observes: Observes) -> Header {
    let text = format!(
        r#"{{"ev":"table","v":1,"table":"T","regulation":"{house}","boxes":{boxes},"limits":{{"min":100,"max":10000}}}}"#
    );
    Header { observes, ..line::header(text.as_bytes()).unwrap() }
}

fn observes() -> impl Strategy<Value = Observes> {
    prop::sample::subsequence(Sight::ALL, 0..=Sight::ALL.len()).prop_map(Observes::from_iter)
}

/// Cards on the felt, in the trays, or astray.
fn lying(state: &State) -> u64 {
    let here = state.pass.lying().count() + state.pass.burned + state.pass.unplaced;
    here as u64 + state.supply.discarded()
}

/// Checks what must hold after every event; `lay` is what lay before it.
fn check(before: u64, event: &Event, table: &Validator, answers: &[Answer]) {
    let after = lying(table.state());
    let put_back = |answer: &Answer| matches!(answer, Answer::Cleared { unseen, .. } if unseen.contains(&"put_back"));
    let withdrawn = answers.iter().filter(|answer| matches!(answer, Answer::Withdrawn { .. })).count() as u64;
    match event {
        // a card that was taken to have gone back lies there, where what was found about it is withdrawn
        _ if withdrawn > 0 => assert!(after <= before + 1 + withdrawn, "{event:?}"),
        // cards went back to the shoe where nobody sees it
        _ if answers.iter().any(put_back) => assert!(after <= before + 1, "{event:?}"),
        Event::Draw { .. } => assert_eq!(after, before + 1, "a drawn card lies in exactly one place: {event:?}"),
        Event::End {} | Event::Load { .. } => assert!(after <= before),
        // the pass before it had no end
        Event::Bet { .. } if table.state().pass.stage() == Stage::Bets => assert!(after <= before),
        Event::Move { to: Place::Shoe, .. } => assert!(after <= before),
        // the room lets lie what was taken to have gone back
        Event::Rule { decision: Ruling::Stands, .. } if !table.state().observes.moves => {
            assert!((before..=before + 1).contains(&after), "{event:?}")
        }
        _ => assert_eq!(after, before, "no card comes or goes but by a draw: {event:?}"),
    }
    for answer in answers {
        if let Answer::Settle(settle) = answer {
            assert!(
                settle.pay.unwrap_or(0) == 0 || settle.lost.unwrap_or(0) == 0,
                "no stake is both paid and collected: {settle:?}"
            );
            assert!(settle.lost <= settle.stake, "no more is lost than was staked: {settle:?}");
            let void = settle.outcome == Outcome::Void;
            assert!(
                !void || (settle.pay.unwrap_or(0), settle.lost.unwrap_or(0)) == (0, 0),
                "a void bet pays and loses nothing: {settle:?}"
            );
        }
    }
    assert!(table.duties().is_listed(), "a duty is looked up by what it waits for: {event:?}");
    let felt = serde_json::to_string(&table.felt()).unwrap();
    assert!(!felt.contains("\"??\"") || has_unread_up(table.state()), "the felt shows only what lies face up: {felt}");
}

fn has_unread_up(state: &State) -> bool {
    state.pass.lying().any(|held| held.card == Card::UNREAD && !held.down && !held.misdealt)
}

fn run(header: &Header, events: &[Event]) -> Vec<Answer> {
    let mut table = Validator::new(header.clone()).unwrap();
    let mut all = Vec::new();
    for (event, line) in events.iter().zip(2..) {
        let before = lying(table.state());
        let mut answers = Vec::new();
        table.step(line, event, &mut answers);
        check(before, event, &table, &answers);
        all.extend(answers);
    }
    table.finish(&mut all);
    all
}

/// A table that sees places alone takes it that a card which was to go back has gone. A late choice tells that it was
/// due.
#[test]
fn a_card_that_a_late_choice_explains_lies_there_again() {
    let events = [
        r#"{"ev":"draw","card":"AS","to":"1"}"#,
        r#"{"ev":"collect","box":"2","amount":0}"#,
        r#"{"ev":"draw","card":"AS"}"#,
        r#"{"ev":"draw","card":"AH"}"#,
        r#"{"ev":"draw","card":"AS"}"#,
        r#"{"ev":"bet","box":"1","spot":"split","amount":0}"#,
        r#"{"ev":"decide","box":"1","choice":"hit"}"#,
    ];
    let events: Vec<Event> = events.iter().map(|event| line::event(event.as_bytes()).unwrap()).collect();
    run(&header("club", 3, Observes::from_iter([Sight::Places])), &events);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_no_card_is_lost_and_no_stake_is_settled_twice(
        house in of(regulation::ALL),
        observes in observes(),
        events in prop::collection::vec(event(), 1..120),
    ) {
        let header = header(&house.id, 3, observes);
        let answers = run(&header, &events);
        prop_assert_eq!(&answers, &run(&header, &events), "the same log, the same answers");
        let opened = answers.iter().filter(|answer| matches!(answer, Answer::Finding(_))).count();
        let closed = answers.iter().filter(|a| matches!(a, Answer::Cleared { .. } | Answer::Breach { .. })).count();
        prop_assert!(closed <= opened, "a finding is closed at most once");
    }

    #[test]
    fn every_event_written_is_read_back_as_it_was(event in event()) {
        let text = serde_json::to_string(&event).unwrap();
        prop_assert_eq!(line::event(text.as_bytes()).unwrap(), event, "{}", text);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = line::event(&bytes);
        let _ = line::header(&bytes);
    }
}

/// Every next event of the small table: two boxes, a few cards, every choice.
fn moves() -> Vec<Event> {
    let text = [
        r#"{"ev":"bet","box":"1","amount":1000,"player":"P1"}"#,
        r#"{"ev":"bet","box":"2","amount":1000,"player":"P2"}"#,
        r#"{"ev":"bet","box":"1","amount":0}"#,
        r#"{"ev":"bet","box":"1","spot":"double","amount":1000}"#,
        r#"{"ev":"bet","box":"1","spot":"split","amount":1000}"#,
        r#"{"ev":"draw","card":"AS","to":"1"}"#,
        r#"{"ev":"draw","card":"TS","to":"1"}"#,
        r#"{"ev":"draw","card":"6S","to":"2"}"#,
        r#"{"ev":"draw","card":"5H","to":"2"}"#,
        r#"{"ev":"draw","card":"9C","to":"bank"}"#,
        r#"{"ev":"draw","card":"KC","to":"bank","face":"up"}"#,
        r#"{"ev":"draw","card":"2D","to":"burn"}"#,
        r#"{"ev":"ask","box":"2","about":"double"}"#,
        r#"{"ev":"decide","box":"1","choice":"hit"}"#,
        r#"{"ev":"decide","box":"1","choice":"split"}"#,
        r#"{"ev":"decide","box":"2","choice":"double"}"#,
        r#"{"ev":"decide","box":"1","choice":"stand"}"#,
        r#"{"ev":"decide","box":"2","choice":"stand"}"#,
        r#"{"ev":"reveal","at":"bank"}"#,
        r#"{"ev":"authorize","by":"I","role":"inspector","what":"next_cards_for_bank"}"#,
        r#"{"ev":"announce","what":"next_cards_for_bank"}"#,
        r#"{"ev":"move","from":"2","to":"burn"}"#,
        r#"{"ev":"move","from":"bank","to":"discard"}"#,
        r#"{"ev":"move","from":"1","to":"discard"}"#,
        r#"{"ev":"consent","box":"2","yes":false}"#,
        r#"{"ev":"choose","box":"1","option":"withdraw"}"#,
        r#"{"ev":"collect","box":"1","amount":1000}"#,
        r#"{"ev":"pay","box":"2","amount":1000}"#,
        r#"{"ev":"end"}"#,
    ];
    text.iter().map(|text| line::event(text.as_bytes()).unwrap()).collect()
}

/// The state as far as what comes next depends on it: the pass, the duties without their numbers, the shoe's seen cards
/// and running counters left out.
fn fingerprint(table: &Validator) -> u64 {
    let mut hasher = DefaultHasher::new();
    table.state().pass.hash(&mut hasher);
    for duty in table.duties().iter() {
        (duty.place, &duty.parts, duty.deadline).hash(&mut hasher);
    }
    hasher.finish()
}

/// The states reached from bets on two boxes in so many events, and the steps taken.
fn explore(house: &str, depth: usize) -> (usize, u64) {
    let moves = moves();
    let mut table = Validator::new(header(house, 2, Observes::ALL)).unwrap();
    let opening = [
        r#"{"ev":"seat","seat":1,"player":"P1"}"#,
        r#"{"ev":"seat","seat":2,"player":"P2"}"#,
        r#"{"ev":"load","cards":20,"cut_card":45}"#,
        r#"{"ev":"bet","box":"1","amount":1000,"player":"P1"}"#,
        r#"{"ev":"bet","box":"2","amount":1000,"player":"P2"}"#,
    ];
    for (text, line) in opening.iter().zip(2..) {
        table.step(line, &line::event(text.as_bytes()).unwrap(), &mut Vec::new());
    }
    let mut seen = HashSet::from([fingerprint(&table)]);
    let mut frontier = vec![table];
    let mut steps = 0u64;
    for _ in 0..depth {
        let mut next = Vec::new();
        for table in &frontier {
            for event in &moves {
                let mut after = table.clone();
                let mut answers = Vec::new();
                after.step(9, event, &mut answers);
                check(lying(table.state()), event, &after, &answers);
                steps += 1;
                if seen.insert(fingerprint(&after)) {
                    next.push(after);
                }
            }
        }
        frontier = next;
    }
    println!("{house}: {} states, {steps} steps, to a depth of {depth} events", seen.len());
    (seen.len(), steps)
}

#[test]
fn a_small_table_explored_exhaustively_holds_the_invariants_in_every_state() {
    let depth: usize = std::env::var("SABOT_MODEL_DEPTH").ok().and_then(|text| text.parse().ok()).unwrap_or(4);
    for house in regulation::ALL {
        // the others one step less deep: they share the procedure
        let is_main = house.id == "sala-8";
        let (states, steps) = explore(&house.id, if is_main { depth } else { depth - 1 });
        assert!(states > if is_main { 10_000 } else { 1_000 }, "{}: the model has shrunk: {states} states", house.id);
        assert!(steps > states as u64);
    }
}
