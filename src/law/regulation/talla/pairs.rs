//! What the articles on splitting share: when a split is refused, and a ten beside a figure.

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::regulation::shared::split::{self, Asked, Reason, Refused};
use crate::regulation::shared::turns;
use crate::table::settings::Pairs;

/// A split asked for. Chips that are put back or taken off ask for none (T-N5).
pub(super) fn asked(context: &Context<'_>) -> Option<Asked> {
    let split_by = |id| context.state.pass.hand(id).map_or(0, |hand| hand.split_by);
    split::asked(context).filter(|asked| asked.chips.is_none_or(|amount| amount > split_by(asked.id)))
}

/// A split that may not be for that reason, its hand still being played.
pub(super) fn refused(reason: Reason, context: &Context<'_>) -> Option<Refused> {
    asked(context).filter(|asked| !comes_late(*asked, context))?;
    split::refused(context).filter(|refused| refused.reason == reason)
}

/// A new split of two cards whose play is over.
pub(super) fn comes_late(asked: Asked, context: &Context<'_>) -> bool {
    let hand = context.state.pass.hand(asked.id).filter(|hand| hand.count() == 2 && !asked.follows);
    let is_over = |hand: &Hand| turns::has_stood(hand, context) || hand.void || hand.is_closed();
    hand.is_some_and(is_over) && !has_ten_with_figure(asked.id, context)
}

/// A hand's two cards count ten each and are no pair by their number.
pub(super) fn has_ten_with_figure(id: HandId, context: &Context<'_>) -> bool {
    context.state.pass.hand(id).is_some_and(|hand| hand.is_pair(Pairs::Value) && !hand.is_pair(Pairs::Figures))
}
