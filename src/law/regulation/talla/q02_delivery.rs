//! T-Q2. Delivery.

use crate::regulation::prelude::*;
use crate::regulation::shared::delivery;

pub(super) static ARTICLE: Article = Article {
    id: "T-Q2",
    title: Bi { es: "Entrega", en: "Delivery" },
    gist: Bi {
        es: "Se reparte una ronda por la derecha del pagador, con la banca al final, y una segunda sin la banca, cuya segunda carta es la última, cuando todos jugaron. Las cartas se dan descubiertas.",
        en: "One round is dealt from the dealer's right, the bank last, and a second without the bank, whose second card comes last of all, when everybody has played. Cards are dealt face up.",
    },
    raised: Bi {
        es: "Con una carta para un casillero posterior mientras uno anterior espera la suya en la misma ronda, y con toda carta que se da cubierta.",
        en: "At a card for a later box while an earlier one waits for its own in the same round, and at every card dealt face down.",
    },
    remedy: Bi {
        es: "Dar su carta al salteado y seguir en orden. Si no la recibe, es T0.",
        en: "Deal to who was passed over and go on in order. If he gets no card, it is T0's.",
    },
    settings: &["first_box", "bank_second_card", "double_card"],
    readings: &[
        Reading {
            number: 18,
            words: Bi {
                es: "Los casilleros se numeran desde la izquierda del pagador: por la derecha quiere decir desde el de número más alto.",
                en: "Boxes are numbered from the dealer's left: from the right means from the highest number down.",
            },
        },
        Reading {
            number: 19,
            words: Bi {
                es: "El casillero que apostó tarde por una ficha (T-Q4) entra en la ronda en su lugar: mientras no tenga carta, la siguiente es suya si va antes que los que esperan.",
                en: "A box that bet late with one chip (T-Q4) takes its place in the round: until it has a card the next is its own where it comes before those that wait.",
            },
        },
    ],
    cases: &[&PASSED_OVER_IN_FIRST, &PASSED_OVER_IN_SECOND, &FACE_DOWN],
    on: on![delivery::ON, FACES],
    cases_needing: &[
        (&PASSED_OVER_IN_FIRST, Facts::of(&[Places, Bets, Hands])),
        (&PASSED_OVER_IN_SECOND, Facts::of(&[Places, Hands])),
        (&FACE_DOWN, Facts::of(&[Faces, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static PASSED_OVER_IN_FIRST: Case =
    Case { es: "se salteó al {place} en la primera ronda", en: "{place} was passed over in the first round" };

static PASSED_OVER_IN_SECOND: Case =
    Case { es: "se salteó al {place} en la segunda ronda", en: "{place} was passed over in the second round" };

static FACE_DOWN: Case = Case { es: "carta dada cubierta ({place})", en: "a card dealt face down ({place})" };

/// The cards after the delivery.
const FACES: &[On] =
    &[On::Card(Role::SplitSecond), On::Card(Role::Hit), On::Card(Role::Double), On::Card(Role::BankDraw)];

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    delivery::check_order([&PASSED_OVER_IN_FIRST, &PASSED_OVER_IN_SECOND], context, findings);
    delivery::check_face(&FACE_DOWN, context, findings);
}
