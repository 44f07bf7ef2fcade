//! Insurance that may not be placed (T-S2 to T-S5, T-S9).

use crate::regulation::prelude::*;
use crate::table::settings::Insured;

/// Why insurance may not lie as it does; each is a case of one article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrongInsurance {
    NoAce,
    TooLate,
    WithInsurance,
    OutOfPlay,
    TooEarly,
    NotHalf,
    NotRoundedHalf,
}

/// Raises a case of the article that is checked for insurance chips that may not lie where they do, and has them
/// returned.
pub(super) fn check(own: &[(WrongInsurance, &'static Case)], context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some((id, wrong)) = refused(context)
        && let Some(case) = case_of(own, wrong)
    {
        let stays = context.state.pass.counted(id, BetSpot::Insurance);
        findings.refuse_chips(case, context, id, BetSpot::Insurance, stays);
    }
}

fn refused(context: &Context<'_>) -> Option<(HandId, WrongInsurance)> {
    let (state, settings) = (context.state, context.settings);
    let Event::Bet { hand: id, spot: BetSpot::Insurance, amount, .. } = context.event else { return None };
    let hand = state.pass.hand(*id).filter(|hand| !hand.void);
    let paid = hand.is_some_and(|hand| hand.insurance_paid > 0);
    if *amount == 0 || *amount == state.pass.lies_on(*id, BetSpot::Insurance) || paid {
        return None;
    }
    let bank = &state.pass.bank;
    if bank.cards.tally().is_unread() {
        return None;
    }
    let stake = hand.map_or(0, |hand| hand.stake);
    let part = settings.insurance.part;
    let due = settings.insured(stake);
    let case = if !bank.shows_ace() || settings.insurance.when == Insured::Never {
        WrongInsurance::NoAce
    } else if bank.served >= 2 {
        WrongInsurance::TooLate
    } else if hand.is_some_and(|hand| hand.even_money) {
        WrongInsurance::WithInsurance
    } else if hand.is_some_and(|hand| hand.is_over() || hand.surrendered) {
        WrongInsurance::OutOfPlay
    } else if !state.may_insure() {
        WrongInsurance::TooEarly
    } else if settings.takes_insurance(*amount, due) {
        return None;
    } else if due.saturating_mul(part.per) == stake.saturating_mul(part.pays) {
        WrongInsurance::NotHalf
    } else {
        WrongInsurance::NotRoundedHalf
    };
    Some((*id, case))
}

/// What an article on insurance that is placed has to look at.
pub(super) const ON: &[On] = &[On::Bet(BetSpot::Insurance)];
