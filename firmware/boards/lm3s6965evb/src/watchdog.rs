//! The watchdog: a second without food is written down, and after another the part resets itself. Who eats in between
//! has it struck out again: the processor was only held up.

use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m::peripheral::NVIC;
use lm3s6965::{Interrupt, interrupt};
use sabot_board::{retained, unmask};
use sabot_firmware::retained::{Failure, clear_failure, record_failure};

use crate::reg::Reg;
use crate::system::{self, CLOCK_HZ};

const LOAD: Reg = Reg::at(0x4000_0000);
const CONTROL: Reg = Reg::at(0x4000_0008);
const CLEAR: Reg = Reg::at(0x4000_000C);
const TEST: Reg = Reg::at(0x4000_0418);

static HUNGRY: AtomicBool = AtomicBool::new(false);

/// The watchdog, running.
#[derive(Debug)]
pub(crate) struct Watchdog(());

impl Watchdog {
    pub(crate) fn start() -> Self {
        const INTERRUPT: u32 = 1;
        const RESET: u32 = 1 << 1;
        /// Rests while a debugger has stopped the processor.
        const STALL: u32 = 1 << 8;
        system::enable_watchdog();
        LOAD.write(CLOCK_HZ);
        TEST.write(STALL);
        unmask(Interrupt::WATCHDOG_TIMER_0);
        CONTROL.write(INTERRUPT | RESET);
        Self(())
    }

    pub(crate) fn feed(&mut self) {
        // clears what has run out, and begins anew
        CLEAR.write(1);
        if HUNGRY.load(Ordering::Relaxed) {
            HUNGRY.store(false, Ordering::Relaxed);
            retained::with(clear_failure);
            unmask(Interrupt::WATCHDOG_TIMER_0);
        }
    }
}

#[interrupt]
fn WATCHDOG_TIMER_0() {
    retained::with(|memory| record_failure(memory, Failure::Watchdog));
    HUNGRY.store(true, Ordering::Relaxed);
    // it stays raised until somebody eats
    NVIC::mask(Interrupt::WATCHDOG_TIMER_0);
}
