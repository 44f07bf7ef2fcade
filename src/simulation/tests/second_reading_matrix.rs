//! The validator and the auditor on the matrix of the law's tests: every kind of event in every state of a table.

#[path = "../../law/tests/matrix/club.rs"]
mod club;
#[path = "../../law/tests/matrix/croupier6.rs"]
mod croupier6;
#[path = "../../law/tests/matrix/sala8.rs"]
mod sala8;
#[path = "../../law/tests/matrix/talla.rs"]
mod talla;

use sabot_handbook::scenario::Notation;

use crate::otherwise::{Otherwise, is_asked_for};

/// What the tables of the law's tests say of a house.
struct House {
    id: &'static str,
    limits: &'static str,
    events: &'static str,
    states: &'static [State],
}

struct State {
    name: &'static str,
    /// Whether later states go through it.
    is_on_the_way: bool,
    lines: &'static str,
}

macro_rules! house {
    (
        id: $id:literal, limits: $limits:literal, events: $events:literal,
        $($way:ident $name:ident: $lines:literal;)+
    ) => {
        pub(super) const HOUSE: super::House = super::House {
            id: $id,
            limits: $limits,
            events: $events,
            states: &[$(super::State {
                name: stringify!($name),
                is_on_the_way: super::house!(way $way),
                lines: $lines,
            }),+],
        };
    };
    (way then) => { true };
    (way $other:ident) => { false };
}

use house;

/// A house, and of how many of its logs the answers may differ.
const READ_OTHERWISE: [(House, usize); 4] =
    [(sala8::HOUSE, 23), (talla::HOUSE, 26), (club::HOUSE, 81), (croupier6::HOUSE, 32)];

/// Every log of a house's matrix, with the state and the event it ends with.
fn logs(house: &House) -> impl Iterator<Item = (String, String)> {
    house.states.iter().enumerate().flat_map(move |(at, state)| {
        let through = house.states[..at].iter().filter(|state| state.is_on_the_way).chain([state]);
        let way = through.map(|state| state.lines).collect::<Vec<_>>().join("\n");
        let events = house.events.lines().map(str::trim).filter(|event| !event.is_empty());
        events.map(move |event| {
            let table = format!("table regulation={} {}\n== one\n{way}\n{event}\n", house.id, house.limits);
            let read = Notation { file: "matrix", house: house.id, own: &[] }.read(&table).unwrap();
            (format!("{}: {event}", state.name), read[0].log())
        })
    })
}

#[test]
fn every_kind_of_event_in_every_state_is_answered_alike_but_for_logs_that_are_counted() {
    let asked_for = READ_OTHERWISE.iter().filter(|(house, _)| is_asked_for(house.id));
    let more = asked_for.filter_map(|(house, most)| Otherwise::of(logs(house)).more_than(house.id, *most));
    let more: Vec<String> = more.collect();
    assert!(more.is_empty(), "{}", more.join("\n"));
}
