//! The first line of a log: which table, which regulation, and what its equipment can see.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
    /// The dealer's questions.
    pub asks: bool,
    /// The bettors' choices.
    pub decisions: bool,
    /// Spoken words.
    pub announcements: bool,
}

impl Observes {
    /// A table that sees everything.
    pub const ALL: Self = Self { places: true, faces: true, asks: true, decisions: true, announcements: true };

    const NONE: Self = Self { places: false, faces: false, asks: false, decisions: false, announcements: false };

    const fn names(self) -> [(&'static str, bool); 5] {
        [
            ("places", self.places),
            ("faces", self.faces),
            ("asks", self.asks),
            ("decisions", self.decisions),
            ("announcements", self.announcements),
        ]
    }
}

impl Default for Observes {
    fn default() -> Self {
        Self::ALL
    }
}

impl Serialize for Observes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names().iter().filter(|(_, seen)| *seen).map(|(name, _)| name))
    }
}

impl<'de> Deserialize<'de> for Observes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Seen {
            Places,
            Faces,
            Asks,
            Decisions,
            Announcements,
        }
        let mut observes = Self::NONE;
        for seen in alloc::vec::Vec::<Seen>::deserialize(deserializer)? {
            match seen {
                Seen::Places => observes.places = true,
                Seen::Faces => observes.faces = true,
                Seen::Asks => observes.asks = true,
                Seen::Decisions => observes.decisions = true,
                Seen::Announcements => observes.announcements = true,
            }
        }
        Ok(observes)
    }
}

/// Line 1 of a table log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format; this crate reads 1.
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
    #[serde(default)]
    pub observes: Observes,
    /// Settings of the regulation that this house changes.
    #[serde(default, skip_serializing_if = "Changes::is_empty")]
    pub settings: Changes,
    /// The regulation, where it is a house's own and none that this crate knows by its identifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Rules>,
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
