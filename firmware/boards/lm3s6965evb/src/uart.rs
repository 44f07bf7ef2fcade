//! The UARTs (PL011), by interrupt and with a queue in each direction, as `embedded-io` knows them.
//!
//! A queue holds what comes between two rounds of the main loop: 256 bytes are 22 ms at 115200 baud.

use core::cell::RefCell;

use cortex_m::interrupt::{Mutex, free};
use embedded_io::{ErrorType, Read, ReadReady, Write, WriteReady};
use heapless::Deque;

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

/// The line has spoilt or lost bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineError;

impl core::fmt::Display for LineError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("bytes were spoilt or lost on the line")
    }
}

impl core::error::Error for LineError {}

impl embedded_io::Error for LineError {
    fn kind(&self) -> embedded_io::ErrorKind {
        embedded_io::ErrorKind::InvalidData
    }
}

#[derive(Debug)]
struct Queues<const IN: usize, const OUT: usize> {
    received: Deque<u8, IN>,
    sending: Deque<u8, OUT>,
    failed: bool,
}

/// A UART's queues; a `static`, which its interrupt handler and its [`Uart`] share. [`uart!`](crate::uart!) makes both.
pub struct Buffered<const IN: usize, const OUT: usize> {
    number: Number,
    queues: Mutex<RefCell<Queues<IN, OUT>>>,
}

impl<const IN: usize, const OUT: usize> core::fmt::Debug for Buffered<IN, OUT> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Buffered(..)")
    }
}

impl<const IN: usize, const OUT: usize> Buffered<IN, OUT> {
    /// Queues of `IN` and `OUT` bytes.
    #[must_use]
    pub const fn new(number: Number) -> Self {
        let queues = Queues { received: Deque::new(), sending: Deque::new(), failed: false };
        Self { number, queues: Mutex::new(RefCell::new(queues)) }
    }

    fn register(&self, offset: usize) -> Reg {
        Reg::at(self.number.base() + offset)
    }

    /// Sets the line up and listens. Its interrupt is still to be unmasked.
    pub fn open(&'static self, baud: u32, parity: Parity) -> Uart<IN, OUT> {
        const EIGHT_BITS: u32 = 3 << 5;
        const FIFO: u32 = 1 << 4;
        const EVEN_PARITY: u32 = 1 << 1 | 1 << 2;
        const ON: u32 = 1 | 1 << 8 | 1 << 9;
        system::enable_uart(self.number as u32);
        self.number.pins().into_iter().for_each(Pin::peripheral);
        self.register(CONTROL).write(0);
        // 64ths of the divisor of sixteen times the baud rate, rounded
        let divisor = (CLOCK_HZ * 8 / baud + 1) / 2;
        self.register(BAUD_WHOLE).write(divisor >> 6);
        self.register(BAUD_FRACTION).write(divisor & 0x3F);
        self.register(LINE).write(EIGHT_BITS | FIFO | if parity == Parity::Even { EVEN_PARITY } else { 0 });
        // an eighth of the 16 bytes received, an eighth left to send
        self.register(INTERRUPT_LEVEL).write(0);
        self.register(INTERRUPT_CLEAR).write(0x7FF);
        self.register(INTERRUPT_MASK).write(ON_RECEIVE | ON_PAUSE | ON_TRANSMIT);
        self.register(CONTROL).write(ON);
        Uart(self)
    }

    /// What the UART's interrupt handler does.
    pub fn on_interrupt(&self) {
        self.register(INTERRUPT_CLEAR).write(ON_RECEIVE | ON_PAUSE | ON_TRANSMIT);
        free(|cs| {
            let mut queues = self.queues.borrow(cs).borrow_mut();
            while self.register(FLAGS).read() & RECEIVE_EMPTY == 0 {
                let data = self.register(DATA).read();
                // a spoilt byte is dropped, and of an overrun the byte at hand is sound
                let kept = data & SPOILT == 0 && queues.received.push_back(data as u8).is_ok();
                queues.failed |= !kept || data & OVERRUN != 0;
            }
            self.send(&mut queues);
        });
    }

    fn send(&self, queues: &mut Queues<IN, OUT>) {
        while self.register(FLAGS).read() & TRANSMIT_FULL == 0 {
            let Some(byte) = queues.sending.pop_front() else { return };
            self.register(DATA).write(byte.into());
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Queues<IN, OUT>) -> T) -> T {
        free(|cs| work(&mut self.queues.borrow(cs).borrow_mut()))
    }
}

/// An open UART. Reading and writing never wait: ask `read_ready` and `write_ready` first.
#[derive(Debug)]
pub struct Uart<const IN: usize, const OUT: usize>(&'static Buffered<IN, OUT>);

impl<const IN: usize, const OUT: usize> ErrorType for Uart<IN, OUT> {
    type Error = LineError;
}

impl<const IN: usize, const OUT: usize> ReadReady for Uart<IN, OUT> {
    fn read_ready(&mut self) -> Result<bool, LineError> {
        self.0.with(
            |queues| {
                if core::mem::take(&mut queues.failed) { Err(LineError) } else { Ok(!queues.received.is_empty()) }
            },
        )
    }
}

impl<const IN: usize, const OUT: usize> Read for Uart<IN, OUT> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, LineError> {
        self.0.with(|queues| {
            let mut count = 0;
            for (place, byte) in out.iter_mut().zip(core::iter::from_fn(|| queues.received.pop_front())) {
                *place = byte;
                count += 1;
            }
            Ok(count)
        })
    }
}

impl<const IN: usize, const OUT: usize> WriteReady for Uart<IN, OUT> {
    fn write_ready(&mut self) -> Result<bool, LineError> {
        self.0.with(|queues| Ok(!queues.sending.is_full()))
    }
}

impl<const IN: usize, const OUT: usize> Write for Uart<IN, OUT> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, LineError> {
        self.0.with(|queues| {
            let taken = bytes.iter().take_while(|byte| queues.sending.push_back(**byte).is_ok()).count();
            self.0.send(queues);
            Ok(taken)
        })
    }

    /// Waits until everything is out.
    fn flush(&mut self) -> Result<(), LineError> {
        const BUSY: u32 = 1 << 3;
        while self.0.with(|queues| !queues.sending.is_empty()) || self.0.register(FLAGS).read() & BUSY != 0 {}
        Ok(())
    }
}

/// A UART's queues and its interrupt handler: `uart!(LINE: UART0, Uart0, 256, 256)` makes the static `LINE`. Its caller has
/// `lm3s6965::interrupt` in scope.
#[macro_export]
macro_rules! uart {
    ($name:ident: $interrupt:ident, $number:ident, $in:literal, $out:literal) => {
        static $name: $crate::uart::Buffered<$in, $out> = $crate::uart::Buffered::new($crate::uart::Number::$number);

        #[interrupt]
        fn $interrupt() {
            $name.on_interrupt();
        }
    };
}
