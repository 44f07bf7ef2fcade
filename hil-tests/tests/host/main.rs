//! The rig's own parts, secrets at a whole station, and signals on real lines.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod bench;
mod secrets;
mod signals;
