//! What may be known of a pass, and what a table does not know that lacks some sights.

use serde::{Deserialize, Serialize};

use crate::table::{Observes, Sight};

/// Something that must be known for a case to be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fact {
    /// Where drawn cards go.
    Places,
    /// Which way they lie.
    Faces,
    /// Covered cards being turned up.
    Turns,
    /// Cards being taken from a place.
    Moves,
    /// What lies on the spots, and so what is paid and collected.
    Bets,
    /// The dealer's questions.
    Asks,
    /// The bettors' choices.
    Decisions,
    /// Spoken words.
    Announcements,
    /// What bettors did with their hands, as their words or their chips tell it.
    Choices,
    /// Which cards lie in which hand, and so what the bank's and every hand come to.
    Hands,
    /// Every card that is drawn.
    Cards,
    /// Shuffles and their counts.
    Shuffles,
    /// Everything that has come out of the shoe since it was loaded, its cut card too.
    Shoe,
    /// Who was to get the cut card when it came out.
    CutCard,
    /// How many cards have gone to the discard tray since then.
    Retired,
    /// To whom the cut was offered since the last shuffle.
    Offers,
}

impl From<Sight> for Fact {
    fn from(sight: Sight) -> Self {
        match sight {
            Sight::Places => Self::Places,
            Sight::Faces => Self::Faces,
            Sight::Turns => Self::Turns,
            Sight::Moves => Self::Moves,
            Sight::Bets => Self::Bets,
            Sight::Asks => Self::Asks,
            Sight::Decisions => Self::Decisions,
            Sight::Announcements => Self::Announcements,
        }
    }
}

/// A set of [`Fact`]s.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Facts(u16);

impl Facts {
    /// None.
    pub const NONE: Self = Self(0);

    /// Every one.
    pub const ALL: Self = Self(u16::MAX);

    /// What most articles need: what every hand and the bank have.
    pub const HANDS: Self = Self::of(&[Fact::Hands]);

    /// These.
    #[must_use]
    pub const fn of(facts: &[Fact]) -> Self {
        let (mut set, mut n) = (0, 0);
        while n < facts.len() {
            set |= 1 << facts[n] as u16;
            n += 1;
        }
        Self(set)
    }

    /// These and those.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// These but for those.
    #[must_use]
    pub const fn but(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// One of them is among the others.
    #[must_use]
    pub const fn meets(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// It is one of them.
    #[must_use]
    pub const fn has(self, fact: Fact) -> bool {
        self.meets(Self::of(&[fact]))
    }

    /// What a table that sees so much does not know of any pass.
    #[must_use]
    pub fn unknown_to(observes: Observes) -> Self {
        if observes == Observes::ALL {
            return Self::NONE;
        }
        let unseen = Sight::ALL.iter().filter(|sight| !observes.sees(**sight));
        let mut unknown = unseen.fold(Self::NONE, |set, sight| set.and(Self::of(&[Fact::from(*sight)])));
        if !observes.decisions && !observes.bets {
            unknown = unknown.and(Self::of(&[Fact::Choices]));
        }
        if !observes.places && !observes.bets {
            unknown = unknown.and(Self::of(&[Fact::Hands]));
        }
        unknown
    }

    /// What such a table does not know from the moment on when a card of play is drawn: where it went, and who asked
    /// for it.
    #[must_use]
    pub fn unknown_in_play(observes: Observes) -> Self {
        let guesses = !observes.places && !observes.decisions;
        Self::unknown_to(observes).and(if guesses { Self::of(&[Fact::Hands]) } else { Self::NONE })
    }
}
