//! Bets placed, changed or taken off when it is too late (C3, C16, T-Q4, T-N5, G18, K7), and seated players who have
//! none (C1, A6).

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::procedure::betting_box::{BettingBox, Standing};
use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::table::Name;

/// What was done on a main spot after the bets had to lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Late {
    /// Chips on a spot that was empty.
    New,
    /// More than what counts.
    Raised,
    /// Less than what counts.
    Lowered,
}

/// What a `bet` changes on a main spot, leaving aside chips put right, and those of a bet that is settled or refused.
pub(crate) fn change(context: &Context<'_>) -> Option<(HandId, Late)> {
    let Event::Bet { hand: id, spot: BetSpot::Main, amount, .. } = context.event else { return None };
    let state = context.state;
    let lying = state.pass.lies_on(*id, BetSpot::Main);
    let is_in = state.pass.betting_box(id.box_no)?.standing == Standing::In;
    let Some(hand) = state.pass.hand(*id).filter(|_| is_in) else {
        return (lying == 0 && *amount > 0).then_some((*id, Late::New));
    };
    let done = hand.void || state.is_settled(hand) || state.may_collect_bust(*id, BetSpot::Main, *amount);
    if done || *amount == lying || state.gives_back_refused(*id, BetSpot::Main, *amount) {
        return None;
    }
    match amount.cmp(&hand.stake) {
        Ordering::Less => Some((*id, Late::Lowered)),
        Ordering::Equal => None,
        Ordering::Greater => Some((*id, Late::Raised)),
    }
}

/// Whose bets count, each once: a player may bet on several boxes.
pub(crate) fn bettors<'a>(context: &Context<'a>) -> Vec<&'a Name> {
    let mut bettors: Vec<&Name> = Vec::new();
    for bettor in context.state.pass.boxes_in().filter_map(|(_, betting_box)| betting_box.bettor.as_ref()) {
        if !bettors.contains(&bettor) {
            bettors.push(bettor);
        }
    }
    bettors
}

/// The seated players without chips on the felt, each with his seat.
pub(crate) fn without_bet<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a (u8, Name)> {
    let state = context.state;
    state.seating.taken().iter().filter(move |(seat, player)| {
        let is_theirs = |(_, b): (u8, &BettingBox)| b.bettor.as_ref() == Some(player);
        // chips before a seat that nobody was told to have laid are taken to be of who sits there
        let is_taken_to_be = |b: &BettingBox| b.bettor.is_none() && b.first().on(BetSpot::Main) > 0;
        !state.pass.boxes().any(is_theirs) && !state.pass.betting_box(*seat).is_some_and(is_taken_to_be)
    })
}

/// Raises a case for what was put on a main spot beyond what counts there, and has it returned.
pub(crate) fn refuse(case: &'static Case, id: HandId, context: &Context<'_>, findings: &mut Findings<'_>) {
    findings.refuse_chips(case, context, id, BetSpot::Main, context.state.pass.counted(id, BetSpot::Main));
}

/// The hand whose split is lowered, or taken off after a card of its hands, or whose double is taken off after its
/// card. Chips beyond what counts are another article's.
pub(crate) fn added_stake_lowered(context: &Context<'_>) -> Option<HandId> {
    let Event::Bet { hand: id, spot: spot @ (BetSpot::Double | BetSpot::Split), amount, .. } = context.event else {
        return None;
    };
    let state = context.state;
    let just_opened = state.pass.betting_box(id.box_no)?.is_just_opened(usize::from(id.hand));
    let is_changed = |hand: &&Hand| match spot {
        BetSpot::Split => *amount > 0 || !just_opened,
        // T-X2 tells of chips to double that are not equal to the stake
        _ => *amount == 0 && hand.count() > 2,
    };
    let hand = state.pass.hand(*id).filter(is_changed)?;
    let counts = state.pass.counted(*id, *spot);
    let is_lowered = *amount < counts && *amount != state.pass.lies_on(*id, *spot);
    let is_collected = state.may_collect_bust(*id, *spot, *amount);
    (is_lowered && !is_collected && !state.is_settled(hand)).then_some(*id)
}
