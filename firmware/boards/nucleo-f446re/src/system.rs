//! Clock, and why the part was reset.

use sabot_firmware::retained::ResetCause;
use stm32f4xx_hal::pac::RCC;
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Rcc;

/// Cycles a second, whichever clock there is.
pub(crate) const CLOCK_HZ: u32 = 16_000_000;

/// Reads of a register in which a clock must have come.
const PATIENCE: u32 = 100_000;

/// The 8 MHz that the board's ST-Link gives, through the PLL: 8 / 4 * 64 / 8 MHz. Where they do not come (the ST-Link
/// was broken off, or has no power) the part stays with its own oscillator, as fast and within 1 % at room temperature,
/// which is enough for the lines. At 16 MHz flash needs no wait, and the library knows these clocks without computing
/// them.
pub(crate) fn start_clock(rcc: RCC) -> Rcc {
    let comes = |ready: &dyn Fn() -> bool| (0..PATIENCE).any(|_| ready());
    rcc.cr().modify(|_, w| w.hsebyp().set_bit());
    rcc.cr().modify(|_, w| w.hseon().set_bit());
    if comes(&|| rcc.cr().read().hserdy().bit_is_set()) {
        rcc.pllcfgr().write(|w| {
            w.pllsrc().hse();
            w.pllp().div8();
            // SAFETY: the numbers above, which the data sheet allows: 2 MHz into the PLL and 128 MHz within it.
            unsafe { w.pllm().bits(4).plln().bits(64) }
        });
        rcc.cr().modify(|_, w| w.pllon().set_bit());
        if comes(&|| rcc.cr().read().pllrdy().bit_is_set()) {
            rcc.cfgr().modify(|_, w| w.sw().pll());
        }
    }
    rcc.constrain()
}

/// Why the part was reset, as far as it knows; asked once.
pub(crate) fn cause(rcc: &RCC) -> Option<ResetCause> {
    let told = rcc.csr().read();
    rcc.csr().modify(|_, w| w.rmvf().set_bit());
    // several may be set, the reset line with each of them: the one that says more comes first
    [
        (told.porrstf().bit_is_set() || told.borrstf().bit_is_set(), ResetCause::PowerOn),
        (told.wdgrstf().bit_is_set() || told.wwdgrstf().bit_is_set(), ResetCause::Watchdog),
        (told.sftrstf().bit_is_set(), ResetCause::Software),
        (told.padrstf().bit_is_set(), ResetCause::Button),
    ]
    .into_iter()
    .find_map(|(set, cause)| set.then_some(cause))
}
