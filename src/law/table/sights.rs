//! Which sight an event is seen by, what it belongs to, and what a table with less equipment tells of it.

use super::event::Announcement;
use super::{BetSpot, Event, Observes, Place, Sight};

impl Event {
    /// The sight it is seen by; `None` where every table sees it, or a person enters it.
    #[must_use]
    pub const fn sight(&self) -> Option<Sight> {
        match self {
            Self::Bet { .. } | Self::Collect { .. } | Self::Pay { .. } => Some(Sight::Bets),
            Self::Reveal { .. } => Some(Sight::Turns),
            Self::Move { .. } => Some(Sight::Moves),
            Self::Ask { .. } => Some(Sight::Asks),
            Self::Decide { .. } | Self::Ace { .. } | Self::Consent { .. } | Self::Choose { .. } => {
                Some(Sight::Decisions)
            }
            Self::Announce { .. } => Some(Sight::Announcements),
            _ => None,
        }
    }

    /// A bettor's word tells what he chose.
    #[must_use]
    pub const fn is_choice(&self) -> bool {
        matches!(self.sight(), Some(Sight::Decisions))
    }

    /// It belongs to dealing, play or settlement: the pass goes on with it.
    #[must_use]
    pub const fn goes_on(&self) -> bool {
        match self {
            Self::Draw { .. }
            | Self::Ask { .. }
            | Self::Decide { .. }
            | Self::Ace { .. }
            | Self::Reveal { .. }
            | Self::Collect { .. }
            | Self::Pay { .. }
            | Self::End {} => true,
            Self::Announce { what, .. } => matches!(what, Announcement::Total),
            Self::Bet { spot, .. } => !matches!(spot, BetSpot::Main),
            Self::Move { to, .. } => matches!(to, Place::Discard),
            _ => false,
        }
    }
}

impl Observes {
    /// Every set of sights, from none to all.
    pub fn subsets() -> impl Iterator<Item = Self> {
        (0..1_u32 << Sight::ALL.len()).map(|set| {
            let named = (0..).zip(Sight::ALL).filter(|(n, _)| set >> n & 1 == 1);
            named.map(|(_, sight)| *sight).collect()
        })
    }

    /// What a table that sees so much tells of an event; `None` where it tells nothing of it.
    #[must_use]
    pub fn told(self, event: &Event) -> Option<Event> {
        if event.sight().is_some_and(|sight| !self.sees(sight)) {
            return None;
        }
        let mut told = event.clone();
        if let Event::Draw { to, face, .. } = &mut told {
            *to = to.filter(|_| self.places);
            *face = face.filter(|_| self.faces);
        }
        Some(told)
    }
}
