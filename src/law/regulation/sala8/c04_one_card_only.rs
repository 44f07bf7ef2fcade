//! C4. One card only.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "C4",
    title: Bi { es: "Una sola carta", en: "One card only" },
    gist: Bi {
        es: "Si un apostador recibió una sola carta, se le completa si está conforme; si no, se quema la que tiene y la apuesta queda sin efecto.",
        en: "A bettor who got only one card is dealt his second if he agrees; if not, his card is burned and the bet is without effect.",
    },
    raised: Bi {
        es: "A la segunda carta de la banca, o al empezar el juego, por cada casillero con una sola carta.",
        en: "At the bank's second card, or when play begins, for each box with one card only.",
    },
    remedy: Bi {
        es: "1. Preguntar al apostador si está conforme. 2. Si lo está, servirle la segunda carta; si no, quemar la que tiene: la apuesta queda sin efecto.",
        en: "1. Ask the bettor whether the delivery may be completed. 2. If so, serve the second card; if not, burn the one there: the bet is without effect.",
    },
    readings: &[Reading {
        number: 1,
        words: Bi {
            es: "La omisión se establece a la segunda carta de la banca o cuando empieza el juego.",
            en: "The omission is established at the bank's second card or when play begins.",
        },
    }],
    cases: &[&AT_BANKS_SECOND, &AT_PLAY],
    on: &[On::Card(Role::BankSecond), On::Play],
    cases_needing: &[(&AT_BANKS_SECOND, Facts::of(&[Places, Hands]))],
    check,
    ..Article::enforced(file!())
};

static AT_BANKS_SECOND: Case = Case {
    es: "el {place} tiene una sola carta y la banca ya la segunda: preguntar si acepta que se complete la entrega; si no, quemarla y dejar la apuesta sin efecto",
    en: "{place} has one card only and the bank its second: ask whether the delivery may be completed; if not, burn the card, the bet is without effect",
};

static AT_PLAY: Case = Case {
    es: "el {place} tiene una sola carta y el juego empezó: preguntar si acepta que se complete la entrega; si no, quemarla y dejar la apuesta sin efecto",
    en: "{place} has one card only and play has begun: ask whether the delivery may be completed; if not, burn the card, the bet is without effect",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let case = if context.meaning.begins_play {
        &AT_PLAY
    } else if context.meaning.drawn.is_some_and(|drawn| drawn.role == Role::BankSecond) {
        &AT_BANKS_SECOND
    } else {
        return;
    };
    let pass = &context.state.pass;
    // one that the room has dealt to waits for nobody's consent
    let waits = |hand: &HandId| pass.hand(*hand).is_some_and(|hand| !hand.dealt_next);
    for hand in pass.hands_with(Status::Second).filter(waits) {
        if !findings.knows_article(&ARTICLE, Place::from(hand)) {
            findings.raise(case, Place::from(hand)).part(Part::AskConsent(hand));
        }
    }
}
