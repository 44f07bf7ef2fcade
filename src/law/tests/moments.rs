//! A table that was kept at the end of a pass and is read on from there comes to the same as one that heard all of it.

use sabot_law::table::{Answer, Event, Header, LineNo, line};
use sabot_law::validator::{Moment, Validator};

use crate::scenarios::{steps, tables};

/// A table that hears a log, line by line.
struct Heard {
    table: Validator,
    line: LineNo,
}

impl Heard {
    fn new(table: Validator, line: LineNo) -> Self {
        Self { table, line }
    }

    fn step(&mut self, event: &Event) -> Vec<Answer> {
        let mut answers = Vec::new();
        self.line += 1;
        self.table.step(self.line, event, &mut answers);
        answers
    }

    fn moment(&self) -> Option<Moment> {
        self.table.moment(self.line)
    }

    fn summary(&self) -> Vec<Answer> {
        let mut answers = Vec::new();
        self.table.clone().finish(&mut answers);
        answers
    }
}

fn read(json: &[&str]) -> (Header, Vec<Event>) {
    let (first, rest) = json.split_first().unwrap();
    let events = rest.iter().map(|text| line::event(text.as_bytes()).unwrap());
    (line::header(first.as_bytes()).unwrap(), events.collect())
}

/// A table of sala-8 that hears some lines of a scenario.
fn heard(lines: &str) -> Heard {
    let steps = steps("sala-8", lines);
    let (header, events) = read(&steps.iter().map(|step| step.json.as_str()).collect::<Vec<_>>());
    let mut heard = Heard::new(Validator::new(header).unwrap(), 1);
    events.iter().for_each(|event| drop(heard.step(event)));
    heard
}

/// The same, as it is written and read again.
fn restored(header: &Header, moment: &Moment) -> Validator {
    let written = serde_json::to_string(moment).unwrap();
    Validator::restored(header.clone(), serde_json::from_str(&written).unwrap()).unwrap()
}

/// Whether an event may change what was before a line.
fn reaches_back(event: &Event, before: LineNo) -> bool {
    match event {
        Event::Correct { line: Some(line), .. } => *line <= before,
        Event::Correct { after: Some(after), .. } => *after < before,
        Event::Device { complete, .. } => *complete,
        _ => false,
    }
}

#[test]
fn what_is_kept_at_any_end_leads_to_the_same() {
    let (mut kept, mut refused, mut settled) = (0, 0, 0);
    for (file, scenarios) in tables() {
        for scenario in scenarios {
            let (header, events) = read(&scenario.steps.iter().map(|step| step.json.as_str()).collect::<Vec<_>>());
            let mut whole = Heard::new(Validator::new(header.clone()).unwrap(), 1);
            for (n, event) in events.iter().enumerate() {
                whole.step(event);
                if !matches!(event, Event::End {}) {
                    continue;
                }
                let Some(moment) = whole.moment() else {
                    refused += 1;
                    continue;
                };
                assert_eq!(moment.line(), whole.line);
                let mut again = Heard::new(restored(&header, &moment), whole.line);
                let mut on = Heard::new(whole.table.clone(), whole.line);
                let told = events[n + 1..].iter().take_while(|event| !reaches_back(event, whole.line));
                for event in told {
                    let case = format!("{file}: {}, line {}: {event:?}", scenario.name, on.line + 1);
                    assert_eq!(again.step(event), on.step(event), "{case}");
                    if on.table.settled() >= Some(whole.line) {
                        assert!(again.table.agrees_with(&on.table), "{case}");
                        settled += 1;
                    }
                }
                assert_eq!(again.summary(), on.summary());
                kept += 1;
            }
        }
    }
    assert!(kept > 100 && refused * 20 < kept, "{kept} ends kept, {refused} not");
    assert!(settled > 100, "{settled} lines after one that nothing reaches any more");
}

const PASS: &str = "bets 1 2 3
close
deal 8H 5C TD 9S TC 9D QH 8D
stand 1, 2, 3
reveal bank
collect 2 50
pay 1 50, 3 50
discard 1, 2, 3, bank
end
";

#[test]
fn a_pass_is_settled_with_the_first_card_of_the_next_and_kept_while_nothing_is_open() {
    let passes = |lines: &str| heard(&format!("open\n{lines}"));
    let end = |n: u64| (n > 0).then(|| passes(&PASS.repeat(usize::try_from(n).unwrap())).line);
    for (lines, before) in [
        (PASS.to_owned(), 0),
        (format!("{PASS}bets 1 2 3\nclose\n"), 0),
        (format!("{PASS}bets 1 2 3\ndraw 8H 1\n"), 1),
        (PASS.repeat(2), 1),
        (PASS.repeat(2) + "bets 1 2 3\ndraw 8H 1\n", 2),
    ] {
        assert_eq!(passes(&lines).table.settled(), end(before), "{lines}");
    }
    let open = passes(&format!("{PASS}device shoe tamper\n"));
    assert!(open.moment().is_none(), "a remedy is open");
    assert!(passes(&format!("{PASS}device shoe tamper\nrule resume\n")).moment().is_some());
    assert!(passes(&format!("{PASS}bets 1 2 3\n")).moment().is_none(), "bets lie");
}

#[test]
fn tables_agree_that_know_the_same_and_could_be_corrected_alike() {
    // what cannot be corrected any more differs in the first line alone
    let after = |first: &str| heard(&format!("{first}\nopen\n{PASS}{PASS}bets 1 2 3\ndraw 8H 1"));
    let nothing = after("device lamp online").table;
    assert!(nothing.agrees_with(&after("device lamp online").table));
    assert!(!nothing.agrees_with(&after("device shoe jam").table), "another number of findings");
    assert!(!nothing.agrees_with(&after("seat 7 P9").table), "another player");
    let mut more = after("device lamp online");
    more.step(&line::event(br#"{"ev":"device","device":"lamp","status":"online"}"#).unwrap());
    assert!(!nothing.agrees_with(&more.table), "one line more");
}
