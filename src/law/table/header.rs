//! The first line of a log: which table, which regulation, and what its equipment can see.

use alloc::vec::Vec;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::object::{given, given_object, object};
use super::settings::Changes;
use super::{Cents, Name, Rules};

/// Stakes a table takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// Least main bet.
    #[serde(default)]
    pub min: Cents,
    /// Greatest main bet.
    pub max: Cents,
}

/// What the table's equipment can see. What it cannot see is inferred or not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)]
pub struct Observes {
    /// Where a drawn card went.
    pub places: bool,
    /// Which way a card lies.
    pub faces: bool,
    /// A covered card being turned up.
    pub turns: bool,
    /// Cards being taken from a place.
    pub moves: bool,
    /// What lies on the spots, and so what is paid and collected.
    pub bets: bool,
    /// The dealer's questions.
    pub asks: bool,
    /// The bettors' choices.
    pub decisions: bool,
    /// Spoken words.
    pub announcements: bool,
}

sabot_words::words! {
    "a sight";
    /// One thing a table's equipment can see.
    pub enum Sight {
        /// Where a drawn card went.
        Places = "places",
        /// Which way a card lies.
        Faces = "faces",
        /// A covered card being turned up.
        Turns = "turns",
        /// Cards being taken from a place.
        Moves = "moves",
        /// What lies on the spots.
        Bets = "bets",
        /// The dealer's questions.
        Asks = "asks",
        /// The bettors' choices.
        Decisions = "decisions",
        /// Spoken words.
        Announcements = "announcements",
    }
}

impl Sight {
    /// Always seen in a log of version 1, which has no word for it.
    const fn is_newer(self) -> bool {
        matches!(self, Self::Turns | Self::Moves | Self::Bets)
    }
}

impl Observes {
    /// A table that sees everything.
    pub const ALL: Self = Self::each(true);

    /// A table that sees nothing but the cards that leave the shoe.
    pub const NONE: Self = Self::each(false);

    const fn each(seen: bool) -> Self {
        Self {
            places: seen,
            faces: seen,
            turns: seen,
            moves: seen,
            bets: seen,
            asks: seen,
            decisions: seen,
            announcements: seen,
        }
    }

    /// Whether something is seen.
    #[must_use]
    pub const fn sees(&self, sight: Sight) -> bool {
        match sight {
            Sight::Places => self.places,
            Sight::Faces => self.faces,
            Sight::Turns => self.turns,
            Sight::Moves => self.moves,
            Sight::Bets => self.bets,
            Sight::Asks => self.asks,
            Sight::Decisions => self.decisions,
            Sight::Announcements => self.announcements,
        }
    }

    /// Has something seen, or not.
    pub const fn set(&mut self, sight: Sight, seen: bool) {
        *match sight {
            Sight::Places => &mut self.places,
            Sight::Faces => &mut self.faces,
            Sight::Turns => &mut self.turns,
            Sight::Moves => &mut self.moves,
            Sight::Bets => &mut self.bets,
            Sight::Asks => &mut self.asks,
            Sight::Decisions => &mut self.decisions,
            Sight::Announcements => &mut self.announcements,
        } = seen;
    }

    /// What is seen, in the order of the format.
    pub fn seen(self) -> impl Iterator<Item = Sight> {
        Sight::ALL.iter().copied().filter(move |sight| self.sees(*sight))
    }
}

impl Default for Observes {
    fn default() -> Self {
        Self::ALL
    }
}

impl Serialize for Observes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.seen())
    }
}

impl<'de> Deserialize<'de> for Observes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Sight>::deserialize(deserializer).map(Self::from_iter)
    }
}

impl FromIterator<Sight> for Observes {
    fn from_iter<I: IntoIterator<Item = Sight>>(sights: I) -> Self {
        let mut observes = Self::NONE;
        sights.into_iter().for_each(|sight| observes.set(sight, true));
        observes
    }
}

/// Line 1 of a table log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Version of the format, 1 or 2.
    pub v: u32,
    /// Name of the table.
    pub table: Name,
    /// Identifier of the regulation, such as `sala-8`.
    pub regulation: Name,
    /// Betting boxes, 1 to 7.
    pub boxes: u8,
    /// Stakes.
    pub limits: Limits,
    /// What is seen; everything where it is left out.
    pub observes: Observes,
    /// Settings of the regulation that this house changes.
    pub settings: Changes,
    /// The regulation, where it is a house's own and none that this crate knows by its identifier.
    pub rules: Option<Rules>,
}

/// A header as it is written.
#[derive(Serialize, Deserialize)]
struct Written {
    v: u32,
    table: Name,
    regulation: Name,
    boxes: u8,
    #[serde(deserialize_with = "object")]
    limits: Limits,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    observes: Option<Vec<Sight>>,
    #[serde(default, skip_serializing_if = "Changes::is_empty", deserialize_with = "object")]
    settings: Changes,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given_object")]
    rules: Option<Rules>,
}

impl Header {
    /// The same table in version 2, which names every sight.
    #[must_use]
    pub fn in_version_2(self) -> Self {
        Self { v: 2, ..self }
    }

    /// Whether two headers are of the same table, whichever versions they are written in.
    #[must_use]
    pub fn is_same_table(&self, other: &Self) -> bool {
        self.clone().in_version_2() == other.clone().in_version_2()
    }

    /// What a log of this version sees that names these sights; one that it does not know is the error.
    fn observes(v: u32, named: Option<Vec<Sight>>) -> Result<Observes, Sight> {
        let Some(named) = named else { return Ok(Observes::ALL) };
        let is_newer = |sight: &Sight| v < 2 && sight.is_newer();
        if let Some(sight) = named.iter().copied().find(is_newer) {
            return Err(sight);
        }
        Ok(named.into_iter().chain(Sight::ALL.iter().copied().filter(is_newer)).collect())
    }
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { v, table, regulation, boxes, limits, observes, settings, rules } =
            Written::deserialize(deserializer)?;
        let observes = Self::observes(v, observes).map_err(|sight| {
            let why = format_args!("field `observes`: `{sight}` belongs to version 2 of the format, and this is {v}");
            D::Error::custom(why)
        })?;
        Ok(Self { v, table, regulation, boxes, limits, observes, settings, rules })
    }
}

impl Serialize for Header {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { v, table, regulation, boxes, limits, observes, settings, rules } = self.clone();
        let named = observes.seen().filter(|sight| v >= 2 || !sight.is_newer()).collect();
        let written = Written { v, table, regulation, boxes, limits, observes: Some(named), settings, rules };
        Written::serialize(&written, serializer)
    }
}

/// A header as line 1 is written.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct FirstLine<'a> {
    ev: &'static str,
    #[serde(flatten)]
    header: &'a Header,
}

impl<'a> FirstLine<'a> {
    /// Line 1 of a log with this header.
    #[must_use]
    pub const fn of(header: &'a Header) -> Self {
        Self { ev: "table", header }
    }
}
