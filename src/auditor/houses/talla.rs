//! `talla`: delivery, play and the bank. Rows for a card come in the order in which they may claim it.

use crate::facts::View;
use crate::log::Place;
use crate::rows::Row;

/// The house's rows.
pub(super) fn rows() -> Vec<&'static Row> {
    Vec::new()
}

/// Where the next card belongs.
pub(super) fn due(view: &View) -> Option<Place> {
    let served = view.hands().into_iter().chain([Place::Bank]).find(|place| view.is_asked_for(*place));
    let awaited = || view.playing().into_iter().find(|hand| view.awaits_card(*hand));
    let is_needed = || view.playing().into_iter().any(|hand| view.is_at_stake(hand));
    let bank = || (view.turn().is_none() && !view.bank_is_final() && is_needed()).then_some(Place::Bank);
    served.or_else(|| view.waiting().first().copied()).or_else(awaited).or_else(bank)
}
