//! The rig: a whole station on a bench of devices, driven by verbs that read like a script.
//!
//! ```no_run
//! use sabot_hil_tests::{Bench, Spot, place};
//!
//! let rig = Bench::start();
//! rig.open_the_shoe();
//! rig.seat_and_bet(&[1, 2, 3], 5_000);
//! rig.close_bets();
//! for (card, spot) in [("8H", Spot::Box(1)), ("9C", Spot::Box(2)), ("TD", Spot::Box(3)), ("9S", Spot::Bank)] {
//!     rig.deal(card).to(spot);
//! }
//! # for (card, spot) in [("TC", Spot::Box(1)), ("TS", Spot::Box(2)), ("QH", Spot::Box(3))] {
//! #     rig.deal(card).to(spot);
//! # }
//! rig.deal("8D").to(Spot::Bank); // uncovered, which it must not be
//! rig.expect_finding("C7", place("bank"));
//! rig.expect_display("C7");
//! ```
//!
//! Everything is real but the sensors: the devices are the firmware's own libraries, in this process or as images on
//! emulated boards, the station is the one that runs at a table, its record a file. Which device is what says a bench
//! file ([`bench_file`]), which `SABOT_BENCH` names. A verb returns once the record holds what it did (or at once where
//! a device it needs is away); what is expected is waited for, until [`PATIENCE`]. Nothing sleeps in between.

mod bench;
pub mod bench_file;
pub mod board;
pub mod bought;
pub mod cable;
mod device;
mod eavesdrop;
mod emulated_device;
mod expect;
pub mod key_matrix;
mod keystrokes;
mod manual_device;
mod old_protocol;
pub mod pins;
mod play;
mod pseudo_terminal;
pub mod qemu_debugger;
mod qemu_monitor;
pub mod reader_module;
mod record;
mod scenario;
pub mod script;
pub mod seen_signal;
mod station_log;
mod twin_device;
mod verbs;

use std::fmt::Display;
use std::time::Duration;

pub use bench::{Bench, Setup};
pub use bench_file::BenchFile;
pub use bought::BoughtBench;
pub use old_protocol::OldProtocolDevice;
pub use play::{Example, Played};
pub use record::Record;
pub use sabot_stall_guard::PATIENCE;
pub use scenario::{Need, Scenario, run};
pub use verbs::{Deal, Spot};

/// A place as the log writes it: `"3"`, `"3b"`, `"bank"`.
///
/// # Panics
/// When it is none.
#[must_use]
pub fn place(text: &str) -> sabot_law::table::Place {
    must("a place of the script", text.parse())
}

/// Waits until something is so.
///
/// # Panics
/// When it is not after [`PATIENCE`].
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = std::time::Instant::now() + PATIENCE;
    while !is_so() {
        assert!(std::time::Instant::now() < end, "it never came about: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A rig that cannot go on says why and fails the test.
pub(crate) fn must<T, E: Display>(what: &str, result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{what}: {error}"),
    }
}
