//! The device's session against a host that holds the key and says anything, and against anybody else on the line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sabot_fuzz::Script;
use sabot_fuzz::link::{device, ends, framed, memory, sealed};
use sabot_wire::frame::{Decoder, Got, MAX_FRAME};
use sabot_wire::message::{Nonce, Observation, ToDevice, ToHost};
use sabot_wire::seal::Channel;

fuzz_target!(|data: &[u8]| {
    let mut script = Script::new(data);
    let paired = !script.byte().is_multiple_of(8);
    let (mut boots, mut now) = (1, 0_u32);
    let mut device = device(memory(), boots, paired);
    let (mut channel, mut reader): (Option<Channel>, Option<Channel>) = (None, None);
    let (mut seen, mut asked) = (0, Nonce([0; 16]));
    while !script.is_over() {
        let mut out = [0; MAX_FRAME];
        for _ in 0..100 {
            let Some(frame) = device.transmit(now, &mut out) else { break };
            let (mut input, mut decoder) = (frame, Decoder::new());
            match decoder.next::<ToHost>(&mut input, reader.as_mut()) {
                Some(Got::Clear(ToHost::Answer { to, nonce, .. })) if to == asked && paired => {
                    let (_, host, _) = ends(&to, &nonce);
                    (reader, channel) = (Some(host), Some(ends(&to, &nonce).1));
                }
                Some(Got::Clear(ToHost::Event { .. })) => panic!("an event that anybody can read"),
                Some(Got::Sealed(ToHost::Event { seq, .. })) => assert!(seq < device.ring().next()),
                Some(_) => {}
                None => panic!("a device sends sound frames"),
            }
        }
        let ring_before = (device.ring().oldest(), device.ring().next());
        let bytes = match script.byte() % 8 {
            0 => script.bytes().to_vec(),
            1 => framed(script.bytes()),
            2 => {
                now = now.wrapping_add(script.pause_ms() as u32);
                continue;
            }
            3 => {
                let saw = postcard::from_bytes::<Observation>(script.bytes());
                if device.ready()
                    && let Ok(saw) = saw
                {
                    device.observe(now, &saw).expect("ready promises a place");
                    seen += 1;
                }
                continue;
            }
            4 => {
                // its power goes and comes back: nothing that it held is lost
                boots += 1;
                device = sabot_fuzz::link::device(device.into_memory(), boots, paired);
                assert_eq!((device.ring().oldest(), device.ring().next()), ring_before);
                (channel, reader) = (None, None);
                continue;
            }
            5 => {
                asked = Nonce([script.byte(); 16]);
                let mut out = [0; MAX_FRAME];
                sabot_wire::frame::encode(&ToDevice::Challenge(asked), &mut out).expect("it fits").to_vec()
            }
            6 => {
                let Some(channel) = &mut channel else { continue };
                let seq = device.ring().oldest().wrapping_add(u32::from(script.byte()) % 8).wrapping_sub(2);
                sealed(&ToDevice::Ack { epoch: device.ring().epoch(), seq }, channel)
            }
            _ => {
                let Some(channel) = &mut channel else { continue };
                let Ok(message) = postcard::from_bytes::<ToDevice>(script.bytes()) else { continue };
                sealed(&message, channel)
            }
        };
        let mut input = bytes.as_slice();
        while device.receive(now, &mut input).is_some() {}
        assert!(input.is_empty(), "all that came is used up");
        if channel.is_none() {
            assert_eq!((device.ring().oldest(), device.ring().next()), ring_before, "nobody else makes it forget");
        }
        assert!(device.ring().len() <= seen * 2 + 4, "what it holds was seen");
    }
});
