//! T-S3. Insurance of odd stakes.

use super::insurance::{self, WrongInsurance};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-S3",
    title: Bi { es: "Seguro de apuestas impares", en: "Insurance of odd stakes" },
    gist: Bi {
        es: "Si la apuesta es de fichas impares, el seguro es la mitad más media ficha: tres fichas se aseguran con dos.",
        en: "Where the stake is an odd number of chips, insurance is half and half a chip more: three chips are insured with two.",
    },
    raised: Bi {
        es: "Al poner, por una apuesta de fichas impares, otro importe que la mitad redondeada a la ficha entera.",
        en: "When anything but half, rounded up to a whole chip, is put to insure a stake of an odd number of chips.",
    },
    remedy: Bi { es: "Devolver las fichas del seguro.", en: "Return the insurance chips." },
    settings: &["insurance_part", "chip"],
    readings: &[Reading {
        number: 7,
        words: Bi {
            es: "La ficha es la unidad que fija la casa; la mitad redondeada a la ficha entera nunca pasa de la apuesta misma.",
            en: "The chip is the unit the house sets; half rounded up to a whole chip is never more than the stake itself.",
        },
    }],
    cases: &[&NOT_ROUNDED_HALF],
    on: insurance::ON,
    needs: Facts::of(&[Bets, Hands]),
    check,
    ..Article::enforced(file!())
};

static NOT_ROUNDED_HALF: Case = Case {
    es: "el seguro del {place} no es la mitad de su apuesta redondeada a la ficha entera",
    en: "the insurance of {place} is not half its stake rounded up to a whole chip",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    insurance::check(&[(WrongInsurance::NotRoundedHalf, &NOT_ROUNDED_HALF)], context, findings);
}
