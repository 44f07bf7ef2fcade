//! D5. Shuffle and cut.

use crate::regulation::prelude::*;
use crate::table::event::Permit;

pub(super) static ARTICLE: Article = Article {
    id: "D5",
    title: Bi { es: "Mezcla y corte", en: "Shuffle and cut" },
    gist: Bi {
        es: "Se mezcla con autorización del inspector o del jefe de mesa; antes de armar el sabot corta un apostador.",
        en: "Cards are shuffled on the authority of the inspector or the table chief; before the shoe is loaded a bettor cuts.",
    },
    raised: Bi {
        es: "Al terminar una mezcla que no tenía autorización propia (cada autorización sirve para una sola mezcla), y al armar el sabot sin un corte posterior a la mezcla.",
        en: "When a shuffle has finished that had no authorisation of its own (each serves one shuffle), and when the shoe is loaded without a cut since the shuffle.",
    },
    remedy: Bi {
        es: "No hay nada que deshacer: queda asentado y el pase sigue.",
        en: "There is nothing to undo: it is on record and the pass goes on.",
    },
    cases: &[&SHUFFLED_WITHOUT_PERMIT, &LOADED_WITHOUT_CUT],
    on: &[On::Event(Kind::Shuffle), On::Event(Kind::Load)],
    needs: Facts::of(&[Shuffles]),
    check,
    ..Article::enforced(file!())
};

static SHUFFLED_WITHOUT_PERMIT: Case =
    Case { es: "se mezcló sin autorización", en: "shuffled without an authorisation" };

static LOADED_WITHOUT_CUT: Case =
    Case { es: "se armó el sabot sin que un apostador cortara", en: "the shoe was loaded without a bettor's cut" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    match context.event {
        Event::Shuffle { .. } if !state.permits.has(Permit::Shuffle) => {
            findings.raise(&SHUFFLED_WITHOUT_PERMIT, None);
        }
        Event::Load { .. } if !state.supply.is_cut() && state.supply.shuffled().is_some() => {
            findings.raise(&LOADED_WITHOUT_CUT, None);
        }
        _ => {}
    }
}
