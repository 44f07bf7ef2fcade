//! The shortest log that still shows a difference: parts are left out, halves first, then single lines, for as long as
//! a difference of the same kind is there.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Reading, compare};

/// A log in which nothing can be left out without losing the first difference of this one; as it is where there is
/// none.
#[must_use]
pub fn shortest(log: &str, validator: Reading, auditor: Reading) -> String {
    let Ok(differences) = compare(log, validator, auditor) else { return log.into() };
    let Some(first) = differences.first() else { return log.into() };
    let (line, kinds) = (first.line, first.kinds());
    let shows = |lines: &[String]| {
        let differences = compare(&lines.join("\n"), validator, auditor).unwrap_or_default();
        differences.iter().any(|difference| difference.kinds().is_superset(&kinds))
    };
    let mut lines: Vec<String> = log.lines().map(String::from).collect();
    let until = usize::try_from(line).unwrap_or(lines.len()).min(lines.len());
    if shows(&lines[..until]) {
        lines.truncate(until);
    }
    let mut part = lines.len() / 2;
    while part > 0 {
        let before = lines.len();
        let mut from = 1;
        while from < lines.len() {
            let fewer = leave_out(&lines, from, part);
            if shows(&fewer) {
                lines = fewer;
            } else {
                from += part;
            }
        }
        part = if lines.len() < before { part.min(lines.len()) } else { part / 2 };
    }
    lines.join("\n") + "\n"
}

/// The lines without some of them, and without the corrections of those.
fn leave_out(lines: &[String], from: usize, many: usize) -> Vec<String> {
    let mut out: BTreeSet<usize> = (from..(from + many).min(lines.len())).collect();
    let events: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap_or_default()).collect();
    let told = |event: &Value| {
        let field = ["line", "after"].into_iter().find(|field| event[*field].is_u64())?;
        let line = usize::try_from(event[field].as_u64()?).ok()?;
        (event["ev"] == "correct").then_some((field, line))
    };
    // corrections of corrections stand behind them, so that one look from the front finds all
    for (index, event) in events.iter().enumerate() {
        if told(event).is_some_and(|(_, line)| line > 0 && out.contains(&(line - 1))) {
            out.insert(index);
        }
    }
    let mut left = Vec::with_capacity(lines.len());
    for (index, event) in events.iter().enumerate().filter(|(index, _)| !out.contains(index)) {
        left.push(match told(event) {
            Some((field, line)) => {
                let mut event = event.clone();
                event[field] = (line - out.range(..line.saturating_sub(1)).count()).into();
                event.to_string()
            }
            None => lines[index].clone(),
        });
    }
    left
}
