//! An ISO 15693 reader module on a UART, and the multiplexer that gives it one antenna after the other.
//!
//! The module speaks FEIG's ISO host protocol (38400 baud, 8 data bits, even parity), as the host's own driver for such
//! readers does: advanced frames out, either form in. Of it this needs three requests.
//!
//! | request | bytes | answer |
//! |---|---|---|
//! | inventory | `B0 01 00` | status, count, { kind, DSFID, identifier of 8 bytes } |
//! | inventory, the rest | `B0 01 80` | the same; after status 94 |
//! | block of a tag | `B0 23 01`, identifier, block, `01` | status, `01`, size, security, the block |
//!
//! What a chip is worth stands in one of its blocks, four bytes, the most significant first. It is read once and then
//! remembered, for the chips last seen. Where a tag says it has no such block its value is 0, and the station's
//! registry knows better, or finds the chip unknown.

use crc::{CRC_16_MCRF4XX, Crc, NoTable};
use embedded_hal::digital::OutputPin;
use heapless::{Deque, Vec};
use sabot_wire::message::{Chip, MAX_CHIPS};

use crate::chips::{ChipAntenna, ReadFault};
use crate::link::Uart;

/// Milliseconds after an antenna is chosen before the module is asked: the field stands, the tags have power. The
/// protocol itself wants 5 ms of silence before a frame.
pub const SWITCH_MS: u32 = 8;
/// Milliseconds in which an answer must have come whole.
pub const ANSWER_MS: u32 = 300;
/// Milliseconds of silence within a frame after which its rest will not come.
pub const BROKEN_MS: u32 = 30;
/// Values of chips that are remembered.
const REMEMBERED: usize = 32;

/// Bytes of the longest request: a block of a tag.
const REQUEST: usize = 19;
/// Bytes of the longest answer that is taken: an inventory of as many tags as a spot may have, and its frame.
const ANSWER: usize = 212;
const STX: u8 = 0x02;
const ADVANCED: usize = 7;
const STANDARD: usize = 5;
const ANY_READER: u8 = 0xFF;
/// The command of every request here.
const HOST_COMMAND: u8 = 0xB0;
const ISO_15693: u8 = 0x03;

const OK: u8 = 0x00;
const NO_TAG: u8 = 0x01;
const NO_SUCH_BLOCK: u8 = 0x04;
const MORE: u8 = 0x94;
const TAG_ERROR: u8 = 0x95;

/// Without a table, which would take half a kilobyte of flash.
const CRC: Crc<u16, NoTable> = Crc::<u16, NoTable>::new(&CRC_16_MCRF4XX);

/// A request as a frame.
fn request(body: &[u8]) -> Vec<u8, REQUEST> {
    let mut frame = Vec::new();
    let length = (body.len() + ADVANCED) as u8;
    // none is longer than the longest, which a test holds
    let _ = frame.extend_from_slice(&[STX, 0, length, ANY_READER, HOST_COMMAND]);
    let _ = frame.extend_from_slice(body);
    let crc = CRC.checksum(&frame).to_le_bytes();
    let _ = frame.extend_from_slice(&crc);
    frame
}

/// What an answer says after its command: status and data. `Ok(None)` while it is not whole.
fn answer(bytes: &[u8]) -> Result<Option<(u8, &[u8])>, ReadFault> {
    let (head, length, least) = match *bytes {
        [] | [STX] | [STX, _] => return Ok(None),
        [STX, high, low, ..] => (3, usize::from(u16::from_be_bytes([high, low])), ADVANCED),
        [length, ..] => (1, usize::from(length), STANDARD),
    };
    if length <= least || length > ANSWER {
        return Err(ReadFault);
    }
    let Some(frame) = bytes.get(..length) else { return Ok(None) };
    let (content, crc) = frame.split_last_chunk::<2>().ok_or(ReadFault)?;
    let fits = bytes.len() == length
        && CRC.checksum(content).to_le_bytes() == *crc
        && content.get(head + 1) == Some(&HOST_COMMAND);
    let (&status, data) = content.get(head + 2..).and_then(<[u8]>::split_first).filter(|_| fits).ok_or(ReadFault)?;
    Ok(Some((status, data)))
}

/// Antennas behind a multiplexer: its address, a pin a bit, the lowest first.
#[derive(Debug)]
pub struct Multiplexer<O, const BITS: usize>(pub [O; BITS]);

impl<O: OutputPin, const BITS: usize> Multiplexer<O, BITS> {
    fn choose(&mut self, index: usize) -> Result<(), ReadFault> {
        for (bit, pin) in self.0.iter_mut().enumerate() {
            pin.set_state((index >> bit & 1 == 1).into()).map_err(|_| ReadFault)?;
        }
        Ok(())
    }
}

/// What is awaited of the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The field of a new antenna.
    Field,
    /// The answer to an inventory.
    Tags,
    /// The answer that tells the value of the `n`th tag.
    Value(usize),
}

/// A reader module whose antennas are asked one after the other.
#[derive(Debug)]
pub struct ReaderModule<U, O, const BITS: usize> {
    uart: U,
    multiplexer: Multiplexer<O, BITS>,
    antennas: usize,
    value_block: u8,
    /// The antenna that is being asked.
    turn: usize,
    step: Step,
    since_ms: Option<u32>,
    /// Still to be sent.
    sending: Vec<u8, REQUEST>,
    received: Vec<u8, ANSWER>,
    heard_ms: u32,
    /// Chips of this inventory, values 0 until they are known.
    chips: Vec<Chip, MAX_CHIPS>,
    /// Identifiers, as bytes so that nothing is spent on alignment, and values.
    values: Deque<([u8; 8], u32), REMEMBERED>,
    /// What the antenna at turn has told, until it is taken.
    told: Option<Result<(), ReadFault>>,
}

impl<U: Uart, O: OutputPin, const BITS: usize> ReaderModule<U, O, BITS> {
    /// A module with so many antennas, whose chips tell their value in `value_block`.
    #[must_use]
    pub fn new(uart: U, multiplexer: Multiplexer<O, BITS>, antennas: usize, value_block: u8) -> Self {
        Self {
            uart,
            multiplexer,
            antennas: antennas.max(1),
            value_block,
            turn: 0,
            step: Step::Field,
            since_ms: None,
            sending: Vec::new(),
            received: Vec::new(),
            heard_ms: 0,
            chips: Vec::new(),
            values: Deque::new(),
            told: None,
        }
    }

    fn ask(&mut self, now_ms: u32, step: Step, body: &[u8]) {
        self.sending = request(body);
        self.received.clear();
        self.step = step;
        self.since_ms = Some(now_ms);
        self.heard_ms = now_ms;
    }

    fn end(&mut self, told: Result<(), ReadFault>) {
        self.told = Some(told);
        self.sending.clear();
    }

    /// Sends and receives as much as there is; an error of the line is a fault of the answer at hand.
    fn carry(&mut self, now_ms: u32) -> Result<(), ReadFault> {
        while !self.sending.is_empty() && self.uart.write_ready().map_err(|_| ReadFault)? {
            let sent = self.uart.write(&self.sending).map_err(|_| ReadFault)?;
            self.sending = Vec::from_slice(self.sending.get(sent..).unwrap_or_default()).unwrap_or_default();
        }
        let mut chunk = [0; 32];
        while self.uart.read_ready().map_err(|_| ReadFault)? {
            let count = self.uart.read(&mut chunk).map_err(|_| ReadFault)?;
            if count == 0 {
                break;
            }
            self.heard_ms = now_ms;
            self.received.extend_from_slice(chunk.get(..count).unwrap_or_default()).map_err(|_| ReadFault)?;
        }
        Ok(())
    }

    /// Drops what still came: it is no answer to what is asked next.
    fn drain(&mut self) {
        let mut chunk = [0; 32];
        for _ in 0..ANSWER {
            // an error is of what is dropped
            let read = self.uart.read_ready().and_then(|ready| if ready { self.uart.read(&mut chunk) } else { Ok(0) });
            if matches!(read, Ok(0)) {
                break;
            }
        }
    }

    /// One look at the field or the answer.
    // never inlined: as `ChipReader::look`
    #[inline(never)]
    fn advance(&mut self, now_ms: u32, since_ms: u32) -> Result<(), ReadFault> {
        if self.step == Step::Field {
            if now_ms.wrapping_sub(since_ms) >= SWITCH_MS {
                self.drain();
                self.chips.clear();
                self.ask(now_ms, Step::Tags, &[0x01, 0x00]);
            }
            return Ok(());
        }
        self.carry(now_ms)?;
        let received = core::mem::take(&mut self.received);
        match answer(&received)? {
            Some((status, data)) => self.answered(now_ms, status, data),
            None => {
                let broken = !received.is_empty() && now_ms.wrapping_sub(self.heard_ms) >= BROKEN_MS;
                self.received = received;
                if broken || now_ms.wrapping_sub(since_ms) >= ANSWER_MS { Err(ReadFault) } else { Ok(()) }
            }
        }
    }

    fn answered(&mut self, now_ms: u32, status: u8, data: &[u8]) -> Result<(), ReadFault> {
        match (self.step, status) {
            (Step::Tags, NO_TAG) => self.value_after(now_ms, 0),
            (Step::Tags, OK | MORE) => {
                let (&count, records) = data.split_first().ok_or(ReadFault)?;
                let (records, rest) = records.as_chunks::<10>();
                if records.len() != usize::from(count) || !rest.is_empty() {
                    return Err(ReadFault);
                }
                for [kind, _dsfid, uid @ ..] in records {
                    let uid = u64::from_be_bytes(*uid);
                    if *kind != ISO_15693 {
                        return Err(ReadFault);
                    }
                    // more chips than a report can have are no report
                    self.chips.push(Chip { uid, value: 0 }).map_err(|_| ReadFault)?;
                }
                if status == MORE {
                    self.ask(now_ms, Step::Tags, &[0x01, 0x80]);
                    return Ok(());
                }
                self.value_after(now_ms, 0)
            }
            (Step::Value(n), OK) => {
                let &[1, 4, _security, a, b, c, d] = data else { return Err(ReadFault) };
                self.learn(n, u32::from_be_bytes([a, b, c, d]));
                self.value_after(now_ms, n + 1)
            }
            (Step::Value(n), NO_SUCH_BLOCK | TAG_ERROR) => {
                self.learn(n, 0);
                self.value_after(now_ms, n + 1)
            }
            _ => Err(ReadFault),
        }
    }

    fn learn(&mut self, n: usize, value: u32) {
        let Some(chip) = self.chips.get_mut(n) else { return };
        chip.value = value;
        if self.values.is_full() {
            self.values.pop_front();
        }
        // there is room now
        let _ = self.values.push_back((chip.uid.to_be_bytes(), value));
    }

    /// Fills in the values that are known from the `n`th chip on, and asks for the first that is not.
    fn value_after(&mut self, now_ms: u32, n: usize) -> Result<(), ReadFault> {
        let mut unknown = None;
        for (at, chip) in self.chips.iter_mut().enumerate().skip(n) {
            let Some((_, value)) = self.values.iter().find(|(uid, _)| *uid == chip.uid.to_be_bytes()) else {
                unknown = Some((at, chip.uid));
                break;
            };
            chip.value = *value;
        }
        let Some((at, uid)) = unknown else {
            self.end(Ok(()));
            return Ok(());
        };
        let mut body = [0; 12];
        let bytes = [0x23, 0x01].into_iter().chain(uid.to_be_bytes()).chain([self.value_block, 1]);
        body.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
        self.ask(now_ms, Step::Value(at), &body);
        Ok(())
    }
}

impl<U: Uart, O: OutputPin, const BITS: usize> ChipAntenna for ReaderModule<U, O, BITS> {
    fn scan(&mut self, now_ms: u32) {
        if self.told.is_some() {
            return; // until it is taken
        }
        let Some(since_ms) = self.since_ms else {
            self.since_ms = Some(now_ms);
            self.step = Step::Field;
            if self.multiplexer.choose(self.turn).is_err() {
                self.end(Err(ReadFault));
            }
            return;
        };
        if let Err(fault) = self.advance(now_ms, since_ms) {
            self.end(Err(fault));
        }
    }

    fn fresh(&mut self, index: usize) -> bool {
        self.told.is_some() && index == self.turn
    }

    fn chips(&mut self, index: usize, chips: &mut Vec<Chip, MAX_CHIPS>) -> Result<(), ReadFault> {
        let told = self.told.take().filter(|_| index == self.turn).unwrap_or(Err(ReadFault));
        self.turn = (self.turn + 1) % self.antennas;
        self.since_ms = None;
        told.map(|()| chips.clone_from(&self.chips))
    }
}

#[cfg(test)]
#[path = "reader_module_tests.rs"]
mod tests;
