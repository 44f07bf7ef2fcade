//! The handbook of a regulation: its examples give the answers written beside them, its pages are what the code says,
//! and no provision is missing anywhere. `UPDATE_HANDBOOK=1 cargo test -p sabot-handbook` writes the pages and
//! the answers anew, for a person to read through.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test")]

mod examples;
mod format;
mod gate;
mod houses;
mod notation;
mod offers;
mod pages;
mod station_lines;
mod texts;
