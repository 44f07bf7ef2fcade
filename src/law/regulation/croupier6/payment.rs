//! The case of a main bet that is paid or collected wrongly, or left at the end (K2, K11 to K14).

use super::{k02_against_the_bank, k11_over_21, k12_ties, k13_blackjack_pays, k14_blackjacks_tie};
use crate::regulation::prelude::*;
use crate::regulation::shared::money::{self, Mistake, MistakeKind};
use crate::table::Outcome;

/// Raises the cases of the article that is checked.
pub(super) fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for mistake in money::mistakes(context) {
        if let Some(case) = case_of(&mistake).filter(|case| findings.lists(case)) {
            findings.raise(case, mistake.place());
        }
    }
}

/// What has no case here is left to K0.
fn case_of(mistake: &Mistake<'_>) -> Option<&'static Case> {
    let (went_over, had_blackjack) = (mistake.hand.went_over(), mistake.hand.had_blackjack);
    let case = match (mistake.owed.outcome, mistake.kind) {
        (Outcome::Lose, MistakeKind::NothingOwed) if went_over => &k11_over_21::PAID_OVER_21,
        (Outcome::Lose, MistakeKind::NothingOwed) => &k02_against_the_bank::LOSER_PAID,
        (Outcome::Lose, MistakeKind::Unsettled) if went_over => &k11_over_21::NOT_COLLECTED,
        (Outcome::Lose, MistakeKind::Unsettled) => &k02_against_the_bank::LOSER_NOT_COLLECTED,
        (Outcome::Win, _) if went_over => return None,
        (Outcome::Win, MistakeKind::NothingLost) => &k02_against_the_bank::WINNER_COLLECTED,
        (Outcome::Win, MistakeKind::WrongPayment) => &k02_against_the_bank::PAID_WRONGLY,
        (Outcome::Win, MistakeKind::Unsettled) => &k02_against_the_bank::WINNER_NOT_PAID,
        (Outcome::Push, MistakeKind::NothingOwed) if had_blackjack => &k14_blackjacks_tie::TIE_PAID,
        (Outcome::Push, MistakeKind::NothingOwed) => &k12_ties::TIE_PAID,
        (Outcome::Push, MistakeKind::NothingLost) if had_blackjack => &k14_blackjacks_tie::TIE_COLLECTED,
        (Outcome::Push, MistakeKind::NothingLost) => &k12_ties::TIE_COLLECTED,
        (Outcome::Blackjack, MistakeKind::WrongPayment) => &k13_blackjack_pays::PAID_WRONGLY,
        (Outcome::Blackjack, MistakeKind::NothingLost) => &k13_blackjack_pays::COLLECTED,
        (Outcome::Blackjack, MistakeKind::Unsettled) => &k13_blackjack_pays::NOT_PAID,
        _ => return None,
    };
    Some(case)
}
