//! The seal on a covered card. The record tells that a card was drawn and where it lies, and commits the station to
//! which one it is; the card itself comes with the line that uncovers it, and with what shows that it is that one.
//!
//! Each shoe has a secret key. The key of a card is HMAC-SHA-256 of its line's number (decimal digits) under the shoe's
//! key, and its seal SHA-256 over the 32 bytes of that key and the two characters of the card. A card is opened by its
//! key; the shoe's key, published when the shoe is over, opens all of its cards.

use std::collections::BTreeMap;
use std::fmt;
use std::io;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::hex::Hex;
use super::reader_key::ReaderKey;
use sabot_law::table::card::DECK;
use sabot_law::table::{Card, LineNo};

/// What the field begins with that holds all of a line's seals, in its text.
pub(super) const FIELD: &[u8] = b",\"seal\":{";
/// What the line begins with that ends a pass.
pub(super) const END_OF_PASS: &[u8] = br#"{"ev":"end""#;
/// What the line begins with that loads a shoe.
const LOAD: &[u8] = br#"{"ev":"load""#;
/// A shoe's key is published with the next load, or the end of the pass that it comes into: by the load of a later pass
/// it is known that it will not be.
const LOADS: u8 = 2;

const LENGTH: usize = 32;

/// The key of a shoe, which opens every card that was sealed under it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct ShoeKey(Zeroizing<[u8; LENGTH]>);

impl fmt::Debug for ShoeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShoeKey(..)")
    }
}

impl ShoeKey {
    /// A new one.
    pub(super) fn new() -> io::Result<Self> {
        let mut key = Zeroizing::new([0; LENGTH]);
        getrandom::fill(key.as_mut()).map_err(io::Error::other)?;
        Ok(Self(key))
    }

    /// Reads what [`Self::text`] writes.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Hex::parse(text).map(Self::published)
    }

    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(|key| Self(Zeroizing::new(key)))
    }

    pub(super) fn text(&self) -> Zeroizing<String> {
        Zeroizing::new(Hex(*self.0).to_string())
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.0.as_slice()
    }

    fn published(Hex(key): Hex) -> Self {
        Self(Zeroizing::new(key))
    }

    /// As it is published.
    pub(super) fn publish(&self) -> Hex {
        Hex(*self.0)
    }

    /// The key of the card on a line.
    pub(super) fn of_line(&self, line: LineNo) -> Hex {
        // HMAC takes a key of any length
        let Ok(mac) = Hmac::<Sha256>::new_from_slice(self.bytes()) else { return Hex([0; LENGTH]) };
        Hex(mac.chain_update(line.to_string()).finalize().into_bytes().into())
    }

    /// The card on a line, where it was sealed under this key.
    fn opens(&self, line: LineNo, seal: Hex) -> Option<Card> {
        let key = self.of_line(line);
        (0..DECK as u8).filter_map(Card::from_index).find(|card| sealed(key, *card) == seal)
    }
}

/// The seal of a card under its own key.
pub(super) fn sealed(Hex(key): Hex, card: Card) -> Hex {
    Hex(Sha256::new_with_prefix(key).chain_update(card.to_string()).finalize().into())
}

/// A card that is opened: the line on which it was sealed, the card, its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Opening(pub(super) LineNo, pub(super) Card, pub(super) Hex);

/// The field `seal` of a line.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SealField {
    /// The seal of the line's own card, which is covered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) card: Option<Hex>,
    /// The shoe's key, for each reader: its name, and what only it can open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) to: Vec<(String, String)>,
    /// Cards that this line uncovers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) opens: Vec<Opening>,
    /// Keys of shoes that are over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) keys: Vec<Hex>,
    /// Lines whose card the station no longer knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) lost: Vec<LineNo>,
}

impl SealField {
    /// That of a line, where it has one.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Line {
            seal: SealField,
        }
        memchr::memmem::find(text, FIELD)?;
        serde_json::from_slice(text).ok().map(|Line { seal }| seal)
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// An opening that opens nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadOpening {
    /// It is of another card.
    #[error("line {line} opens another card than the one that line {of} has sealed: one of the two was changed")]
    Another {
        /// Which line opens.
        line: LineNo,
        /// What.
        of: LineNo,
    },
    /// There is nothing to open.
    #[error("line {line} opens the card of line {of}, where none is sealed")]
    Nothing {
        /// Which line opens.
        line: LineNo,
        /// What.
        of: LineNo,
    },
}

/// What came of the card on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Became {
    /// It is this one.
    Known(Card),
    /// The station no longer knew it: it counted as a card that could not be read.
    Lost,
    /// It was never opened, so that nothing was found that hangs on it.
    Unopened,
}

#[derive(Debug)]
struct Closed {
    seal: Hex,
    /// Shoes that were loaded since.
    loads: u8,
    /// It is told already what came of it.
    told: bool,
}

/// The seals of a record while its lines go by.
#[derive(Debug, Default)]
pub(super) struct Seals {
    readers: Vec<ReaderKey>,
    keys: Vec<ShoeKey>,
    closed: BTreeMap<LineNo, Closed>,
    /// The last line that ended a pass, and the last that loaded a shoe.
    ended: LineNo,
    loaded: LineNo,
    /// Cards that were sealed, and that were opened.
    pub(super) sealed: u64,
    pub(super) opened: u64,
}

impl Seals {
    /// Those that these keys open are known at once.
    pub(super) fn with(readers: Vec<ReaderKey>, keys: Vec<ShoeKey>) -> Self {
        Self { readers, keys, ..Self::default() }
    }

    /// Takes the next line; what came of cards on it and on lines before it goes to `told`.
    pub(super) fn take(
        &mut self,
        line: LineNo,
        text: &[u8],
        told: &mut Vec<(LineNo, Became)>,
    ) -> Result<(), BadOpening> {
        if let Some(field) = SealField::of(text) {
            let for_readers = self.readers.iter().flat_map(|reader| reader.open_any(&field.to));
            self.keys.extend(for_readers.filter_map(|key| ShoeKey::of_bytes(&key)));
            if let Some(seal) = field.card {
                self.sealed += 1;
                let known = self.keys.iter().rev().find_map(|key| key.opens(line, seal));
                told.extend(known.map(|card| (line, Became::Known(card))));
                self.closed.insert(line, Closed { seal, loads: 0, told: known.is_some() });
            }
            for opening in field.opens {
                self.open(line, &opening, told)?;
            }
            field.keys.into_iter().for_each(|key| self.publish(&ShoeKey::published(key), told));
            for line in field.lost {
                if let Some(closed) = self.closed.get_mut(&line).filter(|closed| !closed.told) {
                    closed.told = true;
                    told.push((line, Became::Lost));
                }
            }
        }
        if text.starts_with(END_OF_PASS) {
            self.ended = line;
        } else if text.starts_with(LOAD) {
            if self.ended >= self.loaded {
                self.closed.values_mut().for_each(|closed| closed.loads += 1);
                self.give_up(|closed| closed.loads >= LOADS, told);
            }
            self.loaded = line;
        }
        Ok(())
    }

    fn open(
        &mut self,
        line: LineNo,
        &Opening(of, card, key): &Opening,
        told: &mut Vec<(LineNo, Became)>,
    ) -> Result<(), BadOpening> {
        let closed = self.closed.remove(&of).ok_or(BadOpening::Nothing { line, of })?;
        if sealed(key, card) != closed.seal {
            return Err(BadOpening::Another { line, of });
        }
        self.opened += 1;
        told.extend((!closed.told).then_some((of, Became::Known(card))));
        Ok(())
    }

    fn publish(&mut self, key: &ShoeKey, told: &mut Vec<(LineNo, Became)>) {
        self.keys.retain(|known| known != key);
        self.closed.retain(|&line, closed| {
            let card = key.opens(line, closed.seal);
            self.opened += u64::from(card.is_some());
            told.extend(card.filter(|_| !closed.told).map(|card| (line, Became::Known(card))));
            card.is_none()
        });
    }

    fn give_up(&mut self, gone: impl Fn(&Closed) -> bool, told: &mut Vec<(LineNo, Became)>) {
        self.closed.retain(|&line, closed| {
            let gone = gone(closed);
            told.extend((gone && !closed.told).then_some((line, Became::Unopened)));
            !gone
        });
    }

    /// Cards sealed in the pass on the felt of which nothing is known.
    pub(super) fn unknown(&self) -> impl Iterator<Item = LineNo> {
        self.waiting().filter(|line| *line > self.ended)
    }

    /// Lines whose card waits for what opens it.
    pub(super) fn waiting(&self) -> impl Iterator<Item = LineNo> {
        self.closed.iter().filter(|(_, closed)| !closed.told).map(|(line, _)| *line)
    }

    /// The card on a line waits for what opens it.
    pub(super) fn waits(&self, line: LineNo) -> bool {
        self.closed.get(&line).is_some_and(|closed| !closed.told)
    }

    /// Cards sealed since the last pass ended and not opened, each with its key where that is known.
    pub(super) fn on_the_felt(&self) -> impl Iterator<Item = (LineNo, Option<Hex>)> {
        self.closed.range(self.ended..).map(|(&line, closed)| {
            let key = self.keys.iter().rev().find(|key| key.opens(line, closed.seal).is_some());
            (line, key.map(|key| key.of_line(line)))
        })
    }

    /// The keys that were given or found, and are not published: those of the shoe in use, and those of shoes that are
    /// over and whose keys the end of this pass publishes.
    pub(super) fn into_keys(self) -> (Vec<ShoeKey>, Vec<ShoeKey>) {
        let Self { keys, closed, loaded, ended, .. } = self;
        let is_in_use = |key: &ShoeKey| closed.range(loaded..).any(|(&line, of)| key.opens(line, of.seal).is_some());
        keys.into_iter().partition(|key| loaded <= ended || is_in_use(key))
    }
}
