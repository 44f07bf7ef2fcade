//! Who sees less accuses nobody more: passes with a mistake in them, told as tables see them that lack some of their
//! sights, bear no finding that the table that sees everything does not bear too.

use std::collections::BTreeMap;

use sabot_law::table::answer::{Finding, Severity};
use sabot_law::table::{Answer, Event, Header, Observes};
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Deviation, Options};
use sabot_simulation::workload::{HOUSES, House, Settings};

use crate::logs::{log, number};

/// Mistakes of dealers and bettors, not those of equipment or of who tells of it.
fn mistakes() -> Vec<Deviation> {
    use Deviation::{Consent, Correct, Device, End, Misread, PutRight, Report, Rule};
    let others = [Consent, Correct, Device, End, Misread, PutRight, Report, Rule];
    Deviation::ALL.iter().copied().filter(|deviation| !others.contains(deviation)).collect()
}

/// What is found, each with the event that it was found at.
fn found(header: &Header, observes: Observes, events: &[Event]) -> Vec<(usize, Finding)> {
    let header = Header { v: 2, observes, ..header.clone() };
    let mut table = Validator::new(header).unwrap();
    let (mut answers, mut all) = (Vec::new(), Vec::new());
    for (nth, event) in events.iter().enumerate() {
        let Some(told) = observes.told(event) else { continue };
        answers.clear();
        table.step(nth as u64 + 2, &told, &mut answers);
        let findings = answers.iter().filter_map(|answer| match answer {
            Answer::Finding(finding) => Some((nth, Finding::clone(finding))),
            _ => None,
        });
        all.extend(findings);
    }
    all
}

/// The first finding of a table that sees less for which nothing happened that the other finds anything at.
fn accused(header: &Header, observes: Observes, events: &[Event]) -> Option<Finding> {
    let full = found(header, Observes::ALL, events);
    let is_borne = |(nth, finding): &(usize, Finding)| {
        full.iter().any(|(at, other)| at == nth || other.provision == finding.provision)
    };
    // a mistake that it does not see may look like another
    if full.iter().any(|(at, _)| observes.told(&events[*at]).as_ref() != Some(&events[*at])) {
        return None;
    }
    let seen = found(header, observes, events);
    let first = seen.iter().find(|one| !is_borne(one) && one.1.severity != Severity::Notice);
    first.map(|(_, finding)| finding.clone())
}

fn way(finding: &Finding) -> String {
    format!("{} {}", finding.provision, finding.text.en.replace(|c: char| c.is_ascii_digit(), "_"))
}

/// Without the events that it does not need.
fn shortest(header: &Header, observes: Observes, events: &[Event]) -> Vec<Event> {
    let wanted = accused(header, observes, events).map(|finding| way(&finding));
    let mut left = events.to_vec();
    let mut nth = left.len();
    while nth > 0 {
        nth -= 1;
        let mut fewer = left.clone();
        fewer.remove(nth);
        if accused(header, observes, &fewer).map(|finding| way(&finding)) == wanted {
            left = fewer;
        }
    }
    left
}

fn dealt(house: &'static House, seed: u64, carried_out: f64) -> (Header, Vec<Event>) {
    let settings = Settings { seed, boxes: 3 + (seed % 3) as u8, ..Settings::of(house) };
    let options = Options {
        rate: 1.0,
        most: 1,
        blind: 0.0,
        carried_out,
        in_full: 1.0,
        deviations: mistakes(),
        ..Options::of(settings)
    };
    let mut table = Deviating::new(options);
    let mut judge = Validator::new(table.header().clone()).unwrap();
    let mut events = Vec::new();
    table.next_pass(&mut events, |line, event, answers| judge.step(line, event, answers));
    (table.header().clone(), events)
}

#[test]
fn who_sees_less_accuses_nobody_more() {
    for house in HOUSES.iter().filter(|house| crate::otherwise::is_asked_for(house.id)) {
        let (mut ways, mut all): (BTreeMap<String, (u64, u64, String)>, u64) = (BTreeMap::new(), 0);
        for seed in 1..=number("SABOT_READ", 200) {
            let (header, events) = dealt(house, seed, if seed % 2 == 0 { 1.0 } else { 0.0 });
            for observes in Observes::subsets() {
                all += 1;
                let Some(finding) = accused(&header, observes, &events) else { continue };
                let lacks = (8 - observes.seen().count()) as u64;
                let row = ways.entry(way(&finding)).or_insert_with(|| (0, u64::MAX, String::new()));
                row.0 += 1;
                if lacks < row.1 {
                    let header = Header { v: 2, observes, ..header.clone() };
                    let short = shortest(&header, observes, &events);
                    row.1 = lacks;
                    row.2 =
                        format!("seed {seed} {}\n{}", serde_json::to_string(&finding).unwrap(), log(&header, &short));
                }
            }
        }
        let mut ways: Vec<_> = ways.into_iter().collect();
        ways.sort_by_key(|(_, row)| std::cmp::Reverse(row.0));
        let count: u64 = ways.iter().map(|(_, row)| row.0).sum();
        println!("{}: {count} of {all} accuse more", house.id);
        for (way, (times, lacks, example)) in ways {
            println!("{}: {times} times, lacking {lacks}: {way}\n{example}", house.id);
        }
    }
}
