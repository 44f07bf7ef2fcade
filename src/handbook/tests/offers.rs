//! Everything that people enter in the compliant examples of every house is offered to them at that moment, or has a
//! form of its own.

use std::collections::BTreeMap;

use sabot_law::table::event::{BankChange, Kind};
use sabot_law::table::{Event, Place, line};
use sabot_law::validator::Validator;

use crate::houses::{files, short};

/// What devices tell: no person enters it.
const SEEN: &[Kind] = &[Kind::Draw, Kind::CutCard, Kind::Load, Kind::Device, Kind::Shuffle, Kind::Bet];

/// What has an amount, a name or a card in it that nobody can foresee: it is entered in a form.
fn has_a_form(event: &Event) -> bool {
    matches!(
        event,
        Event::Seat { .. }
            | Event::Leave { .. }
            | Event::Request { .. }
            | Event::Cut { .. }
            | Event::BankCard { .. }
            | Event::Report { .. }
            | Event::Correct { .. }
            | Event::Reveal { card: Some(_), .. }
            | Event::Bank { how: BankChange::Sold, .. }
            | Event::Share { .. }
    )
}

/// The same without what nobody has to say: who spoke, and who signs.
fn plain(event: &Event) -> Event {
    let mut event = event.clone();
    match &mut event {
        Event::Decide { by, .. } | Event::Ace { by, .. } => *by = None,
        Event::Authorize { by, role, .. } => (*by, *role) = ("".into(), "inspector".parse().unwrap()),
        Event::Rule { by, role, finding, .. } => (*by, *role, *finding) = ("".into(), "".into(), None),
        Event::Reveal { card, .. } => *card = None,
        Event::Move { to: Place::Discard, cards, .. } => *cards = None,
        _ => {}
    }
    event
}

#[test]
fn the_next_entry_of_every_compliant_example_is_among_those_offered() {
    let (mut missing, mut ranks, mut all) = (String::new(), BTreeMap::<usize, usize>::new(), 0);
    for file in files() {
        for case in file.cases.iter().filter(|case| !case.violating) {
            let mut lines = case.scenario.steps.iter();
            let header = line::header(lines.next().unwrap().json.as_bytes()).unwrap();
            let mut table = Validator::new(header).unwrap();
            let events: Vec<Event> = lines.map(|step| line::event(step.json.as_bytes()).unwrap()).collect();
            let mut answered: Option<Event> = None;
            for (n, event) in events.iter().enumerate() {
                let offers = table.offers();
                let wanted = plain(event);
                let at = offers.iter().position(|offer| {
                    offer.events.iter().map(plain).zip(events[n..].iter().map(plain)).all(|(is, was)| is == was)
                        && offer.events.len() <= events.len() - n
                });
                let is_answered = answered.take().is_some_and(|next| next == wanted);
                if !SEEN.contains(&event.kind()) && !has_a_form(event) && !is_answered {
                    all += 1;
                    match at {
                        Some(at) => *ranks.entry(at).or_default() += 1,
                        None => missing += &format!("{} {}: {} {event:?}\n", short(&file.path), case.name, n + 2),
                    }
                }
                table.step(n as u64 + 2, event, &mut Vec::new());
            }
        }
    }
    println!("{all} entries, by their place among the offered: {ranks:?}");
    assert!(missing.is_empty(), "{} not offered:\n{missing}", missing.lines().count());
}
