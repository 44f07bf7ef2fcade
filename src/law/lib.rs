//! The law of a blackjack table, without clock, thread, file or operating system.
//!
//! From the inside out; each arrow points only upwards in this list:
//!
//! | module | what it is | may use |
//! |---|---|---|
//! | [`table`] | nouns: cards, places, money, the events of the table log and the answers to them | nothing |
//! | [`procedure`] | the facts of a pass, what an event means in them, what is due, duties | `table` |
//! | [`regulation`] | the houses: settings, texts, and one function an article | `procedure`, `table` |
//! | `felt`, `offers` | the felt as it is shown; what is due, and what may be entered next, in words | `table`, `procedure` |
//! | [`validator`] | the loop that holds events against a regulation and answers | the four above |
//! | [`replay`] | reading and validating a log, line by line | the five above |
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod felt;
mod offers;
pub mod procedure;
pub mod regulation;
pub mod replay;
pub mod table;
pub mod validator;
