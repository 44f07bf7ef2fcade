//! What only the two ends of a link can write and read: session keys, and bodies sealed with them.
//!
//! ```text
//! sealed body:  54 + lowest bit of the answer | low 16 bits of the counter, little-endian
//!               | Ascon-AEAD128 ciphertext of the message and zeros up to one of LENGTHS | tag, 16 bytes
//! nonce:        the counter, 64 bits, little-endian | eight zero bytes
//! greeting:     Ascon-XOF128("sabot-link-4" | key | challenge | answer | role
//!                            | length of serial number | serial number):
//!               16 bytes for the device, 16 bytes for the host, 16 bytes of proof
//! host's proof: Ascon-XOF128("sabot-turn-4" | the greeting's 16 for the device | host's share), 16 bytes
//! session keys: Ascon-XOF128("sabot-keys-4" | the greeting's 32 | host's share | device's share | X25519 of both):
//!               16 bytes to the device, 16 bytes to the host, 16 bytes of proof
//! ```
//!
//! In version 3 the greeting, under the name "sabot-link-3", is the session's keys already. In version 2 the name is
//! "sabot-link-2", the first byte is 53, and the message stands alone.
//!
//! Each direction has a key and a counter of its own; the first frame has counter 1. A receiver takes the next number
//! with those 16 bits, so frames may get lost and none is taken twice; the last 32 are known again, and dropped.

use ascon_aead::AsconAead128;
use ascon_aead::aead::{AeadInOut, KeyInit};
use ascon_xof128::{AsconXof128, ExtendableOutput, Update, XofReader};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::Version;
use crate::message::{KEY_BYTES, Key, NONCE_BYTES, Nonce, POINT_BYTES, Point, Role};

/// First byte of a sealed body of version 2: no message begins with it.
pub const SEALED: u8 = 0x53;
/// First byte of a sealed body of versions 3 and 4, to which the lowest bit of the answer's first byte is added: a
/// session and the one that follows it have different ones.
pub const SEALED_3: u8 = 0x54;
/// Lengths of what is sealed from version 3 on: each message is filled up to the next of them. The longest is the
/// longest message.
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
        Version::Three | Version::Four => SEALED_3 + (answer.0[0] & 1),
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

/// What both ends know of a session: a key for each direction, and a proof that they do. Of version 4 the first such
/// keys seal nothing: they only prove who exchanges the shares from which the session's own are drawn.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Keys {
    to_device: [u8; KEY_BYTES],
    to_host: [u8; KEY_BYTES],
    proof: [u8; PROOF_BYTES],
    #[zeroize(skip)]
    version: Version,
    mark: u8,
}

impl core::fmt::Debug for Keys {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Keys(..)")
    }
}

impl Keys {
    /// What who holds the key knows once the challenge is answered.
    #[must_use]
    pub fn of(key: &Key, parties: &Parties<'_>) -> Self {
        let serial = parties.serial.as_bytes();
        let ends = [parties.role as u8, serial.len() as u8];
        let (challenge, answer) = (&parties.challenge.0, &parties.answer.0);
        let mark = mark_of(parties.version, parties.answer);
        let parts = [parties.version.domain(), key.bytes(), challenge, answer, &ends, serial];
        Self::drawn(&parts, parties.version, mark)
    }

    /// Keys that somebody knows already, to the device and to the host: for test vectors.
    #[cfg(feature = "tap")]
    #[must_use]
    pub fn told(both: &[u8; 2 * KEY_BYTES], mark: u8) -> Self {
        let (mut to_device, mut to_host) = ([0; KEY_BYTES], [0; KEY_BYTES]);
        to_device.iter_mut().chain(&mut to_host).zip(both).for_each(|(place, byte)| *place = *byte);
        Self { to_device, to_host, proof: [0; PROOF_BYTES], version: Version::NEWEST, mark }
    }

    fn drawn(parts: &[&[u8]], version: Version, mark: u8) -> Self {
        let mut keys = Self { to_device: [0; 16], to_host: [0; 16], proof: [0; 16], version, mark };
        let mut reader = xof_of(parts);
        reader.read(&mut keys.to_device);
        reader.read(&mut keys.to_host);
        reader.read(&mut keys.proof);
        keys
    }

    /// What the device says to prove that it knows them.
    #[must_use]
    pub const fn proof(&self) -> [u8; PROOF_BYTES] {
        self.proof
    }

    /// What the host says with its share, to prove that it knows the greeting's.
    #[must_use]
    pub fn turn(&self, share: &Point) -> [u8; PROOF_BYTES] {
        let mut proof = [0; PROOF_BYTES];
        xof_of(&[b"sabot-turn-4", &self.to_device, &share.0]).read(&mut proof);
        proof
    }

    /// The session's own, drawn from both shares: the host's, the device's, and what X25519 makes of one's secret and
    /// the other's share. `None`: the other's share is one that leads to the same whatever the secret is.
    #[must_use]
    pub fn exchanged(&self, shares: [&Point; 2], common: &Common) -> Option<Self> {
        let [host, device] = shares;
        if common.0 == [0; POINT_BYTES] {
            return None;
        }
        let parts = [&b"sabot-keys-4"[..], &self.to_device, &self.to_host, &host.0, &device.0, &common.0];
        Some(Self::drawn(&parts, self.version, self.mark))
    }

    /// The device's end.
    #[must_use]
    pub fn device_end(&self) -> Channel {
        self.channel(self.to_host, self.to_device)
    }

    /// The host's end.
    #[must_use]
    pub fn host_end(&self) -> Channel {
        self.channel(self.to_device, self.to_host)
    }

    fn channel(&self, out: [u8; KEY_BYTES], inward: [u8; KEY_BYTES]) -> Channel {
        let (out, inward) = (Direction { key: out, count: 0 }, Direction { key: inward, count: 0 });
        Channel { out, inward, version: self.version, mark: self.mark }
    }
}

fn xof_of(parts: &[&[u8]]) -> impl XofReader + use<> {
    let mut xof = AsconXof128::default();
    parts.iter().for_each(|part| xof.update(part));
    xof.finalize_xof()
}

/// A secret number of X25519 that is used for one session, and forgotten with it.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Once([u8; POINT_BYTES]);

/// What X25519 makes of one end's secret and the other's share.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Common([u8; POINT_BYTES]);

impl core::fmt::Debug for Once {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Once(..)")
    }
}

impl core::fmt::Debug for Common {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Common(..)")
    }
}

impl Once {
    /// From these bytes, which must be random.
    #[must_use]
    pub const fn new(bytes: [u8; POINT_BYTES]) -> Self {
        Self(bytes)
    }

    #[cfg(feature = "tap")]
    pub(crate) const fn bytes(&self) -> [u8; POINT_BYTES] {
        self.0
    }

    /// What the other end is told of it.
    #[must_use]
    pub fn share(&self) -> Point {
        Point(x25519_dalek::x25519(self.0, x25519_dalek::X25519_BASEPOINT_BYTES))
    }

    /// What both ends know once this one has the other's share.
    #[must_use]
    pub fn with(&self, other: &Point) -> Common {
        Common(x25519_dalek::x25519(self.0, other.0))
    }
}

impl Channel {
    /// The device's end, and the proof that it holds the key. In version 4 nothing is sealed with it.
    #[must_use]
    pub fn of_device(key: &Key, parties: &Parties<'_>) -> (Self, [u8; PROOF_BYTES]) {
        let keys = Keys::of(key, parties);
        (keys.device_end(), keys.proof)
    }

    /// The host's end, and the proof that the device must have given.
    #[must_use]
    pub fn of_host(key: &Key, parties: &Parties<'_>) -> (Self, [u8; PROOF_BYTES]) {
        let keys = Keys::of(key, parties);
        (keys.host_end(), keys.proof)
    }

    /// The first byte of its frames.
    #[must_use]
    pub const fn mark(&self) -> u8 {
        self.mark
    }

    /// Whether a message may be followed by zeros.
    pub(crate) const fn pads(&self) -> bool {
        !matches!(self.version, Version::Two)
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
        let mut nonce = Nonce([0; NONCE_BYTES]);
        xof_of(&[&self.seed, &self.count.to_le_bytes()]).read(&mut nonce.0);
        nonce
    }

    /// A secret that nobody can draw again, who finds out later from what these numbers are drawn now.
    pub(crate) fn once(&mut self) -> Once {
        let mut reader = xof_of(&[b"sabot-once", &self.seed, &self.count.to_le_bytes()]);
        let mut once = Once([0; POINT_BYTES]);
        reader.read(&mut once.0);
        reader.read(&mut self.seed);
        once
    }
}
