//! What O2 and O3 share: opening a pair where it may not be opened.

use super::prelude::*;
use crate::table::Cents;
use crate::table::event::Choice;

/// A split that may not be.
pub(super) struct RefusedSplit {
    id: HandId,
    case: usize,
    back: Cents,
    /// Of aces: O3 judges it, not O2.
    pub(super) aces: bool,
}

impl RefusedSplit {
    /// What is done while the chips are still to be returned is the same breach.
    pub(super) fn raise(&self, scene: &Scene<'_>, docket: &mut Docket<'_>) {
        if returning(scene, self.id, BetSpot::Split) {
            docket.again();
        } else {
            docket.raise(self.case, Place::from(self.id)).give_back(self.id, BetSpot::Split, self.back).no_effect();
        }
    }
}

/// Chips on the split spot, or the word, without a pair, for a second time, or not equal to the stake.
pub(super) fn refused_split(scene: &Scene<'_>) -> Option<RefusedSplit> {
    let state = scene.state;
    let (id, chips) = match scene.event {
        Event::Bet { hand, spot: BetSpot::Split, amount, .. }
            if *amount > 0 && *amount != state.lies_on(*hand, BetSpot::Split) =>
        {
            (*hand, Some(*amount))
        }
        Event::Decide { hand, choice: Choice::Split, .. } => (*hand, None),
        _ => return None,
    };
    let betting_box = state.betting_box(id.box_no)?;
    let first = betting_box.first();
    let said = if chips.is_some() { betting_box.splits_paid } else { betting_box.splits_chosen };
    let follows = betting_box.splits() > said && usize::from(id.hand) == betting_box.split_last;
    let pairs = scene.settings.pairs;
    let aces = state.hand(id).is_some_and(|hand| hand.begins_with_ace() && (hand.is_pair(pairs) || follows));
    let is_pair = first.is_pair(pairs) || first.is_covered();
    let may = follows || (betting_box.hands_in_play == 1 && !first.void && is_pair);
    let case = match chips {
        _ if !may => 0,
        Some(amount) if amount != first.stake => 1,
        _ => return None,
    };
    Some(RefusedSplit { id, case, back: state.counted(id, BetSpot::Split), aces })
}
