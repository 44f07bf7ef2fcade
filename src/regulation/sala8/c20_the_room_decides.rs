//! C20. The room decides.

use super::prelude::*;
use crate::procedure::cards::Held;
use crate::procedure::state::Standing;
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
    if let Some(place) = not_provided_for(scene) {
        docket.raise(1, place).part(Part::Rule);
    }
    if let Event::Report { provision: None, place, .. } = scene.event {
        docket.raise(0, *place).part(Part::Rule);
    }
}

/// What no other article names, and where it happened (`None` where that is no place).
fn not_provided_for(scene: &Scene<'_>) -> Option<Option<Place>> {
    let state = scene.state;
    let no_bet = |id: HandId| state.betting_box(id.box_no).is_none_or(|b| b.standing == Standing::None);
    match scene.event {
        Event::Decide { hand, choice: Choice::Surrender | Choice::EvenMoney, .. } => Some(Some(Place::from(*hand))),
        Event::Decide { hand, .. } | Event::Collect { hand, .. } | Event::Pay { hand, .. } if no_bet(*hand) => {
            Some(Some(Place::from(*hand)))
        }
        Event::Pay { hand: id, amount, .. } if *amount > 0 => {
            state.hand(*id).filter(|hand| hand.void).map(|_| Some(Place::from(*id)))
        }
        Event::Collect { hand: id, amount, spot } if *spot != BetSpot::Insurance && !state.guesses() => {
            let hand = state.hand(*id)?;
            let owed = scene.owed?;
            let wrong = hand.void || (owed.lost > 0 && hand.collected.saturating_add(*amount) != owed.lost);
            wrong.then_some(Some(Place::from(*id)))
        }
        Event::Collect { hand, .. } | Event::Pay { hand, .. } if state.pass.open && !state.pass.dealing => {
            Some(Some(Place::from(*hand)))
        }
        Event::Reveal { at, card: Some(card) } if contradicts(state.lying_at(*at), *card) => Some(Some(*at)),
        Event::Choose { hand, .. } if !scene.offered => Some(Some(Place::from(*hand))),
        Event::Reveal { at: Place::Hand(id), .. } if state.lying_at(Place::Hand(*id)).is_empty() => {
            Some(Some(Place::from(*id)))
        }
        Event::Move { from, to, .. } => {
            let back = !matches!(to, Place::Burn | Place::Discard) && scene.taking.count() > 0;
            let burned = *to == Place::Burn && scene.taking.due > to_burn(scene, *from);
            (back || burned).then_some(Some(*from))
        }
        Event::End {} if !state.pass.open => Some(None),
        _ => None,
    }
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

/// A card turned up that is none of those that were dealt covered.
fn contradicts(lying: &[Held], card: Card) -> bool {
    let mut covered = lying.iter().filter(|held| held.down).peekable();
    covered.peek().is_some() && covered.all(|held| held.card != card && held.card != Card::UNREAD)
}
