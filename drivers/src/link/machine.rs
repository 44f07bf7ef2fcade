//! What the supervision needs of a session, whatever protocol it speaks.

use sabot_wire::SILENCE_MS;
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::host::{Host, Missed, Report};
use sabot_wire::message::{DeviceHello, Observation, Show};

use super::Counters;

/// Room for one frame to a device.
pub type Frame = [u8; MAX_FRAME];

/// What a session tells.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly every one is the large one, and a box each would be slower")]
pub enum Said {
    /// The device is there and the right one.
    Online {
        /// What it says of itself.
        hello: DeviceHello,
        /// Events that will never come.
        missed: Option<Missed>,
    },
    /// Another device answers; in words.
    Refused(String),
    /// An event.
    Saw {
        /// Epoch of the device's ring, or of this session.
        epoch: u32,
        /// Sequence number within it.
        seq: u32,
        /// The device's clock, or the session's, milliseconds.
        at_ms: u32,
        /// What was seen.
        saw: Observation,
    },
    /// It no longer answers; in words.
    Silent(String),
}

/// A session: bytes in, bytes out, time an argument (milliseconds of any clock that does not go back).
pub trait Machine: Send + 'static {
    /// The line is open.
    fn opened(&mut self, now_ms: u64);
    /// The line is closed.
    fn closed(&mut self);
    /// Takes bytes and gives what they tell. Called until it gives nothing; `input` is used up then.
    fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<Said>;
    /// Time has passed.
    fn tick(&mut self, now_ms: u64) -> Option<Said>;
    /// The next frame that is due.
    fn transmit<'o>(&mut self, now_ms: u64, out: &'o mut Frame) -> Option<&'o [u8]>;
    /// When the session has something to do, at the latest.
    fn wake_at(&self) -> Option<u64>;
    /// Whether the device is there and the right one.
    fn online(&self) -> bool;
    /// What came so far; times the device came back are counted by the supervision.
    fn counters(&self) -> Counters;
    /// Every event up to and with `seq` of `epoch` is on disk.
    fn durable(&mut self, epoch: u32, seq: u32);
    /// For a display.
    fn show(&mut self, show: Show);
}

impl Machine for Host {
    fn opened(&mut self, now_ms: u64) {
        Self::opened(self, now_ms);
    }

    fn closed(&mut self) {
        Self::closed(self);
    }

    fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<Said> {
        Self::receive(self, now_ms, input).map(said)
    }

    fn tick(&mut self, now_ms: u64) -> Option<Said> {
        Self::tick(self, now_ms).map(said)
    }

    fn transmit<'o>(&mut self, now_ms: u64, out: &'o mut Frame) -> Option<&'o [u8]> {
        Self::transmit(self, now_ms, out)
    }

    fn wake_at(&self) -> Option<u64> {
        Self::wake_at(self)
    }

    fn online(&self) -> bool {
        Self::online(self)
    }

    fn counters(&self) -> Counters {
        let counted = Self::counters(self);
        Counters {
            events: counted.events,
            bad_frames: counted.bad_frames,
            repeats: counted.repeats,
            gaps: counted.gaps,
            ignored: counted.ignored,
            ..Counters::default()
        }
    }

    fn durable(&mut self, epoch: u32, seq: u32) {
        Self::durable(self, epoch, seq);
    }

    fn show(&mut self, show: Show) {
        Self::show(self, show);
    }
}

fn said(report: Report) -> Said {
    match report {
        Report::Online { hello, missed } => Said::Online { hello, missed },
        Report::Refused(refusal) => Said::Refused(refusal.to_string()),
        Report::Saw { epoch, seq, at_ms, saw } => Said::Saw { epoch, seq, at_ms, saw },
        Report::Silent => {
            Said::Silent(format!("no answer for {SILENCE_MS} ms, though the port is open: check power and cable"))
        }
    }
}
