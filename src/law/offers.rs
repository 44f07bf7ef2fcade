//! What a person at the table may enter next, in words for people.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::procedure::duties::Duties;
use crate::procedure::offers::Entered;
use crate::procedure::state::State;
use crate::table::act_words::act;
use crate::table::event::Choice;
use crate::table::felt::Words;
use crate::table::offer::Offer;
use crate::table::{Event, HandId};

/// What may be entered next, the likeliest first.
#[must_use]
pub(crate) fn offers(state: &State, duties: &Duties, late: Option<HandId>) -> Vec<Offer> {
    let worded = |Entered { who, events, is_due }: Entered| {
        let (place, verb) = events.last().map(act).unwrap_or_default();
        let before = before(&events);
        Offer { who, is_due, place, verb, before, events }
    };
    state.offers(duties, late).into_iter().map(worded).collect()
}

/// What it says as well: which hands stand, and what an ace counts. Questions go without saying.
fn before(events: &[Event]) -> Words {
    let (mut stood, mut declared) = (Vec::new(), Words::default());
    for event in events.split_last().map_or(&[][..], |(_, earlier)| earlier) {
        match event {
            Event::Decide { hand, choice: Choice::Stand, .. } => stood.push(hand.to_string()),
            Event::Ace { .. } => declared = act(event).1,
            _ => {}
        }
    }
    let names = stood.join(", ");
    let stood = match stood.len() {
        0 => Words::default(),
        1 => Words::new(format!("se planta {names}"), format!("{names} stands")),
        _ => Words::new(format!("se plantan {names}"), format!("{names} stand")),
    };
    let joined = |one: String, other: String| {
        [one, other].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    };
    Words { es: joined(stood.es, declared.es), en: joined(stood.en, declared.en) }
}
