//! Hands of a box that share its pads, as `docs/build/station.toml` has them: whose chips are those that come, or go.

use sabot_drivers::saw::Pad;
use sabot_handbook::examples;
use sabot_handbook::parts::header_with_bought;
use sabot_journal::Origin;
use sabot_law::regulation::{self, Regulation};
use sabot_law::table::answer::Severity;
use sabot_law::table::event::Kind;
use sabot_law::table::{BetSpot, Event, Header, Name, line};
use sabot_law::validator::Validator;
use sabot_simulation::bought_felt::lines;
use sabot_simulation::deviations::Deviating;
use sabot_simulation::table_sensors::TableSensors;
use sabot_simulation::workload::{HOUSES, House};
use sabot_wire::message::{ChipsSaw, Observation, Role};

use crate::bought_tests::{options, times, touched, written};
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
    let header = line::header(texts.next().unwrap().as_bytes()).unwrap();
    let max_hands = house.settings.clone().changed(&header.settings).split.max_hands;
    let events: Vec<Event> = texts.map(|text| line::event(text.as_bytes()).unwrap()).collect();
    told_events(&header, max_hands, &events, is_slow)
}

fn told_events(header: &Header, max_hands: u8, events: &[Event], is_slow: bool) -> LiveTable {
    let header = header_with_bought(header);
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

/// What the station is told of a pass of `club` by the book that is written here, and is not in the handbook.
fn told_of_club(log: &str) -> LiveTable {
    let house = regulation::find("club").unwrap();
    let cases = examples::read("shared_pads_tests.rs", &house.id, &format!("== compliant: pass\n{log}")).unwrap();
    told(house, &cases[0], false)
}

fn found(table: &LiveTable) -> Vec<&str> {
    table.findings.list().map(|view| view.finding.provision).collect()
}

#[test]
fn a_double_is_told_of_the_hand_that_chose_it_where_one_that_has_stood_might_have_doubled() {
    let table = told_of_club(
        "table limits=10-1000 stake=50 set=max_hands:4
bets 7
deal 9S 7C 9H
ask 7 split
bet 7 split 50
draw AS 7
ask 7 double
decline 7
stand 7
draw 2S 7b
ask 7b double
double 7b
bet 7b double 50
draw 9C 7b
",
    );
    let told = words(&table);
    assert!(found(&table).is_empty() && told.contains(r#""box":"7b","spot":"double","amount":50"#), "{told}");
}

#[test]
fn the_bet_of_a_later_split_is_told_where_the_hand_of_an_earlier_one_is_settled_already() {
    let table = told_of_club(
        "table limits=10-1000 stake=50 set=max_hands:4
bets 7
deal TS 7C TD
ask 7 split
bet 7 split 50
draw 9H 7
stand 7
draw TC 7b
ask 7b split
bet 7b split 50
draw 5S 7b
hit 7b
draw TH 7b
collect 7b 50
draw TH 7c
ask 7c split
bet 7c split 50
draw 9S 7c
stand 7c
draw 8H 7d
stand 7d
",
    );
    let told = words(&table);
    assert!(found(&table).is_empty() && told.contains(r#""box":"7c","spot":"split","amount":50"#), "{told}");
}

/// A pass of each of so many tables of a house, by the book; what pads tell of them, as `told`.
fn dealt(house: &'static House, seed: u64, is_slow: bool) -> usize {
    let mut dealt = Deviating::new(options(house, seed, 0.0));
    let mut judge = Validator::new(dealt.header().clone()).unwrap();
    let mut events = Vec::new();
    for _ in 0..20 {
        let mut pass = Vec::new();
        dealt.next_pass(&mut pass, |line, event, answers| judge.step(line, event, answers));
        events.push(pass.iter().map(touched).collect::<Vec<_>>());
    }
    let table = told_events(dealt.header(), dealt.max_hands(), &events.concat(), is_slow);
    let found: Vec<_> = table.findings.list().map(|view| &view.finding).collect();
    let accused: Vec<_> = found.iter().filter(|finding| finding.severity != Severity::Integrity).collect();
    let shown = || {
        let at = accused[0].pass as usize;
        format!("dealt:\n{}\ntold:\n{}", written(&events[at - 1]), words(&table))
    };
    assert!(accused.is_empty(), "{}, seed {seed}, slow {is_slow}: {accused:?}\n{}", house.id, shown());
    words(&table).matches("events_missed").count()
}

/// `SABOT_TIMES=100` deals 2,000 tables.
#[test]
fn passes_by_the_book_that_pads_tell_of_accuse_nobody_however_slow_they_are() {
    let all = |is_slow| -> usize {
        let seeds = HOUSES.iter().flat_map(|&house| (0..5 * times()).map(move |seed| (house, seed)));
        seeds.map(|(house, seed)| dealt(house, seed, is_slow)).sum()
    };
    let (missed, missed_slow) = (all(false), all(true));
    println!("{missed} missed, {missed_slow} where pads are slow");
}
