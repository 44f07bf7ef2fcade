//! T-S2. The amount of insurance.

use super::insurance::{self, WrongInsurance};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-S2",
    title: Bi { es: "Importe del seguro", en: "The amount of insurance" },
    gist: Bi { es: "El seguro es la mitad de la apuesta.", en: "Insurance is half the stake." },
    raised: Bi {
        es: "Al poner un seguro que no es la mitad justa de una apuesta de fichas pares.",
        en: "When insurance is put that is not exactly half of a stake of an even number of chips.",
    },
    remedy: Bi { es: "Devolver las fichas del seguro.", en: "Return the insurance chips." },
    settings: &["insurance_part", "insurance_may_be_less"],
    readings: &[Reading {
        number: 6,
        words: Bi {
            es: "Se asegura lo que se apostó al comienzo en esa mano; lo que agregó un doblar no cuenta.",
            en: "What is insured is what was first bet on that hand; what doubling added is left aside.",
        },
    }],
    cases: &[&NOT_HALF],
    on: insurance::ON,
    needs: Facts::of(&[Bets, Hands]),
    check,
    ..Article::enforced(file!())
};

static NOT_HALF: Case = Case {
    es: "el seguro del {place} no es la mitad de su apuesta",
    en: "the insurance of {place} is not half its stake",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    insurance::check(&[(WrongInsurance::NotHalf, &NOT_HALF)], context, findings);
}
