//! What may not be known is told nowhere: not in words, and not by what is answered and when.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod demo;
mod inference;
