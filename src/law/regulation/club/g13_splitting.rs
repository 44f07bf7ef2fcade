//! G13. Splitting a pair.

use crate::regulation::prelude::*;
use crate::regulation::shared::split::{self, Reason};

pub(super) static ARTICLE: Article = Article {
    id: "G13",
    title: Bi { es: "Dividir el par", en: "Splitting a pair" },
    gist: Bi {
        es: "Dos cartas del mismo valor pueden dividirse en dos manos con otra apuesta igual. Las manos se juegan una tras otra, y en cada una se puede doblar o dividir de nuevo.",
        en: "Two cards of the same value may be split into two hands with another equal bet. The hands are played one after the other, and each may be doubled or split again.",
    },
    raised: Bi {
        es: "Al poner fichas para dividir o decidir dividir sin dos cartas del mismo valor, después de plantarse, más allá de {max_hands} manos, o por otro importe que lo apostado.",
        en: "When chips are put to split, or splitting is decided, without two cards of the same value, after the hand has stood, beyond {max_hands} hands, or for another amount than the stake.",
    },
    remedy: Bi { es: "Devolver lo puesto para dividir.", en: "Return what was put to split." },
    settings: &["pairs", "max_hands"],
    readings: &[
        Reading {
            number: 9,
            words: Bi {
                es: "Dieces y figuras son todos del mismo valor.",
                en: "Tens and figures are all of the same value.",
            },
        },
        Reading {
            number: 10,
            words: Bi {
                es: "«Si fuera posible» dividir de nuevo lo es hasta {max_hands} manos por apuesta inicial; un as dividido que recibe otro as no se divide de nuevo (G14).",
                en: "Splitting again is “possible” up to {max_hands} hands of one original bet; a split ace that gets another ace is not split again (G14).",
            },
        },
    ],
    cases: &[&NO_PAIR, &TOO_MANY_HANDS, &UNEQUAL_AMOUNT, &CHIPS_MISSING],
    on: split::UNPAID_ON,
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[
        (&UNEQUAL_AMOUNT, Facts::of(&[Bets, Hands])),
        (&CHIPS_MISSING, Facts::of(&[Bets, Decisions, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static NO_PAIR: Case = Case {
    es: "el {place} no puede dividir: no tiene dos cartas del mismo {pairs|value=valor|_=número}, o ya se plantó",
    en: "{place} may not split: it does not have two cards of the same {pairs|value=value|_=number}, or has stood",
};

static TOO_MANY_HANDS: Case = Case {
    es: "el {place} no puede dividir de nuevo: ya hay {max_hands} manos",
    en: "{place} may not split again: there are {max_hands} hands already",
};

static UNEQUAL_AMOUNT: Case = Case {
    es: "lo puesto para dividir el {place} no es igual a su apuesta",
    en: "what was put to split {place} is not equal to its stake",
};

static CHIPS_MISSING: Case = Case {
    es: "el {place} se abrió sin que las fichas estuvieran puestas: las que se pongan se devuelven",
    en: "{place} was split before its chips lay there: any laid later are returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    split::check_unpaid(&CHIPS_MISSING, |_| true, context, findings);
    if let Some(refused) = split::refused(context) {
        let case = match refused.reason {
            Reason::NoPair => &NO_PAIR,
            Reason::Limit => &TOO_MANY_HANDS,
            Reason::Amount => &UNEQUAL_AMOUNT,
            // G14 tells of it
            Reason::SplitAce => return,
        };
        refused.raise(case, context, findings);
    }
}
