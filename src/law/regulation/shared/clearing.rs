//! Cards are cleared in the order of the boxes, the bank's last (D9, G20).

use crate::regulation::prelude::*;

/// The place whose cards should have been cleared before those that a `move` takes to the discard tray.
pub(in crate::regulation) fn out_of_order(scene: &Scene<'_>) -> Option<Place> {
    let Event::Move { from, to: Place::Discard, .. } = scene.event else { return None };
    if !scene.clearing || scene.taking.count() == 0 {
        return None;
    }
    let lying = scene.state.marked(Mark::Cards);
    match from {
        Place::Hand(id) => lying.before(*id).first().map(Place::from),
        Place::Bank => lying.first().map(Place::from),
        _ => scene.state.first_place_with_cards(),
    }
}
