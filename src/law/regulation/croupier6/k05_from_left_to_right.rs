//! K5. From left to right.

use crate::regulation::prelude::*;
use crate::regulation::shared::{delivery, turns};

pub(super) static ARTICLE: Article = Article {
    id: "K5",
    title: Bi { es: "Orden de los lugares", en: "The order of the places" },
    gist: Bi {
        es: "Cada mano se considera por sí sola, y las cartas se reparten y se piden {first_box|left=de izquierda a derecha|_=de derecha a izquierda}.",
        en: "Every hand is considered by itself, and cards are dealt and asked for {first_box|left=from left to right|_=from right to left}.",
    },
    raised: Bi {
        es: "En la entrega, con una carta para un lugar mientras uno anterior espera la suya de la misma vuelta. En el juego, al preguntar, decidir o dar carta a una mano mientras una anterior no terminó.",
        en: "In the delivery, at a card for a place while an earlier one waits for its own of the same round. In play, at a question, decision or card for a hand while an earlier one is unfinished.",
    },
    remedy: Bi {
        es: "Servir al salteado antes de que empiece el juego; en el juego, volver a la mano que no terminó.",
        en: "Serve the place passed over before play begins; in play, go back to the hand that is unfinished.",
    },
    settings: &["first_box"],
    readings: &[Reading {
        number: 5,
        words: Bi {
            es: "Los lugares se cuentan desde la {first_box|left=izquierda|_=derecha} del croupier. Una mano está sin terminar si no se plantó, no llegó a 21 ni se pasó. El lugar que sigue sin carta cuando empieza el juego es de K0.",
            en: "Places are counted from the dealer's {first_box|left=left|_=right}. A hand is unfinished that has not stood, reached 21 or gone over. A place that still lacks a card when play begins is K0's.",
        },
    }],
    cases: &[&PASSED_OVER_IN_FIRST, &PASSED_OVER_IN_SECOND, &PASSED_OVER_IN_PLAY],
    on: on![delivery::ON, turns::ON],
    cases_needing: &[
        (&PASSED_OVER_IN_FIRST, Facts::of(&[Places, Bets, Hands])),
        (&PASSED_OVER_IN_SECOND, Facts::of(&[Places, Hands])),
        (&PASSED_OVER_IN_PLAY, Facts::of(&[Decisions, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static PASSED_OVER_IN_FIRST: Case =
    Case { es: "se salteó el {place} en la primera vuelta", en: "{place} passed over in the first round" };

static PASSED_OVER_IN_SECOND: Case =
    Case { es: "se salteó el {place} en la segunda vuelta", en: "{place} passed over in the second round" };

static PASSED_OVER_IN_PLAY: Case = Case {
    es: "se siguió con otra mano sin que terminara el {place}",
    en: "play went on elsewhere with {place} unfinished",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    delivery::check_order([&PASSED_OVER_IN_FIRST, &PASSED_OVER_IN_SECOND], context, findings);
    delivery::check_rounds(&PASSED_OVER_IN_FIRST, context, findings);
    turns::check(&PASSED_OVER_IN_PLAY, context, findings);
}
