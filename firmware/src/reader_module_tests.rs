//! The module asked, and answers of every kind.

use super::*;
use crate::testing::{FakePin, FakeUart};

extern crate std;
use std::vec::Vec as List;

type Bench = ReaderModule<FakeUart, FakePin, 3>;

fn bench(antennas: usize) -> (Bench, FakeUart, [FakePin; 3]) {
    let (uart, pins) = (FakeUart::default(), <[FakePin; 3]>::default());
    (ReaderModule::new(uart.clone(), Multiplexer(pins.clone()), antennas, 4), uart, pins)
}

fn hex(text: &str) -> List<u8> {
    text.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect()
}

/// An answer as the module sends it.
fn frame(status: u8, data: &[u8]) -> List<u8> {
    let mut frame = std::vec![STX, 0, (data.len() + ADVANCED + 1) as u8, 0, HOST_COMMAND, status];
    frame.extend(data);
    frame.extend(CRC.checksum(&frame).to_le_bytes());
    frame
}

fn tags(status: u8, uids: &[u64]) -> List<u8> {
    let mut data = std::vec![uids.len() as u8];
    for uid in uids {
        data.extend([ISO_15693, 0]);
        data.extend(uid.to_be_bytes());
    }
    frame(status, &data)
}

fn value(of: u32) -> List<u8> {
    let mut data = std::vec![1, 4, 0];
    data.extend(of.to_be_bytes());
    frame(OK, &data)
}

/// Identifiers and values of the chips on a spot.
type Told = Result<List<(u64, u32)>, ReadFault>;

/// Asks for one antenna's chips, answering each request with the next of these; gives the requests and what was told.
fn inventory(
    (module, uart): (&mut Bench, &FakeUart),
    now_ms: &mut u32,
    index: usize,
    answers: &[List<u8>],
) -> (List<List<u8>>, Told) {
    let (mut answers, mut asked) = (answers.iter(), List::new());
    for _ in 0..2000 {
        *now_ms = now_ms.wrapping_add(1);
        module.scan(*now_ms);
        let request = core::mem::take(&mut uart.0.borrow_mut().from_device);
        if !request.is_empty() {
            asked.push(request);
            uart.0.borrow_mut().to_device.extend(answers.next().into_iter().flatten());
        }
        if module.fresh(index) {
            let mut chips = Vec::new();
            let told = module.chips(index, &mut chips);
            return (asked, told.map(|()| chips.iter().map(|chip| (chip.uid, chip.value)).collect()));
        }
    }
    panic!("nothing was told");
}

#[test]
fn frames_are_those_of_the_protocol() {
    assert_eq!(CRC.checksum(b"123456789"), 0x6F91);
    assert_eq!(request(&[0x01, 0x00])[..], hex("02 00 09 FF B0 01 00 18 43"));
    assert_eq!(request(&[0x01, 0x80])[..], hex("02 00 09 FF B0 01 80 10 C7"));
    let told = hex("02 00 13 00 B0 00 01 03 00 E0 04 01 00 12 34 56 78 03 71");
    assert_eq!(answer(&told), Ok(Some((0, &told[6..17]))));
    assert_eq!(answer(&hex("02 00 08 00 B0 01 19 CE")), Ok(Some((NO_TAG, &[][..]))));
    assert_eq!(tags(OK, &[0xE004_0100_1234_5678]), told);
    let mut standard = std::vec![6, 0, HOST_COMMAND, NO_TAG];
    standard.extend(CRC.checksum(&standard).to_le_bytes());
    assert_eq!(answer(&standard), Ok(Some((NO_TAG, &[][..]))));
}

#[test]
fn each_antenna_is_chosen_and_asked_in_turn_and_its_chips_are_valued_once() {
    let (mut module, uart, pins) = bench(3);
    let mut now = u32::MAX - 20;
    let mut block = hex("02 00 13 FF B0 23 01 00 00 00 00 00 00 00 09 04 01");
    block.extend(CRC.checksum(&block).to_le_bytes());
    let first = inventory((&mut module, &uart), &mut now, 0, &[tags(OK, &[9]), value(50_000)]);
    assert_eq!(first, (std::vec![hex("02 00 09 FF B0 01 00 18 43"), block], Ok(std::vec![(9, 50_000)])));
    for (index, address) in [(1, [true, false, false]), (2, [false, true, false]), (0, [false, false, false])] {
        let (asked, told) = inventory((&mut module, &uart), &mut now, index, &[tags(OK, &[9])]);
        assert_eq!(pins.each_ref().map(|pin| pin.0.get()), address, "antenna {index}");
        assert_eq!((asked.len(), told), (1, Ok(std::vec![(9, 50_000)])));
    }
}

#[test]
fn more_chips_than_one_answer_has_are_asked_for_and_an_empty_spot_is_told_as_empty() {
    let (mut module, uart, _) = bench(1);
    let mut now = 0;
    let answers = [tags(MORE, &[1, 2]), tags(OK, &[3]), value(10), value(20), frame(TAG_ERROR, &[0x10])];
    let (asked, told) = inventory((&mut module, &uart), &mut now, 0, &answers);
    assert_eq!((asked.len(), told), (5, Ok(std::vec![(1, 10), (2, 20), (3, 0)])));
    let (_, told) = inventory((&mut module, &uart), &mut now, 0, &[frame(NO_TAG, &[])]);
    assert_eq!(told, Ok(List::new()));
}

#[test]
fn what_is_no_answer_is_a_fault_and_never_an_empty_spot() {
    let mut damaged = tags(OK, &[1]);
    damaged[9] ^= 1;
    let mut longer = tags(OK, &[1]);
    longer.push(0);
    let many: List<u64> = (0..21).collect();
    let mut other = frame(OK, &[0]);
    other[4] = 0x66;
    let crc = CRC.checksum(&other[..7]).to_le_bytes();
    other[7..].copy_from_slice(&crc);
    let count = frame(OK, &[2, ISO_15693, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    let kind = frame(OK, &[1, 0x04, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    let cut = tags(OK, &[1])[..9].to_vec();
    for (n, bad) in [
        List::new(),
        damaged,
        longer,
        tags(OK, &many),
        other,
        count,
        kind,
        cut,
        frame(0x83, &[]),
        std::vec![0xFF; 300],
        std::vec![0],
        std::vec![STX, 0, 7],
    ]
    .into_iter()
    .enumerate()
    {
        let (mut module, uart, _) = bench(1);
        let mut now = 0;
        assert_eq!(inventory((&mut module, &uart), &mut now, 0, &[bad]).1, Err(ReadFault), "answer {n}");
        assert!(now <= SWITCH_MS + ANSWER_MS + 2);
        let answers = [tags(OK, &[1]), value(5)];
        assert_eq!(inventory((&mut module, &uart), &mut now, 0, &answers).1, Ok(std::vec![(1, 5)]), "after answer {n}");
    }
}

#[test]
fn a_value_that_does_not_come_is_a_fault_and_is_asked_for_again() {
    for bad in [frame(OK, &[1, 4, 0, 1, 2]), frame(OK, &[2, 4, 0, 0, 0, 0, 1]), frame(0x02, &[]), List::new()] {
        let (mut module, uart, _) = bench(1);
        let mut now = 0;
        assert_eq!(inventory((&mut module, &uart), &mut now, 0, &[tags(OK, &[1]), bad]).1, Err(ReadFault));
        let (asked, told) = inventory((&mut module, &uart), &mut now, 0, &[tags(OK, &[1]), value(7)]);
        assert_eq!((asked.len(), told), (2, Ok(std::vec![(1, 7)])));
    }
}

#[test]
fn values_are_forgotten_in_the_order_in_which_they_were_learnt() {
    let (mut module, uart, _) = bench(1);
    let mut now = 0;
    for uid in 0..=REMEMBERED as u64 {
        let (asked, _) = inventory((&mut module, &uart), &mut now, 0, &[tags(OK, &[uid]), value(1)]);
        assert_eq!(asked.len(), 2);
    }
    let (asked, _) = inventory((&mut module, &uart), &mut now, 0, &[tags(OK, &[1]), value(1)]);
    assert_eq!(asked.len(), 1, "the second is still known");
    let (asked, _) = inventory((&mut module, &uart), &mut now, 0, &[tags(OK, &[0]), value(1)]);
    assert_eq!(asked.len(), 2, "the first is not");
}
