//! The link's bytes: frozen, random, sealed, lost.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod backlog;
mod common;
mod doc_vectors;
mod frame;
mod golden_v1;
mod golden_v2;
mod intruder;
mod lossy;
mod ring;
mod schema;
mod sealed;
mod session;
mod wrong_device;
