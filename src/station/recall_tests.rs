//! What is kept of a table at the end of a pass leads to the same as all that came before it.

use std::path::Path;

use sabot_journal::{Journal, Record, open_with, state_of};
use sabot_law::table::{Event, Header};
use sabot_simulation::workload::HOUSES;

use super::*;
use crate::registry::Registry;
use crate::tagged_cards::of_tests::tagged_cards;
use sabot_law::table::event::Chip;

use crate::composition::tests::of_some_shoes;
use crate::dealt::dealt;
use crate::history::service::Service;
use crate::lying::DOUBLED_MS;
use crate::sourced_event::of_station;
use crate::table_task::tests::config;

pub(crate) fn of(header: &Header, folder: &Path) -> Arc<Config> {
    let place_wait = std::time::Duration::ZERO;
    let devices = Vec::new();
    let journal = folder.join("record");
    Arc::new(Config { header: header.clone(), devices, journal, ..config(place_wait) })
}

fn taken(config: &Arc<Config>, events: &[Event]) -> Recalled {
    let mut recalled = Recalled::new(config.clone(), Registries::default()).unwrap();
    (2..).zip(events).for_each(|(line, event)| recalled.take(line, 0, event));
    recalled
}

#[test]
fn what_is_kept_at_the_end_of_any_pass_leads_to_the_same() {
    let (mut kept, mut refused) = (0, 0);
    for house in HOUSES {
        for seed in 0..3 {
            let (header, events) = dealt(house, seed, 12, None);
            let config = of(&header, Path::new("nowhere"));
            let ends: Vec<usize> =
                (1..).zip(&events).filter(|(_, e)| matches!(e, Event::End {})).map(|(n, _)| n).collect();
            for pair in ends.windows(3) {
                let [at, .., until] = *pair else { unreachable!() };
                let Some(state) = taken(&config, &events[..at]).kept(at as u64 + 1) else {
                    refused += 1;
                    continue;
                };
                let whole = taken(&config, &events[..until]);
                let mut again = Recalled::new(config.clone(), Registries::default()).unwrap();
                assert!(again.restore(&state), "{state}");
                (at as u64 + 2..).zip(&events[at..until]).for_each(|(line, event)| again.take(line, 0, event));
                // a correction that reaches back is one that the keeper refuses
                if whole.table.validator.settled() >= Some(at as u64 + 1) {
                    let corrected = events[at..until].iter().any(|event| matches!(event, Event::Correct { .. }));
                    assert!(again.agrees_with(&whole) || corrected, "{}, seed {seed}, line {at}", house.id);
                }
                kept += 1;
            }
        }
    }
    assert!(kept > 60 && refused * 4 < kept, "{kept} kept, {refused} refused");
}

/// A table whose chips and cards have tags.
fn tagged(recalled: Recalled) -> Recalled {
    let header = &recalled.config.header;
    let tracker = ChipTracker::new(Registry::default(), header.table.clone());
    let cards = tagged_cards(header, std::time::Duration::ZERO);
    let observer = Observer::new(header, std::time::Duration::ZERO).with_chip_tracker(tracker);
    Recalled { observer: observer.with_tagged_cards(Some(cards)), ..recalled }
}

#[test]
fn of_chips_and_cards_with_tags_as_much_is_known_by_what_was_kept_as_by_all_of_the_record_and_no_secret_is_kept() {
    let (mut doubled, mut hidden) = (0, 0);
    for seed in 0..4 {
        let (header, mut events) = dealt(HOUSES[0], seed, 12, Some(3));
        // each chip comes to lie on one spot after the other, and is taken from none
        for (n, event) in events.iter_mut().enumerate() {
            if let Event::Bet { chips, amount, .. } = event {
                chips.push(Chip { id: format!("{:016X}", n % 7).into(), value: *amount });
            }
        }
        let config = of(&header, Path::new("nowhere"));
        let new = || tagged(Recalled::new(config.clone(), Registries::default()).unwrap());
        let read = |recalled: &mut Recalled, from: usize, to: usize| {
            (from as u64 + 2..).zip(&events[from..to]).for_each(|(line, event)| recalled.take(line, 0, event));
        };
        let ends: Vec<usize> = (1..).zip(&events).filter(|(_, e)| matches!(e, Event::End {})).map(|(n, _)| n).collect();
        for pair in ends.windows(2) {
            let [at, until] = *pair else { unreachable!() };
            let (mut part, mut whole, mut again) = (new(), new(), new());
            read(&mut part, 0, at);
            let Some(state) = part.kept(at as u64 + 1) else { continue };
            let kept: Kept = serde_json::from_str(&state).unwrap();
            let shown: usize = kept.tags.cards.told.iter().map(|(_, count)| count).sum();
            let load = events[..at].iter().rposition(|event| matches!(event, Event::Load { .. })).unwrap_or(0);
            let draws = events[load..at].iter().filter(|event| matches!(event, Event::Draw { .. })).count();
            assert_eq!((shown + kept.tags.cards.hidden, kept.tags.cards.hidden), (draws, part.hidden.len()));
            hidden += kept.tags.cards.hidden;
            read(&mut whole, 0, until);
            assert!(again.restore(&state));
            read(&mut again, at, until);
            assert_eq!(again.tags(), whole.tags(), "seed {seed}, line {at}");
            let says = |recalled: &mut Recalled| {
                recalled.observer.tick(DOUBLED_MS, &mut recalled.table);
                recalled.table.unrecorded.drain(..).map(|(told, _)| told.event).collect::<Vec<_>>()
            };
            let said = says(&mut whole);
            assert_eq!(says(&mut again), said, "seed {seed}, line {at}");
            doubled += said.len();
        }
    }
    assert!(doubled > 10 && hidden > 10, "{doubled} chips at two spots, {hidden} cards that nobody may know");
}

/// A record of these events, as a station writes it.
pub(crate) fn written(config: &Arc<Config>, events: &[Event]) -> Journal {
    let mut recalled = Recalled::new(config.clone(), Registries::default()).unwrap();
    let (mut journal, _) = sabot_journal::open(&config.journal, &config.header, |_, _, _| {}).unwrap();
    for event in events {
        let line = journal.lines() + 1;
        let Judged { covering, answers, .. } = recalled.table.step(line, event);
        recalled.observer.recall(event);
        journal.append(Record { covering, answers, ..Record::of(event.clone(), line) });
    }
    journal
}

/// A start by what was kept: how many lines it went by, and what it knows.
fn started(config: &Arc<Config>) -> (LineNo, Recalled) {
    let mut recalled = Recalled::new(config.clone(), Registries::default()).unwrap();
    let with = journal::With { program: reads_alike(config), ..journal::With::default() };
    let (journal, held) = open_with(&config.journal, &config.header, with, &mut recalled).unwrap();
    drop(journal.close());
    (held.kept.map_or(0, |(mark, _)| mark.lines), recalled)
}

#[test]
fn a_start_goes_by_what_was_kept_where_the_record_tells_of_it_and_reads_all_of_it_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let (header, mut events) = dealt(HOUSES[0], 1, 20, None);
    let deals = of_station(Service::Deals.word(), "D-3 dealer");
    events.insert(0, deals.clone());
    let config = of(&header, folder.path());
    let journal = written(&config, &events);
    while journal.durable().borrow().line < journal.lines() {
        std::thread::yield_now();
    }
    let (mark, _, hash) = keep_once(&config, &Before::of(None), journal.lines()).unwrap().expect("a pass has ended");
    let say = |event| Record::of(event, u64::MAX >> 1);
    let told = about::state_kept(&hash, mark.lines);
    drop(journal.close());
    assert_eq!(started(&config).0, 0, "the record does not tell of it");

    let (mut journal, _) = sabot_journal::open(&config.journal, &header, |_, _, _| {}).unwrap();
    journal.append(say(told));
    drop(journal.close());
    let (went_by, short) = started(&config);
    assert_eq!(went_by, mark.lines);
    let (_, long) = {
        let state = std::fs::read(state_of(&config.journal)).unwrap();
        std::fs::remove_file(state_of(&config.journal)).unwrap();
        let long = started(&config);
        std::fs::write(state_of(&config.journal), state).unwrap();
        long
    };
    assert!(short.agrees_with(&long));
    assert_eq!(short.serving.lines().collect::<Vec<_>>(), [deals], "who deals was said before what is kept begins");

    let state = std::fs::read_to_string(state_of(&config.journal)).unwrap();
    std::fs::write(state_of(&config.journal), state.replacen("\"format\":", "\"format\": ", 1)).unwrap();
    assert_eq!(started(&config).0, 0, "one byte of it is another");
    std::fs::write(state_of(&config.journal), &state).unwrap();
    assert_eq!(started(&config).0, mark.lines);
    let other = Arc::new(Config { digest: "another".to_owned(), ..(*config).clone() });
    assert_eq!(started(&other).0, 0, "it is configured otherwise");
}

#[test]
fn what_shoes_have_shown_is_kept_and_goes_on_into_the_next_gaming_day() {
    let folder = tempfile::tempdir().unwrap();
    let (header, events) = dealt(HOUSES[0], 1, 20, None);
    let config = of(&header, folder.path());
    let journal = written(&config, &events);
    while journal.durable().borrow().line < journal.lines() {
        std::thread::yield_now();
    }
    let state = |before: &Before| {
        let (mark, state, _) = keep_once(&config, before, journal.lines()).unwrap().expect("a pass has ended");
        (mark, state)
    };
    let shown = |state: &str| {
        let mut recalled = Recalled::new(config.clone(), Registries::default()).unwrap();
        assert!(recalled.restore(state));
        recalled.table.composition().clone()
    };
    let (_, first) = state(&Before::of(None));
    let before = of_some_shoes(1);
    let (_, later) = state(&Before::Day(before.clone()));
    assert!(shown(&later) != shown(&first), "the days before count");
    assert_eq!(shown(&later) == before, shown(&first) == Composition::default(), "and so does this one");
}

#[test]
fn the_shoe_in_which_a_gaming_day_ends_counts_as_far_as_it_was_dealt() {
    let (header, events) = dealt(HOUSES[0], 1, 10, None);
    let table = taken(&of(&header, Path::new("nowhere")), &events).table;
    assert_eq!(*table.composition(), Composition::default(), "no shoe is over");
    assert_ne!(table.composition_of_days(), Composition::default());
}
