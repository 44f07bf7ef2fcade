//! A device and a host over a line that somebody else owns: frames are lost, cut, changed, held back, repeated and
//! made up, either side starts anew, the cable is pulled. What the device saw is reported once and in order, nothing
//! else ever, and in the end all of it.
#![no_main]

use std::collections::VecDeque;

use libfuzzer_sys::fuzz_target;
use sabot_fuzz::Script;
use sabot_fuzz::link::{SERIAL, device, framed, host, memory};
use sabot_wire::device::Device;
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::host::{Host, Report, Resume};
use sabot_wire::message::{Key, Observation};

struct World {
    device: Device<Vec<u8>>,
    host: Host<Key>,
    now: u64,
    boots: u32,
    lives: u8,
    up: VecDeque<Vec<u8>>,
    down: VecDeque<Vec<u8>>,
    /// Frames of before, which somebody has recorded.
    old: VecDeque<Vec<u8>>,
    /// What was seen and not reported yet.
    seen: VecDeque<Observation>,
    reported: u32,
    epoch: u32,
    /// Events on the host's disk.
    durable: u32,
}

impl World {
    fn new() -> Self {
        let device = device(memory(), 1, true);
        let epoch = device.ring().epoch();
        Self {
            device,
            host: host(0, None),
            now: 0,
            boots: 1,
            lives: 0,
            up: VecDeque::new(),
            down: VecDeque::new(),
            old: VecDeque::new(),
            seen: VecDeque::new(),
            reported: 0,
            epoch,
            durable: 0,
        }
    }

    /// Both sides say what they have to say.
    fn talk(&mut self) {
        let mut out = [0; MAX_FRAME];
        while let Some(frame) = self.device.transmit(self.now as u32, &mut out) {
            self.up.push_back(frame.to_vec());
        }
        while let Some(frame) = self.host.transmit(self.now, &mut out) {
            self.down.push_back(frame.to_vec());
        }
        // nobody records for ever
        self.up.truncate(200);
        self.down.truncate(200);
    }

    fn arrives(&mut self, up: bool, bytes: &[u8]) {
        let mut input = bytes;
        if !up {
            while self.device.receive(self.now as u32, &mut input).is_some() {}
            return;
        }
        while let Some(report) = self.host.receive(self.now, &mut input) {
            self.told(report);
        }
    }

    fn told(&mut self, report: Report) {
        match report {
            Report::Saw { epoch, seq, saw, .. } => {
                self.reported += 1;
                assert_eq!((epoch, seq), (self.epoch, self.reported), "once and in order");
                // what the device says of its own ring was seen by no sensor
                let saw = saw.expect("the device makes sense");
                if !matches!(saw, Observation::Device(_)) {
                    assert_eq!(self.seen.pop_front(), Some(saw), "what was seen");
                }
            }
            Report::Online { missed, .. } => assert_eq!(missed, None),
            // of a hello that somebody has made up: anybody may say who he is
            Report::Refused(_) | Report::CaughtUp | Report::ClockWentBack | Report::Keeps(_) => {}
            Report::Forged | Report::Silent | Report::Garbled => {}
            Report::Withheld(_) | Report::Late { .. } | Report::Missed(_) => {}
        }
    }

    fn see(&mut self, saw: Observation) {
        if self.device.ready() && !matches!(saw, Observation::Device(_)) {
            self.device.observe(self.now as u32, &saw).expect("ready promises a place");
            self.seen.push_back(saw);
        }
    }

    fn tick(&mut self, ms: u64) {
        self.now += ms;
        if let Some(report) = self.host.tick(self.now) {
            self.told(report);
        }
    }

    fn store(&mut self, seq: u32) {
        self.durable = self.durable.max(seq.min(self.reported));
        self.host.durable(self.epoch, self.durable);
    }

    /// The next frame of one way meets its fate.
    fn pass(&mut self, script: &mut Script<'_>) {
        let fate = script.byte();
        let up = fate & 1 == 0;
        let line = if up { &mut self.up } else { &mut self.down };
        let Some(mut frame) = line.pop_front() else { return };
        if self.old.len() == 16 {
            self.old.pop_front();
        }
        self.old.push_back(frame.clone());
        match fate >> 1 & 15 {
            0 => {}
            1 => {
                self.arrives(up, &frame);
                self.arrives(up, &frame);
            }
            2 => {
                let line = if up { &mut self.up } else { &mut self.down };
                line.insert(line.len().min(1), frame);
            }
            3 => {
                let at = usize::from(script.byte()) % frame.len();
                frame[at] ^= script.byte();
                self.arrives(up, &frame);
            }
            4 => self.arrives(up, &frame[..usize::from(script.byte()) % frame.len()]),
            5 => {
                self.arrives(up, script.bytes());
                self.arrives(up, &frame);
            }
            _ => self.arrives(up, &frame),
        }
    }

    /// A line on which nothing happens any more: all that was seen arrives.
    fn settle(&mut self) {
        for _ in 0..400 {
            self.talk();
            while let Some(frame) = self.up.pop_front() {
                self.arrives(true, &frame);
            }
            self.store(u32::MAX);
            self.talk();
            while let Some(frame) = self.down.pop_front() {
                self.arrives(false, &frame);
            }
            if self.seen.is_empty() && self.device.ring().is_empty() {
                return;
            }
            self.tick(50);
        }
        panic!("{} observations never arrive", self.seen.len());
    }
}

fuzz_target!(|data: &[u8]| {
    let (mut script, mut world) = (Script::new(data), World::new());
    while !script.is_over() {
        world.talk();
        match script.byte() % 16 {
            0..=2 => {
                if let Ok(saw) = postcard::from_bytes(script.bytes()) {
                    world.see(saw);
                }
            }
            3 => world.tick(script.pause_ms()),
            4 => world.store(u32::from(script.byte())),
            5 => {
                // the device's power goes
                world.boots += 1;
                let empty = device(memory(), 0, true);
                let memory = std::mem::replace(&mut world.device, empty).into_memory();
                world.device = device(memory, world.boots, true);
                world.up.clear();
            }
            6 => {
                // the station starts anew from its disk
                let serial = sabot_wire::heapless::String::try_from(SERIAL).expect("short enough");
                let (lost, seq) = (world.reported - world.durable, world.durable);
                if lost == 0 {
                    world.lives = world.lives.wrapping_add(1);
                    let resume = (seq > 0).then_some(Resume { serial, epoch: world.epoch, seq, boots: None });
                    world.host = host(world.lives, resume);
                    world.host.opened(world.now);
                    world.down.clear();
                }
            }
            7 => {
                world.host.closed();
                world.host.opened(world.now);
                (world.up, world.down) = Default::default();
            }
            8 => {
                let at = usize::from(script.byte()) % world.old.len().max(1);
                if let Some(frame) = world.old.get(at).cloned() {
                    world.arrives(script.byte() & 1 == 0, &frame);
                }
            }
            9 => {
                let frame = framed(script.bytes());
                let clear_key = frame.len() > 2;
                world.arrives(clear_key && script.byte() & 1 == 0, &frame);
            }
            _ => world.pass(&mut script),
        }
    }
    world.settle();
});
