//! T-Q10. The bank's second card, too early.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-Q10",
    title: Bi { es: "Segunda carta de la banca antes de tiempo", en: "The bank's second card, too early" },
    gist: Bi {
        es: "Si la segunda carta de la banca se tira antes que los jugadores hayan jugado, se quema.",
        en: "If the bank's second card is dealt before the players have played, it is burned.",
    },
    raised: Bi {
        es: "Con una segunda carta para la banca mientras alguna mano no terminó o espera carta.",
        en: "At a second card for the bank while a hand is unfinished or waits for a card.",
    },
    remedy: Bi {
        es: "Quemarla. No cuenta: la banca recibe otra cuando todos jugaron.",
        en: "Burn it. It does not count: the bank gets another when everybody has played.",
    },
    settings: &["misdealt", "burned_first", "bank_second_card"],
    readings: &[Reading {
        number: 27,
        words: Bi {
            es: "Con 21 la mano está terminada: nadie la espera para dar a la banca su segunda carta.",
            en: "A hand with 21 is finished: nobody waits for it before the bank gets its second card.",
        },
    }],
    cases: &[&SECOND_CARD_EARLY],
    on: &[On::Card(Role::BankEarly)],
    needs: Facts::of(&[Places, Decisions, Hands]),
    check,
    ..Article::enforced(file!())
};

static SECOND_CARD_EARLY: Case = Case {
    es: "segunda carta de la banca antes de que jugaran todos: se quema",
    en: "the bank's second card before all have played: it is burned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    findings.raise(&SECOND_CARD_EARLY, Place::Bank).misdealt(context, Place::Bank);
}
