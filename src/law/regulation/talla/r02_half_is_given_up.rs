//! T-R2. Half is given up.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-R2",
    title: Bi { es: "La mitad se entrega", en: "Half is given up" },
    gist: Bi {
        es: "Quien se rinde entrega a la banca la mitad de su apuesta.",
        en: "Who surrenders gives up half the stake to the bank.",
    },
    raised: Bi {
        es: "Al pagar una mano rendida de fichas pares, al retirar de ella otro importe que la mitad, y al fin del pase si quedó sin retirar.",
        en: "When a surrendered hand of an even number of chips is paid, when anything but half is collected from it, and at the end of the pass if that was not collected.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin del pase dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the pass says what was owed.",
    },
    settings: &["surrender"],
    cases: &[&PAID, &NOT_HALF_COLLECTED, &NOT_COLLECTED],
    money,
    needs: Facts::of(&[Bets, Decisions, Hands]),
    ..Article::valuation(file!())
};

static PAID: Case = Case { es: "se pagó al {place}, que se rindió", en: "{place} was paid though it surrendered" };

static NOT_HALF_COLLECTED: Case = Case {
    es: "del {place}, que se rindió, se retiró otro importe que la mitad",
    en: "something other than half the stake was collected from {place}, which surrendered",
};

static NOT_COLLECTED: Case = Case {
    es: "el pase terminó sin retirar la mitad del {place}, que se rindió",
    en: "the pass ended with half the stake of {place}, which surrendered, not collected",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(
        &[
            (WrongPayment::SurrenderPaid, &PAID),
            (WrongPayment::NotHalfCollected, &NOT_HALF_COLLECTED),
            (WrongPayment::HalfNotCollected, &NOT_COLLECTED),
        ],
        context,
        mistake,
    )
}
