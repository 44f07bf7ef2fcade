//! The wires at a board's pins: QEMU's test protocol (qtest), by which pins are moved and memory is read while the processor
//! runs. What it tells of outputs and what it answers come in the order in which they happened.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, channel};
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
}

/// The far end of a board's stack, where RAM begins and the image keeps a guard.
pub const STACK_END: u32 = 0x2000_0000;

/// A line of QEMU's.
enum Said {
    /// It has done what it was told.
    Answer(String),
    /// It does not do that.
    Refusal(String),
    /// An output has gone high.
    Raised(u8),
}

/// The wires of one board.
pub struct Wires {
    out: UnixStream,
    said: Receiver<Said>,
    raised: VecDeque<u8>,
    /// The pin controllers' names in QEMU, port A first.
    ports: Vec<String>,
}

impl Wires {
    /// Over QEMU's connection; `ports` are its names of the pin controllers, port A first.
    ///
    /// # Panics
    /// When the system has no second handle of it.
    #[must_use]
    pub fn over(stream: UnixStream, ports: Vec<String>) -> Self {
        let lines = BufReader::new(must("a second handle", stream.try_clone()));
        let (told, said) = channel();
        // QEMU tells of outputs whether anybody asks or not, and stands still once nobody listens
        std::thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                let said = match (line.strip_prefix("OK"), line.strip_prefix("IRQ raise ")) {
                    (Some(answer), _) => Said::Answer(answer.trim().to_owned()),
                    (_, Some(number)) => Said::Raised(number.parse().unwrap_or(u8::MAX)),
                    _ if line.starts_with("IRQ") => continue,
                    _ => Said::Refusal(line),
                };
                if told.send(said).is_err() {
                    break;
                }
            }
        });
        Self { out: stream, said, raised: VecDeque::new(), ports }
    }

    /// Has the outputs of that pin's port told of from now on, instead of what hangs on them in QEMU; of one port of a board.
    ///
    /// # Panics
    /// When QEMU refuses.
    pub fn watch(&mut self, Pin { port, .. }: Pin) {
        self.tell(&format!("irq_intercept_out {}", self.name(port)));
    }

    /// The next output of the watched port that has gone high, waited for.
    ///
    /// # Panics
    /// When there is none in time.
    pub fn next_raised(&mut self) -> u8 {
        loop {
            if let Some(number) = self.raised.pop_front() {
                return number;
            }
            self.hear();
        }
    }

    /// How many outputs of the watched port have gone high and were not yet given by [`Wires::next_raised`], as far as
    /// QEMU has told: right after a command, all that did before it was obeyed.
    #[must_use]
    pub fn raised(&self) -> usize {
        self.raised.len()
    }

    /// Takes what QEMU has told meanwhile.
    ///
    /// # Panics
    /// When it has refused something.
    pub fn catch_up(&mut self) {
        while let Ok(said) = self.said.try_recv() {
            self.take(said);
        }
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
        self.levels(pin, 1 << pin.number) != 0
    }

    /// The levels of those pins of a port, any of which names it, that `mask` chooses.
    ///
    /// # Panics
    /// When QEMU refuses.
    #[must_use]
    pub fn levels(&mut self, pin: Pin, mask: u8) -> u8 {
        self.read(pin.base() + (u32::from(mask) << 2)) as u8
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
        must("QEMU listens", writeln!(self.out, "{command}"));
        loop {
            if let Some(answer) = self.hear() {
                return answer;
            }
        }
    }

    /// Takes what QEMU says next; an answer is given.
    fn hear(&mut self) -> Option<String> {
        let said = must("QEMU tells of its pins", self.said.recv_timeout(PATIENCE));
        self.take(said)
    }

    fn take(&mut self, said: Said) -> Option<String> {
        match said {
            Said::Answer(answer) => Some(answer),
            Said::Raised(number) => {
                self.raised.push_back(number);
                None
            }
            Said::Refusal(line) => panic!("QEMU refuses: {line}"),
        }
    }
}
