//! Pins, as `embedded-hal` knows them.

use core::convert::Infallible;

use embedded_hal::digital::{ErrorType, InputPin, OutputPin, StatefulOutputPin};

use crate::reg::Reg;
use crate::system;

/// A port of eight pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Port {
    /// PA0 to PA7; PA0 and PA1 are UART0, PA2 to PA5 the SSI.
    A,
    /// PB0 to PB7.
    B,
    /// PC0 to PC7; PC0 to PC3 are JTAG.
    C,
    /// PD0 to PD7; PD2 and PD3 are UART1.
    D,
    /// PE0 to PE3.
    E,
    /// PF0 to PF3.
    F,
    /// PG0 and PG1, which are UART2.
    G,
}

impl Port {
    const fn base(self) -> usize {
        match self {
            Self::A => 0x4000_4000,
            Self::B => 0x4000_5000,
            Self::C => 0x4000_6000,
            Self::D => 0x4000_7000,
            Self::E => 0x4002_4000,
            Self::F => 0x4002_5000,
            Self::G => 0x4002_6000,
        }
    }
}

const DIRECTION: usize = 0x400;
const BOTH_EDGES: usize = 0x408;
const RISING: usize = 0x40C;
const INTERRUPT_MASK: usize = 0x410;
const INTERRUPT_SENSE: usize = 0x404;
const INTERRUPT_CLEAR: usize = 0x41C;
const ALTERNATE: usize = 0x420;
const PULL_UP: usize = 0x510;
const PULL_DOWN: usize = 0x514;
const DIGITAL: usize = 0x51C;

/// A pin, not yet in use.
#[derive(Debug, Clone, Copy)]
pub struct Pin {
    port: Port,
    number: u8,
}

impl Pin {
    /// The pin `number`, 0 to 7, of a port.
    #[must_use]
    pub const fn new(port: Port, number: u8) -> Self {
        assert!(number < 8);
        Self { port, number }
    }

    const fn mask(self) -> u32 {
        1 << self.number
    }

    fn register(self, offset: usize) -> Reg {
        Reg::at(self.port.base() + offset)
    }

    /// The data register seen through this pin's mask alone: its neighbours keep what they have.
    fn data(self) -> Reg {
        self.register((self.mask() as usize) << 2)
    }

    /// An input, pulled down: a switch or contact connects it with 3.3 V and reads high while closed.
    #[must_use]
    pub fn input(self) -> Input {
        system::enable_gpio(self.port as u32);
        self.register(DIRECTION).clear(self.mask());
        self.register(ALTERNATE).clear(self.mask());
        self.register(PULL_UP).clear(self.mask());
        self.register(PULL_DOWN).set(self.mask());
        self.register(DIGITAL).set(self.mask());
        Input(self)
    }

    /// An output, low.
    #[must_use]
    pub fn output(self) -> Output {
        system::enable_gpio(self.port as u32);
        self.register(ALTERNATE).clear(self.mask());
        self.register(DIRECTION).set(self.mask());
        self.register(DIGITAL).set(self.mask());
        self.data().write(0);
        Output(self)
    }

    /// Hands the pin to the peripheral that it belongs to.
    pub(crate) fn peripheral(self) {
        system::enable_gpio(self.port as u32);
        self.register(ALTERNATE).set(self.mask());
        self.register(DIGITAL).set(self.mask());
    }
}

/// A pin that is read.
#[derive(Debug)]
pub struct Input(Pin);

impl Input {
    /// Asks for the port's interrupt on each rising edge.
    pub fn listen(&mut self) {
        let Self(pin) = *self;
        pin.register(INTERRUPT_MASK).clear(pin.mask());
        pin.register(INTERRUPT_SENSE).clear(pin.mask());
        pin.register(BOTH_EDGES).clear(pin.mask());
        pin.register(RISING).set(pin.mask());
        pin.register(INTERRUPT_CLEAR).write(pin.mask());
        pin.register(INTERRUPT_MASK).set(pin.mask());
    }
}

/// Clears a pin's edge in its port's interrupt handler.
pub fn heard(pin: Pin) {
    pin.register(INTERRUPT_CLEAR).write(pin.mask());
}

impl ErrorType for Input {
    type Error = Infallible;
}

impl InputPin for Input {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.data().read() != 0)
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.data().read() == 0)
    }
}

/// A pin that is driven.
#[derive(Debug)]
pub struct Output(Pin);

impl ErrorType for Output {
    type Error = Infallible;
}

impl OutputPin for Output {
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.data().write(self.0.mask());
        Ok(())
    }

    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.data().write(0);
        Ok(())
    }
}

impl StatefulOutputPin for Output {
    fn is_set_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.data().read() != 0)
    }

    fn is_set_low(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.data().read() == 0)
    }
}
