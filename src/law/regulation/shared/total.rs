//! Totals announced (D9, T-Q6, T-Q9, G2, K8).

use crate::regulation::prelude::*;
use crate::table::event::Announcement;

/// The place whose total was announced wrongly. While a card lies covered nothing is said of its total.
pub(crate) fn wrong(context: &Context<'_>) -> Option<Place> {
    let Event::Announce { what: Announcement::Total, place: Some(place), value: Some(value) } = context.event else {
        return None;
    };
    let state = context.state;
    let wrong = match place {
        Place::Bank => {
            let bank = &state.pass.bank;
            !bank.is_hidden() && bank.total().is_some_and(|total| u32::from(total) != *value)
        }
        Place::Hand(id) => {
            state.pass.hand(*id).filter(|hand| !hand.is_covered() && !hand.may_be_split()).is_some_and(|hand| {
                hand.called(context.settings).is_some_and(|called| !called.map(u32::from).contains(value))
            })
        }
        _ => false,
    };
    wrong.then_some(*place)
}
