//! The case of a main bet that is paid or collected wrongly, or left at the end (K2, K11 to K14).

use crate::regulation::prelude::*;
use crate::table::Outcome;

/// How a main bet is paid, collected or left wrongly; each is a case of one article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrongPayment {
    VoidBetPaid,
    VoidBetMoved,
    PaidOver21,
    Over21CollectedWrongly,
    Over21NotCollected,
    BlackjackTiePaid,
    BlackjackTieCollected,
    BlackjackPaidWrongly,
    BlackjackCollected,
    BlackjackNotPaid,
    TiePaid,
    TieCollected,
    LoserPaid,
    LoserCollectedWrongly,
    LoserNotCollected,
    WinPaidWrongly,
    WinnerCollected,
    WinnerNotPaid,
}

/// The case that an article has of a mistake.
pub(super) fn case(
    own: &[(WrongPayment, &'static Case)],
    context: &Context<'_>,
    mistake: &Mistake<'_>,
) -> Option<&'static Case> {
    case_of(own, wrong(context, mistake)?)
}

/// K11 is for a hand over 21, K14 for two Black Jacks, K13 for the bettor's, K12 for a tie, K7 for a bet that came too
/// late, K2 for the rest.
fn wrong(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<WrongPayment> {
    let Mistake { id, spot, hand, owed, kind, .. } = mistake;
    // whose cards nobody knows may be neither a Black Jack nor over 21
    let is_known = !context.state.unknown().has(Hands);
    let both = hand.had_blackjack && owed.outcome == Outcome::Push && context.state.pass.bank.is_blackjack();
    let case = match owed.outcome {
        _ if *spot == BetSpot::Insurance => return None,
        Outcome::Void if context.state.pass.hand(*id).is_none() => WrongPayment::VoidBetPaid,
        Outcome::Void => WrongPayment::VoidBetMoved,
        _ if both => {
            kind.of(WrongPayment::BlackjackTiePaid, WrongPayment::BlackjackTieCollected, WrongPayment::BlackjackNotPaid)
        }
        _ if is_known && hand.had_blackjack => kind.of(
            WrongPayment::BlackjackPaidWrongly,
            WrongPayment::BlackjackCollected,
            WrongPayment::BlackjackNotPaid,
        ),
        _ if is_known && hand.went_over() => {
            kind.of(WrongPayment::PaidOver21, WrongPayment::Over21CollectedWrongly, WrongPayment::Over21NotCollected)
        }
        Outcome::Push => kind.of(WrongPayment::TiePaid, WrongPayment::TieCollected, WrongPayment::TiePaid),
        Outcome::Lose | Outcome::Surrender => {
            kind.of(WrongPayment::LoserPaid, WrongPayment::LoserCollectedWrongly, WrongPayment::LoserNotCollected)
        }
        Outcome::Win | Outcome::Blackjack | Outcome::Unknown => {
            kind.of(WrongPayment::WinPaidWrongly, WrongPayment::WinnerCollected, WrongPayment::WinnerNotPaid)
        }
    };
    Some(case)
}
