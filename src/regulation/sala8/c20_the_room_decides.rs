//! C20. The room decides.

use super::prelude::*;
use crate::procedure::cards::Held;
use crate::table::Card;
use crate::table::event::Choice;

/// C20: the room decides.
pub static ARTICLE: Article = Article {
    id: "C20",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Decide la sala", en: "The room decides" },
    gist: Bi {
        es: "Las dudas y lo no previsto los resuelven las autoridades de la sala.",
        en: "Doubts and what is not provided for are decided by the room's authorities.",
    },
    raised: Bi {
        es: "Con lo que ningún artículo prevé, y con todo informe (`report`) que no nombra un artículo.",
        en: "At what no article provides for, and at every report (`report`) that names no article.",
    },
    remedy: Bi {
        es: "Esperar la decisión de la sala (`rule`): anular, dar por perdida, dejar como está o seguir.",
        en: "Wait for the room's decision (`rule`): void, lost, stands, or resume.",
    },
    settings: &[],
    example: include_str!("../../../docs/handbook/sala-8/examples/C20/violating-reported.jsonl"),
    file: file!(),
    readings: &[],
    cases: &[
        Bi {
            es: "informado por una persona: decide la sala ({place})",
            en: "reported by a person: the room decides ({place})",
        },
        Bi { es: "caso no previsto: decide la sala ({place})", en: "not provided for: the room decides ({place})" },
    ],
    on: &[
        On::Event(Kind::Reveal),
        On::Event(Kind::Move),
        On::Event(Kind::Collect),
        On::Event(Kind::Pay),
        On::Event(Kind::Decide),
        On::Event(Kind::Choose),
        On::Event(Kind::Report),
        On::Event(Kind::End),
    ],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    if docket.raised.is_empty()
        && let Some(place) = not_provided_for(scene)
    {
        docket.raise(1, place).part(Part::Rule);
    }
    if let Event::Report { provision: None, place, .. } = scene.event {
        docket.raise(0, *place).part(Part::Rule);
    }
}

/// What no other article names, and where it happened (`None` where that is no place).
fn not_provided_for(scene: &Scene<'_>) -> Option<Option<Place>> {
    let state = scene.state;
    let at = |place: Place, unforeseen: bool| unforeseen.then_some(Some(place));
    match scene.event {
        Event::Decide { hand, choice, .. } => {
            let unknown = matches!(choice, Choice::Surrender | Choice::EvenMoney);
            at(Place::from(*hand), unknown || state.hand(*hand).is_none_or(|hand| hand.count() == 0 && !hand.void))
        }
        Event::Pay { hand, .. } | Event::Collect { hand, .. } => at(Place::from(*hand), is_odd_money(scene)),
        Event::Choose { hand, .. } => at(Place::from(*hand), !scene.offered),
        Event::Reveal { at: place, card } => at(*place, is_odd_reveal(scene, *place, *card)),
        Event::Move { from, to, .. } => {
            let back = !matches!(to, Place::Burn | Place::Discard) && scene.taking.count() > 0;
            let burned = *to == Place::Burn && scene.taking.due > to_burn(scene, *from);
            at(*from, back || burned)
        }
        Event::End {} if !state.pass.open => Some(None),
        _ => None,
    }
}

/// Money for a bet that is not there, is without effect, or cannot be settled yet; a loser's stake taken in part.
fn is_odd_money(scene: &Scene<'_>) -> bool {
    let state = scene.state;
    let (Event::Pay { hand, amount, spot } | Event::Collect { hand, amount, spot }) = scene.event else { return false };
    let Some(hand) = state.hand(*hand).filter(|_| state.pass.dealing) else { return true };
    if *spot == BetSpot::Insurance {
        return hand.insurance == 0;
    }
    let collects = matches!(scene.event, Event::Collect { .. });
    let in_part = || {
        let owed = scene.owed.filter(|_| collects && !state.guesses());
        owed.is_some_and(|owed| owed.lost > 0 && hand.collected.saturating_add(*amount) != owed.lost)
    };
    (hand.void && *amount > 0) || in_part()
}

/// A card turned up that is none of those dealt covered, where no card lies, or a doubled one before the bank has
/// finished (O1).
fn is_odd_reveal(scene: &Scene<'_>, place: Place, card: Option<Card>) -> bool {
    let state = scene.state;
    let early = match place {
        Place::Hand(id) => {
            let doubled = state.hand(id).is_some_and(|hand| hand.doubled && hand.is_covered());
            state.lying_at(place).is_empty() || (doubled && !state.bank_is_defined(scene.settings))
        }
        _ => false,
    };
    early || card.is_some_and(|card| contradicts(state.lying_at(place), card))
}

/// Cards some duty wants burned from a place.
fn to_burn(scene: &Scene<'_>, from: Place) -> usize {
    let parts = scene.duties.iter().flat_map(|duty| &duty.parts);
    parts
        .map(|part| match part {
            Part::Burn { place, left } if *place == from => *left,
            Part::AskConsent(hand) if Place::from(*hand) == from => usize::MAX / 64,
            _ => 0,
        })
        .sum()
}

/// Cards lie covered, and none of them is this one.
fn contradicts(lying: &[Held], card: Card) -> bool {
    let mut covered = lying.iter().filter(|held| held.down).peekable();
    covered.peek().is_some() && covered.all(|held| held.card != card && held.card != Card::UNREAD)
}
