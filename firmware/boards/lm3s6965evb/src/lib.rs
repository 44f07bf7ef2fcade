//! TI's LM3S6965 evaluation board (Cortex-M3), which QEMU emulates as `lm3s6965evb`: what is the board's own.
//!
//! What decides is in `sabot-firmware`, and what other boards have too in `sabot-board`. Here are the pins, the UARTs,
//! the clock, the watchdog and the flash; an image (`src/bin`) says which pin is what. `docs/firmware.md` has the pins.
#![no_std]

mod clock;
mod flash;
pub mod gpio;
pub mod pl011;
mod reg;
pub mod ssi;
pub mod system;
mod watchdog;

use core::ops::Range;

use embedded_hal::digital::InputPin as _;
use sabot_board::{Hardware, retained};
use sabot_firmware::provision::PAGE_BYTES;
use sabot_firmware::sabot_wire::message::Role;

use crate::gpio::{Input, Pin, Port};
use crate::watchdog::Watchdog;

/// The board, started.
pub type Board = sabot_board::Board<Evb>;

/// What the board has of its own.
#[derive(Debug)]
pub struct Evb {
    watchdog: Watchdog,
    pairing: Input,
}

// SAFETY: the part has 64 KiB of RAM, of which an image has the first 16 at the most, and 256 KiB of flash,
// of which it has the first 64 and the pages the last two.
unsafe impl Hardware for Evb {
    const UNUSED_RAM: Range<usize> = 0x2000_4000..0x2001_0000;
    const PAGES: [usize; 2] = flash::PAGES;

    fn feed(&mut self) {
        self.watchdog.feed();
    }

    fn pairing(&mut self) -> bool {
        matches!(self.pairing.is_high(), Ok(true))
    }

    fn erase(&mut self, page: usize) {
        flash::erase(page);
    }

    fn program(&mut self, page: usize, content: &[u8; PAGE_BYTES]) {
        flash::program(page, content);
    }

    fn now_ms(&self) -> u32 {
        clock::now_ms()
    }
}

/// Starts clock and watchdog, and counts the start.
///
/// # Panics
/// When it is called twice, or the clock does not start: a mistake that the next start tells.
#[must_use]
pub fn start(role: Role) -> Board {
    let taken = cortex_m::Peripherals::take();
    let Some(core) = taken else { panic!("the board is started once") };
    let start = retained::begin(system::cause());
    system::start_clock();
    clock::start(core.SYST);
    let hardware = Evb { watchdog: Watchdog::start(), pairing: Pin::new(Port::F, 2).input() };
    Board::new(role, start, hardware)
}
