//! The order in which bets are settled where each hand is settled in its turn (G5, T-Q3).

use crate::procedure::hand::Owed;
use crate::regulation::prelude::*;

/// The first hand in the order of play that is passed over by a payment or collection of a later one. `waits` tells
/// whether what a main bet is owed has a turn to wait for. There is none before the bank is final, nor for what puts
/// right a bet of which a finding is open.
pub(crate) fn settled_out_of_order(context: &Context<'_>, waits: fn(&Owed) -> bool) -> Option<HandId> {
    let (state, settings) = (context.state, context.settings);
    let (Event::Pay { hand: to, spot, .. } | Event::Collect { hand: to, spot, .. }) = context.event else {
        return None;
    };
    let pays = matches!(context.event, Event::Pay { .. });
    // what gives a bet, or takes from it, what it is not owed is another article's
    let is_owed = |owed: Owed| owed.net() != 0 && (owed.net() > 0) == pays;
    let takes_turn = state.pass.hand(*to).is_none_or(|hand| state.owed(hand).known().is_none_or(is_owed));
    let puts_right = state.puts_right(context.event);
    let has_turn = *spot != BetSpot::Insurance && !settings.pays.losers_first && !puts_right && takes_turn;
    if !has_turn || !state.bank_is_final() {
        return None;
    }
    state.pass.hands_with(Status::InPlay).before(*to).find(|id| {
        // a hand that was paid or collected wrongly has had its turn
        let hand = state.pass.hand(*id).filter(|hand| !hand.is_touched(BetSpot::Main));
        hand.and_then(|hand| state.owed(hand).known()).is_some_and(|owed| waits(&owed))
    })
}
