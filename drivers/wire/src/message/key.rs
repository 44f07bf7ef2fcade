//! What a session is sealed with.

use ascon_xof128::{AsconXof128, ExtendableOutput, Update, XofReader};
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Bytes of a key.
pub const KEY_BYTES: usize = 16;
/// Bytes of a nonce.
pub const NONCE_BYTES: usize = 16;

/// Bytes of a point of X25519.
pub const POINT_BYTES: usize = 32;
/// Bytes of an image's hash.
pub const IMAGE_BYTES: usize = 32;

/// The key that a device shares with the stations that may use it. Nothing prints it; it is wiped when it is dropped.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Zeroize, ZeroizeOnDrop)]
pub struct Key([u8; KEY_BYTES]);

impl Key {
    /// A key of these bytes, which must be random.
    #[must_use]
    pub const fn new(bytes: [u8; KEY_BYTES]) -> Self {
        Self(bytes)
    }

    /// Its bytes, for who keeps it.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }
}

impl core::fmt::Debug for Key {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Key(..)")
    }
}

/// A number that is used once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nonce(pub [u8; NONCE_BYTES]);

/// A point of X25519: what one end tells of the secret that it draws for a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point(pub [u8; POINT_BYTES]);

/// Hash of the program that a device runs, by which two programs are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Image(pub [u8; IMAGE_BYTES]);

impl Image {
    /// Of a program's parts, in order.
    #[must_use]
    pub fn of<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Self {
        let mut xof = AsconXof128::default();
        parts.into_iter().for_each(|part| xof.update(part));
        let mut hash = [0; IMAGE_BYTES];
        xof.finalize_xof().read(&mut hash);
        Self(hash)
    }

    /// The hash that somebody has written: 64 hexadecimal digits.
    #[must_use]
    pub fn typed(text: &str) -> Option<Self> {
        let mut hash = [0; IMAGE_BYTES];
        let digits = text.as_bytes();
        if digits.len() != 2 * IMAGE_BYTES {
            return None;
        }
        for (byte, pair) in hash.iter_mut().zip(digits.chunks_exact(2)) {
            let [high, low] = <[u8; 2]>::try_from(pair).ok()?.map(|digit| char::from(digit).to_digit(16));
            *byte = (high? << 4 | low?) as u8;
        }
        Some(Self(hash))
    }
}

impl core::fmt::Display for Image {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
