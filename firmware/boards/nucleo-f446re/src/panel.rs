//! The bus to a display's panel: SPI2 on PB13 (clock) and PB15 (out), PB12 its select, PB14 its D/C.

use embedded_hal_bus::spi::{ExclusiveDevice, NoDelay};
use stm32f4xx_hal::gpio::{ErasedPin, Output};
use stm32f4xx_hal::pac::{GPIOB, SPI2};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Rcc;
use stm32f4xx_hal::spi::{Mode, Phase, Polarity, Spi};

/// A panel on the bus, alone.
pub type Panel = ExclusiveDevice<Spi<SPI2>, ErasedPin<Output>, NoDelay>;

/// Clock idle high, taken on its rising edge.
const MODE_3: Mode = Mode { polarity: Polarity::IdleHigh, phase: Phase::CaptureOnSecondTransition };
/// Half of what the SSD0323 takes at the most: of 16 MHz the next faster one would be 4, and the board's own oscillator
/// may run faster than it says.
const MOST_MHZ: u32 = 2;

/// The bus, closed.
#[expect(missing_debug_implementations, reason = "the part's registers, which say nothing")]
pub struct PanelBus {
    spi: SPI2,
    pins: GPIOB,
}

impl PanelBus {
    pub(crate) const fn new(spi: SPI2, pins: GPIOB) -> Self {
        Self { spi, pins }
    }

    /// Opens the bus: the panel on it, and its D/C.
    #[must_use]
    pub fn open(self, clocks: &mut Rcc) -> (Panel, ErasedPin<Output>) {
        let pins = self.pins.split(clocks);
        let lines = (Some(pins.pb13), SPI2::NoMiso, Some(pins.pb15));
        // each byte is read back, noise of an open line, before the next goes out: so D/C moves only after the last bit
        let bus = self.spi.spi(lines, MODE_3, MOST_MHZ.MHz(), clocks);
        let Ok(panel) = ExclusiveDevice::new_no_delay(bus, pins.pb12.into_push_pull_output().erase());
        (panel, pins.pb14.into_push_pull_output().erase())
    }
}
