//! A card scanner's side of its protocol, written from its manual: cards pass, what is read is sent until the host has
//! acknowledged it or the scanner gives up.

use std::collections::VecDeque;

use sabot_drivers::scanner::packet::{AGAIN, CONTINUED, Decoder, MAX_DATA, Packet, SCANNER, cause, opcode};
use sabot_drivers::scanner::{NO_READ_LINES, NO_READ_SSI, Protocol};

use super::levers::Lever;
use crate::third_party::Model;

/// The host acknowledges within so long, or it is sent again: milliseconds.
const SSI_RESPONSE_MS: u64 = 2000;
const LINES_RESPONSE_MS: u64 = 1000;
/// How often something is sent that nobody acknowledges.
const SENDS: u32 = 3;
/// What it keeps of cards that passed while another was not acknowledged.
const QUEUE: usize = 8;
/// A card that is seen twice is seen again after so long, milliseconds.
const TWICE_MS: u64 = 150;
/// It sleeps when nothing has come or gone for so long, milliseconds…
const AWAKE_MS: u64 = 1000;
/// … and what comes while it wakes is lost, milliseconds.
const WAKING_MS: u64 = 10;
/// A scan that its host has started ends by itself after so long, milliseconds.
const SCAN_MS: u64 = 9900;
/// The kind of symbol: Code 128.
const KIND: u8 = 0x03;
/// What it runs.
const REVISION: &[u8] = b"TWIN-001-R00 0 17 1";

/// What was read and is not acknowledged.
#[derive(Debug)]
struct Pending {
    /// The packets, or the line.
    parts: VecDeque<Vec<u8>>,
    sends: u32,
    at: u64,
}

#[derive(Debug)]
pub(super) struct Scanner {
    protocol: Protocol,
    decoder: Decoder,
    /// Cards before the window, and when they are seen.
    cards: VecDeque<(u64, String)>,
    pending: Option<Pending>,
    twice: bool,
    by_host: bool,
    deaf: bool,
    /// Until when a scan goes on that its host has started.
    scans_until: u64,
    last_ms: u64,
    wakes_at: u64,
    last_answer: Vec<u8>,
}

impl Scanner {
    pub(super) fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            decoder: Decoder::default(),
            cards: VecDeque::new(),
            pending: None,
            twice: false,
            by_host: false,
            deaf: false,
            scans_until: 0,
            last_ms: 0,
            wakes_at: 0,
            last_answer: Vec::new(),
        }
    }

    fn pass(&mut self, now: u64, symbol: &str) {
        for at in if self.twice { [Some(now), Some(now + TWICE_MS)] } else { [Some(now), None] }.into_iter().flatten() {
            if self.cards.len() < QUEUE {
                self.cards.push_back((at, symbol.to_owned()));
            }
        }
    }

    /// Reads the card before the window, where it may.
    fn read(&mut self, now: u64) -> Option<Vec<u8>> {
        let may = self.pending.is_none() && (!self.by_host || now < self.scans_until);
        let (_, symbol) = self.cards.pop_front_if(|(at, _)| may && *at <= now)?;
        self.scans_until = 0;
        let parts = match self.protocol {
            Protocol::Lines { .. } => VecDeque::from([[symbol.as_bytes(), b"\r\n"].concat()]),
            Protocol::Ssi => packets(symbol.as_bytes()),
        };
        let first = parts.front()?.clone();
        if self.protocol != (Protocol::Lines { ack: false }) {
            self.pending = Some(Pending { parts, sends: 1, at: now });
        }
        Some(first)
    }

    /// What is not acknowledged, once more; SSI says that it is.
    fn again(&mut self, now: u64) -> Option<Vec<u8>> {
        let pending = self.pending.as_mut()?;
        pending.at = now;
        let part = pending.parts.front()?;
        if self.protocol == Protocol::Ssi { repeated(part) } else { Some(part.clone()) }
    }

    fn acknowledged(&mut self, now: u64) -> Option<Vec<u8>> {
        let pending = self.pending.as_mut()?;
        pending.parts.pop_front();
        let next = pending.parts.front().cloned();
        (pending.sends, pending.at) = (1, now);
        if next.is_none() {
            self.pending = None;
        }
        next
    }

    /// A byte of a host that answers lines.
    fn line_answer(&mut self, now: u64, byte: u8) -> Option<Vec<u8>> {
        match byte {
            0x06 => self.acknowledged(now),
            0x15 => self.again(now),
            _ => None,
        }
    }

    fn packet(&mut self, now: u64, packet: &Packet) -> Option<Vec<u8>> {
        let answer = |opcode, data: &[u8]| Packet { opcode, source: SCANNER, status: 0, data: data.to_vec() }.encode();
        let reply = match packet.opcode {
            opcode::ACK => return self.acknowledged(now),
            opcode::NAK if packet.data.first() == Some(&cause::RESEND) => {
                let last = (!self.last_answer.is_empty()).then(|| self.last_answer.clone());
                return self.again(now).or_else(|| repeated(&last?));
            }
            opcode::NAK => {
                self.pending = None;
                return None;
            }
            opcode::REQUEST_REVISION => answer(opcode::REPLY_REVISION, REVISION),
            opcode::START_SESSION | opcode::STOP_SESSION if self.by_host => {
                self.scans_until = if packet.opcode == opcode::START_SESSION { now + SCAN_MS } else { 0 };
                answer(opcode::ACK, &[])
            }
            opcode::START_SESSION | opcode::STOP_SESSION => answer(opcode::NAK, &[cause::DENIED]),
            _ => answer(opcode::NAK, &[cause::BAD_CONTEXT]),
        }?;
        self.last_answer.clone_from(&reply);
        Some(reply)
    }

    /// What comes while it sleeps wakes it, and is lost. It does not sleep while it waits for an acknowledgement.
    fn hears(&mut self, now: u64) -> bool {
        if self.pending.is_none() && now.saturating_sub(self.last_ms) > AWAKE_MS {
            self.wakes_at = now + WAKING_MS;
        }
        self.last_ms = now;
        now >= self.wakes_at
    }
}

/// What was read, in as many packets as it takes.
fn packets(text: &[u8]) -> VecDeque<Vec<u8>> {
    let pieces: Vec<&[u8]> = text.chunks(MAX_DATA - 1).collect();
    let last = pieces.len().saturating_sub(1);
    let packet = |(n, piece): (usize, &&[u8])| {
        let status = if n < last { CONTINUED } else { 0 };
        Packet { opcode: opcode::DECODE_DATA, source: SCANNER, status, data: [&[KIND], *piece].concat() }.encode()
    };
    pieces.iter().enumerate().filter_map(packet).collect()
}

/// A packet with the bit that says that it is sent once more.
fn repeated(bytes: &[u8]) -> Option<Vec<u8>> {
    let &[_, opcode, source, status, ref rest @ ..] = bytes else { return None };
    let data = rest.get(..rest.len().checked_sub(2)?)?.to_vec();
    Packet { opcode, source, status: status | AGAIN, data }.encode()
}

impl Model for Scanner {
    type Lever = Lever;

    fn obey(&mut self, now: u64, lever: Lever) -> Vec<Vec<u8>> {
        match lever {
            Lever::Scan(symbol) => self.pass(now, &symbol),
            Lever::NoRead => {
                let text = if self.protocol == Protocol::Ssi { NO_READ_SSI } else { NO_READ_LINES };
                self.pass(now, text);
            }
            Lever::Duplicate(twice) => self.twice = twice,
            Lever::ByHost(by_host) => self.by_host = by_host,
            Lever::Deaf(deaf) => self.deaf = deaf,
        }
        Vec::new()
    }

    fn receive(&mut self, now: u64, bytes: &[u8]) -> Vec<Vec<u8>> {
        let hears = self.hears(now);
        let bytes = if self.deaf { &[] } else { bytes };
        match self.protocol {
            Protocol::Lines { ack: false } => Vec::new(),
            Protocol::Lines { ack: true } => bytes.iter().filter_map(|&byte| self.line_answer(now, byte)).collect(),
            Protocol::Ssi if !hears => Vec::new(),
            Protocol::Ssi => {
                self.decoder.push(now, bytes);
                let mut replies = Vec::new();
                while let Some(packet) = self.decoder.next_packet() {
                    replies.extend(self.packet(now, &packet));
                }
                replies
            }
        }
    }

    fn tick(&mut self, now: u64) -> Vec<Vec<u8>> {
        let mut sent = Vec::new();
        if self.decoder.settle(now).is_some() {
            let nak = Packet { opcode: opcode::NAK, source: SCANNER, status: 0, data: vec![cause::RESEND] };
            sent.extend(nak.encode());
        }
        let response = if self.protocol == Protocol::Ssi { SSI_RESPONSE_MS } else { LINES_RESPONSE_MS };
        if let Some(pending) = self.pending.as_mut().filter(|pending| now >= pending.at + response) {
            pending.sends += 1;
            if pending.sends > SENDS {
                self.pending = None; // it beeps, and forgets what it has read
            } else {
                sent.extend(self.again(now));
            }
        }
        sent.extend(self.read(now));
        sent
    }

    fn sent(&mut self, now: u64) {
        self.last_ms = now;
    }

    fn restart(&mut self) {
        self.decoder.restart();
        self.cards.clear();
        (self.pending, self.scans_until) = (None, 0);
        self.last_answer.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(opcode: u8) -> Vec<u8> {
        Packet::from_host(opcode, 0, Vec::new()).encode().unwrap()
    }

    #[test]
    fn what_nobody_acknowledges_is_sent_three_times_and_said_to_be_sent_again() {
        let mut scanner = Scanner::new(Protocol::Ssi);
        scanner.obey(0, Lever::Scan("AS".to_owned()));
        scanner.obey(0, Lever::Scan("2S".to_owned()));
        let first = scanner.tick(0);
        assert_eq!(first, [vec![7, 0xF3, 0, 0, 3, b'A', b'S', 0xFE, 0x6F]]);
        assert!(scanner.tick(1999).is_empty(), "one after the other");
        assert_eq!(scanner.tick(2000), [repeated(&first[0]).unwrap()]);
        assert_eq!(scanner.tick(4000)[0][3], AGAIN);
        assert_eq!(scanner.tick(6000)[0][3], 0, "the next card");
        assert!(scanner.receive(6001, &host(opcode::ACK)).is_empty());
        assert!(scanner.tick(9999).is_empty());
    }

    #[test]
    fn it_sleeps_and_what_wakes_it_is_lost() {
        let mut scanner = Scanner::new(Protocol::Ssi);
        assert!(scanner.receive(5000, &host(opcode::REQUEST_REVISION)).is_empty());
        assert!(scanner.receive(5009, &[0]).is_empty());
        assert_eq!(scanner.receive(5020, &host(opcode::REQUEST_REVISION))[0][1], opcode::REPLY_REVISION);
    }

    #[test]
    fn its_host_starts_and_stops_it_where_it_does() {
        let mut scanner = Scanner::new(Protocol::Ssi);
        assert_eq!(scanner.receive(1, &host(opcode::START_SESSION))[0][1], opcode::NAK);
        scanner.obey(1, Lever::ByHost(true));
        scanner.obey(1, Lever::Scan("AS".to_owned()));
        assert!(scanner.tick(2).is_empty());
        assert_eq!(scanner.receive(3, &host(opcode::START_SESSION))[0][1], opcode::ACK);
        scanner.receive(3, &host(opcode::STOP_SESSION));
        assert!(scanner.tick(4).is_empty());
        scanner.receive(5, &host(opcode::START_SESSION));
        assert_eq!(scanner.tick(6).len(), 1);
    }

    #[test]
    fn lines_are_sent_again_when_the_host_asks_or_says_nothing() {
        let mut scanner = Scanner::new(Protocol::Lines { ack: true });
        scanner.obey(0, Lever::Duplicate(true));
        scanner.obey(0, Lever::Scan("AS".to_owned()));
        assert_eq!(scanner.tick(0), [b"AS\r\n"]);
        assert_eq!(scanner.receive(10, &[0x15]), [b"AS\r\n"]);
        assert_eq!(scanner.tick(1010), [b"AS\r\n"]);
        assert!(scanner.receive(1020, &[0x06]).is_empty());
        assert_eq!(scanner.tick(1020), [b"AS\r\n"], "seen twice");
        scanner.restart();
        assert!(scanner.tick(9999).is_empty());
    }

    #[test]
    fn a_long_text_takes_several_packets() {
        let parts = packets(&[b'x'; 300]);
        assert_eq!(parts.iter().map(|part| part[3]).collect::<Vec<_>>(), [CONTINUED, 0]);
    }
}
