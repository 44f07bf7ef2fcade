//! Clock, and why the part was reset.

use sabot_firmware::retained::ResetCause;
use stm32f4xx_hal::pac::rcc::pllcfgr::PLLSRC;
use stm32f4xx_hal::pac::{FLASH, RCC};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Rcc;

/// Cycles a second of the processor, where its PLL runs.
const FULL_HZ: u32 = 64_000_000;
/// Cycles a second of the part's own oscillator, and of both peripheral buses always.
const OWN_HZ: u32 = 16_000_000;
/// What the PLL makes of 2 MHz: 256 MHz within it, a quarter of that for the processor.
const TIMES: u16 = 128;
/// Cycles that flash makes the processor wait: two up to 90 MHz, at 2.7 V and more.
const FLASH_WAITS: u8 = 2;

/// Reads of a register in which a clock must have come.
const PATIENCE: u32 = 100_000;

/// Starts the processor's clock and gives its cycles a second.
///
/// The PLL takes the 8 MHz that the board's ST-Link gives. Where they do not come (it was broken off, or has no power)
/// the PLL takes the part's own oscillator: 16 MHz, within 1 % at room temperature, which is enough for the lines.
/// Without a PLL the processor runs at those 16 MHz. The buses have 16 MHz each time: what the library takes them for,
/// which then computes nothing.
pub(crate) fn start_clock(rcc: RCC, flash: &FLASH) -> (Rcc, u32) {
    let comes = |ready: &dyn Fn() -> bool| (0..PATIENCE).any(|_| ready());
    rcc.cr().modify(|_, w| w.hsebyp().set_bit());
    rcc.cr().modify(|_, w| w.hseon().set_bit());
    let is_given = comes(&|| rcc.cr().read().hserdy().bit_is_set());
    rcc.pllcfgr().write(|w| {
        w.pllsrc().variant(if is_given { PLLSRC::Hse } else { PLLSRC::Hsi });
        w.pllp().div4();
        // SAFETY: the data sheet allows them: 2 MHz into the PLL, 256 MHz within it.
        unsafe { w.pllm().bits(if is_given { 4 } else { 8 }).plln().bits(TIMES) }
    });
    rcc.cr().modify(|_, w| w.pllon().set_bit());
    let is_full = comes(&|| rcc.cr().read().pllrdy().bit_is_set());
    if is_full {
        // Code alone is cached. A cache of data would go on with what a page of flash held before it was written.
        flash.acr().modify(|_, w| w.latency().set(FLASH_WAITS).prften().set_bit().icen().set_bit());
        // the part takes the waits some cycles later, and is faster only then
        let _taken = comes(&|| flash.acr().read().latency().bits() == FLASH_WAITS);
        rcc.cfgr().modify(|_, w| w.ppre1().div4().ppre2().div4());
        rcc.cfgr().modify(|_, w| w.sw().pll());
    }
    (rcc.constrain(), if is_full { FULL_HZ } else { OWN_HZ })
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
