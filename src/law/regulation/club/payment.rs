//! The case of a main bet that is paid or collected wrongly. Each mistake has one, under one article.

use crate::regulation::prelude::*;
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
    NotSettled,
}

/// The case that an article has of a mistake.
pub(super) fn case(
    own: &[(WrongPayment, &'static Case)],
    context: &Context<'_>,
    mistake: &Mistake<'_>,
) -> Option<&'static Case> {
    case_of(own, wrong(context, mistake)?)
}

/// A void bet, and a loser collected in part, are left to G0; insurance is G16's.
fn wrong(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<WrongPayment> {
    let hand = mistake.hand;
    let bank_is_over = context.state.pass.bank.total().is_some_and(|total| total > 21);
    let case = match (mistake.kind, mistake.owed.outcome) {
        _ if mistake.spot == BetSpot::Insurance => return None,
        (_, Outcome::Void) | (MistakeKind::WrongCollection, _) => return None,
        (MistakeKind::Unsettled, _) => WrongPayment::NotSettled,
        (MistakeKind::WrongPayment, _) if hand.split && hand.valued().is_blackjack() => {
            WrongPayment::Split21PaidWrongly
        }
        (MistakeKind::WrongPayment, Outcome::Blackjack) => WrongPayment::BlackjackPaidWrongly,
        (MistakeKind::WrongPayment, _) => WrongPayment::WinPaidWrongly,
        (MistakeKind::NothingOwed, Outcome::Push) => WrongPayment::TiePaid,
        (MistakeKind::NothingOwed, _) if hand.went_over() => WrongPayment::PaidOver21,
        (MistakeKind::NothingOwed, _) => WrongPayment::LoserPaid,
        (MistakeKind::NothingLost, Outcome::Push) => WrongPayment::TieCollected,
        (MistakeKind::NothingLost, _) if bank_is_over => WrongPayment::CollectedFromBankOver,
        (MistakeKind::NothingLost, _) => WrongPayment::WinnerCollected,
    };
    Some(case)
}
