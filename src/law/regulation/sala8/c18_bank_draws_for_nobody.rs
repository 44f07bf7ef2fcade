//! C18. All over: the bank draws no card.

use crate::regulation::prelude::*;

/// C18: all over: the bank draws no card.
pub static ARTICLE: Article = Article {
    id: "C18",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Todos pasados: la banca no tira", en: "All over: the bank draws no card" },
    gist: Bi {
        es: "Si todos los apostadores pasaron de 21, la banca no saca cartas.",
        en: "When every bettor is over 21 the bank draws no card.",
    },
    raised: Bi {
        es: "Con una carta para la banca cuando toda mano se pasó de 21 o quedó sin efecto.",
        en: "At a card for the bank when every hand is over 21 or void.",
    },
    remedy: Bi { es: "Quemarla.", en: "Burn it." },
    settings: &[],
    file: file!(),
    readings: &[Reading {
        number: 12,
        words: Bi {
            es: "Una mano doblada cuenta en juego hasta que se descubre su carta.",
            en: "A doubled hand counts as in play until its covered card is uncovered.",
        },
    }],
    cases: &[Bi {
        es: "la banca sacó carta sin que quedara nadie en juego: se quema",
        en: "the bank drew a card with nobody left in play: it is burned",
    }],
    on: &[On::Card(Role::BankIdle)],
    check,
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if context.meaning.drawn.is_some_and(|drawn| drawn.role == Role::BankIdle) && !context.state.guesses() {
        findings.raise(0, Place::Bank).burn_drawn(Place::Bank);
    }
}
