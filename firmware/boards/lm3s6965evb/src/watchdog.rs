//! The watchdog: half a second without food is told to the memory and resets; where even that fails, it resets by itself
//! after another half.

use lm3s6965::{Interrupt, interrupt};
use sabot_firmware::kept::LastWord;

use crate::reg::Reg;
use crate::system::{self, CLOCK_HZ};
use crate::{kept, unmask};

const LOAD: Reg = Reg::at(0x4000_0000);
const CONTROL: Reg = Reg::at(0x4000_0008);
const CLEAR: Reg = Reg::at(0x4000_000C);
const TEST: Reg = Reg::at(0x4000_0418);

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
        LOAD.write(CLOCK_HZ / 2);
        TEST.write(STALL);
        unmask(Interrupt::WATCHDOG_TIMER_0);
        CONTROL.write(INTERRUPT | RESET);
        Self(())
    }

    pub(crate) fn feed(&mut self) {
        // clears what has run out, and begins anew
        CLEAR.write(1);
    }
}

#[interrupt]
fn WATCHDOG_TIMER_0() {
    kept::reset_after(LastWord::Watchdog);
}
