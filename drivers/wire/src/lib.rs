//! The device link of sabot, version 4: what a device and its host say to each other, and how it survives the cable.
//! A host speaks versions 3 and 2 as well, with devices that say so; a device speaks one of them.
//!
//! | module | what it is |
//! |---|---|
//! | [`message`] | the messages, plain data |
//! | [`frame`] | messages as bytes on a line: postcard, CRC-32C, COBS |
//! | [`seal`] | frames that only the two ends can write and read |
//! | [`pairing`] | how two ends come to a key though somebody reads along |
//! | [`ring`] | events a device keeps until they are acknowledged, in memory that outlives a reset |
//! | [`device`] | the device's side of a session |
//! | [`host`] | the host's side of a session |
//! | [`witness`] | the last checkpoint of the host's record that a device was shown |
//! | [`clock`] | what time it was when the device's clock showed this |
//!
//! Nothing here reads a clock, touches a port or allocates: bytes and milliseconds come in, bytes and reports go out.
//! `docs/wire-protocol.md` says the same to somebody who writes a device in another language.
#![no_std]
#![allow(clippy::large_enum_variant, reason = "without an allocator nothing can be boxed")]

#[cfg(not(target_os = "none"))]
extern crate alloc;

pub use heapless;

pub mod clock;
pub mod device;
mod display_state;
pub mod frame;
pub mod host;
pub mod message;
pub mod pairing;
pub mod ring;
pub mod seal;
#[cfg(feature = "tap")]
pub mod tap;
mod version;
pub mod witness;

pub use version::Version;

/// Newest version of the link, which a host says in its hello.
pub const PROTOCOL: u8 = Version::NEWEST.number();

/// Text of the message schema of version 4; a test holds it against [`message`].
pub const SCHEMA_4_TEXT: &str = include_str!("../schema-v4.txt");

/// Hash of the message schema of version 4: CRC-32C of [`SCHEMA_4_TEXT`]. Both sides say theirs in their hello and part
/// when it is none that is understood.
pub const SCHEMA_4: u32 = frame::crc32c(SCHEMA_4_TEXT.as_bytes());

/// Text of the message schema of version 3.
pub const SCHEMA_3_TEXT: &str = include_str!("../schema-v3.txt");

/// Hash of the message schema of version 3.
pub const SCHEMA_3: u32 = frame::crc32c(SCHEMA_3_TEXT.as_bytes());

/// Text of the message schema of version 2.
pub const SCHEMA_TEXT: &str = include_str!("../schema-v2.txt");

/// Hash of the message schema of version 2.
pub const SCHEMA: u32 = frame::crc32c(SCHEMA_TEXT.as_bytes());

/// Texts of what a keypad has learned to say in version 2 since, each at the end of what it said before: nothing moved.
pub const KEYPAD_SCHEMA_TEXTS: [&str; 2] =
    [include_str!("../schema-v2-keypad.txt"), include_str!("../schema-v2-keypad-cards.txt")];

/// Hashes of the schemas of keypads that say these: CRC-32C of each of [`KEYPAD_SCHEMA_TEXTS`].
pub const KEYPAD_SCHEMAS: [u32; 2] =
    [frame::crc32c(KEYPAD_SCHEMA_TEXTS[0].as_bytes()), frame::crc32c(KEYPAD_SCHEMA_TEXTS[1].as_bytes())];

/// Milliseconds from one hello to the next, from a device that has not been acknowledged since it started.
pub const DEVICE_HELLO_MS: u32 = 1000;
/// Milliseconds without an acknowledgement after which a device sends its events again; doubles up to
/// [`RESEND_MAX_MS`] while none comes.
pub const RESEND_MS: u32 = 250;
/// Longest wait before a device sends its events again.
pub const RESEND_MAX_MS: u32 = 2000;
/// Events a device has under way at once.
pub const WINDOW: u32 = 32;
/// Milliseconds from one hello of the host to the next until a device answers.
pub const HOST_HELLO_MS: u64 = 250;
/// Milliseconds between two requests of the host to send again what it missed.
pub const GAP_HELLO_MS: u64 = 50;
/// Milliseconds of silence after which the host pings, and from one ping to the next.
pub const PING_MS: u64 = 250;
/// Milliseconds from one ping to the next for the device's clock, however much else comes.
pub const CLOCK_MS: u64 = 2000;
/// Milliseconds from one ping to the next for a device from version 3 on, however much else comes: it says then what
/// its newest event is.
pub const WATCH_MS: u64 = 400;
/// Milliseconds from one ping to the next for such a device, while the last is not answered or an event that it has
/// named has not come: a line that loses most of what is sent lets one of so many through.
pub const ASK_MS: u64 = 50;
/// The least of them, where pings that went out late are made up for.
pub const ASK_LEAST_MS: u64 = 20;
/// Milliseconds since the last ping whose answer showed that nothing is missing of a device from version 3 on: then
/// somebody withholds something. It is to be told within two seconds: the rest is for a station that is busy.
pub const WITHHELD_MS: u64 = 1700;
/// Milliseconds after an event has come again that is not on disk, for which what comes behind it is waited for: no
/// event and no answer takes so long at 115200 baud.
pub const AGAIN_MS: u64 = 100;
/// The same for all of them at the most. The 31 longest events take 960 ms.
pub const AGAIN_MOST_MS: u64 = 800;
/// Pings that must have gone out since: a host that was held up has not asked.
pub const PROOFS: usize = 24;
/// Milliseconds after which an event that the device saw in session is told late.
pub const LATE_MS: u32 = 2000;
/// Milliseconds after which such an event was held back, whatever else came meanwhile: a device and a host that stand
/// still one after the other on a bad cable make an event up to five seconds late.
pub const HELD_BACK_MS: u32 = 10_000;
/// Milliseconds without an event after which a host asks whether a device has told all it kept: no device that may send
/// waits so long.
pub const BACKLOG_MS: u64 = 100;
/// Milliseconds from one challenge of the host to the next until the device is ready.
pub const CHALLENGE_MS: u64 = 250;
/// Milliseconds after which a device that was challenged and is not ready is asked anew.
pub const HANDSHAKE_MS: u64 = 1000;
/// Milliseconds after a device's answer, and after its share, until a device that is not ready is asked anew.
pub const EXCHANGE_MS: u64 = 3000;
/// Milliseconds of silence after which the host takes the device for gone.
pub const SILENCE_MS: u64 = 900;
/// Milliseconds from one repetition of what the display shows to the next: a line lost to noise comes back.
pub const REFRESH_MS: u64 = 1000;

const _: () = assert!(RESEND_MS < RESEND_MAX_MS && GAP_HELLO_MS < HOST_HELLO_MS && PING_MS * 3 < SILENCE_MS);
const _: () = assert!(WITHHELD_MS < 2000 && WATCH_MS + PROOFS as u64 * ASK_MS < WITHHELD_MS);

/// Its examples are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
