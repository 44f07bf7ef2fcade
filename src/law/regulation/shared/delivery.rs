//! The order and the face of the cards of a delivery (D8, T-Q2, G6, K5, K9), and who was left out of it.

use alloc::vec::Vec;

use crate::regulation::prelude::*;

/// The hands passed over by a card to a later one in the same round, and that round: 0 or 1.
pub(in crate::regulation) fn passed_over(scene: &Scene<'_>) -> Option<(usize, impl Iterator<Item = Place>)> {
    let drawn = scene.drawn?;
    let (round, waits) = match drawn.role {
        Role::First => (0, Mark::First),
        Role::Second => (1, Mark::Second),
        _ => return None,
    };
    let to = drawn.hand()?;
    Some((round, scene.state.marked(waits).before(to).map(Place::from)))
}

/// Raises, at every place passed over, the case of the round, the first of two, once each: a notice.
pub(in crate::regulation) fn check_order(cases: [usize; 2], scene: &Scene<'_>, docket: &mut Docket<'_>) {
    // a box left out of a round that is over was left to the room
    let late = scene.state.pass.playing || (scene.state.pass.second && is_first(scene));
    if let Some((round, places)) = passed_over(scene).filter(|_| scene.settings.bank_is_covered() || !late) {
        for place in places {
            if !docket.knows(cases[round], place) {
                docket.raise(cases[round], place).severity(Severity::Notice);
            }
        }
    }
}

fn is_first(scene: &Scene<'_>) -> bool {
    scene.drawn.is_some_and(|drawn| drawn.role == Role::First)
}

/// Raises a case, a notice, where a card of the delivery that belongs face up lies face down.
pub(in crate::regulation) fn check_face(case: usize, scene: &Scene<'_>, docket: &mut Docket<'_>) {
    if let Some(drawn) = scene.drawn.filter(|drawn| drawn.is_down()) {
        docket.raise(case, drawn.place).severity(Severity::Notice);
    }
}

/// Where the bank's second card comes after play: who was left out of a round that this event ends, the bank included.
pub(in crate::regulation) fn omitted(scene: &Scene<'_>) -> Vec<Place> {
    let state = scene.state;
    let role = scene.drawn.map(|drawn| drawn.role);
    let second_begins = role == Some(Role::Second) && !state.pass.second;
    let first_ends = role == Some(Role::BankFirst) || second_begins;
    let mut left_out: Vec<Place> = Vec::new();
    if first_ends || scene.begins_play {
        left_out.extend(state.marked(Mark::First).map(Place::from));
    }
    if scene.begins_play {
        left_out.extend(state.marked(Mark::Second).map(Place::from));
    }
    if (second_begins || scene.begins_play) && state.pass.bank.served == 0 {
        left_out.push(Place::Bank);
    }
    left_out
}

/// The cards of a delivery.
pub(in crate::regulation) const ON: &[On] =
    &[On::Card(Role::First), On::Card(Role::Second), On::Card(Role::BankFirst), On::Card(Role::BankSecond)];
