//! The devices' sides of the signals' protocols, written from their facts: what a simulator runs, and what the drivers
//! are tested against. Bytes in, bytes out.

pub mod pole;
pub mod tower;
