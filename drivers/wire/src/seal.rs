//! What only the two ends of a link can write and read: session keys, and bodies sealed with them.
//!
//! ```text
//! sealed body:  54 + lowest bit of the answer | low 16 bits of the counter, little-endian
//!               | Ascon-AEAD128 ciphertext of the message and zeros up to one of LENGTHS | tag, 16 bytes
//! nonce:        the counter, 64 bits, little-endian | eight zero bytes
//! session keys: Ascon-XOF128("sabot-link-3" | key | challenge | answer | role
//!                            | length of serial number | serial number):
//!               16 bytes to the device, 16 bytes to the host, 16 bytes of proof
//! ```
//!
//! In version 2 the first byte is 53, the message stands alone, and the name is "sabot-link-2".
//!
//! Each direction has a key and a counter of its own; the first frame has counter 1. A receiver takes the next number
//! with those 16 bits, so frames may get lost and none is taken twice; the last 32 are known again, and dropped.

use ascon_aead::AsconAead128;
use ascon_aead::aead::{AeadInOut, KeyInit};
use ascon_xof128::{AsconXof128, ExtendableOutput, Update, XofReader};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::Version;
use crate::message::{KEY_BYTES, Key, NONCE_BYTES, Nonce, Role};

/// First byte of a sealed body of version 2: no message begins with it.
pub const SEALED: u8 = 0x53;
/// First byte of a sealed body of version 3, to which the lowest bit of the answer's first byte is added: a session and
/// the one that follows it have different ones.
pub const SEALED_3: u8 = 0x54;
/// Lengths of what is sealed in version 3: each message is filled up to the next of them. The longest is the longest
/// message.
pub const LENGTHS: [usize; 5] = [20, 48, 88, 184, 317];
/// Bytes before the ciphertext.
pub(crate) const HEAD_BYTES: usize = 3;
const TAG_BYTES: usize = 16;
/// Bytes of a proof.
const PROOF_BYTES: usize = 16;
/// Bytes that sealing adds to a body.
pub const SEAL_BYTES: usize = HEAD_BYTES + TAG_BYTES;
/// Frames that came last and are known again: a line may repeat what is on its way.
const RECENT: u64 = 32;
/// Steps of the counter that 16 bits tell apart.
const TURN: u64 = 1 << 16;

/// One direction of a session: its key, and the counter of the last frame.
#[derive(Default, Zeroize, ZeroizeOnDrop)]
struct Direction {
    key: [u8; KEY_BYTES],
    count: u64,
}

impl Direction {
    fn cipher(&self) -> AsconAead128 {
        AsconAead128::new(&self.key.into())
    }
}

fn nonce_of(count: u64) -> [u8; NONCE_BYTES] {
    let mut nonce = [0; NONCE_BYTES];
    if let Some(low) = nonce.first_chunk_mut() {
        *low = count.to_le_bytes();
    }
    nonce
}

/// Both directions of a session, seen from one end. Nothing prints its keys; they are wiped when it is dropped.
pub struct Channel {
    out: Direction,
    inward: Direction,
    version: Version,
    mark: u8,
}

/// Whether a body that begins so is a sealed one.
pub(crate) const fn is_sealed(first: u8) -> bool {
    matches!(first, SEALED | SEALED_3) || first == SEALED_3 + 1
}

/// The mark of a session's frames.
pub(crate) const fn mark_of(version: Version, answer: &Nonce) -> u8 {
    match version {
        Version::Two => SEALED,
        Version::Three => SEALED_3 + (answer.0[0] & 1),
    }
}

impl core::fmt::Debug for Channel {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Channel(..)")
    }
}

/// Who the device of a session is, and the two numbers that make the session a new one.
#[derive(Debug, Clone, Copy)]
pub struct Parties<'a> {
    /// Version of the link that they speak.
    pub version: Version,
    /// Role of the device.
    pub role: Role,
    /// Its serial number.
    pub serial: &'a str,
    /// The host's nonce.
    pub challenge: &'a Nonce,
    /// The device's nonce.
    pub answer: &'a Nonce,
}

impl Channel {
    /// The device's end, and the proof that it holds the key.
    #[must_use]
    pub fn of_device(key: &Key, parties: &Parties<'_>) -> (Self, [u8; PROOF_BYTES]) {
        let (inward, out, proof) = directions(key, parties);
        (Self::of(out, inward, parties), proof)
    }

    /// The host's end, and the proof that the device must have given.
    #[must_use]
    pub fn of_host(key: &Key, parties: &Parties<'_>) -> (Self, [u8; PROOF_BYTES]) {
        let (out, inward, proof) = directions(key, parties);
        (Self::of(out, inward, parties), proof)
    }

    const fn of(out: Direction, inward: Direction, parties: &Parties<'_>) -> Self {
        Self { out, inward, version: parties.version, mark: mark_of(parties.version, parties.answer) }
    }

    /// The first byte of its frames.
    #[must_use]
    pub const fn mark(&self) -> u8 {
        self.mark
    }

    /// Whether a message may be followed by zeros.
    pub(crate) const fn pads(&self) -> bool {
        matches!(self.version, Version::Three)
    }

    /// The number of the last frame that was opened.
    #[must_use]
    pub const fn opened(&self) -> u64 {
        self.inward.count
    }

    /// Seals the body of `length` bytes that stands in `buffer` after [`HEAD_BYTES`] bytes of room; gives the length of
    /// the sealed body, which begins at the buffer's first byte. `None` when the buffer is too short.
    pub(crate) fn seal(&mut self, length: usize, buffer: &mut [u8]) -> Option<usize> {
        let padded = LENGTHS.into_iter().find(|&padded| self.pads() && padded >= length).unwrap_or(length);
        buffer.get_mut(HEAD_BYTES + length..HEAD_BYTES + padded)?.fill(0);
        let length = padded;
        let sealed = length + SEAL_BYTES;
        let (head, rest) = buffer.get_mut(..sealed)?.split_at_mut(HEAD_BYTES);
        let (body, tag) = rest.split_at_mut(length);
        let count = self.out.count + 1;
        let made = self.out.cipher().encrypt_inout_detached(&nonce_of(count).into(), &[], body.into()).ok()?;
        tag.copy_from_slice(&made);
        let [low, high, ..] = count.to_le_bytes();
        head.copy_from_slice(&[self.mark, low, high]);
        self.out.count = count;
        Some(sealed)
    }

    /// Passes over so many numbers of what goes out, as if those frames had been lost on the line.
    pub const fn skip(&mut self, frames: u64) {
        self.out.count += frames;
    }

    /// Opens a sealed body in place. Nothing is changed but the buffer when that gives no message.
    pub fn open<'b>(&mut self, sealed: &'b mut [u8]) -> Opened<'b> {
        let Some((&mut [first, low, high], rest)) = sealed.split_first_chunk_mut::<HEAD_BYTES>() else {
            return Opened::Failed;
        };
        let Some((body, tag)) = rest.split_last_chunk_mut::<TAG_BYTES>() else { return Opened::Failed };
        let told = u64::from(u16::from_le_bytes([low, high]));
        let last = self.inward.count;
        let above = last.saturating_sub(RECENT);
        let mut count = (above & !(TURN - 1)) | told;
        if count <= above {
            count += TURN;
        }
        let tag = (*tag).into();
        let opened =
            self.inward.cipher().decrypt_inout_detached(&nonce_of(count).into(), &[], (&mut *body).into(), &tag);
        if first != self.mark || opened.is_err() {
            return Opened::Failed;
        }
        if count <= last {
            return Opened::Repeated;
        }
        self.inward.count = count;
        Opened::Message(body)
    }
}

/// What became of a sealed body.
#[derive(Debug)]
pub enum Opened<'b> {
    /// A message of the other end, and the zeros after it.
    Message(&'b [u8]),
    /// One of the last few messages once more.
    Repeated,
    /// It does not open.
    Failed,
}

/// The directions to the device and to the host, and the proof.
fn directions(key: &Key, parties: &Parties<'_>) -> (Direction, Direction, [u8; PROOF_BYTES]) {
    let mut xof = AsconXof128::default();
    let serial = parties.serial.as_bytes();
    xof.update(parties.version.domain());
    xof.update(key.bytes());
    xof.update(&parties.challenge.0);
    xof.update(&parties.answer.0);
    xof.update(&[parties.role as u8, serial.len() as u8]);
    xof.update(serial);
    let mut reader = xof.finalize_xof();
    let (mut to_device, mut to_host) = (Direction::default(), Direction::default());
    let mut proof = [0; PROOF_BYTES];
    reader.read(&mut to_device.key);
    reader.read(&mut to_host.key);
    reader.read(&mut proof);
    (to_device, to_host, proof)
}

/// Numbers that never come twice: from what nobody else knows, and a count.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(crate) struct Nonces {
    seed: [u8; 32],
    count: u64,
}

impl core::fmt::Debug for Nonces {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Nonces(..)")
    }
}

impl Nonces {
    /// From these parts, of which one must be new at every start.
    pub(crate) fn new(parts: &[&[u8]]) -> Self {
        let mut xof = AsconXof128::default();
        xof.update(b"sabot-nonces");
        parts.iter().for_each(|part| xof.update(part));
        let mut seed = [0; 32];
        xof.finalize_xof().read(&mut seed);
        Self { seed, count: 0 }
    }

    pub(crate) fn next(&mut self) -> Nonce {
        self.count += 1;
        let mut xof = AsconXof128::default();
        xof.update(&self.seed);
        xof.update(&self.count.to_le_bytes());
        let mut nonce = Nonce([0; NONCE_BYTES]);
        xof.finalize_xof().read(&mut nonce.0);
        nonce
    }
}
