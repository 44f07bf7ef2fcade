//! The link's frames: bytes of any kind and sound frames with any content, in any pieces. What comes out does not
//! depend on the pieces, is written as it was read, and is sealed only where the other end has sealed it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sabot_fuzz::Script;
use sabot_fuzz::link::{ends, framed, sealed};
use sabot_wire::frame::{Decoder, Got, MAX_FRAME, encode, encode_pairing};
use sabot_wire::message::{Nonce, ToDevice, ToHost};
use sabot_wire::seal::Channel;

/// What a decoder takes out of the bytes, in pieces of that size.
fn read(bytes: &[u8], size: usize, channel: &mut Channel) -> (Vec<Got<ToHost>>, u64) {
    let (mut decoder, mut all) = (Decoder::new(), Vec::new());
    for mut piece in bytes.chunks(size) {
        all.extend(std::iter::from_fn(|| decoder.next(&mut piece, Some(channel))));
        assert!(piece.is_empty(), "all that came is used up");
    }
    (all, decoder.bad())
}

fuzz_target!(|data: &[u8]| {
    let mut script = Script::new(data);
    let size = 1 + usize::from(script.byte());
    let (mut device, mut host, _) = ends(&Nonce([1; 16]), &Nonce([2; 16]));
    let (_, mut again, _) = ends(&Nonce([1; 16]), &Nonce([2; 16]));
    let (mut line, mut sent, mut last) = (Vec::new(), Vec::new(), Vec::new());
    while !script.is_over() {
        match script.byte() % 5 {
            0 => line.extend(script.bytes()),
            1 => line.extend(framed(script.bytes())),
            2 => {
                // a sealed frame that was changed on the way, and given a checksum that fits
                let body = [&[0x53], script.bytes()].concat();
                line.extend(framed(&body));
            }
            3 => line.extend(&last),
            _ => {
                let Ok(message) = postcard::from_bytes::<ToHost>(script.bytes()) else { continue };
                last = sealed(&message, &mut device);
                line.extend(&last);
                sent.push(message);
            }
        }
    }
    let got = read(&line, size, &mut host);
    assert_eq!(got, read(&line, line.len().max(1), &mut again), "whole, and in pieces of {size}");
    let (mut sent, mut taken) = (sent.iter(), false);
    for told in &got.0 {
        match told {
            Got::Sealed(told) => {
                taken = true;
                assert!(sent.any(|sent| sent == told), "sealed by nobody, twice or out of order");
            }
            Got::Repeated => assert!(taken, "once more what has not come"),
            Got::Clear(told) => {
                let mut out = [0; MAX_FRAME];
                let written = encode(told, &mut out).expect("it was read").to_vec();
                let (mut input, mut decoder) = (written.as_slice(), Decoder::new());
                assert_eq!(decoder.next(&mut input, None), Some(Got::Clear(told.clone())));
            }
            Got::Pairing(said) => {
                let mut out = [0; MAX_FRAME];
                let written = encode_pairing(said, &mut out).expect("it was read").to_vec();
                let (mut input, mut decoder) = (written.as_slice(), Decoder::new());
                assert_eq!(decoder.next::<ToHost>(&mut input, None), Some(Got::Pairing(said.clone())));
            }
            Got::Witness(_) => panic!("nobody sent a checkpoint"),
            Got::Senseless { .. } => panic!("what was sealed made sense"),
            Got::Unopened => {}
        }
    }
    // and as a device reads
    let (mut input, mut decoder) = (line.as_slice(), Decoder::new());
    while decoder.next::<ToDevice>(&mut input, None).is_some() {}
});
