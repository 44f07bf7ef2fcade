//! G25. Claims on earlier plays.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "G25",
    title: Bi { es: "Reclamaciones sobre jugadas anteriores", en: "Claims on earlier plays" },
    gist: Bi {
        es: "Iniciada una jugada, nadie está obligado a admitir reclamaciones sobre las anteriores.",
        en: "Once a play has started nobody has to admit claims on earlier ones.",
    },
    raised: Bi {
        es: "Cuando, desde la primera carta de una jugada hasta su fin, se decide (`rule`) sobre un hecho de una jugada anterior.",
        en: "When, from the first card of a play to its end, something of an earlier play is ruled on (`rule`).",
    },
    remedy: Bi {
        es: "La decisión no tiene efecto: la jugada en curso sigue.",
        en: "The ruling has no effect: the play in progress goes on.",
    },
    readings: &[Reading {
        number: 25,
        words: Bi {
            es: "Entre dos jugadas todavía se puede reclamar, aunque ya haya apuestas: la jugada empieza con la primera carta (G19).",
            en: "Between two plays a claim may still be made, bets or no bets: a play begins with its first card (G19).",
        },
    }],
    cases: &[&CLAIM_ON_EARLIER_PLAY],
    on: &[On::Event(Kind::Rule)],
    needs: Facts::NONE,
    check,
    ..Article::enforced(file!())
};

static CLAIM_ON_EARLIER_PLAY: Case = Case {
    es: "se reclama sobre una jugada anterior con otra ya iniciada: la decisión no tiene efecto",
    en: "a claim on an earlier play when another has started: the ruling has no effect",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Event::Rule { finding: Some(finding), .. } = context.event
        && context.state.pass.is_dealt()
        && findings.is_past(*finding)
    {
        findings.raise(&CLAIM_ON_EARLIER_PLAY, None).no_effect();
    }
}
