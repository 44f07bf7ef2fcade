//! T-S8. What insurance pays.

use crate::regulation::prelude::*;
use crate::regulation::shared::money::{self, Wrong};

/// T-S8: what insurance pays.
pub static ARTICLE: Article = Article {
    id: "T-S8",
    kind: Watched::Valuation,
    severity: Severity::Irregularity,
    title: Bi { es: "Pago del seguro", en: "What insurance pays" },
    gist: Bi {
        es: "Si la banca tiene Black Jack, el seguro cobra {insurance:times}; si no, se retira y la banca sigue su juego.",
        en: "Where the bank has a Black Jack, insurance is paid double; otherwise it is collected and the bank plays on.",
    },
    raised: Bi {
        es: "Al pagar un seguro que perdió, o por otro importe que {insurance:times}; al retirar uno que ganó, o sólo en parte; y al fin del pase por cada seguro sin saldar.",
        en: "When insurance is paid that was lost, or paid anything but double; when it is collected though won, or in part only; and at the end of the pass for each insurance not settled.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin del pase dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the pass says what was owed.",
    },
    settings: &["insurance"],
    file: file!(),
    readings: &[],
    cases: &[
        Bi { es: "mal pago del seguro del {place}", en: "the insurance of {place} was paid wrongly" },
        Bi { es: "mal retirado el seguro del {place}", en: "the insurance of {place} was collected wrongly" },
        Bi {
            es: "el pase terminó sin saldar el seguro del {place}",
            en: "the pass ended with the insurance of {place} not settled",
        },
    ],
    on: money::ON,
    check,
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for (id, wrong) in money::insurance_mistakes(context) {
        let case = match wrong {
            Wrong::Paid | Wrong::Amount => 0,
            Wrong::Collected | Wrong::Part => 1,
            Wrong::Unsettled => 2,
        };
        findings.raise(case, Place::from(id));
    }
}
