//! Cards are cleared in the order of the boxes, the bank's last (D9, G20).

use crate::regulation::prelude::*;

/// The place whose cards should have been cleared before those that a `move` takes to the discard tray.
pub(crate) fn out_of_order(context: &Context<'_>) -> Option<Place> {
    let Event::Move { from, to: Place::Discard, .. } = context.event else { return None };
    if !context.meaning.clearing || context.meaning.removal.count() == 0 {
        return None;
    }
    let lying = context.state.pass.hands_with(Status::Cards);
    match from {
        Place::Hand(id) => lying.before(*id).first().map(Place::from),
        Place::Bank => lying.first().map(Place::from),
        _ => context.state.pass.first_place_with_cards(),
    }
}
