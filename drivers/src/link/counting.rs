//! A session of the link that also counts what its own counters do not tell of the line: frames, and events lost or
//! sent again.

use sabot_wire::clock::Clock;
use sabot_wire::host::{Host, Keyring};
use sabot_wire::message::Show;
use sabot_wire::witness::Checkpoint;

use super::Counters;
use super::machine::{Frame, Machine, SessionReport};

/// A session and its counters.
#[derive(Debug)]
pub(super) struct CountingHost<K> {
    host: Host<K>,
    /// Frames so far, sound or not: pieces between two delimiters.
    frames: u64,
    in_frame: bool,
    /// The last event told, and the last one known to be on disk.
    told: Option<(u32, u32)>,
    durable: Option<(u32, u32)>,
    unheard: u64,
    lost: u64,
    in_gap: bool,
}

impl<K: Keyring + Send + 'static> CountingHost<K> {
    pub(super) const fn new(host: Host<K>) -> Self {
        Self { host, frames: 0, in_frame: false, told: None, durable: None, unheard: 0, lost: 0, in_gap: false }
    }

    fn count_frames(&mut self, taken: &[u8]) {
        for byte in taken {
            self.frames += u64::from(*byte == 0 && self.in_frame);
            self.in_frame = *byte != 0;
        }
    }
}

impl<K: Keyring + Send + 'static> Machine for CountingHost<K> {
    fn opened(&mut self, now_ms: u64) {
        self.in_frame = false;
        self.in_gap = false;
        Machine::opened(&mut self.host, now_ms);
    }

    fn closed(&mut self) {
        Machine::closed(&mut self.host);
    }

    fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<SessionReport> {
        let (whole, before) = (*input, Machine::counters(&self.host));
        let said = Machine::receive(&mut self.host, now_ms, input);
        self.count_frames(whole.get(..whole.len() - input.len()).unwrap_or_default());
        let now = Machine::counters(&self.host);
        // what comes again while the disk is slow is the station's doing, and not the line's
        if self.told.is_some() && self.told == self.durable {
            self.unheard += now.repeats - before.repeats;
        }
        // whatever comes after a missing event is out of its turn: one loss, however many there are
        if now.gaps > before.gaps && !self.in_gap {
            self.in_gap = true;
            self.lost += 1;
        }
        if let Some(SessionReport::Saw { epoch, seq, .. }) = said {
            self.told = Some((epoch, seq));
            self.in_gap = false;
        }
        said
    }

    fn tick(&mut self, now_ms: u64) -> Option<SessionReport> {
        Machine::tick(&mut self.host, now_ms)
    }

    fn transmit<'o>(&mut self, now_ms: u64, out: &'o mut Frame) -> Option<&'o [u8]> {
        Machine::transmit(&mut self.host, now_ms, out)
    }

    fn wake_at(&self) -> Option<u64> {
        Machine::wake_at(&self.host)
    }

    fn online(&self) -> bool {
        Machine::online(&self.host)
    }

    fn is_answered(&self) -> bool {
        Machine::is_answered(&self.host)
    }

    fn stops_at(&self) -> Option<&'static str> {
        Machine::stops_at(&self.host)
    }

    fn counters(&self) -> Counters {
        let counted = Machine::counters(&self.host);
        Counters { frames: self.frames, unheard: self.unheard, lost: self.lost, ..counted }
    }

    fn clock(&self) -> Option<Clock> {
        Machine::clock(&self.host)
    }

    fn stood_still(&mut self, now_ms: u64, ms: u64) {
        Machine::stood_still(&mut self.host, now_ms, ms);
    }

    fn durable(&mut self, epoch: u32, seq: u32) {
        self.durable = Some((epoch, seq));
        Machine::durable(&mut self.host, epoch, seq);
    }

    fn show(&mut self, show: Show) {
        Machine::show(&mut self.host, show);
    }

    fn witness(&mut self, shown: Option<Checkpoint>) {
        Machine::witness(&mut self.host, shown);
    }
}
