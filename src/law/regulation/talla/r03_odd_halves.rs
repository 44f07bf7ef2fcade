//! T-R3. Odd halves.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-R3",
    title: Bi { es: "Mitades impares", en: "Odd halves" },
    gist: Bi {
        es: "Si la apuesta es de fichas impares, quien se rinde entrega la mitad más media ficha: de tres fichas, dos.",
        en: "Where the stake is an odd number of chips, who surrenders gives up half and half a chip more: two chips of three.",
    },
    raised: Bi {
        es: "Al pagar una mano rendida de fichas impares, al retirar de ella otro importe que la mitad redondeada a la ficha entera, y al fin del pase si quedó sin retirar.",
        en: "When a surrendered hand of an odd number of chips is paid, when anything but half rounded up to a whole chip is collected from it, and at the end of the pass if that was not collected.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin del pase dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the pass says what was owed.",
    },
    settings: &["chip"],
    readings: &[Reading {
        number: 7,
        words: Bi {
            es: "La ficha es la unidad que fija la casa; la mitad redondeada a la ficha entera nunca pasa de la apuesta misma.",
            en: "The chip is the unit the house sets; half rounded up to a whole chip is never more than the stake itself.",
        },
    }],
    cases: &[&PAID, &NOT_ROUNDED_HALF_COLLECTED, &NOT_COLLECTED],
    money,
    needs: Facts::of(&[Bets, Decisions, Hands]),
    ..Article::valuation(file!())
};

static PAID: Case = Case { es: "se pagó al {place}, que se rindió", en: "{place} was paid though it surrendered" };

static NOT_ROUNDED_HALF_COLLECTED: Case = Case {
    es: "del {place}, que se rindió, se retiró otro importe que la mitad redondeada a la ficha entera",
    en: "something other than half the stake rounded up to a whole chip was collected from {place}, which surrendered",
};

static NOT_COLLECTED: Case = Case {
    es: "el pase terminó sin retirar la mitad del {place}, que se rindió",
    en: "the pass ended with half the stake of {place}, which surrendered, not collected",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(
        &[
            (WrongPayment::OddSurrenderPaid, &PAID),
            (WrongPayment::NotRoundedHalfCollected, &NOT_ROUNDED_HALF_COLLECTED),
            (WrongPayment::RoundedHalfNotCollected, &NOT_COLLECTED),
        ],
        context,
        mistake,
    )
}
