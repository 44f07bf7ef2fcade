//! The simulator: a croupier who deals by the book or breaks it on purpose, what checks him, and the devices of a table
//! as twins.

mod bought;
pub mod croupier;
pub mod demo;
pub mod feig;
pub mod naive;
pub mod scanner;
pub mod score;
pub mod senses;
pub mod soak;
pub mod twin;

pub use bought::{BoughtTwinError, Port};
