//! The session with the readers of one line: asks, waits, asks again. Bytes in, bytes out; time is an argument.
//!
//! The host speaks, one request at a time, and a reader answers or does not. Nothing is sent but questions for its
//! [info](Request::Info) and [configuration](Request::Config) until every configured reader has answered as one that
//! reads these tags.
//!
//! A request for tags may take as long as the reader is configured to look. One that is given up is followed by a
//! question that any reader answers at once: only who leaves that unanswered too is gone.

mod buffered;
mod faults;
mod introduction;

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, Hasher, RandomState};

use sabot_wire::message::Show;
use sabot_words::Times;

use super::frame::{Decoder, Frame};
use super::message::{self, ANY_READER, KEEP_ALIVE, MAX_TAGS, ReplyFault, Request, Status, Unusable, device_id};
use super::setup_check::{FACTORY_RESPONSE_MS, Pages};
use super::spots::Watch;
use super::{Hysteresis, ReaderLines, Setup, Values};
use crate::link::Counters;
use crate::link::machine::{Distrust, Frame as Buffer, Machine, SessionReport};
use crate::saw::{ReadRate, TagsSaw};
use faults::SILENCE_MS;

/// What asks for no tag is answered within so long, or not at all, milliseconds.
const QUICK_MS: u64 = 300;
/// After a request without an answer the line is left in peace so long, so that a late answer is not taken for the next
/// one's; milliseconds.
const LATE_MS: u64 = 50;
/// One inventory goes on for so long at the most, with all that is asked for more: milliseconds. A reader may look for
/// 3 s at a time, and needs a few for sixty tags.
const MORE_MS: u64 = 20_000;
/// Values of tags that are remembered.
const MAX_VALUES: usize = 4096;
/// Records read from a buffer at once.
const RECORDS: u16 = 64;

/// What readers are called that tell no serial number.
pub(super) const NAMELESS: &str = "FEIG";

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
    Config(u8),
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
    /// What it has told of its configuration.
    pages: Pages,
    /// It has answered any request for tags after so long, milliseconds.
    response_ms: u64,
    /// Its field is to be reset before the next inventory.
    reset: bool,
    /// It keeps tags silent that it has read: its field is reset before every inventory.
    ont: bool,
    misses: u32,
    good_ms: u64,
    faults: u32,
    /// Since when, and whether its spots are not known for it.
    faults_since: u64,
    is_unread: bool,
    /// Buffered: when each tag was last seen, by spot.
    seen: HashMap<(usize, u64), u64>,
    /// Buffered: it holds records that were read and whose spots are not told yet.
    holds: bool,
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
    /// When this inventory was first asked for.
    began_ms: u64,
    /// When the first reader of this round was asked, or is to be.
    round_ms: u64,
    rounds: Times,
    values: HashMap<u64, u32>,
    awaiting: Option<Awaiting>,
    next_ms: u64,
    serial: String,
    firmware: [u8; 3],
    epoch: u32,
    seq: u32,
    acked: u32,
    said: VecDeque<SessionReport>,
    /// What of the readers' configurations does not fit, until it is told.
    advice: Vec<String>,
    counters: Counters,
    /// What its line is called.
    line: String,
    /// Which readers answer on the table's lines.
    known: ReaderLines,
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
            pages: Pages::default(),
            response_ms: FACTORY_RESPONSE_MS,
            reset: true,
            ont: true,
            misses: 0,
            good_ms: 0,
            faults: 0,
            faults_since: 0,
            is_unread: false,
            seen: HashMap::new(),
            holds: false,
            clear: None,
        };
        let hysteresis = if setup.buffered { Hysteresis::BUFFERED } else { setup.hysteresis };
        let spots = setup.spots.iter().map(|&spot| Watch::new(spot, hysteresis, setup.cards.clone())).collect();
        let epoch = RandomState::new().build_hasher().finish() as u32 | 1;
        Self {
            decoder: Decoder::new(setup.timing.gap_ms),
            state: State::Closed,
            readers: addresses.into_iter().map(reader).collect(),
            spots,
            turn: 0,
            step: Step::Info,
            found: Vec::new(),
            began_ms: 0,
            round_ms: 0,
            rounds: Times::default(),
            values: HashMap::new(),
            awaiting: None,
            next_ms: 0,
            serial: String::new(),
            firmware: [0; 3],
            epoch,
            seq: 0,
            acked: 0,
            said: VecDeque::new(),
            advice: Vec::new(),
            counters: Counters::default(),
            line: String::new(),
            known: ReaderLines::default(),
            setup,
        }
    }

    /// The same, on a line of that name, one of a table's: no reader may answer on two of them.
    #[must_use]
    pub fn among(self, line: String, known: ReaderLines) -> Self {
        Self { line, known, ..self }
    }

    fn ask(&mut self, now: u64) {
        self.known.is_silent(&self.line);
        self.state = State::Asking;
        self.awaiting = None;
        self.advice.clear();
        (self.turn, self.step) = (0, Step::Info);
        self.next_ms = now + self.setup.timing.idle_ms;
    }

    fn request(&self) -> Request {
        match self.step {
            Step::Info => Request::Info,
            Step::DeviceId => Request::DeviceId,
            Step::Config(page) => Request::Config(page),
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

    /// How long an answer may take.
    fn patience_ms(&self) -> u64 {
        let answer_ms = self.setup.timing.answer_ms;
        match self.step {
            Step::Reset | Step::Inventory { .. } | Step::Value(_) => {
                self.readers.get(self.turn).map_or(FACTORY_RESPONSE_MS, |reader| reader.response_ms) + answer_ms
            }
            Step::Buffer => QUICK_MS + answer_ms,
            _ => QUICK_MS,
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
            Step::DeviceId | Step::Config(_) => true, // not every reader knows the question
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
            Step::Config(page) => {
                if status == Status::Ok
                    && let Some(reader) = self.readers.get_mut(self.turn)
                {
                    reader.pages.take(page, data)?;
                }
                self.next_page(now, Some(page));
            }
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
            Step::Alive => self.pass_on(now), // it is there: that it reads is not said
        }
        Ok(())
    }

    fn refuse(&mut self, now: u64, why: String, distrust: Option<Distrust>) {
        if self.state != State::Refused {
            self.said.push_back(SessionReport::Refused { why, distrust });
        }
        self.known.is_silent(&self.line);
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
            (reader.reset, reader.is_unread) = (true, false);
            (reader.misses, reader.good_ms, reader.faults, reader.holds) = (0, now, 0, false);
            // nobody looked meanwhile: what lay there is taken to lie there until it is missed
            reader.seen.values_mut().for_each(|seen| *seen = now);
            if let Some((_, since)) = &mut reader.clear {
                *since = now;
            }
        }
        if !self.setup.buffered {
            self.spots.iter_mut().for_each(Watch::forget);
        }
        let online = SessionReport::online_numbered_here(
            self.setup.role(),
            self.serial.as_str(),
            self.firmware,
            self.epoch,
            self.seq + 1,
        );
        self.said.push_back(online);
        self.said.extend(self.advice.drain(..).map(SessionReport::Advice));
        self.begin(now, 0);
        self.round_ms = self.next_ms.max(now);
    }

    /// The first step of a reader's turn.
    fn begin(&mut self, now: u64, turn: usize) {
        self.turn = turn;
        self.began_ms = now;
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
            (reader.faults, reader.is_unread) = (0, false);
            let address = reader.address;
            // ONT may be switched on while the reader is in use: a tag that is missed may have been told to be silent
            let misses = self.spots.iter().any(|watch| watch.reader() == address && watch.misses_any());
            reader.reset = reader.ont || misses;
        }
        self.pass_on(now);
    }

    fn pass_on(&mut self, now: u64) {
        let next = self.turn + 1;
        if next < self.readers.len() {
            self.begin(now, next);
        } else {
            self.rounds.took(now.saturating_sub(self.round_ms).saturating_mul(1000));
            self.begin(now, 0);
            self.next_ms = self.next_ms.max(now + self.setup.poll_ms);
            self.round_ms = self.next_ms;
        }
    }

    fn inventoried(&mut self, now: u64, more: bool, status: Status, data: &[u8]) -> Result<(), Unusable> {
        if !more {
            self.found.clear();
        }
        let known = self.found.len();
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
            // of a reader that never comes to an end nothing is known
            if self.found.len() == known || now.saturating_sub(self.began_ms) >= MORE_MS {
                return Err(Unusable::NoOther);
            }
            self.step = Step::Inventory { more: true };
            return Ok(());
        }
        let took_ms = now.saturating_sub(self.began_ms);
        let found = std::mem::take(&mut self.found);
        if let Some(watch) = self.own_spot().and_then(|at| self.spots.get_mut(at)) {
            watch.round(now, &found, took_ms);
        }
        self.value_or_settle(now);
        Ok(())
    }

    /// The spot of a polled reader whose turn it is.
    fn own_spot(&self) -> Option<usize> {
        let address = self.readers.get(self.turn)?.address;
        self.spots.iter().position(|watch| watch.reader() == address)
    }

    /// Reads the value of the next tag that is not known yet; where all are, the spot is told.
    fn value_or_settle(&mut self, now: u64) {
        let at = self.own_spot();
        if matches!(self.setup.values, Values::Block(_))
            && let Some(watch) = at.and_then(|at| self.spots.get(at))
            && let Some(uid) = watch.chips().find(|uid| !self.values.contains_key(uid))
        {
            self.step = Step::Value(uid);
            return;
        }
        if let Some(at) = at {
            self.settle(now, at);
        }
        self.done(now);
    }

    fn settle(&mut self, now: u64, at: usize) {
        let (setup, values) = (&self.setup, &self.values);
        let value = |uid: u64| match &setup.values {
            Values::Known(known) => known.of(uid),
            Values::Block(_) => values.get(&uid).copied().unwrap_or(0),
        };
        let Some(watch) = self.spots.get_mut(at) else { return };
        let mut told: Vec<TagsSaw> = std::iter::from_fn(|| watch.card_news()).collect();
        told.extend(watch.news(now, value));
        // what a stack is, is known seconds after it has changed
        let (age_ms, doubt_age_ms) = (watch.age_ms(now), watch.doubt_age_ms(now));
        for saw in told {
            let age_ms = match saw {
                TagsSaw::Stack { .. } => age_ms,
                TagsSaw::InDoubt { .. } => doubt_age_ms,
                _ => 0,
            };
            self.saw(now, age_ms, saw);
        }
    }

    fn remember(&mut self, uid: u64, value: u32) {
        if self.values.len() >= MAX_VALUES {
            let spots = &self.spots;
            self.values.retain(|uid, _| spots.iter().any(|watch| watch.knows(*uid)));
        }
        self.values.insert(uid, value);
    }

    fn saw(&mut self, now: u64, age_ms: u64, saw: TagsSaw) {
        self.seq += 1;
        self.counters.events += 1;
        let at_ms = u32::try_from(now & u64::from(u32::MAX)).unwrap_or(0);
        let &mut Self { epoch, seq, .. } = self;
        let age_ms = u32::try_from(age_ms).ok();
        self.said.push_back(SessionReport::Saw { epoch, seq, at_ms, age_ms, saw: Some(saw.into()) });
    }
}

impl Machine for Session {
    fn opened(&mut self, now_ms: u64) {
        self.decoder.restart();
        self.ask(now_ms);
    }

    fn closed(&mut self) {
        self.decoder.restart();
        self.known.is_silent(&self.line);
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
                    self.missed(now_ms, true);
                }
                Err(_) => {}
            }
        }
        self.said.pop_front()
    }

    fn tick(&mut self, now_ms: u64) -> Option<SessionReport> {
        if self.awaiting.as_ref().is_some_and(|awaiting| now_ms >= awaiting.since + self.patience_ms()) {
            self.missed(now_ms, false);
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
            (Some(awaiting), _) => Some(awaiting.since + self.patience_ms()),
            (None, _) => Some(self.next_ms),
        }
    }

    fn online(&self) -> bool {
        self.state == State::Online
    }

    /// An age is counted here from a reading: what was read lay there by then, and may have lain there before.
    fn ages_within_ms(&self) -> Option<u32> {
        Some(0)
    }

    fn counters(&self) -> Counters {
        let bad = self.decoder.bad();
        let Counters { bad_frames, frames, .. } = self.counters;
        Counters { bad_frames: bad_frames + bad, frames: frames + bad, ..self.counters }
    }

    fn read_rates(&self) -> Vec<ReadRate> {
        self.spots.iter().map(Watch::rate).collect()
    }

    fn rounds(&self) -> Option<Times> {
        Some(self.rounds)
    }

    fn durable(&mut self, epoch: u32, seq: u32) {
        if epoch == self.epoch && seq <= self.seq {
            self.acked = self.acked.max(seq);
        }
    }

    /// A reader shows nothing.
    fn show(&mut self, _: Show) {}
}

/// The reader's address, where it has one of its own.
fn named(address: u8) -> String {
    if address == ANY_READER { String::new() } else { format!(" {address}") }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
