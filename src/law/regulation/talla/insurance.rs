//! Insurance that may not be placed (T-S2 to T-S5, T-S9).

use crate::regulation::prelude::*;
use crate::table::settings::Insured;

/// Why insurance chips may not lie where they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// The bank shows no ace.
    NoAce,
    /// Not everybody has played.
    Early,
    /// The bank has its second card.
    Late,
    /// The bettor chose single pay.
    SinglePay,
    /// They are not half the stake, and nothing had to be rounded.
    NotHalf,
    /// They are not half the stake rounded up to a whole chip.
    NotRounded,
}

/// Raises a case for insurance chips that may not lie there for that reason, and has them returned; what is done while
/// they are still to be returned is the same breach.
pub(super) fn check(why: Why, case: &'static Case, context: &Context<'_>, findings: &mut Findings<'_>) {
    let Some((id, found)) = refused(context) else { return };
    if found != why {
        return;
    }
    if returning(context, id, BetSpot::Insurance) {
        findings.ignore_event();
    } else {
        let back = context.state.counted(id, BetSpot::Insurance);
        findings.raise(case, Place::from(id)).give_back(id, BetSpot::Insurance, back).no_effect();
    }
}

fn refused(context: &Context<'_>) -> Option<(HandId, Why)> {
    let (state, settings) = (context.state, context.settings);
    let Event::Bet { hand: id, spot: BetSpot::Insurance, amount, .. } = context.event else { return None };
    let hand = state.hand(*id).filter(|hand| !hand.void);
    let paid = hand.is_some_and(|hand| hand.insurance_paid > 0);
    if *amount == 0 || *amount == state.lies_on(*id, BetSpot::Insurance) || paid {
        return None;
    }
    let bank = &state.pass.bank;
    if bank.cards.tally().unread {
        return None;
    }
    let stake = hand.map_or(0, |hand| hand.stake);
    let part = settings.insurance.part;
    let due = settings.insured(stake);
    let why = match () {
        () if !bank.shows_ace() || settings.insurance.when == Insured::Never => Why::NoAce,
        () if bank.served >= 2 => Why::Late,
        () if hand.is_some_and(|hand| hand.even_money) => Why::SinglePay,
        () if !state.may_insure() && !state.guesses() => Why::Early,
        () if *amount == due => return None,
        () if due.saturating_mul(part.per) == stake.saturating_mul(part.pays) => Why::NotHalf,
        () => Why::NotRounded,
    };
    Some((*id, why))
}

/// What an article on insurance that is placed has to look at.
pub(super) const ON: &[On] = &[On::Bet(BetSpot::Insurance)];
