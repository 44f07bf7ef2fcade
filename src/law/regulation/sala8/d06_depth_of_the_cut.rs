//! D6. Depth of the cut.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "D6",
    title: Bi { es: "Profundidad del corte", en: "Depth of the cut" },
    gist: Bi {
        es: "El corte supera, aproximadamente, las {cut_deeper_than} cartas.",
        en: "The cut is deeper than about {cut_deeper_than} cards.",
    },
    raised: Bi {
        es: "Al corte, si su profundidad no pasa de {cut_deeper_than} cartas.",
        en: "At the cut, if it is {cut_deeper_than} cards deep or less.",
    },
    remedy: Bi {
        es: "No hay nada que deshacer: queda asentado y el pase sigue.",
        en: "There is nothing to undo: it is on record and the pass goes on.",
    },
    settings: &["cut_deeper_than"],
    readings: &[Reading {
        number: 9,
        words: Bi {
            es: "«aproximadamente {cut_deeper_than}»: un corte de {cut_deeper_than:digits} cartas o menos se señala; la cifra es `cut_deeper_than`.",
            en: "“about {cut_deeper_than}”: a cut of {cut_deeper_than:digits} cards or less is a finding; the figure is `cut_deeper_than`.",
        },
    }],
    cases: &[&CUT_NOT_DEEP_ENOUGH],
    on: &[On::Event(Kind::Cut)],
    needs: Facts::NONE,
    check,
    ..Article::enforced(file!())
};

static CUT_NOT_DEEP_ENOUGH: Case = Case {
    es: "el corte no supera las {cut_deeper_than} cartas",
    en: "the cut is not deeper than {cut_deeper_than} cards",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Event::Cut { depth, .. } = context.event
        && *depth <= context.settings.shoe.cut_deeper_than
    {
        findings.raise(&CUT_NOT_DEEP_ENOUGH, None);
    }
}
