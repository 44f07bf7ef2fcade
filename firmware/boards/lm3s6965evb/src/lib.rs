//! TI's LM3S6965 evaluation board (Cortex-M3), which QEMU emulates as `lm3s6965evb`: what is the board's own.
//!
//! What decides is in `sabot-firmware`. Here are the pins, the UARTs, the clock, the watchdog, the memory that a reset
//! does not clear, and a main loop; an image (`src/bin`) says which pin is what. `docs/firmware.md` has the pins.
#![no_std]

mod flash;
pub mod gpio;
pub mod kept;
mod reg;
pub mod ssi;
pub mod system;
pub mod uart;
mod watchdog;

use cortex_m::peripheral::NVIC;
use embedded_hal::digital::InputPin as _;
use lm3s6965::Interrupt;
use sabot_firmware::FIRMWARE;
use sabot_firmware::duties::{Duties, Duty};
use sabot_firmware::kept::Start;
use sabot_firmware::link::{Link, Uart};
use sabot_firmware::provision::Page;
use sabot_firmware::sabot_wire::device::{Device, Identity};
use sabot_firmware::sabot_wire::frame::crc32c;
use sabot_firmware::sabot_wire::message::Role;
use sabot_firmware::sabot_wire::ring::Ring;

use crate::gpio::{Input, Pin, Port};
use crate::kept::Uncleared;
use crate::watchdog::Watchdog;

/// Memory of a ring, which a reset does not clear.
pub type RingMemory<const N: usize> = &'static mut [u8; N];

/// The board, started.
#[derive(Debug)]
pub struct Board {
    watchdog: Watchdog,
    start: Start,
    page: Page,
    /// A jumper or a hidden button: while it is closed, a host may give the device another key.
    pairing: Input,
    in_session: bool,
}

impl Board {
    /// Starts clock and watchdog, and counts the start.
    ///
    /// # Panics
    /// When it is called twice, or the clock does not start: a mistake that the next start tells.
    #[must_use]
    pub fn start(role: Role) -> Self {
        let taken = cortex_m::Peripherals::take();
        let Some(core) = taken else { panic!("the board is started once") };
        let start = kept::with(|memory| sabot_firmware::kept::begin(memory, system::cause()));
        system::start_clock(core.SYST);
        let page = kept::page().or_else(flash::read).unwrap_or_else(|| Page::blank(role));
        Self { watchdog: Watchdog::start(), start, page, pairing: Pin::new(Port::F, 2).input(), in_session: false }
    }

    /// The session of a device on this board, its ring in memory of [`ring!`](crate::ring!). To be asked for once.
    ///
    /// # Panics
    /// When it is asked for again, or the memory is too small for a ring: mistakes of an image.
    #[must_use]
    pub fn session<const N: usize>(&mut self, role: Role, ring: &'static Uncleared<[u8; N]>) -> Device<RingMemory<N>> {
        assert!(!core::mem::replace(&mut self.in_session, true), "the session is begun once");
        // SAFETY: only here, and here only once.
        let ring = unsafe { ring.bytes() };
        let noise = noise();
        let fresh_epoch = noise.first().copied().unwrap_or_default() ^ self.start.boots;
        let Ok((ring, _)) = Ring::restore(ring, fresh_epoch) else { panic!("the ring's memory is too small") };
        let mut entropy = [0; 16];
        let bytes = noise.into_iter().flat_map(u32::to_le_bytes);
        entropy.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
        let Start { boots, started } = self.start.clone();
        let Page { serial, key } = self.page.clone();
        Device::new(Identity { role, serial, firmware: FIRMWARE, boots, started, key, entropy }, ring)
    }

    /// The main loop: `round` lets the device have a look at everything, at the milliseconds since the start, whenever
    /// something may have happened and at least every millisecond. The watchdog is fed once every duty has run. The device is borrowed: moved, it would lie on
    /// the stack twice.
    pub fn run<D, U: Uart, M>(mut self, device: &mut D, mut round: impl FnMut(&mut D, u32) -> &mut Link<U, M>) -> !
    where
        M: AsRef<[u8]> + AsMut<[u8]>,
    {
        let mut duties = Duties::new();
        loop {
            let now_ms = system::now_ms();
            duties.clock(now_ms);
            let link = round(device, now_ms);
            self.tend(link);
            duties.done(Duty::Device);
            if link.moves(now_ms) {
                duties.done(Duty::Line);
            }
            assert!(stack_is_sound(), "the stack has reached its end");
            duties.done(Duty::Stack);
            if duties.all_done() {
                self.watchdog.feed();
            }
            cortex_m::asm::wfi();
        }
    }

    /// What the session wants of the board.
    fn tend<U: Uart, M: AsRef<[u8]> + AsMut<[u8]>>(&mut self, link: &mut Link<U, M>) {
        assert!(!link.device().damaged(), "the ring's memory is damaged");
        link.allow_pairing(matches!(self.pairing.is_high(), Ok(true)));
        if let Some(key) = link.take_new_key() {
            self.page.key = Some(key);
            // where flash does not take it the key lasts as long as the power
            kept::keep_page(if flash::write(&self.page) { None } else { Some(&self.page) });
        }
    }
}

/// What no start has had before: RAM that nothing uses comes up with random bits when the power does. After a reset it is
/// the same, and the count of starts is another.
fn noise() -> [u32; 4] {
    const UNUSED: usize = 0x2000_4000;
    const END: usize = 0x2001_0000;
    const QUARTER: usize = (END - UNUSED) / 4;
    core::array::from_fn(|quarter| {
        (0..QUARTER / 4).fold(0, |noise: u32, word| {
            // SAFETY: the part has RAM there and no image uses it. Volatile, for nothing the compiler sees writes it.
            let bits = unsafe { ((UNUSED + quarter * QUARTER + 4 * word) as *const u32).read_volatile() };
            crc32c(&(noise ^ bits).to_le_bytes()) ^ noise.rotate_left(1)
        })
    })
}

/// Lets an interrupt through. Its handler must be there: `uart!` and the images write them.
pub fn unmask(interrupt: Interrupt) {
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
