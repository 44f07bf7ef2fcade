//! How many decks there are, and a card that comes out more often (M1, G1, A2, K1).

use crate::regulation::prelude::*;
use crate::table::card::DECK;

/// Whether a shuffle or a load, not in the middle of a pass, tells of fewer decks than there must be.
pub(in crate::regulation) fn too_few(scene: &Scene<'_>) -> bool {
    let fewest = scene.settings.decks.min;
    told(scene).is_some_and(|(decks, cards)| decks.is_some_and(|decks| decks < fewest) || cards < fewest * DECK as u32)
}

/// Whether one tells of more.
pub(in crate::regulation) fn too_many(scene: &Scene<'_>) -> bool {
    let most = scene.settings.decks.max;
    let all = most.saturating_mul(DECK as u32);
    told(scene).is_some_and(|(decks, cards)| decks.is_some_and(|decks| decks > most) || cards > all)
}

fn told(scene: &Scene<'_>) -> Option<(Option<u32>, u32)> {
    let makeshift = !scene.settings.bank_is_covered() && scene.state.pass.dealing;
    match scene.event {
        Event::Shuffle { decks, cards } if !makeshift => Some((Some(*decks), *cards)),
        Event::Load { cards, .. } if !makeshift => Some((None, *cards)),
        _ => None,
    }
}

/// Raises a case, as a matter of integrity, for a card that had already come out as often as there are decks.
pub(in crate::regulation) fn check_card(case: usize, scene: &Scene<'_>, docket: &mut Docket<'_>) {
    if let Event::Draw { card, .. } = scene.event
        && scene.state.exceeds_decks(*card)
    {
        let raised = docket.raise(case, None).severity(Severity::Integrity).part(Part::Rule);
        if scene.drawn.is_some_and(|drawn| !drawn.is_down() && !drawn.must_burn()) {
            raised.card(*card);
        }
    }
}
