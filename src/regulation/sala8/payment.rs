//! What F1, F2 and O3 share: a main bet paid something other than it is owed.

use crate::regulation::prelude::*;
use crate::table::Outcome;

/// A main bet that wins and was paid something else.
pub(super) struct Owing {
    /// Which.
    pub(super) place: Place,
    /// How it won.
    pub(super) outcome: Outcome,
    /// On a split ace.
    pub(super) split_ace: bool,
}

/// A payment after which a winning main bet has had more or less than it is owed.
pub(super) fn underpaid(scene: &Scene<'_>) -> Option<Owing> {
    let Event::Pay { hand: id, amount, spot } = scene.event else { return None };
    if *spot == BetSpot::Insurance || scene.state.guesses() {
        return None;
    }
    let hand = scene.state.hand(*id)?;
    let owed = scene.owed?;
    let wrong = owed.pay > 0 && hand.paid.saturating_add(*amount) != owed.pay;
    wrong.then(|| Owing { place: Place::from(*id), outcome: owed.outcome, split_ace: hand.is_split_ace() })
}
