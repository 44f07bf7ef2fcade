//! Cards of the French deck, written rank then suit: `TH`, `AS`.

use core::fmt;
use core::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Cards in one deck.
pub const DECK: usize = 52;

const RANKS: &[u8; 13] = b"A23456789TJQK";
const SUITS: &[u8; 4] = b"SHDC";

/// A card's rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank(u8);

/// A card's suit: spades, hearts, diamonds, clubs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Suit(u8);

/// A card; `??` is one that could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(u8);

impl Rank {
    /// The ace.
    pub const ACE: Self = Self(0);

    /// Every rank, the ace first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..).take(RANKS.len()).map(Self)
    }

    /// What the card counts, the ace 1, figures and the ten 10 (M2).
    #[must_use]
    pub const fn points(self) -> u8 {
        if self.0 >= 9 { 10 } else { self.0 + 1 }
    }

    /// Ten, jack, queen or king.
    #[must_use]
    pub const fn is_ten(self) -> bool {
        self.0 >= 9
    }

    /// What pairs go by where a ten is no figure: the number, 11 for every figure.
    #[must_use]
    pub const fn face_value(self) -> u8 {
        if self.0 >= 10 { 11 } else { self.0 + 1 }
    }

    /// Place in the order A 2 … 9 T J Q K, from 0.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }
}

impl Suit {
    /// Place in the order spades, hearts, diamonds, clubs, from 0.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }
}

impl Card {
    /// A card that could not be read.
    pub const UNREAD: Self = Self(255);

    /// The card of that number: `suit * 13 + rank`; `None` above 51.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        if (index as usize) < DECK { Some(Self(index)) } else { None }
    }

    /// The card of a code: its number up to 51. Any other code is a card that could not be read; 255 is written for it.
    #[must_use]
    pub const fn from_code(code: u8) -> Self {
        if (code as usize) < DECK { Self(code) } else { Self::UNREAD }
    }

    /// Its code: its number, or 255 for a card that could not be read.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Whether it may be the other: one that could not be read may be any.
    #[must_use]
    pub const fn may_be(self, other: Self) -> bool {
        self.0 == other.0 || self.0 == Self::UNREAD.0 || other.0 == Self::UNREAD.0
    }

    /// `suit * 13 + rank`, `None` for a card that could not be read.
    #[must_use]
    pub const fn index(self) -> Option<usize> {
        if (self.0 as usize) < DECK { Some(self.0 as usize) } else { None }
    }

    /// Its rank, where it was read.
    #[must_use]
    pub const fn rank(self) -> Option<Rank> {
        if (self.0 as usize) < DECK { Some(Rank(self.0 % 13)) } else { None }
    }

    /// Its suit, where it was read.
    #[must_use]
    pub const fn suit(self) -> Option<Suit> {
        if (self.0 as usize) < DECK { Some(Suit(self.0 / 13)) } else { None }
    }
}

/// A text that names no card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a card: rank (A 2-9 T J Q K) then suit (S H D C), or ??")]
pub struct NotACard;

impl FromStr for Card {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Self, NotACard> {
        let &[rank, suit] = text.as_bytes() else { return Err(NotACard) };
        if (rank, suit) == (b'?', b'?') {
            return Ok(Self::UNREAD);
        }
        let rank = RANKS.iter().position(|&r| r == rank).ok_or(NotACard)?;
        let suit = SUITS.iter().position(|&s| s == suit).ok_or(NotACard)?;
        u8::try_from(suit * 13 + rank).map(Self).map_err(|_| NotACard)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.rank(), self.suit()) {
            (Some(rank), Some(suit)) => {
                let name = [RANKS[usize::from(rank.0)], SUITS[usize::from(suit.0)]];
                f.write_str(core::str::from_utf8(&name).unwrap_or("??"))
            }
            _ => f.write_str("??"),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { serializer.serialize_u8(self.0) }
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            crate::text::parsed(deserializer)
        } else {
            let code = u8::deserialize(deserializer)?;
            let card = Self::from_code(code);
            if card.code() == code { Ok(card) } else { Err(D::Error::custom("no card's code")) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn every_card_reads_back_as_it_is_written() {
        for index in 0..52 {
            let card = Card::from_index(index).unwrap();
            assert_eq!(card.to_string().parse(), Ok(card));
        }
        assert_eq!("??".parse(), Ok(Card::UNREAD));
    }

    #[test]
    fn nonsense_is_no_card() {
        for text in ["", "A", "1S", "10H", "AX", "ás", "?S"] {
            assert_eq!(text.parse::<Card>(), Err(NotACard), "{text}");
        }
    }

    #[test]
    fn the_link_writes_one_byte_and_reads_no_other_than_a_cards_or_the_unread_ones() {
        for code in (0..52).chain([255]) {
            let card: Card = postcard::from_bytes(&[code]).unwrap();
            assert_eq!(card, Card::from_code(code));
            let mut out = [0; 2];
            assert_eq!(postcard::to_slice(&card, &mut out).unwrap(), [code]);
        }
        for code in 52..255 {
            assert!(postcard::from_bytes::<Card>(&[code]).is_err(), "{code}");
        }
        assert_eq!(serde_json::to_string(&Card::from_code(7)).unwrap(), "\"8S\"");
    }
}
