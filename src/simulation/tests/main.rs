//! The validator on simulated tables, held against the auditor, the workload's reckoning and itself.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod changed;
mod composed;
mod corrected;
mod faults;
mod inference;
mod innocent;
mod logs;
mod otherwise;
mod readings;
mod second_reading;
mod second_reading_matrix;
mod second_reading_nonsense;
mod second_reading_written;
mod settlement;
mod thinned;
mod touches;
