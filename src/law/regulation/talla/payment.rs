//! The case of a main bet that is paid or collected wrongly, or left at the end. Each mistake has one, under one
//! article.

use super::{
    b02_what_a_blackjack_pays as b02, b03_the_banks_blackjack as b03, b04_what_ties_with_a_blackjack as b04,
    b08_blackjack_on_a_split as b08, b09_a_split_blackjack_ties as b09, r02_half_is_given_up as r02,
    r03_odd_halves as r03, s09_single_pay as s09, s10_both_blackjack as s10,
};
use crate::regulation::prelude::*;
use crate::regulation::shared::money::{self, Mistake, MistakeKind};
use crate::table::{Cents, Outcome};

/// Raises the cases of the article that is checked.
pub(super) fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for mistake in money::mistakes(context) {
        if let Some(case) = case_of(context, &mistake).filter(|case| findings.lists(case)) {
            findings.raise(case, mistake.place());
        }
    }
}

/// T-Q6 and T-Q7 see for themselves to hands over 21 and to ties without a Black Jack. What is left is T0's.
fn case_of(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    let Mistake { hand, owed, kind, .. } = mistake;
    let bank = &context.state.pass.bank;
    let bank_has_blackjack = bank.had_blackjack || bank.is_blackjack();
    let of_kind = |paid, collected, unsettled| match kind {
        MistakeKind::NothingOwed | MistakeKind::WrongPayment => paid,
        MistakeKind::NothingLost | MistakeKind::WrongCollection => collected,
        MistakeKind::Unsettled => unsettled,
    };
    let case = match owed.outcome {
        _ if hand.void || hand.lost => return None,
        Outcome::Surrender if is_even(hand.at_stake(), owed.lost) => {
            of_kind(&r02::PAID, &r02::NOT_HALF_COLLECTED, &r02::NOT_COLLECTED)
        }
        Outcome::Surrender => of_kind(&r03::PAID, &r03::NOT_ROUNDED_HALF_COLLECTED, &r03::NOT_COLLECTED),
        _ if hand.even_money => of_kind(&s09::SETTLED_WRONGLY, &s09::SETTLED_WRONGLY, &s09::NOT_PAID),
        Outcome::Blackjack if *kind == MistakeKind::NothingLost => {
            return (bank.total() == Some(21)).then_some(&b04::BLACKJACK_COLLECTED);
        }
        Outcome::Blackjack if hand.split => of_kind(&b08::PAID_WRONGLY, &b08::PAID_WRONGLY, &b08::NOT_PAID),
        Outcome::Blackjack => of_kind(&b02::PAID_WRONGLY, &b02::COLLECTED_WRONGLY, &b02::NOT_PAID),
        Outcome::Push if bank_has_blackjack && hand.split => &b09::TIE_NOT_KEPT,
        Outcome::Push if bank_has_blackjack && hand.insurance > 0 => &s10::TIE_NOT_KEPT,
        Outcome::Push if bank_has_blackjack => &b04::TIE_NOT_KEPT,
        Outcome::Lose if hand.points().is_some_and(|points| points > 21) => return None,
        Outcome::Lose if bank_has_blackjack => match kind {
            MistakeKind::WrongCollection => &b02::COLLECTED_WRONGLY,
            MistakeKind::Unsettled if hand.points() == Some(21) => &b04::LOSER_TAKEN_FOR_TIE,
            MistakeKind::Unsettled => &b03::NOT_COLLECTED,
            _ => &b03::LOSER_PAID,
        },
        _ => return None,
    };
    Some(case)
}

/// Half a stake is exactly that: nothing had to be rounded.
fn is_even(stake: Cents, half: Cents) -> bool {
    half.saturating_mul(2) == stake
}
