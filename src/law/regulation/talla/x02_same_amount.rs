//! T-X2. The double's amount.

use crate::regulation::prelude::*;
use crate::regulation::shared::double;

pub(super) static ARTICLE: Article = Article {
    id: "T-X2",
    title: Bi { es: "Importe del doble", en: "The double's amount" },
    gist: Bi {
        es: "Se dobla con la misma cantidad de fichas que la apuesta inicial.",
        en: "The hand is doubled with the same amount of chips as the first bet.",
    },
    raised: Bi {
        es: "Al poner para doblar, donde corresponde doblar, otro importe que el de la apuesta.",
        en: "When any other amount than the stake is put to double where doubling is allowed.",
    },
    remedy: Bi {
        es: "Devolver lo puesto, o llevarlo al importe de la apuesta.",
        en: "Return what was put, or bring it to the amount of the stake.",
    },
    readings: &[Reading {
        number: 13,
        words: Bi {
            es: "Doblado de palabra sin que se vean fichas, se toma doblada la apuesta entera.",
            en: "Where doubling is chosen in words and no chips are seen, the whole stake is taken to be doubled.",
        },
    }],
    cases: &[&UNEQUAL_AMOUNT],
    on: &[On::Bet(BetSpot::Double)],
    check,
    ..Article::enforced(file!())
};

static UNEQUAL_AMOUNT: Case = Case {
    es: "lo puesto para doblar en el {place} no es igual a su apuesta",
    en: "what was put to double {place} is not equal to its stake",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(id) = double::wrong_amount(context) {
        double::refuse(&UNEQUAL_AMOUNT, id, context, findings);
    }
}
