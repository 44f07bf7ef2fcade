//! C18. All over: the bank draws no card.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "C18",
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
    readings: &[Reading {
        number: 12,
        words: Bi {
            es: "Una mano doblada cuenta en juego hasta que se descubre su carta.",
            en: "A doubled hand counts as in play until its covered card is uncovered.",
        },
    }],
    cases: &[&NOBODY_IN_PLAY],
    on: &[On::Card(Role::BankIdle)],
    needs: Facts::of(&[Places, Hands]),
    check,
    ..Article::enforced(file!())
};

static NOBODY_IN_PLAY: Case = Case {
    es: "la banca sacó carta sin que quedara nadie en juego: se quema",
    en: "the bank drew a card with nobody left in play: it is burned",
};

fn check(_: &Context<'_>, findings: &mut Findings<'_>) {
    findings.raise(&NOBODY_IN_PLAY, Place::Bank).burn_drawn(Place::Bank);
}
