//! O3. Opening aces.

use crate::regulation::prelude::*;
use crate::regulation::shared::split::{self, Reason};
use crate::table::Outcome;

pub(super) static ARTICLE: Article = Article {
    id: "O3",
    title: Bi { es: "Apertura de ases", en: "Opening aces" },
    gist: Bi {
        es: "Dos ases se abren como cualquier par; el Black Jack logrado en cualquiera de ellos se paga {split_ace_blackjack:odds}.",
        en: "Two aces are opened like any pair; a Black Jack on either of them is paid {split_ace_blackjack:odds}.",
    },
    raised: Bi {
        es: "Como O2, cuando el par es de ases; y al pagar el Black Jack de un as abierto por otro importe que {split_ace_blackjack|1:1=la postura|_=el {split_ace_blackjack} de la postura}.",
        en: "As O2 where the pair is of aces; and when a Black Jack on a split ace is paid anything but {split_ace_blackjack|1:1=the stake|_={split_ace_blackjack} of the stake}.",
    },
    remedy: Bi {
        es: "Devolver lo puesto para abrir; corregir el pago.",
        en: "Return what was put to split; put the payment right.",
    },
    settings: &["split_ace_blackjack"],
    readings: &[Reading {
        number: 7,
        words: Bi {
            es: "Abierto un par de dieces, el as que forma Black Jack cobra {split_ten_blackjack}; sólo los ases abiertos cobran {split_ace_blackjack:odds}.",
            en: "After a ten-value split, an ace that makes Black Jack is paid {split_ten_blackjack}; only split aces pay {split_ace_blackjack:odds}.",
        },
    }],
    cases: &[&MAY_NOT_SPLIT_ACES, &UNEQUAL_AMOUNT, &CHIPS_MISSING, &BLACKJACK_PAID_WRONGLY],
    on: split::UNPAID_ON,
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[
        (&UNEQUAL_AMOUNT, Facts::of(&[Bets, Hands])),
        (&CHIPS_MISSING, Facts::of(&[Bets, Decisions, Hands])),
        (&BLACKJACK_PAID_WRONGLY, Facts::of(&[Bets, Hands])),
    ],
    check,
    money,
    ..Article::enforced(file!())
};

static MAY_NOT_SPLIT_ACES: Case = Case {
    es: "el {place} no puede {max_hands|2=volver a abrir ases|_=abrir más ases}, o ya se plantó",
    en: "{place} may not split {max_hands|2=aces again|_=more aces}, or has stood",
};

static UNEQUAL_AMOUNT: Case = Case {
    es: "lo puesto para abrir los ases del {place} no es igual a su apuesta",
    en: "what was put to split the aces of {place} is not equal to its stake",
};

static BLACKJACK_PAID_WRONGLY: Case = Case {
    es: "el Black Jack sobre un as abierto del {place} se paga {split_ace_blackjack:odds}",
    en: "a Black Jack on a split ace of {place} is paid {split_ace_blackjack:odds}",
};

static CHIPS_MISSING: Case = Case {
    es: "el {place} se abrió sin que las fichas estuvieran puestas: las que se pongan se devuelven",
    en: "{place} was split before its chips lay there: any laid later are returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    split::check_unpaid(&CHIPS_MISSING, |refused| refused.aces, context, findings);
    if let Some(refused) = split::refused(context).filter(|refused| refused.aces) {
        let case = if refused.reason == Reason::Amount { &UNEQUAL_AMOUNT } else { &MAY_NOT_SPLIT_ACES };
        refused.raise(case, context, findings);
    }
}

fn money(_: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    // D14 tells of one that was not paid at all
    let is_blackjack = mistake.owed.outcome == Outcome::Blackjack && mistake.hand.is_split_ace();
    is_blackjack.then_some(&BLACKJACK_PAID_WRONGLY)
}
