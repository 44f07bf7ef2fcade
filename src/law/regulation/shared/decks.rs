//! How many decks there are, and a card that comes out more often (M1, G1, A2, K1).

use crate::regulation::prelude::*;
use crate::table::Card;
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

/// What a shuffle or a load tells, but for the retired cards that are shuffled to complete a play. Of a load of what
/// was shuffled nothing is new.
fn deck_counts(context: &Context<'_>) -> Option<(Option<u32>, u32)> {
    let makeshift = context.settings.reshuffles() && context.state.pass.is_dealt();
    match context.event {
        Event::Shuffle { decks, cards } if !makeshift => Some((Some(*decks), *cards)),
        Event::Load { cards, .. } if !makeshift && context.state.supply.shuffled_cards() != Some(*cards) => {
            Some((None, *cards))
        }
        _ => None,
    }
}

/// Whether a load is of another number of cards than was shuffled or, without a shuffle, of fewer than the decks have.
pub(crate) fn wrongly_loaded(context: &Context<'_>) -> bool {
    let Event::Load { cards, .. } = context.event else { return false };
    match context.state.supply.shuffled_cards() {
        Some(shuffled) => *cards != shuffled,
        None => *cards < context.settings.decks.min * DECK as u32,
    }
}

/// Raises a case for a card that has already been seen face up as often as there are decks, when it is seen so again.
pub(crate) fn check_card(case: &'static Case, context: &Context<'_>, findings: &mut Findings<'_>) {
    // what is found at a draw names its card in any case
    let mut look_at = |card: Card, place: Option<Place>, turned: Option<Card>| {
        if context.state.supply.exceeds_decks(card) {
            findings.raise(case, place).part(Part::Rule).cards.extend(turned);
        }
    };
    match (context.event, context.meaning.drawn) {
        (Event::Draw { card, .. }, Some(drawn)) if drawn.is_seen() => {
            look_at(*card, drawn.place, None);
        }
        (Event::Reveal { at, card: Some(card) }, _) if !context.meaning.turns_up && !context.state.pass.guesses() => {
            look_at(*card, Some(*at), Some(*card));
        }
        (Event::Reveal { at, card }, _) => {
            for card in context.state.pass.uncovered_by(*at, *card) {
                look_at(card, Some(*at), Some(card));
            }
        }
        _ => {}
    }
}

/// The events at which a card is seen.
pub(crate) const ON: &[On] = &[On::Event(Kind::Draw), On::Event(Kind::Reveal)];
