//! A pass from a log, played by the devices of the bench: an example of the handbook, from sensor heads to the display.

use std::collections::HashMap;

use sabot_law::table::event::Face;
use sabot_law::table::{Event, Place};
use sabot_simulation::table_sensors::TableSensors;
use sabot_wire::message::{Observation, ShoeSaw};

use crate::bench::Bench;
use crate::must;

/// ManualDevice into which a box of the table may be split.
const MAX_HANDS: u8 = 2;

/// An example of the handbook: what happens, line by line, and what the law says of it.
pub struct Example {
    /// What happens, with the line of each event, from 2: the first is the table's.
    events: Vec<(usize, Event)>,
    /// What is found: line, provision, place where it has one.
    pub found: Vec<(usize, String, Option<Place>)>,
    /// What is cleared: line and provision.
    pub cleared: Vec<(usize, String)>,
}

impl Example {
    /// The example of an article of that name, and what is expected of it.
    ///
    /// # Panics
    /// When there is no such example.
    #[must_use]
    pub fn read(regulation: &str, article: &str, name: &str) -> Self {
        let found = sabot_law::regulation::find(regulation).and_then(|regulation| regulation.article(article));
        let article = found.unwrap_or_else(|| panic!("no article {article} of {regulation}"));
        let case = must(name, sabot_handbook::examples::case(article, name));
        let (mut events, mut found, mut cleared) = (Vec::new(), Vec::new(), Vec::new());
        for (line, step) in (1..).zip(&case.scenario.steps) {
            if line > 1 {
                let event = sabot_law::table::line::event(step.json.as_bytes());
                events.push((line, must("an event of the example", event)));
            }
            for answer in &step.expected {
                let words: Vec<&str> = answer.split(' ').collect();
                match *words.as_slice() {
                    ["cleared", provision, ..] => cleared.push((line, provision.to_owned())),
                    ["settle" | "breach", ..] => {}
                    [provision, place, ..] => found.push((line, provision.to_owned(), place.parse().ok())),
                    _ => panic!("nothing is expected by `{answer}`"),
                }
            }
        }
        cover(&mut events);
        Self { events, found, cleared }
    }
}

/// The examples leave out of a card whether it is covered. The bank's second is, and any that is turned up later.
fn cover(events: &mut [(usize, Event)]) {
    let mut last: HashMap<Place, usize> = HashMap::new();
    let mut of_bank = 0;
    for number in 0..events.len() {
        match events.get_mut(number).map(|(_, event)| event) {
            Some(Event::Draw { to: Some(to), face, .. }) => {
                last.insert(*to, number);
                of_bank += usize::from(*to == Place::Bank);
                if *to == Place::Bank && of_bank == 2 && face.is_none() {
                    *face = Some(Face::Down);
                }
            }
            Some(Event::Reveal { at, .. }) => {
                let covered = last.get(&*at).and_then(|number| events.get_mut(*number));
                if let Some((_, Event::Draw { face: face @ None, .. })) = covered {
                    *face = Some(Face::Down);
                }
            }
            _ => {}
        }
    }
}

/// How far an example was played.
#[derive(Debug)]
pub struct Played {
    sensors: TableSensors,
    next: usize,
}

impl Bench {
    /// An example, of which nothing was played yet.
    #[must_use]
    pub fn play(&self) -> Played {
        Played { sensors: TableSensors::of(MAX_HANDS), next: 0 }
    }

    /// Plays an example on, to its line `to` and with it: each sensor sees what it would see of that.
    pub fn play_on(&self, example: &Example, played: &mut Played, to: usize) {
        while let Some((line, event)) = example.events.get(played.next)
            && *line <= to
        {
            let mut seen = Vec::new();
            played.sensors.see(event, &mut seen);
            for saw in seen {
                // a card and its place are one event; each other is a step of its own
                let drawn = matches!(saw, Observation::Shoe(ShoeSaw::Drawn(_)));
                self.saw(saw);
                if drawn && self.places { self.wait_for_the_shoe() } else { self.settle() }
            }
            played.next += 1;
        }
    }
}
