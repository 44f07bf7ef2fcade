//! The simulator: the devices of a table as twins.

pub mod twin;
