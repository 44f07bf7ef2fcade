//! The images of our boards in QEMU, with the station's own driver at their port.
//!
//! They want `firmware/build images` and `qemu-system-arm`, and so are run by name: `.ci/test all` does, or
//! `cargo test -p sabot-hil-tests --test boards -- --ignored`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod bare;
mod chips;
mod display;
mod handshake;
mod host;
mod image;
mod keypad;
mod nucleo;
mod resets;
mod shoe;
mod shuffler;
mod stack;
