//! The houses whose tables there is a croupier for.

use super::kind::Kind;
use super::open::Rules;
use super::{club, croupier6, sala8, talla};
use crate::table::settings::Changes;
use crate::table::{Cents, Limits};

/// How a house deals.
#[derive(Debug, Clone, Copy)]
pub(super) enum Game {
    /// The bank's second card lies covered from the delivery on.
    Covered,
    /// Nothing lies covered: the bank takes its second card when everybody has played.
    Open(&'static Rules),
}

/// Stakes as a casino has them.
pub(super) const LIMITS: Limits = Limits { min: 50_000, max: 5_000_000 };

/// A house, as its croupier knows it.
#[derive(Debug)]
pub struct House {
    /// The identifier of its regulation.
    pub id: &'static str,
    /// Every way its book can be broken, in the order of its provisions.
    pub kinds: &'static [Kind],
    /// Stakes are multiples of this.
    pub(super) unit: Cents,
    /// Least and most of a main bet.
    pub(super) limits: Limits,
    pub(super) game: Game,
}

/// Every house there is a croupier for.
pub static ALL: &[&House] = &[&sala8::HOUSE, &talla::HOUSE, &club::HOUSE, &croupier6::HOUSE];

impl House {
    /// The house whose regulation bears that identifier.
    ///
    /// # Errors
    /// When no croupier knows it.
    pub fn named(id: &str) -> Result<&'static Self, UnknownHouse> {
        ALL.iter().copied().find(|house| house.id == id).ok_or_else(|| UnknownHouse(id.into()))
    }

    /// Whether the book with those changes can be broken so.
    pub(super) fn can_break(&self, kind: Kind, changes: &Changes) -> bool {
        match self.game {
            Game::Covered => sala8::can_break(kind, changes),
            Game::Open(_) => true,
        }
    }

    /// Whether its croupier deals by another figure of that setting.
    #[must_use]
    pub fn heeds(&self, setting: &str) -> bool {
        matches!(self.game, Game::Covered) && sala8::HEEDED.contains(&setting)
    }

    /// Every kind an identifier means: one clause (`C5/stood`) or all of a provision (`C5`).
    ///
    /// # Errors
    /// When nothing the croupier of this house can break bears that name.
    pub fn meant_by(&self, id: &str) -> Result<Vec<Kind>, UnknownKind> {
        let named = |kind: &Kind| kind.clause().eq_ignore_ascii_case(id) || kind.provision().eq_ignore_ascii_case(id);
        let meant: Vec<Kind> = self.kinds.iter().copied().filter(named).collect();
        if meant.is_empty() { Err(UnknownKind { id: id.into(), house: self.id }) } else { Ok(meant) }
    }
}

/// An identifier of no house there is a croupier for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no croupier deals under `{0}`; there is one for {list}", list = ids())]
pub struct UnknownHouse(String);

fn ids() -> String {
    ALL.iter().map(|house| house.id).collect::<Vec<_>>().join(", ")
}

/// A name of no provision the croupier can break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[rustfmt::skip]
#[error("`{id}` is nothing the croupier of {house} can break: give one of its provisions, or one clause of it such as {}; sabot simulate --list names all", example(house))]
pub struct UnknownKind {
    id: String,
    house: &'static str,
}

fn example(house: &str) -> &'static str {
    House::named(house).ok().and_then(|house| house.kinds.first()).map_or("C5/stood", |kind| kind.clause())
}
