//! C19. Change of decks.

use super::prelude::*;
use crate::table::event::Permit;

/// C19: change of decks.
pub static ARTICLE: Article = Article {
    id: "C19",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Cambio de mazos", en: "Change of decks" },
    gist: Bi {
        es: "El inspector puede cambiar los mazos cuando lo crea conveniente; sin su orden no se cambia un sabot en juego.",
        en: "The inspector may change the decks when he sees fit; without his order a shoe in play is not changed.",
    },
    readings: &[],
    cases: &[Bi {
        es: "se cambian los mazos de un sabot en juego sin orden del inspector",
        en: "the decks of a shoe in play are changed without the inspector's order",
    }],
    on: &[Kind::Shuffle, Kind::Load],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    let in_play = scene.state.shoe.as_ref().is_some_and(|shoe| !shoe.cut_card_out);
    if in_play && !scene.state.permits.has(Permit::DeckChange) {
        docket.raise(0, None);
    }
}
