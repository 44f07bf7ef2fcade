//! ST's NUCLEO-F446RE (STM32F446RE, a Cortex-M4): what is the board's own.
//!
//! What decides is in `sabot-firmware`, and what other boards have too in `sabot-board`. Here are the clock, the
//! watchdog, the USARTs and the flash, through `stm32f4xx-hal`; an image (`src/bin`) says which pin is what.
//! `docs/firmware.md` has the pins.
#![no_std]

mod lasting;
pub mod panel;
mod system;
mod usart;

use core::ops::Range;

use cortex_m_rt::exception;
use sabot_board::{Hardware, clock, retained};
use sabot_firmware::LASTING_RING;
use sabot_firmware::provision::PAGE_BYTES;
use sabot_firmware::sabot_wire::message::Role;
use stm32f4xx_hal::flash::FlashExt as _;
use stm32f4xx_hal::gpio::{Edge, ExtiPin, Input, gpioa, gpioc};
use stm32f4xx_hal::pac::{self, EXTI, FLASH, USART1, USART2};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Rcc;
use stm32f4xx_hal::serial::config::Config;
use stm32f4xx_hal::syscfg::SysCfg;
use stm32f4xx_hal::watchdog::IndependentWatchdog;

use crate::panel::PanelBus;
pub use crate::usart::Usart;

/// The board, started.
pub type Board = sabot_board::Board<Nucleo>;
/// The line to the host: USART2, which the board's own ST-Link carries to its USB socket.
pub type HostLine = Usart<USART2>;
/// The line to the sensor: USART1 on PA9 (out) and PA10 (in).
pub type SensorLine = Usart<USART1>;

/// Baud of the host's line, 8N1.
const HOST_BAUD: u32 = 115_200;
/// How long the watchdog waits. Its oscillator runs at 17 to 47 kHz, so these are 2 to 5.6 s: more than the 1.6 s that
/// two pages of flash take at the most, while the processor stands still.
const WATCHDOG_MS: u32 = 3000;

/// What the board has of its own.
pub struct Nucleo {
    watchdog: IndependentWatchdog,
    flash: FLASH,
    /// What is left of the backup SRAM for the ring.
    lasting: Option<&'static mut [u8]>,
    /// The blue button, low while it is held.
    button: gpioc::PC13<Input>,
}

impl core::fmt::Debug for Nucleo {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Nucleo(..)")
    }
}

/// Bytes of the backup SRAM in which starts are counted; behind them is the ring.
const LASTING_COUNTS: usize = lasting::BYTES - LASTING_RING;

/// Sectors of 16 KiB each: the first has an image's vectors, these are the third and the fourth, and all else of an
/// image is in the fifth (`memory.x`).
const FLASH_BASE: usize = 0x0800_0000;
const SECTOR: usize = 0x4000;

// SAFETY: the part has 128 KiB of RAM, of which an image has the first 16 at the most; and `memory.x` gives an image no
// flash between 32 and 64 KiB, where the pages are.
unsafe impl Hardware for Nucleo {
    const UNUSED_RAM: Range<usize> = 0x2000_4000..0x2002_0000;
    const PAGES: [usize; 2] = [FLASH_BASE + 2 * SECTOR, FLASH_BASE + 3 * SECTOR];

    fn lasting(&mut self) -> Option<&'static mut [u8]> {
        self.lasting.take()
    }

    fn feed(&mut self) {
        self.watchdog.feed();
    }

    fn pairing(&mut self) -> bool {
        self.button.is_low()
    }

    fn erase(&mut self, page: usize) {
        // what fails is seen when the page is read, of which no cache holds anything
        let _erased = self.flash.unlocked().erase(((page - FLASH_BASE) / SECTOR) as u8);
    }

    fn program(&mut self, page: usize, content: &[u8; PAGE_BYTES]) {
        let _written = self.flash.unlocked().program(page - FLASH_BASE, content.iter());
    }
}

/// The line to the sensor, closed.
#[expect(missing_debug_implementations, reason = "the part's registers, which say nothing")]
pub struct Sensor {
    usart: USART1,
    transmits: gpioa::PA9,
    receives: gpioa::PA10,
}

impl Sensor {
    /// Sets the line up.
    ///
    /// # Panics
    /// When it cannot be so fast: a mistake of an image, which the next start tells.
    #[must_use]
    pub fn open(self, config: Config, clocks: &mut Rcc) -> SensorLine {
        match self.usart.serial((self.transmits, self.receives), config, clocks) {
            Ok(line) => Usart::new(line),
            Err(_) => panic!("the sensor's line cannot be so fast"),
        }
    }
}

/// What tells edges of pins.
#[expect(missing_debug_implementations, reason = "the part's registers, which say nothing")]
pub struct Edges {
    exti: EXTI,
    syscfg: SysCfg,
}

impl Edges {
    /// Asks for a pin's interrupt on each rising edge.
    pub fn listen(&mut self, pin: &mut impl ExtiPin) {
        pin.make_interrupt_source(&mut self.syscfg);
        pin.trigger_on_edge(&mut self.exti, Edge::Rising);
        pin.enable_interrupt(&mut self.exti);
    }
}

/// Clears the edge of the pin with this number, in its interrupt handler.
pub fn heard(number: u8) {
    // SAFETY: the register takes ones alone, and each clears its own bit: there is nothing to race for.
    unsafe { (*EXTI::ptr()).pr().write(|w| w.bits(1 << number)) };
}

/// What an image may put to use.
#[expect(missing_debug_implementations, reason = "the part's registers, which say nothing")]
#[expect(missing_docs, reason = "pins are named as on the board")]
pub struct Io {
    /// The line to the host.
    pub host: HostLine,
    /// The line to the sensor.
    pub sensor: Sensor,
    /// The bus to a panel.
    pub panel: PanelBus,
    /// What gives a clock to what an image opens.
    pub clocks: Rcc,
    /// Edges of pins.
    pub edges: Edges,
    /// The board's green light too, LD2.
    pub pa5: gpioa::PA5,
    pub pc0: gpioc::PC0,
    pub pc1: gpioc::PC1,
    pub pc2: gpioc::PC2,
    pub pc3: gpioc::PC3,
    pub pc4: gpioc::PC4,
    pub pc5: gpioc::PC5,
    pub pc6: gpioc::PC6,
    pub pc7: gpioc::PC7,
    pub pc8: gpioc::PC8,
    pub pc9: gpioc::PC9,
    pub pc10: gpioc::PC10,
}

#[exception]
fn SysTick() {
    clock::tick();
}

/// Starts clock and watchdog, opens the host's line, and counts the start.
///
/// # Panics
/// When it is called twice, or the line cannot be so fast: mistakes that the next start tells.
#[must_use]
pub fn start(role: Role) -> (Board, Io) {
    let (Some(core), Some(part)) = (cortex_m::Peripherals::take(), pac::Peripherals::take()) else {
        panic!("the board is started once")
    };
    let lasting = lasting::open(&part.RCC, &part.PWR, &core.MPU).map(|memory| {
        let (counts, ring) = memory.split_at_mut(LASTING_COUNTS);
        if let Some(counts) = counts.first_chunk_mut() {
            retained::lasts(counts);
        }
        ring
    });
    let start = retained::begin(system::cause(&part.RCC));
    let mut watchdog = IndependentWatchdog::new(part.IWDG);
    watchdog.stop_on_debug(&part.DBGMCU, true);
    watchdog.start(WATCHDOG_MS.millis());
    let (mut rcc, hertz) = system::start_clock(part.RCC, &part.FLASH);
    clock::start(core.SYST, hertz);

    let (a, c) = (part.GPIOA.split(&mut rcc), part.GPIOC.split(&mut rcc));
    let Ok(host) = part.USART2.serial((a.pa2, a.pa3), Config::default().baudrate(HOST_BAUD.bps()), &mut rcc) else {
        panic!("the host's line cannot be so fast")
    };
    let hardware = Nucleo { watchdog, flash: part.FLASH, lasting, button: c.pc13.into_floating_input() };
    let io = Io {
        host: Usart::new(host),
        edges: Edges { exti: part.EXTI, syscfg: part.SYSCFG.constrain(&mut rcc) },
        sensor: Sensor { usart: part.USART1, transmits: a.pa9, receives: a.pa10 },
        panel: PanelBus::new(part.SPI2, part.GPIOB),
        clocks: rcc,
        pa5: a.pa5,
        pc0: c.pc0,
        pc1: c.pc1,
        pc2: c.pc2,
        pc3: c.pc3,
        pc4: c.pc4,
        pc5: c.pc5,
        pc6: c.pc6,
        pc7: c.pc7,
        pc8: c.pc8,
        pc9: c.pc9,
        pc10: c.pc10,
    };
    (Board::new(role, start, hardware), io)
}
