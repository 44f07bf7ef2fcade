//! Memory to allocate: the board's large static RAM, and the most that was ever taken of it.

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use embedded_alloc::LlffHeap;

#[global_allocator]
static HEAP: Counted = Counted { heap: LlffHeap::empty(), most: AtomicUsize::new(0) };

struct Counted {
    heap: LlffHeap,
    most: AtomicUsize,
}

// SAFETY: every request goes to the heap as it came, which keeps what the trait asks for; counting touches no memory of
// it
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's
        let given = unsafe { self.heap.alloc(layout) };
        self.most.fetch_max(self.heap.used(), Ordering::Relaxed);
        given
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's
        unsafe { self.heap.dealloc(at, layout) }
    }
}

/// Makes the memory available. Nothing can be allocated before; a second call does nothing.
pub fn init() {
    unsafe extern "C" {
        static mut _heap_start: u8;
        static _heap_bytes: u8;
    }
    static DONE: AtomicBool = AtomicBool::new(false);
    if !DONE.swap(true, Ordering::Relaxed) {
        // SAFETY: memory.x names memory that nothing else is placed in, and this is done once
        unsafe { HEAP.heap.init(&raw mut _heap_start as usize, &raw const _heap_bytes as usize) }
    }
}

/// The most that was ever allocated at once, with the allocator's rounding, bytes.
#[must_use]
pub fn most() -> usize {
    HEAP.most.load(Ordering::Relaxed)
}
