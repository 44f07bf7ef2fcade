//! The record of a table: a file that only grows, itself a table log that `sabot replay` reads as it is.
//!
//! Line 1 is the header, every other line an event. To what the log format says, the record adds
//!
//! | field | meaning |
//! |---|---|
//! | `began` | header only: when the record was begun, milliseconds since 1970 |
//! | `t` | milliseconds since the record was begun, never decreasing |
//! | `origin` | `[serial, epoch, seq]` of the device's event it tells; none for what the station itself saw |
//! | `paired` | the same of a second device's event told by the same line (the antenna that saw the drawn card arrive) |
//! | `seen`, `seen_within` | milliseconds since the record was begun at which that device saw it, by its own clock, and how wrong that may be; left out where it is not known |
//! | `seal` | the seal of its card, where that is covered, and what it opens |
//! | `entered` | who entered it on a screen |
//! | `answers` | what was answered to it, as `sabot replay` writes it |
//! | `chain` | always the last field: 64 hexadecimal digits |
//!
//! The chain of a line is SHA-256 over the 32 bytes of the chain of the line before (32 zero bytes for line 1), then
//! the line as it stands without `,"chain":"…"` and without its line end. A changed, missing, added or moved line
//! breaks it. Whoever can write the file can chain it anew, though: with a key, the lines are the leaves of a Merkle
//! [`tree`], and its root is signed in [`checkpoint`]s beside the record. A [`witness`] remembers them elsewhere.
//!
//! A dedicated thread writes: all lines waiting are appended together, then `fdatasync`; only then are they told to be
//! durable. Where the disk fails, what is not durable is kept in memory and written again, from the last durable byte.
//! Before and after each write, and four times a second meanwhile, it looks whether the file still is what was written.

pub mod acknowledged;
#[cfg(test)]
mod alterations;
pub mod audit;
pub mod blocks;
mod chain;
pub mod checkpoint;
mod claims;
#[cfg(test)]
mod claims_tests;
pub mod clock;
mod contradiction;
pub mod days;
#[cfg(any(test, feature = "failing"))]
pub mod failing_disk;
mod fault;
mod files;
mod guarded_file;
mod held;
mod hex;
mod mark;
#[cfg(test)]
mod mark_tests;
mod next_day;
pub mod note;
pub mod offer;
mod open;
pub mod packed;
pub mod proof;
pub mod reader_key;
mod record;
mod seal;
#[cfg(test)]
mod seal_tests;
mod sealer;
#[cfg(test)]
mod signed_tests;
mod signer;
#[cfg(test)]
mod simulated_disk;
#[cfg(test)]
mod storage_faults;
mod synced;
pub mod tail;
#[cfg(test)]
mod tests;
pub mod tree;
mod unseal;
pub mod watch;
pub mod witness;
mod writer;

pub use chain::{Chain, Fault, FaultKind, Verified, follows, verify};
pub use contradiction::Contradiction;
pub use fault::RecordFault;
pub use mark::{Mark, keep, state_of};
pub use open::{JournalError, Reader, Recovered, bears_out, behind, open, open_signed, open_with, read_on};
pub use record::{After, Covering, Origin, Record, SeenAt};
pub use seal::BadOpening;
pub use sealer::Sealing;
pub use synced::{may_be_torn, on_disk};
pub use unseal::Unsealed;
pub use writer::{Durable, Journal, NextDay, With};
