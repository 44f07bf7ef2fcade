//! The session with a scanner that speaks Zebra's Simple Serial Interface. Bytes in, bytes out; time is an argument.
//!
//! Either side may speak at any time. Nothing is asked of the scanner but its revision until it has told that, and what
//! it has read is not acknowledged before it is on disk: until then it keeps it, and sends it again.

use sabot_wire::message::{SERIAL_BYTES, Show};

use super::Setup;
use super::packet::{AGAIN, CONTINUED, Decoder, Packet, SCANNER, WAKE, cause, opcode};
use super::reads::Reads;
use crate::link::Counters;
use crate::link::machine::{Distrust, Frame as Buffer, Machine, SessionReport};

/// A scanner that has not answered for so long will not, milliseconds.
const RESPONSE_MS: u64 = 200;
/// Between two requests while nothing else happens, milliseconds.
const POLL_MS: u64 = 200;
/// A scanner that sleeps needs so long to wake, milliseconds.
const WAKING_MS: u64 = 20;
/// Without an answer for so long the scanner is gone, milliseconds…
const SILENCE_MS: u64 = 800;
/// … and as many requests.
const MISSES: u32 = 3;
/// A scan that was started is started again after so long: it ends by itself where nothing passes. Milliseconds.
const SCAN_MS: u64 = 3000;
/// What was read and is not on disk after so long: no more is to be read. Milliseconds.
const STALLED_MS: u64 = 1500;
/// A scanner that is refused is asked again after so long, milliseconds.
const REFUSED_MS: u64 = 900;
/// Before the first word of the revision, as the scanner's serial number.
const PREFIX: &str = "SSI-";
/// Letters of that word that stand behind it: a longer one stands alone, and fills a serial number.
const WORD: usize = SERIAL_BYTES - PREFIX.len();

/// What a sound packet says that no scanner of a table should: a fault of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolFault {
    /// What was read comes in pieces.
    #[error(
        "the scanner sends what it has read in several packets: no symbol of a card is that long, and it is refused"
    )]
    Continued,
    /// The first question was not answered.
    #[error("the scanner does not tell which software it runs")]
    Denied,
    /// Or with nothing.
    #[error("the scanner names no software that it runs")]
    Nameless,
    /// Another scanner than the configured one.
    #[error("the scanner {serial} answers where {pinned} is configured")]
    Another {
        /// Which answers.
        serial: String,
        /// Which should.
        pinned: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Closed,
    Asking,
    Refused,
    Online,
}

/// A request that is to be answered.
#[derive(Debug, Clone, Copy)]
struct Awaiting {
    opcode: u8,
    since: u64,
}

/// What was read and is not acknowledged.
#[derive(Debug, Clone, Copy)]
struct Owed {
    seq: u32,
    since: u64,
}

/// Who starts the scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scan {
    /// The host; it is to be started at that time.
    Start(u64),
    /// The scanner itself, or a trigger.
    Itself,
    /// Nobody: what was read before is not on disk.
    Stopped,
}

/// A session with a scanner that speaks SSI.
#[derive(Debug)]
pub struct SsiSession {
    reads: Reads,
    decoder: Decoder,
    state: State,
    scan: Scan,
    awaiting: Option<Awaiting>,
    /// The last request was not answered: it is sent again, after a wake byte.
    again: Option<u8>,
    woken: bool,
    misses: u32,
    good_ms: u64,
    next_ms: u64,
    owed: Option<Owed>,
    send_nak: Option<u8>,
    now: u64,
}

impl SsiSession {
    /// A session; it begins with [`Machine::opened`].
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self {
            reads: Reads::new(setup),
            decoder: Decoder::default(),
            state: State::Closed,
            scan: Scan::Start(0),
            awaiting: None,
            again: None,
            woken: false,
            misses: 0,
            good_ms: 0,
            next_ms: 0,
            owed: None,
            send_nak: None,
            now: 0,
        }
    }

    fn ask(&mut self, now: u64) {
        self.state = State::Asking;
        (self.awaiting, self.again, self.woken, self.send_nak) = (None, None, false, None);
        (self.misses, self.good_ms, self.next_ms) = (0, now, now);
    }

    fn heard(&mut self, now: u64, packet: &Packet) {
        if packet.source != SCANNER {
            self.reads.counters.ignored += 1; // the line gives back what is sent, or is shared
            return;
        }
        self.good_ms = now;
        let awaited = self.awaiting.map(|awaiting| awaiting.opcode);
        match (packet.opcode, awaited) {
            (opcode::DECODE_DATA, _) if self.state == State::Online => self.read(now, packet),
            // one that comes late says the same
            (opcode::REPLY_REVISION, None | Some(opcode::REQUEST_REVISION)) => {
                self.answered(now);
                if self.state != State::Online {
                    self.told_revision(now, &packet.data);
                }
            }
            (opcode::ACK, Some(opcode::START_SESSION)) => {
                self.answered(now);
                self.scan = Scan::Start(now + SCAN_MS);
            }
            (opcode::ACK, Some(opcode::STOP_SESSION)) => self.answered(now),
            (opcode::NAK, Some(asked)) => self.denied(now, asked, packet.data.first().copied()),
            _ => self.reads.counters.ignored += 1,
        }
    }

    fn answered(&mut self, now: u64) {
        (self.awaiting, self.again, self.misses) = (None, None, 0);
        self.next_ms = now + POLL_MS;
    }

    fn denied(&mut self, now: u64, asked: u8, why: Option<u8>) {
        if why == Some(cause::RESEND) {
            return self.missed(now);
        }
        self.answered(now);
        match asked {
            opcode::START_SESSION => {
                tracing::info!("the scanner is not started by its host: it scans by itself");
                self.scan = Scan::Itself;
            }
            opcode::REQUEST_REVISION if self.state != State::Online => {
                self.refuse(now, &ProtocolFault::Denied);
            }
            _ => {}
        }
    }

    fn told_revision(&mut self, now: u64, data: &[u8]) {
        let word = data.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()).unwrap_or_default();
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
        let word: String = word.iter().filter(|byte| plain(byte)).take(SERIAL_BYTES).map(|&b| char::from(b)).collect();
        if word.is_empty() {
            return self.refuse(now, &ProtocolFault::Nameless);
        }
        let serial = if word.len() > WORD { word } else { format!("{PREFIX}{word}") };
        if let Some(pinned) = self.reads.pinned().filter(|pinned| *pinned != serial) {
            let pinned = pinned.to_owned();
            return self.refuse(now, &ProtocolFault::Another { serial, pinned });
        }
        self.state = State::Online;
        (self.scan, self.owed, self.next_ms) = (Scan::Start(now), None, now);
        self.reads.online(&serial);
    }

    fn refuse(&mut self, now: u64, why: &ProtocolFault) {
        if self.state != State::Refused {
            let is_another = matches!(why, ProtocolFault::Another { .. });
            let distrust = is_another.then_some(Distrust::Swapped);
            self.reads.said.push_back(SessionReport::Refused { why: why.to_string(), distrust });
        }
        self.state = State::Refused;
        self.next_ms = now + REFUSED_MS;
    }

    fn read(&mut self, now: u64, packet: &Packet) {
        let again = packet.status & AGAIN != 0;
        if packet.status & CONTINUED != 0 {
            self.send_nak = Some(cause::DENIED);
            if !again {
                tracing::warn!("{}", ProtocolFault::Continued);
                self.reads.counters.bad_frames += 1;
                self.reads.trouble(now);
            }
            return;
        }
        // the first byte is the kind of symbol
        let text = packet.data.get(1..).unwrap_or_default().trim_ascii();
        let seq = self.reads.take(now, text, again);
        self.owed = Some(Owed { seq, since: now });
    }

    /// The request was not answered, or not understood.
    fn missed(&mut self, now: u64) {
        self.again = self.awaiting.take().map(|awaiting| awaiting.opcode);
        self.woken = false;
        self.misses += 1;
        self.reads.counters.gaps += 1;
        self.next_ms = now;
        let silent = now.saturating_sub(self.good_ms);
        if self.state == State::Online && self.misses >= MISSES && silent >= SILENCE_MS {
            let why = format!("no sound answer for {silent} ms, though the port is open: check power and cable");
            self.reads.said.push_back(SessionReport::Silent(why));
            self.reads.lost(now);
            self.owed = None;
            self.ask(now);
        }
    }

    /// The next request, where one is due.
    fn request(&mut self, now: u64) -> Option<Packet> {
        let waits = self.owed.is_some_and(|owed| now < owed.since + STALLED_MS);
        if self.state == State::Closed || self.awaiting.is_some() || waits || now < self.next_ms {
            return None;
        }
        let opcode = match (self.state, self.again, self.scan) {
            (State::Online, Some(again), _) => again,
            (State::Online, None, Scan::Start(_)) if self.owed.is_some() => {
                self.scan = Scan::Stopped;
                opcode::STOP_SESSION
            }
            (State::Online, None, Scan::Start(at)) if at <= now => opcode::START_SESSION,
            _ => opcode::REQUEST_REVISION,
        };
        let status = if self.again.is_some() { AGAIN } else { 0 };
        self.awaiting = Some(Awaiting { opcode, since: now });
        Some(Packet::from_host(opcode, status, Vec::new()))
    }

    /// What is to be sent next.
    fn next_out(&mut self, now: u64) -> Option<Vec<u8>> {
        if let Some(why) = self.send_nak.take() {
            return Packet::from_host(opcode::NAK, 0, vec![why]).encode();
        }
        if self.owed.take_if(|owed| self.reads.is_durable(owed.seq)).is_some() {
            self.reads.acknowledged(now);
            if self.scan == Scan::Itself {
                self.next_ms = now + POLL_MS;
            } else {
                (self.scan, self.next_ms) = (Scan::Start(now), now); // a scan ends with what it has read
            }
            return Packet::from_host(opcode::ACK, 0, Vec::new()).encode();
        }
        let sleeps = self.state == State::Asking || self.again.is_some();
        if sleeps && !self.woken && self.awaiting.is_none() && now >= self.next_ms {
            (self.woken, self.next_ms) = (true, now + WAKING_MS);
            return Some(vec![WAKE]);
        }
        self.request(now)?.encode()
    }
}

impl Machine for SsiSession {
    fn opened(&mut self, now_ms: u64) {
        self.decoder.restart();
        self.now = now_ms;
        self.ask(now_ms);
    }

    fn closed(&mut self) {
        self.decoder.restart();
        self.reads.lost(self.now);
        self.state = State::Closed;
        (self.awaiting, self.owed, self.send_nak) = (None, None, None);
    }

    fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<SessionReport> {
        self.now = now_ms;
        if !input.is_empty() {
            self.settle(now_ms);
            self.decoder.push(now_ms, std::mem::take(input));
        }
        while self.reads.said.is_empty() {
            let packet = self.decoder.next_packet()?;
            self.heard(now_ms, &packet);
        }
        self.reads.said.pop_front()
    }

    fn tick(&mut self, now_ms: u64) -> Option<SessionReport> {
        self.now = now_ms;
        self.settle(now_ms);
        if self.awaiting.is_some_and(|awaiting| now_ms >= awaiting.since + RESPONSE_MS) {
            self.missed(now_ms);
        }
        self.reads.said.pop_front()
    }

    fn transmit<'o>(&mut self, now_ms: u64, out: &'o mut Buffer) -> Option<&'o [u8]> {
        if self.state == State::Closed || !self.reads.said.is_empty() {
            return None;
        }
        let bytes = self.next_out(now_ms)?;
        let place = out.get_mut(..bytes.len())?;
        place.copy_from_slice(&bytes);
        Some(place)
    }

    fn wake_at(&self) -> Option<u64> {
        if !self.reads.said.is_empty() {
            return Some(0);
        }
        if self.state == State::Closed {
            return None;
        }
        let stalled = self.owed.map(|owed| owed.since + STALLED_MS);
        let request = match self.awaiting {
            Some(awaiting) => awaiting.since + RESPONSE_MS,
            None => self.next_ms.max(stalled.unwrap_or(0)),
        };
        Some(self.decoder.silent_at().map_or(request, |at| at.min(request)))
    }

    fn online(&self) -> bool {
        self.state == State::Online
    }

    fn counters(&self) -> Counters {
        let counters = self.reads.counters;
        Counters { bad_frames: counters.bad_frames + self.decoder.bad(), ..counters }
    }

    fn durable(&mut self, epoch: u32, seq: u32) {
        self.reads.durable(epoch, seq);
    }

    /// A scanner shows nothing.
    fn show(&mut self, _: Show) {}
}

impl SsiSession {
    /// What was damaged is to be sent again, once the line is silent.
    fn settle(&mut self, now: u64) {
        if let Some(fault) = self.decoder.settle(now) {
            tracing::debug!(%fault, "a scanner's packet is damaged");
            if self.state == State::Online {
                self.send_nak = Some(cause::RESEND);
            }
        }
    }
}

#[cfg(test)]
#[path = "ssi_tests.rs"]
mod tests;
