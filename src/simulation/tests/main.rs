//! The simulated dealer and the validator, each held against the other.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod changed;
mod corrected;
mod faults;
mod inference;
mod logs;
mod readings;
mod second_reading;
mod second_reading_written;
mod settlement;
mod thinned;
