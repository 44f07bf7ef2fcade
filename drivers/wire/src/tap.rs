//! Reading along, for tests: nobody else can, not even who holds the device's key.
//!
//! Once somebody listens, each host of this process notes the secrets of its sessions by the shares that it says. No
//! program that is delivered has this module.

extern crate std;

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::vec::Vec;

use crate::message::{Key, POINT_BYTES, Point};
use crate::seal::{Keys, Once, Parties};

static LISTENS: AtomicBool = AtomicBool::new(false);
static NOTED: Mutex<Vec<(Point, [u8; POINT_BYTES])>> = Mutex::new(Vec::new());

/// From here on secrets are noted.
pub fn listen() {
    LISTENS.store(true, Ordering::Relaxed);
}

pub(crate) fn note(share: &Point, once: [u8; POINT_BYTES]) {
    if LISTENS.load(Ordering::Relaxed) {
        NOTED.lock().unwrap_or_else(PoisonError::into_inner).push((*share, once));
    }
}

/// The secret number from which a host of this process has drawn this share.
#[must_use]
pub fn once_of(share: &Point) -> Option<[u8; POINT_BYTES]> {
    let noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    noted.iter().rev().find(|(said, _)| said == share).map(|(_, once)| *once)
}

/// The keys of a session of version 4 between these, its shares said by a host of this process and by the device.
#[must_use]
pub fn keys_of(key: &Key, parties: &Parties<'_>, shares: [&Point; 2]) -> Option<Keys> {
    let [host, device] = shares;
    let once = Once::new(once_of(host)?);
    Keys::of(key, parties).exchanged(shares, &once.with(device))
}
