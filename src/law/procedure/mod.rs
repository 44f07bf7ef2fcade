//! The procedure: the facts of a pass and what events mean in them. It knows no house, judges nothing, and does no I/O.
//!
//! ```text
//!  event ──> Meaning::read (what it means in the facts before it)
//!              │
//!              ├──> articles of the regulation judge the context: findings, each with duties and effects
//!              │
//!              └──> State::apply (the facts after it) ──> Duty::watch (done? breached?) ──> due (what comes next)
//! ```
//!
//! A pass goes through bets, two deliveries, play, the bank's play and settlement; where it stands is always derived
//! from the facts (`State`), never stored beside them.

pub mod account;
pub mod apply;
pub mod bank;
pub mod bankers;
mod banking;
pub mod betting_box;
pub mod cards;
pub mod context;
pub mod due;
pub mod duty;
pub mod hand;
pub mod hand_index;
mod infer;
pub mod pass;
mod phase;
pub mod removal;
pub mod seating;
pub mod settlement;
pub mod shoe;
pub mod state;
pub mod watch;
