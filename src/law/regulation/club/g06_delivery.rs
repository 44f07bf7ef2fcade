//! G6. The delivery.

use crate::regulation::prelude::*;
use crate::regulation::shared::delivery;

pub(super) static ARTICLE: Article = Article {
    id: "G6",
    title: Bi { es: "Reparto", en: "The delivery" },
    gist: Bi {
        es: "Hechas las apuestas, el banquero da un naipe a cada jugador desde su derecha y uno a sí mismo; luego un segundo a cada jugador y ninguno a sí mismo. Todos los naipes se dan descubiertos.",
        en: "Once the bets lie, the banker deals a card to each player from his right and one to himself; then a second to each player and none to himself. All cards are dealt face up.",
    },
    raised: Bi {
        es: "Con un naipe para un casillero mientras otro más a la derecha espera el suyo en la misma vuelta, y con cualquier naipe de la jugada que se da cubierto.",
        en: "At a card for a box while another further to the right waits for its own in the same round, and at any card of the play that is dealt face down.",
    },
    remedy: Bi {
        es: "Servir al casillero saltado antes de que acabe la vuelta; descubrir el naipe cubierto.",
        en: "Serve the box passed over before the round ends; turn the covered card up.",
    },
    settings: &["first_box", "bank_second_card", "double_card"],
    readings: &[Reading {
        number: 4,
        words: Bi {
            es: "Que un casillero saltado quedó sin naipe se establece al acabar la vuelta, y eso lo decide la sala (G0). La segunda carta de la banca antes de tiempo es G24.",
            en: "That a box passed over was left without a card is established when the round ends, and is for the room to decide (G0). The bank's second card before its time is G24.",
        },
    }],
    cases: &[&PASSED_OVER_IN_FIRST, &PASSED_OVER_IN_SECOND, &FACE_DOWN],
    on: on![
        delivery::ON,
        &[
            On::Card(Role::Hit),
            On::Card(Role::Unasked),
            On::Card(Role::SplitSecond),
            On::Card(Role::Double),
            On::Card(Role::BankDraw)
        ]
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
    Case { es: "se salteó el {place} en la primera vuelta", en: "{place} was passed over in the first round" };

static PASSED_OVER_IN_SECOND: Case =
    Case { es: "se salteó el {place} en la segunda vuelta", en: "{place} was passed over in the second round" };

static FACE_DOWN: Case = Case {
    es: "naipe cubierto ({place}): se da descubierto",
    en: "a card face down ({place}): cards are dealt face up",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if context.state.cut_card_came_first() {
        return;
    }
    delivery::check_order([&PASSED_OVER_IN_FIRST, &PASSED_OVER_IN_SECOND], context, findings);
    delivery::check_face(&FACE_DOWN, context, findings);
}
