//! The case of a main bet that is paid or collected wrongly. Each mistake has one, under one article.

use super::{g03_over_21, g04_payments, g11_bank_over, g15_no_split_blackjack};
use crate::regulation::prelude::*;
use crate::regulation::shared::money::{self, MistakeKind};
use crate::table::Outcome;

/// Raises a case of the article that is checked for a main bet that is paid or collected wrongly, once at each place.
pub(super) fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some((case, place)) = mistake(context).filter(|(case, _)| findings.lists(case)) {
        findings.raise_once(case, place);
    }
}

/// The case of a mistake, and where. A void bet, and a loser collected in part, are left to G0.
fn mistake(context: &Context<'_>) -> Option<(&'static Case, Place)> {
    if let Event::End {} = context.event {
        return None;
    }
    let mistake = money::mistakes(context).pop()?;
    let hand = mistake.hand;
    let bank_is_over = context.state.pass.bank.total().is_some_and(|total| total > 21);
    let case = match (mistake.kind, mistake.owed.outcome) {
        (_, Outcome::Void) | (MistakeKind::WrongCollection | MistakeKind::Unsettled, _) => return None,
        (MistakeKind::WrongPayment, _) if hand.split && hand.is_blackjack() => {
            &g15_no_split_blackjack::SPLIT_21_PAID_WRONGLY
        }
        (MistakeKind::WrongPayment, Outcome::Blackjack) => &g04_payments::BLACKJACK_PAID_WRONGLY,
        (MistakeKind::WrongPayment, _) => &g04_payments::WIN_PAID_WRONGLY,
        (MistakeKind::NothingOwed, Outcome::Push) => &g04_payments::TIE_PAID,
        (MistakeKind::NothingOwed, _) if hand.points().is_some_and(|points| points > 21) => &g03_over_21::PAID_OVER_21,
        (MistakeKind::NothingOwed, _) => &g04_payments::LOSER_PAID,
        (MistakeKind::NothingLost, Outcome::Push) => &g04_payments::TIE_COLLECTED,
        (MistakeKind::NothingLost, _) if bank_is_over => &g11_bank_over::COLLECTED_FROM_BANK_OVER,
        (MistakeKind::NothingLost, _) => &g04_payments::WINNER_COLLECTED,
    };
    Some((case, mistake.place()))
}

/// A Black Jack paid before the bank's second card though the bank may still match it (G7).
pub(super) fn blackjack_too_early(context: &Context<'_>) -> Option<HandId> {
    let Event::Pay { hand: id, spot: BetSpot::Main, .. } = context.event else { return None };
    let bank = &context.state.pass.bank;
    let hand =
        context.state.pass.hand(*id).filter(|hand| hand.is_blackjack() && !hand.split && !hand.void && !hand.lost)?;
    let waits = bank.served < 2 && bank.may_have_blackjack();
    (waits && !hand.is_covered() && !context.state.pass.guesses()).then_some(*id)
}
