//! A shoe that is right but for one fault, written from the page: its own frames, its own sealing.

mod coded;
mod sessions;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ascon_aead::AsconAead128;
use ascon_aead::aead::{AeadInOut, KeyInit};
use sabot_wire::SCHEMA_4;
use sabot_wire::frame::crc32c;
use sabot_wire::message::Key;
use sabot_wire::seal::LENGTHS;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::{Instant, timeout};

use super::codec::{cobs, read_varint, uncobs, varint};
use super::faults::{Fault, NONSENSE};

const WINDOW: u32 = 32;

struct Session {
    challenge: Vec<u8>,
    answer: [u8; 16],
    mark: u8,
    to_device: [u8; 16],
    to_host: [u8; 16],
    greeted: [u8; 16],
    /// What the shares prove that both ends know.
    known: [u8; 32],
    /// The host's, once there is one.
    of_host: Option<[u8; 32]>,
    share: Option<[u8; 32]>,
    proof: [u8; 16],
    took: u64,
    sent: u64,
}

struct Event {
    at_ms: u32,
    saw: Vec<u8>,
}

pub(crate) struct Impostor {
    fault: Option<Fault>,
    key: Option<[u8; 16]>,
    serial: &'static [u8],
    boots: u32,
    epoch: u32,
    oldest: u32,
    ring: VecDeque<Event>,
    /// Events that its person makes at once.
    pub(crate) deed: u32,
    /// How long a share takes; it does nothing else meanwhile.
    pub(crate) slowness: Duration,
    busy_until: Instant,
    began: Instant,
    fresh: u32,
    sessions: Vec<Session>,
    living: Option<usize>,
    next: Vec<usize>,
    before: Option<usize>,
    is_shut: bool,
    waits: bool,
    open: bool,
    hello_at: Instant,
    cursor: u32,
    told: u32,
    patience: Duration,
    moved_at: Instant,
    held: Vec<u8>,
    out: Vec<u8>,
    late: Vec<(Instant, usize, u32)>,
    answers: u8,
    challenges: u32,
    clocks: u32,
    shares: u32,
    /// How many sessions it has said a share for.
    exchanged: u8,
    images: u8,
    is_hung: bool,
    drops_next: bool,
    /// Of its housing.
    pub(crate) code: Option<[u8; 10]>,
    /// What was offered to it.
    offered: Vec<coded::Offered>,
}

fn nonce(count: u64, turned: bool) -> [u8; 16] {
    let mut nonce = [0; 16];
    nonce[..8].copy_from_slice(&count.to_le_bytes());
    if turned {
        nonce.reverse();
    }
    nonce
}

impl Impostor {
    pub(crate) fn new(fault: Option<Fault>) -> Self {
        let now = Instant::now();
        let mut device = Self {
            fault,
            key: None,
            serial: b"IM-0001",
            boots: 1,
            epoch: 0x1234_5678,
            oldest: 1,
            ring: VecDeque::new(),
            deed: 33,
            slowness: Duration::ZERO,
            busy_until: now,
            began: now,
            fresh: 1,
            sessions: Vec::new(),
            living: None,
            next: Vec::new(),
            before: None,
            is_shut: false,
            waits: false,
            open: false,
            hello_at: now,
            cursor: 1,
            told: 0,
            patience: Duration::ZERO,
            moved_at: now,
            held: Vec::new(),
            out: Vec::new(),
            late: Vec::new(),
            answers: 0,
            challenges: 0,
            clocks: 0,
            shares: 0,
            exchanged: 0,
            images: 0,
            is_hung: false,
            drops_next: false,
            code: None,
            offered: Vec::new(),
        };
        match fault {
            Some(Fault::HostileSerial) => device.serial = b"IM\x1b[2J01",
            Some(Fault::LongSerial) => device.serial = b"IM-00000000000001",
            Some(Fault::NoSerial) => device.serial = b"",
            Some(Fault::EpochIsBoots) => device.epoch = device.boots,
            _ => {}
        }
        device
    }

    /// As on the housing.
    pub(crate) fn serial(&self) -> &'static str {
        "IM-0001"
    }

    /// Is given a key on some other bench.
    pub(crate) fn gets_key(&mut self) -> Key {
        self.key = Some([7; 16]);
        Key::new([7; 16])
    }

    fn is(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn role(&self) -> u8 {
        match self.fault {
            Some(Fault::Tells(which)) => NONSENSE[which].0,
            _ => 0,
        }
    }

    fn next_seq(&self) -> u32 {
        self.oldest + self.ring.len() as u32
    }

    fn now_ms(&self) -> u32 {
        let ms = self.began.elapsed().as_millis() as u32;
        match self.fault {
            Some(Fault::TensOfMilliseconds) => ms / 10 * 10,
            Some(Fault::TwiceTheTime) => ms * 2,
            Some(Fault::ClockOfEarlierStart) if self.boots > 1 => ms + 1_000_000,
            _ => ms,
        }
    }

    /// Its person does something.
    pub(crate) fn sees(&mut self) {
        for card in 0..self.deed {
            let seq = self.next_seq();
            let at_ms = if self.is(Fault::EventsGoBack) { 10_000 - seq } else { self.now_ms() };
            let at_ms = at_ms + if self.is(Fault::AheadOfItsClock) { 100_000 } else { 0 };
            let saw = match self.fault {
                Some(Fault::CardOfNoCode) => vec![0, 0, 77],
                Some(Fault::LoadedNone) => vec![0, 3, 0, 0],
                Some(Fault::ChipsOfShoe) => vec![2, 2, 1],
                Some(Fault::Tells(which)) => NONSENSE[which].1.to_vec(),
                _ => vec![0, 0, card as u8 % 52],
            };
            self.ring.push_back(Event { at_ms, saw });
        }
    }

    /// Its power goes and comes.
    pub(crate) fn restarts(&mut self) {
        self.boots += u32::from(!self.is(Fault::StartsNotCounted));
        self.began = Instant::now();
        if self.is(Fault::NewEpochAtStart) {
            self.epoch = 0x8765_4321;
        }
        if self.is(Fault::NewEpochAtStart) || self.is(Fault::RingGoneUnderSameEpoch) {
            (self.oldest, self.told) = (1, 0);
            self.ring.clear();
        }
        self.fresh = if self.is(Fault::FreshIsOne) { 1 } else { self.next_seq() };
        self.forgets_session();
        self.answers *= u8::from(!self.is(Fault::AnswersAnewAtStart));
        self.exchanged *= u8::from(!self.is(Fault::SharesAnewAtStart));
        let late_ms = match self.fault {
            Some(Fault::FirstHelloLate) => 900,
            Some(Fault::NoFirstHello) => 1_000_000,
            _ => 0,
        };
        self.hello_at = Instant::now() + Duration::from_millis(late_ms);
    }

    fn forgets_session(&mut self) {
        (self.living, self.open, self.waits) = (None, false, false);
        self.next.clear();
        self.rewinds();
    }

    fn rewinds(&mut self) {
        self.cursor = self.oldest;
        self.patience = Duration::from_millis(250);
        self.moved_at = Instant::now();
    }

    fn frame(&mut self, body: &[u8], is_sealed: bool) {
        let mut crc = crc32c(body).to_le_bytes();
        if is_sealed && self.is(Fault::ChecksumTurned) {
            crc.reverse();
        }
        let inside = cobs(&[body, &crc].concat());
        match self.fault {
            Some(Fault::NoFrames) => self.out.extend([0x55; 20]),
            Some(Fault::OneZero) => self.out.extend([&[0], &inside[..]].concat()),
            Some(Fault::BlockBeyondFrame) if is_sealed => self.out.extend([0, 0x20, 1, 2, 3, 0]),
            Some(Fault::FrameTooLong) if is_sealed => self.out.extend([&[0], &[0x55; 400][..], &[0]].concat()),
            _ => self.out.extend([&[0], &inside[..], &[0]].concat()),
        }
    }

    fn hello_fields(&self, is_ready: bool) -> Vec<u8> {
        let protocol = if self.is(Fault::SpeaksTwo) { 2 } else { 4 };
        let role = if self.is(Fault::RoleOfNoKind) { 9 } else { self.role() };
        let schema = if self.is(Fault::OtherSchema) { SCHEMA_4 ^ 1 } else { SCHEMA_4 };
        let minor = if self.is(Fault::OtherFirmwareInReady) && is_ready { 2 } else { 1 };
        let oldest = if self.is(Fault::OldestZero) { 0 } else { self.oldest };
        let numbers = [schema, self.boots, self.epoch, oldest].map(varint).concat();
        [&[protocol, role, self.serial.len() as u8], self.serial, &[0, minor, 0], &numbers].concat()
    }

    fn says_hello(&mut self) {
        let body = [&[1], &self.hello_fields(false)[..]].concat();
        match self.living.filter(|_| self.is(Fault::HelloSealed)) {
            Some(living) => self.seals(living, &body),
            None => self.frame(&body, false),
        }
    }

    fn says_ready(&mut self, session: usize) {
        if self.is(Fault::NoReady) {
            return;
        }
        let fresh = match self.fault {
            Some(Fault::FreshTooHigh) => self.fresh + 1,
            Some(Fault::FreshGoesOn) => self.next_seq(),
            _ => self.fresh,
        };
        let rest = [&[0], &varint(fresh)[..], &varint(self.now_ms())].concat();
        self.images += 1;
        let image = [if self.is(Fault::OtherImageNowAndThen) { self.images } else { 1 }; 32];
        let body = [&[9], &self.hello_fields(true)[..], &rest, &image].concat();
        self.seals(session, &body);
    }

    fn seals(&mut self, session: usize, plain: &[u8]) {
        let due = LENGTHS.into_iter().find(|length| *length >= plain.len()).unwrap();
        let mut text = plain.to_vec();
        match self.fault {
            Some(Fault::NotPadded) => {}
            Some(Fault::PaddedWithOnes) => text.resize(due, 1),
            Some(Fault::PaddedTooFar) => text.resize(88, 0),
            _ => text.resize(due, 0),
        }
        let (from_zero, by_two) = (self.is(Fault::CounterFromZero), self.is(Fault::CounterByTwo));
        let of_16_bits = self.is(Fault::SendsCounterOf16Bits);
        let (other_key, turned) = (self.is(Fault::SealsWithOtherKey), self.is(Fault::NonceTurned));
        let session = &mut self.sessions[session];
        let count = if from_zero { session.sent } else { session.sent + 1 };
        let count = if of_16_bits { count & 0xffff } else { count };
        session.sent += if by_two { 2 } else { 1 };
        let key = if other_key { session.to_device } else { session.to_host };
        let cipher = AsconAead128::new(&key.into());
        let tag = cipher.encrypt_inout_detached(&nonce(count, turned).into(), &[], text[..].as_mut().into()).unwrap();
        let [low, high, ..] = count.to_le_bytes();
        let body = [&[session.mark, low, high], &text[..], &tag[..]].concat();
        self.frame(&body, true);
    }

    fn says_clock(&mut self, session: usize, ping: u32) {
        self.clocks += 1;
        let back = if self.is(Fault::AnswersGoBack) && self.clocks.is_multiple_of(3) { 100 } else { 0 };
        let ping = if self.is(Fault::PingOfOtherNumber) { ping + 1 } else { ping };
        let newest = match self.fault {
            Some(Fault::NewestIsZero) => 0,
            Some(Fault::NewestSent) if !self.open => self.told,
            _ => self.next_seq() - 1,
        };
        let mut number = varint(ping);
        if self.is(Fault::LongVarint) {
            *number.last_mut().unwrap() |= 128;
            number.push(0);
        }
        let at_ms = varint(self.now_ms().saturating_sub(back));
        let body = [&[7], &number[..], &at_ms, &varint(newest)].concat();
        match self.fault {
            Some(Fault::ClockInClear) => self.frame(&body, false),
            Some(Fault::SaysUnknown) => self.seals(session, &[40]),
            _ => self.seals(session, &body),
        }
    }

    /// What comes.
    pub(crate) fn receives(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if *byte != 0 {
                self.held.push(*byte);
                continue;
            }
            let stretch = std::mem::take(&mut self.held);
            self.is_hung |= self.is(Fault::HangsOnEndlessFrame) && stretch.len() > 342;
            if stretch.is_empty() || self.is_hung || std::mem::take(&mut self.drops_next) {
                continue;
            }
            let is_short = stretch.len() <= 342 || self.is(Fault::TakesOverlong) && stretch.len() < 400;
            let checked = uncobs(&stretch).filter(|checked| is_short && checked.len() > 4);
            let is_sound = |checked: &Vec<u8>| {
                let (body, crc) = checked.split_last_chunk::<4>().unwrap();
                self.is(Fault::IgnoresChecksum) || crc32c(body).to_le_bytes() == *crc
            };
            match checked.filter(is_sound) {
                Some(checked) => self.takes(&checked[..checked.len() - 4]),
                None => self.drops_next = self.is(Fault::DropsFrameAfterNoise),
            }
        }
    }

    fn takes(&mut self, body: &[u8]) {
        let (mut rest, tag) = (&body[1..], body[0]);
        match tag {
            0x54 | 0x55 => self.opens(body),
            0 if self.is(Fault::ObeysClearAck) => self.is_told(None, body),
            1 => {
                let protocol = rest[0];
                rest = &rest[1..];
                let _schema = read_varint(&mut rest);
                let is_known = protocol == 4 || !self.is(Fault::OwnSchemaOnly);
                if is_known && (rest.is_empty() || self.is(Fault::TakesLongerBody)) {
                    if self.is(Fault::ClearHelloBringsEventsBack) {
                        self.patience = Duration::from_millis(250);
                    }
                    if self.is(Fault::HelloEndsSession) {
                        self.forgets_session();
                    }
                    let in_session = self.is(Fault::StartsOnHelloInSession) && self.open;
                    if self.is(Fault::StartsOnHello) || in_session {
                        self.restarts();
                    }
                    self.says_hello();
                }
            }
            2 if self.is(Fault::AnswersClearPing) => self.is_told(self.living, body),
            4 if rest.len() == 16 => self.is_challenged(rest),
            5 if rest.len() == 16 && self.obeys_pair() => {
                self.key = Some(rest.try_into().unwrap());
                self.forgets_session();
            }
            6 if rest.len() == 64 => self.is_told_a_share(rest),
            0x56 if self.code.is_some() => self.is_offered(rest),
            7.. if self.is(Fault::EndsOnUnknown) => self.forgets_session(),
            _ => {}
        }
    }

    fn obeys_pair(&self) -> bool {
        let has_no_other = self.code.is_none() || self.is(Fault::TakesClearKeyDespiteCode);
        let obeys = has_no_other && self.key.is_none() || self.is(Fault::ObeysAnyPair);
        obeys && !self.is(Fault::NeverTakesAKey)
    }

    fn is_told(&mut self, session: Option<usize>, plain: &[u8]) {
        let mut rest = &plain[1..];
        match plain[0] {
            0 => {
                let (epoch, seq) = (read_varint(&mut rest), read_varint(&mut rest));
                self.is_acknowledged(epoch, seq);
            }
            1 => {
                if let Some(session) = session.filter(|_| !self.is(Fault::NoReadyOnSealedHello)) {
                    self.says_ready(session);
                }
                if self.is(Fault::NothingAgainOnSealedHello) {
                    self.moved_at = Instant::now() + Duration::from_millis(100);
                } else {
                    self.rewinds();
                }
            }
            2 if self.open || !self.is(Fault::PingOnlyWhileOpen) => {
                let late = Duration::from_millis(if self.is(Fault::PingLate) { 600 } else { 0 });
                let ping = read_varint(&mut rest) & if self.is(Fault::PingOf16Bits) { 0xffff } else { u32::MAX };
                if rest.iter().all(|byte| *byte == 0) || self.is(Fault::TakesAnyPadding) {
                    self.late.push((Instant::now() + late, session.unwrap(), ping));
                }
            }
            6.. if self.is(Fault::EndsOnUnknown) => self.forgets_session(),
            _ => {}
        }
    }

    fn is_acknowledged(&mut self, epoch: u32, seq: u32) {
        if epoch != self.epoch && !self.is(Fault::ObeysAnyEpoch) {
            return;
        }
        self.open = true;
        let newest = self.next_seq() - 1;
        let seq = match self.fault {
            Some(Fault::AcknowledgedBy16Bits) => seq & 0xffff,
            Some(Fault::ForgetsAllOnAnyNumber) => seq.min(newest),
            Some(Fault::ForgetsOneLess) => seq.saturating_sub(1),
            _ => seq,
        };
        if (self.oldest..=newest).contains(&seq) {
            self.ring.drain(..(seq + 1 - self.oldest) as usize);
            self.oldest = seq + 1;
            self.cursor = self.cursor.max(self.oldest);
            if !self.is(Fault::AcknowledgedAndNoSooner) {
                self.patience = Duration::from_millis(250);
            }
            self.moved_at = Instant::now();
        }
    }

    /// What goes out now.
    pub(crate) fn says(&mut self) -> Vec<u8> {
        let now = Instant::now();
        if self.hello_at <= now && (!self.open || self.is(Fault::HelloThoughOpen)) {
            self.says_hello();
            self.hello_at = now + Duration::from_millis(if self.is(Fault::HelloSeldom) { 3000 } else { 1000 });
        }
        let (due, late) = self.late.drain(..).partition(|(at, ..)| *at <= now);
        let due: Vec<(Instant, usize, u32)> = due;
        self.late = late;
        let newest_alone = self.is(Fault::TakesAnyCounterAndAnswersTheNewest);
        let skipped = if newest_alone { due.len().saturating_sub(1) } else { 0 };
        for (_, session, ping) in due.into_iter().skip(skipped) {
            self.says_clock(session, ping);
        }
        let may_tell = self.open || self.is(Fault::EventsBeforeOpen);
        if let Some(living) = self.living.filter(|_| may_tell && !self.waits) {
            self.tells(living, now);
        }
        std::mem::take(&mut self.out)
    }

    fn tells(&mut self, living: usize, now: Instant) {
        let patience = if self.is(Fault::AgainAtOnce) { Duration::from_millis(50) } else { self.patience };
        let is_due = self.cursor > self.oldest && now >= self.moved_at + patience;
        if is_due && !self.is(Fault::NeverAgain) {
            self.cursor = self.oldest;
            let doubled = self.patience * if self.is(Fault::AgainWithoutDoubling) { 1 } else { 2 };
            self.patience = doubled.min(Duration::from_millis(2000));
        }
        let window = if self.is(Fault::NoWindow) { u32::MAX } else { self.oldest + WINDOW };
        while self.cursor < self.next_seq().min(window) {
            let seq = self.cursor;
            let Event { at_ms, saw } = &self.ring[(seq - self.oldest) as usize];
            let again = u32::from(self.is(Fault::AgainAtOtherTime) && seq <= self.told);
            let told = match self.fault {
                Some(Fault::NumbersFromZero) => seq - 1,
                Some(Fault::SkipsNumber) if seq > 1 => seq + 1,
                _ => seq,
            };
            let body = [&[0], &varint(told)[..], &varint(at_ms + again), saw].concat();
            for _ in 0..if self.is(Fault::EachTwice) { 2 } else { 1 } {
                self.seals(living, &body);
            }
            (self.cursor, self.moved_at) = (seq + 1, now);
            self.told = self.told.max(seq);
        }
    }
}

/// Runs it on a cable until the far end goes.
pub(crate) async fn run(device: Arc<Mutex<Impostor>>, mut cable: DuplexStream) {
    run_on(&device, &mut cable).await;
}

/// On a cable that stays where it is when the device goes.
pub(crate) async fn run_on(device: &Mutex<Impostor>, cable: &mut DuplexStream) {
    let mut buffer = [0; 1024];
    loop {
        let busy_until = device.lock().unwrap().busy_until;
        tokio::time::sleep_until(busy_until).await;
        let out = device.lock().unwrap().says();
        if cable.write_all(&out).await.is_err() {
            return;
        }
        match timeout(Duration::from_millis(1), cable.read(&mut buffer)).await {
            Ok(Ok(0) | Err(_)) => return,
            Ok(Ok(count)) => device.lock().unwrap().receives(&buffer[..count]),
            Err(_) => {}
        }
    }
}
