use proptest::prelude::*;

use super::*;

fn frame(form: Form, body: Vec<u8>) -> Frame {
    Frame { form, address: 0, command: 0xB0, body }
}

/// Everything a decoder gives for these pieces, each without silence before it.
fn decoded(pieces: &[&[u8]]) -> Vec<Result<Frame, FrameFault>> {
    let mut decoder = Decoder::new(28);
    let mut all = Vec::new();
    for piece in pieces {
        decoder.push(1, piece);
        while let Some(next) = decoder.next_frame() {
            all.push(next);
        }
    }
    all
}

#[test]
fn the_checksum_is_crc_16_mcrf4xx() {
    assert_eq!(CRC.checksum(b"123456789"), 0x6F91);
}

#[test]
fn a_frame_longer_than_its_form_is_refused() {
    assert_eq!(frame(Form::Standard, vec![0; 251]).encode(), Err(TooLong { bytes: 256 }));
    assert_eq!(frame(Form::Standard, vec![0; 250]).encode().map(|bytes| bytes.len()), Ok(255));
    assert_eq!(frame(Form::Advanced, vec![0; 65_529]).encode(), Err(TooLong { bytes: 65_536 }));
}

#[test]
fn silence_in_a_frame_drops_it_and_the_next_one_is_read() {
    let sound = frame(Form::Advanced, vec![1]);
    let bytes = sound.encode().unwrap();
    let mut decoder = Decoder::new(28);
    decoder.push(100, &bytes[..5]);
    assert_eq!(decoder.next_frame(), None);
    decoder.push(128, &bytes);
    assert_eq!(decoder.next_frame(), Some(Ok(sound)));
    assert_eq!(decoder.bad(), 1);
}

#[test]
fn after_damage_nothing_is_taken_until_there_was_silence() {
    let sound = frame(Form::Standard, vec![1]);
    let good = sound.encode().unwrap();
    let mut bad = good.clone();
    bad[3] ^= 0x10;
    let mut decoder = Decoder::new(28);
    decoder.push(100, &bad);
    assert_eq!(decoder.next_frame(), Some(Err(FrameFault::Checksum)));
    decoder.push(110, &good);
    assert_eq!(decoder.next_frame(), None);
    decoder.push(140, &good);
    assert_eq!(decoder.next_frame(), Some(Ok(sound)));
}

proptest! {
    #[test]
    fn every_frame_comes_back_however_it_is_cut(
        bodies in prop::collection::vec((any::<bool>(), prop::collection::vec(any::<u8>(), 0..60)), 1..6),
        size in 1..40_usize,
    ) {
        let form = |advanced| if advanced { Form::Advanced } else { Form::Standard };
        let frames: Vec<_> = bodies.into_iter().map(|(advanced, body)| frame(form(advanced), body)).collect();
        let bytes: Vec<u8> = frames.iter().flat_map(|frame| frame.encode().unwrap()).collect();
        let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
        let all: Vec<_> = decoded(&pieces).into_iter().map(Result::unwrap).collect();
        prop_assert_eq!(all, frames);
    }

    #[test]
    fn whatever_comes_nothing_is_accepted_with_a_wrong_checksum(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        size in 1..300_usize,
    ) {
        let mut decoder = Decoder::new(28);
        let mut at = 0;
        for (nth, piece) in bytes.chunks(size).enumerate() {
            decoder.push(nth as u64, piece);
            while let Some(next) = decoder.next_frame() {
                let Ok(frame) = next else { continue };
                let again = frame.encode().unwrap();
                let found = bytes[at..].windows(again.len()).position(|window| window == again);
                prop_assert!(found.is_some(), "accepted, and never sent as a sound frame");
                at += found.unwrap_or(0) + again.len();
            }
            prop_assert!(decoder.buffer.len() <= MAX_FRAME);
        }
    }

    #[test]
    fn a_flipped_bit_or_a_burst_of_sixteen_is_never_accepted(
        body in prop::collection::vec(any::<u8>(), 1..200),
        at in any::<prop::sample::Index>(),
        burst in 1..=u16::MAX,
        advanced: bool,
    ) {
        let sent = frame(if advanced { Form::Advanced } else { Form::Standard }, body);
        let mut bytes = sent.encode().unwrap();
        let nth = at.index(bytes.len() - 1);
        let [high, low] = burst.to_be_bytes();
        bytes[nth] ^= high;
        bytes[nth + 1] ^= low;
        // a changed length makes it another frame, which is longer, or shorter and then almost surely damaged
        let same_length = nth >= if advanced { 3 } else { 1 };
        let accepted = decoded(&[&bytes]).into_iter().flatten().count();
        prop_assert!(!same_length || accepted == 0);
    }
}
