//! Scenario tables: passes in a short notation, an event or a few of one verb a line, what is answered at its end.
//! How they are written is told in `script.rs`; what is expected comes from the regulation, not from the validator.
mod due_club;
mod due_talla;
mod observed;
mod run;
pub(crate) mod script;
