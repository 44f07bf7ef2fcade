//! The case of a main bet that is paid or collected wrongly, or left at the end. Each mistake has one, under one
//! article.

use crate::regulation::prelude::*;
use crate::table::{Cents, Outcome};

/// How a main bet is paid, collected or left wrongly; each is a case of one article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrongPayment {
    SurrenderPaid,
    NotHalfCollected,
    HalfNotCollected,
    OddSurrenderPaid,
    NotRoundedHalfCollected,
    RoundedHalfNotCollected,
    SinglePaySettledWrongly,
    SinglePayNotPaid,
    BlackjackCollected,
    SplitBlackjackPaidWrongly,
    SplitBlackjackNotPaid,
    BlackjackPaidWrongly,
    BlackjackCollectedWrongly,
    BlackjackNotPaid,
    SplitTieNotKept,
    InsuredTieNotKept,
    TieNotKept,
    LoserTakenForTie,
    LoserNotCollected,
    LoserPaid,
}

/// The case that an article has of a mistake.
pub(super) fn case(
    own: &[(WrongPayment, &'static Case)],
    context: &Context<'_>,
    mistake: &Mistake<'_>,
) -> Option<&'static Case> {
    case_of(own, wrong(context, mistake)?)
}

/// T-Q6 and T-Q7 see for themselves to hands over 21 and to ties without a Black Jack. What is left is T0's.
fn wrong(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<WrongPayment> {
    let Mistake { spot, hand, owed, kind, .. } = mistake;
    let bank = &context.state.pass.bank;
    let bank_has_blackjack = bank.had_blackjack || bank.is_blackjack();
    let case = match owed.outcome {
        _ if hand.void || hand.lost || *spot == BetSpot::Insurance => return None,
        Outcome::Surrender if is_even(hand.at_stake(), owed.lost) => {
            kind.of(WrongPayment::SurrenderPaid, WrongPayment::NotHalfCollected, WrongPayment::HalfNotCollected)
        }
        Outcome::Surrender => kind.of(
            WrongPayment::OddSurrenderPaid,
            WrongPayment::NotRoundedHalfCollected,
            WrongPayment::RoundedHalfNotCollected,
        ),
        _ if hand.even_money => kind.of(
            WrongPayment::SinglePaySettledWrongly,
            WrongPayment::SinglePaySettledWrongly,
            WrongPayment::SinglePayNotPaid,
        ),
        Outcome::Blackjack if *kind == MistakeKind::NothingLost => {
            return (bank.total() == Some(21)).then_some(WrongPayment::BlackjackCollected);
        }
        Outcome::Blackjack if hand.split => kind.of(
            WrongPayment::SplitBlackjackPaidWrongly,
            WrongPayment::SplitBlackjackPaidWrongly,
            WrongPayment::SplitBlackjackNotPaid,
        ),
        Outcome::Blackjack => kind.of(
            WrongPayment::BlackjackPaidWrongly,
            WrongPayment::BlackjackCollectedWrongly,
            WrongPayment::BlackjackNotPaid,
        ),
        Outcome::Push if bank_has_blackjack && hand.split => WrongPayment::SplitTieNotKept,
        Outcome::Push if bank_has_blackjack && hand.insurance > 0 => WrongPayment::InsuredTieNotKept,
        Outcome::Push if bank_has_blackjack => WrongPayment::TieNotKept,
        Outcome::Lose if hand.points().is_some_and(|points| points > 21) => return None,
        Outcome::Lose if bank_has_blackjack => match kind {
            MistakeKind::WrongCollection => WrongPayment::BlackjackCollectedWrongly,
            MistakeKind::Unsettled if hand.points() == Some(21) => WrongPayment::LoserTakenForTie,
            MistakeKind::Unsettled => WrongPayment::LoserNotCollected,
            _ => WrongPayment::LoserPaid,
        },
        _ => return None,
    };
    Some(case)
}

/// Half a stake is exactly that: nothing had to be rounded.
fn is_even(stake: Cents, half: Cents) -> bool {
    half.saturating_mul(2) == stake
}
