//! D8. The delivery.

use crate::regulation::prelude::*;
use crate::regulation::shared::delivery;

pub(super) static ARTICLE: Article = Article {
    id: "D8",
    title: Bi { es: "Entrega de las cartas", en: "The delivery" },
    gist: Bi {
        es: "Tras las apuestas, una carta descubierta a cada apuesta {first_box|left=de izquierda a derecha|_=de derecha a izquierda} y una a la banca; luego la segunda a cada apuesta{bank_second_card|covered=, y la de la banca cubierta|_=}.",
        en: "After the bets, a card face up to each bet {first_box|left=from left to right|_=from right to left} and one to the bank; then a second to each bet{bank_second_card|covered=, and the bank's face down|_=}.",
    },
    raised: Bi {
        es: "Con una carta para un casillero mientras uno anterior espera la suya (aviso), y con una carta de la entrega que queda cubierta y va descubierta.",
        en: "At a card for a box while an earlier one waits for its own (a notice), and at a card of the delivery lying face down that belongs face up.",
    },
    remedy: Bi {
        es: "Servir al salteado antes de que la entrega se cierre; la carta cubierta se descubre.",
        en: "Serve the box passed over before the delivery closes; the covered card is turned up.",
    },
    readings: &[
        Reading {
            number: 1,
            words: Bi {
                es: "Saltear un casillero es aviso; la omisión se establece cuando la entrega se cierra: a la primera carta de la banca (C10) o a la segunda (C4).",
                en: "Passing a box over is a notice; the omission is established when the delivery closes: at the bank's first card (C10) or its second (C4).",
            },
        },
        Reading {
            number: 3,
            words: Bi {
                es: "Si todos tienen una carta y la banca ninguna, la carta siguiente para un casillero abre la segunda entrega: eso es C13.",
                en: "Where every box has one card and the bank none, the next card for a box begins the second delivery: that is C13.",
            },
        },
    ],
    cases: &[&PASSED_OVER_IN_FIRST, &PASSED_OVER_IN_SECOND, &FACE_DOWN],
    case_severities: &[(&PASSED_OVER_IN_FIRST, Severity::Notice), (&PASSED_OVER_IN_SECOND, Severity::Notice)],
    on: &[
        On::Card(Role::First),
        On::Card(Role::Second),
        On::Card(Role::BankFirst),
        On::Card(Role::BankAgain),
        On::Card(Role::Late),
    ],
    cases_needing: &[
        (&PASSED_OVER_IN_FIRST, Facts::of(&[Places, Bets, Hands])),
        (&PASSED_OVER_IN_SECOND, Facts::of(&[Places, Hands])),
        (&FACE_DOWN, Facts::of(&[Faces, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static PASSED_OVER_IN_FIRST: Case =
    Case { es: "se salteó el {place} en la primera entrega", en: "{place} passed over in the first delivery" };

static PASSED_OVER_IN_SECOND: Case =
    Case { es: "se salteó el {place} en la segunda entrega", en: "{place} passed over in the second delivery" };

static FACE_DOWN: Case =
    Case { es: "carta cubierta ({place}): va descubierta", en: "a card face down ({place}): it belongs face up" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    delivery::check_order([&PASSED_OVER_IN_FIRST, &PASSED_OVER_IN_SECOND], context, findings);
    delivery::check_face(&FACE_DOWN, context, findings);
}
