//! T-B8. Black Jack on a split.

use super::moving::{self, WrongMove};
use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-B8",
    title: Bi { es: "Black Jack en juegos abiertos", en: "Black Jack on a split" },
    gist: Bi {
        es: "El Black Jack que sale en un juego abierto cobra sencillo y no mueve la banca.",
        en: "A Black Jack that comes on a split is paid single and does not move the bank.",
    },
    raised: Bi {
        es: "Cuando toma, regala, vende o devuelve la banca quien sólo tuvo Black Jack en un juego abierto; al pagarlo por otro importe que el de la apuesta, y al fin del pase si quedó sin pagar.",
        en: "When the bank is taken, given away, sold or returned by somebody whose only Black Jack came on a split; when that is paid anything but its stake, and at the end of the pass if it was not paid.",
    },
    remedy: Bi {
        es: "La banca sigue donde estaba; completar o devolver la diferencia.",
        en: "The bank stays where it was; make good or give back the difference.",
    },
    settings: &["split_ten_blackjack", "split_ace_blackjack"],
    readings: &[Reading {
        number: 5,
        words: Bi {
            es: "Quien además tuvo Black Jack en otra mano, sin abrir, mueve la banca por ésa.",
            en: "Who also had a Black Jack in another hand, not split, moves the bank by that.",
        },
    }],
    cases: &[&BLACKJACK_ON_SPLIT, &PAID_WRONGLY, &NOT_PAID],
    on: moving::ON,
    needs: Facts::of(&[Bets, Hands]),
    check,
    money,
    ..Article::enforced(file!())
};

static BLACKJACK_ON_SPLIT: Case = Case {
    es: "la banca no se mueve: el Black Jack fue de un juego abierto ({place})",
    en: "the bank does not move: the Black Jack came on a split ({place})",
};

static PAID_WRONGLY: Case = Case {
    es: "mal pago del Black Jack abierto del {place}: cobra sencillo",
    en: "the split Black Jack of {place} was paid wrongly: it is paid single",
};

static NOT_PAID: Case = Case {
    es: "el pase terminó sin pagar el Black Jack abierto del {place}",
    en: "the pass ended with the split Black Jack of {place} not paid",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    moving::check(&[(WrongMove::BlackjackOnSplit, &BLACKJACK_ON_SPLIT)], context, findings);
}

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(
        &[(WrongPayment::SplitBlackjackPaidWrongly, &PAID_WRONGLY), (WrongPayment::SplitBlackjackNotPaid, &NOT_PAID)],
        context,
        mistake,
    )
}
