//! Clock, and why the part was reset.

use sabot_firmware::retained::ResetCause;

use crate::reg::Reg;

const RIS: Reg = Reg::at(0x400F_E050);
const RESC: Reg = Reg::at(0x400F_E05C);
const RCC: Reg = Reg::at(0x400F_E060);
const RCGC0: Reg = Reg::at(0x400F_E100);
const RCGC1: Reg = Reg::at(0x400F_E104);
const RCGC2: Reg = Reg::at(0x400F_E108);

/// Cycles a second once [`start_clock`] has run.
pub const CLOCK_HZ: u32 = 50_000_000;

/// The board's 8 MHz crystal through the PLL, divided by four.
pub(crate) fn start_clock() {
    const BYPASS: u32 = 1 << 11;
    const USE_DIVIDER: u32 = 1 << 22;
    const DIVIDER: u32 = 0xF << 23;
    const BY_FOUR: u32 = 3 << 23;
    const PLL_OFF: u32 = 1 << 13;
    const CRYSTAL: u32 = 0xF << 6;
    const CRYSTAL_8_MHZ: u32 = 0xE << 6;
    const SOURCE: u32 = 3 << 4;
    const MAIN_OSCILLATOR_OFF: u32 = 1;
    const LOCKED: u32 = 1 << 6;
    /// Reads of the register in which the PLL must have locked; it takes half a millisecond at the most.
    const PATIENCE: u32 = 1_000_000;

    RCC.modify(|rcc| (rcc | BYPASS) & !(USE_DIVIDER | MAIN_OSCILLATOR_OFF));
    RCC.modify(|rcc| (rcc & !(CRYSTAL | SOURCE | PLL_OFF | DIVIDER)) | CRYSTAL_8_MHZ | BY_FOUR | USE_DIVIDER);
    let locked = (0..PATIENCE).any(|_| RIS.read() & LOCKED != 0);
    assert!(locked, "the clock's PLL does not lock");
    RCC.clear(BYPASS);
}

/// Why the part was reset, as far as it knows; asked once.
pub(crate) fn cause() -> Option<ResetCause> {
    const EXTERNAL: u32 = 1;
    const POWER: u32 = 1 << 1 | 1 << 2;
    const WATCHDOG: u32 = 1 << 3;
    const SOFTWARE: u32 = 1 << 4;
    let bits = RESC.read();
    RESC.write(0);
    // several may be set: the one that says more comes first
    [
        (POWER, ResetCause::PowerOn),
        (WATCHDOG, ResetCause::Watchdog),
        (SOFTWARE, ResetCause::Software),
        (EXTERNAL, ResetCause::Button),
    ]
    .into_iter()
    .find_map(|(bit, cause)| (bits & bit != 0).then_some(cause))
}

/// Gives a peripheral its clock; the part wants some cycles before it is touched.
fn enable(register: Reg, bit: u32) {
    register.set(1 << bit);
    cortex_m::asm::delay(8);
}

pub(crate) fn enable_watchdog() {
    enable(RCGC0, 3);
}

pub(crate) fn enable_timer() {
    enable(RCGC1, 16);
}

pub(crate) fn enable_uart(number: u32) {
    enable(RCGC1, number);
}

/// Gives the SSI its clock.
pub fn enable_ssi() {
    enable(RCGC1, 4);
}

pub(crate) fn enable_gpio(port: u32) {
    enable(RCGC2, port);
}
