//! Every kind of event in every state of a table under each house's regulation: what is answered, and what is due next.
//!
//! The tables are snapshots, one a state, so that a change of the procedure is a diff to read and to agree with:
//! `tests/snapshots/<house>__<state>.snap`. Events are written as in the scenario tables, answers in their notation.
//! `-`: nothing is answered; `=`: what is due stays as it was. Above stands what is offered to be entered, what is due
//! apart from what is only possible, and in brackets what would be found. To take a change:
//! `INSTA_UPDATE=always cargo test -p sabot-law matrix`, and read the diff.

mod club;
mod croupier6;
mod sala8;
mod talla;

use std::collections::BTreeSet;

use sabot_handbook::scenario::Step;
use sabot_handbook::verdict::Verdicts;
use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::due::Who;
use sabot_law::table::event::Kind;
use sabot_law::table::felt::Phase;
use sabot_law::table::offer::Offer;
use sabot_law::table::{Answer, Event, line};

use crate::scenarios::read;

/// The matrix of a house.
struct House {
    id: &'static str,
    /// The limits and the stake of its table.
    limits: &'static str,
    /// Each kind of event, those that mean several things several times; a line each.
    events: &'static str,
    /// The states, in the order of a pass.
    states: &'static [State],
}

/// A state of the table, and what leads to it.
struct State {
    name: &'static str,
    way: Way,
    /// What happens after the latest state that later ones go through.
    lines: &'static str,
}

/// How a state stands to those after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// They go on from it.
    Then,
    /// They do not go through it.
    Aside,
    /// The same, and something has been found on the way.
    Found,
}

const HOUSES: [&House; 4] = [&sala8::HOUSE, &talla::HOUSE, &club::HOUSE, &croupier6::HOUSE];

/// A house's matrix, with a test for each state: `then`, `aside` or `found`, its name, and what leads there.
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
                way: super::house!(way $way),
                lines: $lines,
            }),+],
        };

        mod every_kind_of_event_is_answered_as_agreed_when {
            $(#[test]
            fn $name() {
                crate::matrix::agreed(&super::HOUSE, stringify!($name));
            })+
        }
    };
    (way then) => { super::Way::Then };
    (way aside) => { super::Way::Aside };
    (way found) => { super::Way::Found };
}

use house;

impl House {
    /// What has happened in a state, a line each.
    fn way_to(&self, name: &str) -> String {
        let at = self.states.iter().position(|state| state.name == name).unwrap();
        let (before, state) = (&self.states[..at], &self.states[at]);
        let through = before.iter().filter(|state| state.way == Way::Then).chain([state]);
        through.map(|state| state.lines).collect::<Vec<_>>().join("\n")
    }

    fn events(&self) -> impl Iterator<Item = &'static str> {
        self.events.lines().map(str::trim).filter(|event| !event.is_empty())
    }

    /// The steps of some lines at this house's table, the header first.
    fn steps(&self, lines: &str) -> Vec<Step> {
        read(self.id, &format!("table regulation={} {}\n== one\n{lines}\n", self.id, self.limits)).remove(0).steps
    }
}

/// What is answered and due at one event after others.
struct Cell {
    phase: Phase,
    before: String,
    answered: String,
    after: String,
}

fn due(replay: &Replay) -> String {
    let due = replay.validator().unwrap().felt().due;
    due.iter().map(|words| words.en.as_str()).collect::<Vec<_>>().join(" · ")
}

/// What is offered after some lines, and what is found where it is entered.
fn offered(house: &House, way: &str) -> Vec<(Offer, String)> {
    let mut replay = Replay::new(Lang::En, None);
    for step in house.steps(way) {
        replay.feed(step.json.as_bytes(), &mut Vec::new()).unwrap();
    }
    let found = |offer: &Offer| {
        let (mut table, mut answers) = (replay.validator().unwrap().clone(), Vec::new());
        for event in &offer.events {
            table.step(replay.line() + 1, &signed(event), &mut answers);
        }
        let findings = answers.iter().filter_map(|answer| match answer {
            Answer::Finding(finding) => Some(finding.provision),
            _ => None,
        });
        findings.collect::<Vec<_>>().join(" ")
    };
    let offers = replay.validator().unwrap().offers().into_iter();
    offers.map(|offer| (offer.clone(), found(&offer))).collect()
}

/// The event by somebody who may do it, where that is not filled in.
fn signed(event: &Event) -> Event {
    let mut event = event.clone();
    if let Event::Rule { by, role, .. } = &mut event {
        (*by, *role) = ("R-1".into(), "room".into());
    }
    event
}

/// What is offered, in words, a line for what is due and one for what is only possible.
fn offers(house: &House, way: &str) -> String {
    let (mut due, mut possible) = (Vec::new(), Vec::new());
    for (offer, found) in offered(house, way) {
        let place = offer.place.map(|place| format!("{place} ")).unwrap_or_default();
        let before = if offer.before.en.is_empty() { String::new() } else { format!(" ({})", offer.before.en) };
        let asked = offer.events.iter().any(|event| matches!(event, Event::Ask { .. })) && offer.events.len() > 1;
        let asked = if asked { " when asked" } else { "" };
        let found = if found.is_empty() { found } else { format!(" [{found}]") };
        let who = match offer.who {
            Who::Dealer => "",
            Who::Inspector => "inspector: ",
            Who::Room => "room: ",
        };
        let list = if offer.is_due { &mut due } else { &mut possible };
        list.push(format!("{who}{place}{}{asked}{before}{found}", offer.verb.en));
    }
    let written = |list: &[String]| if list.is_empty() { "nothing".into() } else { list.join(", ") };
    format!("offered as due: {}\noffered as possible: {}\n", written(&due), written(&possible))
}

/// Plays what leads to a state, then the event.
fn cell(house: &House, way: &str, event: &str) -> Cell {
    let mut steps = house.steps(&format!("{way}\n{event}"));
    let event = steps.pop().unwrap();
    let mut replay = Replay::new(Lang::En, None);
    let mut verdicts = Verdicts::default();
    let mut feed = |replay: &mut Replay, json: &str| verdicts.feed(replay, json).unwrap().join(" | ");
    for step in &steps {
        feed(&mut replay, &step.json);
    }
    let before = due(&replay);
    let phase = replay.validator().unwrap().felt().phase;
    let answered = feed(&mut replay, &event.json);
    Cell { phase, before, answered, after: due(&replay) }
}

/// The column of answers, always the same, so that one longer answer is not a change of the whole table.
const WIDTH: usize = 44;

/// The table of one state.
fn block(house: &House, way: &str) -> String {
    let cells: Vec<(&str, Cell)> = house.events().map(|event| (event, cell(house, way, event))).collect();
    let (_, first) = &cells[0];
    let mut text = format!("after:\n  {}\n", way.replace('\n', "\n  "));
    text += &format!("phase: {:?}\ndue: {}\n", first.phase, or(&first.before, "nothing"));
    text += &offers(house, way);
    text.push('\n');
    text += &format!("{:27} {:WIDTH$} due next\n", "event", "answered");
    for (event, cell) in &cells {
        let answered = or(&cell.answered, "-");
        let due = if cell.after == cell.before { "=" } else { or(&cell.after, "nothing") };
        text += &format!("{event:27} {answered:WIDTH$} {due}\n");
    }
    text
}

/// Each state of each house: its name, the way to it, and every event that may come then but corrections.
pub(crate) fn cells() -> impl Iterator<Item = (String, Vec<Step>, Vec<Step>)> {
    HOUSES.into_iter().flat_map(|house| {
        house.states.iter().map(move |state| {
            let events = house.events().filter(|event| !event.starts_with("strike"));
            let events = events.map(|event| house.steps(event).pop().unwrap()).collect();
            (format!("{} {}", house.id, state.name), house.steps(&house.way_to(state.name)), events)
        })
    })
}

fn or<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() { otherwise } else { text }
}

/// Holds the table of a state against its snapshot.
fn agreed(house: &House, state: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots");
    let name = format!("{}__{state}", house.id.replace('-', "_"));
    settings.bind(|| insta::assert_snapshot!(name, block(house, &house.way_to(state))));
}

#[test]
fn the_matrix_has_every_kind_of_event_and_every_phase() {
    for house in HOUSES {
        let kind = |event| line::event(house.steps(event).pop().unwrap().json.as_bytes()).unwrap().kind();
        let events: BTreeSet<Kind> = house.events().map(kind).collect();
        let missing: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| !events.contains(kind)).collect();
        assert!(missing.is_empty(), "{}: no event of these kinds: {missing:?}", house.id);
        let phase = |state: &State| cell(house, &house.way_to(state.name), "close").phase;
        let phases: Vec<Phase> = house.states.iter().map(phase).collect();
        for phase in [Phase::Idle, Phase::Bets, Phase::Delivery, Phase::Play, Phase::Bank, Phase::Settlement] {
            assert!(phases.contains(&phase), "{}: no state in phase {phase:?}", house.id);
        }
    }
}

#[test]
fn nothing_is_found_where_the_dealer_enters_what_is_due_first() {
    for house in HOUSES {
        for state in house.states {
            let offered = offered(house, &house.way_to(state.name));
            let first = offered.first().and_then(|(offer, _)| offer.place);
            for (offer, found) in offered.iter().filter(|(offer, _)| offer.is_due && offer.place == first) {
                let is_his = offer.who == Who::Dealer;
                assert!(!is_his || found.is_empty(), "{} {}: {offer:?}: {found}", house.id, state.name);
            }
        }
    }
}

#[test]
fn nothing_is_found_on_the_way_to_a_state_unless_it_says_so() {
    for house in HOUSES {
        for state in house.states {
            let mut replay = Replay::new(Lang::En, None);
            let mut answers = Vec::new();
            for step in house.steps(&house.way_to(state.name)) {
                replay.feed(step.json.as_bytes(), &mut answers).unwrap();
            }
            let found = answers.iter().any(|answer| matches!(answer, Answer::Finding(_)));
            assert_eq!(found, state.way == Way::Found, "{} {}: {answers:?}", house.id, state.name);
        }
    }
}
