//! The simulator: a simulated dealer who deals by the book, ways to deviate from it, two readings of the law held
//! against each other, and the devices of a table as twins.

#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

pub mod bought_felt;
pub mod camera;
pub mod demo_table;
pub mod deviations;
pub mod faults;
pub mod feig;
pub mod levers;
pub mod person;
pub mod readings;
pub mod scanner;
pub mod soak;
pub mod table_sensors;
mod third_party;
pub mod twin;
pub mod workload;

pub use third_party::{Port, ThirdPartyTwin, ThirdPartyTwinError};
