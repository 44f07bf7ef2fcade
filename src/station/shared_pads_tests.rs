//! Hands of a box that share its pads, as `docs/build/station.toml` has them: whose chips are those that come, or go.

use sabot_drivers::saw::Pad;
use sabot_handbook::examples;
use sabot_handbook::parts::header_with_bought;
use sabot_journal::Origin;
use sabot_law::regulation::{self, Regulation};
use sabot_law::table::answer::Severity;
use sabot_law::table::event::Kind;
use sabot_law::table::{BetSpot, Event, Name, line};
use sabot_law::validator::Validator;
use sabot_simulation::bought_felt::lines;
use sabot_simulation::table_sensors::TableSensors;
use sabot_wire::message::{ChipsSaw, Observation, Role};

use crate::findings::Findings;
use crate::live_table::LiveTable;
use crate::observe::Observer;
use crate::sourced_event::EventSource;

/// Examples by the book in which a box is split.
fn splits() -> impl Iterator<Item = (String, &'static Regulation, examples::Case)> {
    let articles = regulation::ALL.iter().flat_map(|house| house.articles.iter().map(move |article| (house, article)));
    articles.flat_map(|(house, article)| {
        let cases = examples::cases(article).unwrap().into_iter();
        let cases = cases.filter(|case| !case.violating && case.scenario.log().contains("\"split\""));
        cases.map(move |case| (format!("{}/{}", article.id, case.name), *house, case))
    })
}

/// What pads tell of chips goes to the station, all else as it is. `is_slow`: of what is done to stakes of hands that
/// were split off, one after the other, each pad has only seen how they lie at the end.
fn told(house: &Regulation, case: &examples::Case, is_slow: bool) -> LiveTable {
    let log = case.scenario.log();
    let mut texts = log.lines();
    let header = header_with_bought(&line::header(texts.next().unwrap().as_bytes()).unwrap());
    let max_hands = house.settings.clone().changed(&header.settings).split.max_hands;
    let events: Vec<Event> = texts.map(|text| line::event(text.as_bytes()).unwrap()).collect();
    let mut table = LiveTable::new(Validator::new(header.clone()).unwrap(), Findings::default());
    let spots = lines(header.boxes).into_iter().flatten();
    let spots = spots.filter_map(|pad| if let Pad::Stake(at) = pad { Some(at) } else { None });
    let mut observer = Observer::new(&header, std::time::Duration::ZERO).with_spots(spots);
    let mut sensors = TableSensors::sharing(max_hands);
    let settles = |event: Option<&Event>| match event {
        Some(Event::Pay { hand, .. } | Event::Collect { hand, .. }) if hand.hand > 0 => Some(hand.box_no),
        _ => None,
    };
    let (mut seq, mut waiting) = (0, Vec::new());
    for (nth, event) in events.iter().enumerate() {
        let mut seen = Vec::new();
        sensors.see(event, &mut seen);
        if !matches!(event.kind(), Kind::Bet | Kind::Pay | Kind::Collect)
            && let Some(event) = header.observes.told(event)
        {
            observer.person(event, None, 0, &mut table);
        }
        let is_passing =
            is_slow && settles(Some(event)).is_some() && settles(events.get(nth + 1)) == settles(Some(event));
        for (pad, saw) in seen.into_iter().filter_map(|saw| Some((pad(&saw)?, saw))) {
            waiting.retain(|(other, _)| *other != pad);
            waiting.push((pad, saw));
        }
        for (_, saw) in waiting.drain(if is_passing { 0..0 } else { 0..waiting.len() }) {
            seq += 1;
            let source = EventSource { origin: Origin(Name::new_static("chips"), 1, seq), seen: None };
            observer.take(Role::Chips, &saw, source, 0, &mut table);
        }
    }
    table
}

/// Whose chips were seen there.
fn pad(saw: &Observation) -> Option<(u8, BetSpot)> {
    match saw {
        Observation::Chips(ChipsSaw::Spot { box_no, spot, .. }) => Some((*box_no, *spot)),
        _ => None,
    }
}

fn words(table: &LiveTable) -> String {
    table.unrecorded.iter().map(|(told, _)| serde_json::to_string(&told.event).unwrap() + "\n").collect()
}

#[test]
fn what_hands_that_share_pads_are_paid_or_bet_is_told_of_the_hand_whose_it_is() {
    let mut count = 0;
    for (name, house, case) in splits() {
        let table = told(house, &case, false);
        let found: Vec<_> = table.findings.list().map(|view| &view.finding).collect();
        assert!(found.is_empty(), "{name}: {found:?}\n{}\ntold:\n{}", case.scenario.log(), words(&table));
        assert!(!words(&table).contains("events_missed"), "{name}:\n{}", words(&table));
        count += 1;
    }
    assert!(count > 20, "{count} examples");
}

#[test]
fn what_a_shared_pad_cannot_tell_apart_accuses_nobody_and_is_said_not_to_have_been_seen() {
    let mut missed = 0;
    for (name, house, case) in splits() {
        let table = told(house, &case, true);
        let accused: Vec<_> = table
            .findings
            .list()
            .map(|view| &view.finding)
            .filter(|finding| finding.severity != Severity::Integrity)
            .collect();
        assert!(accused.is_empty(), "{name}: {accused:?}\n{}\ntold:\n{}", case.scenario.log(), words(&table));
        missed += usize::from(words(&table).contains("events_missed"));
    }
    assert!(missed > 0, "no pass in which two hands of a box were settled at once");
}
