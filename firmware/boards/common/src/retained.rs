//! Memory that a reset does not clear, and the ways into a reset.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::panic::PanicInfo;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use cortex_m::interrupt::free;
use cortex_m::peripheral::SCB;
use cortex_m_rt::{ExceptionFrame, exception};
use sabot_firmware::chips::Reported;
use sabot_firmware::provision::{PAGE_BYTES, Page};
use sabot_firmware::retained::{self, Failure, RETAINED_BYTES, ResetCause, Start};

use crate::chips::SPOTS;

/// Memory that start-up code neither clears nor fills, where it is put into the section `.uninit`.
pub struct Uncleared<T>(UnsafeCell<MaybeUninit<T>>);

// SAFETY: every use below is inside a critical section or happens once, before anything else can.
unsafe impl<T> Sync for Uncleared<T> {}

impl<T> Uncleared<T> {
    #[expect(clippy::new_without_default, reason = "only statics are made of it")]
    /// As the last start left it.
    #[must_use]
    pub const fn new() -> Self {
        Self(UnsafeCell::new(MaybeUninit::uninit()))
    }

    /// What the memory holds. The black box keeps the compiler from concluding that nobody has ever written it.
    ///
    /// # Safety
    /// Any bytes must make a `T`, and no other reference may be in use.
    unsafe fn get(&'static self) -> &'static mut T {
        // SAFETY: as demanded of the caller; the memory is there for good.
        unsafe { &mut *core::hint::black_box(self.0.get()).cast::<T>() }
    }
}

#[unsafe(link_section = ".uninit.retained")]
static RETAINED: Uncleared<[u8; RETAINED_BYTES]> = Uncleared::new();
#[unsafe(link_section = ".uninit.page")]
static PAGE: Uncleared<[u8; PAGE_BYTES]> = Uncleared::new();
#[unsafe(link_section = ".uninit.spots")]
static REPORTED: Uncleared<Reported<SPOTS>> = Uncleared::new();

impl<const N: usize> Uncleared<[u8; N]> {
    /// The bytes.
    ///
    /// # Safety
    /// To be called once for each static.
    pub(crate) unsafe fn bytes(&'static self) -> &'static mut [u8; N] {
        // SAFETY: bytes are bytes; called once, so there is no second reference.
        unsafe { self.get() }
    }
}

/// The memory of an image's ring, where nothing outlives the power: `ring!(EVENTS of Shoe)` has as many bytes as a shoe
/// needs for events that the host does not have on disk yet.
#[macro_export]
macro_rules! ring {
    ($name:ident of $role:ident) => {
        const RING_BYTES: usize = sabot_firmware::ring_bytes(sabot_firmware::sabot_wire::message::Role::$role);
        // SAFETY: the section is one of RAM that start-up code leaves alone, which `Uncleared` counts with.
        #[unsafe(link_section = ".uninit.ring")]
        static $name: $crate::retained::Uncleared<[u8; RING_BYTES]> = $crate::retained::Uncleared::new();
    };
}

/// Where starts are counted and failures recorded, where that is not [`RETAINED`].
static LASTING: AtomicPtr<[u8; RETAINED_BYTES]> = AtomicPtr::new(null_mut());

/// Has starts counted and failures recorded in memory that outlives the power: to be called before [`begin`].
pub fn lasts(memory: &'static mut [u8; RETAINED_BYTES]) {
    LASTING.store(memory, Ordering::SeqCst);
}

/// Does something with the memory of starts and failures.
pub fn with<T>(work: impl FnOnce(&mut [u8; RETAINED_BYTES]) -> T) -> T {
    let lasting = LASTING.load(Ordering::SeqCst);
    // SAFETY: bytes are bytes, and what `lasts` was given is nobody else's; interrupts are off and the reference does
    // not leave, so it is the only one.
    free(|_| work(unsafe { if lasting.is_null() { RETAINED.get() } else { &mut *lasting } }))
}

/// Counts this start and says why it came about; `cause` is what the part knows. To be called once.
pub fn begin(cause: Option<ResetCause>) -> Start {
    with(|memory| retained::begin(memory, cause))
}

/// Serial number and key as they were last set, where the flash did not take them. Lost with the power.
pub(crate) fn page() -> Option<Page> {
    // SAFETY: as in `with`.
    free(|_| Page::read(unsafe { PAGE.get() }))
}

/// Keeps serial number and key; none: forgets them.
pub(crate) fn keep_page(page: Option<&Page>) {
    // SAFETY: as in `with`.
    free(|_| *unsafe { PAGE.get() } = page.map_or([0; PAGE_BYTES], Page::write));
}

/// What was last reported of each spot, as the last start left it.
#[must_use]
pub fn reported() -> Reported<SPOTS> {
    // SAFETY: as in `with`; it consists of whole numbers, of which any bytes make one.
    free(|_| unsafe { REPORTED.get() }.clone()).restore()
}

/// Keeps what was last reported of each spot.
pub fn keep_reported(reported: &Reported<SPOTS>) {
    // SAFETY: as in `reported`.
    free(|_| reported.copy_to(unsafe { REPORTED.get() }));
}

/// Records the failure and resets.
pub(crate) fn reset_after(failure: Failure<'_>) -> ! {
    with(|memory| retained::record_failure(memory, failure));
    cortex_m::asm::dsb();
    SCB::sys_reset()
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let (file, line) = info.location().map_or(("?", 0), |place| (place.file(), place.line()));
    reset_after(Failure::Panic { file, line })
}

/// A fault of the processor: its address takes the place of the line.
#[exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    reset_after(Failure::Panic { file: "fault, program counter", line: frame.pc() })
}
