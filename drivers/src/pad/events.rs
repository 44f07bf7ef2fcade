//! What evdev gives to read: records of the kernel's `struct input_event`, of which a key pressed is one.

use crate::saw::PadKey;

/// Bytes of a record: the time in two words of the machine, then type and code (16 bits each) and value (32 bits).
pub const EVENT: usize = 2 * size_of::<usize>() + 8;

/// Separates what belongs together.
const EV_SYN: u16 = 0;
/// A key.
const EV_KEY: u16 = 1;
/// All that happened at one time has been told.
const SYN_REPORT: u16 = 0;
/// The reader was too slow: what was told up to here, and up to the next report, is not to be believed.
const SYN_DROPPED: u16 = 3;
/// A key goes down. It goes up with 0, and repeats with 2.
const DOWN: i32 = 1;

/// A key by the kernel's code for it (linux/input-event-codes.h): those of the pad and of the row above the letters.
const fn key(code: u16) -> Option<PadKey> {
    Some(match code {
        2..=10 => PadKey::Touch(code as u8 - 1),
        79..=81 => PadKey::Touch(code as u8 - 78),
        75..=77 => PadKey::Touch(code as u8 - 71),
        71..=73 => PadKey::Touch(code as u8 - 64),
        28 | 96 => PadKey::Likely,
        14 => PadKey::TakeBack,
        _ => return None,
    })
}

/// Takes bytes, however they are cut, and gives keys pressed.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    record: [u8; EVENT],
    filled: usize,
    /// What comes is not to be believed before the next report.
    skips: bool,
    /// Times that the kernel had to drop events.
    pub(super) dropped: u64,
}

impl Decoder {
    /// The device was opened anew.
    pub(super) fn restart(&mut self) {
        (self.filled, self.skips) = (0, false);
    }

    /// The next key that was pressed; none once `input` is used up.
    pub(super) fn next_key(&mut self, input: &mut &[u8]) -> Option<PadKey> {
        while let Some((&byte, rest)) = input.split_first() {
            *input = rest;
            if let Some(place) = self.record.get_mut(self.filled) {
                *place = byte;
            }
            self.filled += 1;
            if self.filled == EVENT {
                self.filled = 0;
                if let Some(key) = self.meaning() {
                    return Some(key);
                }
            }
        }
        None
    }

    fn meaning(&mut self) -> Option<PadKey> {
        let [.., t0, t1, c0, c1, v0, v1, v2, v3] = self.record;
        let (kind, code) = (u16::from_ne_bytes([t0, t1]), u16::from_ne_bytes([c0, c1]));
        match (kind, code, i32::from_ne_bytes([v0, v1, v2, v3])) {
            (EV_SYN, SYN_DROPPED, _) => {
                self.skips = true;
                self.dropped += 1;
                None
            }
            (EV_SYN, SYN_REPORT, _) => {
                self.skips = false;
                None
            }
            (EV_KEY, code, DOWN) if !self.skips => key(code),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of a pad that were read on a machine of 64 bits, as `evtest` names them: 3 on the pad, which it tells
    /// with its scan code, held until it repeats.
    #[cfg(all(target_pointer_width = "64", target_endian = "little"))]
    const THREE_HELD: &str = "\
        2f4e3d66 00000000 1bd70700 00000000 0400 0400 5b000700
        2f4e3d66 00000000 1bd70700 00000000 0100 5100 01000000
        2f4e3d66 00000000 1bd70700 00000000 0000 0000 00000000
        2f4e3d66 00000000 86a00b00 00000000 0100 5100 02000000
        2f4e3d66 00000000 86a00b00 00000000 0000 0000 01000000
        2f4e3d66 00000000 11230c00 00000000 0100 5100 00000000
        2f4e3d66 00000000 11230c00 00000000 0000 0000 00000000";

    fn bytes(hex: &str) -> Vec<u8> {
        let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        digits.chunks(2).map(byte).collect()
    }

    fn record(kind: u16, code: u16, value: i32) -> Vec<u8> {
        let time = [0xA5; 2 * size_of::<usize>()];
        [&time[..], &kind.to_ne_bytes(), &code.to_ne_bytes(), &value.to_ne_bytes()].concat()
    }

    fn keys(decoder: &mut Decoder, mut bytes: &[u8]) -> Vec<PadKey> {
        std::iter::from_fn(|| decoder.next_key(&mut bytes)).collect()
    }

    #[test]
    #[cfg(all(target_pointer_width = "64", target_endian = "little"))]
    fn a_key_that_is_held_is_pressed_once_however_its_bytes_are_cut() {
        let stream = bytes(THREE_HELD);
        assert_eq!(stream.len(), 7 * EVENT);
        for cut in 0..stream.len() {
            let mut decoder = Decoder::default();
            let (first, second) = stream.split_at(cut);
            let pressed = [keys(&mut decoder, first), keys(&mut decoder, second)].concat();
            assert_eq!(pressed, [PadKey::Touch(3)], "cut at {cut}");
        }
    }

    #[test]
    fn the_keys_of_the_pad_and_of_the_row_above_the_letters_mean_the_same() {
        let of = |codes: &[u16]| -> Vec<PadKey> { codes.iter().filter_map(|code| key(*code)).collect() };
        let digits: Vec<PadKey> = (1..=9).map(PadKey::Touch).collect();
        assert_eq!(of(&[79, 80, 81, 75, 76, 77, 71, 72, 73]), digits);
        assert_eq!(of(&[2, 3, 4, 5, 6, 7, 8, 9, 10]), digits);
        assert_eq!(of(&[28, 96, 14]), [PadKey::Likely, PadKey::Likely, PadKey::TakeBack]);
        let known = (0..=u16::MAX).filter(|code| key(*code).is_some()).count();
        assert_eq!(known, 21, "no other key means anything");
    }

    #[test]
    fn what_comes_between_dropped_events_and_the_next_report_is_not_believed() {
        let (three, report, dropped) = (record(1, 81, 1), record(0, 0, 0), record(0, 3, 0));
        let mut decoder = Decoder::default();
        let stream = [&dropped[..], &three, &report, &three, &report].concat();
        assert_eq!(keys(&mut decoder, &stream), [PadKey::Touch(3)]);
        assert_eq!(decoder.dropped, 1);
        keys(&mut decoder, &three[..EVENT - 1]);
        decoder.restart();
        assert_eq!(keys(&mut decoder, &three), [PadKey::Touch(3)], "half a record of a pad that was unplugged");
    }
}
