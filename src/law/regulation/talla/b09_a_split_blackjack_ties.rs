//! T-B9. A split Black Jack ties.

use super::payment::{self, Under};
use crate::regulation::prelude::*;
use crate::regulation::shared::money;

/// T-B9: a split Black Jack ties.
pub static ARTICLE: Article = Article {
    id: "T-B9",
    kind: Watched::Valuation,
    severity: Severity::Irregularity,
    title: Bi { es: "Empate del Black Jack abierto", en: "A split Black Jack ties" },
    gist: Bi {
        es: "El Black Jack de un juego abierto queda en tablas con el de la banca.",
        en: "A Black Jack on a split ties with the bank's.",
    },
    raised: Bi {
        es: "Al pagar o retirar un Black Jack abierto ante el Black Jack de la banca.",
        en: "When a split Black Jack is paid or collected before the bank's Black Jack.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin del pase dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the pass says what was owed.",
    },
    settings: &["split_blackjack"],
    file: file!(),
    readings: &[],
    cases: &[Bi {
        es: "el Black Jack abierto del {place} queda en tablas con el de la banca: no se mueven fichas",
        en: "the split Black Jack of {place} ties with the bank's: no chips move",
    }],
    on: money::ON,
    check,
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    payment::check(Under::B9, [0, 0, 0], context, findings);
}
