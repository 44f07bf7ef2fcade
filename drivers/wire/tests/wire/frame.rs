//! Frames on a bad line: whatever comes, nothing but what was sent is read, and the next frame after damage is.
use super::version_3::common::ends::{ends, key};
use proptest::collection::vec;
use proptest::prelude::*;
use sabot_wire::frame::{
    CRC_BYTES, Decoder, Got, MAX_BODY, MAX_CHECKED, MAX_DRAWN_FRAME, MAX_FRAME, check_out, crc32c, encode, encode_body,
    encode_sealed,
};
use sabot_wire::message::{
    BetSpot, Card, Chip, ChipsSaw, DeviceHello, FILE_BYTES, LINE_BYTES, MAX_CHIPS, Observation, Ready, Role, ShoeSaw,
    Show, Started, ToDevice, ToHost,
};
use sabot_wire::seal::Channel;
use serde::de::DeserializeOwned;

fn frame<M: serde::Serialize>(message: &M) -> Vec<u8> {
    let mut out = [0; MAX_FRAME];
    encode(message, &mut out).expect("it fits").to_vec()
}

fn sealed<M: serde::Serialize>(message: &M, channel: &mut Channel) -> Vec<u8> {
    let mut out = [0; MAX_FRAME];
    encode_sealed(message, channel, &mut out).expect("it fits").to_vec()
}

fn read_all<M: DeserializeOwned + std::fmt::Debug>(decoder: &mut Decoder, mut bytes: &[u8]) -> Vec<M> {
    let mut read = Vec::new();
    while let Some(got) = decoder.next(&mut bytes, None) {
        match got {
            Got::Clear(message) => read.push(message),
            other => panic!("nothing was sealed: {other:?}"),
        }
    }
    read
}

fn full_spot() -> ToHost {
    let chips = (0..MAX_CHIPS).map(|_| Chip { uid: u64::MAX, value: u32::MAX }).collect();
    let saw = Observation::Chips(ChipsSaw::Spot { box_no: 255, hand: 255, spot: BetSpot::Insurance, chips });
    ToHost::Event { seq: u32::MAX, at_ms: u32::MAX, saw }
}

#[test]
fn the_checksum_is_crc_32c() {
    assert_eq!(crc32c(b"123456789"), 0xe306_9283);
}

#[test]
fn a_drawn_card_takes_at_most_48_bytes_on_the_wire_sealed_and_filled_up_whatever_the_numbers() {
    let (mut device, _) = ends(&key(1), &key(1));
    for card in [0, 51, 255] {
        let saw = Observation::Shoe(ShoeSaw::Drawn(Card::from_code(card)));
        let bytes = sealed(&ToHost::Event { seq: u32::MAX, at_ms: u32::MAX, saw }, &mut device);
        assert_eq!(bytes.len(), MAX_DRAWN_FRAME);
        assert!(bytes.len() <= 48, "{} bytes", bytes.len());
    }
}

#[test]
fn the_longest_message_is_exactly_as_long_as_the_compiler_reckoned() {
    let mut checked = [0; MAX_CHECKED];
    assert_eq!(encode_body(&full_spot(), &mut checked), Ok(MAX_BODY + CRC_BYTES));
    let (mut device, _) = ends(&key(1), &key(1));
    assert!(sealed(&full_spot(), &mut device).len() <= MAX_FRAME);
    let hello = DeviceHello {
        protocol: 255,
        role: Role::Display,
        serial: "0123456789ABCDEF".try_into().expect("16 bytes"),
        firmware: [255; 3],
        schema: u32::MAX,
        boots: u32::MAX,
        epoch: u32::MAX,
        oldest: u32::MAX,
    };
    assert!(frame(&ToHost::Hello(hello.clone())).len() < MAX_FRAME);
    let started = Started::Panic { file: "f".repeat(FILE_BYTES).as_str().try_into().expect("it fits"), line: u32::MAX };
    let ready = ToHost::Ready(Ready { hello, started, fresh: u32::MAX, at_ms: u32::MAX });
    assert!(sealed(&ready, &mut device).len() < MAX_FRAME);
    let text = "ñ".repeat(LINE_BYTES / 2).as_str().try_into().expect("it fits");
    assert!(frame(&ToDevice::Show(Show::Line { row: 255, text })).len() < MAX_FRAME);
}

#[test]
fn a_buffer_that_is_too_short_is_an_error_and_no_panic() {
    for room in 0..21 {
        let saw = Observation::Shoe(ShoeSaw::Drawn(Card::UNREAD));
        let mut out = vec![0; room];
        assert!(encode(&ToHost::Event { seq: u32::MAX, at_ms: u32::MAX, saw }, &mut out).is_err());
    }
}

#[test]
fn a_frame_without_end_takes_no_more_memory_and_the_next_one_is_read() {
    let mut decoder = Decoder::new();
    assert_eq!(read_all::<ToDevice>(&mut decoder, &[7; 100_000]), []);
    assert_eq!(read_all::<ToDevice>(&mut decoder, &frame(&ToDevice::Ping(1))), [ToDevice::Ping(1)]);
    assert_eq!(decoder.bad(), 1);
}

#[test]
fn a_sound_body_with_bytes_after_the_message_is_damaged() {
    let mut body = postcard::to_vec_of(&ToDevice::Ping(1));
    body.push(0);
    let crc = crc32c(&body).to_le_bytes();
    body.extend(crc);
    assert_eq!(check_out::<ToDevice>(&body), None);
}

mod postcard {
    pub(crate) fn to_vec_of<M: serde::Serialize>(message: &M) -> Vec<u8> {
        let mut out = [0; super::MAX_CHECKED];
        let end = super::encode_body(message, &mut out).expect("it fits");
        out[..end - super::CRC_BYTES].to_vec()
    }
}

fn some_message() -> impl Strategy<Value = ToHost> {
    let drawn = (any::<u32>(), any::<u32>(), any::<u8>()).prop_map(|(seq, at_ms, card)| ToHost::Event {
        seq,
        at_ms,
        saw: Observation::Shoe(ShoeSaw::Drawn(Card::from_code(card))),
    });
    let chips = vec((any::<u64>(), any::<u32>()), 0..=MAX_CHIPS).prop_map(|chips| ToHost::Event {
        seq: 1,
        at_ms: 2,
        saw: Observation::Chips(ChipsSaw::Spot {
            box_no: 1,
            hand: 0,
            spot: BetSpot::Main,
            chips: chips.into_iter().map(|(uid, value)| Chip { uid, value }).collect(),
        }),
    });
    prop_oneof![drawn, chips, any::<u32>().prop_map(ToHost::Pong)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_sent_is_read_however_the_line_slices_it(messages in vec(some_message(), 1..8), slice in 1usize..40) {
        let line: Vec<u8> = messages.iter().flat_map(frame).collect();
        let mut decoder = Decoder::new();
        let read: Vec<ToHost> = line.chunks(slice).flat_map(|part| read_all(&mut decoder, part)).collect();
        prop_assert_eq!(read, messages);
        prop_assert_eq!(decoder.bad(), 0);
    }

    #[test]
    fn noise_is_never_a_message_and_the_frame_after_it_is_read(noise in vec(any::<u8>(), 0..2000)) {
        let mut decoder = Decoder::new();
        prop_assert_eq!(read_all::<ToHost>(&mut decoder, &noise), []);
        prop_assert_eq!(read_all::<ToHost>(&mut decoder, &frame(&ToHost::Pong(9))), [ToHost::Pong(9)]);
        prop_assert!(decoder.bad() >= u64::from(noise.iter().any(|byte| *byte != 0)));
    }

    #[test]
    fn a_damaged_frame_is_counted_and_read_as_nothing(
        message in some_message(), at in any::<prop::sample::Index>(), flip in 1u8..
    ) {
        let sent = frame(&message);
        let mut line = sent.clone();
        // the zeros around a frame belong to its neighbours as well, and are tested by the noise above
        let at = 1 + at.index(line.len() - 2);
        line[at] ^= flip;
        let mut decoder = Decoder::new();
        prop_assert_eq!(read_all::<ToHost>(&mut decoder, &line), []);
        prop_assert!(decoder.bad() >= 1);
        prop_assert_eq!(read_all::<ToHost>(&mut decoder, &sent), [message]);
    }

    #[test]
    fn a_frame_cut_short_spoils_no_other(message in some_message(), cut in any::<prop::sample::Index>()) {
        let sent = frame(&message);
        let cut = 2 + cut.index(sent.len() - 3);
        let mut decoder = Decoder::new();
        prop_assert_eq!(read_all::<ToHost>(&mut decoder, &sent[..cut]), []);
        prop_assert_eq!(read_all::<ToHost>(&mut decoder, &sent), [message]);
        prop_assert_eq!(decoder.bad(), 1);
    }

    #[test]
    fn a_sealed_frame_opens_once_in_its_session_and_tells_nothing_outside(
        messages in vec(some_message(), 1..6), lost in any::<prop::sample::Index>()
    ) {
        let (mut device, mut host) = ends(&key(7), &key(7));
        let (_, mut stranger) = ends(&key(8), &key(8));
        let lost = lost.index(messages.len());
        for (n, message) in messages.iter().enumerate() {
            let line = sealed(message, &mut device);
            if n == lost {
                continue; // what does not arrive spoils nothing that follows
            }
            let (mut ours, mut theirs) = (Decoder::new(), Decoder::new());
            prop_assert_eq!(theirs.next::<ToHost>(&mut &line[..], Some(&mut stranger)), Some(Got::Unopened));
            prop_assert_eq!(theirs.next::<ToHost>(&mut &line[..], None), Some(Got::Unopened));
            prop_assert_eq!(ours.next(&mut &line[..], Some(&mut host)), Some(Got::Sealed(message.clone())));
            prop_assert_eq!(ours.next::<ToHost>(&mut &line[..], Some(&mut host)), Some(Got::Repeated), "a second time");
        }
    }

    #[test]
    fn a_sealed_body_that_somebody_changed_and_summed_anew_does_not_open(
        message in some_message(), at in any::<prop::sample::Index>(), flip in 1u8..
    ) {
        let (mut device, mut host) = ends(&key(7), &key(7));
        let line = sealed(&message, &mut device);
        let mut inside = line[1..line.len() - 1].to_vec();
        let end = cobs::decode_in_place(&mut inside).expect("a frame") - CRC_BYTES;
        inside.truncate(end);
        // the first byte says that it is sealed: without it, it is no message
        let at = 1 + at.index(end - 1);
        inside[at] ^= flip;
        let crc = crc32c(&inside).to_le_bytes();
        inside.extend(crc);
        let mut forged = vec![0; MAX_FRAME];
        let length = cobs::encode(&inside, &mut forged);
        forged.truncate(length);
        forged.push(0);
        prop_assert_eq!(Decoder::new().next::<ToHost>(&mut &forged[..], Some(&mut host)), Some(Got::Unopened));
        prop_assert_eq!(Decoder::new().next(&mut &line[..], Some(&mut host)), Some(Got::Sealed(message)));
    }
}
