//! What the boards have in common, whichever part they carry: the main loop, the milliseconds, the UARTs' queues, and
//! the memory that a reset does not clear, with the panic handler that writes there.
//!
//! A board's own crate brings its registers: a [`Hardware`], and [`uart::Registers`] for its UARTs.
#![no_std]

pub mod chips;
pub mod clock;
mod flash;
mod image;
pub mod retained;
pub mod uart;

use core::ops::Range;

use cortex_m::interrupt::InterruptNumber;
use cortex_m::peripheral::NVIC;
use sabot_firmware::FIRMWARE;
use sabot_firmware::health::{Check, Checks};
use sabot_firmware::link::{Link, Uart};
use sabot_firmware::provision::{PAGE_BYTES, Page};
use sabot_firmware::retained::Start;
use sabot_firmware::sabot_wire::device::{Device, Identity};
use sabot_firmware::sabot_wire::frame::crc32c;
use sabot_firmware::sabot_wire::message::{Image, Role};
use sabot_firmware::sabot_wire::ring::{Memory, Ring};

use crate::retained::Uncleared;

/// Memory of a ring, which a reset does not clear.
pub type RingMemory = &'static mut [u8];

/// What a part has of its own.
///
/// # Safety
/// [`Hardware::UNUSED_RAM`] is memory of the part, aligned to words, that no image uses. [`Hardware::PAGES`] are pages
/// of the part's flash, in which no image lies.
pub unsafe trait Hardware {
    /// RAM that comes up with random bits when the power does, and that no image uses.
    const UNUSED_RAM: Range<usize>;
    /// Where two pages of flash begin, each of which is erased by itself: they keep serial number and key.
    const PAGES: [usize; 2];

    /// Memory of the part that outlives its power, for the ring, where there is some. Asked once.
    fn lasting(&mut self) -> Option<&'static mut [u8]> {
        None
    }

    /// Feeds the watchdog, which is running.
    fn feed(&mut self);

    /// Whether the pairing contact is closed: a jumper or a hidden button; meanwhile a host may give the device another
    /// key.
    fn pairing(&mut self) -> bool;

    /// Erases one of the two pages. Whether it did is seen when they are read.
    fn erase(&mut self, page: usize);

    /// Writes one of the two pages, erased before.
    fn program(&mut self, page: usize, content: &[u8; PAGE_BYTES]);

    /// Milliseconds since the start; wraps after 49 days.
    fn now_ms(&self) -> u32 {
        clock::now_ms()
    }
}

/// A board, started.
#[derive(Debug)]
pub struct Board<H> {
    hardware: H,
    start: Start,
    page: Page,
    in_session: bool,
}

impl<H: Hardware> Board<H> {
    /// A board whose clock and watchdog run. `start` is what [`retained::begin`] said, to be asked before anything that
    /// may fail.
    #[must_use]
    pub fn new(role: Role, start: Start, hardware: H) -> Self {
        let page = retained::page().or_else(|| flash::read::<H>()).unwrap_or_else(|| Page::blank(role));
        Self { hardware, start, page, in_session: false }
    }

    /// The session of a device on this board, its ring in all the memory that outlives the power, where the part has
    /// some, else in that of [`ring!`](crate::ring!). To be asked for once.
    ///
    /// # Panics
    /// When it is asked for again, or the memory is too small for a ring: mistakes of an image.
    #[must_use]
    pub fn session<const N: usize>(&mut self, role: Role, ring: &'static Uncleared<[u8; N]>) -> Device<RingMemory> {
        assert!(!core::mem::replace(&mut self.in_session, true), "the session is begun once");
        // SAFETY: only here, and here only once.
        let ring = self.hardware.lasting().unwrap_or_else(|| unsafe { ring.bytes() });
        let noise = noise(H::UNUSED_RAM);
        let fresh_epoch = noise.first().copied().unwrap_or_default() ^ self.start.boots;
        let Ok((ring, _)) = Ring::restore(ring, fresh_epoch) else { panic!("the ring's memory is too small") };
        stir(H::UNUSED_RAM, &noise);
        let mut entropy = [0; 16];
        let bytes = noise.into_iter().flat_map(u32::to_le_bytes);
        entropy.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
        let Start { boots, started } = self.start.clone();
        let Page { serial, key, code } = self.page.clone();
        let device = Device::new(
            Identity { role, serial, firmware: FIRMWARE, image: image::image(), boots, started, key, entropy },
            ring,
        );
        device.with_code(code)
    }

    /// The main loop. `round` polls the device, at the milliseconds since the start, whenever something may have
    /// happened and at least every millisecond. The watchdog is fed once every health check has passed. The device is
    /// borrowed: moved, it would lie on the stack twice.
    pub fn run<D, U: Uart, M>(mut self, device: &mut D, mut round: impl FnMut(&mut D, u32) -> &mut Link<U, M>) -> !
    where
        M: Memory,
    {
        let mut checks = Checks::new();
        loop {
            let now_ms = self.hardware.now_ms();
            checks.clock(now_ms);
            let link = round(device, now_ms);
            self.serve_session(link);
            checks.pass(Check::Device);
            if link.moves(now_ms) {
                checks.pass(Check::Line);
            }
            assert!(stack_is_sound(), "the stack has reached its end");
            checks.pass(Check::Stack);
            if checks.all_passed() {
                self.hardware.feed();
            }
            cortex_m::asm::wfi();
        }
    }

    /// Does what the session needs of the board.
    fn serve_session<U: Uart, M: Memory>(&mut self, link: &mut Link<U, M>) {
        assert!(!link.device().damaged(), "the ring's memory is damaged");
        link.allow_pairing(self.hardware.pairing());
        if let Some(key) = link.take_new_key() {
            self.page.key = Some(key);
            // where flash does not take it the key lasts as long as the power
            retained::keep_page(if flash::write(&mut self.hardware, &self.page) { None } else { Some(&self.page) });
        }
    }
}

/// What no start has had before: RAM that nothing uses comes up with random bits when the power does. After a reset it
/// is the same, and the count of starts is another.
fn noise(unused: Range<usize>) -> [u32; 4] {
    let words = unused.len() / 16;
    core::array::from_fn(|quarter| {
        (0..words).fold(0, |noise: u32, word| {
            // SAFETY: `Hardware` promises RAM there that no image uses. Volatile, for nothing the compiler sees writes
            // it.
            let bits = unsafe { ((unused.start + 4 * (quarter * words + word)) as *const u32).read_volatile() };
            crc32c(&(noise ^ bits).to_le_bytes()) ^ noise.rotate_left(1)
        })
    })
}

/// Puts what follows from the noise in its place, and nothing of it besides: who takes the board later, and its RAM,
/// cannot find out from what the secrets of this start were drawn. The next start draws from what is left here, and its
/// number.
fn stir(unused: Range<usize>, noise: &[u32; 4]) {
    let Image(next) = Image::of(noise.each_ref().map(|word| word.to_le_bytes()).each_ref().map(<[u8; 4]>::as_slice));
    let words = unused.len() / 16;
    let mut next = next.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
    for (quarter, word) in (0..4).flat_map(|quarter| (0..words).map(move |word| (quarter, word))) {
        let bits = if word < 2 { next.next().unwrap_or_default() } else { 0 };
        // SAFETY: as above: nobody else uses it.
        unsafe { ((unused.start + 4 * (quarter * words + word)) as *mut u32).write_volatile(bits) };
    }
}

/// Lets an interrupt through. Its handler must be there: [`uart!`] and the images write them.
pub fn unmask(interrupt: impl InterruptNumber) {
    // SAFETY: no code here relies on an interrupt being masked; critical sections mask all.
    unsafe { NVIC::unmask(interrupt) }
}

unsafe extern "C" {
    static _stack_end: [u32; STACK_GUARD];
}

/// Words at the far end of the stack that nothing may ever reach.
const STACK_GUARD: usize = 16;

/// Whether the far end of the stack still has the paint of the start.
fn stack_is_sound() -> bool {
    const PAINT: u32 = 0xCCCC_CCCC;
    // SAFETY: the linker puts the symbol at the stack's far end, and the stack is larger than the guard. Volatile, for
    // what writes there is no code the compiler sees.
    (0..STACK_GUARD).all(|word| unsafe { (&raw const _stack_end).cast::<u32>().add(word).read_volatile() } == PAINT)
}
