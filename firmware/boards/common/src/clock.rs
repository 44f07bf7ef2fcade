//! Milliseconds, from the processor's own timer.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;

static NOW_MS: AtomicU32 = AtomicU32::new(0);

/// A tick every millisecond of a processor that makes `clock_hz` cycles a second.
pub fn start(mut ticks: SYST, clock_hz: u32) {
    ticks.set_clock_source(SystClkSource::Core);
    ticks.set_reload(clock_hz / 1000 - 1);
    ticks.clear_current();
    ticks.enable_interrupt();
    ticks.enable_counter();
}

#[exception]
fn SysTick() {
    NOW_MS.store(NOW_MS.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

/// Milliseconds since the start; wraps after 49 days.
#[must_use]
pub fn now_ms() -> u32 {
    NOW_MS.load(Ordering::Relaxed)
}
