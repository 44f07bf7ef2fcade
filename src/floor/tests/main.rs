//! Uplink, sink and stores, on a real broker and a real database on this machine. Tests that need those are ignored
//! unless they are asked for: `cargo test -p sabot-floor --test floor -- --include-ignored`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod casino;
mod engines;
mod faults;
mod networks;
mod outages;
mod outward;
mod queue;
mod sharing;
mod stores;
