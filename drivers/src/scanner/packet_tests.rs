use super::*;
use proptest::prelude::*;

const READ: [u8; 9] = [0x07, 0xF3, 0x00, 0x00, 0x03, b'A', b'S', 0xFE, 0x6F];

fn packets(pieces: &[(u64, &[u8])]) -> (Vec<Packet>, u64) {
    let mut decoder = Decoder::default();
    let mut found = Vec::new();
    let mut end = 0;
    for &(now, bytes) in pieces {
        decoder.settle(now);
        decoder.push(now, bytes);
        while let Some(packet) = decoder.next_packet() {
            found.push(packet);
        }
        end = now;
    }
    decoder.settle(end + GAP_MS);
    (found, decoder.bad())
}

#[test]
fn packets_have_the_bytes_of_the_manual() {
    let host = |opcode, data: &[u8]| Packet::from_host(opcode, 0, data.to_vec()).encode().unwrap();
    assert_eq!(host(opcode::ACK, &[]), [0x04, 0xD0, 0x04, 0x00, 0xFF, 0x28]);
    assert_eq!(host(opcode::START_SESSION, &[]), [0x04, 0xE4, 0x04, 0x00, 0xFF, 0x14]);
    assert_eq!(host(opcode::STOP_SESSION, &[]), [0x04, 0xE5, 0x04, 0x00, 0xFF, 0x13]);
    assert_eq!(host(opcode::REQUEST_REVISION, &[]), [0x04, 0xA3, 0x04, 0x00, 0xFF, 0x55]);
    assert_eq!(host(opcode::NAK, &[cause::RESEND]), [0x05, 0xD1, 0x04, 0x00, 0x01, 0xFF, 0x25]);
    let again = Packet::from_host(opcode::REQUEST_REVISION, AGAIN, Vec::new()).encode().unwrap();
    assert_eq!(again, [0x04, 0xA3, 0x04, 0x01, 0xFF, 0x54]);
    assert_eq!(Packet::from_host(opcode::ACK, 0, vec![0; MAX_DATA + 1]).encode(), None);
    assert_eq!(host(opcode::ACK, &[0; MAX_DATA]).len(), MAX_PACKET);
}

#[test]
fn a_packet_is_read_however_it_is_cut_and_after_wake_bytes() {
    let expected = Packet { opcode: opcode::DECODE_DATA, source: SCANNER, status: 0, data: b"\x03AS".to_vec() };
    for cut in 0..READ.len() {
        let (first, second) = READ.split_at(cut);
        let (found, bad) = packets(&[(0, &[WAKE, WAKE]), (1, first), (GAP_MS, second), (GAP_MS + 1, &READ)]);
        assert_eq!((found, bad), (vec![expected.clone(), expected.clone()], 0), "cut at {cut}");
    }
    assert!(!format!("{expected:?}").contains("65"), "what was read is in no log");
}

#[test]
fn after_a_damaged_packet_nothing_is_read_until_the_line_was_silent() {
    let mut damaged = READ;
    damaged[5] ^= 1;
    let both = [damaged, READ].concat();
    assert_eq!(packets(&[(0, &both)]), (vec![], 1));
    let (found, bad) = packets(&[(0, &both), (GAP_MS, &READ)]);
    assert_eq!((found.len(), bad), (1, 1));
    // broken off, and shorter than any
    assert_eq!(packets(&[(0, &READ[..5]), (GAP_MS, &READ)]).1, 1);
    assert_eq!(packets(&[(0, &[3, 1, 1, 1])]), (vec![], 1));
}

#[test]
fn what_is_wrong_is_told_once_when_the_line_is_silent() {
    let mut decoder = Decoder::default();
    assert_eq!((decoder.settle(0), decoder.silent_at()), (None, None));
    decoder.push(10, &[2]);
    assert_eq!(decoder.next_packet(), None);
    assert_eq!((decoder.settle(10 + GAP_MS - 1), decoder.silent_at()), (None, Some(10 + GAP_MS)));
    assert_eq!(decoder.settle(10 + GAP_MS), Some(PacketFault::Length(2)));
    assert_eq!(decoder.settle(9999), None);
}

proptest! {
    /// The checksum is a sum: it finds every damage to one byte, and every packet that broke off.
    #[test]
    fn one_damaged_byte_is_always_found(at in 0..READ.len(), by in 1_u8..) {
        let mut damaged = READ;
        damaged[at] ^= by;
        let (found, _) = packets(&[(0, &damaged)]);
        prop_assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn nothing_panics_and_nothing_grows(pieces in prop::collection::vec((0_u64..100, any::<Vec<u8>>()), 0..20)) {
        let mut decoder = Decoder::default();
        let mut now = 0;
        for (pause, bytes) in pieces {
            now += pause;
            decoder.settle(now);
            decoder.push(now, &bytes);
            while let Some(packet) = decoder.next_packet() {
                prop_assert!(packet.data.len() <= MAX_DATA);
            }
            prop_assert!(decoder.buffer.len() < MAX_PACKET);
        }
    }
}
