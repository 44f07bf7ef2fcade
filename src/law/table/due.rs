//! What is due, as `sabot replay --due` writes it.

use alloc::vec::Vec;
use core::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::event::{BankChange, Permit, Question};
use super::{BetSpot, Cents, HandId, LineNo, Place, Remedy, Severity};

/// Who has to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The dealer.
    Dealer,
    /// The inspector.
    Inspector,
    /// The room's authorities.
    Room,
}

/// The next step of a pass, in the words of the log's events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "snake_case")]
#[rustfmt::skip]
pub enum Next {
    /// The decks are shuffled.
    Shuffle {},
    /// The cut is offered.
    OfferCut {},
    /// A bettor cuts.
    Cut {},
    /// The shoe is loaded.
    Load {},
    /// The bank passes on.
    Bank { /// How.
        how: BankChange },
    /// Bets are made.
    Bet { /// Which chips have to come: those of a double or a split.
        #[serde(flatten)] chips: Option<Chips> },
    /// No more bets.
    CloseBets {},
    /// A question is asked.
    Ask { /// Of which hand.
        #[serde(rename = "box")] hand: HandId, /// About what.
        about: Question },
    /// A covered card is turned up.
    Reveal { /// Where.
        at: Place },
    /// Chips are taken.
    Collect { /// From which hand.
        #[serde(rename = "box")] hand: HandId, /// How much.
        amount: Cents, /// Of which bet.
        #[serde(skip_serializing_if = "is_main")] spot: BetSpot },
    /// Chips are paid.
    Pay { /// To which hand.
        #[serde(rename = "box")] hand: HandId, /// How much.
        amount: Cents, /// Of which bet.
        #[serde(skip_serializing_if = "is_main")] spot: BetSpot },
    /// Cards are cleared.
    Move { /// From where.
        from: Place, /// To the discard tray.
        to: Place },
    /// The pass ends.
    End {},
}

/// Chips that have to lie somewhere before a card may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Chips {
    /// Beside which hand.
    #[serde(rename = "box")]
    pub hand: HandId,
    /// For what.
    pub spot: BetSpot,
    /// How much.
    pub amount: Cents,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it so
fn is_main(spot: &BetSpot) -> bool {
    *spot == BetSpot::Main
}

/// What has to be done: a part of a remedy, or the next step of the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ToDo {
    /// A part of a finding's remedy, or what is said in the same words.
    Remedy(Remedy),
    /// The next step.
    Next(Next),
}

/// One thing that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DueStep {
    /// Who has to do it.
    pub who: Who,
    /// What.
    #[serde(flatten)]
    pub what: ToDo,
    /// On which spot a part of a remedy moves chips, where that is not the main one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spot: Option<BetSpot>,
    /// On which finding the room has to rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<u64>,
}

impl Who {
    /// Who has to carry out a part of a remedy.
    #[must_use]
    pub const fn carries_out(remedy: &Remedy) -> Self {
        match remedy {
            Remedy::Authorize { .. } | Remedy::Identify { .. } => Self::Inspector,
            Remedy::Rule => Self::Room,
            _ => Self::Dealer,
        }
    }
}

impl From<Remedy> for DueStep {
    fn from(remedy: Remedy) -> Self {
        let (who, spot) = (Who::carries_out(&remedy), remedy.side_spot());
        Self { who, what: ToDo::Remedy(remedy), spot, finding: None }
    }
}

impl DueStep {
    /// A part of the remedy of a finding: of several on which the room has to rule, each is named.
    #[must_use]
    pub fn of_finding(remedy: Remedy, finding: u64) -> Self {
        Self { finding: (remedy == Remedy::Rule).then_some(finding), ..remedy.into() }
    }
}

impl From<Next> for DueStep {
    fn from(next: Next) -> Self {
        Self { who: Who::Dealer, what: ToDo::Next(next), spot: None, finding: None }
    }
}

impl From<Permit> for DueStep {
    fn from(what: Permit) -> Self {
        Remedy::Authorize { what }.into()
    }
}

/// The order in which open findings want attention: the gravest first, and of equal ones the oldest.
#[must_use]
pub const fn attention(severity: Severity, finding: u64) -> (Reverse<Severity>, u64) {
    (Reverse(severity), finding)
}

/// Where a part of a remedy stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// To be done.
    Open,
    /// Done.
    Done,
    /// Nobody could see it; it counts as done.
    Unseen,
}

/// A part of a remedy as it stands now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RemedyStep {
    /// Who has to do it.
    pub who: Who,
    /// What: of cards and money so much as is left, or was done.
    #[serde(flatten)]
    pub remedy: Remedy,
    /// Where it stands.
    pub progress: Progress,
}

/// The remedy of an open finding as it stands now, step by step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenRemedy {
    /// Number of the finding.
    pub finding: u64,
    /// What was done and what is left, in the order it is due.
    pub steps: Vec<RemedyStep>,
}

/// What is due after a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "out", rename = "due")]
pub struct DueLine {
    /// The line.
    pub line: LineNo,
    /// The open parts of remedies, the gravest finding first and of equal ones the oldest; then the next step.
    pub due: Vec<DueStep>,
}
