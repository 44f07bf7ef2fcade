//! Cards are cleared in the order of the boxes, the bank's last (D9, G20).

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;

/// The place whose cards should have been cleared before those that a `move` takes to the discard tray.
pub(crate) fn out_of_order(context: &Context<'_>) -> Option<Place> {
    let Event::Move { from, to: Place::Discard, .. } = context.event else { return None };
    if !context.meaning.clearing || context.meaning.removal.count() == 0 {
        return None;
    }
    let lying = context.state.pass.hands_with(Status::Cards);
    match from {
        Place::Hand(id) => {
            let mut before = lying.before(*id);
            before.find(|other| other.box_no != id.box_no || is_order_known(context, *id)).map(Place::from)
        }
        Place::Bank => lying.first().map(Place::from),
        _ => context.state.pass.first_place_with_cards(),
    }
}

/// Whether it is known which hand of the box stands beside which: of three or more, that hangs on which one was opened
/// again, and an unread card may have been one of the pair.
fn is_order_known(context: &Context<'_>, id: HandId) -> bool {
    let hands = context.state.pass.betting_box(id.box_no).map_or(&[][..], |betting_box| betting_box.in_play());
    hands.len() < 3 || !hands.iter().any(Hand::is_unread)
}
