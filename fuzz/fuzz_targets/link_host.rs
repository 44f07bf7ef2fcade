//! The host's session against a device that holds the key and says anything, in any order, at any time, and against
//! anybody else on the line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sabot_fuzz::Script;
use sabot_fuzz::link::{SERIAL, ends, framed, host, sealed};
use sabot_wire::frame::{Decoder, Got, MAX_FRAME, encode};
use sabot_wire::host::{Host, Missed, Report};
use sabot_wire::message::{DeviceHello, Key, Nonce, Ready, Role, Show, Started, ToDevice, ToHost};
use sabot_wire::seal::Channel;
use sabot_wire::{PROTOCOL, SCHEMA_4};

struct World {
    host: Host<Key>,
    now: u64,
    /// The host's last challenge.
    challenge: Option<Nonce>,
    answers: u8,
    channel: Option<Channel>,
    /// Epoch and number of the last event reported.
    last: Option<(u32, u32)>,
}

impl World {
    fn hear(&mut self, bytes: &[u8]) {
        let mut input = bytes;
        while let Some(report) = self.host.receive(self.now, &mut input) {
            self.told(&report);
        }
        assert!(input.is_empty(), "all that came is used up");
    }

    fn told(&mut self, report: &Report) {
        match report {
            Report::Saw { epoch, seq, .. } => {
                assert!(self.host.online());
                let last = self.last.expect("a device says first who it is");
                assert_eq!((last.0, last.1 + 1), (*epoch, *seq), "in order, none twice, none left out");
                self.last = Some((*epoch, *seq));
            }
            Report::Online { hello, missed, .. } => {
                assert!(self.channel.is_some(), "nobody else holds the key");
                let known = self.last.filter(|last| last.0 == hello.epoch);
                let before = match (known, missed) {
                    (Some(last), None | Some(Missed::WentBack { .. })) => last.1,
                    (_, Some(Missed::Forgotten { to, .. })) => *to,
                    (None, _) | (_, Some(Missed::RingLost { .. })) => hello.oldest.saturating_sub(1),
                };
                self.last = Some((hello.epoch, before));
            }
            Report::Refused(_) | Report::CaughtUp | Report::ClockWentBack | Report::Keeps(_) => {}
            Report::Forged | Report::Silent | Report::Garbled => {}
            Report::Withheld(_) | Report::Late { .. } | Report::Missed(_) => {}
        }
    }

    /// What the host sends; its challenges are noted.
    fn talk(&mut self) {
        let mut out = [0; MAX_FRAME];
        for _ in 0..20 {
            let Some(frame) = self.host.transmit(self.now, &mut out) else { return };
            let (mut input, mut decoder) = (frame, Decoder::new());
            if let Some(Got::Clear(ToDevice::Challenge(challenge))) = decoder.next(&mut input, None) {
                self.challenge = Some(challenge);
            }
        }
        panic!("the host does not stop talking");
    }

    fn hello(&self, script: &mut Script<'_>) -> DeviceHello {
        let serial = sabot_wire::heapless::String::try_from(SERIAL).expect("short enough");
        let (boots, epoch) = (script.byte().into(), u32::from(script.byte()) % 3);
        let (firmware, oldest, role) = ([0, 1, 0], u32::from(script.byte()), Role::Shoe);
        DeviceHello { protocol: PROTOCOL, role, serial, firmware, schema: SCHEMA_4, boots, epoch, oldest }
    }

    fn clear(&mut self, message: &ToHost) {
        let mut out = [0; MAX_FRAME];
        let frame = encode(message, &mut out).expect("every message fits").to_vec();
        self.hear(&frame);
    }

    fn seal(&mut self, message: &ToHost) {
        let Some(channel) = &mut self.channel else { return };
        let frame = sealed(message, channel);
        self.hear(&frame);
    }

    /// Proves that it holds the key.
    fn answer(&mut self) {
        let Some(to) = self.challenge else { return };
        self.answers = self.answers.wrapping_add(1);
        let nonce = Nonce([self.answers; 16]);
        let (device, _, proof) = ends(&to, &nonce);
        self.channel = Some(device);
        self.clear(&ToHost::Answer { to, nonce, proof });
    }
}

fuzz_target!(|data: &[u8]| {
    let mut script = Script::new(data);
    let host = host(script.byte(), None);
    let mut world = World { host, now: 0, challenge: None, answers: 0, channel: None, last: None };
    while !script.is_over() {
        world.talk();
        match script.byte() % 14 {
            0 => world.hear(script.bytes()),
            1 => world.hear(&framed(script.bytes())),
            2 => {
                world.now += script.pause_ms();
                if let Some(report) = world.host.tick(world.now) {
                    world.told(&report);
                }
            }
            3 => world.host.durable(u32::from(script.byte()) % 3, script.byte().into()),
            4 => {
                world.host.closed();
                world.host.opened(world.now);
                (world.channel, world.challenge) = (None, None);
            }
            5 => {
                if let Ok(show) = postcard::from_bytes::<Show>(script.bytes()) {
                    world.host.show(show);
                }
            }
            6 => {
                let hello = world.hello(&mut script);
                world.clear(&ToHost::Hello(hello));
            }
            7 => world.answer(),
            8 => {
                let hello = world.hello(&mut script);
                let (fresh, at_ms) = (script.byte().into(), script.word());
                world.seal(&ToHost::Ready(Ready { hello, started: Started::Power, fresh, at_ms }));
            }
            9 => {
                if let Ok(message) = postcard::from_bytes(script.bytes()) {
                    world.seal(&message);
                }
            }
            10 => {
                if let Ok(message) = postcard::from_bytes(script.bytes()) {
                    world.clear(&message);
                }
            }
            // the next event, or one near it
            way => {
                let near = if way == 11 { u32::from(script.byte()) % 4 } else { 1 };
                let seq = world.last.map_or(1, |last| last.1).saturating_add(near);
                if let Ok(saw) = postcard::from_bytes(script.bytes()) {
                    world.seal(&ToHost::Event { seq, at_ms: script.word(), saw });
                }
            }
        }
        let _ = (world.host.counters(), world.host.clock(), world.host.wake_at());
    }
});
