//! Insurance that may not be placed (T-S2 to T-S5, T-S9).

use super::{s02_half_the_stake, s03_odd_stakes, s04_when_it_is_offered, s05_aces_only, s09_single_pay};
use crate::regulation::prelude::*;
use crate::table::settings::Insured;

/// Raises a case of the article that is checked for insurance chips that may not lie where they do, and has them
/// returned.
pub(super) fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some((id, case)) = refused(context).filter(|(_, case)| findings.lists(case)) {
        let stays = context.state.pass.counted(id, BetSpot::Insurance);
        findings.refuse_chips(case, context, id, BetSpot::Insurance, stays);
    }
}

fn refused(context: &Context<'_>) -> Option<(HandId, &'static Case)> {
    let (state, settings) = (context.state, context.settings);
    let Event::Bet { hand: id, spot: BetSpot::Insurance, amount, .. } = context.event else { return None };
    let hand = state.pass.hand(*id).filter(|hand| !hand.void);
    let paid = hand.is_some_and(|hand| hand.insurance_paid > 0);
    if *amount == 0 || *amount == state.pass.lies_on(*id, BetSpot::Insurance) || paid {
        return None;
    }
    let bank = &state.pass.bank;
    if bank.cards.tally().unread {
        return None;
    }
    let stake = hand.map_or(0, |hand| hand.stake);
    let part = settings.insurance.part;
    let due = settings.insured(stake);
    let case = if !bank.shows_ace() || settings.insurance.when == Insured::Never {
        &s05_aces_only::NO_ACE
    } else if bank.served >= 2 {
        &s04_when_it_is_offered::TOO_LATE
    } else if hand.is_some_and(|hand| hand.even_money) {
        &s09_single_pay::WITH_INSURANCE
    } else if !state.may_insure() && !state.pass.guesses() {
        &s04_when_it_is_offered::TOO_EARLY
    } else if *amount == due {
        return None;
    } else if due.saturating_mul(part.per) == stake.saturating_mul(part.pays) {
        &s02_half_the_stake::NOT_HALF
    } else {
        &s03_odd_stakes::NOT_ROUNDED_HALF
    };
    Some((*id, case))
}

/// What an article on insurance that is placed has to look at.
pub(super) const ON: &[On] = &[On::Bet(BetSpot::Insurance)];
