//! The program as its users start it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod acts;
mod browser;
mod command_line;
mod compare;
mod conform;
mod correct;
mod covered;
mod dealer;
mod demo;
mod device;
mod devices;
mod door;
mod dossier;
mod examples;
mod feig;
mod find;
mod guard;
mod handbook;
mod keypad;
mod maker;
mod pit;
mod process;
mod processes;
mod product;
mod record;
mod report;
mod scanner;
mod secrets;
mod simulate;
mod soak;
mod streaming;
mod table_log;
mod tagged;
mod udev_rules;
