//! The session with the readers of one line: asks, waits, asks again. Bytes in, bytes out; time is an argument.
//!
//! The host speaks, one request at a time, and a reader answers or does not. Nothing is sent but the question for its
//! [info](Request::Info) until every configured reader has answered it as one that reads these tags.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, Hasher, RandomState};

use sabot_wire::message::{DeviceHello, DeviceState, Observation, Role, Show, Started};
use sabot_wire::{PROTOCOL, SCHEMA};

use super::frame::{Decoder, Frame};
use super::message::{
    self, ANY_READER, KEEP_ALIVE, MAX_TAGS, READS_ISO_15693, ReplyFault, Request, Sighting, Status, Unusable,
    device_id, sightings,
};
use super::spots::Watch;
use super::{Setup, Values};
use crate::link::Counters;
use crate::link::machine::{Frame as Buffer, Machine, SessionReport};

/// A reader that has not answered for so long will not, milliseconds.
const RESPONSE_MS: u64 = 300;
/// After a request without an answer the line is left in peace so long, so that a late answer is not taken for the next
/// one's; milliseconds.
const LATE_MS: u64 = 50;
/// Without an answer for so long the reader is gone, milliseconds…
const SILENCE_MS: u64 = 900;
/// … and as many requests.
const MISSES: u32 = 3;
/// Faults in a row after which they are told as an observation.
const FAULTS: u32 = 5;
/// Values of tags that are remembered.
const MAX_VALUES: usize = 4096;
/// Records read from a buffer at once.
const RECORDS: u16 = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Closed,
    Asking,
    Refused,
    Online,
}

/// What is done next with the reader whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Info,
    DeviceId,
    Reset,
    Inventory { more: bool },
    Value(u64),
    Buffer,
    Clear,
    Alive,
}

#[derive(Debug)]
struct Reader {
    address: u8,
    /// Its field is to be reset before the next inventory.
    reset: bool,
    /// It keeps tags silent that it has read: its field is reset before every inventory.
    ont: bool,
    misses: u32,
    good_ms: u64,
    faults: u32,
    /// Buffered: when each tag was last seen, by spot.
    seen: HashMap<(usize, u64), u64>,
    /// Buffered: the records read may be cleared once this event is on disk; since when that is waited for.
    clear: Option<(u32, u64)>,
}

#[derive(Debug)]
struct Awaiting {
    address: u8,
    command: u8,
    since: u64,
}

/// A session with every reader on one line.
#[derive(Debug)]
pub struct Session {
    setup: Setup,
    decoder: Decoder,
    state: State,
    readers: Vec<Reader>,
    spots: Vec<Watch>,
    /// Whose turn it is.
    turn: usize,
    step: Step,
    found: Vec<u64>,
    /// This inventory is the second one, after the field was reset, because tags were missing.
    confirming: bool,
    values: HashMap<u64, u32>,
    awaiting: Option<Awaiting>,
    next_ms: u64,
    serial: String,
    firmware: [u8; 3],
    epoch: u32,
    seq: u32,
    acked: u32,
    said: VecDeque<SessionReport>,
    counters: Counters,
}

impl Session {
    /// A session; it begins with [`Machine::opened`].
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let mut addresses: Vec<u8> = setup.spots.iter().map(|spot| spot.reader.unwrap_or(ANY_READER)).collect();
        addresses.sort_unstable();
        addresses.dedup();
        let reader = |address| Reader {
            address,
            reset: true,
            ont: false,
            misses: 0,
            good_ms: 0,
            faults: 0,
            seen: HashMap::new(),
            clear: None,
        };
        let spots = setup.spots.iter().map(|&spot| Watch::new(spot, setup.buffered)).collect();
        let epoch = RandomState::new().build_hasher().finish() as u32 | 1;
        Self {
            decoder: Decoder::new(setup.timing.gap_ms),
            state: State::Closed,
            readers: addresses.into_iter().map(reader).collect(),
            spots,
            turn: 0,
            step: Step::Info,
            found: Vec::new(),
            confirming: false,
            values: HashMap::new(),
            awaiting: None,
            next_ms: 0,
            serial: String::new(),
            firmware: [0; 3],
            epoch,
            seq: 0,
            acked: 0,
            said: VecDeque::new(),
            counters: Counters::default(),
            setup,
        }
    }

    fn ask(&mut self, now: u64) {
        self.state = State::Asking;
        self.awaiting = None;
        (self.turn, self.step) = (0, Step::Info);
        self.next_ms = now + self.setup.timing.idle_ms;
    }

    fn request(&self) -> Request {
        match self.step {
            Step::Info => Request::Info,
            Step::DeviceId => Request::DeviceId,
            Step::Reset => Request::RfReset,
            Step::Inventory { more } => Request::Inventory { more },
            Step::Value(uid) => {
                let first = if let Values::Block(block) = &self.setup.values { *block } else { 0 };
                Request::ReadBlocks { uid: Some(uid), first, count: 1 }
            }
            Step::Buffer => Request::ReadBuffer { sets: RECORDS },
            Step::Clear => Request::ClearBuffer,
            Step::Alive => Request::BaudDetect,
        }
    }

    fn heard(&mut self, now: u64, frame: &Frame) {
        self.counters.frames += 1;
        if frame.command == KEEP_ALIVE {
            return;
        }
        let is_answer = self.awaiting.as_ref().is_some_and(|awaiting| {
            let from = [ANY_READER, frame.address].contains(&awaiting.address);
            from && awaiting.command == frame.command
        });
        if !is_answer {
            self.counters.ignored += 1;
            return;
        }
        self.awaiting = None;
        self.next_ms = now + self.setup.timing.idle_ms;
        if let Some(reader) = self.readers.get_mut(self.turn) {
            (reader.misses, reader.good_ms) = (0, now);
        }
        let answer = match message::split(&frame.body) {
            Ok((status, data)) => self.answered(now, status, data),
            Err(fault) => Err(fault.into()),
        };
        if let Err(unusable) = answer {
            self.unusable(now, unusable);
        }
    }

    fn answered(&mut self, now: u64, status: Status, data: &[u8]) -> Result<(), Unusable> {
        let usable = match self.step {
            Step::Inventory { .. } => matches!(status, Status::Ok | Status::NoTag | Status::More),
            Step::Buffer => matches!(status, Status::Ok | Status::NoTag | Status::NoValidData | Status::More),
            Step::DeviceId => true, // older readers do not know the question
            _ => status == Status::Ok,
        };
        if self.step == Step::Buffer && status == Status::BufferOverflow {
            self.overflowed();
            return self.records(now, data);
        }
        if !usable {
            return Err(Unusable::Device(status));
        }
        match self.step {
            Step::Info => self.told_info(now, message::info(data)?),
            Step::DeviceId => self.told_id(now, if status == Status::Ok { Some(device_id(data)?) } else { None }),
            Step::Reset => self.step = Step::Inventory { more: false },
            Step::Inventory { more } => return self.inventoried(now, more, status, data),
            Step::Value(uid) => {
                let blocks = message::blocks(data)?;
                let bytes = blocks.first().and_then(|(_, bytes)| bytes.as_slice().try_into().ok());
                self.remember(uid, u32::from_be_bytes(bytes.ok_or(ReplyFault::Short)?));
                self.value_or_settle(now);
            }
            Step::Buffer if matches!(status, Status::Ok | Status::More) => return self.records(now, data),
            Step::Buffer => {
                self.evaluate(now);
                self.done(now);
            }
            Step::Clear => {
                self.cleared(now);
                self.done(now);
            }
            Step::Alive => self.done(now),
        }
        Ok(())
    }

    fn told_info(&mut self, now: u64, info: message::Info) {
        if info.tags & READS_ISO_15693 == 0 {
            return self
                .refuse(now, format!("a reader of model {:02X} answers that reads no ISO 15693 tags", info.model));
        }
        if self.turn == 0 {
            self.firmware = info.version;
            self.step = Step::DeviceId;
        } else {
            self.next_question(now);
        }
    }

    fn told_id(&mut self, now: u64, id: Option<u32>) {
        self.serial = id.map_or_else(|| "FEIG".to_owned(), |id| format!("FEIG-{id:08X}"));
        if let Some(pinned) = self.setup.serial.as_ref().filter(|pinned| **pinned != self.serial) {
            let why = format!("the reader {} answers where {pinned} is configured", self.serial);
            return self.refuse(now, why);
        }
        self.next_question(now);
    }

    fn refuse(&mut self, now: u64, why: String) {
        if self.state != State::Refused {
            self.said.push_back(SessionReport::Refused { why, distrust: None });
        }
        self.state = State::Refused;
        (self.turn, self.step) = (0, Step::Info);
        self.next_ms = now + SILENCE_MS;
    }

    fn next_question(&mut self, now: u64) {
        self.turn += 1;
        self.step = Step::Info;
        if self.turn < self.readers.len() {
            return;
        }
        self.state = State::Online;
        for reader in &mut self.readers {
            reader.reset = true;
            (reader.misses, reader.good_ms, reader.faults) = (0, now, 0);
            // nobody looked meanwhile: what lay there is taken to lie there until it is missed
            reader.seen.values_mut().for_each(|seen| *seen = now);
            if let Some((_, since)) = &mut reader.clear {
                *since = now;
            }
        }
        let hello = DeviceHello {
            protocol: PROTOCOL,
            role: Role::Chips,
            serial: heapless::String::try_from(self.serial.as_str()).unwrap_or_default(),
            firmware: self.firmware,
            schema: SCHEMA,
            boots: 0,
            epoch: self.epoch,
            oldest: self.seq + 1,
        };
        self.said.push_back(SessionReport::Online { hello, started: Started::Unknown, missed: None, keeps: false });
        self.begin(0);
    }

    /// The first step of a reader's turn.
    fn begin(&mut self, turn: usize) {
        self.turn = turn;
        self.confirming = false;
        self.found.clear();
        let acked = self.acked;
        let Some(reader) = self.readers.get(turn) else { return };
        self.step = match (self.setup.buffered, reader.clear) {
            (true, Some((seq, _))) if seq <= acked => Step::Clear,
            (true, Some(_)) => Step::Alive,
            (true, None) => Step::Buffer,
            (false, _) if reader.reset => Step::Reset,
            (false, _) => Step::Inventory { more: false },
        };
    }

    /// This reader's turn is over.
    fn done(&mut self, now: u64) {
        if let Some(reader) = self.readers.get_mut(self.turn) {
            reader.faults = 0;
            reader.reset = reader.ont;
        }
        self.pass_on(now);
    }

    fn pass_on(&mut self, now: u64) {
        let next = self.turn + 1;
        if next < self.readers.len() {
            self.begin(next);
        } else {
            self.begin(0);
            self.next_ms = self.next_ms.max(now + self.setup.poll_ms);
        }
    }

    fn unusable(&mut self, now: u64, why: Unusable) {
        if matches!(why, Unusable::Reply(_)) {
            self.counters.bad_frames += 1;
        }
        if self.state != State::Online {
            // not as a reader should answer the first question: asked again, no sooner than it would time out
            (self.turn, self.step) = (0, Step::Info);
            self.next_ms = now + RESPONSE_MS;
            return;
        }
        let Some(reader) = self.readers.get_mut(self.turn) else { return };
        reader.faults += 1;
        reader.reset = true;
        if reader.faults == FAULTS {
            tracing::warn!(reader = reader.address, %why, "the chip reader cannot read");
            self.saw(now, Observation::Device(DeviceState::ReadError));
        }
        self.pass_on(now);
    }

    fn inventoried(&mut self, now: u64, more: bool, status: Status, data: &[u8]) -> Result<(), Unusable> {
        if !more {
            self.found.clear();
        }
        if status != Status::NoTag {
            for uid in message::inventory(data)? {
                if self.found.contains(&uid) {
                    self.counters.repeats += 1;
                } else {
                    self.found.push(uid);
                }
            }
        }
        if self.found.len() > MAX_TAGS {
            return Err(Unusable::TooManyTags);
        }
        if status == Status::More {
            self.step = Step::Inventory { more: true };
            return Ok(());
        }
        let spot = self.spots.iter().find(|watch| self.is_turn_of(watch));
        let missing = spot.is_some_and(|watch| watch.lacks(&self.found));
        if missing && !self.confirming {
            self.confirming = true;
            self.step = Step::Reset;
            return Ok(());
        }
        if self.confirming
            && !missing
            && let Some(reader) = self.readers.get_mut(self.turn)
            && !reader.ont
        {
            reader.ont = true;
            tracing::info!(
                reader = reader.address,
                "the reader keeps tags silent that it has read (ONT): its field is reset each time"
            );
        }
        self.value_or_settle(now);
        Ok(())
    }

    fn is_turn_of(&self, watch: &Watch) -> bool {
        self.readers.get(self.turn).is_some_and(|reader| watch.reader() == reader.address)
    }

    /// Reads the value of the next tag that is not known yet; where all are, the spot is told.
    fn value_or_settle(&mut self, now: u64) {
        if matches!(self.setup.values, Values::Block(_))
            && let Some(&uid) = self.found.iter().find(|uid| !self.values.contains_key(uid))
        {
            self.step = Step::Value(uid);
            return;
        }
        let turn = self.spots.iter().position(|watch| self.is_turn_of(watch));
        if let Some(at) = turn {
            let found = std::mem::take(&mut self.found);
            self.settle(now, at, found);
        }
        self.done(now);
    }

    fn settle(&mut self, now: u64, at: usize, found: Vec<u64>) {
        let (setup, values) = (&self.setup, &self.values);
        let value = |uid: u64| match &setup.values {
            Values::Known(known) => known.get(&uid).copied().unwrap_or(0),
            Values::Block(_) => values.get(&uid).copied().unwrap_or(0),
        };
        if let Some(saw) = self.spots.get_mut(at).and_then(|watch| watch.found(found, value)) {
            self.saw(now, saw);
        }
    }

    fn remember(&mut self, uid: u64, value: u32) {
        if self.values.len() >= MAX_VALUES {
            let found = &self.found;
            self.values.retain(|uid, _| found.contains(uid));
        }
        self.values.insert(uid, value);
    }

    /// Takes what the buffer holds: it stays there until what came of it is on disk.
    fn records(&mut self, now: u64, data: &[u8]) -> Result<(), Unusable> {
        let records = sightings(data)?;
        let turn = self.turn;
        let address = self.readers.get(turn).map_or(ANY_READER, |reader| reader.address);
        for &Sighting { uid, antenna } in &records {
            let spot = self.spots.iter().position(|watch| watch.is_seen_by(address, antenna));
            let Some((spot, reader)) = spot.zip(self.readers.get_mut(turn)) else { continue };
            if reader.seen.len() >= MAX_TAGS && !reader.seen.contains_key(&(spot, uid)) {
                return Err(Unusable::TooManyTags);
            }
            reader.seen.insert((spot, uid), now);
        }
        self.evaluate(now);
        if !records.is_empty()
            && let Some(reader) = self.readers.get_mut(turn)
        {
            reader.clear = Some((self.seq, now));
        }
        self.done(now);
        Ok(())
    }

    /// Buffered: what lies on the spots is what was seen lately.
    fn evaluate(&mut self, now: u64) {
        let hold = self.setup.hold_ms;
        let Some(reader) = self.readers.get_mut(self.turn) else { return };
        reader.seen.retain(|_, seen| now.saturating_sub(*seen) <= hold);
        let address = reader.address;
        let seen: Vec<(usize, u64)> = reader.seen.keys().copied().collect();
        for at in 0..self.spots.len() {
            if self.spots.get(at).is_some_and(|watch| watch.reader() == address) {
                let found = seen.iter().filter(|(spot, _)| *spot == at).map(|&(_, uid)| uid).collect();
                self.settle(now, at, found);
            }
        }
    }

    fn cleared(&mut self, now: u64) {
        let Some(reader) = self.readers.get_mut(self.turn) else { return };
        if let Some((_, since)) = reader.clear.take() {
            let waited = now.saturating_sub(since);
            reader.seen.values_mut().for_each(|seen| *seen += waited);
        }
    }

    fn overflowed(&mut self) {
        let address = self.readers.get(self.turn).map_or(ANY_READER, |reader| reader.address);
        tracing::warn!(reader = address, "the chip reader's buffer has overflowed");
    }

    fn saw(&mut self, now: u64, saw: Observation) {
        self.seq += 1;
        self.counters.events += 1;
        let at_ms = u32::try_from(now & u64::from(u32::MAX)).unwrap_or(0);
        let &mut Self { epoch, seq, .. } = self;
        self.said.push_back(SessionReport::Saw { epoch, seq, at_ms, age_ms: Some(0), saw: Some(saw) });
    }

    /// The request was not answered, or not so that it could be understood.
    fn missed(&mut self, now: u64, next_ms: u64) {
        self.awaiting = None;
        self.counters.gaps += 1;
        self.next_ms = next_ms;
        let online = self.state == State::Online;
        let Some(reader) = self.readers.get_mut(self.turn) else { return };
        reader.misses += 1;
        reader.reset = true;
        let silent = now.saturating_sub(reader.good_ms);
        if online && reader.misses >= MISSES && silent >= SILENCE_MS {
            let address = reader.address;
            let which = if address == ANY_READER { String::new() } else { format!(" of reader {address}") };
            let why = format!("no sound answer{which} for {silent} ms, though the line is open: check power and cable");
            self.said.push_back(SessionReport::Silent(why));
            self.ask(now);
            self.next_ms = next_ms;
        } else if online {
            self.begin(self.turn);
        } else {
            (self.turn, self.step) = (0, Step::Info);
        }
    }
}

impl Machine for Session {
    fn opened(&mut self, now_ms: u64) {
        self.decoder.restart();
        self.ask(now_ms);
    }

    fn closed(&mut self) {
        self.decoder.restart();
        self.state = State::Closed;
        self.awaiting = None;
    }

    fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<SessionReport> {
        if !input.is_empty() {
            self.decoder.push(now_ms, std::mem::take(input));
        }
        while self.said.is_empty() {
            match self.decoder.next_frame()? {
                Ok(frame) => self.heard(now_ms, &frame),
                Err(_) if self.awaiting.is_some() => {
                    self.missed(now_ms, now_ms + self.setup.timing.gap_ms + self.setup.timing.idle_ms);
                }
                Err(_) => {}
            }
        }
        self.said.pop_front()
    }

    fn tick(&mut self, now_ms: u64) -> Option<SessionReport> {
        if self.awaiting.as_ref().is_some_and(|awaiting| now_ms >= awaiting.since + RESPONSE_MS) {
            self.missed(now_ms, now_ms + LATE_MS);
        }
        self.said.pop_front()
    }

    fn transmit<'o>(&mut self, now_ms: u64, out: &'o mut Buffer) -> Option<&'o [u8]> {
        if self.state == State::Closed || self.awaiting.is_some() || now_ms < self.next_ms || !self.said.is_empty() {
            return None;
        }
        let address = self.readers.get(self.turn)?.address;
        let request = self.request();
        let bytes = request.encode(address).ok()?;
        self.decoder.restart();
        self.awaiting = Some(Awaiting { address, command: request.command(), since: now_ms });
        let place = out.get_mut(..bytes.len())?;
        place.copy_from_slice(&bytes);
        Some(place)
    }

    fn wake_at(&self) -> Option<u64> {
        match (&self.awaiting, self.state) {
            _ if !self.said.is_empty() => Some(0),
            (_, State::Closed) => None,
            (Some(awaiting), _) => Some(awaiting.since + RESPONSE_MS),
            (None, _) => Some(self.next_ms),
        }
    }

    fn online(&self) -> bool {
        self.state == State::Online
    }

    fn counters(&self) -> Counters {
        let bad = self.decoder.bad();
        let Counters { bad_frames, frames, .. } = self.counters;
        Counters { bad_frames: bad_frames + bad, frames: frames + bad, ..self.counters }
    }

    fn durable(&mut self, epoch: u32, seq: u32) {
        if epoch == self.epoch && seq <= self.seq {
            self.acked = self.acked.max(seq);
        }
    }

    /// A reader shows nothing.
    fn show(&mut self, _: Show) {}
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
