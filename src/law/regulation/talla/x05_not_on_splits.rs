//! T-X5. No double on a split hand.

use crate::regulation::prelude::*;
use crate::regulation::shared::double;

pub(super) static ARTICLE: Article = Article {
    id: "T-X5",
    title: Bi { es: "Sin doble en juegos abiertos", en: "No double on a split hand" },
    gist: Bi { es: "En juegos abiertos no se dobla.", en: "Split hands are not doubled." },
    raised: Bi {
        es: "Al poner fichas para doblar o decidir doblar en una mano abierta.",
        en: "When chips are put to double, or doubling is decided, on a split hand.",
    },
    remedy: Bi {
        es: "Devolver lo puesto para doblar: el doble no vale.",
        en: "Return what was put to double: the double does not count.",
    },
    settings: &["double_after_split"],
    cases: &[&SPLIT_HAND],
    on: double::ON,
    needs: Facts::of(&[Choices, Hands]),
    check,
    ..Article::enforced(file!())
};

static SPLIT_HAND: Case =
    Case { es: "el {place} es un juego abierto: no puede doblar", en: "{place} is a split hand: it may not double" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let refused =
        double::refused(context).filter(|(id, _)| context.state.pass.hand(*id).is_some_and(|hand| hand.split));
    if let Some((id, _)) = refused {
        double::refuse(&SPLIT_HAND, id, context, findings);
    }
}
