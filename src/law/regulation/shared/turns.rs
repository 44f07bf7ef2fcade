//! Hands are played one after the other (D9, T-Q3, G8, K5).

use crate::procedure::context::on_insurance;
use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::table::event::{Choice, Question};

/// The hand that an ask, a decision or a card of play is for.
pub(crate) fn acting(context: &Context<'_>) -> Option<HandId> {
    match context.event {
        Event::Ask { hand, about } if *about != Question::Insurance => Some(*hand),
        Event::Decide { hand, choice, .. }
            if *choice != Choice::EvenMoney && !on_insurance(context.state, *hand, *choice) =>
        {
            Some(*hand)
        }
        Event::Draw { .. } => {
            let drawn = context.meaning.drawn.filter(|drawn| {
                matches!(drawn.role, Role::Hit | Role::Unasked | Role::Double | Role::SplitSecond | Role::NotDue)
            });
            drawn.and_then(|drawn| drawn.hand())
        }
        _ => None,
    }
}

/// It has stood, for all to hear: neither chips nor words open its play again.
pub(crate) fn has_stood(hand: &Hand, context: &Context<'_>) -> bool {
    hand.stood && context.state.observes.decisions
}

/// The hands that play before it and are not complete; none where the delivery is not over.
pub(crate) fn passed_over(to: HandId, context: &Context<'_>) -> impl Iterator<Item = HandId> {
    let state = context.state;
    // hardly ever is there one
    let is_played = move || state.delivered() && state.pass.hand(to).is_some_and(|hand| !hand.void);
    state.not_complete().before(to).filter(move |_| is_played())
}

/// The hands still to be played, in order: a box whose second card of the delivery waits for a finding too (C4).
pub(crate) fn unfinished(context: &Context<'_>) -> impl Iterator<Item = HandId> {
    let pass = &context.state.pass;
    let is_asked = |id: HandId| {
        let mut parts = context.duties.parts_awake();
        parts.any(|part| *part == Part::AskConsent(id) || *part == Part::Serve(id.into()))
    };
    let completing = pass.hands_with(Status::Second).that(is_asked);
    pass.hands_with(Status::Unfinished).and(completing)
}

/// Raises a case at every hand passed over, once each.
pub(crate) fn check(case: &'static Case, context: &Context<'_>, findings: &mut Findings<'_>) {
    let Some(to) = acting(context) else { return };
    for id in passed_over(to, context) {
        findings.raise_once(case, Place::from(id));
    }
}

/// The events and cards an article on turns has to look at.
pub(crate) const ON: &[On] = &[
    On::Card(Role::Hit),
    On::Card(Role::Unasked),
    On::Card(Role::Double),
    On::Card(Role::SplitSecond),
    On::Card(Role::NotDue),
    On::Event(Kind::Ask),
    On::Event(Kind::Decide),
];
