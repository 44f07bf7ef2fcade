//! C7. The bank's second card uncovered.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "C7",
    title: Bi { es: "Segunda carta de la banca descubierta", en: "The bank's second card uncovered" },
    gist: Bi {
        es: "Si la segunda carta de la banca se da descubierta, se quema y se sirve otra en forma; nadie puede retirarse ni reclamar la anterior.",
        en: "If the bank's second card is dealt face up it is burned and another served correctly; nobody may withdraw or claim the first one.",
    },
    raised: Bi {
        es: "Cuando la segunda carta de la banca queda descubierta.",
        en: "When the bank's second card lies face up.",
    },
    remedy: Bi {
        es: "Quemarla y servir otra cubierta. Nadie puede retirarse ni reclamar la anterior.",
        en: "Burn it and serve another face down. Nobody may withdraw or claim the first one.",
    },
    cases: &[&SECOND_CARD_UNCOVERED],
    on: &[On::Card(Role::BankSecond), On::Card(Role::BankAgain)],
    needs: Facts::of(&[Faces, Hands]),
    check,
    ..Article::enforced(file!())
};

static SECOND_CARD_UNCOVERED: Case = Case {
    es: "la segunda carta de la banca salió descubierta: quemarla y servir otra cubierta",
    en: "the bank's second card came uncovered: burn it and serve another face down",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if context.meaning.uncovers_bank_card() {
        findings.raise(&SECOND_CARD_UNCOVERED, Place::Bank).burn_drawn(Place::Bank).serve(Place::Bank, 1);
    }
}
