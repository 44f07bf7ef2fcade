//! The case of a main bet that is paid or collected wrongly. Each mistake has one, under one article.

use crate::regulation::prelude::*;
use crate::regulation::shared::money::{self, MistakeKind};
use crate::table::Outcome;

/// How a main bet is paid or collected wrongly; each is a case of one article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrongPayment {
    Split21PaidWrongly,
    BlackjackPaidWrongly,
    WinPaidWrongly,
    TiePaid,
    PaidOver21,
    LoserPaid,
    TieCollected,
    CollectedFromBankOver,
    WinnerCollected,
}

/// Raises a case of the article that is checked for a main bet that is paid or collected wrongly, once at each place.
pub(super) fn check(own: &[(WrongPayment, &'static Case)], context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some((wrong, place)) = mistake(context)
        && let Some(case) = case_of(own, wrong)
    {
        findings.raise_once(case, place);
    }
}

/// The case of a mistake, and where. A void bet, and a loser collected in part, are left to G0.
fn mistake(context: &Context<'_>) -> Option<(WrongPayment, Place)> {
    if let Event::End {} = context.event {
        return None;
    }
    let mistake = money::mistakes(context).pop()?;
    let hand = mistake.hand;
    let bank_is_over = context.state.pass.bank.total().is_some_and(|total| total > 21);
    let case = match (mistake.kind, mistake.owed.outcome) {
        (_, Outcome::Void) | (MistakeKind::WrongCollection | MistakeKind::Unsettled, _) => return None,
        (MistakeKind::WrongPayment, _) if hand.split && hand.is_blackjack() => WrongPayment::Split21PaidWrongly,
        (MistakeKind::WrongPayment, Outcome::Blackjack) => WrongPayment::BlackjackPaidWrongly,
        (MistakeKind::WrongPayment, _) => WrongPayment::WinPaidWrongly,
        (MistakeKind::NothingOwed, Outcome::Push) => WrongPayment::TiePaid,
        (MistakeKind::NothingOwed, _) if hand.points().is_some_and(|points| points > 21) => WrongPayment::PaidOver21,
        (MistakeKind::NothingOwed, _) => WrongPayment::LoserPaid,
        (MistakeKind::NothingLost, Outcome::Push) => WrongPayment::TieCollected,
        (MistakeKind::NothingLost, _) if bank_is_over => WrongPayment::CollectedFromBankOver,
        (MistakeKind::NothingLost, _) => WrongPayment::WinnerCollected,
    };
    Some((case, mistake.place()))
}
