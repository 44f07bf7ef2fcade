//! UARTs by interrupt and with a queue in each direction, as `embedded-io` knows them.
//!
//! A queue holds what comes between two rounds of the main loop: 256 bytes are 22 ms at 115200 baud.

use core::cell::RefCell;

use cortex_m::interrupt::{Mutex, free};
use embedded_io::{ErrorType, Read, ReadReady, Write, WriteReady};
use heapless::Deque;

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

/// What was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Received {
    /// A sound byte.
    pub byte: Option<u8>,
    /// A byte was spoilt, or some were lost before this one.
    pub failed: bool,
}

/// A UART that is set up and listens: what is a part's own.
pub trait Registers {
    /// Clears what has raised the interrupt, where reading and writing do not do that.
    fn acknowledge(&mut self) {}
    /// What was received next; none when nothing more was.
    fn receive(&mut self) -> Option<Received>;
    /// Whether it takes a byte now.
    fn has_room(&mut self) -> bool;
    /// Gives it a byte. To be called when it has room.
    fn send(&mut self, byte: u8);
    /// Whether it is to raise its interrupt while it has room, where it does not always.
    fn ask_for_room(&mut self, _ask: bool) {}
    /// Whether the last bit is out.
    fn is_idle(&mut self) -> bool;
}

#[derive(Debug)]
struct Line<R, const IN: usize, const OUT: usize> {
    registers: Option<R>,
    received: Deque<u8, IN>,
    sending: Deque<u8, OUT>,
    failed: bool,
}

impl<R: Registers, const IN: usize, const OUT: usize> Line<R, IN, OUT> {
    fn receive(&mut self) {
        let Some(registers) = &mut self.registers else { return };
        registers.acknowledge();
        while let Some(Received { byte, failed }) = registers.receive() {
            self.failed |= failed || byte.is_some_and(|byte| self.received.push_back(byte).is_err());
        }
    }

    fn send(&mut self) {
        let Some(registers) = &mut self.registers else { return };
        while registers.has_room() {
            let Some(byte) = self.sending.pop_front() else { break };
            registers.send(byte);
        }
        registers.ask_for_room(!self.sending.is_empty());
    }

    fn is_out(&mut self) -> bool {
        self.sending.is_empty() && self.registers.as_mut().is_none_or(R::is_idle)
    }
}

/// A UART's queues; a `static`, which its interrupt handler and its [`Uart`] share. [`uart!`](crate::uart!) makes both.
pub struct Buffered<R, const IN: usize, const OUT: usize>(Mutex<RefCell<Line<R, IN, OUT>>>);

impl<R, const IN: usize, const OUT: usize> core::fmt::Debug for Buffered<R, IN, OUT> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Buffered(..)")
    }
}

impl<R: Registers, const IN: usize, const OUT: usize> Buffered<R, IN, OUT> {
    /// Queues of `IN` and `OUT` bytes.
    #[expect(clippy::new_without_default, reason = "only statics are made of it")]
    #[must_use]
    pub const fn new() -> Self {
        let line = Line { registers: None, received: Deque::new(), sending: Deque::new(), failed: false };
        Self(Mutex::new(RefCell::new(line)))
    }

    /// Joins a UART with its queues. Its interrupt is still to be unmasked.
    pub fn open(&'static self, registers: R) -> Uart<R, IN, OUT> {
        self.with(|line| line.registers = Some(registers));
        Uart(self)
    }

    /// What the UART's interrupt handler does.
    pub fn on_interrupt(&self) {
        self.with(|line| {
            line.receive();
            line.send();
        });
    }

    fn with<T>(&self, work: impl FnOnce(&mut Line<R, IN, OUT>) -> T) -> T {
        free(|cs| work(&mut self.0.borrow(cs).borrow_mut()))
    }
}

/// An open UART. Reading and writing never wait: ask `read_ready` and `write_ready` first.
#[derive(Debug)]
pub struct Uart<R: 'static, const IN: usize, const OUT: usize>(&'static Buffered<R, IN, OUT>);

impl<R: Registers, const IN: usize, const OUT: usize> ErrorType for Uart<R, IN, OUT> {
    type Error = LineError;
}

impl<R: Registers, const IN: usize, const OUT: usize> ReadReady for Uart<R, IN, OUT> {
    fn read_ready(&mut self) -> Result<bool, LineError> {
        self.0.with(
            |line| {
                if core::mem::take(&mut line.failed) { Err(LineError) } else { Ok(!line.received.is_empty()) }
            },
        )
    }
}

impl<R: Registers, const IN: usize, const OUT: usize> Read for Uart<R, IN, OUT> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, LineError> {
        self.0.with(|line| {
            let mut count = 0;
            for (place, byte) in out.iter_mut().zip(core::iter::from_fn(|| line.received.pop_front())) {
                *place = byte;
                count += 1;
            }
            Ok(count)
        })
    }
}

impl<R: Registers, const IN: usize, const OUT: usize> WriteReady for Uart<R, IN, OUT> {
    fn write_ready(&mut self) -> Result<bool, LineError> {
        self.0.with(|line| Ok(!line.sending.is_full()))
    }
}

impl<R: Registers, const IN: usize, const OUT: usize> Write for Uart<R, IN, OUT> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, LineError> {
        self.0.with(|line| {
            let taken = bytes.iter().take_while(|byte| line.sending.push_back(**byte).is_ok()).count();
            line.send();
            Ok(taken)
        })
    }

    /// Waits until everything is out.
    fn flush(&mut self) -> Result<(), LineError> {
        while !self.0.with(Line::is_out) {}
        Ok(())
    }
}

/// A UART's queues and its interrupt handler: `uart!(LINE: UART0, Pl011, 256, 256)` makes the static `LINE`. Its caller
/// has the part's `interrupt` in scope.
#[macro_export]
macro_rules! uart {
    ($name:ident: $interrupt:ident, $registers:ty, $in:literal, $out:literal) => {
        static $name: $crate::uart::Buffered<$registers, $in, $out> = $crate::uart::Buffered::new();

        #[interrupt]
        fn $interrupt() {
            $name.on_interrupt();
        }
    };
}
