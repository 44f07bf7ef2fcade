//! Somebody stands in the middle of a cable. He has no key. He keeps frames back, plays them again, changes their
//! order, invents some, makes either end start anew, and floods the line.

use std::collections::VecDeque;
use std::os::fd::BorrowedFd;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sabot_wire::frame::{MAX_FRAME, encode, encode_sealed};
use sabot_wire::message::{DeviceHello, Key, Nonce, Point, Role, ToDevice, ToHost};
use sabot_wire::seal::{Channel, Parties};
use sabot_wire::{PROTOCOL, SCHEMA_4, Version};

use super::SoakError;
use crate::twin::pty::Pty;
use crate::twin::{Twin, TwinError, serial};

/// How long he does one thing, milliseconds.
const ATTACK_MS: std::ops::Range<u64> = 300..3500;
/// How long he leaves the cable alone in between.
const CALM_MS: std::ops::Range<u64> = 200..1200;
/// An answer follows what it answers within this.
const ANSWER: Duration = Duration::from_millis(12);
/// He damages a frame so often, where he hides behind a bad cable.
const DAMAGE: Duration = Duration::from_millis(900);
/// Frames of each direction that he has kept to play them again.
const KEPT: usize = 64;
/// Bytes of a flood a millisecond, each way: a line of a megabaud is full.
const FLOOD: u128 = 100;
/// Longest time between two looks at the cable, milliseconds.
const LOOK_MS: u8 = 2;

/// What he does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attack {
    /// He keeps frames back.
    Withhold,
    /// The same, and damages one now and then, so that the cable seems to be bad.
    WithholdAndDamage,
    /// He plays frames of before again.
    Replay,
    /// He gives frames back in another order.
    Reorder,
    /// He invents frames.
    Insert,
    /// He cuts the cable and puts it together, takes the device's power, or says that it has started anew.
    Restart,
    /// He fills the line.
    Flood,
}

impl Attack {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Withhold,
        Self::WithholdAndDamage,
        Self::Replay,
        Self::Reorder,
        Self::Insert,
        Self::Restart,
        Self::Flood,
    ];

    /// In words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Withhold => "frames kept back",
            Self::WithholdAndDamage => "kept back, and some damaged",
            Self::Replay => "played again",
            Self::Reorder => "in another order",
            Self::Insert => "invented",
            Self::Restart => "cut, restarted or said to be",
            Self::Flood => "flooded",
        }
    }
}

/// Which frames of one direction do not pass.
#[derive(Debug, Clone, Copy)]
enum Kept {
    Nothing,
    Everything,
    /// What is no answer to what came from the other end just before.
    Unasked,
    /// What is one.
    Answers,
    /// All but one in so many.
    Most(u32),
}

/// What one thief, or several of them, have done.
#[derive(Debug, Clone, Default)]
pub struct Deeds {
    /// How often he did what, in the order of [`Attack::ALL`].
    pub attacks: [u64; Attack::ALL.len()],
    /// Frames that he kept back.
    pub kept: u64,
    /// Frames that he sent himself, played again or invented.
    pub sent: u64,
}

impl Deeds {
    /// Adds those of another.
    pub fn add(&mut self, other: &Self) {
        self.attacks.iter_mut().zip(other.attacks).for_each(|(all, more)| *all += more);
        self.kept += other.kept;
        self.sent += other.sent;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

/// One direction of the cable.
#[derive(Debug)]
struct Direction {
    /// What has come of a frame that is not at its end.
    begun: Vec<u8>,
    /// What goes on to the other end.
    out: VecDeque<u8>,
    /// Frames that he may play again.
    past: VecDeque<Vec<u8>>,
    /// Frames that he gives back later.
    held: Vec<Vec<u8>>,
    keeps: Kept,
    /// Frames that have come since he keeps some.
    count: u32,
    last_at: Instant,
}

impl Direction {
    fn new() -> Self {
        let (begun, held) = (Vec::new(), Vec::new());
        Self {
            begun,
            out: VecDeque::new(),
            past: VecDeque::new(),
            held,
            keeps: Kept::Nothing,
            count: 0,
            last_at: Instant::now(),
        }
    }
}

/// The thief on one device's cable.
#[derive(Debug)]
pub(super) struct Thief<'t> {
    twin: &'t Twin,
    rng: ChaCha8Rng,
    /// Where the station looks for the device, and where the device is.
    link: PathBuf,
    port: PathBuf,
    /// The ends of the cable, while it is not cut.
    ends: Option<(Pty, Pty)>,
    up: Direction,
    down: Direction,
    attack: Option<Attack>,
    until: Instant,
    damaged_at: Instant,
    /// When he sends something of his own accord next.
    next_at: Instant,
    deeds: Deeds,
}

impl<'t> Thief<'t> {
    /// He has the device's end at `port` and gives the station its own at `link`.
    pub(super) fn new(twin: &'t Twin, rng: ChaCha8Rng, link: PathBuf, port: PathBuf) -> Result<Self, SoakError> {
        let now = Instant::now();
        let mut thief = Self {
            twin,
            rng,
            link,
            port,
            ends: None,
            up: Direction::new(),
            down: Direction::new(),
            attack: None,
            until: now,
            damaged_at: now,
            next_at: now,
            deeds: Deeds::default(),
        };
        thief.join()?;
        Ok(thief)
    }

    fn join(&mut self) -> Result<(), SoakError> {
        let failed = |source| TwinError::Link { role: self.twin.role(), path: self.link.clone(), source };
        let device = Pty::open(&std::fs::read_link(&self.port).map_err(failed)?).map_err(failed)?;
        self.ends = Some((Pty::open(&self.link).map_err(failed)?, device));
        Ok(())
    }

    /// Does one thing after the other while some are `left`, then lets everything pass until it is `over`.
    pub(super) fn run(mut self, left: &AtomicU64, over: &AtomicBool) -> Result<Deeds, SoakError> {
        self.until = Instant::now() + self.for_ms(CALM_MS);
        while !over.load(Ordering::Relaxed) {
            let now = Instant::now();
            if now >= self.until {
                self.turn(now, left)?;
            }
            self.read(now)?;
            self.adds(now);
            self.write()?;
            self.wait();
        }
        Ok(self.deeds)
    }

    fn for_ms(&mut self, range: std::ops::Range<u64>) -> Duration {
        Duration::from_millis(self.rng.random_range(range))
    }

    /// He leaves the cable alone after what he did, or does the next thing.
    fn turn(&mut self, now: Instant, left: &AtomicU64) -> Result<(), SoakError> {
        if self.ends.is_none() {
            self.join()?;
        }
        for direction in [&mut self.up, &mut self.down] {
            direction.keeps = Kept::Nothing;
            let held = std::mem::take(&mut direction.held);
            held.iter().rev().for_each(|frame| direction.out.extend(frame));
        }
        let before = self.attack.take();
        let one_less = |left: u64| left.checked_sub(1);
        if before.is_some() || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_err() {
            self.until = now + self.for_ms(CALM_MS);
            return Ok(());
        }
        self.until = now + self.for_ms(ATTACK_MS);
        let at = self.rng.random_range(0..Attack::ALL.len());
        let attack = Attack::ALL[at];
        self.deeds.attacks[at] += 1;
        self.attack = Some(attack);
        match attack {
            Attack::Withhold => {
                let (up, down) = (self.keeps(), self.keeps());
                let one_way = self.rng.random_range(0..4);
                self.up.keeps = if one_way == 0 { Kept::Nothing } else { up };
                self.down.keeps = if one_way == 3 { down } else { Kept::Nothing };
                if one_way == 0 {
                    self.down.keeps = down;
                }
            }
            Attack::WithholdAndDamage => self.up.keeps = self.keeps(),
            Attack::Restart => self.restarts(now),
            _ => {}
        }
        (self.up.count, self.down.count) = (0, 0);
        Ok(())
    }

    fn keeps(&mut self) -> Kept {
        match self.rng.random_range(0..4) {
            0 => Kept::Everything,
            1 => Kept::Unasked,
            2 => Kept::Answers,
            _ => Kept::Most(self.rng.random_range(2..6)),
        }
    }

    fn restarts(&mut self, now: Instant) {
        match self.rng.random_range(0..3) {
            0 => {
                self.ends = None;
                self.until = now + self.for_ms(20..1500);
            }
            1 => self.twin.restart(),
            _ => {} // he says so
        }
    }

    fn read(&mut self, now: Instant) -> Result<(), SoakError> {
        let Some((station, device)) = &mut self.ends else { return Ok(()) };
        let (mut up, mut down) = (Vec::new(), Vec::new());
        let is_heard = station.read(|bytes| down.extend_from_slice(bytes))?;
        device.read(|bytes| up.extend_from_slice(bytes))?;
        self.pass(Way::Down, &down, now);
        self.pass(Way::Up, &up, now);
        if !is_heard {
            self.up.out.clear(); // nobody has the port open
        }
        Ok(())
    }

    /// Bytes have come from one end: what of them goes on.
    fn pass(&mut self, way: Way, bytes: &[u8], now: Instant) {
        for piece in bytes.split_inclusive(|&byte| byte == 0) {
            self.of(way).begun.extend_from_slice(piece);
            if piece.last() == Some(&0) {
                let frame = std::mem::take(&mut self.of(way).begun);
                self.frame(way, frame, now);
            }
        }
    }

    const fn of(&mut self, way: Way) -> &mut Direction {
        match way {
            Way::Up => &mut self.up,
            Way::Down => &mut self.down,
        }
    }

    /// A frame has come whole, or the zero before one.
    fn frame(&mut self, way: Way, mut frame: Vec<u8>, now: Instant) {
        if frame.len() < 2 {
            self.of(way).out.extend(&frame);
            return;
        }
        let asked_at = if way == Way::Up { self.down.last_at } else { self.up.last_at };
        let is_answer = now.saturating_duration_since(asked_at) < ANSWER;
        let direction = self.of(way);
        direction.last_at = now;
        direction.count += 1;
        if direction.past.len() == KEPT {
            direction.past.pop_front();
        }
        direction.past.push_back(frame.clone());
        let passes = match direction.keeps {
            Kept::Nothing => true,
            Kept::Everything => false,
            Kept::Unasked => is_answer,
            Kept::Answers => !is_answer,
            Kept::Most(one_in) => direction.count.is_multiple_of(one_in),
        };
        if !passes {
            if self.attack != Some(Attack::WithholdAndDamage) || now < self.damaged_at + DAMAGE {
                self.deeds.kept += 1;
                return;
            }
            self.damaged_at = now;
            frame[0] ^= 0x55;
            if frame[0] == 0 {
                frame[0] = 1;
            }
        }
        if self.attack == Some(Attack::Reorder) && self.rng.random_range(0..3) > 0 {
            self.of(way).held.push(frame);
            if self.of(way).held.len() > 4 {
                let held = std::mem::take(&mut self.of(way).held);
                held.iter().rev().for_each(|frame| self.of(way).out.extend(frame));
            }
            return;
        }
        self.of(way).out.extend(&frame);
        if self.attack == Some(Attack::Replay) {
            for _ in 0..self.rng.random_range(1..4) {
                self.replay(way);
            }
        }
    }

    fn replay(&mut self, way: Way) {
        let many = self.of(way).past.len();
        if many > 0 {
            let at = self.rng.random_range(0..many);
            let again = self.of(way).past[at].clone();
            self.send(way, &again);
        }
    }

    fn send(&mut self, way: Way, frame: &[u8]) {
        self.deeds.sent += 1;
        let out = &mut self.of(way).out;
        out.push_back(0);
        out.extend(frame);
    }

    /// What he sends of his own accord.
    fn adds(&mut self, now: Instant) {
        match self.attack {
            Some(Attack::Flood) if now >= self.next_at + Duration::from_millis(1) => self.flood(now),
            Some(Attack::Insert) if now >= self.next_at => {
                self.next_at = now + self.for_ms(1..60);
                let way = if self.rng.random() { Way::Up } else { Way::Down };
                self.invent(way);
            }
            Some(Attack::Restart) if now >= self.next_at && self.ends.is_some() => {
                self.next_at = now + self.for_ms(50..400);
                let hello = ToHost::Hello(self.hello());
                self.say(Way::Up, |out| encode(&hello, out).map(<[u8]>::len).unwrap_or_default());
            }
            _ => {}
        }
    }

    fn flood(&mut self, now: Instant) {
        let late = now.saturating_duration_since(self.next_at).min(Duration::from_millis(10));
        let room = usize::try_from(late.as_millis() * FLOOD).unwrap_or_default();
        self.next_at = now;
        for way in [Way::Up, Way::Down] {
            let full = self.of(way).out.len() + room;
            while self.of(way).out.len() < full {
                match self.rng.random_range(0..3) {
                    0 => self.replay(way),
                    1 => self.invent(way),
                    _ => {
                        let noise: [u8; 40] = self.rng.random();
                        self.send(way, &noise);
                    }
                }
                // a device that was never heard has no past
                self.of(way).out.push_back(0);
            }
        }
    }

    /// A hello of this device, of a start that never was.
    fn hello(&mut self) -> DeviceHello {
        let role = self.twin.role();
        let serial = serial(role).try_into().unwrap_or_default();
        let (boots, epoch, oldest) = (self.rng.random_range(0..9), self.rng.random(), self.rng.random_range(0..9));
        DeviceHello { protocol: PROTOCOL, role, serial, firmware: [9, 9, 9], schema: SCHEMA_4, boots, epoch, oldest }
    }

    fn say(&mut self, way: Way, write: impl FnOnce(&mut [u8; MAX_FRAME]) -> usize) {
        let mut out = [0; MAX_FRAME];
        let length = write(&mut out);
        self.send(way, &out[..length]);
    }

    /// A frame with a sound checksum, of a session that there is none of or in the clear.
    fn invent(&mut self, way: Way) {
        let (nonce, other, proof) = (Nonce(self.rng.random()), Nonce(self.rng.random()), self.rng.random());
        let key = Key::new(self.rng.random());
        let name = serial(self.twin.role());
        let role = self.twin.role();
        let parties = Parties { version: Version::NEWEST, role, serial: name, challenge: &nonce, answer: &other };
        let choice = self.rng.random_range(0..5);
        let share = Point(self.rng.random());
        let length = |written: Result<&[u8], _>| written.map(<[u8]>::len).unwrap_or_default();
        match (way, choice) {
            (Way::Up, 0) => {
                let hello = ToHost::Hello(self.hello());
                self.say(way, |out| length(encode(&hello, out)));
            }
            (Way::Up, 1) => self.say(way, |out| length(encode(&ToHost::Unpaired, out))),
            (Way::Up, 2) => {
                self.say(way, |out| length(encode(&ToHost::Answer { to: nonce, nonce: other, proof }, out)));
            }
            (Way::Up, 3) => {
                self.say(way, |out| length(encode(&ToHost::Exchange { to: other, share, proof }, out)));
            }
            (Way::Up, _) => {
                let mut channel = Channel::of_device(&key, &parties).0;
                let clock = ToHost::Clock { ping: 1, at_ms: 1, newest: 0 };
                self.say(way, |out| length(encode_sealed(&clock, &mut channel, out)));
            }
            (Way::Down, 0) => {
                self.say(way, |out| length(encode(&ToDevice::Hello { protocol: PROTOCOL, schema: SCHEMA_4 }, out)));
            }
            (Way::Down, 1) => self.say(way, |out| length(encode(&ToDevice::Challenge(nonce), out))),
            (Way::Down, 2) => self.say(way, |out| length(encode(&ToDevice::Pair(key), out))),
            (Way::Down, 3) => {
                self.say(way, |out| length(encode(&ToDevice::Exchange { to: other, share, proof }, out)));
            }
            (Way::Down, _) => {
                let mut channel = Channel::of_host(&key, &parties).0;
                let ack = ToDevice::Ack { epoch: 1, seq: u32::MAX };
                self.say(way, |out| length(encode_sealed(&ack, &mut channel, out)));
            }
        }
    }

    fn write(&mut self) -> Result<(), SoakError> {
        let Some((station, device)) = &mut self.ends else { return Ok(()) };
        for (end, out) in [(station, &mut self.up.out), (device, &mut self.down.out)] {
            let rest = out.make_contiguous();
            if !rest.is_empty() {
                let took = end.write(rest)?;
                out.drain(..took);
            }
        }
        Ok(())
    }

    fn wait(&self) {
        let ends: Vec<BorrowedFd<'_>> =
            self.ends.iter().flat_map(|(station, device)| [station.waits(), device.waits()]).flatten().collect();
        let mut waits: Vec<PollFd<'_>> = ends.iter().map(|end| PollFd::new(*end, PollFlags::POLLIN)).collect();
        // an interrupted or failed wait is a short one
        let _ = poll(&mut waits, PollTimeout::from(LOOK_MS));
    }
}

/// The role's port as the device has it, where a thief has the other.
pub(super) fn tapped(role: Role) -> String {
    format!("{role}-device")
}
