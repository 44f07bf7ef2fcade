//! Legal passes of which every second is told with one fault, and what the validator makes of it.
//!
//! A simulated dealer deals by the book. What happened is held against what was told: whom the validator accuses, what
//! it orders, what it reckons for each bet, and whether a person can put it right.

mod fault;
mod tally;
mod trial;

pub use self::fault::{Fault, Kind, Table, Undo};
pub use self::tally::{Count, Tally};
pub use self::trial::{Case, Healing, Step, Trial, Unhealed};
