//! The UARTs (PL011).

use sabot_board::uart::{Received, Registers};

use crate::gpio::{Pin, Port};
use crate::reg::Reg;
use crate::system::{self, CLOCK_HZ};

const DATA: usize = 0x00;
const FLAGS: usize = 0x18;
const BAUD_WHOLE: usize = 0x24;
const BAUD_FRACTION: usize = 0x28;
const LINE: usize = 0x2C;
const CONTROL: usize = 0x30;
const INTERRUPT_LEVEL: usize = 0x34;
const INTERRUPT_MASK: usize = 0x38;
const INTERRUPT_CLEAR: usize = 0x44;

const RECEIVE_EMPTY: u32 = 1 << 4;
const BUSY: u32 = 1 << 3;
const TRANSMIT_FULL: u32 = 1 << 5;
/// Overrun, break, parity and framing error, beside a byte in the data register.
const OVERRUN: u32 = 1 << 11;
const SPOILT: u32 = 0x7 << 8;
const ON_RECEIVE: u32 = 1 << 4;
const ON_TRANSMIT: u32 = 1 << 5;
const ON_PAUSE: u32 = 1 << 6;

/// Which UART.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// PA0 (in) and PA1 (out).
    Uart0,
    /// PD2 and PD3.
    Uart1,
    /// PG0 and PG1.
    Uart2,
}

impl Number {
    const fn base(self) -> usize {
        match self {
            Self::Uart0 => 0x4000_C000,
            Self::Uart1 => 0x4000_D000,
            Self::Uart2 => 0x4000_E000,
        }
    }

    const fn pins(self) -> [Pin; 2] {
        match self {
            Self::Uart0 => [Pin::new(Port::A, 0), Pin::new(Port::A, 1)],
            Self::Uart1 => [Pin::new(Port::D, 2), Pin::new(Port::D, 3)],
            Self::Uart2 => [Pin::new(Port::G, 0), Pin::new(Port::G, 1)],
        }
    }
}

/// The ninth bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parity {
    /// None: 8N1.
    None,
    /// Even: 8E1.
    Even,
}

/// A UART, listening.
#[derive(Debug)]
pub struct Pl011(Number);

impl Pl011 {
    /// Sets a line up.
    #[must_use]
    pub fn open(number: Number, baud: u32, parity: Parity) -> Self {
        const EIGHT_BITS: u32 = 3 << 5;
        const FIFO: u32 = 1 << 4;
        const EVEN_PARITY: u32 = 1 << 1 | 1 << 2;
        const ON: u32 = 1 | 1 << 8 | 1 << 9;
        system::enable_uart(number as u32);
        number.pins().into_iter().for_each(Pin::peripheral);
        let uart = Self(number);
        uart.register(CONTROL).write(0);
        // 64ths of the divisor of sixteen times the baud rate, rounded
        let divisor = (CLOCK_HZ * 8 / baud).div_ceil(2);
        uart.register(BAUD_WHOLE).write(divisor >> 6);
        uart.register(BAUD_FRACTION).write(divisor & 0x3F);
        uart.register(LINE).write(EIGHT_BITS | FIFO | if parity == Parity::Even { EVEN_PARITY } else { 0 });
        // an eighth of the 16 bytes received, an eighth left to send
        uart.register(INTERRUPT_LEVEL).write(0);
        uart.register(INTERRUPT_CLEAR).write(0x7FF);
        uart.register(INTERRUPT_MASK).write(ON_RECEIVE | ON_PAUSE | ON_TRANSMIT);
        uart.register(CONTROL).write(ON);
        uart
    }

    fn register(&self, offset: usize) -> Reg {
        Reg::at(self.0.base() + offset)
    }

    fn has(&self, flag: u32) -> bool {
        self.register(FLAGS).read() & flag != 0
    }
}

impl Registers for Pl011 {
    fn acknowledge(&mut self) {
        self.register(INTERRUPT_CLEAR).write(ON_RECEIVE | ON_PAUSE | ON_TRANSMIT);
    }

    fn receive(&mut self) -> Option<Received> {
        if self.has(RECEIVE_EMPTY) {
            return None;
        }
        let data = self.register(DATA).read();
        // a spoilt byte is dropped, and of an overrun the byte at hand is sound
        let byte = (data & SPOILT == 0).then_some(data as u8);
        Some(Received { byte, failed: byte.is_none() || data & OVERRUN != 0 })
    }

    fn has_room(&mut self) -> bool {
        !self.has(TRANSMIT_FULL)
    }

    fn send(&mut self, byte: u8) {
        self.register(DATA).write(byte.into());
    }

    fn is_idle(&mut self) -> bool {
        !self.has(BUSY)
    }
}
