use proptest::prelude::*;

use super::*;

const UID: u64 = 0xE004_0100_1234_5678;

fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

/// Replies laid out by hand from the manual's table of a record, field by field.
#[test]
fn records_laid_out_by_hand_are_read() {
    let seen = |antenna| Ok(vec![Sighting { uid: UID, antenna }]);
    // identifier alone
    let plain = "01  00 01  00 0D  03 00 08 E0 04 01 00 12 34 56 78";
    assert_eq!(sightings(&bytes(plain)), seen(None));
    // with blocks: two of four bytes, their number in two bytes; the byte order is turned, the identifier is not
    let blocks = "0B  00 01  00 18  03 00 08 E0 04 01 00 12 34 56 78  00 02 04 50 C3 00 00 01 00 00 00";
    assert_eq!(sightings(&bytes(blocks)), seen(None));
    // with blocks, time, date and the antenna
    let all =
        "73  00 01  00 1E  03 00 08 E0 04 01 00 12 34 56 78  00 01 04 00 00 C3 50  00 01 02 03  14 18 0B 18 16  05";
    let all = bytes(all);
    let mut fixed = all.clone();
    fixed[4] = u8::try_from(all.len() - 3).unwrap();
    assert_eq!(sightings(&fixed), seen(Some(5)));
    // with AFI and DSFID before the identifier, which the length counts; the antenna is a bit field
    let afi = "91 04  00 01  00 10  03 00 0A 07 00 E0 04 01 00 12 34 56 78  04";
    assert_eq!(sightings(&bytes(afi)), seen(Some(4)));
    // what a newer reader adds behind the antenna is passed over
    let more = "91 10  00 01  00 13  03 00 08 E0 04 01 00 12 34 56 78  02  01 02 40 00 00";
    let more = bytes(more);
    assert_eq!(sightings(&more), seen(Some(2)));
    // a block count in one byte would be read so, and is none
    let one_byte = "02  00 01  00 0D  03 00 08 E0 04 01 00 12 34 56 78";
    assert_eq!(sightings(&bytes(one_byte)), Err(ReplyFault::NoIdentifier));
    for cut in 0..more.len() {
        assert!(sightings(&more[..cut]).is_err(), "{cut}");
    }
}

#[test]
fn an_antenna_is_a_number_or_a_bit_each() {
    let named = |byte: AntennaByte, value| (1..=9).filter(|&antenna| byte.names(value, antenna)).collect::<Vec<_>>();
    assert_eq!(named(AntennaByte::Number, 5), [5]);
    assert_eq!(named(AntennaByte::Bits, 0b1000_0101), [1, 3, 8]);
    assert_eq!(named(AntennaByte::Bits, 0), Vec::<u8>::new());
}

/// A second reading of the manual's table, from the end of a record to its start: the driver's goes the other way. It
/// knows the lengths of what follows the identifier and counts back.
fn read_from_behind(fields: u8, more_fields: u8, record: &[u8]) -> (u64, Option<u8>) {
    let mut end = record.len();
    // behind the antenna: inputs and state, MAC address, direction
    for (flag, length) in [(0x20, 1), (0x02, 6), (0x01, 2)] {
        end -= if fields & 0x80 != 0 && more_fields & flag != 0 { length } else { 0 };
    }
    let antenna = (fields & 0x10 != 0).then(|| record[end - 1]);
    let afi = if fields & 0x80 != 0 && more_fields & 0x04 != 0 { 2 } else { 0 };
    let start = 2 + 3 + afi;
    (record[start..start + 8].iter().fold(0, |uid, &byte| uid << 8 | u64::from(byte)), antenna)
}

proptest! {
    #[test]
    fn whatever_a_record_carries_two_readings_of_it_agree(
        fields: u8,
        more_fields in prop::bits::u8::masked(0x27),
        tags in prop::collection::vec((any::<u64>(), any::<u8>(), prop::collection::vec(any::<u8>(), 0..40)), 0..5),
        extra in 0..4_usize,
    ) {
        let (fields, extended) = (fields | 0x01 & !0x04, fields & 0x80 != 0);
        let mut reply = vec![fields];
        reply.extend(extended.then_some(more_fields));
        reply.extend((tags.len() as u16).to_be_bytes());
        let mut expected = Vec::new();
        for (uid, antenna, blocks) in &tags {
            let afi: &[u8] = if extended && more_fields & 0x04 != 0 { &[7, 9] } else { &[] };
            let mut record = vec![0, 0, 3, 0, 8 + afi.len() as u8];
            record.extend(afi);
            record.extend(uid.to_be_bytes());
            if fields & 0x02 != 0 {
                record.extend((blocks.len() as u16).to_be_bytes());
                record.push(1);
                record.extend(blocks);
            }
            record.extend(vec![0xEE; if fields & 0x20 != 0 { 4 } else { 0 } + if fields & 0x40 != 0 { 5 } else { 0 }]);
            record.extend((fields & 0x10 != 0).then_some(*antenna));
            for (flag, length) in [(0x01, 2), (0x02, 6), (0x20, 1)] {
                record.extend(vec![0xDD; if extended && more_fields & flag != 0 { length } else { 0 }]);
            }
            expected.push(read_from_behind(fields, more_fields, &record));
            record.extend(vec![0xCC; extra]);
            let length = (record.len() as u16).to_be_bytes();
            record[..2].copy_from_slice(&length);
            reply.extend(record);
        }
        let read: Vec<_> = sightings(&reply).unwrap().iter().map(|seen| (seen.uid, seen.antenna)).collect();
        prop_assert_eq!(&read, &expected);
        let uids: Vec<u64> = read.iter().map(|(uid, _)| *uid).collect();
        prop_assert_eq!(uids, tags.iter().map(|tag| tag.0).collect::<Vec<_>>());
    }
}
