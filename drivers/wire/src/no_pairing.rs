//! A device that knows no pairing by a code: nothing of it is understood.

use serde::{Deserialize, Serialize};

use crate::message::{Key, Role};

/// The first byte of a pairing body.
pub(crate) const PAIRING: u8 = 0x56;

/// Nothing that could be said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pairing {}

/// No part in it.
#[derive(Debug, Default)]
pub(crate) struct DevicePairing;

impl DevicePairing {
    pub(crate) const fn has_code(&self) -> bool {
        false
    }

    pub(crate) const fn said(&self, said: &Pairing) -> Option<Key> {
        match *said {}
    }

    #[expect(clippy::unused_self, reason = "it is asked as one that has a part in it")]
    pub(crate) fn next(&self, _: Role, _: &str, _: impl FnOnce() -> [[u8; 16]; 2]) -> Option<Pairing> {
        None
    }
}
