//! Every test of sessions once more, with version 4 of the link.

#[path = "../backlog.rs"]
mod backlog;
#[path = "../version_3/cable.rs"]
mod cable;
pub(crate) mod common;
mod exchange;
#[path = "../intruder.rs"]
mod intruder;
#[path = "../lossy.rs"]
mod lossy;
#[path = "../version_3/noisy.rs"]
mod noisy;
#[path = "../version_3/pairing.rs"]
mod pairing;
#[path = "../sealed.rs"]
mod sealed;
#[path = "../session.rs"]
mod session;
#[path = "../version_3/watch.rs"]
mod watch;
mod witness;
#[path = "../wrong_device.rs"]
mod wrong_device;
