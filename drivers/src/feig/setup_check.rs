//! What a reader is set up for: pages of its configuration (command 80), and what of them does not fit.
//!
//! Pages, bytes and bits are those of the makers' manuals and of their own program's tables. A page that a model does
//! not have, or keeps to itself, is passed over: what it would say is then not known.

use super::Setup;
use super::message::ReplyFault;

/// Bytes of a page.
const PAGE: usize = 14;
/// The pages that are asked for, in order. Those of buffered readers are asked of these alone.
const POLLED: [u8; 4] = [CFG1, CFG3, CFG4, CFG5];
const BUFFERED: [u8; 6] = [CFG1, CFG3, CFG4, CFG11, CFG12, CFG15];
const CFG1: u8 = 1;
const CFG3: u8 = 3;
const CFG4: u8 = 4;
const CFG5: u8 = 5;
const CFG11: u8 = 11;
const CFG12: u8 = 12;
const CFG15: u8 = 15;

/// `TR-RESPONSE-TIME` as readers leave the factory, milliseconds. It is assumed of one that does not tell.
pub(super) const FACTORY_RESPONSE_MS: u64 = 3000;
/// A full stack is read in less, milliseconds; and one that is dead is not waited for much longer.
const GOOD_RESPONSE_MS: std::ops::RangeInclusive<u64> = 500..=1000;
/// A chip that lies still is recorded anew each Valid-Time; it may then be missed for so long, milliseconds.
const HOLD_OVER_VALID_MS: u64 = 1000;

/// What a reader has told of its configuration so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pages {
    told: Vec<(u8, [u8; PAGE])>,
}

/// A setting with which a reader cannot be used.
pub(super) struct Impossible(pub(super) String);

impl Pages {
    /// The page that is asked for after `before`.
    pub(super) fn next(setup: &Setup, before: Option<u8>) -> Option<u8> {
        let pages: &[u8] = if setup.buffered { &BUFFERED } else { &POLLED };
        let at =
            before.map_or(0, |before| pages.iter().position(|page| *page == before).map_or(pages.len(), |at| at + 1));
        pages.get(at).copied()
    }

    /// Takes a page.
    pub(super) fn take(&mut self, page: u8, data: &[u8]) -> Result<(), ReplyFault> {
        let bytes =
            data.try_into().map_err(|_| if data.len() < PAGE { ReplyFault::Short } else { ReplyFault::Long })?;
        self.told.push((page, bytes));
        Ok(())
    }

    fn byte(&self, page: u8, at: usize) -> Option<u8> {
        let (_, bytes) = self.told.iter().find(|(told, _)| *told == page)?;
        bytes.get(at).copied()
    }

    fn bit(&self, page: u8, at: usize, bit: u8) -> Option<bool> {
        self.byte(page, at).map(|byte| byte >> bit & 1 == 1)
    }

    /// Two bytes, a time in tenths of a second.
    fn tenths_ms(&self, page: u8, at: usize) -> Option<u64> {
        let number = u16::from_be_bytes([self.byte(page, at)?, self.byte(page, at + 1)?]);
        Some(u64::from(number) * 100)
    }

    /// After so long the reader has answered any request for tags, milliseconds.
    pub(super) fn response_ms(&self) -> u64 {
        self.tenths_ms(CFG1, 6).filter(|ms| *ms > 0).unwrap_or(FACTORY_RESPONSE_MS)
    }

    /// It keeps tags silent that it has read. One that does not tell is taken to.
    pub(super) fn is_ont(&self) -> bool {
        self.bit(CFG5, 11, 0).unwrap_or(true)
    }

    /// For how long a chip lies there that was recorded, milliseconds: longer than the reader waits to record it anew.
    pub(super) fn hold_ms(&self, setup: &Setup) -> u64 {
        self.tenths_ms(CFG12, 0).map_or(setup.hold_ms, |valid| setup.hold_ms.max(valid + HOLD_OVER_VALID_MS))
    }

    /// What does not fit, and what to change, in words.
    pub(super) fn check(&self, setup: &Setup) -> Result<Vec<String>, Impossible> {
        if self.bit(CFG3, 1, 3) == Some(false) {
            let what =
                "its driver for ISO 15693 tags is off: switch it on (CFG3, byte 1, bit 3) with the maker's program";
            return Err(Impossible(what.to_owned()));
        }
        if setup.buffered && self.bit(CFG11, 0, 0) == Some(false) {
            let what = "its records have no identifiers: set the bit for them in TR-DATA1 (CFG11, byte 0, bit 0)";
            return Err(Impossible(what.to_owned()));
        }
        let by_antenna = setup.spots.iter().any(|spot| spot.antenna.is_some());
        if by_antenna && self.bit(CFG11, 0, 4) == Some(false) {
            let what = "its records have no antenna: set the bit for it in TR-DATA1 (CFG11, byte 0, bit 4)";
            return Err(Impossible(what.to_owned()));
        }
        let (response, valid) = (self.tenths_ms(CFG1, 6), self.tenths_ms(CFG12, 0));
        let advice = [
            response.filter(|ms| !GOOD_RESPONSE_MS.contains(ms)).map(response_advice),
            when(
                self.bit(CFG4, 4, 4) == Some(true),
                "it looks for tags in one slot, and finds but one of several: set 16 timeslots (CFG4, byte 4, bit 4 off)",
            ),
            when(
                self.bit(CFG4, 4, 5) == Some(true),
                "it passes over tags of another AFI than its own: switch AFI off (CFG4, byte 4, bit 5)",
            ),
            when(
                self.bit(CFG5, 11, 0) == Some(true),
                "it keeps tags silent that it has read (ONT), and its field is reset before each inventory: switch ONT \
                 off (CFG5, byte 11, bit 0)",
            ),
            valid
                .filter(|valid| valid + HOLD_OVER_VALID_MS > setup.hold_ms)
                .map(|valid| valid_time_advice(valid, setup.hold_ms)),
            when(
                by_antenna && self.multiplexer_differs(setup),
                "its multiplexer setting (CFG15, byte 0, bit 0) is not that of `multiplexer` in the configuration: \
                 antennas may be taken for others",
            ),
        ];
        Ok(advice.into_iter().flatten().collect())
    }

    fn multiplexer_differs(&self, setup: &Setup) -> bool {
        let wanted = setup.antennas == super::records::AntennaByte::Bits;
        self.bit(CFG15, 0, 0).is_some_and(|is_on| is_on != wanted)
    }
}

fn when(is: bool, what: &str) -> Option<String> {
    is.then(|| what.to_owned())
}

fn seconds(ms: u64) -> String {
    format!("{}.{} s", ms / 1000, ms % 1000 / 100)
}

fn response_advice(ms: u64) -> String {
    let what = if ms < *GOOD_RESPONSE_MS.start() {
        "a full stack is not read in that time"
    } else {
        "one that is dead is noticed only after it"
    };
    format!(
        "its TR-RESPONSE-TIME is {}, and {what}: set 0.5 s for 20 chips a spot, 1.0 s for 60 (CFG1, bytes 6 and 7: 5, \
         10)",
        seconds(ms)
    )
}

fn valid_time_advice(valid: u64, hold_ms: u64) -> String {
    let needs = valid + HOLD_OVER_VALID_MS;
    format!(
        "its VALID-TIME is {}, and a chip that lies still would be taken away after hold_ms = {hold_ms}: {needs} ms \
         are taken instead. Write hold_ms = {needs}, or set a shorter VALID-TIME (CFG12, bytes 0 and 1)",
        seconds(valid)
    )
}

#[cfg(test)]
#[path = "setup_check_tests.rs"]
mod tests;
