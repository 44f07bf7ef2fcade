//! A pass from a log, played by the devices of the bench: an example of the handbook, from sensor heads to the display.

use std::collections::HashMap;
use std::path::Path;

use sabot_law::table::event::Face;
use sabot_law::table::{Event, Place};
use sabot_simulation::senses::Senses;
use sabot_wire::message::{Observation, ShoeSaw};

use crate::bench::Bench;
use crate::must;

/// Hands into which a box of the table may be split.
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
    /// Reads `docs/handbook/<regulation>/examples/<name>.jsonl` and what is expected of it.
    ///
    /// # Panics
    /// When there is no such example.
    #[must_use]
    pub fn read(regulation: &str, name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/handbook").join(regulation).join("examples");
        let read = |end: &str| must(name, std::fs::read_to_string(folder.join(format!("{name}.{end}"))));
        let log = read("jsonl");
        let lines = (1..).zip(log.lines()).skip(1);
        let mut events: Vec<_> = lines
            .map(|(line, text)| (line, must("an event of the example", sabot_law::table::line::event(text.as_bytes()))))
            .collect();
        cover(&mut events);
        let (mut found, mut cleared) = (Vec::new(), Vec::new());
        for line in read("expected").lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let at = |word: &str| must("a line's number", word.parse::<usize>());
            match *words.as_slice() {
                [line, "cleared", provision, ..] => cleared.push((at(line), provision.to_owned())),
                [_, "settle" | "breach", ..] => {}
                [line, provision, place, ..] => found.push((at(line), provision.to_owned(), place.parse().ok())),
                _ => panic!("nothing is expected by `{line}`"),
            }
        }
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
    senses: Senses,
    next: usize,
}

impl Bench {
    /// An example, of which nothing was played yet.
    #[must_use]
    pub fn play(&self) -> Played {
        Played { senses: Senses::of(MAX_HANDS), next: 0 }
    }

    /// Plays an example on, to its line `to` and with it: each sensor sees what it would see of that.
    pub fn play_on(&self, example: &Example, played: &mut Played, to: usize) {
        while let Some((line, event)) = example.events.get(played.next)
            && *line <= to
        {
            let mut seen = Vec::new();
            played.senses.see(event, &mut seen);
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
