//! A device and its host over a cable that damages frames and takes the time of its bytes, with a record that is slow
//! and a machine that is loaded: nobody is accused of withholding. Somebody who does withhold shows in two seconds on
//! any cable.

use std::collections::VecDeque;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_wire::HELD_BACK_MS;
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::host::Report;
use sabot_wire::message::{BetSpot, Chip, ChipsSaw, Observation, ToHost};

use super::common::ends::key;
use super::common::pair::{Pair, any_shoe, drawn, host_with, shoe_with};

/// A step of the two, milliseconds, and the bytes that a line of 115200 baud takes in it.
const STEP: u64 = 5;
const BYTES: usize = 57;
/// What the driver reads at once.
const READ: usize = 256;
/// What is withheld shows within so long.
const WITHIN: u64 = 2000;

/// Faults of a line: of a million bytes the first three, of a million pieces the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Faults {
    flip: u32,
    lose: u32,
    noise: u32,
    cut: u32,
    double: u32,
    swap: u32,
}

/// Every fifth short frame comes damaged: the cables of the rig's worst test.
const BAD: Faults = Faults { flip: 3000, lose: 1000, noise: 1000, cut: 15_000, double: 40_000, swap: 15_000 };
const GOOD: Faults = Faults { flip: 0, lose: 0, noise: 0, cut: 0, double: 0, swap: 0 };

/// One way of a line.
struct Line {
    faults: Faults,
    dice: ChaCha8Rng,
    bytes: VecDeque<u8>,
    held: Option<Vec<u8>>,
    arrived: Vec<u8>,
}

impl Line {
    fn new(faults: Faults, seed: u64) -> Self {
        let (bytes, held, arrived) = (VecDeque::new(), None, Vec::new());
        Self { faults, dice: ChaCha8Rng::seed_from_u64(seed), bytes, held, arrived }
    }

    fn happens(&mut self, of_a_million: u32) -> bool {
        of_a_million > 0 && self.dice.random_range(0..1_000_000) < of_a_million
    }

    fn takes_more(&self) -> bool {
        self.bytes.len() < BYTES
    }

    fn send(&mut self, frame: &[u8]) {
        for piece in frame.split_inclusive(|byte| *byte == 0) {
            self.piece(piece);
        }
    }

    fn piece(&mut self, piece: &[u8]) {
        let Faults { flip, lose, noise, cut, double, swap } = self.faults;
        let mut damaged = Vec::new();
        for byte in piece {
            if self.happens(noise) {
                damaged.push(self.dice.random());
            }
            if self.happens(lose) {
                continue;
            }
            let flipped = if self.happens(flip) { 1 << self.dice.random_range(0..8) } else { 0 };
            damaged.push(byte ^ flipped);
        }
        if self.happens(cut) {
            damaged.truncate(self.dice.random_range(0..damaged.len().max(1)));
        }
        if self.held.is_none() && self.happens(swap) {
            self.held = Some(damaged);
            return;
        }
        if self.happens(double) {
            self.bytes.extend(&damaged);
        }
        self.bytes.extend(damaged);
        self.bytes.extend(self.held.take().into_iter().flatten());
    }

    /// Time goes on by a step.
    fn step(&mut self) {
        let count = self.bytes.len().min(BYTES);
        self.arrived.extend(self.bytes.drain(..count));
    }
}

/// What happens beside the cable.
#[derive(Debug, Clone, Copy)]
struct World {
    faults: Faults,
    /// The longest that the record takes to make an event durable.
    record_ms: u64,
    /// Stops of the host, in a million steps, and of the device.
    host_stops: u32,
    device_stops: u32,
}

/// What the host had told by the end, and when.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    events: u64,
    newest: u32,
    withheld: Vec<u64>,
    silent: Vec<u64>,
    garbled: Vec<u64>,
    /// How late each event was that was told as late.
    late: Vec<u32>,
}

impl Told {
    const fn count(&self) -> [usize; 3] {
        [self.withheld.len(), self.silent.len(), self.garbled.len()]
    }
}

/// What somebody at the cable does to a frame of the device; whether it passes at all.
type Hand<'h> = dyn FnMut(&mut Vec<u8>, &Says) -> bool + 'h;
/// What a frame says; nothing where nobody can read along, on a cable that damages what they agree upon.
type Says = Option<ToHost>;

struct Talk {
    pair: Pair,
    dice: ChaCha8Rng,
    world: World,
    up: Line,
    down: Line,
    now: u64,
    sees_at: u64,
    durable: VecDeque<(u64, u32, u32)>,
    host_stops_until: u64,
    device_stops_until: u64,
    /// Somebody who knows the key reads along.
    reads: bool,
    /// It is not in session, or is told as gone.
    is_gone: bool,
    told: Told,
}

impl Talk {
    fn new(world: World, seed: u64) -> Self {
        Self {
            pair: Pair::new(),
            dice: ChaCha8Rng::seed_from_u64(seed),
            world,
            up: Line::new(world.faults, seed ^ 0xA5A5),
            down: Line::new(world.faults, !seed),
            now: 0,
            sees_at: 0,
            durable: VecDeque::new(),
            host_stops_until: 0,
            device_stops_until: 0,
            reads: false,
            is_gone: true,
            told: Told::default(),
        }
    }

    /// A card, or a spot with some chips; 0: with as many as there can be.
    fn see(&mut self, seen: u8) {
        let now = self.now as u32;
        let count = match seen {
            0 => 20,
            1..=3 => self.dice.random_range(0..6),
            _ => {
                self.pair.shoe.observe(now, &drawn(seen)).expect("room");
                return;
            }
        };
        let chips = std::iter::repeat_n(Chip { uid: u64::MAX, value: u32::MAX }, count).collect();
        let spot = ChipsSaw::Spot { box_no: 1, hand: 0, spot: BetSpot::Main, chips };
        self.pair.shoe.observe(now, &Observation::Chips(spot)).expect("room");
    }

    fn device(&mut self, hand: &mut Hand<'_>) {
        if self.now >= self.sees_at && self.pair.shoe.ready() {
            let seen = self.dice.random_range(0..10);
            self.see(seen);
            self.sees_at = self.now + self.dice.random_range(20..1500);
        }
        if self.now < self.device_stops_until {
            return;
        }
        if self.dice.random_range(0..1_000_000) < self.world.device_stops {
            self.device_stops_until = self.now + self.dice.random_range(20..400);
            return;
        }
        let bytes = std::mem::take(&mut self.down.arrived);
        self.pair.shoe_gets(self.now, &bytes);
        let mut out = [0; MAX_FRAME];
        while self.up.takes_more() {
            let Some(frame) = self.pair.shoe.transmit(self.now as u32, &mut out) else { return };
            let mut frame = frame.to_vec();
            let says = self.reads.then(|| self.pair.up(&frame).pop()).flatten();
            if hand(&mut frame, &says) {
                self.up.send(&frame);
            }
        }
    }

    /// As the driver does: what has come is read first, then time is looked at, then one frame at a time goes out.
    fn host(&mut self) {
        if self.now < self.host_stops_until {
            return;
        }
        if self.dice.random_range(0..1_000_000) < self.world.host_stops {
            self.host_stops_until = self.now + self.dice.random_range(20..3000);
            return;
        }
        while self.durable.front().is_some_and(|(at, ..)| *at <= self.now) {
            let Some((_, epoch, seq)) = self.durable.pop_front() else { break };
            self.pair.host.durable(epoch, seq);
        }
        loop {
            let count = self.up.arrived.len().min(READ);
            let bytes: Vec<u8> = self.up.arrived.drain(..count).collect();
            let mut reports = self.pair.host_gets(self.now, &bytes);
            reports.extend(self.pair.host.tick(self.now));
            reports.into_iter().for_each(|report| self.report(report));
            if self.up.arrived.is_empty() {
                break;
            }
        }
        if self.reads {
            let line = self.pair.host_sends(self.now).line;
            return self.down.send(&line);
        }
        let mut out = [0; MAX_FRAME];
        while self.down.takes_more() {
            let Some(frame) = self.pair.host.transmit(self.now, &mut out) else { return };
            let frame = frame.to_vec();
            self.down.send(&frame);
        }
    }

    fn report(&mut self, report: Report) {
        match report {
            Report::Online { .. } => self.is_gone = false,
            Report::Garbled | Report::Silent => self.is_gone = true,
            _ => {}
        }
        match report {
            Report::Saw { epoch, seq, .. } => {
                self.told.events += 1;
                self.told.newest = seq;
                let at = self.now + self.dice.random_range(0..=self.world.record_ms);
                let at = self.durable.back().map_or(at, |(last, ..)| at.max(*last));
                self.durable.push_back((at, epoch, seq));
            }
            Report::Withheld(_) => self.told.withheld.push(self.now),
            Report::Silent => self.told.silent.push(self.now),
            Report::Garbled => self.told.garbled.push(self.now),
            Report::Late { age_ms } => self.told.late.push(age_ms),
            _ => {}
        }
    }

    fn until(&mut self, to: u64, hand: &mut Hand<'_>) {
        while self.now < to {
            self.device(hand);
            self.host();
            self.up.step();
            self.down.step();
            self.now += STEP;
        }
    }
}

/// `SABOT_SEEDS`, or a few.
fn seeds(few: u64) -> std::ops::Range<u64> {
    let seeds = std::env::var("SABOT_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    0..seeds.unwrap_or(few)
}

/// Every mixture of a slow record and of a loaded machine, over this cable.
fn honest(faults: Faults, seed: u64) -> Told {
    let stops = if seed.is_multiple_of(2) { 2000 } else { 0 };
    let record_ms = if (seed / 2).is_multiple_of(2) { 1 } else { 1500 };
    let mut talk = Talk::new(World { faults, record_ms, host_stops: stops, device_stops: stops }, seed);
    talk.until(30_000, &mut |_, _| true);
    talk.told
}

#[test]
fn no_cable_no_slow_record_and_no_loaded_machine_accuses_anybody() {
    let (mut events, mut silent, mut garbled, mut late) = (0, 0, 0, 0);
    for seed in seeds(20) {
        for faults in [GOOD, BAD] {
            let told = honest(faults, seed);
            assert_eq!(told.withheld, [0; 0], "seed {seed}, {faults:?}: {told:?}");
            assert!(told.late.iter().all(|late| *late < HELD_BACK_MS), "seed {seed}, {faults:?}: {told:?}");
            late = late.max(told.late.iter().copied().max().unwrap_or_default());
            events += told.events;
            silent += told.silent.len();
            garbled += told.garbled.len();
        }
    }
    println!("{events} events, nobody accused; {garbled} times too much was damaged, {silent} times silent");
    println!("the latest event came {late} ms after it was seen");
    assert!(events > 100 && garbled > 0, "{events} {garbled}");
}

/// A card is seen, or the most chips that there can be, and what the device says goes through this hand from then on:
/// what is told first, in time.
fn stolen(world: World, seed: u64, is_long: bool, hand: &mut Hand<'_>) -> Told {
    let mut talk = Talk::new(world, seed);
    talk.reads = world.faults == GOOD;
    let from = 3000 + seed % 80 * STEP;
    talk.until(from, &mut |_, _| true);
    talk.sees_at = u64::MAX;
    talk.see(if is_long { 0 } else { 7 });
    let (before, seen) = (std::mem::take(&mut talk.told), talk.pair.shoe.ring().next() - 1);
    // one that is gone is told already
    while talk.told.count() == [0; 3] && talk.told.newest < seen && !talk.is_gone {
        assert!(talk.now <= from + WITHIN, "seed {seed}, {from}: {before:?}");
        talk.until(talk.now + STEP, hand);
    }
    talk.told
}

const WITHHELD: [usize; 3] = [1, 0, 0];
const SILENT: [usize; 3] = [0, 1, 0];
const GARBLED: [usize; 3] = [0, 0, 1];

fn is_event(says: &Says) -> bool {
    matches!(says, Some(ToHost::Event { .. }))
}

#[test]
fn who_withholds_by_kind_by_length_or_all_is_told_within_two_seconds() {
    let world = World { faults: GOOD, record_ms: 1, host_stops: 0, device_stops: 0 };
    for seed in seeds(20) {
        let told = stolen(world, seed, false, &mut |_, says| !is_event(says));
        assert_eq!(told.count(), WITHHELD, "seed {seed}");
        let told = stolen(world, seed, true, &mut |frame, _| frame.len() < 200);
        assert_eq!(told.count(), WITHHELD, "seed {seed}");
        let told = stolen(world, seed, false, &mut |_, _| false);
        assert_eq!(told.count(), SILENT, "seed {seed}");
        // answers alone pass, one in three of them, and no event
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let mut few =
            |_: &mut Vec<u8>, says: &Says| matches!(says, Some(ToHost::Clock { .. })) && dice.random_ratio(1, 3);
        let [withheld, silent, garbled] = stolen(world, seed, false, &mut few).count();
        assert_eq!((withheld + silent, garbled), (1, 0), "seed {seed}");
    }
}

/// So many of the longest events wait for the disk; then a card is seen, and what is sent goes through this hand.
fn behind_much(many: u32, until: u64, hand: &mut Hand<'_>) -> Told {
    let mut talk = Talk::new(World { faults: GOOD, record_ms: 1, host_stops: 0, device_stops: 0 }, 1);
    talk.pair = Pair::of(host_with(any_shoe(), key(1), 0, None), shoe_with(vec![0; 20_000], 1, 100, Some(key(1))));
    (talk.reads, talk.sees_at) = (true, u64::MAX);
    (0..many).for_each(|_| talk.see(0));
    while talk.now < until {
        talk.until(talk.now + STEP, hand);
        talk.durable.clear();
        if talk.now == SEEN_AT {
            talk.see(7);
        }
    }
    talk.told
}

/// When that card is seen.
const SEEN_AT: u64 = 2000;

/// A device that is asked again while it sends what it holds begins with the oldest.
#[test]
fn what_is_lost_behind_much_that_is_not_on_disk_comes_all_the_same() {
    for many in [12, 25, 31] {
        let (next, mut lost) = (many + 1, false);
        let told = behind_much(many, 6000, &mut |_, says| {
            let is_it = matches!(says, Some(ToHost::Event { seq, .. }) if *seq == next);
            !is_it || std::mem::replace(&mut lost, true)
        });
        assert!(lost && told.newest == next && told.count() == [0; 3], "{many}: {told:?}");
    }
}

/// What is not on disk is told as that; what is withheld behind it too, though later.
#[test]
fn what_is_withheld_behind_much_that_is_not_on_disk_is_told() {
    for many in [1, 12, 25, 31] {
        let told =
            behind_much(many, 6000, &mut |_, says| !matches!(says, Some(ToHost::Event { seq, .. }) if *seq > many));
        let late = if many > 20 { WITHIN + sabot_wire::AGAIN_MOST_MS } else { WITHIN };
        assert!(matches!(told.withheld[..], [at] if at <= SEEN_AT + late), "{many}: {told:?}");
    }
}

/// On a cable that damages a fifth of what is sent, and where frames are damaged to be taken for such a cable.
#[test]
fn who_hides_behind_a_bad_cable_is_told_no_later() {
    let bad = World { faults: BAD, record_ms: 1, host_stops: 0, device_stops: 0 };
    let good = World { faults: GOOD, ..bad };
    for seed in seeds(20) {
        stolen(bad, seed, true, &mut |frame, _| frame.len() < 200);
        stolen(bad, seed, false, &mut |frame, _| frame.len() != 46);
        stolen(bad, seed, false, &mut |_, _| false);
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        stolen(bad, seed, false, &mut |_, _| dice.random_ratio(1, 20));
        let mut spoils = |frame: &mut Vec<u8>, says: &Says| {
            if is_event(says) {
                frame[5] ^= 0xFF;
            }
            true
        };
        let told = stolen(good, seed, false, &mut spoils);
        assert_eq!(told.count(), GARBLED, "seed {seed}");
        let mut kept = 0;
        let mut now_and_then = |frame: &mut Vec<u8>, says: &Says| {
            kept += u32::from(is_event(says));
            let spoils = is_event(says) && kept.is_multiple_of(2);
            frame[5] ^= if spoils { 0xFF } else { 0 };
            spoils || !is_event(says)
        };
        let told = stolen(good, seed, false, &mut now_and_then);
        assert_eq!(told.count(), WITHHELD, "seed {seed}: half of it came damaged");
    }
}
