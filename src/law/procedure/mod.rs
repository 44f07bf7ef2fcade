//! The procedure: the facts of a pass and what events mean in them. It knows no house, judges nothing, and does no I/O.
//!
//! ```text
//!  event ──> EventMeaning::read (what it means in the facts before it)
//!              │
//!              ├──> articles of the regulation judge the context: findings, each with duties and effects
//!              │
//!              └──> State::apply (the facts after it) ──> Duty::watch (done? breached?) ──> due (what comes next)
//! ```
//!
//! The facts are a `State` of parts: `seating`, `shoe` (all cards outside the felt), `bankers`, `account`, and the
//! `pass` with its bank and boxes. Questions that need several parts stand together by what they ask: `phase` (where in
//! the pass), `due` (what comes next), `settlement` (what is owed), `mistakes` (what was not given), `banking` (who
//! banks), `apply`, `infer` and `unseen` (what changes).

pub mod account;
pub mod apply;
pub mod bank;
pub mod bankers;
mod banking;
pub mod betting_box;
pub mod blindness;
pub mod cards;
pub mod context;
pub mod due;
pub mod duties;
pub mod duty;
pub mod hand;
pub mod hand_index;
pub mod hand_order;
mod infer;
pub mod known;
pub mod mistakes;
pub mod offers;
pub mod pass;
mod phase;
pub mod removal;
mod ruling;
pub mod seating;
pub mod settlement;
pub mod shoe;
mod sight;
pub mod state;
pub mod unseen;
pub mod watch;
