//! A way to break the book, and what a pass must look like for it. Each house lists its own.

use core::fmt;

use serde::{Serialize, Serializer};

use super::act::{Act, Remedy};

/// A card the pass needs: where, counted as the book deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum At {
    /// Hand by its place in the deal, its first (0) or second (1) card.
    Hand(usize, usize),
    /// The last hand's first or second card.
    Last(usize),
    /// The bank's.
    Bank(usize),
    /// A card after both deliveries.
    Next(usize),
}

/// How bettors play a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) enum Mood {
    /// As people do.
    #[default]
    Usual,
    /// Everybody stands on the first two cards.
    StandPat,
    /// Everybody draws until 21 or over.
    Reckless,
}

impl Mood {
    /// Of a hundred bettors with that total, how many take another card.
    pub(super) const fn take_a_card(self, total: u8) -> u32 {
        match (self, total) {
            (Self::StandPat, _) => 0,
            (Self::Reckless, _) | (Self::Usual, ..=8) => 100,
            (Self::Usual, 9..=11) => 97,
            (Self::Usual, 12..=14) => 60,
            (Self::Usual, 15..=16) => 45,
            (Self::Usual, 17) => 6,
            (Self::Usual, _) => 1,
        }
    }
}

/// When a break is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) enum When {
    /// In any pass.
    #[default]
    Any,
    /// When a shoe is prepared.
    NewShoe,
    /// Between passes, the cut card still inside.
    MidShoe,
    /// After a pass in which the cut card came out.
    AfterCutCard,
    /// In a pass in which the cut card will come out.
    CutCardNear,
    /// When some card has come out of every deck.
    Exhausted,
    /// When its house says so.
    Own,
    /// The same, and that is at the end of a shoe or of a round of bankers.
    Later,
}

/// What the pass of a break looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Plan {
    /// When it can be.
    pub(super) when: When,
    /// Least and most seated players.
    pub(super) seats: Option<(usize, usize)>,
    /// Least and most bets.
    pub(super) bets: Option<(usize, usize)>,
    /// An empty box is needed.
    pub(super) empty_box: bool,
    /// How bettors play.
    pub(super) mood: Mood,
    /// Which cards come where, in points (ace 1).
    pub(super) stack: &'static [(At, u8)],
    /// What is done, where several houses share the way to do it.
    pub(super) act: Act,
    /// How the finding ends, for such an act.
    pub(super) remedy: Remedy,
}

impl Plan {
    pub(super) const ANY: Self = Self {
        when: When::Any,
        seats: None,
        bets: None,
        empty_box: false,
        mood: Mood::Usual,
        stack: &[],
        act: Act::Own,
        remedy: Remedy::None,
    };
    pub(super) const SHOE: Self = Self { when: When::NewShoe, ..Self::ANY };
    pub(super) const MID: Self = Self { when: When::MidShoe, ..Self::ANY };
    pub(super) const FOUR: Self = Self { bets: Some((4, 7)), ..Self::ANY };
    pub(super) const FREE: Self = Self { empty_box: true, seats: Some((2, 6)), ..Self::ANY };

    pub(super) const fn cards(stack: &'static [(At, u8)]) -> Self {
        Self { stack, ..Self::ANY }
    }

    pub(super) const fn pat(stack: &'static [(At, u8)]) -> Self {
        Self { stack, mood: Mood::StandPat, ..Self::ANY }
    }
}

/// A way to break the book, as its house lists it.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Row {
    pub(super) clause: &'static str,
    pub(super) plan: Plan,
}

/// A clause of a provision, and the way to break it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kind(pub(super) &'static Row);

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.clause())
    }
}

/// The kinds of a house: a constant each, and `ALL` in the order of the provisions.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $clause:literal $plan:expr;)+) => {
        $($(#[$doc])* pub const $name: Kind = Kind(&Row { clause: $clause, plan: $plan });)+

        /// Every kind, in the order of the provisions.
        pub(super) const ALL: &[Kind] = &[$($name),+];
    };
}
pub(super) use kinds;

impl Kind {
    /// The provision and which clause of it: `C5/stood`.
    #[must_use]
    pub const fn clause(self) -> &'static str {
        self.0.clause
    }

    pub(super) const fn plan(self) -> Plan {
        self.0.plan
    }

    /// The provision it breaks.
    #[must_use]
    pub fn provision(self) -> &'static str {
        let clause = self.clause();
        clause.split_once('/').map_or(clause, |(provision, _)| provision)
    }

    /// Whether it can be broken only when a shoe is nearly dealt out, or a later one prepared.
    #[must_use]
    pub const fn waits_for_end_of_shoe(self) -> bool {
        matches!(self.plan().when, When::AfterCutCard | When::CutCardNear | When::Exhausted | When::Later)
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.clause())
    }
}
