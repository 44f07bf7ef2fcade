//! What a driver tells the station that its device saw.
//!
//! Our own devices speak the link, and its words are bounded by a board's memory. A reader that is bought sees stacks
//! that have no room there, and which tag is which. Both come to the station as a [`Saw`].

use std::fmt;

use sabot_wire::message::{BetSpot, Chip, HandId, Observation, Place};

/// Most chips that are told of one spot.
pub const MAX_STACK: usize = 60;

/// One thing a device saw.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly every one is the large one, and a box each would be slower")]
pub enum Saw {
    /// In the words of the link.
    Link(Observation),
    /// By the tags that lie over an antenna.
    Tags(TagsSaw),
    /// A key that somebody pressed.
    Key(PadKey),
}

/// A JPEG of a card as its reader saw it. Whether it may be shown, its reader does not know.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture(pub Vec<u8>);

/// What it shows is nobody's to read in a log.
impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({} bytes)", self.0.len())
    }
}

/// A key of a numeric pad, by what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PadKey {
    /// What stands under this number, 1 to 9.
    Touch(u8),
    /// What is due.
    Likely,
    /// The last entry is taken back.
    TakeBack,
}

impl Saw {
    /// What it is in the words of the link; nothing where they have no room for it.
    #[must_use]
    pub fn in_words_of_the_link(self) -> Option<Observation> {
        if let Self::Link(saw) = self { Some(saw) } else { None }
    }
}

impl From<Observation> for Saw {
    fn from(saw: Observation) -> Self {
        Self::Link(saw)
    }
}

impl From<TagsSaw> for Saw {
    fn from(saw: TagsSaw) -> Self {
        Self::Tags(saw)
    }
}

/// A spot for chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stake {
    /// Betting box, from 1.
    pub box_no: u8,
    /// Hand within the box, from 0.
    pub hand: u8,
    /// Spot within the box.
    pub spot: BetSpot,
}

impl fmt::Display for Stake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { box_no, hand, spot } = *self;
        write!(f, "{} {spot}", Place::Hand(HandId { box_no, hand }))
    }
}

/// What an antenna lies under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pad {
    /// A spot for chips, beside which the cards of the hand lie.
    Stake(Stake),
    /// A place where nothing but cards lies.
    Cards(Place),
}

impl Pad {
    /// Where a card lies that is seen there.
    #[must_use]
    pub const fn place(self) -> Place {
        match self {
            Self::Stake(Stake { box_no, hand, .. }) => Place::Hand(HandId { box_no, hand }),
            Self::Cards(place) => place,
        }
    }
}

impl From<Stake> for Pad {
    fn from(stake: Stake) -> Self {
        Self::Stake(stake)
    }
}

impl fmt::Display for Pad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stake(stake) => stake.fmt(f),
            Self::Cards(place) => place.fmt(f),
        }
    }
}

/// What an antenna reads by tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TagsSaw {
    /// All chips that now lie on a spot, in the order of their identifiers.
    Stack {
        /// Where.
        at: Stake,
        /// Every chip there, [`MAX_STACK`] at the most.
        chips: Vec<Chip>,
    },
    /// A card came to lie at a place, or lies there no more.
    Card {
        /// Where.
        at: Place,
        /// The identifier of its tag.
        tag: u64,
        /// Whether it lies there now.
        lies: bool,
    },
    /// A tag has passed the antenna of the shoe: its card has left, or was shown in place of words.
    Passed {
        /// The identifier of its tag.
        tag: u64,
    },
    /// What lies over an antenna is not known: what was told of chips there counts no more.
    Unreadable {
        /// Where.
        at: Pad,
        /// Why.
        why: Unreadable,
    },
    /// Chips have come to a spot or gone from it long enough ago to be told, and the reader is not sure of all of them:
    /// what was told last lies there no more. A `Stack` follows, or `Unreadable`.
    InDoubt {
        /// Where.
        at: Stake,
    },
    /// A place for cards alone is read again.
    Readable {
        /// Where.
        at: Place,
    },
}

/// Why a spot is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// Its reader answers, and does not read.
    Reader,
    /// More chips lie there than can be told.
    TooMany,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reader => f.write_str("not read"),
            Self::TooMany => write!(f, "more than {MAX_STACK} chips"),
        }
    }
}

/// How well the tags over an antenna are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadRate {
    /// Where.
    pub at: Pad,
    /// Tags that lie there.
    pub tags: u32,
    /// Times that tags which lay there were to be read.
    pub tries: u64,
    /// Times of these that they were.
    pub reads: u64,
    /// How long the last inventory took, milliseconds.
    pub inventory_ms: u64,
}
