//! The device link of sabot.
#![no_std]
pub mod message;
