//! A device as a witness of the host's record: it keeps the last checkpoint that it was shown.
//!
//! ```text
//! plaintext: 57 | Option<Checkpoint> as postcard writes it, and zeros up to one of LENGTHS
//! ```
//!
//! From the host: a checkpoint to keep, or nothing, which asks. From the device: what it keeps. No message of the
//! schema begins so: who does not know it takes it for no message, and goes on.

use serde::{Deserialize, Serialize};

/// The first byte of such a plaintext.
pub const WITNESS: u8 = 0x57;
/// Bytes by which a record is told from others.
pub const RECORD_BYTES: usize = 16;
/// Bytes of a root.
pub const ROOT_BYTES: usize = 32;

/// So many lines of this record have this root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Which record: the first bytes of a hash of its name.
    pub record: [u8; RECORD_BYTES],
    /// Its lines.
    pub lines: u64,
    /// The root of the tree over them.
    pub root: [u8; ROOT_BYTES],
}

impl Checkpoint {
    /// Whether a device that keeps this one takes `shown` in its place: of the same record it keeps the longest.
    #[must_use]
    pub fn gives_way_to(&self, shown: &Self) -> bool {
        self.record != shown.record || self.lines < shown.lines
    }
}
