//! G19. A play ends settled.

use crate::regulation::prelude::*;
use crate::regulation::shared::money;

pub(super) static ARTICLE: Article = Article {
    id: "G19",
    title: Bi { es: "La jugada termina liquidada", en: "A play ends settled" },
    gist: Bi {
        es: "La jugada empieza cuando el banquero reparte el primer naipe y termina cuando ha liquidado todas las apuestas.",
        en: "A play begins when the banker deals the first card and ends when he has settled every bet.",
    },
    raised: Bi {
        es: "Al terminar la jugada, por cada apuesta sin liquidar: la que ganaba y no se pagó, la que perdía y no se retiró. El empate está liquidado sin mover fichas.",
        en: "When the play ends, for each bet not settled: one that won and was not paid, one that lost and was not collected. A tie is settled without moving chips.",
    },
    remedy: Bi {
        es: "Liquidarla; la cuenta del fin de la jugada dice lo que correspondía.",
        en: "Settle it; the account at the end of the play says what was owed.",
    },
    cases: &[&NOT_SETTLED],
    on: &[On::Event(Kind::End)],
    check,
    ..Article::enforced(file!())
};

static NOT_SETTLED: Case = Case {
    es: "la jugada terminó sin liquidar la apuesta del {place}",
    en: "the play ended with the bet of {place} not settled",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for mistake in money::mistakes(context) {
        findings.raise(&NOT_SETTLED, mistake.place());
    }
}
