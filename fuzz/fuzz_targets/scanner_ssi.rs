//! The session with a card scanner that speaks SSI. As long as only the scanner speaks, over a line that loses packets,
//! every card it reads is on record once at the most, in order, through pulled cables and restarts; whatever anybody
//! else sends, no more than the protocol allows is told or sent.
#![no_main]

use std::collections::VecDeque;

use libfuzzer_sys::fuzz_target;
use sabot_drivers::link::machine::Machine;
use sabot_drivers::scanner::packet::{AGAIN, Decoder, HOST, Packet, SCANNER, WAKE, cause, opcode};
use sabot_drivers::scanner::{Protocol, Setup, SsiSession};
use sabot_fuzz::Script;
use sabot_fuzz::scanner::{CARDS, Told, comes, does, setup, symbol};
use sabot_wire::message::{DeviceState, Observation, ShoeSaw};

/// The scanner sends again after so long, and so often in all, milliseconds.
const AGAIN_MS: u64 = 2000;
const SENDS: u32 = 3;

/// A card that the scanner has read.
struct Read {
    card: u8,
    sends: u32,
    next_ms: u64,
}

struct World {
    session: SsiSession,
    setup: Setup,
    told: Told,
    now: u64,
    /// When the session began.
    began: u64,
    /// What the host asked, and has no answer to.
    asked: Option<u8>,
    reading: Option<Read>,
    /// Cards that passed, in order, and how many of them are no longer to come.
    passed: VecDeque<u8>,
    cards: u8,
    /// The next packets are lost, a bit each.
    loses: u32,
    /// The last acknowledgement was lost.
    unheard: bool,
    /// Somebody else has spoken.
    forged: bool,
}

impl World {
    fn new(kind: u8) -> Self {
        let setup = Setup { last: None, ..setup(Protocol::Ssi, kind) };
        let mut session = SsiSession::new(setup.clone());
        session.opened(0);
        let (told, passed) = (Told::default(), VecDeque::new());
        let (now, began, asked, reading) = (0, 0, None, None);
        let (cards, loses, unheard, forged) = (0, 0, false, false);
        Self { session, setup, told, now, began, asked, reading, passed, cards, loses, unheard, forged }
    }

    fn comes(&mut self, bytes: &[u8]) {
        let before = self.told.events.len();
        comes(&mut self.session, &mut self.told, self.now - self.began, bytes);
        self.check(before);
    }

    /// Nothing is told that has not passed, or that was told before.
    fn check(&mut self, before: usize) {
        for saw in &self.told.events[before..] {
            let comes_again = self.setup.symbols.unique() && *saw == Observation::Device(DeviceState::ReadError);
            if self.forged || comes_again {
                continue;
            }
            let Observation::Shoe(ShoeSaw::Drawn(card)) = saw else { panic!("{saw:?} did not happen") };
            let passed = std::iter::from_fn(|| self.passed.pop_front()).any(|passed| passed == card.code());
            assert!(passed, "a card that has not passed, or was on record");
        }
    }

    /// Whether the line loses the next packet.
    fn loses(&mut self) -> bool {
        let lost = self.loses & 1 != 0;
        self.loses >>= 1;
        lost
    }

    /// A packet of the scanner, where the line does not lose it.
    fn says(&mut self, opcode: u8, status: u8, data: &[u8]) {
        let lost = self.loses();
        let packet = Packet { opcode, source: SCANNER, status, data: data.to_vec() };
        if let (false, Some(bytes)) = (lost, packet.encode()) {
            self.comes(&bytes);
        }
    }

    /// Sends what was read, the first time or once more.
    fn sends(&mut self) {
        let Some(read) = &mut self.reading else { return };
        let (card, status) = (read.card, if read.sends == 0 { 0 } else { AGAIN });
        read.sends += 1;
        read.next_ms = self.now + AGAIN_MS;
        // equal cards have equal symbols: what is sent again later than that is taken for the next one
        if std::mem::take(&mut self.unheard) && !self.setup.symbols.unique() {
            self.loses &= !1;
        }
        self.says(opcode::DECODE_DATA, status, format!("\u{3}{}", symbol(card)).as_bytes());
    }

    fn reads(&mut self) {
        if self.reading.is_none() {
            self.cards = (self.cards + 1) % CARDS;
            self.passed.push_back(self.cards);
            self.reading = Some(Read { card: self.cards, sends: 0, next_ms: 0 });
            self.sends();
        }
    }

    /// What the session sends, and what the scanner hears of it.
    fn talk(&mut self) {
        let (now, before) = (self.now - self.began, self.told.events.len());
        let sent = does(&mut self.session, &mut self.told, now);
        self.check(before);
        for bytes in sent {
            if bytes == [WAKE] {
                continue;
            }
            let mut decoder = Decoder::default();
            decoder.push(0, &bytes);
            let packet = decoder.next_packet().expect("a session sends sound packets");
            assert!((packet.source, decoder.silent_at()) == (HOST, None), "one packet, of the host");
            let asks_who = packet.opcode == opcode::REQUEST_REVISION;
            assert!(self.session.online() || asks_who, "nothing else before it is known who it is");
            let lost = self.loses();
            match packet.opcode {
                opcode::ACK => {
                    assert!(self.told.all_durable(), "acknowledged when it is on disk");
                    self.unheard = lost;
                    if !lost {
                        self.reading = None;
                    }
                }
                opcode::NAK => assert!(packet.data == [cause::RESEND] || packet.data == [cause::DENIED]),
                other => {
                    assert!(asks_who || [opcode::START_SESSION, opcode::STOP_SESSION].contains(&other));
                    self.asked = (!lost).then_some(other);
                }
            }
        }
    }

    /// Lets time pass: the scanner sends again, or gives up.
    fn wait(&mut self, ms: u64) {
        let end = self.now + ms;
        while let Some(read) = self.reading.as_ref().filter(|read| read.next_ms <= end) {
            self.now = self.now.max(read.next_ms);
            if read.sends < SENDS {
                self.sends();
            } else {
                self.reading = None;
            }
            self.talk();
        }
        self.now = end;
        self.talk();
    }

    /// Answers what was asked.
    fn answers(&mut self, well: bool) {
        match self.asked.take() {
            None => {}
            Some(opcode::REQUEST_REVISION) if well => self.says(opcode::REPLY_REVISION, 0, b"R 0 17 1"),
            Some(_) if well => self.says(opcode::ACK, 0, &[]),
            Some(_) => self.says(opcode::NAK, 0, &[cause::DENIED]),
        }
    }

    fn replugged(&mut self) {
        self.session.closed();
        self.told.closed();
        self.session.opened(self.now - self.began);
        self.asked = None;
    }

    /// The station starts anew, with what is on disk.
    fn restarts(&mut self) {
        let shoe = |saw: &Observation| if let Observation::Shoe(saw) = saw { Some(*saw) } else { None };
        let durable = self.told.durable as usize;
        let last = self.told.events[..durable].iter().rev().find_map(shoe).or(self.setup.last);
        // what was told and did not reach the disk may be told once more
        for saw in self.told.events[durable..].iter().rev() {
            if let Observation::Shoe(ShoeSaw::Drawn(card)) = saw {
                self.passed.push_front(card.code());
            }
        }
        self.setup.last = last;
        self.session = SsiSession::new(self.setup.clone());
        (self.told, self.began, self.asked) = (Told::default(), self.now, None);
        self.session.opened(0);
    }
}

fuzz_target!(|data: &[u8]| {
    let mut script = Script::new(data);
    let mut world = World::new(script.byte());
    while !script.is_over() {
        world.wait(script.pause_ms());
        match script.byte() % 12 {
            0 => world.replugged(),
            1 => world.restarts(),
            2 => world.loses = u32::from(script.byte()),
            3 => world.answers(false),
            4 => {
                world.forged = true;
                world.comes(script.bytes());
            }
            5 => {
                world.forged = true;
                let (opcode, status) = (script.byte(), script.byte());
                world.says(opcode, status, script.bytes());
            }
            6 => world.told.to_disk(script.byte().into(), &mut world.session),
            7 => world.told.to_disk(u32::MAX, &mut world.session),
            8 | 9 => world.reads(),
            _ => world.answers(true),
        }
    }
    assert_eq!(world.session.counters().events as usize, world.told.events.len());
});
