//! Links and signals over lines that break, stall and lie.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

#[path = "../support/device.rs"]
mod device;
mod failing;
mod held_up;
mod link;
mod signal;
mod slow_host;
