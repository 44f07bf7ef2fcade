//! The device as a witness: what it is shown of the caller's record, or asked, until it answers.

use super::{Host, Keyring, Report};
use crate::frame::{MAX_FRAME, encode_witness};
use crate::witness::{Checkpoint, Keeps};
use crate::{REFRESH_MS, Version};

/// How often a device is shown the same before it is taken for one that keeps nothing.
const TIMES: u8 = 5;

/// What a device is shown, or asked, and has not answered yet.
#[derive(Debug, Default)]
pub(super) struct Witness {
    /// A checkpoint, or none, which asks for the one that it keeps.
    shown: Option<Checkpoint>,
    /// How often it is still to be said.
    times: u8,
    /// When it is due.
    at: u64,
}

impl<K: Keyring> Host<K> {
    /// Shows the device in session a checkpoint of the caller's record, or asks which one it keeps. It is said again
    /// until the device answers; one that cannot is given up after some seconds. A device of another version than the
    /// fourth is not asked. What it answers is [`Report::Keeps`], unless that is the checkpoint which it was shown.
    pub fn witness(&mut self, shown: Option<Checkpoint>) {
        let times = if self.online() && self.version == Version::Four { TIMES } else { 0 };
        self.witness = Witness { shown, times, at: 0 };
    }

    /// The device has said which checkpoint it keeps.
    pub(super) fn keeps(&mut self, now_ms: u64, kept: Keeps) -> Option<Report> {
        (self.heard_at, self.asked_at) = (now_ms, None);
        self.count_opened();
        let Witness { shown, times, .. } = &mut self.witness;
        // what is to be said was not said yet: this answers what was said before it
        if *times == TIMES {
            return None;
        }
        if core::mem::take(times) > 0 && shown.is_some() && *shown == kept.last {
            return None;
        }
        self.is_ready().then_some(Report::Keeps(kept))
    }

    pub(super) fn witness_at(&self) -> Option<u64> {
        (self.witness.times > 0 && self.online()).then_some(self.witness.at)
    }

    pub(super) fn witness_frame<'o>(&mut self, now_ms: u64, out: &'o mut [u8; MAX_FRAME]) -> Option<&'o [u8]> {
        self.witness_at().filter(|at| *at <= now_ms)?;
        let Witness { shown, times, at } = &mut self.witness;
        (*times, *at) = (*times - 1, now_ms + REFRESH_MS);
        let shown = Keeps { last: *shown, before: None };
        encode_witness(&shown, self.channel.as_mut()?, out).ok()
    }
}
