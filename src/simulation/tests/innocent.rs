//! Who sees less accuses nobody more: passes with a mistake in them, told as tables see them that lack some of their
//! sights, bear no finding that the table that sees everything does not bear too. Neither reading is asked about the
//! other: the measure is the same table with open eyes.

use std::collections::BTreeMap;

use sabot_law::table::answer::{Finding, Severity};
use sabot_law::table::{Answer, Event, Header, Observes};
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Deviation, Options};
use sabot_simulation::workload::{House, Settings};

use crate::logs::{log, number};
use crate::otherwise::is_asked_for;

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

/// How many tables of a house accuse more, by what they say, each with an example of one that lacks the least.
#[derive(Default)]
struct Accused {
    tables: u64,
    accusing: u64,
    ways: BTreeMap<String, (u64, usize, String)>,
}

impl Accused {
    fn look(&mut self, seed: u64, header: &Header, observes: Observes, events: &[Event]) {
        self.tables += 1;
        let Some(finding) = accused(header, observes, events) else { return };
        self.accusing += 1;
        let row = self.ways.entry(way(&finding)).or_default();
        row.0 += 1;
        let seen = observes.seen().count();
        if row.1 < seen {
            let header = Header { v: 2, observes, ..header.clone() };
            let told = serde_json::to_string(&finding).unwrap();
            let short = shortest(&header, observes, events);
            (row.1, row.2) = (seen, format!("seed {seed} {told}\n{}", log(&header, &short)));
        }
    }

    fn shown(&self) -> String {
        let ways = self.ways.iter().map(|(way, (times, _, log))| format!("{times} times {way}\n{log}"));
        ways.collect::<Vec<_>>().join("\n")
    }
}

/// SABOT_READ=300 looks at so many passes of each house. What is left are mistakes that what a table sees cannot tell
/// from others: its count may only fall.
#[test]
fn who_sees_less_accuses_nobody_more_but_for_passes_that_are_counted() {
    let known = [("sala-8", 240), ("talla", 60), ("club", 100), ("croupier-6", 62)];
    let passes = number("SABOT_READ", 40);
    for (id, most) in known.into_iter().filter(|(house, _)| is_asked_for(house)) {
        let (house, mut accused) = (House::named(id).unwrap(), Accused::default());
        for seed in 1..=passes {
            let (header, events) = dealt(house, seed, (seed % 2) as f64);
            Observes::subsets().for_each(|observes| accused.look(seed, &header, observes, &events));
        }
        println!("{id}: {} of {} tables accuse more", accused.accusing, accused.tables);
        assert!(accused.accusing <= most, "{id}: {} and not {most} accuse more\n{}", accused.accusing, accused.shown());
    }
}
