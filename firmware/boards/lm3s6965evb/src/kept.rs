//! Memory that a reset does not clear, and the ways into a reset.

use core::panic::PanicInfo;
use core::ptr::addr_of_mut;

use cortex_m::peripheral::SCB;
use cortex_m_rt::{ExceptionFrame, exception};
use sabot_firmware::kept::{self, KEPT_BYTES, LastWord};

/// Bytes for events that the host does not have on disk yet: some seventy cards.
pub const RING_BYTES: usize = 1536;

/// Start-up code neither clears nor fills this section. All bytes are initialised as far as the compiler may know: it
/// cannot see that nobody has.
#[unsafe(link_section = ".uninit.ring")]
static mut RING: [u8; RING_BYTES] = [0; RING_BYTES];
#[unsafe(link_section = ".uninit.kept")]
static mut KEPT: [u8; KEPT_BYTES] = [0; KEPT_BYTES];

/// The ring's memory. Only [`crate::Board::start`] takes it, which runs once.
pub(crate) fn ring() -> &'static mut [u8; RING_BYTES] {
    // SAFETY: called once, so there is no second reference; the black box keeps the compiler from taking the static's
    // initial value for what the memory holds.
    unsafe { &mut *core::hint::black_box(addr_of_mut!(RING)) }
}

/// Does something with the memory of starts and last words.
pub(crate) fn with<T>(work: impl FnOnce(&mut [u8; KEPT_BYTES]) -> T) -> T {
    cortex_m::interrupt::free(|_| {
        // SAFETY: interrupts are off and the reference does not leave, so it is the only one; the black box as above.
        work(unsafe { &mut *core::hint::black_box(addr_of_mut!(KEPT)) })
    })
}

/// Says the last word and resets.
pub(crate) fn reset_after(word: LastWord<'_>) -> ! {
    with(|memory| kept::leave_word(memory, word));
    cortex_m::asm::dsb();
    SCB::sys_reset()
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let (file, line) = info.location().map_or(("?", 0), |place| (place.file(), place.line()));
    reset_after(LastWord::Panic { file, line })
}

/// A fault of the processor: its address takes the place of the line.
#[exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    reset_after(LastWord::Panic { file: "fault, program counter", line: frame.pc() })
}
