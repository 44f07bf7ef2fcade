//! Every test of sessions once more, with version 3 of the link.

#[path = "../backlog.rs"]
mod backlog;
mod cable;
pub(crate) mod common;
#[path = "../intruder.rs"]
mod intruder;
#[path = "../lossy.rs"]
mod lossy;
mod noisy;
mod pairing;
#[path = "../sealed.rs"]
mod sealed;
#[path = "../session.rs"]
mod session;
mod watch;
#[path = "../wrong_device.rs"]
mod wrong_device;
