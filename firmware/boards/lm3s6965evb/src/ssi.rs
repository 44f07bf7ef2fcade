//! The synchronous serial port (PL022), as `embedded-hal` knows an SPI device: PA2 clock, PA3 select, PA5 out.
//!
//! Two things hang on it: the OLED, which only listens and whose select (PA3) the port moves by itself; and a slot for
//! a memory card, which is not used here, and whose select is PD0: held high, it leaves the bus to the OLED.

use embedded_hal::spi::{Error, ErrorKind, ErrorType, Operation, SpiDevice};

use crate::gpio::{Pin, Port};
use crate::reg::Reg;
use crate::system::{self, CLOCK_HZ};

const CONTROL: Reg = Reg::at(0x4000_8000);
const ENABLE: Reg = Reg::at(0x4000_8004);
const DATA: Reg = Reg::at(0x4000_8008);
const STATUS: Reg = Reg::at(0x4000_800C);
const PRESCALE: Reg = Reg::at(0x4000_8010);

const NOT_FULL: u32 = 1 << 1;
const RECEIVED: u32 = 1 << 2;
const BUSY: u32 = 1 << 4;

/// The port, master of the one device on it.
#[derive(Debug)]
pub struct Ssi(());

impl Ssi {
    /// Opens the port in mode 3 (clock idle high, taken on its rising edge), at most so fast.
    #[must_use]
    pub fn open(most_hz: u32) -> Self {
        const EIGHT_BITS: u32 = 7;
        const MODE_3: u32 = 1 << 6 | 1 << 7;
        const ON: u32 = 1 << 1;
        system::enable_ssi();
        [2, 3, 5].into_iter().for_each(|number| Pin::new(Port::A, number).peripheral());
        ENABLE.write(0);
        CONTROL.write(EIGHT_BITS | MODE_3);
        // an even number from 2 to 254
        let prescale = CLOCK_HZ.div_ceil(most_hz.max(1)).next_multiple_of(2).clamp(2, 254);
        PRESCALE.write(prescale);
        ENABLE.write(ON);
        Self(())
    }

    fn drain(&mut self) {
        while STATUS.read() & RECEIVED != 0 {
            DATA.read();
        }
    }

    /// Puts bytes out as fast as the port takes them; what comes in meanwhile is dropped.
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            while STATUS.read() & NOT_FULL == 0 {
                self.drain();
            }
            DATA.write(byte.into());
            self.drain();
        }
        self.settle();
    }

    /// Until the last bit is out: the device's other pins may change then.
    fn settle(&mut self) {
        while STATUS.read() & BUSY != 0 {
            self.drain();
        }
        self.drain();
    }
}

/// Something was to be read from a device that has no line to speak on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnlyListens;

impl Error for OnlyListens {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

impl ErrorType for Ssi {
    type Error = OnlyListens;
}

impl SpiDevice for Ssi {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), OnlyListens> {
        for operation in operations {
            match operation {
                Operation::Write(bytes) => self.write(bytes),
                Operation::DelayNs(ns) => cortex_m::asm::delay(CLOCK_HZ / 1_000_000 * ns.div_ceil(1000)),
                Operation::Read(_) | Operation::Transfer(..) | Operation::TransferInPlace(_) => {
                    return Err(OnlyListens);
                }
            }
        }
        Ok(())
    }
}
