//! The houses whose tables there is a simulated dealer for.

use super::kind::Kind;
use super::open::Rules;
use sabot_law::table::settings::Changes;
use sabot_law::table::{Cents, Limits};

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

/// A house, as its simulated dealer knows it.
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
    /// The settings another figure of which its simulated dealer deals by.
    pub(super) heeded: &'static [&'static str],
    /// Whether the book with those changes can be broken so.
    pub(super) can_break: fn(Kind, &Changes) -> bool,
}

/// Of a house whose simulated dealer deals by its own figures alone.
pub(super) fn any(_: Kind, _: &Changes) -> bool {
    true
}

impl House {
    /// Whether its simulated dealer deals by another figure of that setting.
    #[must_use]
    pub fn heeds(&self, setting: &str) -> bool {
        self.heeded.contains(&setting)
    }

    /// Every kind an identifier means: one clause (`C5/stood`) or all of a provision (`C5`).
    ///
    /// # Errors
    /// When nothing the simulated dealer of this house can break bears that name.
    pub fn meant_by(&self, id: &str) -> Result<Vec<Kind>, UnknownKind> {
        let named = |kind: &Kind| kind.clause().eq_ignore_ascii_case(id) || kind.provision().eq_ignore_ascii_case(id);
        let meant: Vec<Kind> = self.kinds.iter().copied().filter(named).collect();
        let example = self.kinds.first().map_or("C5/stood", |kind| kind.clause());
        if meant.is_empty() { Err(UnknownKind { id: id.into(), house: self.id, example }) } else { Ok(meant) }
    }
}

/// A name of no provision the simulated dealer can break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[rustfmt::skip]
#[error("`{id}` is nothing the dealer of {house} can break: give one of its provisions, or one clause of it such as {}; sabot simulate --list names all", .example)]
pub struct UnknownKind {
    id: String,
    house: &'static str,
    example: &'static str,
}
