//! What links and signals log. In a program of its own: which lines are logged is a matter of the whole process.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

#[path = "../support/device.rs"]
mod device;
mod log_lines;
mod quality;
mod signal_log;
