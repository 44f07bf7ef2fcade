//! Messages as bytes on a line.
//!
//! ```text
//! 00 | COBS( body | CRC-32C of the body, little-endian ) | 00
//! ```
//!
//! The body is a message as postcard writes it, or such a body sealed ([`crate::seal`]).
//!
//! A frame begins and ends at a zero byte, so that noise before it is shed with the frame it would have spoilt; one
//! zero between two frames is enough for a decoder, and any number does no harm.

use crc::{CRC_32_ISCSI, Crc};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::message::{FILE_BYTES, IMAGE_BYTES, LINE_BYTES, MAX_CHIPS, MAX_TAGGED_CARDS, SERIAL_BYTES};
use crate::pairing::{PAIRING, Pairing};
use crate::seal::{Channel, HEAD_BYTES, LENGTHS, Opened, SEAL_BYTES, is_sealed};
use crate::witness::{Keeps, WITNESS};

/// A host has the KiB for a table. A board counts bit by bit: a fraction of the frame's time on the line.
#[cfg(not(target_os = "none"))]
type Tables = crc::Table<1>;
#[cfg(target_os = "none")]
type Tables = crc::NoTable;

const CRC: Crc<u32, Tables> = Crc::<u32, Tables>::new(&CRC_32_ISCSI);

/// CRC-32C (Castagnoli): reflected, initial value and final xor all ones; `123456789` gives `E3069283`.
#[must_use]
pub const fn crc32c(bytes: &[u8]) -> u32 {
    CRC.checksum(bytes)
}

/// Bytes of the checksum at the end of a body.
pub const CRC_BYTES: usize = 4;

/// The tag of [`ToHost::Event`](crate::message::ToHost::Event).
const EVENT: u8 = 0;
const TAG: usize = 1;
const BYTE: usize = 1;
const VARINT_16: usize = 3;
const VARINT_32: usize = 5;
const VARINT_64: usize = 10;

const fn larger(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// Bytes of an event before its observation: tag, sequence number, clock, tag of the kind of observation.
const EVENT_HEAD: usize = TAG + VARINT_32 + VARINT_32 + TAG;
/// Bytes of a drawn card's event, at the most: the head, the tag of what the shoe saw, the card.
const DRAWN_BODY: usize = EVENT_HEAD + TAG + BYTE;
/// Bytes of a device state's event, at the most.
const STATE_BODY: usize = EVENT_HEAD + TAG;
/// Bytes of a full spot's event, at the most: the longest of all.
const SPOT_BODY: usize = EVENT_HEAD + TAG + BYTE + BYTE + TAG + BYTE + MAX_CHIPS * (VARINT_64 + VARINT_32);
const HELLO_BODY: usize = TAG + BYTE + TAG + BYTE + SERIAL_BYTES + 3 + VARINT_32 * 4;
const READY_BODY: usize = HELLO_BODY + TAG + BYTE + FILE_BYTES + VARINT_32 * 3 + IMAGE_BYTES;
const SHOW_LINE_BODY: usize = TAG + TAG + BYTE + BYTE + LINE_BYTES;
/// Longest entry of the keypad: a ruling.
const RULE_BODY: usize = EVENT_HEAD + TAG + VARINT_16 + TAG + TAG + BYTE + VARINT_32;

/// Bytes of the longest message's postcard body.
pub const MAX_BODY: usize = larger(larger(SPOT_BODY, READY_BODY), larger(SHOW_LINE_BODY, RULE_BODY));
/// Bytes of the longest body with its checksum.
pub const MAX_CHECKED: usize = MAX_BODY + CRC_BYTES;
/// Bytes of the longest body, sealed, with its checksum.
pub const MAX_SEALED: usize = SEAL_BYTES + MAX_CHECKED;
/// Bytes of the longest frame on the line, both zeros included.
pub const MAX_FRAME: usize = framed(MAX_SEALED);
/// Bytes of a drawn card's frame on the line, sealed and filled up, at the most, both zeros included.
pub const MAX_DRAWN_FRAME: usize = framed(SEAL_BYTES + LENGTHS[0] + CRC_BYTES);
/// Bytes of a device state's body with its checksum, at the most.
pub(crate) const MAX_STATE_CHECKED: usize = STATE_BODY + CRC_BYTES;

/// COBS adds one byte and one more for every 254; then come the two zeros.
const fn framed(inside: usize) -> usize {
    inside + 1 + inside / 254 + 2
}

// A length is one byte only below 128; the shoe's promise; and the ring keeps lengths in two bytes.
const _: () = assert!(MAX_CHIPS < 128 && MAX_TAGGED_CARDS < 128 && LINE_BYTES < 128 && SERIAL_BYTES < 128);
const _: () = assert!(MAX_DRAWN_FRAME <= 48 && DRAWN_BODY <= LENGTHS[0] && LENGTHS[LENGTHS.len() - 1] == MAX_BODY);
const _: () = assert!(MAX_CHECKED <= u16::MAX as usize);

/// Why a message did not become a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The buffer is shorter than the message; [`MAX_CHECKED`] and [`MAX_FRAME`] are always enough.
    #[error("the buffer of {0} bytes is too short for the message")]
    NoRoom(usize),
}

/// Writes a message's body and checksum. Gives its length.
///
/// # Errors
/// When `out` is too short; [`MAX_CHECKED`] bytes never are.
pub fn encode_body<M: Serialize>(message: &M, out: &mut [u8]) -> Result<usize, EncodeError> {
    let room = out.len();
    let body = postcard::to_slice(message, out).map_err(|_| EncodeError::NoRoom(room))?.len();
    append_checksum(body, out)
}

/// Puts the checksum behind a body of that length.
fn append_checksum(body: usize, out: &mut [u8]) -> Result<usize, EncodeError> {
    let room = out.len();
    let crc = crc32c(out.get(..body).unwrap_or_default()).to_le_bytes();
    let end = body + CRC_BYTES;
    out.get_mut(body..end).ok_or(EncodeError::NoRoom(room))?.copy_from_slice(&crc);
    Ok(end)
}

/// Writes a body with its checksum as a frame. Gives the frame.
fn wrap<'o>(checked: &[u8], out: &'o mut [u8]) -> Result<&'o [u8], EncodeError> {
    let full = EncodeError::NoRoom(out.len());
    let inner = out.get_mut(1..).ok_or(full)?;
    let end = 1 + cobs::try_encode(checked, inner).map_err(|_| full)?;
    *out.first_mut().ok_or(full)? = 0;
    *out.get_mut(end).ok_or(full)? = 0;
    out.get(..=end).ok_or(full)
}

/// Writes a message as a clear frame into `out` and gives the frame.
///
/// # Errors
/// When `out` is too short; [`MAX_FRAME`] bytes never are.
pub fn encode<'o, M: Serialize>(message: &M, out: &'o mut [u8]) -> Result<&'o [u8], EncodeError> {
    let mut checked = [0; MAX_CHECKED];
    let end = encode_body(message, &mut checked)?;
    wrap(checked.get(..end).unwrap_or_default(), out)
}

/// Writes what is said while two ends pair as a clear frame into `out` and gives the frame.
///
/// # Errors
/// When `out` is too short; [`MAX_FRAME`] bytes never are.
pub fn encode_pairing<'o>(said: &Pairing, out: &'o mut [u8]) -> Result<&'o [u8], EncodeError> {
    encode(&(PAIRING, said), out)
}

/// Writes a message as a sealed frame into `out` and gives the frame.
///
/// # Errors
/// When `out` is too short; [`MAX_FRAME`] bytes never are.
pub fn encode_sealed<'o, M: Serialize>(
    message: &M,
    channel: &mut Channel,
    out: &'o mut [u8],
) -> Result<&'o [u8], EncodeError> {
    let mut inside = [0; MAX_SEALED];
    let room = inside.get_mut(HEAD_BYTES..).unwrap_or_default();
    let body = postcard::to_slice(message, room).map_err(|_| EncodeError::NoRoom(MAX_SEALED))?.len();
    seal(body, &mut inside, channel, out)
}

/// Writes bytes as a sealed frame that is longer than any may be, for who tries whether a device drops it. Gives the
/// frame.
///
/// # Errors
/// When `out` is too short; two [`MAX_FRAME`] are not.
pub fn encode_too_long<'o>(begin: &[u8], channel: &mut Channel, out: &'o mut [u8]) -> Result<&'o [u8], EncodeError> {
    let mut inside = [0; MAX_SEALED + SEAL_BYTES];
    let room = inside.get_mut(HEAD_BYTES..).unwrap_or_default();
    room.iter_mut().zip(begin).for_each(|(place, byte)| *place = *byte);
    seal(MAX_BODY + SEAL_BYTES, &mut inside, channel, out)
}

/// Writes a checkpoint or none, or what a device keeps, as a sealed frame into `out` and gives the frame.
///
/// # Errors
/// When `out` is too short; [`MAX_FRAME`] bytes never are.
pub fn encode_witness<'o>(said: &Keeps, channel: &mut Channel, out: &'o mut [u8]) -> Result<&'o [u8], EncodeError> {
    // one that is not there is a zero, as those that fill it up: so a device with one place says one
    encode_sealed(&(WITNESS, said), channel, out)
}

/// Writes a body with its checksum, as the ring keeps it, as a sealed frame. `None` when the checksum does not hold:
/// the memory it came from is damaged.
pub(crate) fn encode_stored<'o>(checked: &[u8], channel: &mut Channel, out: &'o mut [u8]) -> Option<&'o [u8]> {
    let body = verified(checked)?;
    let mut inside = [0; MAX_SEALED];
    inside.get_mut(HEAD_BYTES..HEAD_BYTES + body.len())?.copy_from_slice(body);
    seal(body.len(), &mut inside, channel, out).ok()
}

fn seal<'o>(body: usize, inside: &mut [u8], channel: &mut Channel, out: &'o mut [u8]) -> Result<&'o [u8], EncodeError> {
    let sealed = channel.seal(body, inside).ok_or(EncodeError::NoRoom(MAX_SEALED))?;
    let end = append_checksum(sealed, inside)?;
    wrap(inside.get(..end).unwrap_or_default(), out)
}

/// The body before a checksum that holds.
pub(crate) fn verified(checked: &[u8]) -> Option<&[u8]> {
    let (body, crc) = checked.split_last_chunk::<CRC_BYTES>()?;
    (crc32c(body) == u32::from_le_bytes(*crc)).then_some(body)
}

/// A message that uses every byte of a body.
fn read<M: DeserializeOwned>(body: &[u8]) -> Option<M> {
    match postcard::take_from_bytes(body) {
        Ok((message, [])) => Some(message),
        _ => None,
    }
}

/// A message after which nothing but zeros comes.
fn read_padded<M: DeserializeOwned>(body: &[u8]) -> Option<M> {
    let (message, rest) = postcard::take_from_bytes(body).ok()?;
    rest.iter().all(|byte| *byte == 0).then_some(message)
}

/// The message at the beginning of a body, and how many bytes of the body it takes.
#[must_use]
pub fn first_message<M: DeserializeOwned>(body: &[u8]) -> Option<(M, usize)> {
    let (message, rest) = postcard::take_from_bytes(body).ok()?;
    Some((message, body.len() - rest.len()))
}

/// The number and the clock of an event whose observation means nothing.
fn event_head(body: &[u8]) -> Option<(u32, u32)> {
    let ((tag, seq, at_ms), _) = postcard::take_from_bytes::<(u8, u32, u32)>(body).ok()?;
    (tag == EVENT).then_some((seq, at_ms))
}

/// Reads a body with its checksum back: the checksum must hold, the message must use every byte.
#[must_use]
pub fn check_out<M: DeserializeOwned>(checked: &[u8]) -> Option<M> {
    read(verified(checked)?)
}

/// What a frame held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Got<M> {
    /// A message that anybody may have written.
    Clear(M),
    /// What anybody may say to pair two ends.
    Pairing(Pairing),
    /// A message of the other end of the channel.
    Sealed(M),
    /// Checkpoints of the host's records, of the other end of the channel, or none: a host says the last alone.
    Witness(Keeps),
    /// A frame of the other end of the channel that is no message: its program is wrong, not the cable.
    Senseless {
        /// Of an event: its number and the device's clock, milliseconds.
        event: Option<(u32, u32)>,
    },
    /// One of the last few sealed frames once more.
    Repeated,
    /// A frame that came undamaged and does not open: of another session or key, played again, or invented.
    Unopened,
}

/// Checkpoints. A host says the last alone, and a board need not read a second.
#[inline(never)]
fn read_witness(said: &[u8]) -> Option<Keeps> {
    if cfg!(target_os = "none") {
        return read_padded(said).map(|last| Keeps { last, before: None });
    }
    read_padded(said)
}

/// Finds frames in a stream of bytes, in bounded memory.
///
/// Whatever is no frame (noise, a cut or damaged frame, one too long to be any) is counted and dropped up to the next
/// zero byte; nothing of it becomes a message.
#[derive(Debug, Clone)]
pub struct Decoder {
    /// The bytes since the last zero, still encoded.
    held: [u8; MAX_FRAME],
    /// How many there were; more than fit mean that the frame is too long.
    length: usize,
    bad: u64,
    spoke: bool,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder at the beginning of a stream.
    #[must_use]
    pub const fn new() -> Self {
        Self { held: [0; MAX_FRAME], length: 0, bad: 0, spoke: false }
    }

    /// The next undamaged frame of `input`, which moves on past it; `None` once `input` is used up. Without a channel
    /// no sealed frame opens.
    ///
    /// ```
    /// use sabot_wire::frame::{Decoder, Got, MAX_FRAME, encode};
    /// use sabot_wire::message::ToDevice;
    ///
    /// let mut buffer = [0; MAX_FRAME];
    /// let frame = encode(&ToDevice::Ping(7), &mut buffer)?;
    /// let mut decoder = Decoder::new();
    /// let mut input = frame;
    /// assert_eq!(decoder.next(&mut input, None), Some(Got::Clear(ToDevice::Ping(7))));
    /// assert_eq!(decoder.next::<ToDevice>(&mut input, None), None);
    /// # Ok::<(), sabot_wire::frame::EncodeError>(())
    /// ```
    pub fn next<M: DeserializeOwned>(&mut self, input: &mut &[u8], channel: Option<&mut Channel>) -> Option<Got<M>> {
        self.next_of(input, [channel, None], |_| false)
    }

    /// The same, where a session may follow the one that lives: the first byte of a sealed body tells which it is of.
    /// Frames are left out whose encoded bytes `is_own` knows: a line with two wires gives back what is sent.
    pub(crate) fn next_of<M: DeserializeOwned>(
        &mut self,
        input: &mut &[u8],
        mut channels: [Option<&mut Channel>; 2],
        mut is_own: impl FnMut(&[u8]) -> bool,
    ) -> Option<Got<M>> {
        while let Some((&byte, rest)) = input.split_first() {
            *input = rest;
            if byte != 0 {
                if let Some(slot) = self.held.get_mut(self.length) {
                    *slot = byte;
                }
                self.length = self.length.saturating_add(1);
            } else if self.length > 0 {
                if self.held.get(..self.length).is_some_and(&mut is_own) {
                    self.length = 0;
                    continue;
                }
                let got = self.finish(&mut channels);
                self.length = 0;
                if got.is_some() {
                    return got;
                }
                self.bad = self.bad.saturating_add(1);
            }
        }
        None
    }

    fn finish<M: DeserializeOwned>(&mut self, channels: &mut [Option<&mut Channel>; 2]) -> Option<Got<M>> {
        let encoded = self.held.get_mut(..self.length)?;
        let end = cobs::decode_in_place(encoded).ok()?;
        let body = verified(encoded.get(..end)?)?.len();
        let body = encoded.get_mut(..body)?;
        if let Some((&PAIRING, said)) = body.split_first() {
            return read(said).map(Got::Pairing);
        }
        let mark = body.first().copied().filter(|&first| is_sealed(first));
        let Some(mark) = mark else {
            self.spoke = true;
            return read(body).map(Got::Clear);
        };
        let Some(channel) = channels.iter_mut().flatten().find(|channel| channel.mark() == mark) else {
            return Some(Got::Unopened);
        };
        let read = if channel.pads() { read_padded } else { read };
        match channel.open(body) {
            Opened::Message([WITNESS, said @ ..]) => {
                Some(read_witness(said).map_or(Got::Senseless { event: None }, Got::Witness))
            }
            Opened::Message(body) => {
                Some(read(body).map_or_else(|| Got::Senseless { event: event_head(body) }, Got::Sealed))
            }
            Opened::Repeated => Some(Got::Repeated),
            Opened::Failed => Some(Got::Unopened),
        }
    }

    /// Forgets a half-received frame: what follows comes from another opening of the port.
    pub fn restart(&mut self) {
        if self.length > 0 {
            self.length = 0;
            self.bad = self.bad.saturating_add(1);
        }
    }

    /// Frames that were damaged, too long or made no sense, since the decoder was made.
    #[must_use]
    pub const fn bad(&self) -> u64 {
        self.bad
    }

    /// Whether a clear frame has come whole. Where it was no message, what sends it means another one, and no line is
    /// bad.
    #[must_use]
    pub const fn spoke(&self) -> bool {
        self.spoke
    }
}
