//! The station: configuration, devices, and the one task that owns a table.

pub mod config;
mod entries;
pub mod observe;
pub mod view;
