//! The order and the face of the cards of a delivery (D8, T-Q2, G6, K5, K9), and who was left out of it.

use alloc::vec::Vec;

use crate::procedure::context::Drawn;
use crate::procedure::hand::Hand;
use crate::procedure::pass::Milestone;
use crate::regulation::prelude::*;

/// Raises a case at every place passed over, once each: the first case in the first round, the second in the second.
pub(crate) fn check_order([first, second]: [&'static Case; 2], context: &Context<'_>, findings: &mut Findings<'_>) {
    let (state, Some(drawn)) = (context.state, context.meaning.drawn) else { return };
    let has_played = state.pass.has(Milestone::Play);
    let strict = context.settings.delivery.strict_rounds;
    let (case, waits, round_is_over) = match drawn.role {
        Role::First => (first, Status::First, has_played || (strict && state.pass.is_in_second_delivery())),
        Role::Second => (second, Status::Second, has_played),
        _ => return,
    };
    // where the bank has no covered card, the room has decided already on a box left out of a round that is over
    let Some(to) = drawn.hand().filter(|_| context.settings.bank_is_covered() || !round_is_over) else { return };
    for place in state.pass.hands_with(waits).before(to).map(Place::from) {
        findings.raise_once(case, place);
    }
}

/// Raises a case where a second card is dealt though a box waits for its first: at every box passed over, once each.
/// Two cards at a time to a box are another matter, told by [`is_out_of_round`].
pub(crate) fn check_rounds(case: &'static Case, context: &Context<'_>, findings: &mut Findings<'_>) {
    let Some(drawn) = context.meaning.drawn.filter(|drawn| drawn.role == Role::Second) else { return };
    let state = context.state;
    if context.settings.delivery.strict_rounds || state.pass.has(Milestone::Play) || is_out_of_round(context) {
        return;
    }
    for place in state.pass.hands_with(Status::First).map(Place::from).filter(|place| Some(*place) != drawn.place) {
        findings.raise_once(case, place);
    }
}

/// Whether a card of the delivery comes in the middle of a round: the bank's while a box waits for the same one, or a
/// box's second right after its first while another box waits for that.
pub(crate) fn is_out_of_round(context: &Context<'_>) -> bool {
    let (state, Some(drawn)) = (context.state, context.meaning.drawn) else { return false };
    let waits = |status| !state.pass.hands_with(status).is_empty();
    let in_delivery = !context.settings.delivery.strict_rounds && !state.pass.has(Milestone::Play);
    in_delivery
        && match drawn.role {
            Role::BankFirst => waits(Status::First) || (state.pass.is_in_second_delivery() && waits(Status::Second)),
            Role::Second => waits(Status::First) && state.pass.last_card == drawn.place,
            _ => false,
        }
}

/// Raises a case where a card that belongs face up lies face down.
pub(crate) fn check_face(case: &'static Case, context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(drawn) = context.meaning.drawn.filter(Drawn::is_wrongly_down) {
        findings.raise(case, drawn.place);
    }
}

/// Raises a case for the room to decide at every place left out of a round that is over, once each. Where a card lies
/// that was dealt by mistake, or cards that lay there were put away, that is the finding.
pub(crate) fn check_omitted(case: &'static Case, context: &Context<'_>, findings: &mut Findings<'_>) {
    let has_misdealt = |place: &Place| context.state.pass.lying_at(*place).iter().any(|held| held.misdealt);
    let was_put_away = |place: &Place| match place {
        Place::Hand(id) => context.state.pass.hand(*id).is_some_and(Hand::was_put_away),
        _ => false,
    };
    for place in omitted(context).into_iter().filter(|place| !has_misdealt(place) && !was_put_away(place)) {
        if let Some(raised) = findings.raise_once(case, place) {
            raised.part(Part::Rule);
            match place {
                Place::Hand(id) => raised.stands(Effect::AsItIs(id)),
                _ => raised.stands(Effect::BankAsItIs),
            };
        }
    }
}

/// Where the bank's second card comes after play: who was left out of a round that this event ends, the bank included.
fn omitted(context: &Context<'_>) -> Vec<Place> {
    let state = context.state;
    let role = context.meaning.drawn.map(|drawn| drawn.role);
    let strict = context.settings.delivery.strict_rounds;
    let second_begins = strict && role == Some(Role::Second) && !state.pass.is_in_second_delivery();
    let first_ends = (strict && role == Some(Role::BankFirst)) || second_begins;
    let mut left_out: Vec<Place> = Vec::new();
    if first_ends || context.meaning.begins_play {
        left_out.extend(state.pass.hands_with(Status::First).map(Place::from));
    }
    if context.meaning.begins_play {
        left_out.extend(state.pass.hands_with(Status::Second).map(Place::from));
    }
    if (second_begins || context.meaning.begins_play) && state.pass.bank.served == 0 {
        left_out.push(Place::Bank);
    }
    left_out
}

/// The cards of a delivery.
pub(crate) const ON: &[On] =
    &[On::Card(Role::First), On::Card(Role::Second), On::Card(Role::BankFirst), On::Card(Role::BankSecond)];
