//! T-S8. What insurance pays.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-S8",
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
    cases: &[&PAID_WRONGLY, &COLLECTED_WRONGLY, &NOT_SETTLED],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static PAID_WRONGLY: Case =
    Case { es: "mal pago del seguro del {place}", en: "the insurance of {place} was paid wrongly" };

static COLLECTED_WRONGLY: Case =
    Case { es: "mal retirado el seguro del {place}", en: "the insurance of {place} was collected wrongly" };

static NOT_SETTLED: Case = Case {
    es: "el pase terminó sin saldar el seguro del {place}",
    en: "the pass ended with the insurance of {place} not settled",
};

fn money(_: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    let case = match mistake.kind {
        MistakeKind::NothingOwed | MistakeKind::WrongPayment => &PAID_WRONGLY,
        MistakeKind::NothingLost | MistakeKind::WrongCollection => &COLLECTED_WRONGLY,
        MistakeKind::Unsettled => &NOT_SETTLED,
    };
    (mistake.spot == BetSpot::Insurance).then_some(case)
}
