//! G25. Claims on earlier plays.

use crate::regulation::prelude::*;

/// G25: claims on earlier plays.
pub static ARTICLE: Article = Article {
    id: "G25",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
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
    settings: &[],
    file: file!(),
    readings: &[Reading {
        number: 25,
        words: Bi {
            es: "Entre dos jugadas todavía se puede reclamar, aunque ya haya apuestas: la jugada empieza con la primera carta (G19).",
            en: "Between two plays a claim may still be made, bets or no bets: a play begins with its first card (G19).",
        },
    }],
    cases: &[Bi {
        es: "se reclama sobre una jugada anterior con otra ya iniciada: la decisión no tiene efecto",
        en: "a claim on an earlier play when another has started: the ruling has no effect",
    }],
    on: &[On::Event(Kind::Rule)],
    check,
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Event::Rule { finding: Some(finding), .. } = context.event
        && context.state.pass.dealing
        && findings.is_past(*finding)
    {
        findings.raise(0, None).no_effect();
    }
}
