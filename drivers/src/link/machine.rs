//! What the supervision needs of a session, whatever protocol it speaks.

use sabot_wire::clock::Clock;
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::host::{Host, Keyring, Missed, Reached, Refusal, Report, Withheld};
use sabot_wire::message::{DeviceHello, Image, Role, Show, Started};
use sabot_wire::witness::{Checkpoint, Keeps};
use sabot_wire::{PROTOCOL, SCHEMA_4, SILENCE_MS};
use sabot_words::Times;

use super::Counters;
use crate::saw::{Picture, ReadRate, Saw};

/// Room for one frame to a device.
pub type Frame = [u8; MAX_FRAME];

/// What a session tells.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly every one is the large one, and a box each would be slower")]
pub enum SessionReport {
    /// The device is there and the right one.
    Online {
        /// What it says of itself.
        hello: DeviceHello,
        /// Why it has started, where its protocol tells.
        started: Started,
        /// What it runs, where its protocol tells.
        image: Option<Image>,
        /// Events that will never come.
        missed: Option<Missed>,
        /// It keeps what it sees while nobody hears it: [`SessionReport::CaughtUp`] follows once all that is told.
        keeps: bool,
    },
    /// Everything that the device kept while nobody heard it has been told.
    CaughtUp,
    /// Another device answers.
    Refused {
        /// Why it is refused, in words.
        why: String,
        /// What of that makes it suspect.
        distrust: Option<Distrust>,
    },
    /// A frame was played again or invented: somebody is at the cable.
    Forged,
    /// An event.
    Saw {
        /// Epoch of the device's ring, or of this session.
        epoch: u32,
        /// Sequence number within it.
        seq: u32,
        /// The device's clock, or the session's, milliseconds.
        at_ms: u32,
        /// How long ago it was seen, milliseconds, where that is known.
        age_ms: Option<u32>,
        /// What was seen; none where what the device says of that means nothing.
        saw: Option<Saw>,
    },
    /// What the card of an event looked like. It comes after the event, once the card has left.
    Picture {
        /// Epoch of the event.
        epoch: u32,
        /// Its number.
        seq: u32,
        /// The picture.
        jpeg: Picture,
    },
    /// Something of the device's own setting does not fit; what, and what to change, in words.
    Advice(String),
    /// Events that will never come, found out within the session.
    Missed(Missed),
    /// Something that the device has said does not come: somebody stands in between.
    Withheld(Withheld),
    /// The event just told was seen so long before, and nothing here held it up.
    Late {
        /// How long, milliseconds.
        age_ms: u32,
    },
    /// The device's clock has gone back: its times are not used until it starts again.
    ClockWentBack,
    /// It says which checkpoints of records it keeps.
    Keeps(Keeps),
    /// It no longer answers; in words.
    Silent(String),
}

impl SessionReport {
    /// A device is there whose own protocol numbers nothing and keeps nothing: what it sees is numbered by the session,
    /// from `oldest` on under `epoch`. A serial number that is too long is left out.
    pub(crate) fn online_numbered_here(role: Role, serial: &str, firmware: [u8; 3], epoch: u32, oldest: u32) -> Self {
        let hello = DeviceHello {
            protocol: PROTOCOL,
            role,
            serial: heapless::String::try_from(serial).unwrap_or_default(),
            firmware,
            schema: SCHEMA_4,
            boots: 0,
            epoch,
            oldest,
        };
        Self::Online { hello, started: Started::Unknown, image: None, missed: None, keeps: false }
    }
}

/// Why a device that is refused may not be what it seems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distrust {
    /// It was never given a key that this station knows.
    Unpaired,
    /// It is another than the one that belongs there, or does not hold its key.
    Swapped,
    /// It speaks an older version of the link, which is not sealed.
    Downgraded,
}

/// Of a device whose clear frames come whole and cannot be read.
pub(crate) const MISSPOKEN: &str = "its frames come whole, and are no messages of the link: a serial number longer than \
                                    16 characters is none, for one; `sabot device conform` says what is wrong";

/// A session: bytes in, bytes out, time an argument (milliseconds of any clock that does not go back).
pub trait Machine: Send + 'static {
    /// The line is open.
    fn opened(&mut self, now_ms: u64);
    /// The line is closed.
    fn closed(&mut self);
    /// Takes bytes and gives what they tell. Called until it gives nothing; `input` is used up then.
    fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<SessionReport>;
    /// Time has passed.
    fn tick(&mut self, now_ms: u64) -> Option<SessionReport>;
    /// The next frame that is due.
    fn transmit<'o>(&mut self, now_ms: u64, out: &'o mut Frame) -> Option<&'o [u8]>;
    /// When the session has something to do, at the latest.
    fn wake_at(&self) -> Option<u64>;
    /// Whether the device is there and the right one.
    fn online(&self) -> bool;
    /// Whether a device has proved itself, and only the rest of its handshake has yet to come.
    fn is_answered(&self) -> bool {
        false
    }
    /// Where a device that has been heard goes no further, in words.
    fn stops_at(&self) -> Option<&'static str> {
        None
    }
    /// What came so far; times the device came back are counted by the supervision.
    fn counters(&self) -> Counters;
    /// How well the tags of each spot are read, where it reads any.
    fn read_rates(&self) -> Vec<ReadRate> {
        Vec::new()
    }
    /// How long it took each time to ask every reader of the line, where there are any.
    fn rounds(&self) -> Option<Times> {
        None
    }
    /// The device's clock beside the session's, where it has one.
    fn clock(&self) -> Option<Clock> {
        None
    }
    /// How wrong the ages of its events can be, milliseconds; nothing where none is known.
    fn ages_within_ms(&self) -> Option<u32> {
        self.clock().map(|clock| clock.within_ms)
    }
    /// The session's milliseconds have stood still for so many while the world went on.
    fn stood_still(&mut self, _now_ms: u64, _ms: u64) {}
    /// Every event up to and with `seq` of `epoch` is on disk.
    fn durable(&mut self, epoch: u32, seq: u32);
    /// For a display.
    fn show(&mut self, show: Show);
    /// For a device that keeps checkpoints of the record: one, or nothing, which asks for the one that it keeps.
    fn witness(&mut self, _shown: Option<Checkpoint>) {}
}

impl<K: Keyring + Send + 'static> Machine for Host<K> {
    fn opened(&mut self, now_ms: u64) {
        Self::opened(self, now_ms);
    }

    fn closed(&mut self) {
        Self::closed(self);
    }

    fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<SessionReport> {
        Self::receive(self, now_ms, input).map(said)
    }

    fn tick(&mut self, now_ms: u64) -> Option<SessionReport> {
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

    fn is_answered(&self) -> bool {
        Self::is_answered(self)
    }

    fn stops_at(&self) -> Option<&'static str> {
        match self.reached() {
            Reached::Nothing => self.is_spoken_to().then_some(MISSPOKEN),
            Reached::Hello => Some("it says hello, and does not answer the challenge"),
            Reached::Offered => {
                Some("it says hello, and answers no offer: it has no code, or a key and its pairing switch is not held")
            }
            Reached::Answered => Some("it answers the challenge, and says no share that proves its key (`Exchange`)"),
            Reached::Exchanged => Some("it says its share, and no `Running` that opens comes after it"),
        }
    }

    fn counters(&self) -> Counters {
        let counted = Self::counters(self);
        Counters {
            events: counted.events,
            bad_frames: counted.bad_frames + counted.senseless,
            senseless: counted.senseless,
            repeats: counted.repeats,
            replayed: counted.replayed,
            echoes: counted.echoes,
            gaps: counted.gaps,
            ignored: counted.ignored,
            forged: counted.forged,
            missing: counted.missing,
            ..Counters::default()
        }
    }

    fn clock(&self) -> Option<Clock> {
        Self::clock(self)
    }

    fn stood_still(&mut self, now_ms: u64, ms: u64) {
        Self::stood_still(self, now_ms, ms);
    }

    fn durable(&mut self, epoch: u32, seq: u32) {
        Self::durable(self, epoch, seq);
    }

    fn show(&mut self, show: Show) {
        Self::show(self, show);
    }

    fn witness(&mut self, shown: Option<Checkpoint>) {
        Self::witness(self, shown);
    }
}

fn said(report: Report) -> SessionReport {
    match report {
        Report::Online { hello, started, image, missed } => {
            SessionReport::Online { hello, started, image, missed, keeps: true }
        }
        Report::CaughtUp => SessionReport::CaughtUp,
        Report::Refused(refusal) => SessionReport::Refused { why: refusal.to_string(), distrust: distrust(&refusal) },
        Report::Saw { epoch, seq, at_ms, age_ms, saw } => {
            SessionReport::Saw { epoch, seq, at_ms, age_ms, saw: saw.map(Saw::from) }
        }
        Report::Forged => SessionReport::Forged,
        Report::Missed(missed) => SessionReport::Missed(missed),
        Report::Withheld(what) => SessionReport::Withheld(what),
        Report::Late { age_ms } => SessionReport::Late { age_ms },
        Report::ClockWentBack => SessionReport::ClockWentBack,
        Report::Keeps(kept) => SessionReport::Keeps(kept),
        Report::Garbled => SessionReport::Silent(
            "so much of what it says comes damaged that something is missing for two seconds: look at the cable"
                .to_owned(),
        ),
        Report::Silent => SessionReport::Silent(format!(
            "no answer for {SILENCE_MS} ms, though the port is open: check power and cable"
        )),
    }
}

fn distrust(refusal: &Refusal) -> Option<Distrust> {
    match refusal {
        Refusal::Unpaired { .. } => Some(Distrust::Unpaired),
        Refusal::Key { .. } | Refusal::Serial { .. } | Refusal::Doubled { .. } => Some(Distrust::Swapped),
        Refusal::Downgraded { .. } => Some(Distrust::Downgraded),
        Refusal::Protocol { found } if *found < PROTOCOL => Some(Distrust::Downgraded),
        Refusal::Protocol { .. }
        | Refusal::Name
        | Refusal::Schema { .. }
        | Refusal::Role { .. }
        | Refusal::Numbers { .. }
        | Refusal::Code { .. }
        | Refusal::Unkept { .. }
        | Refusal::Taken { .. }
        | Refusal::Senseless { .. } => None,
    }
}
