//! The records of a reader's buffer: what it saw while it watched by itself.
//!
//! A reply to [`Request::ReadBuffer`](super::message::Request::ReadBuffer) is the flags `TR-DATA1`, with its highest
//! bit `TR-DATA2`, the number of records in two bytes, and the records:
//!
//! | flag | field | bytes |
//! |---|---|---|
//! | | length, itself included | 2 |
//! | 01 | `TR-TYPE`, `IDDT`, `IDD-LEN`, identifier | 3 and `IDD-LEN` |
//! | 02 | blocks: how many, size, data | 2, 1, their product |
//! | 20 | time | 4 |
//! | 40 | date | 5 |
//! | 10 | antenna: a number, or a bit for each | 1 |
//!
//! With `TR-DATA2` 04 the identifier begins with AFI and DSFID, which `IDD-LEN` counts: it is 10 then. What `TR-DATA2`
//! adds behind the antenna is passed over by the length. Flag 08 turns the bytes of blocks, never the identifier.

use super::message::{Bytes, ISO_15693, ReplyFault};

const IDENTIFIER: u8 = 0x01;
const BLOCKS: u8 = 0x02;
const ANTENNA: u8 = 0x10;
const TIME: u8 = 0x20;
const DATE: u8 = 0x40;
const EXTENDED: u8 = 0x80;
/// Of `TR-DATA2`.
const AFI: u8 = 0x04;

/// A record: a tag that was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sighting {
    /// Identifier of the tag.
    pub uid: u64,
    /// The byte of the antenna, where the reader is set up to tell it.
    pub antenna: Option<u8>,
}

/// How the byte of the antenna is meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AntennaByte {
    /// The number of one, from 1.
    #[default]
    Number,
    /// A bit for each that saw the tag: the lowest is the first.
    Bits,
}

impl AntennaByte {
    /// Whether the byte names an antenna, by its number from 1.
    #[must_use]
    pub const fn names(self, byte: u8, antenna: u8) -> bool {
        match self {
            Self::Number => byte == antenna,
            Self::Bits => antenna >= 1 && antenna <= 8 && byte >> (antenna - 1) & 1 == 1,
        }
    }
}

/// Reads the records of a reply.
///
/// # Errors
/// When it is too short or long, or has no identifiers.
pub fn sightings(data: &[u8]) -> Result<Vec<Sighting>, ReplyFault> {
    let mut data = Bytes(data);
    let fields = data.byte()?;
    let more_fields = if fields & EXTENDED == 0 { 0 } else { data.byte()? };
    if fields & IDENTIFIER == 0 {
        return Err(ReplyFault::NoIdentifier);
    }
    let count = u16::from_be_bytes(data.number()?);
    let mut sightings = Vec::new();
    for _ in 0..count {
        let length = usize::from(u16::from_be_bytes(data.number()?));
        let record = Bytes(data.take(length.checked_sub(2).ok_or(ReplyFault::Short)?)?);
        sightings.push(sighting(record, fields, more_fields)?);
    }
    data.end()?;
    Ok(sightings)
}

fn sighting(mut record: Bytes<'_>, fields: u8, more_fields: u8) -> Result<Sighting, ReplyFault> {
    let kind = record.byte()?;
    let _iddt = record.byte()?;
    let afi = if more_fields & AFI == 0 { 0 } else { 2 };
    if kind != ISO_15693 || record.byte()? != 8 + afi {
        return Err(ReplyFault::TagType(kind));
    }
    record.take(afi.into())?;
    let uid = u64::from_be_bytes(record.number()?);
    if fields & BLOCKS != 0 {
        let blocks = u16::from_be_bytes(record.number()?);
        let size = record.byte()?;
        record.take(usize::from(blocks) * usize::from(size))?;
    }
    for (flag, bytes) in [(TIME, 4), (DATE, 5)] {
        if fields & flag != 0 {
            record.take(bytes)?;
        }
    }
    let antenna = if fields & ANTENNA == 0 { None } else { Some(record.byte()?) };
    Ok(Sighting { uid, antenna })
}

#[cfg(test)]
#[path = "records_tests.rs"]
mod tests;
