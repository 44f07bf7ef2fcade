//! sabot, the controller of a dealer's station at a blackjack table.
//!
//! The map of the crate, from the inside out; each arrow points only downwards in this list:
//!
//! | module | what it is | may use |
//! |---|---|---|
//! | [`table`] | nouns: cards, places, money, the events of the table log and the answers to them | nothing |
//! | [`procedure`] | the facts of a pass, what an event means in them, what is due, duties | `table` |
//! | [`regulation`] | the houses: settings, texts, and one function an article | `procedure`, `table` |
//! | [`validator`] | the loop that holds events against a regulation and answers | the three above |
//! | [`replay`] | reading and validating a log, line by line | the four above |
//! | [`journal`] | the record on disk | `table` |
//! | [`station`] | configuration, devices, the one task that owns a table | all above |
//! | [`console`] | the pit's page | the station's read side |
//! | [`simulate`] | the croupier and the devices' twins | `table`, the link |
//! | [`attached`] | what is attached to this machine, and what is wrong with it | `station`'s configuration |
//! | [`cli`] | one file a subcommand | everything |
//!
//! The first five build without an operating system (`--no-default-features`): the law needs no clock, thread or file.
#![cfg_attr(not(feature = "station"), no_std)]

extern crate alloc;

pub mod procedure;
pub mod regulation;
pub mod replay;
pub mod table;
pub mod validator;

#[cfg(feature = "station")]
pub mod attached;
#[cfg(feature = "station")]
pub mod cli;
#[cfg(feature = "station")]
pub mod console;
#[cfg(feature = "station")]
pub mod journal;
#[cfg(feature = "station")]
pub mod simulate;
#[cfg(feature = "station")]
pub mod station;
