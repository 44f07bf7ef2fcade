//! T-B6. The first hand.

use super::moving::{self, WrongMove};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-B6",
    title: Bi { es: "Primera mano", en: "The first hand" },
    gist: Bi {
        es: "El Black Jack de la primera mano no mueve la banca.",
        en: "A Black Jack in the very first hand does not move the bank.",
    },
    raised: Bi {
        es: "Cuando toma, regala, vende o devuelve la banca quien sólo tuvo Black Jack en {first_hand_keeps_bank|session=el primer pase de la sesión|_=el primer pase de quien tiene la banca}. Dejarla a quien la tiene siempre puede.",
        en: "When the bank is taken, given away, sold or returned by somebody whose Black Jack came in {first_hand_keeps_bank|session=the first pass of the session|_=the first pass of who has the bank}. To leave it where it is he is always free.",
    },
    remedy: Bi {
        es: "La banca no se mueve: sigue donde estaba.",
        en: "The bank does not move: it stays where it was.",
    },
    settings: &["first_hand_keeps_bank"],
    readings: &[Reading {
        number: 4,
        words: Bi {
            es: "Primera mano es el primer pase que se reparte desde que empieza el registro{first_hand_keeps_bank|session=|_=, y el primero desde que la banca cambió de manos, por sorteo o de otro modo}.",
            en: "The first hand is the first pass dealt since the log began{first_hand_keeps_bank|session=|_=, and the first since the bank changed hands, drawn for or otherwise}.",
        },
    }],
    cases: &[&FIRST_PASS],
    on: moving::ON,
    needs: Facts::of(&[Bets, Hands]),
    check,
    ..Article::enforced(file!())
};

static FIRST_PASS: Case = Case {
    es: "la banca no se mueve: el Black Jack fue de la primera mano ({place})",
    en: "the bank does not move: the Black Jack came in the first hand ({place})",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    moving::check(&[(WrongMove::FirstPass, &FIRST_PASS)], context, findings);
}
