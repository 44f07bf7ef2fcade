//! What is asked of a reader and what it answers, as far as this driver speaks it.

use super::frame::{Form, Frame, TooLong};

/// Address that any reader answers to.
pub const ANY_READER: u8 = 0xFF;
/// Command of the frames a reader sends unasked, to show that it lives.
pub const KEEP_ALIVE: u8 = 0x6E;
/// `TR-TYPE` of an ISO 15693 tag.
pub const ISO_15693: u8 = 0x03;
/// The bit of a reader's `TR-TYPE` word that says it reads ISO 15693.
pub const READS_ISO_15693: u16 = 1 << 3;

/// Tags one inventory may have, and one reader remember.
pub const MAX_TAGS: usize = 256;

/// A request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// 66, mode 00: versions, and which tags it reads.
    Info,
    /// 66, mode 80: the number of the device.
    DeviceId,
    /// 80: a page of the configuration that is in force.
    Config(u8),
    /// 52: answered and without effect, a sign of life.
    BaudDetect,
    /// 69: the field off and on, which wakes tags told to be silent.
    RfReset,
    /// B0 01: the tags in the field.
    Inventory {
        /// Those that did not fit in the last reply.
        more: bool,
    },
    /// B0 23: blocks of a tag's memory.
    ReadBlocks {
        /// Of this tag; else of the only one.
        uid: Option<u64>,
        /// First block.
        first: u8,
        /// How many.
        count: u8,
    },
    /// 22: records of the reader's buffer, the oldest first; they stay there.
    ReadBuffer {
        /// How many at the most.
        sets: u16,
    },
    /// 32: the records last read leave the buffer.
    ClearBuffer,
}

impl Request {
    /// The byte of the command.
    #[must_use]
    pub const fn command(self) -> u8 {
        match self {
            Self::Info | Self::DeviceId => 0x66,
            Self::Config(_) => 0x80,
            Self::BaudDetect => 0x52,
            Self::RfReset => 0x69,
            Self::Inventory { .. } | Self::ReadBlocks { .. } => 0xB0,
            Self::ReadBuffer { .. } => 0x22,
            Self::ClearBuffer => 0x32,
        }
    }

    /// The bytes of the request, for the reader of that address.
    ///
    /// # Errors
    /// Never: no request is that long.
    pub fn encode(self, address: u8) -> Result<Vec<u8>, TooLong> {
        let body = match self {
            Self::Info | Self::BaudDetect => vec![0x00],
            Self::DeviceId => vec![0x80],
            Self::Config(page) => vec![page],
            Self::RfReset | Self::ClearBuffer => Vec::new(),
            Self::Inventory { more } => vec![0x01, if more { 0x80 } else { 0x00 }],
            Self::ReadBlocks { uid, first, count } => {
                let mut body = vec![0x23, u8::from(uid.is_some())];
                body.extend(uid.iter().flat_map(|uid| uid.to_be_bytes()));
                body.extend([first, count]);
                body
            }
            Self::ReadBuffer { sets } => sets.to_be_bytes().to_vec(),
        };
        Frame { form: Form::Advanced, address, command: self.command(), body }.encode()
    }
}

/// What a reader reports of itself with every reply. A fault the device itself reports is none of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Status {
    /// 00.
    #[error("ok")]
    Ok,
    /// 01.
    #[error("no tag in the field")]
    NoTag,
    /// 02.
    #[error("a tag's answer was damaged")]
    TagCrc,
    /// 04.
    #[error("no such block")]
    Address,
    /// 0F.
    #[error("the reader is busy")]
    Busy,
    /// 80.
    #[error("the reader does not know the command, or not in its present mode")]
    UnknownCommand,
    /// 81.
    #[error("the reader finds the request too long or too short")]
    Length,
    /// 83.
    #[error("the talk between reader and tag failed")]
    RfCommunication,
    /// 84: antenna badly tuned, or its cable.
    #[error("the reader warns of its antenna")]
    RfWarning,
    /// 92.
    #[error("nothing in the buffer")]
    NoValidData,
    /// 93.
    #[error("the reader's buffer has overflowed")]
    BufferOverflow,
    /// 94.
    #[error("there is more than fits in one reply")]
    More,
    /// 95, with the tag's own code.
    #[error("the tag reports error {0:02X}")]
    TagError(u8),
    /// Any other.
    #[error("the reader reports {0:02X}")]
    Other(u8),
}

/// A reply whose frame is sound and whose content makes no sense: a fault of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReplyFault {
    /// Bytes are missing.
    #[error("the reply is too short")]
    Short,
    /// Bytes are left over.
    #[error("the reply is too long")]
    Long,
    /// A tag of another kind where only ISO 15693 is read.
    #[error("a tag of type {0:02X}")]
    TagType(u8),
    /// Records without the identifier of the tag.
    #[error("the reader's buffer is set up without identifiers")]
    NoIdentifier,
    /// Records without the antenna, where it tells the spot.
    #[error("the reader's buffer is set up without antennas")]
    NoAntenna,
}

/// What an answer is not: one that can be used. The device's own report, or a fault of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// The device reports it.
    #[error("{0}")]
    Device(Status),
    /// The answer makes no sense.
    #[error(transparent)]
    Reply(#[from] ReplyFault),
    /// More tags than any spot has room for.
    #[error("more than {MAX_TAGS} tags in one field")]
    TooManyTags,
    /// It says that there are more tags, and tells none that it has not told, or comes to no end.
    #[error("the reader says that there are more tags, and tells no other or comes to no end")]
    NoOther,
}

/// Status and data of a reply.
///
/// # Errors
/// When there is no status.
pub fn split(body: &[u8]) -> Result<(Status, &[u8]), ReplyFault> {
    let (&code, data) = body.split_first().ok_or(ReplyFault::Short)?;
    let status = match code {
        0x00 => Status::Ok,
        0x01 => Status::NoTag,
        0x02 => Status::TagCrc,
        0x04 => Status::Address,
        0x0F => Status::Busy,
        0x80 => Status::UnknownCommand,
        0x81 => Status::Length,
        0x83 => Status::RfCommunication,
        0x84 => Status::RfWarning,
        0x92 => Status::NoValidData,
        0x93 => Status::BufferOverflow,
        0x94 => Status::More,
        0x95 => Status::TagError(data.first().copied().unwrap_or(0)),
        other => Status::Other(other),
    };
    Ok((status, data))
}

/// What a reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Info {
    /// Version of its firmware, and of the firmware's development.
    pub version: [u8; 3],
    /// Model.
    pub model: u8,
    /// Bits of the kinds of tag it reads.
    pub tags: u16,
}

/// Takes bytes off the front of a reply.
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], ReplyFault> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(ReplyFault::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, ReplyFault> {
        Ok(self.take(1)?.first().copied().unwrap_or(0))
    }

    pub(super) fn number<const N: usize>(&mut self) -> Result<[u8; N], ReplyFault> {
        self.take(N)?.try_into().map_err(|_| ReplyFault::Short)
    }

    pub(super) fn end(&self) -> Result<(), ReplyFault> {
        if self.0.is_empty() { Ok(()) } else { Err(ReplyFault::Long) }
    }
}

/// The answer to [`Request::Info`] has fewer bytes, that to [`Request::DeviceId`] as many or more: both answer the same
/// command, and a late one must not be taken for the other.
const DEVICE_ID_LEAST: usize = 12;

/// Reads the answer to [`Request::Info`]; sizes of buffers may follow and are passed over.
///
/// # Errors
/// When it is too short or long.
pub fn info(data: &[u8]) -> Result<Info, ReplyFault> {
    if data.len() >= DEVICE_ID_LEAST {
        return Err(ReplyFault::Long);
    }
    let mut data = Bytes(data);
    let version = data.number()?;
    let _hardware = data.byte()?;
    let model = data.byte()?;
    Ok(Info { version, model, tags: u16::from_be_bytes(data.number()?) })
}

/// Reads the answer to [`Request::DeviceId`].
///
/// # Errors
/// When it is too short.
pub fn device_id(data: &[u8]) -> Result<u32, ReplyFault> {
    if data.len() < DEVICE_ID_LEAST {
        return Err(ReplyFault::Short);
    }
    Ok(u32::from_be_bytes(Bytes(data).number()?))
}

/// Reads the answer to [`Request::Inventory`]: the identifiers of the tags.
///
/// # Errors
/// When it is too short or long, or a tag is no ISO 15693 one.
pub fn inventory(data: &[u8]) -> Result<Vec<u64>, ReplyFault> {
    let mut data = Bytes(data);
    let count = data.byte()?;
    let mut tags = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        let kind = data.byte()?;
        if kind != ISO_15693 {
            return Err(ReplyFault::TagType(kind));
        }
        let _dsfid = data.byte()?;
        tags.push(u64::from_be_bytes(data.number()?));
    }
    data.end()?;
    Ok(tags)
}

/// Reads the answer to [`Request::ReadBlocks`]: each block with its security byte.
///
/// # Errors
/// When it is too short or long.
pub fn blocks(data: &[u8]) -> Result<Vec<(u8, Vec<u8>)>, ReplyFault> {
    let mut data = Bytes(data);
    let (count, size) = (data.byte()?, data.byte()?);
    let mut blocks = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        let security = data.byte()?;
        blocks.push((security, data.take(usize::from(size))?.to_vec()));
    }
    data.end()?;
    Ok(blocks)
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
