//! Milliseconds, from a tick of the processor's own timer.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;

static NOW_MS: AtomicU32 = AtomicU32::new(0);

/// A tick every millisecond of a processor that makes `clock_hz` cycles a second.
pub fn start(ticks: SYST, clock_hz: u32) {
    every(ticks, clock_hz / 1000);
}

/// The processor's timer runs out, and begins anew, after so many cycles.
pub fn every(mut timer: SYST, cycles: u32) {
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(cycles - 1);
    timer.clear_current();
    timer.enable_interrupt();
    timer.enable_counter();
}

/// A tick: what a board's handler of the timer's exception does, where it has [`start`]ed this clock.
pub fn tick() {
    NOW_MS.store(NOW_MS.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

/// Milliseconds since the start; wraps after 49 days.
#[must_use]
pub fn now_ms() -> u32 {
    NOW_MS.load(Ordering::Relaxed)
}
