//! How many decks there are, and a card that comes out more often (M1, G1, A2, K1).

use crate::regulation::prelude::*;
use crate::table::card::DECK;

/// Whether a shuffle or a load tells of fewer decks than there must be.
pub(crate) fn too_few(context: &Context<'_>) -> bool {
    let fewest = context.settings.decks.min;
    deck_counts(context)
        .is_some_and(|(decks, cards)| decks.is_some_and(|decks| decks < fewest) || cards < fewest * DECK as u32)
}

/// Whether a shuffle or a load tells of more decks than there may be.
pub(crate) fn too_many(context: &Context<'_>) -> bool {
    let most = context.settings.decks.max;
    let all = most.saturating_mul(DECK as u32);
    deck_counts(context).is_some_and(|(decks, cards)| decks.is_some_and(|decks| decks > most) || cards > all)
}

fn deck_counts(context: &Context<'_>) -> Option<(Option<u32>, u32)> {
    let makeshift = !context.settings.bank_is_covered() && context.state.pass.is_dealt();
    match context.event {
        Event::Shuffle { decks, cards } if !makeshift => Some((Some(*decks), *cards)),
        Event::Load { cards, .. } if !makeshift => Some((None, *cards)),
        _ => None,
    }
}

/// Raises a case, as a matter of integrity, for a card that had already come out as often as there are decks.
pub(crate) fn check_card(case: &'static Case, context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Event::Draw { card, .. } = context.event
        && context.state.supply.exceeds_decks(*card)
    {
        let raised = findings.raise(case, None).severity(Severity::Integrity).part(Part::Rule);
        if context.meaning.drawn.is_some_and(|drawn| !drawn.is_down() && !drawn.must_burn()) {
            raised.card(*card);
        }
    }
}
