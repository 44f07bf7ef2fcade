//! The SSD0323, an OLED controller with 16 levels of grey, and the OSRAM Pictiva panel of 128 by 64 points that boards
//! such as the LM3S6965EVB have on it.
//!
//! On SPI (mode 0 or 3, at most 4 MHz) it only listens: what it shows cannot be read back, and two points share a byte,
//! so a picture is put together in memory first. A whole one takes 4 KiB; here it goes out in eight [`Band`]s of 512
//! bytes, 1.1 ms each at 4 MHz, so that nothing else has to wait for it.
//!
//! | line | |
//! |---|---|
//! | D/C | low: commands and their arguments; high: points |
//! | CS | the `SpiDevice`'s |
//! | RES# | the board's reset, or held high: nothing here depends on it |
//!
//! A byte holds two neighbours of a row, the left one in its upper half (the controller's nibble remap), rows from the
//! top.

use embedded_graphics::framebuffer::{Framebuffer, buffer_size};
use embedded_graphics::pixelcolor::Gray4;
use embedded_graphics::pixelcolor::raw::{BigEndian, RawU4};
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;

/// Points across.
pub const WIDTH: usize = 128;
/// Points down.
pub const HEIGHT: usize = 64;
/// Points down that one band has.
pub const BAND_HEIGHT: usize = 8;
/// Bands of a picture, from the top.
pub const BANDS: u8 = 8;

const _: () = assert!(BANDS as usize * BAND_HEIGHT == HEIGHT);

/// A strip of the picture, a `DrawTarget` of embedded-graphics: [`WIDTH`] by [`BAND_HEIGHT`] points, left and top at 0.
pub type Band = Framebuffer<Gray4, RawU4, BigEndian, WIDTH, BAND_HEIGHT, { buffer_size::<Gray4>(WIDTH, BAND_HEIGHT) }>;

const SET_COLUMNS: u8 = 0x15;
const SET_ROWS: u8 = 0x75;
const DISPLAY_ON: u8 = 0xAF;
/// Ends what is sent, as the panel's known drivers do: the controller takes a last byte with the clock of the next one.
const NOP: u8 = 0xE3;

/// Bytes of a row less one: the last column's address.
#[expect(clippy::cast_possible_truncation, reason = "63")]
const LAST_COLUMN: u8 = (WIDTH / 2 - 1) as u8;

/// How the controller is to drive this panel: the values that the panel's public drivers have in common.
const SETTINGS: [u8; 36] = [
    0xB3, 0x91, // oscillator and its divider: 135 pictures a second
    0xA8, 0x3F, // 64 rows
    0xA2, 0x40, // the panel's first row hangs on the controller's 64th output
    0xA1, 0x00, // shown from the first row of the memory
    0xAD, 0x02, // the board makes the panel's voltage, not the controller
    0xA0, 0x52, // rows from the top, in both halves of the outputs; left point in the upper half of a byte
    0x86, // full current
    0xB8, 0x01, 0x11, 0x22, 0x32, 0x43, 0x54, 0x65,
    0x76, // pulse widths of the greys, for evenly spaced ones to the eye
    0x81, 0x70, // contrast, of 0x7F
    0xB2, 0x51, // clocks of a row
    0xB1, 0x55, // clocks of its phases
    0xBC, 0x10, // precharge voltage
    0xBE, 0x1C, // voltage of rows not driven
    0xBF, 0x0F, // voltage of columns not driven
    0xA4, // shows the memory as it is
    NOP,
];

/// What kept the panel from being reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault<S, P> {
    /// The SPI bus or its chip select.
    #[error("SPI: {0:?}")]
    Spi(S),
    /// The pin D/C.
    #[error("D/C: {0:?}")]
    Pin(P),
}

/// What a call gives that reaches the panel.
pub type Reached<SPI, DC> =
    Result<(), Fault<<SPI as embedded_hal::spi::ErrorType>::Error, <DC as embedded_hal::digital::ErrorType>::Error>>;

/// The controller on its bus. It knows no state: everything may be sent again at any time, and heals what a disturbance
/// spoilt.
#[derive(Debug)]
pub struct Ssd0323<SPI, DC> {
    spi: SPI,
    dc: DC,
}

impl<SPI: SpiDevice, DC: OutputPin> Ssd0323<SPI, DC> {
    /// A controller that has been sent nothing yet.
    pub const fn new(spi: SPI, dc: DC) -> Self {
        Self { spi, dc }
    }

    /// The bus and the pin.
    pub fn release(self) -> (SPI, DC) {
        (self.spi, self.dc)
    }

    /// Settings of the panel, 36 bytes. Neither lights nor darkens it: after power-on it is dark, with noise in its
    /// memory.
    ///
    /// # Errors
    /// When bus or pin fail; how much arrived is unknown then.
    pub fn configure(&mut self) -> Reached<SPI, DC> {
        self.command(&SETTINGS)
    }

    /// Lights the panel: its memory is shown.
    ///
    /// # Errors
    /// As [`Ssd0323::configure`].
    pub fn light(&mut self) -> Reached<SPI, DC> {
        self.command(&[DISPLAY_ON, NOP])
    }

    /// Puts a band of the picture into the panel's memory, 520 bytes. `number` counts from the top; a band that the
    /// picture does not have is not sent.
    ///
    /// # Errors
    /// As [`Ssd0323::configure`].
    pub fn draw(&mut self, number: u8, band: &Band) -> Reached<SPI, DC> {
        if number >= BANDS {
            return Ok(());
        }
        #[expect(clippy::cast_possible_truncation, reason = "8")]
        let (top, height) = (number * BAND_HEIGHT as u8, BAND_HEIGHT as u8);
        self.command(&[SET_COLUMNS, 0, LAST_COLUMN, SET_ROWS, top, top + height - 1, NOP])?;
        self.dc.set_high().map_err(Fault::Pin)?;
        self.spi.write(band.data()).map_err(Fault::Spi)?;
        self.command(&[NOP])
    }

    fn command(&mut self, bytes: &[u8]) -> Reached<SPI, DC> {
        self.dc.set_low().map_err(Fault::Pin)?;
        self.spi.write(bytes).map_err(Fault::Spi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern crate std;
    use std::io::ErrorKind;
    use std::vec;
    use std::vec::Vec;

    use embedded_graphics::Pixel;
    use embedded_graphics::prelude::*;
    use embedded_hal_mock::eh1::MockError;
    use embedded_hal_mock::eh1::digital::{Mock as Pin, State, Transaction as Level};
    use embedded_hal_mock::eh1::spi::{Mock as Bus, Transaction as Byte};

    fn sent(bytes: &[u8]) -> [Byte<u8>; 3] {
        [Byte::transaction_start(), Byte::write_vec(bytes.to_vec()), Byte::transaction_end()]
    }

    fn done(chip: Ssd0323<Bus<u8>, Pin>) {
        let (mut bus, mut pin) = chip.release();
        bus.done();
        pin.done();
    }

    #[test]
    fn settings_and_light_are_commands_to_the_byte() {
        let settings = [
            0xB3, 0x91, 0xA8, 0x3F, 0xA2, 0x40, 0xA1, 0x00, 0xAD, 0x02, 0xA0, 0x52, 0x86, 0xB8, 0x01, 0x11, 0x22, 0x32,
            0x43, 0x54, 0x65, 0x76, 0x81, 0x70, 0xB2, 0x51, 0xB1, 0x55, 0xBC, 0x10, 0xBE, 0x1C, 0xBF, 0x0F, 0xA4, 0xE3,
        ];
        let bytes: Vec<_> = [sent(&settings), sent(&[0xAF, 0xE3])].concat();
        let levels = vec![Level::set(State::Low), Level::set(State::Low)];
        let mut chip = Ssd0323::new(Bus::new(&bytes), Pin::new(&levels));
        chip.configure().expect("the bus works");
        chip.light().expect("the bus works");
        done(chip);
    }

    #[test]
    fn a_band_is_a_window_and_its_points_left_ones_in_the_upper_half() {
        let mut band = Band::new();
        let corners =
            [(0, 0, 1), (1, 0, 2), (127, 0, 3), (0, 7, 4), (126, 7, 5), (128, 0, 15), (0, 8, 15), (-1, 0, 15)];
        let points = corners.map(|(x, y, grey)| Pixel(Point::new(x, y), Gray4::new(grey)));
        let Ok(()) = band.draw_iter(points);
        let mut points = vec![0; 512];
        (points[0], points[63], points[7 * 64], points[511]) = (0x12, 0x03, 0x40, 0x50);
        let window = [0x15, 0, 63, 0x75, 24, 31, 0xE3];
        let bytes: Vec<_> = [sent(&window), sent(&points), sent(&[0xE3])].concat();
        let levels = [State::Low, State::High, State::Low].map(Level::set);
        let mut chip = Ssd0323::new(Bus::new(&bytes), Pin::new(&levels));
        chip.draw(3, &band).expect("the bus works");
        chip.draw(BANDS, &band).expect("nothing is sent");
        done(chip);
    }

    #[test]
    fn faults_of_bus_and_pin_are_told_apart_and_end_the_call() {
        let broken = MockError::Io(ErrorKind::NotConnected);
        let level = Level::set(State::Low).with_error(broken.clone());
        let mut chip = Ssd0323::new(Bus::new(&[]), Pin::new(&[level]));
        assert_eq!(chip.draw(0, &Band::new()), Err(Fault::Pin(broken)));
        done(chip);
    }
}
