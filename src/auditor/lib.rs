//! The second reading: any table log in, and what must be answered to it, from the contract alone.
//!
//! It shares no code with the law, cards and values included, and has no state of its own. `facts` asks the whole
//! history for each fact, as it was before an event and with what had been found by then. A row of a house is one
//! clause: the kinds of events at which it can be broken, the sights that it needs, and a function from the history
//! to what is found. What is found (`facts::found`) says what must be done (`Part`, each with its own test of being
//! done in `facts::remedy`), what it changes in the facts (`Effect`) and which event cannot come before the rest of it
//! (`breaks`; `end` never can). `judge` goes from event to event and does nothing else.
//! `correct` judges the whole history again where somebody says what really happened, and tells the difference.
//!
//! To add a row: write `Row { provision, on, needs, find }` into the house's table. `find` looks at `view.event()`
//! and at the facts of `view`, which is the history before the event; `view.then()` is the history with it. Rows
//! above it have been asked about the same event, and what they found is in `view.findings`: so the row for a card
//! that nothing asked for comes last.
//!
//! To add a house: put its figures into `houses/<house>.settings`, as `sabot regulation settings` prints them, its
//! rows, its `due` (where the next card belongs) and its `account` (what a spot is owed) into `houses/<house>*.rs`, and
//! add its line to `TEXTS`. Clauses that several houses have stand in `houses/everywhere.rs`. A figure is asked for by
//! its setting's name, so that a header's `settings` change it. A house by configuration takes the rows of articles
//! from any of them: facts ask the house for its plan and figures, and nobody asks which house it is.
//!
//! What the table's equipment does not see must have happened all the same: `unseen` puts it into the history before
//! the event that tells of it. `facts::sight` says what is seen; a row that needs more is not asked.
//!
//! Not read yet: cards that stay burned when their finding is withdrawn.

pub mod correct;
pub mod facts;
pub mod houses;
pub mod judge;
pub mod log;
pub mod money;
pub mod rows;
pub mod unseen;

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
    let regulation = houses::Regulation::of(&header)?;
    let (court, mut answers) = correct::judge(&regulation, &header, &events);
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in &court.findings {
        *counted.entry(&finding.what.provision).or_default() += 1;
    }
    let (passes, draws) = (court.view().pass_number(), &court.events);
    let draws = draws.iter().filter(|event| event.kind == log::Kind::Draw).count();
    answers.push(json!({"out": "summary", "passes": passes, "draws": draws, "findings": counted}));
    Ok(answers)
}

#[cfg(test)]
mod correct_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod unseen_tests;
