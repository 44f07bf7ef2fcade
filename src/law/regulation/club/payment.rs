//! Which article a wrong payment or collection of a main bet belongs to: each mistake is found once.

use crate::regulation::prelude::*;
use crate::regulation::shared::money::{self, Wrong};
use crate::table::Outcome;

/// What was done wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// A Black Jack was paid another amount than it is owed (G4).
    Blackjack,
    /// Another winner was (G4).
    Win,
    /// The 21 of a split hand was (G15).
    SplitTwentyOne,
    /// A tie was paid (G4).
    TiePaid,
    /// A tie was collected (G4).
    TieCollected,
    /// A hand over 21 was paid (G3).
    Over,
    /// Another loser was (G4).
    LoserPaid,
    /// A winner was collected (G4).
    WinnerCollected,
    /// A winner was collected with the bank over 21 (G11).
    BankOver,
}

/// Where, and what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wrongly {
    pub(super) place: Place,
    pub(super) kind: What,
}

/// What is wrong with a main bet that is paid or collected. A void bet and a loser collected in part are the room's (G0).
pub(super) fn wrongly(context: &Context<'_>) -> Option<Wrongly> {
    if let Event::End {} = context.event {
        return None;
    }
    let mistake = money::mistakes(context).pop()?;
    let hand = mistake.hand;
    let bank_is_over = context.state.pass.bank.total().is_some_and(|total| total > 21);
    let kind = match (mistake.wrong, mistake.owed.outcome) {
        (_, Outcome::Void) | (Wrong::Part | Wrong::Unsettled, _) => return None,
        (Wrong::Amount, _) if hand.split && hand.is_blackjack() => What::SplitTwentyOne,
        (Wrong::Amount, Outcome::Blackjack) => What::Blackjack,
        (Wrong::Amount, _) => What::Win,
        (Wrong::Paid, Outcome::Push) => What::TiePaid,
        (Wrong::Paid, _) if hand.points().is_some_and(|points| points > 21) => What::Over,
        (Wrong::Paid, _) => What::LoserPaid,
        (Wrong::Collected, Outcome::Push) => What::TieCollected,
        (Wrong::Collected, _) if bank_is_over => What::BankOver,
        (Wrong::Collected, _) => What::WinnerCollected,
    };
    Some(Wrongly { place: mistake.place(), kind })
}

/// A Black Jack paid before the bank's second card though the bank may still match it (G7).
pub(super) fn blackjack_too_early(context: &Context<'_>) -> Option<HandId> {
    let Event::Pay { hand: id, spot: BetSpot::Main, .. } = context.event else { return None };
    let bank = &context.state.pass.bank;
    let hand = context.state.hand(*id).filter(|hand| hand.is_blackjack() && !hand.split && !hand.void && !hand.lost)?;
    let waits = bank.served < 2 && bank.may_have_blackjack();
    (waits && !hand.is_covered() && !context.state.guesses()).then_some(*id)
}
