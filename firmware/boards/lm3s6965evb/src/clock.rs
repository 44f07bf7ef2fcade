//! Milliseconds that are read off a counter, not counted.
//!
//! An emulator that does not get a processor in time loses ticks of a millisecond, and its clock with them: by tenths.
//! The counter runs on meanwhile. Another timer wakes the processor every millisecond, and a wake that is lost costs
//! nothing.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::{SCB, SYST};
use cortex_m_rt::exception;
use lm3s6965::{Interrupt, interrupt};
use sabot_board::unmask;

use crate::reg::Reg;
use crate::system::{self, CLOCK_HZ};

const MODE: Reg = Reg::at(0x4003_0004);
const CONTROL: Reg = Reg::at(0x4003_000C);
const MASK: Reg = Reg::at(0x4003_0018);
const CLEAR: Reg = Reg::at(0x4003_0024);
const LOAD: Reg = Reg::at(0x4003_0028);

const CYCLES_PER_MS: u32 = CLOCK_HZ / 1000;
/// Milliseconds after which the counter, of 24 bits, begins anew.
const ROUND_MS: u32 = 256;

static ROUNDS: AtomicU32 = AtomicU32::new(0);

/// The counter, and a wake every millisecond.
pub(crate) fn start(counter: SYST) {
    const PERIODIC: u32 = 2;
    const RAN_OUT: u32 = 1;
    const ENABLE: u32 = 1;
    sabot_board::clock::every(counter, ROUND_MS * CYCLES_PER_MS);
    // it shows 0, its end, until its first cycle
    while SYST::get_current() == 0 {}
    system::enable_timer();
    MODE.write(PERIODIC);
    LOAD.write(CYCLES_PER_MS - 1);
    MASK.write(RAN_OUT);
    unmask(Interrupt::TIMER_0A);
    CONTROL.write(ENABLE);
}

#[exception]
fn SysTick() {
    ROUNDS.store(ROUNDS.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

#[interrupt]
fn TIMER_0A() {
    CLEAR.write(1);
}

/// Milliseconds since the start; wraps after 49 days. Not for handlers of interrupts: it waits until the round that has
/// ended is counted.
pub(crate) fn now_ms() -> u32 {
    loop {
        let rounds = ROUNDS.load(Ordering::Relaxed);
        let left = SYST::get_current();
        if rounds == ROUNDS.load(Ordering::Relaxed) && !SCB::is_pendst_pending() {
            let passed = ROUND_MS * CYCLES_PER_MS - 1 - left;
            return rounds.wrapping_mul(ROUND_MS).wrapping_add(passed / CYCLES_PER_MS);
        }
    }
}
