//! What devices and host say to each other: plain data, encoded with postcard.
//!
//! A device reports **observations**, never judgements: which card left the shoe, which chips lie on a spot, which
//! key was pressed. The order of variants and fields is the wire format: `schema-v4.txt` freezes it (a test holds the
//! two against each other) and [`crate::SCHEMA_4`] is that text's hash, so a change here is a new protocol version or a
//! deliberate new schema. [`DeviceHello`], [`ToDevice::Hello`] and the tags that lead to them never change at all: they
//! are how two sides of different age find out.

mod key;
mod keypad;
mod talk;

use heapless::Vec;
use serde::{Deserialize, Serialize};

pub use key::{IMAGE_BYTES, Image, KEY_BYTES, Key, NONCE_BYTES, Nonce, POINT_BYTES, Point};
pub use keypad::{Amend, KeypadSaid, Signature};
pub use sabot_words::{
    Authority, BankChange, BetSpot, Card, Choice, Face, HandId, Permit, Place, Question, Ruling, Share, Taken,
};
pub use talk::{DeviceHello, FILE_BYTES, Lamp, Ready, Show, Started, ToDevice, ToHost};

/// Most chips one antenna reports at once.
pub const MAX_CHIPS: usize = 20;
/// Most cards one antenna reports at once.
pub const MAX_TAGGED_CARDS: usize = 12;
/// Characters of one line of a display, at the most.
pub const LINE_CHARS: usize = 40;
/// Bytes of one line of a display, at the most: twice its characters, enough for Spanish in UTF-8.
pub const LINE_BYTES: usize = LINE_CHARS * 2;
/// Rows of a display, at the most.
pub const DISPLAY_ROWS: usize = 8;
/// Bytes of a serial number, at the most.
pub const SERIAL_BYTES: usize = 16;

/// What a device is for. One device of each role at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// The shoe: reads each card as it leaves.
    Shoe,
    /// The shuffler.
    Shuffler,
    /// The chip reader under the betting spots.
    Chips,
    /// The dealer's keypad.
    Keypad,
    /// The pit display.
    Display,
}

impl Role {
    /// Every role, in the order of the wire.
    pub const ALL: [Self; 5] = [Self::Shoe, Self::Shuffler, Self::Chips, Self::Keypad, Self::Display];

    /// As configuration files and messages to people write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shoe => "shoe",
            Self::Shuffler => "shuffler",
            Self::Chips => "chips",
            Self::Keypad => "keypad",
            Self::Display => "display",
        }
    }
}

impl core::fmt::Display for Role {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// A chip as its antenna reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Chip {
    /// UID of the tag, most significant byte first.
    pub uid: u64,
    /// Value written in the tag, in the smallest unit of the currency.
    pub value: u32,
}

/// One thing a device saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Observation {
    /// Seen by the shoe.
    Shoe(ShoeSaw),
    /// Seen by the shuffler.
    Shuffler(ShufflerSaw),
    /// Seen by the chip reader.
    Chips(ChipsSaw),
    /// Pressed on the dealer's keypad.
    Keypad(KeypadSaid),
    /// Something about the device itself.
    Device(DeviceState),
}

/// What a shoe sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShoeSaw {
    /// A card passed the reader and left the shoe.
    Drawn(Card),
    /// The cut card came out.
    CutCard,
    /// The gate is open and nothing is left to draw.
    Empty,
    /// Cards were put in and the lid closed.
    Loaded {
        /// Cards in the shoe.
        cards: u16,
        /// Cards behind the cut card.
        cut_card: u16,
    },
}

/// What a shuffler sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShufflerSaw {
    /// A shuffle has finished.
    Done {
        /// Decks the machine was set to.
        decks: u8,
        /// Cards its counter counted.
        cards: u16,
    },
    /// Door opened.
    DoorOpen,
    /// Door closed and locked.
    DoorClosed,
    /// A jam stopped the machine.
    Jam,
}

/// What the antennas under the felt see, once it has stopped changing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChipsSaw {
    /// All chips that now lie on one spot (none: the spot is empty).
    Spot {
        /// Betting box, from 1.
        box_no: u8,
        /// Hand within the box, from 0.
        hand: u8,
        /// Spot within the box.
        spot: BetSpot,
        /// Every chip there.
        chips: Vec<Chip, MAX_CHIPS>,
    },
    /// A tagged card came to lie at a place.
    CardArrived {
        /// Where.
        place: Place,
        /// Which way it lies, where the place can tell.
        face: Option<Face>,
    },
    /// A covered card at a place was turned up.
    CardTurned {
        /// Where.
        place: Place,
    },
    /// Cards left one place for another.
    CardsMoved {
        /// Where they lay.
        from: Place,
        /// Where they lie now.
        to: Place,
        /// How many; none: all of them.
        cards: Option<u8>,
    },
}

/// What a device says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeviceState {
    /// The lid or a door is open.
    LidOpen,
    /// The lid or door is closed again.
    LidClosed,
    /// A card could not be read, or a tag did not answer.
    ReadError,
    /// Something is stuck.
    Jam,
    /// The housing was opened.
    Tamper,
    /// The ring of unacknowledged events is full: the device takes no more until the host has caught up.
    RingFull,
    /// The ring has room again.
    RingFree,
}
