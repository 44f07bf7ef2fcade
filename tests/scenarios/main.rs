//! Scenario tables: passes in a short notation, an event or a few of one verb a line, what is answered at its end.
//! How they are written is told in `script.rs`; what is expected comes from the regulation, not from the validator.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test")]

mod due_club;
mod due_talla;
#[path = "../notation/mod.rs"]
mod notation;
mod observed;
mod run;
mod script;
