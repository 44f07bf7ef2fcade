//! Frames that only the host can have written, as it writes them and as none may be.

use sabot_wire::frame::{CRC_BYTES, MAX_FRAME, encode_body, encode_sealed, encode_too_long};
use sabot_wire::message::ToDevice;
use serde::Serialize;

use super::Examiner;
use crate::transport::Connect;

impl<C: Connect> Examiner<C> {
    /// A sealed frame of the host, and its counter is used up.
    pub(crate) fn seal<M: Serialize>(&mut self, session: usize, message: &M) -> Vec<u8> {
        let mut out = [0; MAX_FRAME];
        let session = self.sessions.get_mut(session);
        session
            .and_then(|session| encode_sealed(message, &mut session.channel, &mut out).ok())
            .unwrap_or_default()
            .to_vec()
    }

    /// A sealed frame in the session that lives, longer than any may be.
    pub(crate) fn seals_too_long(&mut self, message: &ToDevice) -> Vec<u8> {
        let (mut plain, mut out) = ([0; MAX_FRAME], [0; 2 * MAX_FRAME]);
        let length = encode_body(message, &mut plain).map_or(0, |end| end - CRC_BYTES);
        let session = self.living.and_then(|living| self.sessions.get_mut(living));
        let begin = plain.get(..length).unwrap_or_default();
        session
            .and_then(|session| encode_too_long(begin, &mut session.channel, &mut out).ok())
            .unwrap_or_default()
            .to_vec()
    }

    /// The living session's frames pass over so many numbers.
    pub(crate) fn loses(&mut self, frames: u64) {
        if let Some(session) = self.living.and_then(|living| self.sessions.get_mut(living)) {
            session.channel.skip(frames);
        }
    }
}
