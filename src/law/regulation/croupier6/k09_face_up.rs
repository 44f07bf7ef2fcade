//! K9. Cards face up.

use crate::regulation::prelude::*;
use crate::regulation::shared::delivery;

pub(super) static ARTICLE: Article = Article {
    id: "K9",
    severity: Severity::Notice,
    title: Bi { es: "Cartas descubiertas", en: "Cards face up" },
    gist: Bi {
        es: "Se reparten dos cartas descubiertas a cada jugador y una descubierta a la banca.",
        en: "Two cards are dealt face up to each player, and one face up to the bank.",
    },
    raised: Bi {
        es: "Cuando una carta de la entrega, o la segunda de la banca, queda cubierta. Es un aviso.",
        en: "When a card of the delivery, or the bank's second, lies face down. It is a notice.",
    },
    remedy: Bi { es: "Descubrir la carta.", en: "Turn the card up." },
    settings: &["bank_second_card"],
    readings: &[Reading {
        number: 9,
        words: Bi {
            es: "La banca toma su segunda carta cuando todos jugaron, también descubierta.",
            en: "The bank takes its second card when all have played, face up as well.",
        },
    }],
    cases: &[&FACE_DOWN],
    on: delivery::ON,
    check,
    ..Article::enforced(file!())
};

static FACE_DOWN: Case =
    Case { es: "carta cubierta ({place}): va descubierta", en: "a card face down ({place}): it belongs face up" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    delivery::check_face(&FACE_DOWN, context, findings);
}
