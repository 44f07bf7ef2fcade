//! Registers of the part, read and written as they are.

/// A 32-bit register.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reg(usize);

impl Reg {
    /// The register at an address. Only addresses from the part's data sheet go in here.
    pub(crate) const fn at(address: usize) -> Self {
        Self(address)
    }

    pub(crate) fn read(self) -> u32 {
        // SAFETY: every address given to `at` is that of a register of this part, aligned and always there.
        unsafe { (self.0 as *const u32).read_volatile() }
    }

    pub(crate) fn write(self, value: u32) {
        // SAFETY: as in `read`; no register written here makes the part touch memory.
        unsafe { (self.0 as *mut u32).write_volatile(value) }
    }

    /// Reads, changes and writes back, with no interrupt between.
    pub(crate) fn modify(self, change: impl FnOnce(u32) -> u32) {
        cortex_m::interrupt::free(|_| self.write(change(self.read())));
    }

    pub(crate) fn set(self, bits: u32) {
        self.modify(|value| value | bits);
    }

    pub(crate) fn clear(self, bits: u32) {
        self.modify(|value| value & !bits);
    }
}
