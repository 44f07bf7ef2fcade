//! The wires at a board's pins: QEMU's test protocol (qtest), by which pins are moved and memory is read while the
//! processor runs.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Instant;

use crate::{PATIENCE, must};

/// A pin of the board: `pin('B', 3)` is PB3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pin {
    port: u8,
    number: u8,
}

/// A pin by its name.
///
/// # Panics
/// When the part has no such pin.
#[must_use]
pub fn pin(port: char, number: u8) -> Pin {
    assert!(('A'..='G').contains(&port) && number < 8, "the part has no pin P{port}{number}");
    Pin { port: port as u8 - b'A', number }
}

impl Pin {
    /// Where the registers of its port are.
    fn base(self) -> u32 {
        const BASES: [u32; 7] =
            [0x4000_4000, 0x4000_5000, 0x4000_6000, 0x4000_7000, 0x4002_4000, 0x4002_5000, 0x4002_6000];
        BASES.get(usize::from(self.port)).copied().unwrap_or_default()
    }

    /// The register in which it alone is read and written.
    pub(crate) fn data(self) -> u32 {
        self.data_of(1 << self.number)
    }

    /// The register of those pins of its port.
    fn data_of(self, mask: u8) -> u32 {
        self.base() + (u32::from(mask) << 2)
    }
}

/// The far end of a board's stack, where RAM begins and the image keeps a guard.
pub const STACK_END: u32 = 0x2000_0000;

/// The wires of one board.
pub struct BoardPins {
    line: BufReader<UnixStream>,
    /// The pin controllers' names in QEMU, port A first.
    ports: Vec<String>,
}

impl BoardPins {
    /// Over QEMU's connection; `ports` are its names of the pin controllers, port A first.
    ///
    /// # Panics
    /// When the system refuses a limit of patience.
    #[must_use]
    pub fn over(stream: UnixStream, ports: Vec<String>) -> Self {
        must("a limit of patience", stream.set_read_timeout(Some(PATIENCE)));
        Self { line: BufReader::new(stream), ports }
    }

    /// Moves an input.
    ///
    /// # Panics
    /// When QEMU refuses.
    pub fn set(&mut self, Pin { port, number }: Pin, high: bool) {
        self.tell(&format!("set_irq_in {} unnamed-gpio-in {number} {}", self.name(port), u8::from(high)));
    }

    /// Whether a pin is high.
    ///
    /// # Panics
    /// When QEMU refuses.
    #[must_use]
    pub fn is_high(&mut self, pin: Pin) -> bool {
        self.read(pin.data()) != 0
    }

    /// The levels of those pins of a port, any of which names it, that `mask` chooses.
    ///
    /// # Panics
    /// When QEMU refuses.
    #[must_use]
    pub fn levels(&mut self, pin: Pin, mask: u8) -> u8 {
        self.read(pin.data_of(mask)) as u8
    }

    /// A pulse on an input whose edges the image counts, which takes it before the next one may come.
    ///
    /// # Panics
    /// When it does not take it, or QEMU refuses.
    pub fn pulse(&mut self, pin: Pin) {
        const WAITING: u32 = 0x418;
        self.set(pin, true);
        self.set(pin, false);
        let until = Instant::now() + PATIENCE;
        while self.read(pin.base() + WAITING) != 0 {
            assert!(Instant::now() < until, "the pulse is not counted");
        }
    }

    /// A word as the processor would read it.
    ///
    /// # Panics
    /// When QEMU refuses.
    #[must_use]
    pub fn read(&mut self, address: u32) -> u32 {
        let answer = self.tell(&format!("readl {address:#x}"));
        must("a word", u64::from_str_radix(answer.trim_start_matches("0x"), 16)) as u32
    }

    /// Writes a word, as a mistake or a flipped bit might.
    ///
    /// # Panics
    /// When QEMU refuses.
    pub fn write(&mut self, address: u32, word: u32) {
        self.tell(&format!("writel {address:#x} {word:#x}"));
    }

    /// Bytes that were ever in use of a stack of so many, which begins with RAM and is painted before its use.
    ///
    /// # Panics
    /// When QEMU refuses.
    #[must_use]
    pub fn stack(&mut self, bytes: u32) -> u32 {
        const PAINT: u32 = 0xCCCC_CCCC;
        let words = (0..bytes / 4).take_while(|word| self.read(STACK_END + 4 * word) == PAINT).count();
        bytes - 4 * words as u32
    }

    fn name(&self, port: u8) -> &str {
        self.ports.get(usize::from(port)).map_or("", String::as_str)
    }

    fn tell(&mut self, command: &str) -> String {
        must("QEMU listens", writeln!(self.line.get_mut(), "{command}"));
        let mut answer = String::new();
        must("QEMU answers", self.line.read_line(&mut answer));
        match answer.strip_prefix("OK") {
            Some(answer) => answer.trim().to_owned(),
            None => panic!("QEMU refuses {command}: {answer}"),
        }
    }
}
