//! The link's bytes: frozen, random, sealed, lost.
#![allow(clippy::duplicate_mod, reason = "the tests of sessions run with each version")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod backlog;
mod common;
mod doc_vectors;
mod frame;
mod golden_v1;
mod golden_v2;
mod golden_v3;
mod golden_v4;
mod intruder;
mod lossy;
mod ring;
mod schema;
mod sealed;
mod session;
mod vectors;
mod version_3;
mod version_4;
mod wrong_device;
