//! O2. Opening a pair.

use crate::regulation::prelude::*;
use crate::regulation::shared::split::{self, Reason};

pub(super) static ARTICLE: Article = Article {
    id: "O2",
    title: Bi { es: "Apertura", en: "Opening a pair" },
    gist: Bi {
        es: "Dos primeras cartas {pairs|value=de igual valor (todo diez o figura vale igual)|_=de igual número (figura con figura, diez con diez)} pueden abrirse en dos manos con otra apuesta igual, {max_hands|2=una vez por pase|_=hasta {max_hands} manos por casillero}.",
        en: "Two first cards {pairs|value=of equal value (all ten-values being equal)|_=of equal number (a figure with a figure, a ten with a ten)} may be opened into two hands with another equal bet, {max_hands|2=once in a pass|_=up to {max_hands} hands a box}.",
    },
    raised: Bi {
        es: "Al poner fichas para abrir o decidir abrir sin un par, después de plantarse, {max_hands|2=por segunda vez en el pase|_=por encima de {max_hands} manos}, o por un importe distinto de la postura.",
        en: "When chips are put to split, or splitting is decided, without a pair, after the hand has stood, {max_hands|2=for a second time in the pass|_=beyond {max_hands} hands}, or for another amount than the stake.",
    },
    remedy: Bi { es: "Devolver lo puesto para abrir.", en: "Return what was put to split." },
    settings: &["split_ten_blackjack"],
    readings: &[Reading {
        number: 7,
        words: Bi {
            es: "Abierto un par de dieces, el as que forma Black Jack cobra {split_ten_blackjack}; sólo los ases abiertos cobran {split_ace_blackjack:odds}.",
            en: "After a ten-value split, an ace that makes Black Jack is paid {split_ten_blackjack}; only split aces pay {split_ace_blackjack:odds}.",
        },
    }],
    cases: &[&MAY_NOT_SPLIT, &UNEQUAL_AMOUNT, &CHIPS_MISSING],
    on: split::UNPAID_ON,
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[
        (&UNEQUAL_AMOUNT, Facts::of(&[Bets, Hands])),
        (&CHIPS_MISSING, Facts::of(&[Bets, Decisions, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static MAY_NOT_SPLIT: Case = Case {
    es: "el {place} no puede abrir: no tiene un par, se plantó, o ya {max_hands|2=abrió|_=tiene {max_hands} manos}",
    en: "{place} may not split: it has no pair, has stood, or has {max_hands|2=split already|_={max_hands} hands already}",
};

static UNEQUAL_AMOUNT: Case = Case {
    es: "lo puesto para abrir el {place} no es igual a su apuesta",
    en: "what was put to split {place} is not equal to its stake",
};

static CHIPS_MISSING: Case = Case {
    es: "el {place} se abrió sin que las fichas estuvieran puestas: las que se pongan se devuelven",
    en: "{place} was split before its chips lay there: any laid later are returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    split::check_unpaid(&CHIPS_MISSING, |refused| !refused.aces, context, findings);
    if let Some(refused) = split::refused(context).filter(|refused| !refused.aces) {
        let case = if refused.reason == Reason::Amount { &UNEQUAL_AMOUNT } else { &MAY_NOT_SPLIT };
        refused.raise(case, context, findings);
    }
}
