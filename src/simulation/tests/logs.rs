//! What tests of many logs have in common: how many, as lines, and what the validator answers to them.

use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::header::FirstLine;
use sabot_law::table::{Event, Header};
use serde_json::Value;

/// A number that a variable of the environment sets.
pub(crate) fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().map_or(usual, |text| text.parse().unwrap())
}

/// A log as it is written.
pub(crate) fn log(header: &Header, events: &[Event]) -> String {
    let first = serde_json::to_string(&FirstLine::of(header)).unwrap();
    let lines = events.iter().map(|event| serde_json::to_string(event).unwrap());
    std::iter::once(first).chain(lines).map(|line| line + "\n").collect()
}

/// The validator's answers to a log.
pub(crate) fn validator(log: &str) -> Result<Vec<Value>, String> {
    let (mut replay, mut answers) = (Replay::new(Lang::default(), None), Vec::new());
    for line in log.lines() {
        replay.feed(line.as_bytes(), &mut answers).map_err(|why| why.to_string())?;
    }
    replay.finish(&mut answers).map_err(|why| why.to_string())?;
    Ok(answers.iter().map(|answer| serde_json::to_value(answer).unwrap()).collect())
}
