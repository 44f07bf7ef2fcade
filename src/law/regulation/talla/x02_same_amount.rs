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
        es: "Al poner para doblar, donde corresponde doblar, otro importe que el de la apuesta; y al dar la carta, o al seguir con otra mano, sin que las fichas estén puestas.",
        en: "When any other amount than the stake is put to double where doubling is allowed; and when the card comes, or play goes on elsewhere, before the chips lie there.",
    },
    remedy: Bi {
        es: "Devolver lo puesto, o llevarlo al importe de la apuesta.",
        en: "Return what was put, or bring it to the amount of the stake.",
    },
    readings: &[Reading {
        number: 13,
        words: Bi {
            es: "Las fichas van antes que la carta. Puestas después se devuelven: la mano tiene esa carta y su sola apuesta.",
            en: "Chips come before the card. Laid after it they are returned: the hand has that card and its single stake.",
        },
    }],
    cases: &[&UNEQUAL_AMOUNT, &CHIPS_MISSING],
    on: double::UNPAID_ON,
    needs: Facts::of(&[Bets, Hands]),
    cases_needing: &[(&CHIPS_MISSING, Facts::of(&[Bets, Decisions, Hands]))],
    check,
    ..Article::enforced(file!())
};

static UNEQUAL_AMOUNT: Case = Case {
    es: "lo puesto para doblar en el {place} no es igual a su apuesta",
    en: "what was put to double {place} is not equal to its stake",
};

static CHIPS_MISSING: Case = Case {
    es: "el {place} se dobló sin que las fichas estuvieran puestas: las que se pongan se devuelven",
    en: "{place} was doubled before its chips lay there: any laid later are returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if double::refuse_late(&CHIPS_MISSING, context, findings) {
        return;
    }
    if let Some(id) = double::wrong_amount(context) {
        double::refuse(&UNEQUAL_AMOUNT, id, context, findings);
    }
    double::check_unpaid(&CHIPS_MISSING, context, findings);
}
