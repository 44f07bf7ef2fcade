//! A device and a host over a line that flips, cuts, doubles, swaps, loses and invents bytes, while either side is
//! restarted and the cable is pulled: every event is reported exactly once, in order, and none is invented.
use std::collections::VecDeque;

use proptest::collection::vec;
use proptest::prelude::*;
use sabot_wire::Version;
use sabot_wire::device::{Device, Identity};
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::host::{Expect, Host, Missed, Report, Resume};
use sabot_wire::message::{Key, Observation, Role, ShoeSaw, Started};
use sabot_wire::ring::{MIN_RING, Ring};

use super::common::VERSION;

const SERIAL: &str = "SH-1";

/// What happens to the next frame of one direction.
#[derive(Debug, Clone)]
enum Fate {
    Whole,
    Sliced(u8),
    Lost,
    Doubled,
    AfterTheNext,
    ByteFlipped(u16, u8),
    CutShort(u16),
    AfterNoise(Vec<u8>),
}

#[derive(Debug, Clone)]
enum Step {
    Seen,
    Later(u16),
    Up(Fate),
    Down(Fate),
    /// The host's record grows: this many of the reported events become durable.
    Durable(u8),
    DeviceRestarts,
    HostRestarts,
    CablePulled,
    RingLost,
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        8 => Just(Fate::Whole),
        2 => (1u8..9).prop_map(Fate::Sliced),
        1 => Just(Fate::Lost),
        1 => Just(Fate::Doubled),
        1 => Just(Fate::AfterTheNext),
        1 => (any::<u16>(), 1u8..).prop_map(|(at, flip)| Fate::ByteFlipped(at, flip)),
        1 => any::<u16>().prop_map(Fate::CutShort),
        1 => vec(any::<u8>(), 1..60).prop_map(Fate::AfterNoise),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => Just(Step::Seen),
        8 => (0u16..700).prop_map(Step::Later),
        20 => fate().prop_map(Step::Up),
        20 => fate().prop_map(Step::Down),
        8 => any::<u8>().prop_map(Step::Durable),
        1 => Just(Step::DeviceRestarts),
        1 => Just(Step::HostRestarts),
        1 => Just(Step::CablePulled),
    ]
}

/// One direction of the line: frames under way.
#[derive(Default)]
struct Line(VecDeque<Vec<u8>>);

impl Line {
    /// What arrives now, in the slices in which it arrives.
    fn arrives(&mut self, fate: &Fate) -> Vec<Vec<u8>> {
        let Some(mut frame) = self.0.pop_front() else { return Vec::new() };
        match fate {
            Fate::Whole => vec![frame],
            Fate::Sliced(size) => frame.chunks(usize::from(*size)).map(<[u8]>::to_vec).collect(),
            Fate::Lost => Vec::new(),
            Fate::Doubled => vec![frame.clone(), frame],
            Fate::AfterTheNext => {
                let place = self.0.len().min(1);
                self.0.insert(place, frame);
                Vec::new()
            }
            Fate::ByteFlipped(at, flip) => {
                let at = usize::from(*at) % frame.len();
                frame[at] ^= flip;
                vec![frame]
            }
            Fate::CutShort(at) => vec![frame[..usize::from(*at) % frame.len()].to_vec()],
            Fate::AfterNoise(noise) => vec![noise.clone(), frame],
        }
    }
}

struct World {
    now: u64,
    /// When the device last started.
    started: u64,
    device: Device<Vec<u8>>,
    boots: u32,
    epochs: u32,
    host: Host<Key>,
    up: Line,
    down: Line,
    next: u16,
    /// Everything the sensors saw and the ring took.
    seen: Vec<u16>,
    /// Everything the host was told.
    told: Vec<(u32, u32, Option<u16>)>,
    durable: usize,
    rings_lost: usize,
    lives: u8,
}

fn device(memory: Vec<u8>, boots: u32, fresh_epoch: u32) -> Device<Vec<u8>> {
    let (ring, _) = Ring::restore(memory, fresh_epoch).expect("large enough");
    let serial = SERIAL.try_into().expect("short");
    let entropy = [0; 16];
    let started = Started::Power;
    let key = Some(key());
    let image = sabot_wire::message::Image([0x1A; 32]);
    let identity = Identity { role: Role::Shoe, serial, firmware: [0, 1, 0], image, boots, started, key, entropy };
    Device::speaking(VERSION, identity, ring)
}

/// `life`: hosts differ in what they draw at random.
fn host(life: u8, resume: Option<Resume>) -> Host<Key> {
    Host::new(Expect { role: Role::Shoe, serial: None }, key(), &[life; 32], resume)
}

fn key() -> Key {
    Key::new([0x5B; 16])
}

impl World {
    fn new() -> Self {
        let mut host = host(0, None);
        host.opened(0);
        Self {
            now: 0,
            started: 0,
            device: device(vec![0; MIN_RING + 200], 1, 1),
            boots: 1,
            epochs: 1,
            host,
            up: Line::default(),
            down: Line::default(),
            next: 0,
            seen: Vec::new(),
            told: Vec::new(),
            durable: 0,
            rings_lost: 0,
            lives: 0,
        }
    }

    fn device_now(&self) -> u32 {
        (self.now - self.started) as u32
    }

    /// Whatever both sides want to send is on the line.
    fn send(&mut self) {
        let mut out = [0; MAX_FRAME];
        let now = self.device_now();
        while let Some(frame) = self.device.transmit(now, &mut out) {
            self.up.0.push_back(frame.to_vec());
        }
        while let Some(frame) = self.host.transmit(self.now, &mut out) {
            self.down.0.push_back(frame.to_vec());
        }
    }

    fn up(&mut self, fate: &Fate) {
        for slice in self.up.arrives(fate) {
            let mut input = &slice[..];
            while let Some(report) = self.host.receive(self.now, &mut input) {
                self.report(report);
            }
        }
    }

    fn down(&mut self, fate: &Fate) {
        let now = self.device_now();
        for slice in self.down.arrives(fate) {
            let mut input = &slice[..];
            assert_eq!(self.device.receive(now, &mut input), None, "nothing was to be shown");
        }
    }

    fn report(&mut self, report: Report) {
        match report {
            Report::Saw { epoch, seq, saw, .. } => {
                let number = match saw {
                    Some(Observation::Shoe(ShoeSaw::Loaded { cards, cut_card: 7 })) => Some(cards),
                    Some(Observation::Device(_)) => None,
                    other => panic!("invented: {other:?}"),
                };
                self.told.push((epoch, seq, number));
                let told: Vec<u16> = self.told.iter().filter_map(|told| told.2).collect();
                assert!(self.seen.starts_with(&told), "{told:?} of {:?}", self.seen);
            }
            Report::Online { missed: Some(Missed::RingLost { .. }), .. } => self.rings_lost += 1,
            Report::Online { missed: Some(missed), .. } => panic!("nobody else acknowledges: {missed:?}"),
            Report::Refused(refusal) => panic!("{refusal}"),
            Report::ClockWentBack => panic!("its clock goes on"),
            // a frame of a session before this one that the line kept back
            Report::Forged => {}
            // of a line as bad as this one that may be so
            Report::Withheld(_) => assert!(VERSION > Version::Two),
            Report::Late { .. } => {}
            Report::Keeps(_) => panic!("it was not asked"),
            Report::Missed(missed) => panic!("it has every event that it told: {missed:?}"),
            Report::Online { .. } | Report::CaughtUp | Report::Silent | Report::Garbled => {}
        }
    }

    fn make_durable(&mut self, count: usize) {
        self.durable = self.told.len().min(self.durable.saturating_add(count));
        if let Some((epoch, seq, _)) = self.durable.checked_sub(1).map(|last| self.told[last]) {
            self.host.durable(epoch, seq);
        }
    }

    fn restart_device(&mut self, keep: bool) {
        self.boots += 1;
        self.epochs += 1;
        let fresh = device(vec![0; MIN_RING + 200], self.boots, self.epochs);
        let memory = std::mem::replace(&mut self.device, fresh).into_memory();
        if keep {
            self.device = device(memory, self.boots, self.epochs);
        }
        self.started = self.now;
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Seen => {
                let saw = Observation::Shoe(ShoeSaw::Loaded { cards: self.next, cut_card: 7 });
                let now = self.device_now();
                let taken = self.device.observe(now, &saw);
                assert!(taken.is_ok() || !self.device.ready());
                if taken.is_ok() {
                    self.seen.push(self.next);
                    self.next += 1;
                }
            }
            Step::Later(ms) => {
                self.now += u64::from(*ms);
                if let Some(report) = self.host.tick(self.now) {
                    self.report(report);
                }
            }
            Step::Up(fate) => self.up(fate),
            Step::Down(fate) => self.down(fate),
            Step::Durable(count) => self.make_durable(usize::from(*count)),
            Step::DeviceRestarts => self.restart_device(true),
            Step::HostRestarts => {
                // what was not on disk is gone; it must come again
                self.told.truncate(self.durable);
                let serial = SERIAL.try_into().expect("short");
                let last =
                    self.told.last().map(|(epoch, seq, _)| Resume { serial, epoch: *epoch, seq: *seq, boots: None });
                self.lives = self.lives.wrapping_add(1);
                self.host = host(self.lives, last);
                self.host.opened(self.now);
            }
            Step::CablePulled => {
                (self.up, self.down) = Default::default();
                self.host.closed();
                self.host.opened(self.now);
            }
            Step::RingLost => {
                // what was not told yet can never come
                (self.up, self.down) = Default::default();
                self.make_durable(usize::MAX);
                self.seen.truncate(self.told.iter().filter(|told| told.2.is_some()).count());
                self.restart_device(false);
                self.host.closed();
                self.host.opened(self.now);
            }
        }
        self.send();
    }

    /// The line heals: everything must arrive.
    fn settle(&mut self) {
        for _ in 0..400 {
            self.step(&Step::Later(50));
            while !self.up.0.is_empty() || !self.down.0.is_empty() {
                self.step(&Step::Up(Fate::Whole));
                self.step(&Step::Down(Fate::Whole));
                self.step(&Step::Durable(255));
            }
            if self.device.ring().is_empty() && self.host.online() {
                break;
            }
        }
        let told: Vec<u16> = self.told.iter().filter_map(|told| told.2).collect();
        assert_eq!(told, self.seen);
        assert!(self.device.ring().is_empty() && self.device.ready());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_event_comes_exactly_once_and_in_order_whatever_the_line_does(steps in vec(step(), 1..600)) {
        let mut world = World::new();
        steps.iter().for_each(|step| world.step(step));
        world.settle();
        prop_assert_eq!(world.rings_lost, 0);
    }

    #[test]
    fn a_lost_ring_costs_only_what_had_not_come_and_never_mixes_two_epochs(parts in vec(vec(step(), 1..120), 2..6)) {
        let mut world = World::new();
        for (n, part) in parts.iter().enumerate() {
            if n > 0 {
                world.step(&Step::RingLost);
            }
            part.iter().for_each(|step| world.step(step));
        }
        world.settle();
    }
}

/// Lines that were once misread.
#[test]
fn nothing_is_lost_doubled_or_accused_when_a_restart_meets_a_lost_acknowledgement_a_swap_or_a_lost_ready() {
    let (whole_up, whole_down) = (Step::Up(Fate::Whole), Step::Down(Fate::Whole));
    let spoilt = || Fate::ByteFlipped(0, 1);
    for steps in [
        vec![
            Step::Seen,
            Step::Up(Fate::Whole),
            Step::Down(Fate::Whole),
            Step::Down(Fate::Whole),
            Step::Up(Fate::Doubled),
        ],
        vec![
            Step::Seen,
            Step::Up(Fate::AfterTheNext),
            Step::DeviceRestarts,
            Step::Down(Fate::Doubled),
            Step::HostRestarts,
        ],
        // the answer comes, its ready does not, and the next that comes has the new start's clock
        vec![
            Step::Seen,
            Step::Down(spoilt()),
            Step::Later(282),
            whole_down.clone(),
            whole_up.clone(),
            whole_up.clone(),
            whole_down.clone(),
            whole_up.clone(),
            whole_up.clone(),
            Step::DeviceRestarts,
            Step::Later(50),
            whole_up.clone(),
            whole_down.clone(),
            whole_down,
            whole_up,
            Step::Up(spoilt()),
            Step::Seen,
        ],
    ] {
        let mut world = World::new();
        steps.iter().for_each(|step| world.step(step));
        world.settle();
    }
}
