//! A table's page: what it draws, and how it is served.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test")]

mod console;
