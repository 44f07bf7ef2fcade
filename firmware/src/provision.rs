//! What makes one device of many: its serial number and its key, in a page of flash of their own.
//!
//! A page is written when a device is made (`cargo run -p sabot-firmware --example provision`), and again when a host
//! gives the device another key. All images of a role are alike; the page is what differs.
//!
//! ```text
//! magic, u32 little-endian | length of the serial number, 16 bytes of it | 1 or 0 | key, 16 bytes
//!     | 1 or 0 | code, 10 bytes | CRC-32C
//! ```
//!
//! Pages that were written before there were codes end with the key and their checksum.

use heapless::String;
use sabot_wire::frame::crc32c;
use sabot_wire::message::{KEY_BYTES, Key, Role, SERIAL_BYTES};
use sabot_wire::pairing::{CODE_BYTES, Code};

const MAGIC: [u8; 4] = *b"SBP2";
const BEFORE: [u8; 4] = *b"SBP1";
/// Bytes of a page without a code, and with one, before the checksum.
const BODY_BEFORE: usize = 4 + 1 + SERIAL_BYTES + 1 + KEY_BYTES;
const BODY: usize = BODY_BEFORE + 1 + CODE_BYTES;
/// Bytes of a page's content: whole words, as flash is written in them.
pub const PAGE_BYTES: usize = (BODY + 4).next_multiple_of(4);

/// A page's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Serial number, as printed on the housing.
    pub serial: String<SERIAL_BYTES>,
    /// The key, once the device was paired.
    pub key: Option<Key>,
    /// The code on the housing, where it has one.
    pub code: Option<Code>,
}

impl Page {
    /// What a device without a page calls itself: `NEW-SHOE`, without a key.
    #[must_use]
    pub fn blank(role: Role) -> Self {
        let mut serial = String::new();
        // every role's name is short enough, which a test holds
        let _ = serial.push_str("NEW-");
        let _ = role.name().chars().try_for_each(|letter| serial.push(letter.to_ascii_uppercase()));
        Self { serial, key: None, code: None }
    }

    /// The page these bytes hold; `None` when they hold none.
    #[must_use]
    pub fn read(bytes: &[u8; PAGE_BYTES]) -> Option<Self> {
        let magic = bytes.first_chunk()?;
        let length = if *magic == BEFORE { BODY_BEFORE } else { BODY };
        let (body, rest) = bytes.split_at_checked(length)?;
        if !matches!(*magic, MAGIC | BEFORE) || u32::from_le_bytes(*rest.first_chunk()?) != crc32c(body) {
            return None;
        }
        let (&length, body) = body.get(magic.len()..)?.split_first()?;
        let (serial, body) = body.split_first_chunk::<SERIAL_BYTES>()?;
        let (&paired, body) = body.split_first()?;
        let (key, body) = body.split_first_chunk()?;
        let serial = core::str::from_utf8(serial.get(..usize::from(length))?).ok()?.try_into().ok()?;
        let key = if paired == 1 { Some(Key::new(*key)) } else { None };
        let code = match body.split_first() {
            Some((1, code)) => Some(Code::new(*code.first_chunk()?)),
            _ => None,
        };
        Some(Self { serial, key, code })
    }

    /// The page as bytes.
    #[must_use]
    pub fn write(&self) -> [u8; PAGE_BYTES] {
        let mut bytes = [0; PAGE_BYTES];
        let padded = |length| core::iter::repeat_n(0, length);
        let serial = self.serial.bytes().chain(padded(SERIAL_BYTES - self.serial.len()));
        let key = self.key.as_ref().map_or([0; KEY_BYTES], |key| *key.bytes());
        let code = self.code.iter().flat_map(|code| *code.bytes());
        let head = MAGIC.into_iter().chain([self.serial.len() as u8]).chain(serial);
        let keys = [u8::from(self.key.is_some())].into_iter().chain(key).chain([u8::from(self.code.is_some())]);
        bytes.iter_mut().zip(head.chain(keys).chain(code)).for_each(|(place, byte)| *place = byte);
        if let Some((body, rest)) = bytes.split_first_chunk_mut::<BODY>() {
            let crc = crc32c(body).to_le_bytes();
            rest.iter_mut().zip(crc).for_each(|(place, byte)| *place = byte);
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern crate std;

    fn page(key: Option<[u8; KEY_BYTES]>) -> Page {
        let key = key.map(Key::new);
        Page { serial: "SH-0001".try_into().expect("short"), key, code: None }
    }

    #[test]
    fn a_page_is_read_as_it_was_written() {
        for page in [
            page(None),
            page(Some([7; KEY_BYTES])),
            Page { code: Some(Code::new([9; CODE_BYTES])), ..page(None) },
            Page { code: Some(Code::new([0; CODE_BYTES])), ..page(Some([7; KEY_BYTES])) },
            Page { serial: "0123456789abcdef".try_into().expect("fits"), ..page(None) },
        ] {
            assert_eq!(Page::read(&page.write()), Some(page));
        }
    }

    #[test]
    fn erased_empty_and_damaged_flash_holds_no_page() {
        assert_eq!(Page::read(&[0xFF; PAGE_BYTES]), None);
        assert_eq!(Page::read(&[0; PAGE_BYTES]), None);
        let sound = page(Some([9; KEY_BYTES])).write();
        for at in 0..BODY + 4 {
            let mut damaged = sound;
            damaged[at] ^= 0x40;
            assert_eq!(Page::read(&damaged), None, "byte {at}");
        }
    }

    #[test]
    fn a_page_from_before_there_were_codes_is_read() {
        let mut old = [0xFF; PAGE_BYTES];
        let now = page(Some([7; KEY_BYTES])).write();
        old[..BODY_BEFORE].copy_from_slice(&now[..BODY_BEFORE]);
        old[..4].copy_from_slice(&BEFORE);
        let crc = crc32c(&old[..BODY_BEFORE]).to_le_bytes();
        old[BODY_BEFORE..BODY_BEFORE + 4].copy_from_slice(&crc);
        assert_eq!(Page::read(&old), Some(page(Some([7; KEY_BYTES]))));
        old[5] ^= 1;
        assert_eq!(Page::read(&old), None);
    }

    #[test]
    fn a_blank_device_is_named_after_its_role_and_its_key_is_never_shown() {
        let names = Role::ALL.map(|role| Page::blank(role).serial);
        assert_eq!(names, ["NEW-SHOE", "NEW-SHUFFLER", "NEW-CHIPS", "NEW-KEYPAD", "NEW-DISPLAY"]);
        let shown = std::format!("{:?}", page(Some([0xAB; KEY_BYTES])));
        assert_eq!(shown, "Page { serial: \"SH-0001\", key: Some(Key(..)), code: None }");
    }
}
