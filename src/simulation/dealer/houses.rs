//! Every house there is a simulated dealer for, and the names they and their kinds of break go by.

use core::str::FromStr;

use serde::Deserialize;

use super::house::House;
use super::kind::Kind;
use super::{club, croupier6, sala8, talla};

/// Every house there is a simulated dealer for.
pub static ALL: &[&House] = &[&sala8::HOUSE, &talla::HOUSE, &club::HOUSE, &croupier6::HOUSE];

impl House {
    /// The house whose regulation bears that identifier.
    ///
    /// # Errors
    /// When no simulated dealer knows it.
    pub fn named(id: &str) -> Result<&'static Self, UnknownHouse> {
        ALL.iter().copied().find(|house| house.id == id).ok_or_else(|| UnknownHouse(id.into()))
    }
}

/// An identifier of no house there is a simulated dealer for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no dealer deals under `{0}`; there is one for {list}", list = ids())]
pub struct UnknownHouse(String);

fn ids() -> String {
    ALL.iter().map(|house| house.id).collect::<Vec<_>>().join(", ")
}

impl Kind {
    /// The kind of that clause, whichever house's: no two houses number a provision alike.
    #[must_use]
    pub fn named(clause: &str) -> Option<Self> {
        ALL.iter().flat_map(|house| house.kinds).copied().find(|kind| kind.clause() == clause)
    }
}

/// A clause that no simulated dealer breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is nothing a dealer can break; sabot simulate --list names all")]
pub struct UnknownClause(String);

impl FromStr for Kind {
    type Err = UnknownClause;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::named(text).ok_or_else(|| UnknownClause(text.into()))
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
