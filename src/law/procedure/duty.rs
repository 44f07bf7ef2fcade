//! Duties: what a finding's remedy still asks for, part by part. How they fare is in [`watch`](super::watch).

use alloc::vec::Vec;

use super::state::State;
use crate::table::due::{Progress, RemedyStep, Who};
use crate::table::event::{Permit, Taken};
use crate::table::{Answer, BetSpot, Cents, HandId, LineNo, Place, Remedy, Severity};

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
    /// Cards go back to the shoe, in their previous position.
    PutBack {
        /// From where.
        place: Place,
        /// How many are left to put back.
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
    /// Somebody says which card lies there.
    Identify(Place),
    /// Chips are given to a bet, to put right what it was given.
    Pay {
        /// On which hand.
        hand: HandId,
        /// The main bet, or the insurance.
        spot: BetSpot,
        /// How much.
        amount: Cents,
    },
    /// Chips are taken back from a bet, to put right what it was given.
    TakeBack {
        /// On which hand.
        hand: HandId,
        /// The main bet, or the insurance.
        spot: BetSpot,
        /// How much.
        amount: Cents,
    },
    /// The room decides.
    Rule,
}

impl Part {
    /// The cards that it has burned, and from where.
    #[must_use]
    pub const fn cards_to_burn(&self) -> Option<(Place, usize)> {
        match self {
            Self::Burn { place, left } => Some((*place, *left)),
            _ => None,
        }
    }

    /// It takes cards away that nobody may learn.
    #[must_use]
    pub const fn hides_cards(&self) -> bool {
        matches!(self, Self::Burn { .. } | Self::PutBack { .. })
    }
}

impl Part {
    /// What puts a bet right that the bank has to give so much yet, or to take back from where that is below 0.
    #[must_use]
    pub const fn money(hand: HandId, spot: BetSpot, to_give: i64) -> Self {
        let amount = to_give.unsigned_abs();
        if to_give < 0 { Self::TakeBack { hand, spot, amount } } else { Self::Pay { hand, spot, amount } }
    }

    /// As the log writes it.
    #[must_use]
    pub const fn remedy(self) -> Remedy {
        match self {
            Self::Burn { place, left } => Remedy::Burn { place, cards: left },
            Self::PutBack { place, left } => Remedy::PutBack { place, cards: left },
            Self::Void(hand) => Remedy::VoidBet { hand },
            Self::Return { hand, spot, .. } => Remedy::ReturnBet { hand, spot },
            Self::Serve(to) => Remedy::Serve { to },
            Self::Authorize(what) => Remedy::Authorize { what },
            Self::Announce(what) => Remedy::Announce { what },
            Self::AskConsent(hand) => Remedy::AskConsent { hand },
            Self::Offer(hand, options) => Remedy::Offer { hand, options },
            Self::Collect(hand) => Remedy::Collect { hand, amount: None, spot: BetSpot::Main },
            Self::Identify(place) => Remedy::Identify { place },
            Self::Pay { hand, amount, spot } => Remedy::Pay { hand, amount, spot },
            Self::TakeBack { hand, amount, spot } => Remedy::Collect { hand, amount: Some(amount), spot },
            Self::Rule => Remedy::Rule,
        }
    }
}

impl Part {
    fn step(self, progress: Progress) -> RemedyStep {
        let remedy = self.remedy();
        RemedyStep { who: Who::carries_out(&remedy), remedy, progress }
    }

    /// Whether it is the same part, of which so much may have been done since.
    fn is_left_of(self, asked: Self) -> bool {
        let money = |part| match part {
            Self::Pay { hand, spot, .. } | Self::TakeBack { hand, spot, .. } => Some((hand, spot)),
            _ => None,
        };
        match (asked, self) {
            (Self::Burn { place, .. }, Self::Burn { place: from, .. })
            | (Self::PutBack { place, .. }, Self::PutBack { place: from, .. }) => place == from,
            _ => asked == self || (money(self).is_some() && money(self) == money(asked)),
        }
    }

    /// What of these cards was moved, where so much is left.
    fn moved_but(self, now: Self) -> Option<Self> {
        match (self, now) {
            (Self::Burn { place, left: all }, Self::Burn { left, .. }) if left < all => {
                Some(Self::Burn { place, left: all - left })
            }
            (Self::PutBack { place, left: all }, Self::PutBack { left, .. }) if left < all => {
                Some(Self::PutBack { place, left: all - left })
            }
            _ => None,
        }
    }
}

/// Until when a remedy may wait. What is left at the end of the pass is a breach in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deadline {
    /// The end of the pass.
    PassEnd,
    /// The next card: authorize, announce, serve, and nothing else is drawn before.
    NextCard,
    /// The bank's turn (C7).
    BanksTurn,
    /// The next card to a box, or play coming to it or to a later one (C4).
    TurnOf(HandId),
}

impl Deadline {
    fn of(parts: &[Part]) -> Self {
        let has = |part: &Part| parts.contains(part);
        parts
            .iter()
            .find_map(|part| match part {
                Part::Authorize(_) => Some(Self::NextCard),
                Part::AskConsent(hand) => Some(Self::TurnOf(*hand)),
                Part::Burn { place: Place::Bank, .. } if has(&Part::Serve(Place::Bank)) => Some(Self::BanksTurn),
                _ => None,
            })
            .unwrap_or(Self::PassEnd)
    }
}

/// What is still to be done about a finding.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Duty {
    /// Number of the finding.
    pub finding: u64,
    /// How many duties of the pass were raised before it.
    pub number: u64,
    /// Where it was found.
    pub place: Option<Place>,
    /// How grave it is.
    pub severity: Severity,
    /// All that was asked for when it was found.
    pub(super) asked: Vec<Part>,
    /// Parts not carried out, in the order they are due.
    pub parts: Vec<Part>,
    /// Parts that count as done though nobody saw it, by what is done.
    pub unseen: Vec<&'static str>,
    /// Until when it may wait.
    pub deadline: Deadline,
    /// The bet that was not given what it was owed: once it is, nothing is left to do.
    pub bet: Option<(HandId, BetSpot)>,
}

/// Where cards belong that had to go away and are taken there: back to the shoe, else to the burn tray.
pub(super) const fn belonging(to: Place) -> Place {
    if matches!(to, Place::Shoe) { Place::Shoe } else { Place::Burn }
}

/// Whether nothing but a ruling is asked for.
#[must_use]
pub fn is_for_room(parts: &[Part]) -> bool {
    parts.iter().all(|part| *part == Part::Rule)
}

impl Duty {
    /// The duty of a finding just raised: what needs no event of its own is done at once.
    #[must_use]
    pub fn new(finding: u64, place: Option<Place>, severity: Severity, parts: &[Part], facts: &State) -> Self {
        let deadline = Deadline::of(parts);
        let done = |part: &Part| match part {
            Part::Void(_) | Part::Burn { place: Place::Burn, .. } => true,
            Part::Authorize(what) => facts.permits.has(*what),
            _ => false,
        };
        let asked = parts.to_vec();
        let parts = parts.iter().filter(|part| !done(part)).copied().collect();
        Self { finding, number: 0, place, severity, asked, parts, unseen: Vec::new(), deadline, bet: None }
    }

    /// The remedy as it stands now: what was asked for and is done, and what is left, in the order it is due.
    #[must_use]
    pub fn steps(&self) -> Vec<RemedyStep> {
        // of two equal parts the first is done first: what is left is looked for from the end
        let mut end = self.parts.len();
        let stands = |asked: &Part| {
            let at = self.parts[..end].iter().rposition(|part| part.is_left_of(*asked));
            end = at.unwrap_or(end);
            (*asked, at)
        };
        let stand: Vec<(Part, Option<usize>)> = self.asked.iter().rev().map(stands).collect();
        let open = |part: &Part| part.step(Progress::Open);
        let (mut steps, mut told) = (Vec::new(), 0);
        for (asked, at) in stand.into_iter().rev() {
            let left = at.map_or(&[][..], |at| &self.parts[told..=at]);
            let done = at.map_or(Some(asked), |at| asked.moved_but(self.parts[at]));
            steps.extend(done.map(|part| part.step(self.progress(part))));
            steps.extend(left.iter().map(open));
            told += left.len();
        }
        steps.extend(self.parts[told..].iter().map(open));
        steps
    }

    /// That was part of its remedy when it was found, whether it is done or not.
    #[must_use]
    pub fn has_asked(&self, part: Part) -> bool {
        self.asked.contains(&part)
    }

    /// It asks for a card that the bank draws on with, and for nothing else.
    pub(super) fn has_bank_draw_on(&self) -> bool {
        self.asked == [Part::Serve(Place::Bank)]
    }

    /// The same, and others come first: drawn now, that card would be undue.
    #[must_use]
    pub fn waits_for_play(&self, facts: &State) -> bool {
        self.has_bank_draw_on() && facts.bank_waits_to_draw()
    }

    /// How a part that is not left came to be done.
    fn progress(&self, part: Part) -> Progress {
        if self.unseen.contains(&part.remedy().name()) { Progress::Unseen } else { Progress::Done }
    }

    /// Nothing of it is left to do.
    #[must_use]
    pub fn cleared(&self, line: LineNo) -> Answer {
        Answer::Cleared { finding: self.finding, line, unseen: self.unseen.clone() }
    }

    /// What is left breaks nothing when it is never done: a card that was never told.
    #[must_use]
    pub fn is_notice(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Identify(_)))
    }

    /// What is left to do was not done while it could be.
    #[must_use]
    pub fn breach(&self, line: LineNo) -> Answer {
        let missing = self.parts.iter().map(|part| part.remedy()).collect();
        Answer::Breach { finding: self.finding, line, missing }
    }
}
