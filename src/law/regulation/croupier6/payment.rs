//! The case of a main bet that is paid or collected wrongly, or left at the end (K2, K11 to K14).

use crate::regulation::prelude::*;
use crate::regulation::shared::money::{self, Mistake, MistakeKind};
use crate::table::Outcome;

/// How a main bet is paid, collected or left wrongly; each is a case of one article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrongPayment {
    PaidOver21,
    LoserPaid,
    Over21NotCollected,
    LoserNotCollected,
    WinnerCollected,
    WinPaidWrongly,
    WinnerNotPaid,
    BlackjackTiePaid,
    TiePaid,
    BlackjackTieCollected,
    TieCollected,
    BlackjackPaidWrongly,
    BlackjackCollected,
    BlackjackNotPaid,
}

/// Raises the cases of the article that is checked.
pub(super) fn check(own: &[(WrongPayment, &'static Case)], context: &Context<'_>, findings: &mut Findings<'_>) {
    for mistake in money::mistakes(context) {
        if let Some(case) = wrong(&mistake).and_then(|wrong| case_of(own, wrong)) {
            findings.raise(case, mistake.place());
        }
    }
}

/// What has no case here is left to K0.
fn wrong(mistake: &Mistake<'_>) -> Option<WrongPayment> {
    let (went_over, had_blackjack) = (mistake.hand.went_over(), mistake.hand.had_blackjack);
    let case = match (mistake.owed.outcome, mistake.kind) {
        (Outcome::Lose, MistakeKind::NothingOwed) if went_over => WrongPayment::PaidOver21,
        (Outcome::Lose, MistakeKind::NothingOwed) => WrongPayment::LoserPaid,
        (Outcome::Lose, MistakeKind::Unsettled) if went_over => WrongPayment::Over21NotCollected,
        (Outcome::Lose, MistakeKind::Unsettled) => WrongPayment::LoserNotCollected,
        (Outcome::Win, _) if went_over => return None,
        (Outcome::Win, MistakeKind::NothingLost) => WrongPayment::WinnerCollected,
        (Outcome::Win, MistakeKind::WrongPayment) => WrongPayment::WinPaidWrongly,
        (Outcome::Win, MistakeKind::Unsettled) => WrongPayment::WinnerNotPaid,
        (Outcome::Push, MistakeKind::NothingOwed) if had_blackjack => WrongPayment::BlackjackTiePaid,
        (Outcome::Push, MistakeKind::NothingOwed) => WrongPayment::TiePaid,
        (Outcome::Push, MistakeKind::NothingLost) if had_blackjack => WrongPayment::BlackjackTieCollected,
        (Outcome::Push, MistakeKind::NothingLost) => WrongPayment::TieCollected,
        (Outcome::Blackjack, MistakeKind::WrongPayment) => WrongPayment::BlackjackPaidWrongly,
        (Outcome::Blackjack, MistakeKind::NothingLost) => WrongPayment::BlackjackCollected,
        (Outcome::Blackjack, MistakeKind::Unsettled) => WrongPayment::BlackjackNotPaid,
        _ => return None,
    };
    Some(case)
}
