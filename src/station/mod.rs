//! The station: configuration, devices, and the one task that owns a table.

pub mod config;
pub mod view;
