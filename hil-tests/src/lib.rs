//! The rig: a whole station, driven through its devices.
pub mod line;
