//! The order and the face of the cards of a delivery (D8, T-Q2, G6, K5, K9), and who was left out of it.

use alloc::vec::Vec;

use crate::regulation::prelude::*;

/// The hands passed over by a card to a later one in the same round, and that round: 0 or 1.
pub(crate) fn passed_over(context: &Context<'_>) -> Option<(usize, impl Iterator<Item = Place>)> {
    let drawn = context.meaning.drawn?;
    let (round, waits) = match drawn.role {
        Role::First => (0, Status::First),
        Role::Second => (1, Status::Second),
        _ => return None,
    };
    let to = drawn.hand()?;
    Some((round, context.state.hands_with(waits).before(to).map(Place::from)))
}

/// Raises, at every place passed over, the case of the round, the first of two, once each: a notice.
pub(crate) fn check_order(cases: [&'static Case; 2], context: &Context<'_>, findings: &mut Findings<'_>) {
    // a box left out of a round that is over was left to the room
    let late = context.state.pass.playing || (context.state.pass.second && is_first(context));
    if let Some((round, places)) = passed_over(context).filter(|_| context.settings.bank_is_covered() || !late) {
        for place in places {
            if !findings.knows(cases[round], place) {
                findings.raise(cases[round], place).severity(Severity::Notice);
            }
        }
    }
}

fn is_first(context: &Context<'_>) -> bool {
    context.meaning.drawn.is_some_and(|drawn| drawn.role == Role::First)
}

/// Raises a case, a notice, where a card of the delivery that belongs face up lies face down.
pub(crate) fn check_face(case: &'static Case, context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(drawn) = context.meaning.drawn.filter(|drawn| drawn.is_down()) {
        findings.raise(case, drawn.place).severity(Severity::Notice);
    }
}

/// Where the bank's second card comes after play: who was left out of a round that this event ends, the bank included.
pub(crate) fn omitted(context: &Context<'_>) -> Vec<Place> {
    let state = context.state;
    let role = context.meaning.drawn.map(|drawn| drawn.role);
    let second_begins = role == Some(Role::Second) && !state.pass.second;
    let first_ends = role == Some(Role::BankFirst) || second_begins;
    let mut left_out: Vec<Place> = Vec::new();
    if first_ends || context.meaning.begins_play {
        left_out.extend(state.hands_with(Status::First).map(Place::from));
    }
    if context.meaning.begins_play {
        left_out.extend(state.hands_with(Status::Second).map(Place::from));
    }
    if (second_begins || context.meaning.begins_play) && state.pass.bank.served == 0 {
        left_out.push(Place::Bank);
    }
    left_out
}

/// The cards of a delivery.
pub(crate) const ON: &[On] =
    &[On::Card(Role::First), On::Card(Role::Second), On::Card(Role::BankFirst), On::Card(Role::BankSecond)];
