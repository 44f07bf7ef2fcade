//! Ways to depart from the book. Each operator changes a stream of events anywhere and knows nothing of what must be
//! found for it; several may fall in one pass.
//!
//! `operators` holds what each does, `changes` those that tell an event otherwise. [`carry_out`] does what a finding
//! asks for. [`Deviating`] is a table whose passes are dealt by the book, deviate, and go on as findings ask. All of it
//! follows from the seed.

mod changes;
mod operators;
mod remedies;
mod table;

use core::fmt;

use rand_chacha::ChaCha8Rng;

use sabot_law::table::{Event, Header, LineNo};

use self::operators::Pass;
pub use self::remedies::carry_out;
pub use self::table::{Deviating, Options};

sabot_words::words! {
    "a deviation";
    /// A way to depart from the book.
    pub enum Deviation {
        /// An event does not happen, or is not told.
        Omit = "omit",
        /// An event happens twice.
        Double = "double",
        /// Two events change places.
        Swap = "swap",
        /// An event comes some events later.
        Delay = "delay",
        /// An event comes some events too early.
        Hurry = "hurry",
        /// A card is dealt, taken or turned elsewhere.
        Misplace = "misplace",
        /// A card lies the other way.
        Flip = "flip",
        /// A card is read as another, or not at all.
        Misread = "misread",
        /// A key is pressed for another: of another box, or saying something else.
        MisKey = "mis-key",
        /// A wrong amount is paid or collected, or one instead of the other.
        MisPay = "mis-pay",
        /// Chips are paid or collected that nobody is owed.
        ExtraPay = "extra-pay",
        /// Cards are taken away.
        TakeAway = "take-away",
        /// What lies on a spot changes.
        ChangeBet = "change-bet",
        /// A bet or a player comes too late.
        ComeLate = "come-late",
        /// A card more.
        ExtraCard = "extra-card",
        /// A card is turned up out of time.
        TurnUp = "turn-up",
        /// A question that nobody asked for.
        AskExtra = "ask-extra",
        /// A question that is not asked.
        AskNot = "ask-not",
        /// A choice that nobody asked for.
        Decide = "decide",
        /// Wrong words, or words out of time.
        Misspeak = "misspeak",
        /// Somebody else does it.
        Stranger = "stranger",
        /// The cards are miscounted: shuffled, cut or loaded otherwise.
        Miscount = "miscount",
        /// An authorisation is missing, another's, or given for nothing.
        Authorize = "authorize",
        /// The bank changes hands, or its shares are moved, out of turn.
        Bank = "bank",
        /// The bettor agrees, or takes an option.
        Consent = "consent",
        /// The room rules.
        Rule = "rule",
        /// A mistake that a correction puts right.
        PutRight = "put-right",
        /// A correction of something else.
        Correct = "correct",
        /// A person reports.
        Report = "report",
        /// Equipment fails, and may come back.
        Device = "device",
        /// A pass does not end, or ends twice.
        End = "end",
    }
}

impl Deviation {
    /// Those that the devices of a table can tell of.
    pub const SEEN_BY_DEVICES: &[Self] = &[
        Self::Omit,
        Self::Swap,
        Self::Misplace,
        Self::Flip,
        Self::Misread,
        Self::MisKey,
        Self::TakeAway,
        Self::ChangeBet,
        Self::ComeLate,
        Self::ExtraCard,
        Self::TurnUp,
        Self::AskExtra,
        Self::AskNot,
        Self::Decide,
        Self::Misspeak,
        Self::Stranger,
        Self::Miscount,
        Self::Authorize,
    ];
}

/// Where a pass stands in its log.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// Line 1 of the log.
    pub header: &'a Header,
    /// The line of the pass's first event.
    pub first: LineNo,
    /// Findings made before it; a ruling may name one of them, or one a little later.
    pub findings: u64,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// Which way.
    pub deviation: Deviation,
    /// The event at which, by its place among those of the pass when it was done.
    pub at: usize,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at event {}", self.deviation, self.at + 1)
    }
}

/// Changes the events of a pass in these ways, one after the other; corrections last, as they name lines. What was
/// done; a way that finds nothing to be done to is left out.
pub fn apply(rng: &mut ChaCha8Rng, deviations: &[Deviation], scene: Scene<'_>, events: &mut Vec<Event>) -> Vec<Done> {
    let names_lines = |deviation: &&Deviation| matches!(deviation, Deviation::PutRight | Deviation::Correct);
    let (last, first): (Vec<_>, Vec<_>) = deviations.iter().partition(names_lines);
    let mut done = Vec::new();
    for &&deviation in first.iter().chain(&last) {
        let at = Pass { rng, scene, events }.deviate(deviation);
        done.extend(at.map(|at| Done { deviation, at }));
    }
    done
}

#[cfg(test)]
mod tests;
