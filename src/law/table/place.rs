//! Places on the felt, as the log writes them: `"1"` … `"7"`, `"3b"`, `"bank"`, `"burn"`, `"discard"`, `"shoe"`.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Betting boxes on the largest table.
pub const MAX_BOXES: usize = 7;
/// Hands that one box may be split into, in any regulation.
pub const MAX_HANDS: usize = 4;

/// A hand: a betting box, and which of its hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HandId {
    /// Betting box, 1 to 7.
    pub box_no: u8,
    /// Hand within the box: 0 the first, 1 (`b`) the second after a split, …
    pub hand: u8,
}

/// Somewhere a card can lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A hand of a betting box (casillero).
    Hand(HandId),
    /// The bank (banca).
    Bank,
    /// The burn tray.
    Burn,
    /// The discard tray (zambullo).
    Discard,
    /// The shoe (sabot).
    Shoe,
}

/// Where chips lie within a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BetSpot {
    /// The bet itself.
    #[default]
    Main,
    /// The addition when doubling.
    Double,
    /// The equal bet of a split.
    Split,
    /// Challenge or insurance.
    Insurance,
}

impl HandId {
    /// The first hand of a box.
    #[must_use]
    pub const fn first(box_no: u8) -> Self {
        Self { box_no, hand: 0 }
    }
}

impl From<HandId> for Place {
    fn from(hand: HandId) -> Self {
        Self::Hand(hand)
    }
}

/// A text that names no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a place: a box \"1\" to \"7\", a split hand such as \"3b\", \"bank\", \"burn\", \"discard\" or \"shoe\"")]
pub struct NotAPlace;

/// A text that names no hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a box: \"1\" to \"7\", or a split hand such as \"3b\"")]
pub struct NotAHand;

impl FromStr for HandId {
    type Err = NotAHand;

    fn from_str(text: &str) -> Result<Self, NotAHand> {
        match *text.as_bytes() {
            [n @ b'1'..=b'7'] => Ok(Self::first(n - b'0')),
            [n @ b'1'..=b'7', h @ b'b'..=b'd'] => Ok(Self { box_no: n - b'0', hand: h - b'a' }),
            _ => Err(NotAHand),
        }
    }
}

impl FromStr for Place {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Self, NotAPlace> {
        Ok(match text {
            "bank" => Self::Bank,
            "burn" => Self::Burn,
            "discard" => Self::Discard,
            "shoe" => Self::Shoe,
            hand => Self::Hand(hand.parse().map_err(|_| NotAPlace)?),
        })
    }
}

impl FromStr for BetSpot {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "main" => Self::Main,
            "double" => Self::Double,
            "split" => Self::Split,
            "insurance" => Self::Insurance,
            _ => return Err("not a spot: main, double, split or insurance"),
        })
    }
}

impl fmt::Display for HandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.hand {
            0 => write!(f, "{}", self.box_no),
            hand => write!(f, "{}{}", self.box_no, char::from(b'a' + hand)),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hand(hand) => hand.fmt(f),
            Self::Bank => f.write_str("bank"),
            Self::Burn => f.write_str("burn"),
            Self::Discard => f.write_str("discard"),
            Self::Shoe => f.write_str("shoe"),
        }
    }
}

macro_rules! as_text {
    ($($kind:ty),*) => {$(
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                super::text::parsed(deserializer)
            }
        }
    )*};
}
as_text!(HandId, Place);

impl<'de> Deserialize<'de> for BetSpot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::text::parsed(deserializer)
    }
}
