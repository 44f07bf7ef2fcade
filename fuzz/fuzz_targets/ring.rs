//! The device's ring: what a reset finds is what was kept, and damaged memory is never taken for events.
#![no_main]

use std::collections::VecDeque;

use libfuzzer_sys::fuzz_target;
use sabot_fuzz::Script;
use sabot_wire::frame::MAX_CHECKED;
use sabot_wire::message::Observation;
use sabot_wire::ring::{MIN_RING, Restored, Ring};

/// Bytes of the ring under test: so short that it goes round often.
const RING: usize = MIN_RING + 300;

/// What the ring holds, as a device would send it.
fn content(ring: &mut Ring<Vec<u8>>) -> Option<VecDeque<Vec<u8>>> {
    let mut out = [0; MAX_CHECKED];
    let held = ring.oldest()..ring.next();
    held.map(|seq| ring.read(seq, &mut out).map(|length| out[..length].to_vec())).collect()
}

fuzz_target!(|data: &[u8]| {
    let mut script = Script::new(data);
    // memory as anything may have left it
    let mut memory = script.bytes().to_vec();
    memory.resize(RING, 0);
    let (mut ring, _) = Ring::restore(memory, 1).expect("there is room");
    let (mut kept, mut epoch) = (content(&mut ring).expect("a sound ring is read"), 1);
    while !script.is_over() {
        match script.byte() % 8 {
            0..=3 => {
                let Ok(saw) = postcard::from_bytes::<Observation>(script.bytes()) else { continue };
                let before = ring.next();
                if let Ok(seq) = ring.push(script.word(), &saw) {
                    assert_eq!(seq, before);
                    let mut out = [0; MAX_CHECKED];
                    let length = ring.read(seq, &mut out);
                    kept.push_back(out[..length.expect("it was just kept")].to_vec());
                }
            }
            4 => {
                let seq = ring.oldest().wrapping_add(u32::from(script.byte()) % 8).wrapping_sub(2);
                let gone = ring.forget(ring.epoch(), seq) as usize;
                kept.drain(..gone.min(kept.len()));
            }
            5 => {
                // a reset: of sound memory nothing is lost
                epoch += 1;
                let (again, found) = Ring::restore(ring.into_memory(), epoch).expect("there is room");
                ring = again;
                let found = (found, content(&mut ring).expect("a sound ring is read"));
                assert_eq!(found, (Restored::Sound(kept.len() as u32), kept.clone()));
            }
            6 => {
                // damage while nobody looks, found at the next reset
                let mut memory = ring.into_memory();
                let at = script.word() as usize % RING;
                for (place, byte) in memory[at..].iter_mut().zip(script.bytes()) {
                    *place = *byte;
                }
                epoch += 1;
                (ring, _) = Ring::restore(memory, epoch).expect("there is room");
                kept = content(&mut ring).expect("a sound ring is read");
            }
            _ => assert_eq!(content(&mut ring).as_ref(), Some(&kept)),
        }
    }
});
