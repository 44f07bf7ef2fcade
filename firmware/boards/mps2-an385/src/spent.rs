//! What a run took: of the processor's time, and of the stack.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;

/// The clock's reach: it counts 24 bits down.
const REACH: u32 = 1 << 24;
static ROUNDS: AtomicU32 = AtomicU32::new(0);

#[exception]
fn SysTick() {
    ROUNDS.fetch_add(1, Ordering::Relaxed);
}

/// The processor's clock, counting since it was started.
pub struct Clock(SYST);

impl Clock {
    /// Starts it.
    #[must_use]
    pub fn start(mut clock: SYST) -> Self {
        clock.set_clock_source(SystClkSource::Core);
        clock.set_reload(REACH - 1);
        clock.clear_current();
        clock.enable_interrupt();
        clock.enable_counter();
        Self(clock)
    }

    /// Ticks since the start, 40 ns each: the board's clock has 25 MHz.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        loop {
            let rounds = ROUNDS.load(Ordering::Relaxed);
            let left = SYST::get_current();
            if ROUNDS.load(Ordering::Relaxed) == rounds {
                return u64::from(rounds) * u64::from(REACH) + u64::from((REACH - left) % REACH);
            }
        }
    }
}

/// The most that was ever used of the stack, bytes: what has lost its paint.
#[must_use]
pub fn stack() -> usize {
    const PAINT: u32 = 0xCCCC_CCCC;
    unsafe extern "C" {
        static _stack_start: u32;
        static _stack_end: u32;
    }
    let (top, end) = (&raw const _stack_start, &raw const _stack_end);
    let mut at = end;
    // SAFETY: from the stack's far end to its top there is memory, in whole words; what is read is not written
    // meanwhile, for the reader's own frame lies above the paint
    while at < top && unsafe { at.read_volatile() } == PAINT {
        at = at.wrapping_add(1);
    }
    top as usize - at as usize
}
