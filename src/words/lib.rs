//! The words that a table's log and the device link share: what a card is called, where it lies, what is asked and
//! chosen.
//!
//! A format for people gets the word: the log writes `"8H"`, `"3b"`, `"hit"`. A format for machines gets numbers: the
//! link writes a card as its code and any other word as its place in its list. The order of every list here is
//! therefore part of the link's wire format, which `drivers/wire/tests` hold. How long things took is counted alike by
//! all ([`times`]).
#![no_std]

#[cfg(test)]
extern crate std;

pub mod card;
pub mod place;
pub mod speech;
pub mod text;
pub mod times;

pub use card::{Card, Rank, Suit};
pub use place::{BetSpot, Face, HandId, MAX_BOXES, MAX_HANDS, Place};
pub use speech::{
    Authority, BankChange, Choice, NOTES, NOTES_IN_ENGLISH, Permit, Question, Ruling, Share, Taken, keypad_number,
};
pub use times::Times;

/// Its examples are tested.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
pub struct Readme;
