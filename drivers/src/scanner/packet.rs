//! Packets of Zebra's Simple Serial Interface: `len opcode source status data ckHi ckLo`.
//!
//! `len` counts everything but the checksum, which is the two's complement of the sum of all bytes before it, in 16
//! bits. There is no delimiter: after a damaged packet nothing can be found again but by silence.

/// Bytes before the data.
const HEAD: usize = 4;
/// Bytes after it.
const CHECKSUM: usize = 2;
/// The most data of a packet, bytes.
pub const MAX_DATA: usize = u8::MAX as usize - HEAD;
/// The longest packet with its checksum, bytes.
pub const MAX_PACKET: usize = u8::MAX as usize + CHECKSUM;
/// Silence after which the rest of a packet will not come, milliseconds: the 16 ms for which an adapter may hold bytes
/// back, and twice as many again. At 9600 baud a byte takes one.
pub const GAP_MS: u64 = 48;

/// Wakes a scanner that sleeps; no packet, and no answer.
pub const WAKE: u8 = 0x00;
/// Source of what the host sends.
pub const HOST: u8 = 0x04;
/// Source of what the scanner sends.
pub const SCANNER: u8 = 0x00;
/// Status bit: this packet is sent once more.
pub const AGAIN: u8 = 0x01;
/// Status bit: more packets follow that belong to this one.
pub const CONTINUED: u8 = 0x02;

/// What packets are for.
pub mod opcode {
    /// Host: what software do you run?
    pub const REQUEST_REVISION: u8 = 0xA3;
    /// Scanner: this, as text.
    pub const REPLY_REVISION: u8 = 0xA4;
    /// Either: understood.
    pub const ACK: u8 = 0xD0;
    /// Either: not understood, or not done; one byte says why.
    pub const NAK: u8 = 0xD1;
    /// Host: begin to scan.
    pub const START_SESSION: u8 = 0xE4;
    /// Host: scan no more.
    pub const STOP_SESSION: u8 = 0xE5;
    /// Scanner: this was read; one byte for the kind of symbol, then its text.
    pub const DECODE_DATA: u8 = 0xF3;
}

/// Why something is not understood or not done.
pub mod cause {
    /// The checksum was wrong: send it again.
    pub const RESEND: u8 = 1;
    /// Not now, or not known.
    pub const BAD_CONTEXT: u8 = 2;
    /// Not allowed.
    pub const DENIED: u8 = 6;
}

/// A sound packet.
#[derive(Clone, PartialEq, Eq)]
pub struct Packet {
    /// What it is for.
    pub opcode: u8,
    /// Who sent it.
    pub source: u8,
    /// Bits about its sending.
    pub status: u8,
    /// What follows, [`MAX_DATA`] bytes at the most.
    pub data: Vec<u8>,
}

/// Nothing of what was read is shown.
impl std::fmt::Debug for Packet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { opcode, source, status, data } = self;
        write!(f, "Packet({opcode:02X} from {source:02X}, status {status:02X}, {} bytes)", data.len())
    }
}

/// What is wrong with bytes that came: a fault of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PacketFault {
    /// No packet is so short.
    #[error("a packet cannot have {0} bytes")]
    Length(u8),
    /// The checksum is that of another packet.
    #[error("the checksum is wrong")]
    Checksum,
    /// The rest of a packet did not come.
    #[error("a packet broke off")]
    Broken,
}

/// The checksum of a packet's bytes.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0_u16, |sum, &byte| sum.wrapping_sub(u16::from(byte)))
}

impl Packet {
    /// A packet of the host.
    #[must_use]
    pub const fn from_host(opcode: u8, status: u8, data: Vec<u8>) -> Self {
        Self { opcode, source: HOST, status, data }
    }

    /// Its bytes; `None` where it has too much data.
    #[must_use]
    pub fn encode(&self) -> Option<Vec<u8>> {
        let length = u8::try_from(self.data.len() + HEAD).ok()?;
        let mut out = vec![length, self.opcode, self.source, self.status];
        out.extend(&self.data);
        out.extend(checksum(&out).to_be_bytes());
        Some(out)
    }
}

/// Finds packets in what comes over a line.
#[derive(Default)]
pub struct Decoder {
    buffer: Vec<u8>,
    last_ms: u64,
    /// After a damaged packet nothing makes sense until there was silence.
    damaged: Option<PacketFault>,
    bad: u64,
}

/// Nothing of what was read is shown.
impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Decoder({} bytes, {:?}, {} bad)", self.buffer.len(), self.damaged, self.bad)
    }
}

impl Decoder {
    /// Forgets what has come, and listens.
    pub fn restart(&mut self) {
        self.buffer.clear();
        self.damaged = None;
    }

    /// When what has begun counts as damaged, unless more comes.
    #[must_use]
    pub fn silent_at(&self) -> Option<u64> {
        (self.damaged.is_some() || !self.buffer.is_empty()).then_some(self.last_ms + GAP_MS)
    }

    /// The line has been silent until `now_ms`: what is wrong with what came before, if anything is. Told once.
    pub fn settle(&mut self, now_ms: u64) -> Option<PacketFault> {
        if self.silent_at().is_none_or(|at| at > now_ms) {
            return None;
        }
        let fault = self.damaged.take().unwrap_or(PacketFault::Broken);
        self.buffer.clear();
        self.bad += 1;
        Some(fault)
    }

    /// Bytes have come, at `now_ms`, after [`Decoder::settle`]. What follows a damaged packet is dropped.
    pub fn push(&mut self, now_ms: u64, bytes: &[u8]) {
        self.last_ms = now_ms;
        if self.damaged.is_none() {
            self.buffer.extend(bytes);
        }
    }

    /// The next packet of what has come. A damaged one drops everything up to the next silence.
    pub fn next_packet(&mut self) -> Option<Packet> {
        let woken = self.buffer.iter().take_while(|&&byte| byte == WAKE).count();
        self.buffer.drain(..woken);
        let length = *self.buffer.first()?;
        let end = usize::from(length);
        if end < HEAD {
            self.drop_all(PacketFault::Length(length));
            return None;
        }
        let whole = self.buffer.get(..end + CHECKSUM)?;
        let (content, sum) = whole.split_at_checked(end)?;
        if checksum(content).to_be_bytes() != sum {
            self.drop_all(PacketFault::Checksum);
            return None;
        }
        let &[_, opcode, source, status, ref data @ ..] = content else { return None };
        let packet = Packet { opcode, source, status, data: data.to_vec() };
        self.buffer.drain(..end + CHECKSUM);
        Some(packet)
    }

    /// Packets that were damaged, so far.
    #[must_use]
    pub const fn bad(&self) -> u64 {
        self.bad
    }

    fn drop_all(&mut self, fault: PacketFault) {
        self.damaged = Some(fault);
        self.buffer.clear();
    }
}

#[cfg(test)]
#[path = "packet_tests.rs"]
mod tests;
