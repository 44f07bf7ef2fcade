//! Places on the felt, as the log writes them: `"1"` … `"7"`, `"3b"`, `"bank"`, `"burn"`, `"discard"`, `"shoe"`; spots
//! within a box, and how a card lies.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text::text_for_people;

/// Betting boxes on the largest table.
pub const MAX_BOXES: usize = 7;
/// Hands that one box may be split into, in any regulation.
pub const MAX_HANDS: usize = 8;

/// A hand: a betting box, and which of its hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct HandId {
    /// Betting box, 1 to 7.
    pub box_no: u8,
    /// Hand within the box: 0 the first, 1 (`b`) the second after a split, …
    pub hand: u8,
}

/// Somewhere a card can lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(remote = "Self")]
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

crate::words! {
    "a spot" else "not a spot: main, double, split or insurance";
    /// Where chips lie within a box.
    #[derive(Default)]
    pub enum BetSpot {
        /// The bet itself.
        #[default]
        Main = "main",
        /// The addition when doubling.
        Double = "double",
        /// The equal bet of a split.
        Split = "split",
        /// Challenge or insurance.
        Insurance = "insurance",
    }
}

impl BetSpot {
    /// Those that are paid or collected by themselves.
    pub const SETTLED: [Self; 2] = [Self::Main, Self::Insurance];

    /// Whether what lies there is paid or collected by itself: a hand is settled with all that is at stake on it.
    #[must_use]
    pub const fn is_settled(self) -> bool {
        matches!(self, Self::Main | Self::Insurance)
    }
}

impl Place {
    /// Whether a card may lie covered there until it is turned up.
    #[must_use]
    pub const fn may_be_covered(&self) -> bool {
        matches!(self, Self::Hand(_) | Self::Bank)
    }
}

crate::words! {
    "a face";
    /// Which way a card lies.
    pub enum Face {
        /// Uncovered.
        Up = "up",
        /// Covered.
        Down = "down",
    }
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
            [n @ b'1'..=b'7', h @ b'b'..=b'h'] => Ok(Self { box_no: n - b'0', hand: h - b'a' }),
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

text_for_people!(HandId, Place);

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn a_place_is_a_word_for_people_and_two_or_three_bytes_on_the_link() {
        for (place, word, bytes) in [
            (Place::Hand(HandId { box_no: 3, hand: 1 }), "\"3b\"", &[0, 3, 1][..]),
            (Place::Bank, "\"bank\"", &[1]),
            (Place::Burn, "\"burn\"", &[2]),
            (Place::Discard, "\"discard\"", &[3]),
            (Place::Shoe, "\"shoe\"", &[4]),
        ] {
            assert_eq!(serde_json::to_string(&place).unwrap(), word);
            assert_eq!(serde_json::from_str::<Place>(word).unwrap(), place);
            assert_eq!(postcard::to_slice(&place, &mut [0; 4]).unwrap(), bytes);
            assert_eq!(postcard::from_bytes::<Place>(bytes).unwrap(), place);
        }
        // a box that no table has is the station's to refuse
        assert_eq!(postcard::from_bytes::<Place>(&[0, 9, 200]), Ok(Place::Hand(HandId { box_no: 9, hand: 200 })));
        assert!(postcard::from_bytes::<Place>(&[5]).is_err());
    }

    #[test]
    fn a_spot_is_a_word_for_people_and_its_place_in_the_list_on_the_link() {
        for (spot, index) in BetSpot::ALL.iter().zip(0..) {
            assert_eq!(postcard::to_slice(spot, &mut [0; 4]).unwrap(), [index]);
            assert_eq!(postcard::from_bytes::<BetSpot>(&[index]).unwrap(), *spot);
            assert_eq!(serde_json::from_value::<BetSpot>(serde_json::json!(spot.word())).unwrap(), *spot);
        }
        let wrong = serde_json::from_str::<BetSpot>("\"side\"").unwrap_err().to_string();
        assert!(wrong.starts_with("`side` is not a spot: main, double, split or insurance"), "{wrong}");
    }
}
