//! Duties: what a finding's remedy still asks for, watched part by part until done.

use alloc::vec::Vec;

use super::scene::{Meaning, Role};
use super::state::State;
use crate::table::event::{Announcement, Permit, Taken};
use crate::table::{BetSpot, Cents, Event, HandId, Place, Remedy};

/// One part of a remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Cards go to the burn tray.
    Burn {
        /// From where.
        place: Place,
        /// How many are left to burn.
        left: usize,
    },
    /// The bet is without effect: done as soon as it is said.
    Void(HandId),
    /// Chips go back to the bettor.
    Return {
        /// From which box.
        hand: HandId,
        /// From which of its spots.
        spot: BetSpot,
        /// What may go on lying there.
        back: Cents,
    },
    /// A card is due.
    Serve(Place),
    /// An authorisation is needed.
    Authorize(Permit),
    /// Words must be spoken.
    Announce(Permit),
    /// The bettor must agree, or not.
    AskConsent(HandId),
    /// The bettor chooses.
    Offer(HandId, [Taken; 2]),
    /// The bettor is paid.
    Collect(HandId),
    /// The room decides.
    Rule,
}

impl Part {
    /// As the log writes it.
    #[must_use]
    pub const fn remedy(self) -> Remedy {
        match self {
            Self::Burn { place, left } => Remedy::Burn { place, cards: left },
            Self::Void(hand) => Remedy::VoidBet { hand },
            Self::Return { hand, .. } => Remedy::ReturnBet { hand },
            Self::Serve(to) => Remedy::Serve { to },
            Self::Authorize(what) => Remedy::Authorize { what },
            Self::Announce(what) => Remedy::Announce { what },
            Self::AskConsent(hand) => Remedy::AskConsent { hand },
            Self::Offer(hand, options) => Remedy::Offer { hand, options },
            Self::Collect(hand) => Remedy::Collect { hand },
            Self::Rule => Remedy::Rule,
        }
    }
}

/// What is still to be done about a finding.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Duty {
    /// Number of the finding.
    pub finding: u64,
    /// Where it was found.
    pub place: Option<Place>,
    /// Parts not carried out, in the order they are due.
    pub parts: Vec<Part>,
    /// The remedy is authorize, announce, serve: nothing else is drawn until it is done.
    pub sequence: bool,
}

/// How a duty fared at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// Something is left to do.
    Open,
    /// Every part was carried out.
    Cleared,
    /// The pass went on where it had to wait.
    Breach,
}

impl Duty {
    /// The duty of a finding just raised: what needs no event of its own is done at once.
    #[must_use]
    pub fn new(finding: u64, place: Option<Place>, parts: &[Part], facts: &State) -> Self {
        let sequence = parts.iter().any(|part| matches!(part, Part::Authorize(_)));
        let done = |part: &Part| match part {
            Part::Void(_) | Part::Burn { place: Place::Burn, .. } => true,
            Part::Authorize(what) => facts.permits.has(*what),
            _ => false,
        };
        Self { finding, place, parts: parts.iter().filter(|part| !done(part)).copied().collect(), sequence }
    }

    /// Takes note of an event. `after` are the facts after it; `burned` counts cards burned that no earlier duty claimed.
    pub fn watch(&mut self, event: &Event, meaning: &Meaning, after: &State, burned: &mut usize) -> Fate {
        let mut fate = Fate::Open;
        match event {
            Event::Draw { .. } => fate = self.watch_draw(meaning),
            Event::Move { from, to: Place::Burn, .. } => self.burn(*from, burned),
            Event::Bet { hand, spot, amount, .. } => self.parts.retain(|part| {
                !matches!(part, Part::Return { hand: h, spot: s, back }
                    if (h, s) == (hand, spot) && (amount == back || after.counts(*hand, *spot, *amount)))
            }),
            Event::Authorize { what, role, .. } if what.is_for(*role) => {
                self.parts.retain(|part| *part != Part::Authorize(*what))
            }
            Event::Announce { what: Announcement::NextCardsForBank, .. } => fate = self.watch_announcement(),
            Event::Consent { hand, yes } => self.consent(*hand, *yes, after),
            Event::Choose { hand, option } => self
                .parts
                .retain(|part| !matches!(part, Part::Offer(h, options) if h == hand && options.contains(option))),
            Event::Pay { hand, spot: BetSpot::Main, .. } => self.parts.retain(|part| *part != Part::Collect(*hand)),
            Event::Rule { .. } if meaning.ruled == Some(self.finding) => self.parts.clear(),
            Event::End {} if after.pass.open => {
                self.parts.retain(|part| {
                    !matches!(part, Part::Return { hand, spot, back }
                    if after.lies_on(*hand, *spot) <= *back)
                });
                fate = Fate::Breach;
            }
            _ => {}
        }
        if self.parts.is_empty() { Fate::Cleared } else { fate }
    }

    /// A card that counts serves whom it was due to; authorize and announce come before serve, and serve before any
    /// other card.
    fn watch_draw(&mut self, meaning: &Meaning) -> Fate {
        let Some(drawn) = meaning.drawn else { return Fate::Open };
        let early = self.parts.iter().any(|part| matches!(part, Part::Authorize(_) | Part::Announce(_)));
        let counts = !matches!(drawn.role, Role::Undue | Role::Burned | Role::BankBeyond | Role::BankIdle)
            && !meaning.uncovers_bank_card();
        let due = self.parts.iter().position(|part| drawn.place.is_some_and(|place| *part == Part::Serve(place)));
        match due {
            Some(n) if counts => {
                self.parts.remove(n);
                if self.sequence && early {
                    return Fate::Breach;
                }
            }
            _ if self.sequence => return Fate::Breach,
            _ => {}
        }
        if let Some(id) = drawn.hand() {
            if drawn.role == Role::Late && self.parts.contains(&Part::AskConsent(id)) {
                return Fate::Breach;
            }
            if drawn.role == Role::Double {
                self.parts.retain(|part| !matches!(part, Part::Offer(hand, _) if *hand == id));
            }
        }
        Fate::Open
    }

    fn watch_announcement(&mut self) -> Fate {
        let Some(n) = self.parts.iter().position(|part| matches!(part, Part::Announce(_))) else { return Fate::Open };
        self.parts.remove(n);
        let authorized = !self.parts.iter().any(|part| matches!(part, Part::Authorize(_)));
        if authorized { Fate::Open } else { Fate::Breach }
    }

    fn burn(&mut self, from: Place, burned: &mut usize) {
        for part in &mut self.parts {
            if let Part::Burn { place, left } = part
                && *place == from
            {
                let now = (*left).min(*burned);
                *left -= now;
                *burned -= now;
            }
        }
        self.parts.retain(|part| !matches!(part, Part::Burn { left: 0, .. }));
    }

    fn consent(&mut self, id: HandId, yes: bool, facts: &State) {
        let Some(n) = self.parts.iter().position(|part| *part == Part::AskConsent(id)) else { return };
        self.parts[n] = if yes {
            Part::Serve(id.into())
        } else {
            Part::Burn { place: id.into(), left: facts.hand(id).map_or(0, super::hand::Hand::count) }
        };
    }
}
