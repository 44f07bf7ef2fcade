//! The part's backup SRAM: 4 KiB that a cell on its VBAT keeps while the board has no power.

use cortex_m::peripheral::MPU;
use stm32f4xx_hal::pac::{PWR, RCC};

const BASE: usize = 0x4002_4000;
pub(crate) const BYTES: usize = 4096;
/// Reads of a register in which the memory's own regulator must have come.
const PATIENCE: u32 = 100_000;

/// Opens it, where it takes what is written. To be called once.
///
/// Without a cell it is lost with the power like any RAM; what is left in it then is told from a ring by its checksums.
pub(crate) fn open(rcc: &RCC, pwr: &PWR, mpu: &MPU) -> Option<&'static mut [u8]> {
    rcc.apb1enr().modify(|_, w| w.pwren().set_bit());
    rcc.ahb1enr().modify(|_, w| w.bkpsramen().set_bit());
    // behind an enable the bus wants two cycles, which a read takes
    let _ = rcc.ahb1enr().read();
    pwr.cr().modify(|_, w| w.dbp().set_bit());
    pwr.csr().modify(|_, w| w.bre().set_bit());
    if !(0..PATIENCE).any(|_| pwr.csr().read().brr().bit_is_set()) {
        return None;
    }
    as_memory(mpu);
    let last = (BASE + BYTES - 4) as *mut u32;
    // SAFETY: the backup SRAM's last word, which nobody uses yet. Volatile, so that it is the memory that answers.
    let holds = unsafe {
        let before = last.read_volatile();
        last.write_volatile(!before);
        let after = last.read_volatile();
        last.write_volatile(before);
        after == !before
    };
    // SAFETY: the backup SRAM, which is on, holds what is written and is used by nobody else: `open` is called once.
    holds.then(|| unsafe { core::slice::from_raw_parts_mut(BASE as *mut u8, BYTES) })
}

/// It lies among the peripherals, where the processor takes no word that is not aligned; the compiler counts on memory
/// that does. So it is declared to be memory: region 0, normal, not cached, for data alone.
fn as_memory(mpu: &MPU) {
    const FULL_ACCESS: u32 = 3 << 24;
    const NORMAL: u32 = 1 << 19;
    const NO_CODE: u32 = 1 << 28;
    /// The exponent of its length less one.
    const SIZE: u32 = (BYTES.trailing_zeros() - 1) << 1;
    const ENABLE: u32 = 1;
    /// All else stays as it is.
    const AS_BEFORE: u32 = 1 << 2;
    // SAFETY: it widens what the processor may do with this memory, and nothing else.
    unsafe {
        mpu.rnr.write(0);
        mpu.rbar.write(BASE as u32);
        mpu.rasr.write(NO_CODE | FULL_ACCESS | NORMAL | SIZE | ENABLE);
        mpu.ctrl.write(AS_BEFORE | ENABLE);
    }
    cortex_m::asm::dsb();
    cortex_m::asm::isb();
}
