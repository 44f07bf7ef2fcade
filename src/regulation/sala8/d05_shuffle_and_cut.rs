//! D5. Shuffle and cut.

use super::prelude::*;
use crate::table::event::Permit;

/// D5: shuffle and cut.
pub static ARTICLE: Article = Article {
    id: "D5",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Mezcla y corte", en: "Shuffle and cut" },
    gist: Bi {
        es: "Se mezcla con autorización del inspector o del jefe de mesa; antes de armar el sabot corta un apostador.",
        en: "Cards are shuffled on the authority of the inspector or the table chief; before the shoe is loaded a bettor cuts.",
    },
    readings: &[],
    cases: &[
        Bi { es: "se mezcló sin autorización", en: "shuffled without an authorisation" },
        Bi { es: "se armó el sabot sin que un apostador cortara", en: "the shoe was loaded without a bettor's cut" },
    ],
    on: &[Kind::Shuffle, Kind::Load],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    let state = scene.state;
    match scene.event {
        Event::Shuffle { .. } if !state.permits.has(Permit::Shuffle) => {
            docket.raise(0, None);
        }
        Event::Load { .. } if !state.cut && (state.shuffled.is_some() || state.shoe.is_some()) => {
            docket.raise(1, None);
        }
        _ => {}
    }
}
