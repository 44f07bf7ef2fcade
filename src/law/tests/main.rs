//! The law, held against tables of scenarios, the matrix of events, and nonsense.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod club;
mod corrections;
mod due;
mod findings;
mod matrix;
mod moments;
mod moves;
mod nonsense;
mod offers;
mod properties;
mod remedies;
mod scenarios;
mod secrets;
mod settings;
