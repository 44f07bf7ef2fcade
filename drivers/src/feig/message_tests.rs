use super::*;
use crate::feig::frame::Decoder;

const UID: u64 = 0xE004_0100_1234_5678;

fn bytes(hex: &str) -> Vec<u8> {
    hex.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

fn reply(hex: &str) -> Frame {
    let mut decoder = Decoder::new(28);
    decoder.push(0, &bytes(hex));
    let frame = decoder.next_frame().unwrap().unwrap();
    assert_eq!((decoder.next_frame(), decoder.bad()), (None, 0));
    frame
}

#[test]
fn requests_are_the_bytes_that_the_facts_tell() {
    let any = |request: Request| request.encode(ANY_READER).unwrap();
    assert_eq!(any(Request::Inventory { more: false }), bytes("02 00 09 FF B0 01 00 18 43"));
    assert_eq!(any(Request::Inventory { more: true }), bytes("02 00 09 FF B0 01 80 10 C7"));
    let blocks = Request::ReadBlocks { uid: Some(UID), first: 0, count: 4 };
    assert_eq!(any(blocks), bytes("02 00 13 FF B0 23 01 E0 04 01 00 12 34 56 78 00 04 B0 58"));
    assert_eq!(any(Request::Info), bytes("02 00 08 FF 66 00 88 12"));
    assert_eq!(any(Request::RfReset), bytes("02 00 07 FF 69 02 AB"));
    assert_eq!(any(Request::BaudDetect), bytes("02 00 08 FF 52 00 4A C3"));
    // the manuals' layout of a request for a page: the command, then the page that is in force
    assert_eq!(any(Request::Config(12))[..6], bytes("02 00 08 FF 80 0C"));
}

#[test]
fn replies_of_the_facts_are_read() {
    let one = reply("02 00 13 00 B0 00 01 03 00 E0 04 01 00 12 34 56 78 03 71");
    assert_eq!((one.address, one.command, one.form), (0, 0xB0, Form::Advanced));
    let (status, data) = split(&one.body).unwrap();
    assert_eq!((status, inventory(data)), (Status::Ok, Ok(vec![UID])));
    let none = reply("02 00 08 00 B0 01 19 CE");
    assert_eq!(split(&none.body), Ok((Status::NoTag, &[][..])));
    let alive = reply("02 00 0A 00 6E 00 00 00 4B 69");
    assert_eq!((alive.command, alive.body), (KEEP_ALIVE, vec![0, 0, 0]));
}

#[test]
fn a_reply_that_is_cut_or_has_a_byte_too_many_is_none() {
    let whole = [2, 3, 0, 0xE0, 4, 1, 0, 0, 0, 0, 1, 3, 0, 0xE0, 4, 1, 0, 0, 0, 0, 2];
    assert_eq!(inventory(&whole).map(|tags| tags.len()), Ok(2));
    for cut in 0..whole.len() {
        assert_eq!(inventory(&whole[..cut]), Err(ReplyFault::Short), "{cut}");
    }
    assert_eq!(inventory(&[&whole[..], &[0]].concat()), Err(ReplyFault::Long));
    assert_eq!(inventory(&[1, 0x84, 0, 0, 0, 0, 0, 0, 0, 0, 1]), Err(ReplyFault::TagType(0x84)));
    let two = [2, 4, 0, 0, 0, 0xC3, 0x50, 1, 9, 9, 9, 9];
    assert_eq!(blocks(&two), Ok(vec![(0, vec![0, 0, 0xC3, 0x50]), (1, vec![9; 4])]));
    for cut in 0..two.len() {
        assert_eq!(blocks(&two[..cut]), Err(ReplyFault::Short), "{cut}");
    }
}

#[test]
fn what_the_reader_is_stands_in_its_info() {
    let data = [1, 4, 0, 0, 0x50, 0, 0x0B, 1, 0, 1, 0];
    let read = info(&data).unwrap();
    assert_eq!((read.version, read.model, read.tags & READS_ISO_15693 != 0), ([1, 4, 0], 0x50, true));
    assert!((0..7).all(|cut| info(&data[..cut]).is_err()));
    let id = [0, 0xBC, 0x61, 0x4E, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(device_id(&id), Ok(12_345_678));
    assert_eq!(
        (info(&id), device_id(&data)),
        (Err(ReplyFault::Long), Err(ReplyFault::Short)),
        "never one for the other"
    );
}
