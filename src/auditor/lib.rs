//! The second reading: any table log in, and what must be answered to it, from the contract alone.
//!
//! It shares no code with the law, cards and values included, and has no state of its own. `facts` asks the whole
//! history for each fact, as it was before an event and with what had been found by then. A row of a house is one
//! clause: the kinds of events at which it can be broken, the sights that it needs, and a function from the history
//! to what is found. What is found says what must be done (`rows::Part`, each with its own test of being done), what
//! it changes in the facts (`rows::Effect`) and which event cannot come before the rest of it (`breaks`; `end` never
//! can). `judge` goes from event to event and does nothing else.
//! `correct` judges the whole history again where somebody says what really happened, and tells the difference.
//!
//! To add a row: write `Row { provision, on, needs, find }` into the house's table. `find` looks at `view.event()`
//! and at the facts of `view`, which is the history before the event; `view.then()` is the history with it. Rows
//! above it have been asked about the same event, and what they found is in `view.findings`: so the row for a card
//! that nothing asked for comes last.
//!
//! To add a house: put its figures into `houses/<house>.settings`, as `sabot regulation settings` prints them, its
//! rows, its `due` (where the next card belongs) and its `account` (what a spot is owed) into `houses/<house>*.rs`, and
//! name it in `House::of`. A figure is asked for by its setting's name, so that a header's `settings` change it.
//!
//! Not read yet: cards that stay burned when their finding is withdrawn, blind devices, what is inferred for sights
//! that a header leaves out (but for faces, questions and spoken words), and most articles that a house's own `rules`
//! take from another house.

pub mod correct;
pub mod facts;
pub mod houses;
pub mod judge;
pub mod log;
pub mod money;
pub mod rows;

use std::collections::BTreeMap;

use serde_json::{Value, json};

pub use crate::log::AuditError;

/// What must be answered to a log, in the order of its events, without the words for people.
///
/// # Errors
///
/// The first line that cannot be read, and nothing is guessed of what follows it.
pub fn audit(log: &str) -> Result<Vec<Value>, AuditError> {
    let (header, events) = log::read(log)?;
    let house = houses::House::of(&header)?;
    let (court, mut answers) = correct::judge(&house, &header, &events);
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in &court.findings {
        *counted.entry(&finding.what.provision).or_default() += 1;
    }
    let (passes, draws) = (court.view().pass_number(), &court.events);
    let draws = draws.iter().filter(|event| event.kind == log::Kind::Draw).count();
    answers.push(json!({"out": "summary", "passes": passes, "draws": draws, "findings": counted}));
    Ok(answers)
}

/// The first line from which on a log tells of something that is not read yet. What is answered before it must be
/// answered; what is answered from it on need not.
///
/// # Errors
///
/// The first line that cannot be read.
pub fn unread(log: &str) -> Result<Option<AuditError>, AuditError> {
    let (header, events) = log::read(log)?;
    let from = |line, field: &str, what: String| AuditError { line, field: field.to_owned(), what };
    if let Some(article) = houses::House::of(&header)?.unread_article() {
        return Ok(Some(from(1, "rules", format!("`{article}` in another house is not audited yet"))));
    }
    if let Some(sight) = houses::House::of(&header)?.unseen() {
        return Ok(Some(from(1, "observes", format!("a table that does not see `{sight}` is not audited yet"))));
    }
    let blinds = |event: &&log::Event| event.kind == log::Kind::Device && BLINDING.contains(&event.word.as_str());
    let what = |event: &log::Event| format!("what a device that is `{}` leaves unknown is not audited yet", event.word);
    Ok(events.iter().find(blinds).map(|event| from(event.line, "status", what(event))))
}

/// After these a device is blind.
const BLINDING: &[&str] = &["offline", "events_missed", "ring_lost"];

#[cfg(test)]
mod correct_tests;
#[cfg(test)]
mod tests;
