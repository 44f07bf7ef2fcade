//! How often a dealer touches his screen at a table of bought parts, in time that is not the machine's.

use sabot_law::table::event::{Choice, Kind};
use sabot_law::table::{Event, Header, Observes, Sight};
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Options};
use sabot_simulation::workload::{HOUSES, House, Settings};

use super::bought_tests::{Bought, is_unread, options, times, touched, written};

/// What stands in the goal for a table that sees decisions.
const MOST: usize = 25;
/// Passes that are dealt at one table.
const PASSES: u64 = 5;

/// A table of seven boxes that sees that much, its passes, and into how many hands a box may be split.
fn dealt(house: &'static House, seed: u64, sees: &[Sight]) -> (Header, Vec<Vec<Event>>, u8) {
    let options = options(house, seed, 0.0);
    let settings = Settings { boxes: 7, ..options.settings.clone() };
    let mut dealt = Deviating::new(Options { settings, ..options });
    let mut judge = Validator::new(dealt.header().clone()).unwrap();
    let mut pass = || {
        let mut events = Vec::new();
        dealt.next_pass(&mut events, |line, event, answers| judge.step(line, event, answers));
        events.iter().map(touched).collect()
    };
    let passes = (0..PASSES).map(|_| pass()).collect();
    let header = Header { observes: sees.iter().copied().collect::<Observes>(), ..dealt.header().clone() };
    (header, passes, dealt.max_hands())
}

/// Whether a dealer enters it where nothing that he says is entered; `None` where nobody tells of it.
fn is_entered(event: &Event, declares_aces: bool) -> Option<bool> {
    match event {
        Event::Decide { choice: Choice::Decline | Choice::Double | Choice::Split | Choice::Insure, .. } => None,
        Event::Ace { .. } if !declares_aces => None,
        event => match event.kind() {
            Kind::Ask | Kind::Announce | Kind::Request | Kind::CloseBets => None,
            kind => Some(matches!(kind, Kind::Decide | Kind::Ace | Kind::End)),
        },
    }
}

/// How many events of these are under one touch that is offered by now, the most.
fn offered(bought: &Bought, rest: &[Event]) -> Option<usize> {
    let offers = bought.table.validator.offers();
    let fits = |events: &&[Event]| rest.get(..events.len()) == Some(*events);
    offers.iter().map(|offer| &offer.events[..]).filter(fits).map(<[Event]>::len).max()
}

/// Plays a pass; how often the screen was touched.
fn touches(bought: &mut Bought, events: &[Event]) -> usize {
    let declares_aces = bought.table.validator.settings().play.ace_is_declared;
    let told: Vec<Event> = events.iter().filter(|event| is_entered(event, declares_aces).is_some()).cloned().collect();
    let (mut rest, mut touches) = (&told[..], 0);
    while let Some(first) = rest.first() {
        let mut together = 1;
        if is_entered(first, declares_aces) == Some(true) {
            // he enters it once the screen offers it
            let fits = (0..10).find_map(|_| {
                offered(bought, rest).or_else(|| {
                    bought.passes(500);
                    None
                })
            });
            together =
                fits.unwrap_or_else(|| panic!("{first:?} is not offered\n{}\n{}", written(events), bought.told()));
            touches += 1;
        }
        rest[..together].iter().for_each(|event| bought.happens(event));
        rest = &rest[together..];
    }
    bought.passes(10_000);
    touches
}

/// `SABOT_TIMES=100` deals 500 tables: 2,000 passes.
#[test]
fn a_pass_by_the_book_on_bought_parts_takes_at_most_25_touches_with_decisions() {
    let sees = [Sight::Places, Sight::Moves, Sight::Bets, Sight::Decisions];
    for &house in HOUSES.iter() {
        let mut all = Vec::new();
        for seed in 0..times() {
            let (header, passes, max_hands) = dealt(house, seed, &sees);
            let mut bought = Bought::of(&header, max_hands, &passes.concat(), seed);
            for events in &passes {
                bought.table.unrecorded.clear();
                all.push(touches(&mut bought, events));
                let (found, told) = (bought.found().collect::<Vec<_>>(), bought.told());
                assert!(found.is_empty(), "{}, seed {seed}: {found:?}\n{}\n{told}", house.id, written(events));
            }
        }
        all.sort_unstable();
        let most = all.last().copied().unwrap_or_default();
        println!("{}: {} passes, median {}, most {most}", house.id, all.len(), all[all.len() / 2]);
        assert!(most <= MOST, "{}: {all:?}", house.id);
    }
}

/// Nobody enters what bettors decide.
#[test]
fn a_table_of_bought_parts_that_does_not_see_decisions_finds_nothing_by_the_book() {
    let sees = [Sight::Places, Sight::Moves, Sight::Bets];
    for house in HOUSES.iter().filter(|house| ["sala-8", "croupier-6"].contains(&house.id)) {
        for seed in 0..times() {
            let (header, passes, max_hands) = dealt(house, seed, &sees);
            let mut bought = Bought::of(&header, max_hands, &passes.concat(), seed);
            for (pass, events) in passes.iter().enumerate() {
                let entered: Vec<Event> = events.iter().filter_map(|event| header.observes.told(event)).collect();
                bought.plays(&entered);
                let found: Vec<_> = bought.found().filter(|finding| !is_unread(finding)).collect();
                let (told, what) = (bought.told(), format!("{}, seed {seed}, pass {pass}", house.id));
                assert!(found.is_empty(), "{what}: {found:?}\n{}\ntold:\n{told}", written(events));
            }
        }
    }
}
