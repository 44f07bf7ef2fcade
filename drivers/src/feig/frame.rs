//! Frames of the FEIG ISO host protocol, both forms, and the checksum they end in.
//!
//! | form | bytes |
//! |---|---|
//! | standard | `LEN ADR CMD [STATUS] data CRClo CRChi`; `LEN` counts the whole frame, 5 to 255 |
//! | advanced | `02 LENhi LENlo ADR CMD [STATUS] data CRClo CRChi` |
//!
//! Only replies have a status; here it is the first byte of [`Frame::body`]. The protocol has no delimiter: after a
//! damaged frame nothing can be found again but by silence.

use crc::{CRC_16_MCRF4XX, Crc};

/// First byte of an advanced frame; no standard frame is that short.
const STX: u8 = 0x02;
/// Bytes of an advanced frame beside its body.
const ADVANCED: usize = 7;
/// Bytes of a standard frame beside its body.
const STANDARD: usize = 5;
/// The longest frame that is taken, bytes. The longest reply asked for here, 64 records of a buffer, is shorter.
pub const MAX_FRAME: usize = 4096;

/// The two forms of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Up to 255 bytes.
    Standard,
    /// Up to 65535 bytes.
    Advanced,
}

/// A sound frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// How it was written.
    pub form: Form,
    /// Address of the reader on its bus; 255 is any.
    pub address: u8,
    /// The command, or the command answered.
    pub command: u8,
    /// What follows: in a reply the status first.
    pub body: Vec<u8>,
}

/// Why a frame cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a frame of {bytes} bytes is longer than its form allows")]
pub struct TooLong {
    /// Bytes it would have.
    pub bytes: usize,
}

/// What is wrong with bytes that came: a fault of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FrameFault {
    /// No frame has this length.
    #[error("a frame cannot have {0} bytes")]
    Length(usize),
    /// The checksum is that of another frame.
    #[error("the checksum is wrong")]
    Checksum,
    /// The rest of a frame did not come.
    #[error("a frame broke off")]
    Broken,
}

/// The checksum.
const CRC: Crc<u16> = Crc::<u16>::new(&CRC_16_MCRF4XX);

impl Frame {
    /// The frame's bytes.
    ///
    /// # Errors
    /// When it is longer than its form can say.
    pub fn encode(&self) -> Result<Vec<u8>, TooLong> {
        let mut out = Vec::with_capacity(self.body.len() + ADVANCED);
        match self.form {
            Form::Standard => {
                let bytes = self.body.len() + STANDARD;
                out.push(u8::try_from(bytes).map_err(|_| TooLong { bytes })?);
            }
            Form::Advanced => {
                let bytes = self.body.len() + ADVANCED;
                out.push(STX);
                out.extend(u16::try_from(bytes).map_err(|_| TooLong { bytes })?.to_be_bytes());
            }
        }
        out.extend([self.address, self.command]);
        out.extend(&self.body);
        out.extend(CRC.checksum(&out).to_le_bytes());
        Ok(out)
    }
}

/// Finds frames in what comes over a line.
#[derive(Debug)]
pub struct Decoder {
    buffer: Vec<u8>,
    gap_ms: u64,
    last_ms: u64,
    // after a damaged frame: nothing makes sense until there was silence
    deaf: bool,
    bad: u64,
}

impl Decoder {
    /// A decoder that gives a frame up when nothing of it came for `gap_ms` milliseconds.
    #[must_use]
    pub const fn new(gap_ms: u64) -> Self {
        Self { buffer: Vec::new(), gap_ms, last_ms: 0, deaf: false, bad: 0 }
    }

    /// Forgets what has come, and listens.
    pub fn restart(&mut self) {
        if !self.buffer.is_empty() {
            self.bad += 1;
        }
        self.buffer.clear();
        self.deaf = false;
    }

    /// Bytes have come, at `now_ms`. What follows a damaged frame without silence between is dropped.
    pub fn push(&mut self, now_ms: u64, bytes: &[u8]) {
        if now_ms.saturating_sub(self.last_ms) >= self.gap_ms {
            self.restart();
        }
        self.last_ms = now_ms;
        if !self.deaf {
            let room = MAX_FRAME.saturating_sub(self.buffer.len());
            self.buffer.extend(bytes.iter().take(room));
            if room < bytes.len() {
                self.drop_all();
            }
        }
    }

    /// The next frame of what has come. A fault drops everything up to the next silence.
    pub fn next_frame(&mut self) -> Option<Result<Frame, FrameFault>> {
        let (form, length, least) = match *self.buffer.as_slice() {
            [] | [STX] | [STX, _] => return None,
            [STX, high, low, ..] => (Form::Advanced, usize::from(u16::from_be_bytes([high, low])), ADVANCED),
            [length, ..] => (Form::Standard, usize::from(length), STANDARD),
        };
        if length < least || length > MAX_FRAME {
            self.drop_all();
            return Some(Err(FrameFault::Length(length)));
        }
        let (whole, rest) = self.buffer.split_at_checked(length)?;
        let (content, crc) = whole.split_at_checked(length - 2)?;
        if CRC.checksum(content).to_le_bytes() != crc {
            self.drop_all();
            return Some(Err(FrameFault::Checksum));
        }
        let head = if form == Form::Advanced { 3 } else { 1 };
        let (&address, &command) = (content.get(head)?, content.get(head + 1)?);
        let body = content.get(head + 2..).unwrap_or_default().to_vec();
        let rest = rest.to_vec();
        self.buffer = rest;
        Some(Ok(Frame { form, address, command, body }))
    }

    /// Frames that were damaged, so far.
    #[must_use]
    pub const fn bad(&self) -> u64 {
        self.bad
    }

    fn drop_all(&mut self) {
        self.bad += 1;
        self.buffer.clear();
        self.deaf = true;
    }
}

#[cfg(test)]
#[path = "frame_tests.rs"]
mod tests;
