//! What a device remembers of its earlier starts: how often it has started and how the last start ended.
//!
//! A board puts these bytes in RAM that its start-up code leaves alone, calls [`begin`] once, and has its panic and
//! watchdog handlers call [`record_failure`] before they reset it.
//!
//! ```text
//! magic | starts | line           u32 each, little-endian
//! kind of failure, length of file, 24 bytes of file
//! CRC-32C of all before
//! ```

use heapless::String;
use sabot_wire::frame::crc32c;
use sabot_wire::message::{FILE_BYTES, Started};

const MAGIC: u32 = u32::from_le_bytes(*b"SBK1");
const HEAD: usize = 14;
const BODY: usize = HEAD + FILE_BYTES;
/// Bytes of memory this takes.
pub const RETAINED_BYTES: usize = BODY + 4;

const NO_FAILURE: u8 = 0;
const WATCHDOG: u8 = 1;
const PANIC: u8 = 2;

/// Why the part was reset, as its own register says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetCause {
    /// Power came, or fell too low.
    PowerOn,
    /// The reset line.
    Button,
    /// The watchdog.
    Watchdog,
    /// The program asked for it.
    Software,
}

/// Why a program resets itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure<'a> {
    /// The watchdog was not fed.
    Watchdog,
    /// A mistake of its own.
    Panic {
        /// Source file.
        file: &'a str,
        /// Line in it.
        line: u32,
    },
}

/// A start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// Starts so far, this one included, as long as the memory retained its power.
    pub boots: u32,
    /// Why.
    pub started: Started,
}

#[derive(Default)]
struct Retained {
    boots: u32,
    line: u32,
    kind: u8,
    file: String<FILE_BYTES>,
}

impl Retained {
    fn read(memory: &[u8; RETAINED_BYTES]) -> Option<Self> {
        let (body, crc) = memory.split_last_chunk::<4>()?;
        if crc32c(body) != u32::from_le_bytes(*crc) {
            return None;
        }
        let (words, rest) = body.split_first_chunk::<12>()?;
        let word = |at: usize| Some(u32::from_le_bytes(words.get(at..at + 4)?.try_into().ok()?));
        let (&kind, rest) = rest.split_first()?;
        let (&length, file) = rest.split_first()?;
        let file = core::str::from_utf8(file.get(..usize::from(length))?).ok()?;
        (word(0)? == MAGIC).then_some(Self { boots: word(4)?, line: word(8)?, kind, file: file.try_into().ok()? })
    }

    fn write(&self, memory: &mut [u8; RETAINED_BYTES]) {
        let mut body = [0; BODY];
        let name = self.file.as_bytes();
        let head = [MAGIC, self.boots, self.line].into_iter().flat_map(u32::to_le_bytes);
        let bytes = head.chain([self.kind, name.len() as u8]).chain(name.iter().copied());
        body.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
        if let Some((place, crc)) = memory.split_last_chunk_mut::<4>() {
            place.copy_from_slice(&body);
            *crc = crc32c(&body).to_le_bytes();
        }
    }

    fn set_failure(&mut self, failure: Failure<'_>) {
        match failure {
            Failure::Watchdog => self.kind = WATCHDOG,
            Failure::Panic { file, line } => {
                self.kind = PANIC;
                self.line = line;
                // the end of a path says more than its beginning
                let from = (file.len().saturating_sub(FILE_BYTES)..=file.len()).find_map(|from| file.get(from..));
                self.file = from.unwrap_or_default().try_into().unwrap_or_default();
            }
        }
    }
}

/// Counts this start and says why it came about. `cause` is what the part itself knows, where it knows anything. A
/// failure that the program has recorded says more.
pub fn begin(memory: &mut [u8; RETAINED_BYTES], cause: Option<ResetCause>) -> Start {
    let retained = Retained::read(memory);
    let started = match (&retained, cause) {
        (None, None | Some(ResetCause::PowerOn))
        | (Some(Retained { kind: NO_FAILURE, .. }), Some(ResetCause::PowerOn)) => Started::Power,
        (Some(Retained { kind: PANIC, file, line, .. }), _) => Started::Panic { file: file.clone(), line: *line },
        (Some(Retained { kind: WATCHDOG, .. }), _) | (_, Some(ResetCause::Watchdog)) => Started::Watchdog,
        (_, Some(ResetCause::Button)) => Started::Reset,
        _ => Started::Unknown,
    };
    let boots = retained.map_or(0, |retained| retained.boots).saturating_add(1);
    Retained { boots, ..Retained::default() }.write(memory);
    Start { boots, started }
}

/// Records the failure for which the program is about to reset itself.
pub fn record_failure(memory: &mut [u8; RETAINED_BYTES], failure: Failure<'_>) {
    let mut retained = Retained::read(memory).unwrap_or_default();
    retained.set_failure(failure);
    retained.write(memory);
}

/// Forgets the recorded failure: the reset did not come.
pub fn clear_failure(memory: &mut [u8; RETAINED_BYTES]) {
    if let Some(retained) = Retained::read(memory) {
        Retained { boots: retained.boots, ..Retained::default() }.write(memory);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panic(file: &str, line: u32) -> Started {
        Started::Panic { file: file.try_into().expect("short"), line }
    }

    #[test]
    fn starts_are_counted_and_the_last_failure_is_told_once() {
        let mut memory = [0xA5; RETAINED_BYTES];
        assert_eq!(begin(&mut memory, None), Start { boots: 1, started: Started::Power });
        record_failure(&mut memory, Failure::Panic { file: "firmware/src/bin/keypad.rs", line: 70_000 });
        let told = begin(&mut memory, Some(ResetCause::Software));
        assert_eq!(told, Start { boots: 2, started: panic("rmware/src/bin/keypad.rs", 70_000) });
        assert_eq!(begin(&mut memory, Some(ResetCause::Button)), Start { boots: 3, started: Started::Reset });
        record_failure(&mut memory, Failure::Watchdog);
        assert_eq!(begin(&mut memory, None), Start { boots: 4, started: Started::Watchdog });
        assert_eq!(begin(&mut memory, None), Start { boots: 5, started: Started::Unknown });
    }

    #[test]
    fn a_failure_that_was_forgotten_is_not_told() {
        let mut memory = [0; RETAINED_BYTES];
        begin(&mut memory, None);
        record_failure(&mut memory, Failure::Watchdog);
        clear_failure(&mut memory);
        assert_eq!(begin(&mut memory, Some(ResetCause::Button)), Start { boots: 2, started: Started::Reset });
    }

    #[test]
    fn what_the_part_knows_counts_where_the_program_said_nothing() {
        for (cause, started) in [
            (ResetCause::PowerOn, Started::Power),
            (ResetCause::Button, Started::Reset),
            (ResetCause::Watchdog, Started::Watchdog),
            (ResetCause::Software, Started::Unknown),
        ] {
            let mut memory = [0; RETAINED_BYTES];
            begin(&mut memory, None);
            assert_eq!(begin(&mut memory, Some(cause)).started, started);
        }
    }

    #[test]
    fn any_damaged_byte_is_a_new_memory_and_never_a_wrong_failure() {
        let mut sound = [0; RETAINED_BYTES];
        begin(&mut sound, None);
        record_failure(&mut sound, Failure::Panic { file: "shoe.rs", line: 3 });
        for at in 0..RETAINED_BYTES {
            let mut memory = sound;
            memory[at] ^= 0x10;
            assert_eq!(begin(&mut memory, None), Start { boots: 1, started: Started::Power }, "byte {at}");
        }
    }

    #[test]
    fn a_file_name_is_cut_between_letters() {
        let mut memory = [0; RETAINED_BYTES];
        begin(&mut memory, None);
        record_failure(&mut memory, Failure::Panic { file: "ññññññññññññ.rs", line: 1 });
        assert_eq!(begin(&mut memory, None).started, panic("ññññññññññ.rs", 1));
    }
}
