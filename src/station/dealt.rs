//! Events of a simulated table, for tests of what a station makes of them.

use sabot_law::table::{Event, Header};
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Options};
use sabot_simulation::workload::{House, Settings};

/// The events of the first passes of a table that deviates in each other pass. A new shoe comes after so many of them,
/// where that is said.
pub(crate) fn dealt(
    house: &'static House,
    seed: u64,
    passes: usize,
    new_shoe_after: Option<usize>,
) -> (Header, Vec<Event>) {
    let settings = Settings { seed, boxes: 3, ..Settings::of(house) };
    let mut table = Deviating::new(Options { rate: 0.5, ..Options::of(settings) });
    let mut judge = Validator::new(table.header().clone()).unwrap();
    let (mut events, mut answers) = (Vec::new(), Vec::new());
    for pass in 0..passes {
        if new_shoe_after == Some(pass) {
            events.push(Event::Load { cards: 416, cut_card: 52 });
        }
        loop {
            let (_, event) = table.next_event();
            answers.clear();
            judge.step(events.len() as u64 + 2, &event, &mut answers);
            table.answered(&answers);
            events.push(event);
            if table.is_between_passes() {
                break;
            }
        }
    }
    (table.header().clone(), events)
}
