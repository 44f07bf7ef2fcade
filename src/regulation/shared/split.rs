//! Opening a pair where it may not be opened (O2, O3, T-P1 to T-P5, G13).

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::table::Cents;
use crate::table::event::Choice;

/// Why a split may not be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::regulation) enum Why {
    /// Its cards are no pair.
    NoPair,
    /// The box is split into as many hands as it may be.
    Limit,
    /// The chips are not another equal stake.
    Amount,
}

/// A split that may not be.
#[derive(Debug, Clone, Copy)]
pub(in crate::regulation) struct Refused {
    /// Which hand.
    pub(in crate::regulation) id: HandId,
    /// Why.
    pub(in crate::regulation) why: Why,
    /// What may go on lying on the spot.
    back: Cents,
    /// A pair of aces, or one just split.
    pub(in crate::regulation) aces: bool,
}

impl Refused {
    /// What is done while the chips are still to be returned is the same breach.
    pub(in crate::regulation) fn raise(&self, case: usize, scene: &Scene<'_>, docket: &mut Docket<'_>) {
        if returning(scene, self.id, BetSpot::Split) {
            docket.again();
        } else {
            docket.raise(case, Place::from(self.id)).give_back(self.id, BetSpot::Split, self.back).no_effect();
        }
    }
}

/// Chips on the split spot, or the word, where it may not be; chips that follow the word, or the word the chips, are the
/// same split.
pub(in crate::regulation) fn refused(scene: &Scene<'_>) -> Option<Refused> {
    let (state, settings) = (scene.state, scene.settings);
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
    let said = if chips.is_some() { betting_box.splits_paid } else { betting_box.splits_chosen };
    let follows = betting_box.splits() > said && usize::from(id.hand) == betting_box.split_last;
    let hand = state.hand(id);
    let is_pair = |hand: &Hand| hand.is_pair(settings.pairs);
    let aces = hand.is_some_and(|hand| hand.begins_with_ace() && (is_pair(hand) || follows));
    let full = betting_box.hands_in_play >= usize::from(settings.max_hands);
    let opens = hand.is_some_and(|hand| !hand.void && (is_pair(hand) || hand.is_covered()));
    let why = match chips {
        _ if follows => None,
        _ if !opens => Some(Why::NoPair),
        _ if full => Some(Why::Limit),
        _ => None,
    };
    let added = |amount: Cents| amount.saturating_sub(hand.map_or(0, |hand| hand.split_by));
    let wrong_amount =
        || chips.is_some_and(|amount| Some(added(amount)) != hand.map(|hand| hand.stake)).then_some(Why::Amount);
    let why = why.or_else(wrong_amount)?;
    Some(Refused { id, why, back: state.counted(id, BetSpot::Split), aces })
}

/// What an article on splitting has to look at.
pub(in crate::regulation) const ON: &[On] = &[On::Bet(BetSpot::Split), On::Decide(Choice::Split)];
