//! The frames of FEIG readers: bytes in pieces, at any times.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sabot_drivers::feig::frame::{Decoder, MAX_FRAME};
use sabot_drivers::feig::{message, records};
use sabot_fuzz::Script;

fuzz_target!(|data: &[u8]| {
    let mut script = Script::new(data);
    let (mut decoder, mut now) = (Decoder::new(28), 0);
    while !script.is_over() {
        now += script.pause_ms();
        decoder.push(now, script.bytes());
        while let Some(next) = decoder.next_frame() {
            let Ok(frame) = next else { continue };
            // what was taken is written as it came
            let bytes = frame.encode().expect("it came as a frame");
            assert!(bytes.len() <= MAX_FRAME);
            let mut again = Decoder::new(28);
            again.push(0, &bytes);
            assert_eq!(again.next_frame(), Some(Ok(frame.clone())));
            if let Ok((_, data)) = message::split(&frame.body) {
                let _ = (message::info(data), message::device_id(data));
                let _ = (message::inventory(data), message::blocks(data), records::sightings(data));
            }
        }
    }
});
