//! G15. No Black Jack on split hands.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "G15",
    title: Bi { es: "Sin Black Jack en manos divididas", en: "No Black Jack on split hands" },
    gist: Bi {
        es: "En una mano dividida el as con un diez no es Black Jack sino 21: gana a la par y no 3 a 2.",
        en: "On a split hand an ace with a ten is no Black Jack but 21: it wins even money, not 3 to 2.",
    },
    raised: Bi {
        es: "Cuando el as con diez de una mano dividida, que gana, se paga por otro importe que su apuesta. Si se paga sin ganar, o se retira ganando, es G4 (con la banca pasada, G11).",
        en: "When the winning ace and ten of a split hand is paid anything but its stake. If it is paid without winning, or collected though it wins, that is G4 (with the bank over 21, G11).",
    },
    remedy: Bi { es: "Completar o retirar la diferencia.", en: "Make good or take back the difference." },
    settings: &["split_blackjack"],
    readings: &[Reading {
        number: 11,
        words: Bi {
            es: "Ese 21 empata con otro 21 de la banca y pierde contra su Black Jack.",
            en: "That 21 ties with another 21 of the bank and loses to its Black Jack.",
        },
    }],
    cases: &[&SPLIT_21_PAID_WRONGLY],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static SPLIT_21_PAID_WRONGLY: Case = Case {
    es: "el 21 de la mano dividida del {place} no se pagó a la par",
    en: "the 21 of the split hand of {place} was not paid even money",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(&[(WrongPayment::Split21PaidWrongly, &SPLIT_21_PAID_WRONGLY)], context, mistake)
}
