//! C9. Eleven without its card.

use super::prelude::*;
use crate::table::event::Taken;

/// C9: eleven without its card.
pub static ARTICLE: Article = Article {
    id: "C9",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Once sin carta", en: "Eleven without its card" },
    gist: Bi {
        es: "Al que tenía once y debía doblar y no recibió carta se le da a elegir: retirar la apuesta o recibir la próxima carta.",
        en: "A bettor with eleven who was to double and got no card may choose: withdraw the bet, or take the next card.",
    },
    readings: &[],
    cases: &[Bi {
        es: "el {place} dobló y no recibió su carta: ofrecerle retirar la apuesta o la próxima carta",
        en: "{place} doubled and got no card: offer to withdraw the bet or take the next card",
    }],
    on: &[Kind::Draw],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    let Some(drawn) = scene.drawn.filter(|_| scene.state.pass.doubled) else { return };
    for (id, _) in scene.state.hands().filter(|(_, hand)| hand.waits_for_double()) {
        if drawn.place != Some(Place::from(id)) && !docket.knows(0, Place::from(id)) {
            docket.raise(0, Place::from(id)).offer(id, [Taken::Withdraw, Taken::NextCard]);
        }
    }
}
