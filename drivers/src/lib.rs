//! The host's side of every device: transports, and the link each device is spoken to over.
//!
//! [`link::spawn`] starts one task per device. It owns the port from opening to closing, keeps it open against all
//! comings and goings, and hands the station each event exactly once. `docs/drivers.md` says what any driver here must
//! do, and what these promise in numbers.

mod backoff;
pub mod camera;
pub mod conform;
pub mod feig;
pub mod keys;
pub mod link;
mod outgoing;
pub mod pad;
mod panic_guard;
pub mod probe;
pub mod saw;
pub mod scanner;
pub mod signal;
pub mod transport;

pub use link::machine::Distrust;
pub use link::quality::{Complaint, Quality, Trouble};
pub use link::{Counters, Expected, LineState, Link, LinkConfig, LinkReport, Resume, Seen, When, spawn, spawn_over};
pub use saw::{Picture, Saw, TagsSaw};
